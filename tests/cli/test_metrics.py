"""``bleukit score -m``: a column for each metric, whose scores are those of sacreBLEU."""

import csv
import json
from itertools import chain
from pathlib import Path

import pytest
from printed import printed
from sacrebleu.metrics import BLEU, CHRF, TER

import bleukit
from bleukit.bleu.scoring import rounded
from bleukit.cli import counting
from bleukit.cli.metric_options import MetricOptions
from bleukit.tables.columns import Column

HYPOTHESES = {"one": ["the cat sat", "", "Hello (world)!"], "two": ["a cat is here", "x", "hello world"]}
REFERENCES = [["the cat sat down", "x", "hello world"], ["a cat sat", "", "Hello, world!"]]
DOCUMENTS = ["a", "b", "a"]
METRICS = ("-m", "bleu", "-m", "chrf", "-m", "{chrf: {word_order: 2, lowercase: true}}", "-m", "ter")
THEIRS = {"BLEU": BLEU(), "chrF2": CHRF(), "chrF2++": CHRF(word_order=2, lowercase=True), "TER": TER()}
FILES = ("-r", "ref1", "-r", "ref2", "one", "two")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    named = {**HYPOTHESES, "ref1": REFERENCES[0], "ref2": REFERENCES[1], "doc": DOCUMENTS}
    for name, texts in named.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    monkeypatch.chdir(tmp_path)


def corpus(name, document=None):
    chosen = [place for place, one in enumerate(DOCUMENTS) if document in (None, one)]
    texts, *references = ([texts[place] for place in chosen] for texts in (HYPOTHESES[name], *REFERENCES))
    return {metric: theirs.corpus_score(texts, references).score for metric, theirs in THEIRS.items()}


def sentence(name, place):
    theirs = {**THEIRS, "BLEU": BLEU(effective_order=True)}
    references = [texts[place] for texts in REFERENCES]
    return {metric: one.sentence_score(HYPOTHESES[name][place], references).score for metric, one in theirs.items()}


def test_text_has_a_column_for_each_metric():
    lines = printed("score", *METRICS, *FILES).splitlines()
    assert lines[0].split() == ["system", *THEIRS]
    assert [line.split() for line in lines[1:3]] == [
        [name, *(f"{score:.2f}" for score in corpus(name).values())] for name in HYPOTHESES
    ]
    metrics = [bleukit.load(), bleukit.load_metric("chrf"), bleukit.load_metric("chrf++", lowercase=True)]
    signatures = [metric.signature for metric in [*metrics, bleukit.load_metric("ter")]]
    assert lines[3:] == ["", *(f"signature {one}".replace("references:any", "references:2") for one in signatures)]


def test_json_and_tables_have_the_same_columns():
    rows = json.loads(printed("score", *METRICS, *FILES, "--format", "json"))["rows"]
    assert rows == [{"system": name, **corpus(name)} for name in HYPOTHESES]
    printed("score", *METRICS, *FILES, "-o", "scores.csv")
    with Path("scores.csv").open(newline="") as file:
        of_csv = list(csv.DictReader(file))
    assert [{name: float(row[name]) for name in THEIRS} for row in of_csv] == [corpus(name) for name in HYPOTHESES]
    assert of_csv[0]["signature_TER"].startswith("metric:ter|references:2|")


def test_documents_and_sentences():
    options = "--level", "document", "--documents", "doc", "-o", "scores.jsonl"
    printed("score", *METRICS, *options, *FILES)
    rows = list(map(json.loads, Path("scores.jsonl").read_text().splitlines()))
    assert [{name: row[name] for name in THEIRS} for row in rows] == [
        corpus(name, document) for document in ("a", "b") for name in HYPOTHESES
    ]
    lines = printed("score", *METRICS, "--level", "sentence", *FILES).splitlines()
    assert lines[0] == "\t".join(["sentence", "system", *THEIRS])
    assert [list(map(float, line.split("\t")[2:])) for line in lines[1:7]] == [
        pytest.approx([*sentence(name, place).values()], rel=1e-13) for place in range(3) for name in HYPOTHESES
    ]


@pytest.mark.parametrize(("name", "metric"), [*zip(THEIRS, METRICS[1::2], strict=True)])
def test_one_metric_has_a_column_for_each_system(name, metric):
    sentences = [[sentence(system, place)[name] for system in HYPOTHESES] for place in range(3)]
    documents = [[corpus(system, document)[name] for system in HYPOTHESES] for document in ("a", "b")]
    for options, units, scores in (
        (["--level", "sentence"], "123", sentences),
        (["--level", "document", "--documents", "doc"], "ab", documents),
    ):
        words = ["score", "-m", metric, *options, *FILES]
        head, *rows = (line.split("\t") for line in printed(*words).splitlines()[:-1])
        assert (head, [row[0] for row in rows]) == ([options[1], *HYPOTHESES], [*units])
        assert [list(map(float, row[1:])) for row in rows] == [pytest.approx(row, rel=1e-13) for row in scores]
        assert printed(*words, "-q") == "".join("\t".join(row[1:]) + "\n" for row in rows)


def test_power_reads_the_scores_of_two_systems_by_any_metric():
    Path("scores").write_text(printed("score", "-q", "--level", "sentence", "-m", "chrf++", *FILES))
    assert "segments like these are needed" in printed("power", "--detect", "1", "scores")


def test_variants_fill_the_column_of_bleu():
    lines = printed("score", "-m", "ter", "-m", "bleu", "-V", "nltk", "-q", *FILES).splitlines()
    bleu = bleukit.load("nltk").corpus(HYPOTHESES["one"], REFERENCES, references_by="set")
    assert lines[0] == f"{corpus('one')['TER']:.2f}\t{rounded(bleu.value, 4)}"
    lines = printed("score", "-m", "ter", "-m", "bleu", "-V", "nltk", "-V", "sacrebleu", *FILES).splitlines()
    assert lines[0].split() == ["system", "TER", "nltk", "sacrebleu"]


@pytest.mark.parametrize("metric", ["chrf++", "ter"])
@pytest.mark.parametrize("options", [(), ("--level", "document", "--documents", "doc"), ("--level", "sentence")])
def test_statistics_are_kept_and_merged(metric, options):
    expected = printed("score", "-m", metric, *options, *FILES)
    for _ in range(2):  # counted, then read
        assert printed("score", "-m", metric, "--statistics", "kept.jsonl", *options, *FILES) == expected
    assert printed("merge", "kept.jsonl") == expected
    for name in ("one", "two"):
        Path(name).write_text("x\ny\nz\n")
    assert "since then one, two changed" in printed(
        "score", "-m", metric, "--statistics", "kept.jsonl", *options, *FILES, status=2
    )
    if not options:
        printed("score", "-m", metric, "--statistics", "other.jsonl", *FILES)
        merged = printed("merge", "kept.jsonl", "other.jsonl", "-q", "-w", "9").split()
        texts, references = [*HYPOTHESES["one"], "x", "y", "z"], [2 * one for one in REFERENCES]
        whole = bleukit.load_metric(metric).corpus(texts, references, references_by="set")
        assert merged[0] == f"{whole.value:.9f}"


@pytest.mark.parametrize("limit", ["hypothesis_ngrams", "reference_ngrams"])
def test_more_matches_than_ngrams_are_refused(limit):
    printed("score", "-m", "chrf", "--statistics", "kept.jsonl", *FILES)
    header, row, *rows = Path("kept.jsonl").read_text().splitlines()
    header, row = (json.loads(line) for line in (header, row))
    row[limit][1] = row["matches"][1] - 1
    Path("kept.jsonl").write_text(
        "".join(f"{json.dumps(line)}\n" for line in ({**header, "sha256": ""}, row)) + "\n".join(rows)
    )
    problem = f"is damaged: matches: row 0 has {row['matches'][1]} of {row[limit][1]}"
    assert problem in printed("merge", "kept.jsonl", status=2)


@pytest.mark.parametrize(
    ("metric", "problem"),
    [
        ({"meteor": {}}, "unknown metric 'meteor'"),
        ({"chrf": {"char_orders": 6}}, "chrf.char_orders: unknown option"),
        ({"chrf": {"char_order": 0}}, "char_order and word_order are both 0"),
    ],
)
def test_statistics_of_a_metric_that_is_not_known_are_refused(metric, problem):
    printed("score", "-m", "chrf", "--statistics", "kept.jsonl", *FILES)
    header = json.loads(Path("kept.jsonl").read_text().splitlines()[0])
    Path("kept.jsonl").write_text(json.dumps({**header, "metric": metric}) + "\n")
    assert f"is of a metric that is not known here: {problem}" in printed("merge", "kept.jsonl", status=2)


def test_bleu_alone_is_what_is_scored_without_metrics():
    assert printed("score", "-m", "bleu", *FILES) == printed("score", *FILES)


SIGNATURE = bleukit.load_metric("chrf", lowercase=True).signature.replace("references:any", "references:2")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("chrf", {"char_order": 4, "word_order": 1, "beta": 3, "whitespace": True, "eps_smoothing": True}),
        ("chrf++", {"lowercase": True}),
        ("ter", {"normalized": True, "asian_support": True}),
        ("ter", {"no_punct": True, "case_sensitive": True}),
    ],
)
def test_a_signature_chooses_its_metric(name, options):
    metric = bleukit.load_metric(name, **options)
    chosen = f"{{{name}: {json.dumps(options)}}}"
    expected = printed("score", "-m", chosen, "-w", "9", *FILES)
    assert printed("score", "--signature", metric.signature, "-w", "9", *FILES) == expected
    shown = expected.splitlines()[-1]
    assert "|references:2|" in shown
    assert printed("score", "--signature", shown, "-w", "9", *FILES) == expected
    compared = [printed("compare", *how, *FILES) for how in (("-m", chosen), ("--signature", shown))]
    assert compared[0] == compared[1]


def test_a_signature_of_another_version_is_noted(run):
    status, _, message = run("score", "--signature", SIGNATURE.replace(bleukit.__version__, "0.0.1"), *FILES)
    assert status == 0
    assert f"the score may differ: here is bleukit {bleukit.__version__}, not 0.0.1" in message


@pytest.mark.parametrize("metrics", [("-m", "chrf++"), ("-m", "ter", "-m", "bleu")])
def test_what_of_the_text_is_scored(metrics):
    def scores(*options, files=FILES):
        return [line.split("\t") for line in printed("score", *metrics, *options, "-q", "-w", "9", *files).splitlines()]

    made = {"ref1-": REFERENCES[0][1:], "ref2-": REFERENCES[1][1:], "both": chain(*zip(*REFERENCES, strict=True))}
    for name, texts in HYPOTHESES.items():
        made |= {f"{name}-": texts[1:], f"{name}+": chain(*zip(texts, texts, strict=True))}
    for name, texts in made.items():
        Path(name).write_text("".join(f"{text}\n" for text in texts))

    def arranged(key, **how):
        return scores("--set", f"procedure.{key}", **how)

    assert arranged("segments=2-3") == scores(files=("-r", "ref1-", "-r", "ref2-", "one-", "two-"))
    assert arranged("reference=1") == scores(files=("-r", "ref1", "one", "two"))
    assert arranged("over_references=pooled") == scores(files=("-r", "both", "one+", "two+"))
    assert arranged("swap=true", files=("-r", "ref1", "one")) == scores(files=("-r", "one", "ref1"))
    by_each = [scores(files=("-r", reference, "one", "two")) for reference in ("ref1", "ref2")]
    expected = [[max(cells, key=float) for cells in zip(*pair, strict=True)] for pair in zip(*by_each, strict=True)]
    assert arranged("over_references=max") == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "chr"], "unknown metric 'chr'; did you mean 'chrf'"),
        (["-m", "{chrf: 2}"], "'{chrf: 2}': expected a name, or a name with options: '{chrf: {word_order: 2}}'"),
        (["-m", "{bleu: {scale: 1}}"], "bleu takes no options here: -V, -c and --set choose it"),
        (["-m", "{chrf: {order: 2}}"], "chrf.order: unknown option; "),
        (["-m", "chrf", "-m", "{chrf: {beta: 2}}"], "-m: {chrf: {beta: 2}} is given twice"),
        (["-m", "chrf", "-V", "nltk"], "-V, -c and --set choose a BLEU, and -m has none: add -m bleu"),
        (["-m", "chrf", "-m", "ter", "--statistics", "x.jsonl"], "--statistics takes one metric, not several"),
        (["-m", "chrf", "--confidence", "--statistics", "x.jsonl"], "intervals need the segments"),
        (["-m", "chrf", "--set", "procedure.swap=true"], "procedure.swap needs one system"),
        (["-m", "chrf", "--set", "scale=1"], "-V, -c and --set choose a BLEU, and -m has none: add -m bleu"),
        (["-m", "chrf", "--engine", "spark", "--documents", "ref"], "--engine spark: leave out --documents"),
        (
            ["-m", "chrf", "-m", "ter", "--engine", "spark", "--confidence"],
            "spark: leave out --documents, --confidence",
        ),
        (["-m", "chrf", "--engine", "spark", "--statistics", "x.jsonl"], "spark: leave out --documents, --confidence"),
        (["-m", "chrf", "--signature", "metric:ter"], "--signature says which metric: it cannot be combined with -m"),
        (
            ["--signature", "metric:ter|references:2"],
            "signature: case: is of no metric here: 'metric:ter|references:2'",
        ),
        (["--signature", f"{SIGNATURE}|char_order:5"], "signature: char_order: is given twice"),
        (["--signature", f"{SIGNATURE}|char_orders:5"], "signature: unknown field 'char_orders'; did you mean"),
        (["--signature", "metric:meteor"], "unknown metric 'meteor'"),
        (["--signature", SIGNATURE.replace("lower", "upper")], "signature: case: is of no metric here"),
        (
            ["--signature", SIGNATURE.replace(":2|", ":1|", 1)],
            "the signature is for 1 reference a segment",
        ),
        (["--metrics", "chrf"], "metrics are chosen by -m"),
    ],
)
def test_what_is_refused(options, message):
    assert message in printed("score", *options, *FILES, status=2)


def test_where_all_columns_are_needed_those_that_cannot_be_used_are_left_out(monkeypatch, capsys):
    columns = [Column("nltk", bleukit.load("nltk")), Column("spm", None, ["no score: a model is needed"])]
    monkeypatch.setattr(counting, "columns_of_metrics", lambda *_: columns)
    assert list(counting.usable_columns(MetricOptions(("all",)))) == ["nltk"]
    assert "left out, because something is not installed: spm\n" in capsys.readouterr().err


def test_spark_leaves_out_what_joins_documents(monkeypatch, run):
    def counted(metrics, *_):
        raise bleukit.framework.errors.InputError(f"counted by {', '.join(metrics)}")

    monkeypatch.setattr("bleukit.cli.score.counted_by_spark", counted)
    status, out, error = run("score", "--engine", "spark", "-V", "nltk", "-V", "d-bleu", "-r", "ref", "hyp")
    assert (status, out) == (2, "")
    assert "left out, because --engine spark does not join documents, as d-bleu" in error
    assert error.endswith("bleukit: error: counted by nltk\n")
    error = run("score", "--engine", "spark", "-V", "d-bleu", "-V", "d-bleu-zh", "-r", "ref", "hyp")[2]
    assert "--engine spark does not join documents, as d-bleu, d-bleu-zh" in error
