"""Statistics of parts of a text, kept in files: their sum scores as the whole, and what does not belong is refused."""

import contextlib
import gzip
import json
import pickle
import sys
from pathlib import Path
from random import Random

import pytest

import bleukit
from bleukit.cli import counting
from bleukit.framework import yaml_document
from bleukit.framework.errors import InputError, InputTypeError
from bleukit.shards import contents
from bleukit.shards.portable import PortableVariant
from bleukit.shards.shard import Shard
from bleukit.shards.statistics_files import write_shard

HYPOTHESES = ["the cat sat here", "hello world , here we go", "it is late", "a b c d e", "the end"]
REFERENCES = ["the cat sat on it", "hello world , we go here", "it was late", "a b c d f g", "the very end"]
OTHERS = ["a cat sat", "hello", "late it is", "a b c", "end"]
DOCUMENTS = ["one", "one", "two", "two", "three"]
CUT = 3


def lines(texts):
    return "".join(f"{text}\n" for text in texts)


@pytest.fixture
def folder(tmp_path):
    for name, texts in {"hyp": HYPOTHESES, "ref": REFERENCES, "ref2": OTHERS, "doc": DOCUMENTS}.items():
        for suffix, part in {"": texts, ".1": texts[:CUT], ".2": texts[CUT:]}.items():
            (tmp_path / f"{name}{suffix}").write_text(lines(part))
    return tmp_path


def kept(run, *options, parts=(1, 2)):
    """Keep the statistics of both parts, and return the names of the files."""
    for part in parts:
        own = [f"doc.{part}" if option == "doc" else option for option in options]
        files = ["-r", f"ref.{part}", "-r", f"ref2.{part}", f"hyp.{part}"]
        assert run("score", "--statistics", f"{part}.jsonl", *files, *own)[0] == 0
    return [f"{part}.jsonl" for part in parts]


def test_what_is_there_is_not_counted_again(folder, run, monkeypatch):
    kept(run)
    monkeypatch.setattr(bleukit.Bleu, "statistics", None)
    before = Path("1.jsonl").stat().st_ino
    assert kept(run)
    assert Path("1.jsonl").stat().st_ino == before


def test_what_fails_leaves_no_file(folder, run):
    Path("ref.2").write_bytes(b"\xff\n\n")
    assert run("score", "--statistics", "2.jsonl", "-r", "ref.2", "hyp.2")[0] == 2
    assert not [path for path in folder.iterdir() if path.suffix == ".jsonl" or path.name.startswith(".")]


AGAIN = ["score", "--statistics", "1.jsonl", "-r", "ref.1", "-r", "ref2.1", "hyp.1"]


@pytest.mark.parametrize(
    ("change", "command", "message"),
    [
        (lambda: Path("hyp.1").write_text("x\ny\nz\n"), AGAIN, "1.jsonl: holds other statistics: since then hyp.1"),
        (None, [*AGAIN, "--set", "smoothing=none"], "smoothing is exp, not none; remove it to count again"),
        (None, [*AGAIN, "--level", "sentence"], "its level is corpus, not sentence"),
        (None, ["score", "--statistics", "1.jsonl", "-r", "ref.1", "hyp.1"], "they are of hyp.1, ref.1, ref2.1"),
        (None, ["score", "--statistics", "hyp.1", "-r", "ref.1", "hyp.1"], "hyp.1: is read, and written to as well"),
        (None, ["score", "--statistics", "x.txt", "-r", "ref.1", "hyp.1"], "ends in .jsonl"),
        (None, ["score", "--statistics", "x.jsonl", "-r", "ref.1", "-"], "-: is no file that can be read twice"),
        (None, ["merge", "1.parquet"], "1.parquet: the name of a file of statistics ends in .jsonl"),
        (None, ["merge", "1.jsonl", "1.jsonl"], "1.jsonl: is given twice"),
        (lambda: Path("c.jsonl").write_bytes(Path("1.jsonl").read_bytes()), ["merge", "1.jsonl", "c.jsonl"],
         "c.jsonl: holds what 1.jsonl holds, too: hyp.1, ref.1, ref2.1"),
        (None, ["merge", "1.jsonl", "none.jsonl"], "none.jsonl: cannot be read: No such file or directory"),
        (lambda: Path("h.jsonl").write_text('{"hyp": "a"}\n'), ["merge", "h.jsonl"], "h.jsonl: holds no statistics as"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(folder, run, change, command, message):
    kept(run)
    if change:
        change()
    status, out, error = run(*command)
    assert (status, out) == (2, "")
    assert message in error
    assert error.count("\n") == 1


OTHERWISE = {
    "variant": (
        ["--set", "tokenizer=none"],
        "2.jsonl: was not counted as 1.jsonl was: variant is sacrebleu (modified)",
    ),
    "level": (["--level", "sentence"], "2.jsonl: was not counted as 1.jsonl was: its level is sentence, not corpus"),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_was_counted_otherwise_is_refused(folder, run, name):
    options, message = OTHERWISE[name]
    kept(run, parts=[1])
    kept(run, *options, parts=[2])
    status, out, error = run("merge", "1.jsonl", "2.jsonl")
    assert (status, out) == (2, "")
    assert message in error


def test_variants_that_differ_for_sentences_are_refused():
    shards = []
    for smoothing in ("none", "floor"):
        bleu = bleukit.load("sacrebleu", name="ours", sentence={"smoothing": smoothing})
        shards.append(Shard.of(bleu, bleu.statistics([smoothing], [smoothing])))
    with pytest.raises(InputError, match="shard 2: was not counted as shard 1 was: the variants differ at sentence"):
        Shard.merged(shards)


def test_other_versions_are_refused(folder, run, monkeypatch):
    kept(run, parts=[1])
    monkeypatch.setattr("bleukit.bleu.signature.__version__", "9.9")
    assert run("merge", "1.jsonl")[2].endswith("1.jsonl: the variant is another one here: bleukit is 9.9, not 0.1.0\n")
    kept(run, parts=[2])
    assert "bleukit is 9.9, not 0.1.0" in run("merge", "1.jsonl", "2.jsonl")[2]


def test_systems_in_another_order_are_refused(folder, run):
    for number, systems in enumerate((["hyp", "ref2"], ["ref2", "hyp"]), 1):
        run("score", "--statistics", f"{number}.jsonl", "-r", "ref", *systems)
    assert "its system 1 is 'ref2', not 'hyp'" in run("merge", "1.jsonl", "2.jsonl")[2]


PLUGIN = """
from bleukit.plugin import hookimpl

@hookimpl
def bleukit_tokenizers():
    return {"by-comma": lambda: lambda text: text.split(",")}
"""


@pytest.mark.parametrize("numbers", [(1, 2), (2, 1)])
def test_systems_may_have_different_numbers_of_references(tmp_path, run, numbers):
    bleu = bleukit.load()
    rows = {str(number): bleu.statistics(["a b"], [["a b"] * number]).sum() for number in numbers}
    Shard.of(bleu, rows).write(tmp_path / "kept.jsonl")
    signatures = json.loads(run("merge", str(tmp_path / "kept.jsonl"), "--format", "json")[1])["signatures"]
    assert signatures["sacrebleu"].startswith("nrefs:var|")


def test_a_metric_that_is_not_known_cannot_be_loaded():
    with pytest.raises(bleukit.InputError, match="^the metric cannot be loaded: unknown metric 'chrx'"):
        PortableVariant(None, "metric:chrx", name="chrx").load()


def test_plugins_are_named_and_not_run_unasked(folder, run):
    Path("commas_plugin.py").write_text(PLUGIN)
    kept(run, "--plugin", "commas_plugin.py", "--set", "tokenizer=by-comma", parts=[1])
    status, _, error = run("merge", "1.jsonl")
    assert status == 2
    assert error.startswith("bleukit: error: 1.jsonl: the variant cannot be loaded: ")
    assert error.endswith(
        "; it needs plugin 'commas_plugin': install it, or name its module (--plugin, or `modules` in Python)\n"
    )
    assert run("merge", "--plugin", "commas_plugin.py", "1.jsonl")[0] == 0


HOSTILE = """
from pathlib import Path

Path(MARK).touch()

from bleukit.plugin import hookimpl

@hookimpl
def bleukit_tokenizers():
    return {"by-comma": lambda: lambda text: text.split(",")}
"""


def hostile_file(path, mark, module, tokenizer):
    """Write a file of statistics, with right checksums, whose variant wants a module that leaves a mark."""
    bleu = bleukit.load()
    shard = Shard.of(bleu, bleu.statistics(HYPOTHESES, REFERENCES))
    variant = {**shard.portable.variant.to_dict(), "tokenizer": tokenizer, "plugins": [module]}
    plugin = contents.RecordedPlugin(Path(module).stem, module, "", "")
    header = contents.Header(
        signature=shard.portable.signature,
        level="corpus",
        variant=yaml_document.dump(variant),
        plugins=(plugin,),
        sources=shard.sources,
    )
    Path("hostile_plugin.py").write_text(HOSTILE.replace("MARK", repr(str(mark))))
    write_shard(str(path), header, shard.statistics)


@pytest.mark.parametrize("tokenizer", ["13a", "by-comma"])
@pytest.mark.parametrize("kind", ["absolute", "relative", "name"])
def test_no_file_of_statistics_runs_code(folder, run, monkeypatch, kind, tokenizer):
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "hostile_plugin", raising=False)
    mark, path = folder / "mark", folder / "hostile.jsonl"
    module = {"absolute": str(folder / "hostile_plugin.py"), "relative": "hostile_plugin.py", "name": "hostile_plugin"}
    hostile_file(path, mark, module[kind], tokenizer)
    shard = Shard.read(path)
    again = folder / "again.jsonl"
    bare = Shard(PortableVariant(shard.portable.variant, shard.portable.signature), "corpus", shard.statistics)
    for way in (
        shard.score, shard.load, shard.portable.load, bare.load,
        Shard.merged([shard]).score, pickle.loads(pickle.dumps(shard)).load,
        lambda: shard.write(again), lambda: Shard.read(again).load(),
    ):  # fmt: skip
        with contextlib.suppress(InputError):
            way()
    status, _, error = run("merge", path.name)
    assert (status, "Traceback" in error) == (0 if tokenizer == "13a" else 2, False)
    run("score", "--statistics", path.name, "-r", "ref", "hyp")
    assert not mark.exists()
    if tokenizer == "by-comma":
        assert "it needs plugin 'hostile_plugin': install it, or name its module (--plugin, or `modules`" in error


def test_modules_that_the_user_names_are_used(folder, run):
    Path("commas_plugin2.py").write_text(PLUGIN)
    kept(run, "--plugin", "commas_plugin2.py", "--set", "tokenizer=by-comma", parts=[1])
    shard = Shard.read("1.jsonl")
    with pytest.raises(InputError, match="it needs plugin 'commas_plugin2': install it, or name its module"):
        shard.score()
    assert shard.score(["commas_plugin2.py"]) == shard.load(modules=["commas_plugin2.py"]).score(
        shard.statistics["hyp.1"]
    )


@pytest.mark.parametrize("documents", ["aabüü", "abcdü"])
def test_no_flipped_bit_is_a_traceback_or_another_number(folder, documents):
    bleu = bleukit.load("nltk", smoothing="nltk-method5")
    rows = bleu.statistics(HYPOTHESES, REFERENCES).by_document(list(documents))
    path = folder / "1.jsonl"
    Shard.of(bleu, {"a": rows, "ü": rows}, level="document").write(path)
    content, shard = path.read_bytes(), Shard.read(path)
    random = Random("jsonl")
    for _ in range(600):
        flipped = bytearray(content)
        flipped[random.randrange(len(content))] ^= 1 << random.randrange(8)
        path.write_bytes(flipped)
        with contextlib.suppress(InputError):
            assert Shard.read(path) == shard


@pytest.mark.parametrize(("level", "rows"), [("corpus", 5), ("sentence", 5), ("corpus", 0)])
def test_no_part_is_counted_twice(folder, run, level, rows):
    bleu = bleukit.load()
    shard = Shard.of(bleu, bleu.statistics(HYPOTHESES, REFERENCES)[:rows], level=level)
    bare = Shard(shard.portable, shard.level, shard.statistics)
    shard.write("1.jsonl")
    Path("2.jsonl").write_bytes(Path("1.jsonl").read_bytes())
    twice = (
        [shard, shard],
        [Shard.read("1.jsonl"), shard],
        [Shard.merged([shard]), shard],
        [bare, shard],
        [bare, bare],
    )
    for pair in twice:
        assert Shard.merged(pair, equal_parts=True).statistics[""].segments.sum() == 2 * rows
        if rows:
            with pytest.raises(InputError, match="shard 2: holds what shard 1 holds, too; if these are two parts"):
                Shard.merged(pair)
        else:
            Shard.merged(pair)  # nothing, twice
    if rows:
        status, out, error = run("merge", "1.jsonl", "2.jsonl")
        assert (status, out) == (2, "")
        assert "2.jsonl: holds what 1.jsonl holds, too" in error
        assert "10 segments" in run("merge", "--equal-parts", "1.jsonl", "2.jsonl", "--statistics", "both.jsonl")[
            1
        ] or (level == "sentence")
        assert run("merge", "both.jsonl")[0] == 0
        assert "both.jsonl: holds what 1.jsonl holds" in run("merge", "1.jsonl", "both.jsonl")[2]


def test_the_same_text_compressed_is_the_same_part(folder, run):
    Path("hyp.gz").write_bytes(gzip.compress(Path("hyp").read_bytes()))
    for name in ("hyp", "hyp.gz"):
        assert run("score", "--statistics", f"{name}.jsonl", "-r", "ref", name)[0] == 0
    assert (
        "hyp.gz.jsonl: holds what hyp.jsonl holds, too: hyp.gz, ref; if" in run("merge", "hyp.jsonl", "hyp.gz.jsonl")[2]
    )


def test_merged_systems_are_called_by_their_first_and_last_files(folder, run):
    for start, part in enumerate(("001", "002", "003")):
        for system, texts in {"ours": HYPOTHESES, "theirs": OTHERS}.items():
            Path(system).mkdir(exist_ok=True)
            Path(system, f"{part}.txt").write_text(lines(texts[start:]))
        Path(f"ref.{part}").write_text(lines(REFERENCES[start:]))
        assert run("score", "--statistics", f"{part}.jsonl", "-r", f"ref.{part}",
                   f"ours/{part}.txt", f"theirs/{part}.txt")[0] == 0  # fmt: skip
    run("merge", "001.jsonl", "002.jsonl", "--statistics", "both.jsonl")
    for files in (["001.jsonl", "002.jsonl", "003.jsonl"], ["both.jsonl", "003.jsonl"]):
        status, out, _ = run("merge", *files)
        assert status == 0
        assert "\nours/001 … ours/003    " in out
        assert "\ntheirs/001 … theirs/003  " in out
    assert '"system": "ours/001.txt … ours/003.txt"' in run("merge", *files, "--format", "json")[1]


@pytest.mark.parametrize("statistics", [["a b", "a c"], None, {"own": "a b"}, {1: None}])
def test_what_is_no_statistics_is_refused(statistics):
    with pytest.raises(InputTypeError, match="expected Statistics, or these by name, got "):
        Shard.of(bleukit.load("nltk"), statistics)


def test_units_are_named_by_texts():
    bleu = bleukit.load("nltk")
    with pytest.raises(InputTypeError, match="^statistics: expected keys that are texts, got int 7$"):
        Shard.of(bleu, bleu.statistics(["a"], ["a"]).with_keys([7]), level="sentence")


def test_no_shards_are_not_merged():
    with pytest.raises(InputError, match="no shard to merge"):
        Shard.merged([])


def unsmoothed(counts):
    return [1.0] * len(counts.matches)


@pytest.mark.parametrize(
    ("keys", "name"),
    [
        ({"tokenizer": str.split}, "builtins.str.split"),
        ({"sentence": {"smoothing": unsmoothed}}, "unsmoothed"),
        ({"smoothing": unsmoothed, "sentence": {"smoothing": "none"}}, "unsmoothed"),
    ],
)
def test_python_objects_cannot_be_kept(keys, name):
    bleu = bleukit.load(**keys)
    with pytest.raises(InputError, match=f"{name} is a Python object"):
        Shard.of(bleu, bleu.statistics(["a"], ["a"]))


def test_other_columns_of_a_table_are_other_inputs(run, tmp_path):
    (tmp_path / "t.csv").write_text("hyp,ref1,ref2\na b,a b,a c\n")
    chosen = "score", "t.csv", "--statistics", "kept.jsonl", "--reference-column"
    assert run(*chosen, "ref1")[0] == 0
    message = "kept.jsonl: holds other statistics: they are of t.csv, column 'ref1'; remove it to count again"
    assert run(*chosen, "ref2") == (2, "", f"bleukit: error: {message}\n")


def test_a_file_that_changes_while_it_is_counted_is_no_source(folder, run, monkeypatch):
    count = counting._named

    def change(*counted):
        Path("hyp").write_text(lines(OTHERS))
        return count(*counted)

    monkeypatch.setattr(counting, "_named", change)
    error = "bleukit: error: hyp: changed while it was read\n"
    assert run("score", "--statistics", "kept.jsonl", "-r", "ref", "hyp") == (2, "", error)
    assert not Path("kept.jsonl").exists()
