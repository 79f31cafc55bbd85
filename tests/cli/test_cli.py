"""The command line: what it prints, and that a mistake ends in one line, status 2 and no output."""

import contextlib
import gzip
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

import bleukit
from bleukit.bleu.names import names_of
from bleukit.cli import installed, printing, running
from bleukit.comparing.settings import TESTS

DOCUMENTATION = Path(__file__).parents[2] / "docs"
HYPOTHESIS = ["the cat sat on a mat .", "dogs bark", "it rains today"]
REFERENCES = [
    ["the cat sat on the mat .", "all dogs bark", "it rains"],
    ["a cat sat on a mat .", "dogs do bark", "rain"],
]


@pytest.fixture
def files(tmp_path):
    """Three segments: hyp, two sets of references, and the document of each segment."""
    for name, lines in [
        ("hyp", HYPOTHESIS),
        ("ref1", REFERENCES[0]),
        ("ref2", REFERENCES[1]),
        ("docs", ["a", "b", "a"]),
    ]:
        (tmp_path / name).write_text("".join(line + "\n" for line in lines))
    return tmp_path


def expected(variant="sacrebleu", references=REFERENCES, **overrides):
    return bleukit.load(variant, **overrides).corpus(HYPOTHESIS, list(zip(*references, strict=True)))


def row(name, score, decimals=2):
    """Return the cells of a score's row in the table."""
    precisions = "/".join(f"{100 * precision:.1f}" for precision in score.precisions)
    lengths = [str(score.hypothesis_length), f"{score.reference_length:g}"]
    return [name, f"{score.value:.{decimals}f}", precisions, f"{score.brevity_penalty:.4f}", *lengths]


def test_corpus_as_text(run, files):
    status, out, err = run("score", "-r", "ref1", "-r", "ref2", "hyp")
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert lines[1].split() == ["system", "BLEU", "precisions,", "%", "penalty", "length", "length"]
    assert lines[2].split() == row("hyp", expected())
    assert lines[3:] == ["", "sacrebleu, 3 segments", f"signature {expected().signature}"]


def test_corpus_as_json_has_the_fields_of_a_score(run, files):
    status, out, _ = run("score", "-r", "ref1", "-r", "ref2", "hyp", "--format", "json", "-V", "nltk")
    result, score = json.loads(out), expected("nltk")
    assert status == 0
    [system] = result.pop("systems")
    signatures = {}  # no other tool can express this variant
    assert result == {"level": "corpus", "signature": score.signature, "signatures": signatures}
    assert system.pop("system") == "hyp"
    assert system.pop("score") == score.value
    assert system.pop("precisions") == list(score.precisions)
    matches, totals = tuple(system.pop("matches")), tuple(system.pop("totals"))
    assert (matches, totals) == (score.matches, score.totals)
    fields = {"brevity_penalty", "hypothesis_length", "reference_length", "segments", "variant", "signature"}
    assert system == {field: getattr(score, field) for field in fields}


def test_several_systems_in_the_order_given(run, files):
    status, out, _ = run("score", "-r", "ref1", "ref1", "hyp", "--format", "json")
    systems = json.loads(out)["systems"]
    assert status == 0
    assert [system["system"] for system in systems] == ["ref1", "hyp"]
    assert systems[0]["score"] == 100
    status, out, _ = run("score", "-r", "ref1", "ref1", "hyp")
    lines = out.splitlines()
    assert [line.split()[:2] for line in lines[2:4]] == [
        ["ref1", "100.00"],
        ["hyp", f"{expected(references=REFERENCES[:1]):.2f}"],
    ]
    assert len({line.index(".") for line in lines[2:4]}) == 1  # the points stand below each other


def test_digits_and_scores_alone(run, files):
    score = expected("nltk")
    arguments = ["score", "-V", "nltk", "-r", "ref1", "-r", "ref2", "hyp"]
    assert run(*arguments)[1].splitlines()[2].split() == row("hyp", score, 4)
    assert run(*arguments, "-w", "9")[1].splitlines()[2].split() == row("hyp", score, 9)
    assert run(*arguments, "-q") == (0, f"{score.value:.4f}\n", "")
    assert run(*arguments, "hyp", "-q", "--width", "1") == (0, f"{score.value:.1f}\n" * 2, "")
    sentences = bleukit.load("nltk").sentences(HYPOTHESIS, list(zip(*REFERENCES, strict=True))).tolist()
    out = run(*arguments, "hyp", "-q", "--level", "sentence")[1]
    assert out == "".join(f"{sentence!r}\t{sentence!r}\n" for sentence in sentences)
    out = run(*arguments, "-q", "--level", "sentence", "-w", "3")[1]
    assert [float(line) for line in out.splitlines()] == [pytest.approx(s, abs=5e-4) for s in sentences]
    assert run(*arguments, "-q", "--format", "json")[0] == run(*arguments, "-w", "3", "--format", "json")[0] == 2


def test_a_tiny_score_is_not_rounded_to_0(run, files):
    (files / "tiny").write_text("it rains\n")
    (files / "ref").write_text("it pours\n")
    assert run("score", "-V", "nltk", "-r", "ref", "tiny", "-q")[1] == "1.5e-231\n"


def test_sentences(run, files):
    sentences = bleukit.load().sentences(HYPOTHESIS, REFERENCES[0]).tolist()
    _, out, _ = run("score", "-r", "ref1", "hyp", "--level", "sentence")
    lines = [line.split("\t") for line in out.splitlines()]
    assert lines[0] == ["sentence", "BLEU"]
    assert [(int(number), float(score)) for number, score in lines[1:4]] == list(enumerate(sentences, 1))
    [signature] = lines[4]
    assert signature == f"# signature {bleukit.load().sentence(HYPOTHESIS[0], REFERENCES[0][0]).signature}"
    assert "|effective_order:yes|" in signature
    _, out, _ = run("score", "-r", "ref1", "hyp", "--level", "sentence", "--format", "json")
    result = json.loads(out)
    assert result["signature"] == signature.removeprefix("# signature ")
    assert "|eff:yes|" in result["signatures"]["sacrebleu"]
    assert result["systems"][0]["score"] == expected(references=REFERENCES[:1]).value
    assert [(each["sentence"], each["score"]) for each in result["systems"][0]["sentences"]] == [
        (str(number), score) for number, score in enumerate(sentences, 1)
    ]


USABLE = []
for _name in bleukit.variants():
    with contextlib.suppress(bleukit.NotInstalledError):
        bleukit.load(_name)
        USABLE.append(_name)


@pytest.mark.parametrize("level", ["corpus", "sentence"])
@pytest.mark.parametrize("name", USABLE)
def test_the_signature_of_every_variant_gives_its_scores_again(run, files, name, level):
    arguments = ["score", "--level", level, "-r", "ref1", "-r", "ref2", "hyp"]
    if bleukit.load(name).variant.join_documents:
        arguments += ["--documents", "docs"]
    status, out, err = run(*arguments, "-V", name)
    assert (status, err) == (0, "")
    signature = out.splitlines()[-1].removeprefix("# ").removeprefix("signature ")
    assert run(*arguments, "--signature", signature) == (0, out, "")


def test_a_signature_of_another_version_is_read_with_a_warning(run, files):
    signature = expected(references=REFERENCES[:1]).signature.replace(f":{bleukit.__version__}", ":0.0.9")
    status, out, err = run("score", "--signature", signature, "-r", "ref1", "hyp", "-q")
    assert (status, out) == (0, run("score", "-r", "ref1", "hyp", "-q")[1])
    assert err == f"bleukit: warning: the score may differ: here is bleukit {bleukit.__version__}, not 0.0.9\n"


def test_weights_that_do_not_sum_to_1_are_warned_about(run, files):
    (files / "variant.yaml").write_text("variant: nltk\nweights: [0.5, 0.25]\n")
    message = (
        "the weights sum to 0.75, not 1, and are used as they are; normalize_weights=true divides them by their sum"
    )
    assert run("config", "check", "variant.yaml")[2] == f"bleukit: warning: variant.yaml: {message}\n"
    arguments = ["score", "-r", "ref1", "hyp", "--set", "weights=[0.5, 0.25]"]
    assert run(*arguments)[2] == f"bleukit: warning: {message}\n"
    assert run(*arguments, "--set", "normalize_weights=true")[2] == ""


def test_blank_document_ids_are_warned_about_once(run, files):
    (files / "docs").write_text("a\n\n \n")
    status, _, err = run("score", "-r", "ref1", "hyp", "--documents", "docs")
    assert (status, err) == (0, "bleukit: warning: docs:2: blank document id\n")


def test_tabs_and_line_feeds_in_names_are_escaped(run, files):
    (files / "h\ty\np").write_text((files / "hyp").read_text())
    (files / "docs").write_text("a\tb\nc\\d\na\tb\n")
    _, out, _ = run("score", "-r", "ref1", "h\ty\np", "hyp", "--documents", "docs")
    lines = out.splitlines()
    assert lines[0] == "document\th\\ty\\np\thyp"
    assert [line.split("\t")[0] for line in lines[1:3]] == ["a\\tb", "c\\\\d"]
    assert run("score", "-r", "ref1", "h\ty\np")[1].splitlines()[2].startswith("h\\ty\\np  ")


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["out/hyp.txt"], ["hyp.txt"]),
        (["out/a.txt", "out/b.txt"], ["a", "b"]),
        (["wmt.en-de.hyp.A.de", "wmt.en-de.hyp.B-2.de"], ["A", "B-2"]),
        (["runs/1/hyp.txt", "runs/2/hyp.txt"], ["1/hyp", "2/hyp"]),
        (["a/hyp.txt", "a/hyp.txt"], ["hyp", "hyp"]),
        (["systems/wmt.hyp.A.de", "references/wmt.ref.B.de"], ["hyp.A", "ref.B"]),
        (["a.txt", "a"], ["a.txt", "a"]),
        (["hyp.de.txt", "hyp.txt"], ["hyp.de", "hyp"]),
        (["-"], ["-"]),
        (["/out/x.gz", "/out/.gz"], ["x.gz", ".gz"]),
        (["hyp.001.txt … hyp.003.txt"], ["hyp.001.txt … hyp.003.txt"]),
        (["1/hyp.txt … 3/hyp.txt"], ["1/hyp.txt … 3/hyp.txt"]),
        (["a.001.txt … a.003.txt", "b.001.txt … b.003.txt"], ["a.001 … a.003", "b.001 … b.003"]),
    ],
)
def test_names_in_a_table_are_what_files_do_not_share(paths, names):
    assert printing.short_names(paths) == names


@pytest.mark.parametrize("columns", [80, 120])
def test_the_table_fits_a_terminal_and_a_signature_is_broken_between_fields(on_terminal, run, files, columns):
    long = f"{'long' * 8}.txt"
    (files / long).write_text((files / "hyp").read_text())
    lines = on_terminal(columns, "score", "--confidence", "-r", "ref1", long, "hyp").splitlines()
    assert max(map(len, lines)) <= columns
    assert any(line.startswith(f"{long} ") for line in lines) == (columns == 120)
    start = next(number for number, line in enumerate(lines) if line.startswith("signature "))
    assert all(line.endswith("|") for line in lines[start:-1])
    assert "".join(map(str.strip, lines[start:])) == f"signature {expected(references=REFERENCES[:1]).signature}"
    copied = "\n".join(lines[start:]).removeprefix("signature ")
    assert run("score", "--signature", copied, "-r", "ref1", "hyp", "-q") == run("score", "-r", "ref1", "hyp", "-q")


def test_undefined_numbers_are_null_in_json(run, files):
    (files / "blank").write_text("\n")
    _, out, _ = run("score", "-V", "matlab", "-r", "blank", "blank", "--format", "json")
    [result] = json.loads(out)["systems"]
    assert (result["score"], result["precisions"]) == (None, [None] * 4)


def test_a_config_file_and_settings(run, files):
    (files / "variant.yaml").write_text("variant: nltk\nweights: [0.5, 0.5]\n")
    setting = "smoothing={name: add-k, k: 2}"
    status, out, err = run("score", "-c", "variant.yaml", "--set", setting, "--set", "scale=100", "-r", "ref1", "hyp")
    score = expected("nltk", REFERENCES[:1], weights=[0.5, 0.5], smoothing={"name": "add-k", "k": 2}, scale=100)
    assert (status, err) == (0, "")
    assert out.splitlines()[2].split() == row("hyp", score)


def test_a_config_file_finds_the_module_beside_it(run, files):
    (files / "sub").mkdir()
    (files / "sub" / "shouting.py").write_text(
        "import bleukit\n@bleukit.plugin.hookimpl\ndef bleukit_tokenizers(): return {'shout': lambda: str.split}"
    )
    (files / "sub" / "variant.yaml").write_text("plugins: [shouting]\ntokenizer: shout\n")
    (files / "text").write_text("a b\n")
    assert run("tokenize", "-c", "sub/variant.yaml", "text") == (0, "a b\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "--set", "tokenizer=shout", "-r", "ref1", "hyp"],
        ["identify", "--score", "0.4033", "--format", "json", "-r", "ref1", "hyp"],
        ["explain", "-V", "shouting", "-V", "nltk", "-r", "ref1", "hyp"],
        ["tokenize", "-V", "shouting", "shout"],
        ["variants"],
        ["plugins"],
        ["config", "show", "-V", "shouting"],
        ["config", "check", "shouting.yaml"],
        ["config", "schema"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_every_command_uses_a_plugin_that_is_not_installed(run, files, arguments):
    (files / "shouting.yaml").write_text("name: shouting\nvariant: nltk\ntokenizer: shout\n")
    (files / "shouting.py").write_text(
        "import bleukit, pathlib\n"
        "@bleukit.plugin.hookimpl\ndef bleukit_tokenizers(): return {'shout': lambda: str.split}\n"
        "@bleukit.plugin.hookimpl\ndef bleukit_variants(): return {'shouting': pathlib.Path('shouting.yaml')}\n"
    )
    (files / "shout").write_text("shout\n")
    sys.modules.pop("shouting", None)
    status, out, err = run(*arguments, "--plugin", "shouting.py")
    assert (status, "shout" in out) == (0, True), err
    assert "shout" not in bleukit.framework.registry.installed().of_kind("tokenizer")


def test_the_command_that_identify_prints_can_be_run(run, files):
    (files / "loud.py").write_text(
        "import bleukit\nclass Loud:\n    def __call__(self, text): return ['x', *text.upper().split()]\n"
        "@bleukit.plugin.hookimpl\ndef bleukit_tokenizers(): return {'loud': Loud}\n"
    )
    given = ["--plugin", "loud.py", "--limit", "line=1000", "--limit", "segments=99"]
    score = run("score", "-q", "-w", "14", *given, "-V", "nltk", "--set", "tokenizer=loud", "-r", "ref1", "hyp")[
        1
    ].strip()
    out = run("identify", "--score", score, *given, "-r", "ref1", "hyp")[1]
    words = shlex.split(out.partition("To reproduce: ")[2].partition("\n")[0])
    assert words[:8] == ["bleukit", "score", *given]
    assert run(*words[1:], "-q", "-w", "14")[1].strip() == score


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("nope", "plugin 'nope' does not load: there is no module 'nope' where Python looks"),
        ("nope.py", "nope.py: no such file"),
    ],
)
def test_a_plugin_that_is_asked_for_must_load(run, module, message):
    status, out, err = run("plugins", "--plugin", module)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_compressed_files_and_standard_input(run, files, monkeypatch):
    (files / "ref1.gz").write_bytes(gzip.compress((files / "ref1").read_bytes()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((files / "hyp").read_bytes())))
    status, out, _ = run("score", "-r", "ref1.gz", "-")
    assert (status, out.splitlines()[2].split()) == (0, row("-", expected(references=REFERENCES[:1])))


MISTAKES = {
    "no reference": (["hyp"], "Missing option '-r'"),
    "unknown option": (["-r", "ref1", "hyp", "--levle", "corpus"], "No such option"),
    "unknown level": (["-r", "ref1", "hyp", "--level", "word"], "'word' is not one of"),
    "missing hypothesis": (["-r", "ref1", "nothing"], "nothing: no such file"),
    "missing reference": (["-r", "nothing", "hyp"], "nothing: no such file"),
    "empty folder": (["-r", "ref1", "folder"], "folder: the folder holds no file"),
    "empty file": (["-r", "ref1", "empty"], "empty: is empty"),
    "binary file": (["-r", "binary", "hyp"], "binary:2: is not UTF-8 text: byte 3 of the line is 0xff"),
    "unequal line counts": (["-r", "ref1", "-r", "short", "hyp"], "short has 2 lines, hyp has 3"),
    "second system short": (["-r", "ref1", "hyp", "short"], "short has 2 lines, hyp has 3"),
    "documents short": (["-r", "ref1", "hyp", "--documents", "short"], "short has 2 lines, hyp has 3"),
    "documents and level": (["-r", "ref1", "hyp", "--level", "document"], "--documents FILE go together"),
    "level and documents": (["-r", "ref1", "hyp", "--level", "corpus", "--documents", "docs"], "go together"),
    "setting not UTF-8": (["--set", "tokenizer=\udcff", "-r", "ref1", "hyp"], "holds bytes that are not UTF-8"),
    "standard input twice": (["-r", "-", "-"], "standard input (-) can be read only once"),
    "metric as a variant": (["-V", "chrf", "-r", "ref1", "hyp"], "use -m chrf"),
    "unknown variant": (["-V", "sacreblue", "-r", "ref1", "hyp"], "did you mean 'sacrebleu'"),
    "variant and config": (["-V", "nltk", "-c", "bad.yaml", "-r", "ref1", "hyp"], "give -V or -c, not both"),
    "missing config": (["-c", "no.yaml", "-r", "ref1", "hyp"], "no.yaml: cannot be read: No such file"),
    "bad config": (["-c", "bad.yaml", "-r", "ref1", "hyp"], "bad.yaml:2: weights[0]: expected a number, got text"),
    "setting without value": (["--set", "scale", "-r", "ref1", "hyp"], "--set takes KEY=VALUE, got 'scale'"),
    "setting twice": (["--set", "scale=1", "--set", "scale=100", "-r", "ref1", "hyp"], "gives 'scale' twice"),
    "bad setting": (["--set", "scale=5", "-r", "ref1", "hyp"], "scale: expected 1 or 100, got int 5"),
    "setting no YAML": (["--set", "weights=[1", "-r", "ref1", "hyp"], "is not valid YAML"),
    "unknown setting": (["--set", "wieghts=[1]", "-r", "ref1", "hyp"], "unknown key; did you mean 'weights'"),
    "broken module": (
        ["--set", "plugins=[broken]", "-r", "ref1", "hyp"],
        "'broken' does not load: ValueError: on import",
    ),
    "two claims": (["--set", "plugins=[claim]", "-r", "ref1", "hyp"], "plugin 'claim' registers the tokenizer '13a'"),
    "method 6": (["-V", "nltk", "--set", "smoothing=nltk-method6", "-r", "short3", "hyp"], "needs a matching trigram"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_and_status_2(run, files, mistake):
    (files / "empty").touch()
    (files / "folder").mkdir()
    (files / "binary").write_bytes(b"a\nbc\xff\nd\n")
    (files / "short").write_text("a\nb\n")
    (files / "short3").write_text("cat\ndogs\nit\n")
    (files / "bad.yaml").write_text("variant: nltk\nweights: [a]\n")
    (files / "broken.py").write_text("raise ValueError('on\\nimport')")
    (files / "claim.py").write_text(
        "import bleukit\n@bleukit.plugin.hookimpl\ndef bleukit_tokenizers(): return {'13a': str}"
    )
    arguments, message = MISTAKES[mistake]
    status, out, err = run("score", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("bleukit: error: ")
    assert message in err
    assert err.count("\n") == 1


SEE = "; see 'bleukit {} --help'"
REFUSED = {
    "conform implementations": "name an implementation, or give --command" + SEE,
    "conform implementations --command ' '": "--command is empty" + SEE,
    "conform implementations --command 'a \"b'": '--command a "b: no closing quotation' + SEE,
    "conform --quick check x.yaml": "--quick must follow 'check', if that has such an option" + SEE,
    "conform --as 13a": "--as names what --certify NAME must be the same as: also give --certify" + SEE,
    "conform --certify 13a -V nltk": "--certify chooses what is checked: give it alone" + SEE,
    "conform --certify 13a --tokenizer 13a": "--certify chooses what is checked: give it alone" + SEE,
    "conform explain W44": "no case is called 'W44'; did you mean W4?" + SEE,
    "conform explain zzzz": "no case is called 'zzzz'" + SEE,
    "serve --implementation no": "implementation: unknown implementation 'no'; known: bleukit, ",
    "explain -V nltk": "Missing argument 'HYP'" + SEE,
    "explain -V nltk -V coco": "Missing argument 'HYP'; docs/atlas.md, in the source, says by how much variants "
    "usually differ" + SEE,
    "explain hyp -V nltk": "Missing option '-r' / '--reference'" + SEE,
    "identify 26 hyp": "Missing option '--score'" + SEE,
    "score -r ref1 hyp --limit lines=3": "Invalid value for '--limit': 'lines=3': expected NAME=NUMBER, "
    "NAME one of line, text, segments, values, NUMBER as in 64M" + SEE,
    "score -r ref1 hyp --limit line=3X": "Invalid value for '--limit': 'line=3X': expected NAME=NUMBER, "
    "NAME one of line, text, segments, values, NUMBER as in 64M" + SEE,
    "score -r ref1 hyp -b": "No such option '-b'; scores alone are printed with -q; sacreBLEU's own options are those "
    "of 'bleukit sacrebleu'",
    "score -r ref1 hyp -m chrf -V nltk": "-V, -c and --set choose a BLEU, and -m has none: add -m bleu" + SEE,
    "score -r ref1 hyp -m chrf --set scale=1": "-V, -c and --set choose a BLEU, and -m has none: add -m bleu" + SEE,
    "score -r ref1 hyp --signature x": "signature: is of no known tool: 'x'; known: bleukit, sacrebleu",
    "score -r ref1 hyp --signature x -V nltk": "--signature cannot be combined with -V, -c or --set" + SEE,
    "score -r ref1 hyp --set =3": "--set takes KEY=VALUE, got '=3'" + SEE,
    "score -r ref1 hyp -w 18": "Invalid value for '-w' / '--width': 18 is not in the range 0<=x<=17" + SEE,
    "score -r ref1 hyp --confidence --level sentence": "only the score of the corpus has intervals: leave out --level"
    + SEE,
    "score -r ref1 hyp -q --format json": "JSON has all scores with all digits: leave out --score-only and --width"
    + SEE,
    "score -r ref1 hyp -o ref1": "ref1: is read, and written to as well",
    "score -r ref1 hyp --set procedure.over_references=mean --statistics k.jsonl": "procedure.over_references does not "
    "go with --statistics" + SEE,
    "score -r ref1 hyp --statistics k.jsonl -V nltk -V coco": "--statistics takes one variant, not several" + SEE,
    "merge hyp": "hyp: the name of a file of statistics ends in .jsonl",
    "mbr hyp": "hyp: how many lines are the samples of a segment? Several files hold one each",
    "mbr hyp ref1 --samples 2": "samples are lines of one file, so many a segment, or line N of several files: "
    "not both",
    "mbr hyp --samples 2": "hyp: has 3 lines, which are no groups of 2",
    "mbr hyp ref1 --n-best 0": "Invalid value for '--n-best': 0 is not in the range x>=1" + SEE,
    "compare hyp ref2 -r ref1 --test none": "test: expected permutation, hierarchical, multeval, bootstrap, delta, "
    "sacrebleu-bs, sacrebleu-ar; got str 'none'",
    **{
        f"{command} --{name} {value}": f"Invalid value for '--{name}': {value} is not in the range {accepted}" + SEE
        for name, value, accepted, *commands in (
            ("detect", "1e-300", "x>=1e-09", "compare hyp ref2 -r ref1", "power hyp ref2"),
            ("power", "0.9999999", "0<x<=0.999999", "compare hyp ref2 -r ref1", "power hyp ref2 --detect 1"),
            ("confidence-level", "0.9999999", "0<x<=0.999999", "compare hyp ref2 -r ref1", "power hyp ref2"),
            ("samples", 10**21, "1<=x<=1000000", "compare hyp ref2 -r ref1"),
            ("interval-samples", 10**8, "0<=x<=1000000", "compare hyp ref2 -r ref1"),
            ("pairs", 10**21, "1<=x<=1000000", "power hyp ref2 --detect 1"),
            ("timeout", "1e+300", "0<x<=86400", "conform implementations"),
        )
        for command in commands
    },
    **{
        f"conform --certify 13a --as '{value}'": "Invalid value for '--as': expected a name, or a mapping with `name` "
        f"and options, got {got}" + SEE
        for value, got in (("[1]", "list [1]"), ("~", "NoneType None"), ("{name: 5}", "dict {{'name': 5}}"))
    },
    "compare hyp ref2 -r ref1 --baseline x": "baseline: unknown system 'x'; known: hyp, ref2",
    "power hyp": "Missing option '--detect'" + SEE,
    "report hyp -r ref1": "Missing option '-o' / '--output'" + SEE,
    "variants nltkk": "variant: unknown variant 'nltkk', and no program of this name is known; did you mean 'nltk'? "
    "`bleukit variants` lists all",
    "variants nltk no such": "no variant is described with all of these words: nltk no such",
    "config check none": "none: cannot be read: No such file or directory",
}


@pytest.mark.parametrize("words", REFUSED)
def test_each_command_says_what_is_wrong(run, files, words):
    arguments = shlex.split(words)
    command = "conform implementations" if "implementations" in arguments else arguments[0]
    if arguments[:2] == ["conform", "explain"]:
        command = "conform explain"
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    wanted = f"bleukit: error: {REFUSED[words].format(command)}"
    assert err.startswith(wanted) if wanted.endswith(", ") else err == f"{wanted}\n"


def test_an_installed_plugin_that_breaks_is_reported_and_the_rest_works(files):
    site = files / "site"
    info = site / "broken_dist-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "broken_plugin.py").write_text("raise RuntimeError('no way')")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-dist\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[bleukit]\nbroken = broken_plugin\n")
    (files / "own.yaml").write_text("name: own\n")  # a name of no built-in plugin: all others are looked for
    problem = f"it does not load: RuntimeError: no way ({site}/broken_plugin.py:1)"
    message = f"plugin 'broken' of broken-dist 1.0 is left out: {problem}"
    for options, warning in (["-c", "own.yaml"], f"bleukit: warning: {message}\n"), ([], ""):
        done = bleukit_process("score", *options, "-r", "ref1", "hyp", cwd=files, PYTHONPATH=str(site))
        score = expected(references=REFERENCES[:1])
        assert (done.returncode, done.stdout.splitlines()[2].split()) == (0, row("hyp", score))
        assert done.stderr == warning
    assert (
        "LEFT OUT  it does not load: RuntimeError: no way (/" in bleukit_process("plugins", PYTHONPATH=str(site)).stdout
    )


def test_a_broken_variant_of_a_plugin_does_not_hide_the_others(files):
    site = files / "site"
    info = site / "variant_dist-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "own.yaml").write_text("name: own\ncolour: red\n")
    (site / "variant_plugin.py").write_text(
        "import bleukit, pathlib\n\n@bleukit.plugin.hookimpl\n"
        "def bleukit_variants(): return {'own': pathlib.Path(__file__).with_name('own.yaml')}\n"
    )
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: variant-dist\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[bleukit]\nvariant = variant_plugin\n")
    listed = bleukit_process("variants", PYTHONPATH=str(site)).stdout
    assert "  own is broken: " in listed
    assert "own.yaml:2: colour: unknown key" in listed
    assert "sacrebleu (default)" in listed
    (site / "own.yaml").write_text("name: own\nvariant: nltk\n")
    done = bleukit_process("score", "-V", "own", "-r", "ref1", "hyp", cwd=files, PYTHONPATH=str(site))
    assert "signature variant:own|" in done.stdout
    assert "|with:variant-dist 1.0" in done.stdout


def test_an_untrusted_variant_file_runs_no_code(run, files):
    (files / "marking.py").write_text("from pathlib import Path\nPath('mark').touch()\n")
    (files / "own.yaml").write_text("plugins: [marking.py]\n")
    for words in (
        "score -c own.yaml -r ref1 hyp",
        "tokenize -V own.yaml hyp",
        "config check own.yaml",
        "conform -c own.yaml",
    ):
        status, out, err = run("--untrusted-files", *words.split())
        assert (status, out) == (2, "")
        assert "own.yaml:1: plugins[0]: 'marking.py' is not imported" in err
    assert not (files / "mark").exists()
    assert "implements no hook" in run("tokenize", "-c", "own.yaml", "hyp")[2]
    assert (files / "mark").exists()


@pytest.mark.parametrize("columns", [80, 120])
def test_on_a_terminal_every_variant_has_one_line_below_its_field(on_terminal, columns):
    lines = on_terminal(columns, "variants").splitlines()
    assert max(map(len, lines)) <= columns
    listed = [line.split()[0] for line in lines if line.startswith("  ") and not line.strip().startswith("reference")]
    assert sorted(listed) == sorted(bleukit.variants())
    courses = lines[lines.index("Textbooks and courses") :]
    assert ["nltk", "whitespace"] in [line.split()[:2] for line in courses]
    assert any(line.split() == ["multi-bleu-lc", "multi-bleu", "none"] for line in lines) == (columns == 80)


def test_variants_lists_and_prints_variants_ready_to_save(run, files):
    _, listed, _ = run("variants")
    for name in ("matlab", "nltk", "sacrebleu", "wikipedia"):
        assert f"  {name} " in listed
        status, variant, _ = run("variants", name)
        (files / "saved.yaml").write_text(variant)
        assert status == 0
        assert bleukit.load(files / "saved.yaml").variant == bleukit.load(name).variant
    assert run("variants", "nope")[0] == 2


def test_the_documentation_lists_what_the_command_lists(run):
    documented = (DOCUMENTATION / "variants.md").read_text(encoding="utf-8")
    listed = run("variants", "--format", "markdown")[1].strip()
    assert listed in documented


def test_variants_are_found_by_the_words_of_their_descriptions(run):
    found = json.loads(run("variants", "moses", "NIST", "--format", "json")[1])["variants"]
    assert "mteval-v13a" in {variant["name"] for variant in found}
    assert {variant["plugin"] for variant in found} == {"moses"}
    status, out, err = run("variants", "no", "such-words")
    assert (status, out) == (2, "")
    assert "no variant is described with all of these words: no such-words" in err


def test_plugins_lists_components_with_their_origin(run):
    status, out, _ = run("plugins")
    assert status == 0
    *blocks, parts = out.strip().split("\n\n")
    for block, plugin in zip(blocks, bleukit.plugins(), strict=True):
        head, *lines = block.replace("\u00a0", " ").splitlines()
        origin = f"{plugin.distribution} {plugin.version}"
        assert head == f"{plugin.name} ({origin}): {plugin.description}"
        listed = dict(re.fullmatch(r"  (\S+(?: \S+)*) {2,}(\S.*)", line).groups() for line in lines)
        assert listed == {
            kind.replace("_", " "): ", ".join(
                f"{name} (needs: {needs})" if (needs := plugin.needs.get(kind, {}).get(name)) else name
                for name in names
            )
            for kind, names in plugin.provides.items()
        }
    number = len(bleukit.compiled_parts())
    assert parts == f"compiled parts: all {number} are in use" or "missing" in parts


CASES = {False: "mixed", True: "lower", "ascii": "lower A-Z"}


def test_a_wide_table_of_variants_says_what_each_consists_of(run, monkeypatch):
    monkeypatch.setattr(installed, "terminal_width", lambda: 250)
    title, fields, rows = "", {}, {}
    for line in run("variants")[1].splitlines()[2:]:
        if line.startswith("  "):
            rows[line.split()[0]], fields[line.split()[0]] = line.split()[1:], title
        elif line:
            title = line
    assert rows["sacrebleu"].pop(0) == "(default)"
    wanted = {}
    for name, variant in bleukit.variants().items():
        weights = variant.weights_used
        alike = f"{len(weights)} \u00d7 {weights[0]:.3g}", ", ".join(f"{weight:g}" for weight in weights)
        cells = [variant.tokenizer.name, variant.counter.name, variant.reference_length.name, variant.smoothing.name]
        cells += [variant.brevity_penalty.name, CASES[variant.lowercase], alike[len(set(weights)) > 1]]
        wanted[name] = " ".join([*cells, f"0\u2013{variant.scale}", variant.average]).split()
    assert rows == wanted
    assert fields == {name: variant.field for name, variant in bleukit.variants().items()}


def test_variants_are_described_in_full(run):
    described = {}
    for block in re.split(r"^  (?! )", run("variants", "--long")[1], flags=re.MULTILINE)[1:]:
        head, *lines = block.split("\n\n")[0].splitlines()
        entries = (re.fullmatch(r"    (what it is|used by|source|names|variant) {2,}(.*)", line) for line in lines)
        described[head.removesuffix(" (default)")] = dict(entry.groups() for entry in entries)
    assert described.keys() == bleukit.variants().keys()
    for name, variant in bleukit.variants().items():
        keys = yaml.safe_load(f"{{{described[name].pop('variant')}}}".replace("\u00a0", " "))
        wanted = {key: value for key, value in variant.to_dict().items() if key in keys or value not in ({}, [])}
        texts = {
            "what it is": wanted.pop("description"),
            "used by": wanted.pop("used_by"),
            "source": wanted.pop("source"),
        }
        texts["names"] = ", ".join(names_of(name))
        assert described[name] == {title: text for title, text in texts.items() if text}
        assert {"name": name, "field": variant.field, **keys} == wanted


def test_lists_are_data_in_json(run):
    listed = json.loads(run("variants", "--format", "json")[1])
    assert listed["default"] == "sacrebleu"
    nltk = next(variant for variant in listed["variants"] if variant["name"] == "nltk")
    assert (nltk["counter"], nltk["plugin"], nltk["distribution"]) == ("nltk", "nltk", "bleukit")
    assert json.loads(run("variants", "nltk", "--format", "json")[1]) == bleukit.variants()["nltk"].to_dict()
    listed = json.loads(run("plugins", "--format", "json")[1])
    assert listed["plugins"] == [plugin.to_dict() for plugin in bleukit.plugins()]
    assert listed["compiled"] == bleukit.compiled_parts()


@pytest.mark.parametrize("output", ["text", "json"])
def test_nothing_is_padded_when_piped(run, files, few_cases, output):
    for command in (
        ["variants"],
        ["plugins"],
        ["conform", "--quick", "--variant", "coco"],
        ["compare", "--samples", "9", "--by", "length", "-r", "ref1", "hyp", "ref2"],
    ):
        out = run(*command, "--format", output)[1]
        assert out
        assert not any(line.endswith(" ") for line in out.splitlines())


@pytest.mark.oldest
def test_missing_compiled_parts_are_reported_once(files):
    missing = "bleukit.bleu.ngrams_compiled"
    code = f"import sys; sys.modules['{missing}'] = None; from bleukit.cli import main; main(['plugins'])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    message = out.splitlines()[-1]
    assert message.startswith("compiled parts: ")
    assert missing in message
    assert "are missing" in message
    assert "install a C compiler" in message


@pytest.mark.oldest
def test_the_version_says_that_compiled_parts_are_missing():
    missing = "bleukit.bleu.ngrams_compiled"
    code = f"import sys; sys.modules['{missing}'] = None; from bleukit.cli import main; main(['--version'])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.startswith(f"bleukit, version {bleukit.__version__}\ncompiled parts missing: ")


def test_plugins_that_are_kept_out_are_listed(files):
    done = bleukit_process("plugins", BLEUKIT_DISABLE_PLUGINS="nltk, nltkk")
    assert "kept out by BLEUKIT_DISABLE_PLUGINS: plugin 'nltk' of bleukit" in done.stdout
    assert done.stderr.startswith(
        "bleukit: warning: BLEUKIT_DISABLE_PLUGINS names no plugin: 'nltkk'; did you mean 'nltk'"
    )


def test_tokenize(run, files):
    (files / "text").write_text("a,b\nc d\n")
    assert run("tokenize", "text") == (0, "a , b\nc d\n", "")
    assert run("tokenize", "-V", "nltk", "--format", "json", "text") == (0, '["a,b"]\n["c", "d"]\n', "")


def test_config(run, files):
    status, shown, _ = run("config", "show", "-V", "nltk", "--set", "scale=100")
    (files / "variant.yaml").write_text(shown)
    assert status == 0
    assert bleukit.load(files / "variant.yaml").variant == bleukit.load("nltk", scale=100).variant
    status, out, _ = run("config", "check", "variant.yaml")
    assert (status, out.startswith("variant.yaml: ok, variant:nltk (modified)|")) == (0, True)
    (files / "bad.yaml").write_text("colour: red")
    assert run("config", "check", "variant.yaml", "bad.yaml")[:2] == (2, "")
    status, schema, _ = run("config", "schema")
    assert (status, json.loads(schema)["title"]) == (0, "BLEU variant")


@pytest.mark.parametrize(
    "command", [[], ["score"], ["variants"], ["plugins"], ["tokenize"], ["config"], ["config", "show"]]
)
def test_help(run, command):
    status, out, err = run(*command, "--help")
    assert (status, err) == (0, "")
    assert out.startswith(f"Usage: {' '.join(['bleukit', *command])}")


def test_version(run):
    status, out, err = run("--version")
    assert (status, out.splitlines()[0], err) == (0, f"bleukit, version {bleukit.__version__}", "")
    assert out.count("\n") == (1 if all(bleukit.compiled_parts().values()) else 2)


def bleukit_process(*arguments, cwd=None, **environment):
    command = [sys.executable, "-c", "from bleukit.cli import main; main()", *arguments]
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_a_reader_that_goes_away_is_no_error(files):
    (files / "long").write_text("a b c\n" * 100_000)
    command = [sys.executable, "-c", "from bleukit.cli import main; main()", "tokenize", "long"]
    with subprocess.Popen(command, cwd=files, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == -signal.SIGPIPE


@pytest.mark.parametrize(
    ("redirection", "message"),
    [
        ("<&-", "standard input: is closed"),
        (">&-", "cannot write: standard output is closed"),
        (">/dev/full", "cannot write: No space left on device"),
    ],
)
def test_streams_that_cannot_be_used_are_reported(files, redirection, message):
    command = f"'{sys.executable}' -m bleukit score -r ref1 {'-' if '<' in redirection else 'hyp'} {redirection}"
    done = subprocess.run(command, shell=True, cwd=files, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"bleukit: error: {message}\n")


def test_tokens_of_any_script_are_printed_in_any_locale(files):
    (files / "text").write_text("猫 café\n", encoding="utf-8")
    done = bleukit_process("tokenize", "text", cwd=files, LC_ALL="C", PYTHONUTF8="0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "猫 café\n", "")


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import bleukit", ["click", "rich", "regex", "linkify_it", "pyarrow", "pandas"]),
        ("import bleukit; bleukit.load().corpus(['a'], ['a'])", ["click", "rich", "linkify_it", "nltk", "sacrebleu"]),
    ],
)
def test_only_what_is_needed_is_imported(code, absent):
    found = f"import sys; {code}; print(*(name for name in {absent!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", found], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_installed_command_is_this_one():
    command = Path(sys.executable).with_name("bleukit")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert bleukit.__version__ in done.stdout


REFERENCE_SET = """<refset setid="s" srclang="a" trglang="b">
<doc docid="x" sysid="r"><seg id="1">the cat sat on the mat</seg><seg id="2">dogs &amp; cats bark at night</seg></doc>
<doc docid="y" sysid="r"><seg id="7">it rains again on Monday</seg></doc></refset>"""
SYSTEM_SET = REFERENCE_SET.replace("refset", "tstset").replace('sysid="r"', 'sysid="one"')
SYSTEM_SETS = SYSTEM_SET + SYSTEM_SET.replace('sysid="one"', 'sysid="two"').replace("again", "always")


@pytest.fixture
def sets(run, tmp_path):
    (tmp_path / "r.sgm").write_text(REFERENCE_SET)
    (tmp_path / "h.sgm").write_text(SYSTEM_SETS)
    return tmp_path


def test_the_systems_of_an_evaluation_set_are_scored_by_document_and_segment(run, sets):
    status, printed, _ = run("score", "-V", "mteval-v13a", "--level", "document", "-r", "r.sgm", "h.sgm")
    assert status == 0
    assert [line.split("\t")[:2] for line in printed.splitlines()[:3]] == [
        ["document", "one"],
        ["x", "1.0"],
        ["y", "1.0"],
    ]
    _, printed, _ = run("score", "--level", "sentence", "--format", "json", "-r", "r.sgm", "h.sgm")
    one, two = json.loads(printed)["systems"]
    assert (one["system"], two["system"]) == ("one", "two")
    assert [unit["sentence"] for unit in two["sentences"]] == ["x:1", "x:2", "y:7"]
    assert two["sentences"][2]["score"] < one["sentences"][2]["score"] == pytest.approx(100)


@pytest.mark.parametrize("variant", ["nltk", "sacrebleu", "mteval-v11b"])
def test_entities_of_an_evaluation_set_are_no_words(run, sets, variant):
    (sets / "r.sgm").write_text(REFERENCE_SET.replace("&amp;", "&"))
    _, printed, _ = run("score", "-V", variant, "-r", "r.sgm", "h.sgm", "-q")
    assert printed.splitlines()[0] in {"1.0000", "100.00"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-r", "r.sgm", "h.csv"], "evaluation sets (.sgm, .sgml, .xml) and other files cannot be read together"),
        (
            ["-r", "r.sgm", "--documents", "d.txt", "h.sgm"],
            "evaluation sets name the document of each segment themselves",
        ),
        (["-r", "h.sgm", "h.sgm"], "h.sgm: holds no segment of a reference"),
        (["-r", "r.sgm", "less.sgm"], "less.sgm: system 'one' lacks document 'y', which r.sgm: reference 'r' has"),
    ],
)
def test_evaluation_sets_that_do_not_fit_are_reported_in_one_line(run, sets, arguments, message):
    (sets / "less.sgm").write_text(SYSTEM_SET.partition('<doc docid="y"')[0] + "</tstset>")
    status, out, err = run("score", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_text_is_broken_at_blanks_and_indented():
    lines = printing.entries({"a": "one two\N{NO-BREAK SPACE}three four", "long": ""}, 30)
    assert lines == ["  a     one two three four", "  long"]
    assert printing.entries({"a": "one two\N{NO-BREAK SPACE}three four"}, 15) == [
        "  a  one",
        "     two three",
        "     four",
    ]


numbers = st.floats() | st.integers(-(2**63), 2**63 - 1)


@given(
    st.lists(st.tuples(st.text(st.characters(codec="utf-8") | st.sampled_from('",:{}\n')), numbers, st.lists(numbers)))
)
@example([('}, {"sentence": ', 0.5, [1]), ("}, {", 0, []), ("", 1e16, [])])
def test_rows_are_written_as_json_one_by_one_or_together(rows):
    names, scores, counts = zip(*rows, strict=True) if rows else ((), (), ())
    columns = {"sentence": names, "score": scores, "counts": counts}
    expected = [printing.as_json_line(dict(zip(columns, row, strict=True))) for row in rows]
    assert printing.as_json_lines(columns, 2) == ",\n".join(f"  {line}" for line in expected)


PAGES = [
    [],
    *([name] for name in running.COMMANDS if name != "sacrebleu"),  # whose help is sacreBLEU's own
    *(["config", name] for name in ("show", "check", "schema")),
]


@pytest.mark.parametrize("command", PAGES, ids=" ".join)
def test_a_help_page_fits_one_screen(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "100")
    lines = run(*command, "--help")[1].splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("command", PAGES, ids=" ".join)
def test_a_help_page_fits_a_small_terminal(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(*command, "--help")[1].splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80


def test_commands_are_listed_with_their_whole_summaries(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    listed = run("--help")[1].partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in listed] == list(running.COMMANDS)
    assert not [line for line in listed if line.endswith("...") and line.split()[0] not in {"conform", "serve"}]


def test_the_help_of_compare_names_all_tests(run):
    text = " ".join(run("compare", "--help")[1].split())
    assert "permutation, hierarchical, multeval, bootstrap, delta, sacrebleu-ar, -bs" in text
    assert set(TESTS) == {
        "permutation",
        "hierarchical",
        "multeval",
        "bootstrap",
        "delta",
        "sacrebleu-ar",
        "sacrebleu-bs",
    }


def test_scores_of_texts_need_no_numpy(files):
    code = (
        "import atexit, os, sys\nfrom bleukit.cli import main\n"
        "atexit.register(lambda: os._exit(9) if 'numpy' in sys.modules else None)\nmain()"
    )
    arguments = ["score", "-q", "-r", files / "ref1", files / "hyp"]
    assert subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=False).returncode == 0


def test_a_score_of_0_says_why(run, tmp_path):
    """In text, in JSON and on the page."""
    for name in ("ref", "hyp"):
        (tmp_path / name).write_text("a cat\n")
    why = "the score is 0: no 3-gram in a text of 2 tokens; see --level sentence, or a smoothing"
    setting = ["--set", "smoothing=none", "-r", "ref", "hyp"]
    assert f"note: hyp: {why}\n" in run("score", *setting)[1]
    [system] = json.loads(run("score", "--format", "json", *setting)[1])["systems"]
    assert (system["score"], system["note"]) == (0, why)
    assert run("report", *setting, "-o", "page.html")[0] == 0
    assert why in (tmp_path / "page.html").read_text()
    [system] = json.loads(run("score", "--format", "json", "-V", "nltk", "-r", "ref", "hyp")[1])["systems"]
    assert system["note"].startswith("the score is 1.5e-154: no 3-gram matches; ")
    assert "note" not in json.loads(run("score", "--format", "json", "-V", "coco", "-r", "ref", "hyp")[1])["systems"][0]


def test_a_score_of_0_of_an_unsplit_text_says_what_splits_it(run, tmp_path):
    """In text, in JSON, with statistics and on the page."""
    for name, text in {"ref": "你好世界", "other": "这是什么"}.items():
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    advice = "the tokenizer leaves the text unsplit: use -V sacrebleu-zh"
    short = f"the score is 0: no 2-gram in a text of 1 token; {advice}"
    for options in ([], ["--statistics", "kept.jsonl"]):
        assert f"note: ref: {short}\n" in run("score", "-r", "ref", "ref", *options)[1]
    assert f"the score is 0: no token matches; {advice}\n" in run("score", "-r", "ref", "other")[1]
    assert json.loads(run("score", "--format", "json", "-r", "ref", "ref")[1])["systems"][0]["note"] == short
    assert run("report", "-r", "ref", "ref", "-o", "page.html")[0] == 0
    assert short in (tmp_path / "page.html").read_text(encoding="utf-8")
    _, out, err = run("score", "-V", "sacrebleu-zh", "-r", "ref", "ref")
    assert "note" not in out + err
