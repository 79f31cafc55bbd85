"""``bleukit compare``, and the intervals of ``bleukit score``."""

import csv
import io
import json
import random
import shutil
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU

import bleukit
from bleukit.cli import printing

EXAMPLES = Path(__file__).parents[2] / "examples"
SIGNATURE = "nrefs:1|{}|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"


@pytest.fixture
def files(tmp_path):
    """Three systems of 40 segments: the second near the first, the third far away."""
    chance = random.Random(1)
    words = ["the", "a", "cat", "dog", "sat", "on", "mat", "was", "quick", "brown", "fox", "jumps"]
    references = [[chance.choice(words) for _ in range(12)] for _ in range(40)]

    def write(name, lines):
        (tmp_path / name).write_text("".join(f"{' '.join(line)}\n" for line in lines))

    def noisy(noise):
        return [[chance.choice(words) if chance.random() < noise else word for word in line] for line in references]

    write("ref.txt", references)
    for name, noise in (("en-de.first.txt", 0.2), ("en-de.second.txt", 0.22), ("en-de.third.txt", 0.8)):
        write(name, noisy(noise))
    write("documents.txt", [[f"document{segment // 4}"] for segment in range(40)])
    write("labels.txt", [["news" if segment < 10 else "speech"] for segment in range(40)])
    return tmp_path


NAMES = ["en-de.first.txt", "en-de.second.txt", "en-de.third.txt"]
COMPARE = ["compare", "-r", "ref.txt"]
FEW = ["--samples", "99", "--interval-samples", "50"]
"""Resamples, if their number does not matter."""


def printed(run, *arguments):
    status, out, err = run(*COMPARE, *arguments)
    assert (status, err) == (0, "")
    return out


@pytest.mark.usefixtures("terminal")
def test_the_table_fits_80_columns(run, files):
    shown = printed(run, *NAMES, *FEW, "--documents", "documents.txt", "--by", "document", "--detect", "1")
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    head = next(place for place, line in enumerate(lines) if line.split()[:1] == ["rank"])
    assert lines[head - 1].split() == ["95", "%"]
    assert lines[head].split() == ["rank", "range", "system", "BLEU", "interval", "cluster"]
    assert [line.split()[2] for line in lines[head + 2 : head + 5]] == ["first", "second", "third"]  # what differs


def test_a_terminal_shows_what_a_pipe_receives_in_more_lines(run, files, monkeypatch):
    shown = []
    for width in (None, 80):
        monkeypatch.setattr(printing, "terminal_width", lambda width=width: width)
        shown.append(printed(run, *NAMES, *FEW, "--detect", "1", "-m", "bleu", "-m", "ter"))
    whole, narrow = shown
    assert "".join(whole.replace("─", "").split()) == "".join(narrow.replace("─", "").split())
    assert max(map(len, narrow.splitlines())) <= 80 < max(map(len, whole.splitlines()))


@pytest.mark.usefixtures("terminal")
def test_what_does_not_fit_is_broken_and_never_cut_off(run, files):
    long = [f"{name}{'-of-a-long-name' * 4}.txt" for name in ("first", "second")]
    for name, old in zip(long, NAMES, strict=False):
        shutil.copy(files / old, files / name)
    comparison = [*FEW, "--by", "labels.txt", "--detect", "1", "--seed", "3"]
    whole = printed(run, *long, NAMES[2], *comparison, "--format", "csv")
    shown = printed(run, *long, NAMES[2], *comparison)
    assert max(len(line) for line in shown.splitlines() if line.startswith(" ")) <= 80
    for record in csv.DictReader(io.StringIO(whole)):
        figure = f"{float(record['score']):.2f}" if record["score"] else f"{float(record['difference']):+.2f}"
        assert figure in shown
        if record["influence"]:
            assert f"{float(record['influence']):+.2f}" in shown


def test_the_help_fits_80_columns(run):
    lines = run("compare", "--help")[1].splitlines()
    assert max(map(len, lines)) <= 80


def test_json(run, files):
    found = json.loads(printed(run, *NAMES, "--format", "json", "--seed", "7", "--samples", "99"))
    assert [system["system"] for system in found["systems"]] == NAMES
    assert {"system", "score", "interval", "rank", "best_rank", "worst_rank", "cluster"} <= found["systems"][0].keys()
    assert found["systems"][0]["interval"].keys() == {"low", "high", "level"}
    assert [(pair["first"], pair["second"]) for pair in found["pairs"]] == [
        (NAMES[0], NAMES[1]),
        (NAMES[0], NAMES[2]),
        (NAMES[1], NAMES[2]),
    ]
    assert {"difference", "interval", "p_value", "adjusted_p_value"} <= found["pairs"][0].keys()
    assert (found["test"], found["samples"], found["seed"], found["resample_by"]) == ("permutation", 99, 7, "segment")
    assert found["signature"].startswith("variant:sacrebleu|references:1|")


def test_python_finds_the_same(run, files):
    texts = {name: (files / name).read_text().splitlines() for name in NAMES}
    references = (files / "ref.txt").read_text().splitlines()
    assert (
        json.loads(printed(run, *NAMES, *FEW, "--format", "json"))
        == bleukit.compare(bleukit.load(), texts, references, samples=99, interval_samples=50).to_dict()
    )


@pytest.mark.parametrize("baseline", ["en-de.second.txt", "second"])
def test_a_baseline_is_a_file_or_what_it_is_called(run, files, baseline):
    found = json.loads(printed(run, *NAMES, *FEW, "--baseline", baseline, "--format", "json"))
    assert [(pair["first"], pair["second"]) for pair in found["pairs"]] == [(NAMES[0], NAMES[1]), (NAMES[2], NAMES[1])]
    assert found["pairs"][1]["difference"] < 0


def test_several_runs(run, files):
    runs = [NAMES[2], "--system", f"ours={NAMES[0]},{NAMES[1]}", "--samples", "50"]
    found = json.loads(printed(run, *runs, "--format", "json"))
    ours = found["systems"][0]
    assert (ours["system"], len(ours["runs"])) == ("ours", 2)
    assert ours["score"] == pytest.approx(sum(ours["runs"]) / 2)
    assert "s.d. of runs" in printed(run, *runs, "--format", "markdown")


def test_notes_name_systems_as_tables_do(run, files):
    out = printed(run, *NAMES[:2], "--system", f"ours={NAMES[2]},ref.txt", "--samples", "50")
    assert "note: first and second: a single run" in out


def test_evaluation_sets_know_their_documents(run, tmp_path):
    arguments = ["-r", EXAMPLES / "reference.sgm", EXAMPLES / "systems.sgm", "--format", "json"]
    status, out, err = run("compare", *arguments, "--resample-by", "document", "--by", "document")
    found = json.loads(out)
    assert (status, err, found["units"], found["segments"]) == (0, "", 3, 6)
    assert [group["group"] for group in found["groups"]] == ["travel", "letters", "economy"]
    shares = [group["pairs"][0]["influence"] for group in found["groups"]]
    assert sum(shares) == pytest.approx(found["pairs"][0]["difference"])
    by_default = json.loads(run("compare", *arguments)[1])
    assert (by_default["resample_by"], by_default["units"]) == ("document", 3)


@pytest.fixture
def folders(files):
    """The same systems on two test sets, each in its folder; and as one table, whose rows name the test set."""
    lines = {name: (files / name).read_text().splitlines() for name in [*NAMES, "ref.txt", "documents.txt"]}
    for folder, part in (("news", slice(10)), ("web", slice(10, None))):
        (files / folder).mkdir()
        for name, all_lines in lines.items():
            (files / folder / name).write_text("".join(f"{line}\n" for line in all_lines[part]))
    columns = [*(lines[name] for name in NAMES), lines["ref.txt"], ["news"] * 10 + ["web"] * 30]
    rows = ["one\ttwo\tthree\tref\tdomain", *map("\t".join, zip(*columns, strict=True))]
    (files / "all.tsv").write_text("".join(f"{row}\n" for row in rows))
    return ["--test-set", "news=news", "--test-set", "web=web/"]


def test_test_sets_of_folders_are_compared_alone_and_together(run, files, folders):
    documents = ["--documents", "documents.txt", "--resample-by", "segment"]
    found = json.loads(printed(run, *NAMES, *FEW, *folders, *documents, "--format", "json"))
    texts = {name: (files / name).read_text().splitlines() for name in NAMES}
    references = (files / "ref.txt").read_text().splitlines()
    labels = (files / "documents.txt").read_text().splitlines()
    sets, few = ["news"] * 10 + ["web"] * 30, {"samples": 99, "interval_samples": 50}
    expected = bleukit.compare(
        "sacrebleu", texts, references, test_sets=sets, documents=labels, resample_by="segment", **few
    )
    assert found == expected.to_dict()


def test_test_sets_of_a_column_are_those_of_folders(run, files, folders):
    names = {"one": NAMES[0], "two": NAMES[1], "three": NAMES[2]}
    columns = [f"--hypothesis-column={name}" for name in names]
    asked = ["compare", "all.tsv", *columns, "--test-set-column", "domain"]
    status, out, err = run(*asked, *FEW, "--format", "json")
    assert (status, err) == (0, "")
    found, expected = json.loads(out), json.loads(printed(run, *NAMES, *FEW, *folders, "--format", "json"))
    for one, other in zip([found, *found["groups"]], [expected, *expected["groups"]], strict=True):
        assert [names[system["system"]] for system in one["systems"]] == [
            system["system"] for system in other["systems"]
        ]
        p_values = ([pair["adjusted_p_value"] for pair in each["pairs"]] for each in (one, other))
        assert next(p_values) == next(p_values)


@pytest.mark.usefixtures("terminal")
def test_the_tables_of_test_sets_fit_80_columns(run, files, folders):
    lines = printed(run, *NAMES, *FEW, *folders).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("by test set" in line for line in lines) == 3


def test_test_sets_are_aligned_by_the_names_of_systems(run, files):
    for folder, systems in (("news", "AB"), ("web", "BA")):
        (files / folder).mkdir()
        rows = [
            f"{system}\ta {system} cat sat here {row}\ta cat sat here {row}" for row in range(3) for system in systems
        ]
        (files / folder / "all.tsv").write_text("system\thyp\tref\n" + "".join(f"{row}\n" for row in rows))
    status, out, err = run("compare", "all.tsv", "--test-set", "news=news", "--test-set", "web=web", "--format", "json")
    assert (status, err) == (0, "")
    assert json.loads(out)["pairs"][0]["difference"] == 0
    text = (files / "web/all.tsv").read_text().replace("B\t", "C\t")
    (files / "web/all.tsv").write_text(text)
    status, out, err = run("compare", "all.tsv", "--test-set", "news=news", "--test-set", "web=web")
    assert (status, out) == (2, "")
    assert "test set web: holds the systems C, A; the first test set holds A, B" in err


def test_documents_of_test_sets_are_joined_apart(run, files, folders):
    text = (files / "web/documents.txt").read_text()
    (files / "web/documents.txt").write_text(text.replace("document5", "document0"))
    asked = [*NAMES, *folders, "--documents", "documents.txt", "-V", "d-bleu", "--format", "json"]
    groups = json.loads(printed(run, *asked))["groups"]
    assert [(group["group"], group["segments"]) for group in groups] == [("news", 3), ("web", 8)]


def test_labels_of_a_file(run, files):
    found = json.loads(printed(run, *NAMES, *FEW, "--by", "labels.txt", "--format", "json"))
    assert [(group["group"], group["segments"]) for group in found["groups"]] == [("news", 10), ("speech", 30)]


def test_delta_adds_up_moments_as_it_reads(run, files, monkeypatch):
    whole = json.loads(printed(run, *NAMES, "--test", "delta", "--format", "json"))
    monkeypatch.setattr("bleukit.reading.aligned_files.ROWS", 7)
    parts = json.loads(printed(run, *NAMES, "--test", "delta", "--format", "json"))
    for one, other in zip(whole["pairs"], parts["pairs"], strict=True):
        assert one["p_value"] == pytest.approx(other["p_value"])
    assert whole["units"] == parts["units"] == 40


@pytest.mark.parametrize("grouped", [[], ["--by", "labels.txt"], ["--by", "length"], ["--documents", "documents.txt"]])
def test_delta_finds_what_python_finds(run, files, grouped):
    texts = {name: (files / name).read_text().splitlines() for name in [*NAMES, "ref.txt"]}
    how = {option.removeprefix("--"): value for option, value in zip(grouped[::2], grouped[1::2], strict=True)}
    how = {key: (files / path).read_text().splitlines() if "." in path else path for key, path in how.items()}
    references = texts.pop("ref.txt")
    expected = bleukit.compare("sacrebleu", texts, references, test="delta", **how).to_dict()
    found = json.loads(printed(run, *NAMES, "--test", "delta", *grouped, "--format", "json"))
    assert found.keys() == expected.keys()
    assert [group["group"] for group in found.get("groups", [])] == [
        group["group"] for group in expected.get("groups", [])
    ]
    for one, other in zip(found["pairs"], expected["pairs"], strict=True):
        assert one["p_value"] == pytest.approx(other["p_value"])


def test_without_resamples_there_are_no_intervals(run, files):
    few = ["--samples", "99", "--interval-samples", "0"]
    found = json.loads(printed(run, *NAMES, *few, "--format", "json"))
    assert {system["interval"] for system in found["systems"]} == {None}
    shown = printed(run, *NAMES, *few)
    assert "interval " not in shown
    assert "procedure test:permutation|samples:99|intervals:0|" in shown


REMARKS = {
    "whole documents are resampled": "",
    "no interval of a difference if": "TER",
    "the lower score is the better one": "TER",
    "people agree:": "BLEU",
    "a test set like this one detects": "BLEU chrF2 TER",
    "segments like these are needed": "BLEU chrF2 TER",
}
"""What is said below the tables of three metrics, and the metrics that it is about; of all, none is named."""


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_what_is_said_of_several_metrics_names_them(run, files, form):
    asked = [*NAMES, *FEW, *(f"-m{name}" for name in ("bleu", "chrf", "ter")), "--detect", "1"]
    out = printed(run, *asked, "--documents", "documents.txt", "--format", form)
    lines = [line.removeprefix("% ") for line in out.splitlines() if line.strip()]
    for metric in ("BLEU", "chrF2", "TER"):
        assert f"{metric}: first and second cannot be told apart (adjusted p = " in out
    for remark, metrics in REMARKS.items():
        found = [line for line in lines if remark in line]
        ends = [f" ({metric})" for metric in metrics.split()] or [" are known"]
        assert [line.endswith(end) for line, end in zip(found, ends, strict=True)] == [True] * len(ends)
    notes = [line for line in lines if any(remark in line for remark in [*REMARKS][:3])]
    assert {line.startswith("note: ") for line in notes} == {form == "text"}
    assert [line.split()[0] for line in lines[-4:]] == ["procedure", *["signature"] * 3]


def test_csv_has_a_record_a_system_and_a_pair(run, files):
    records = list(csv.DictReader(io.StringIO(printed(run, *NAMES, *FEW, "--by", "labels.txt", "--format", "csv"))))
    assert [(record["record"], record["group"]) for record in records] == [
        (record, group) for group in ("", "news", "speech") for record in ["system"] * 3 + ["pair"] * 3
    ]
    assert float(records[0]["score"]) > float(records[1]["score"])
    assert records[3]["procedure"].startswith("test:permutation|samples:99|")


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "json"])
def test_one_system_is_scored_alone(run, files, form):
    shown = printed(run, NAMES[0], *FEW, "--format", form)
    assert "first" in shown
    assert "against" not in shown


def test_markdown_and_latex(run, files):
    markdown = printed(run, *NAMES, *FEW, "--format", "markdown", "--width", "1")
    verdict, table = markdown.split("\n\n")[:2]
    assert verdict.endswith("; second is better than third on 40 segments (adjusted p = 0.0300).")
    assert table.startswith(
        "| rank | range | system | BLEU | 95 % interval | cluster |\n| ---: | ---: | --- | ---: | ---: | ---: |\n| 1 | "
    )
    shutil.copy(files / NAMES[0], files / "a_b%.txt")
    latex = printed(run, "a_b%.txt", NAMES[1], *FEW, "--format", "latex")
    assert latex.splitlines()[0] == r"% needs \usepackage{booktabs}"
    assert r"\begin{tabular}{rrlrrr}" in latex
    assert r"a\_b\% & " in latex


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([NAMES[0], NAMES[0]], "the system 'en-de.first.txt' is given twice"),
        ([*NAMES, "--baseline", "fourth"], "baseline: unknown system 'fourth'; known: en-de.first.txt, "),
        ([*NAMES, "--by", "missing.txt"], "missing.txt: no such file"),
        ([*NAMES, "--by", "labels.txt", "--limit", "segments=39"], "labels.txt has more than 39 segments, the limit "),
        ([*NAMES, "--by", "labels.txt", "--limit", "text=99"], "labels.txt has more than 99 characters, the limit "),
        ([*NAMES, "--by", "short.txt"], "short.txt: has 1 label for 40 segments"),
        ([*NAMES, "short.txt"], "short.txt has 1 line, en-de.first.txt has 40 lines: line N of every file must "),
        ([*NAMES, "--system", "x=", "ref.txt"], "Invalid value for '--system': 'x=': expected NAME=FILE,FILE"),
        ([*NAMES, "--test-set", "wmt21"], "Invalid value for '--test-set': 'wmt21': expected NAME=FOLDER"),
        (
            [*NAMES, "--test-set", "x=here", "--test-set", "x=there"],
            "Invalid value for '--test-set': 'x' is given twice",
        ),
        ([*NAMES, "--test-set", "x=here"], "here/en-de.first.txt: no such file"),
        ([*NAMES, "--test-set", "x=.", "--test-set-column", "y"], "give --test-set or --test-set-column, not both"),
        ([*NAMES, "--test-set", "x=.", "-V", "nltk", "-V", "coco"], "--test-set takes one variant, not several"),
        ([*NAMES, "--test", "delta", "--samples", "9"], "samples: not used by the test 'delta'"),
        ([*NAMES, "--set", "smoothing=nltk-method5"], "smoothing 'nltk-method5' looks at the last segment of a text"),
        ([], "give systems to compare: files, or --system NAME=FILE,FILE"),
    ],
)
def test_wrong_input_is_one_clear_error(run, files, arguments, message):
    (files / "short.txt").write_text("one\n")
    status, out, err = run(*COMPARE, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"bleukit: error: {message}")


# sacreBLEU's signatures


@pytest.mark.parametrize(
    ("fields", "procedure"),
    [
        ("bs:50|seed:7", "test:sacrebleu-bs|samples:50|seed:7|"),
        ("ar:60|seed:7", "test:sacrebleu-ar|samples:60|intervals:0|seed:7|"),
        ("ar:60|bs:50|seed:7", "test:sacrebleu-ar|samples:60|intervals:50|seed:7|"),
    ],
)
def test_a_signature_says_how_to_compare(run, files, fields, procedure):
    assert f"\nprocedure {procedure}" in printed(run, *NAMES, "--signature", SIGNATURE.format(fields))


def test_a_signature_without_a_seed_cannot_be_repeated(run, files):
    status, out, err = run("score", "-r", "ref.txt", NAMES[0], "--signature", SIGNATURE.format("bs:50|seed:none"))
    assert (status, "interval" in out) == (0, False)
    assert "its intervals and tests had no seed, and cannot be repeated" in err


@pytest.mark.parametrize("fields", ["bs:0|seed:1", "bs:x|seed:1", "ar:-1|seed:1", "bs:9|seed:x"])
def test_a_wrong_number_in_a_signature(run, files, fields):
    status, _, err = run(*COMPARE, *NAMES, "--signature", SIGNATURE.format(fields))
    assert status == 2
    assert ": expected a whole number, got " in err


# Scores with intervals


def test_the_interval_of_a_score(run, files):
    status, out, err = run("score", "--confidence", "-r", "ref.txt", NAMES[0], "--format", "json")
    alone = json.loads(printed(run, NAMES[0], "--test", "bootstrap", "--format", "json"))["systems"][0]
    assert (status, err, json.loads(out)["systems"][0]["interval"]) == (0, "", alone["interval"])
    text = run("score", "--confidence", "-r", "ref.txt", *NAMES)[1]
    assert f"{alone['interval']['low']:.2f}–{alone['interval']['high']:.2f}" in text
    assert "95 % intervals: bootstrap, 1,000 resamples of 40 segments, seed 12345" in text


def test_the_interval_of_a_score_by_documents(run, files):
    def interval(*arguments):
        out = run("score", "--confidence", "-r", "ref.txt", NAMES[0], "--format", "json", *arguments)[1]
        return json.loads(out)["systems"][0]["interval"]

    documents = ["--documents", "documents.txt"]
    compared = json.loads(printed(run, NAMES[0], "--test", "bootstrap", "--format", "json", *documents))
    assert compared["units"] == 10
    assert (
        interval(*documents) == interval(*documents, "--resample-by", "document") == compared["systems"][0]["interval"]
    )
    assert interval(*documents, "--resample-by", "segment") == interval()
    status, _, err = run("score", "--resample-by", "segment", "-r", "ref.txt", NAMES[0])
    assert (status, err.split("; ")[0]) == (2, "bleukit: error: --resample-by is for the intervals of --confidence")


def test_a_signature_gives_the_interval_of_sacrebleu(run, files, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    hypotheses, references = ((files / name).read_text().splitlines() for name in (NAMES[0], "ref.txt"))
    metric = BLEU()
    theirs = metric.corpus_score(hypotheses, [references], n_bootstrap=50)
    signature = str(metric.get_signature())
    out = run("score", "-r", "ref.txt", NAMES[0], "--signature", signature, "--format", "json")[1]
    found = json.loads(out)["systems"][0]
    assert (found["mean"], found["half_width"]) == pytest.approx((theirs._mean, theirs._ci), abs=1e-5)
    heads, shown = (
        run("score", "-r", "ref.txt", NAMES[0], *how)[1] for how in (["--confidence"], ["--signature", signature])
    )
    assert "±" not in heads
    _, score, _, *mean = shown.splitlines()[-5].split()[:6]
    assert [score, *mean] == [f"{theirs.score:.2f}", f"{theirs._mean:.2f}", "±", f"{theirs._ci:.2f}"]


def test_intervals_are_of_the_corpus(run, files):
    status, _, err = run("score", "--confidence", "--level", "sentence", "-r", "ref.txt", NAMES[0])
    assert status == 2
    assert err.startswith("bleukit: error: only the score of the corpus has intervals: leave out --level; see ")
