"""What of a text ``bleukit score`` scores: some segments, one reference, exchanged sides, texts without something."""

import csv
import json
import string

import pytest
import sacrebleu

import bleukit
from bleukit.corpus.procedure import ProcedureKeys

HYPOTHESES = ["The cat sat on the mat.", "It was late, too late.", "Dogs bark, cats do not bark at dogs."]
FIRST = ["The cat sat on a mat.", "It was too late, far too late.", "Dogs bark; cats do not bark at dogs."]
SECOND = ["A cat was on the mat.", "It was late.", "Dogs bark, and cats do not."]


@pytest.fixture
def files(tmp_path):
    for name, texts in {"hyp": HYPOTHESES, "one": FIRST, "two": SECOND}.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    return ["-r", "one", "-r", "two", "hyp"]


def score(hypotheses, *references):
    return sacrebleu.BLEU().corpus_score(hypotheses, list(references)).score


def without_punctuation(texts):
    return [text.translate(str.maketrans("", "", string.punctuation)) for text in texts]


def sentences(metric, hypotheses, references):
    return [metric.sentence_score(text, [one]).score for text, one in zip(hypotheses, references, strict=True)]


BY_SENTENCE = [sentences(sacrebleu.BLEU(effective_order=True), HYPOTHESES, one) for one in (FIRST, SECOND)]
ARRANGED = {
    "segments=2-3": score(HYPOTHESES[1:], FIRST[1:], SECOND[1:]),
    "segments=1": score(HYPOTHESES[:1], FIRST[:1], SECOND[:1]),
    "reference=1": score(HYPOTHESES, FIRST),
    "over_references=pooled": score(HYPOTHESES * 2, [*FIRST, *SECOND]),
    "over_references=mean": (score(HYPOTHESES, FIRST) + score(HYPOTHESES, SECOND)) / 2,
    "over_references=max": max(score(HYPOTHESES, FIRST), score(HYPOTHESES, SECOND)),
    "segments=1-2 over_references=mean": (score(HYPOTHESES[:2], FIRST[:2]) + score(HYPOTHESES[:2], SECOND[:2])) / 2,
    "reference=1 swap=true": score(FIRST, HYPOTHESES),
    "remove=punctuation": score(*map(without_punctuation, (HYPOTHESES, FIRST, SECOND))),
    "segments=1-2 reference=1 swap=true": score(FIRST[:2], HYPOTHESES[:2]),
    "text=joined": score(*([" ".join(texts)] for texts in (HYPOTHESES, FIRST, SECOND))),
    "shift=1": score(HYPOTHESES[:2], FIRST[1:], SECOND[1:]),
    "units=2": (score(HYPOTHESES[:2], FIRST[:2], SECOND[:2]) + score(HYPOTHESES[2:], FIRST[2:], SECOND[2:])) / 2,
    "reference=1 over_units=median": sorted(BY_SENTENCE[0])[1],
}


def settings(keys):
    return [word for key in keys.split() for word in ("--set", f"procedure.{key}")]


@pytest.mark.parametrize("keys", ARRANGED)
def test_what_is_chosen_is_scored_and_in_the_signature(run, files, keys):
    status, out, err = run("score", *settings(keys), *files, "--format", "json")
    assert (status, err) == (0, "")
    (system,) = json.loads(out)["systems"]
    assert system["score"] == pytest.approx(ARRANGED[keys])
    for field in keys.replace("=true", "=yes").replace("segments=1 ", "segments=1-1 ").replace("=", ":").split():
        assert f"|{field}" in system["signature"]


def test_a_variant_file_says_what_is_done_and_settings_override_it(run, files, tmp_path):
    (tmp_path / "own.yaml").write_text("variant: sacrebleu\nprocedure:\n  reference: 2\n  segments: 1-2\n")
    references = list(map(list, zip(FIRST, SECOND, strict=True)))
    expected = score(HYPOTHESES[:2], SECOND[:2])
    for chosen in (["-c", "own.yaml"], ["-V", "own.yaml"]):
        assert float(run("score", *chosen, *files, "-q", "-w", "9")[1]) == pytest.approx(expected)
    assert bleukit.reproduce(tmp_path / "own.yaml", HYPOTHESES, references) == pytest.approx(expected)
    _, out, _ = run("score", "-c", "own.yaml", *settings("reference=1"), *files, "-q", "-w", "9")
    assert float(out) == pytest.approx(score(HYPOTHESES[:2], FIRST[:2]))
    with pytest.raises(bleukit.VariantError, match=r"own.yaml:2: procedure: .*bleukit\.reproduce"):
        bleukit.load(tmp_path / "own.yaml")
    assert "procedure: unknown key" in run("compare", "-c", "own.yaml", *files, "one")[2]
    (tmp_path / "own.yaml").write_text("procedure:\n  remove: punctuation\n  swap: perhaps\n")
    assert (
        "own.yaml:3: procedure.swap: expected true or false, got str 'perhaps'"
        in run("score", "-c", "own.yaml", *files)[2]
    )


def test_several_metrics_obey_it(run, files, tmp_path):
    chosen = ["-m", "bleu", "-m", "chrf", *settings("over_references=mean"), "--level", "sentence"]
    status, _, err = run("score", *chosen, *files, "-o", "scores.csv")
    assert (status, err) == (0, "")
    rows = list(csv.DictReader((tmp_path / "scores.csv").read_text().splitlines()))
    assert [float(row["BLEU"]) for row in rows] == pytest.approx(
        [sum(pair) / 2 for pair in zip(*BY_SENTENCE, strict=True)]
    )
    by_each = [sentences(sacrebleu.CHRF(), HYPOTHESES, one) for one in (FIRST, SECOND)]
    assert [float(row["chrF2"]) for row in rows] == pytest.approx(
        [sum(pair) / 2 for pair in zip(*by_each, strict=True)]
    )


@pytest.mark.parametrize(
    ("text", "kept"), [("«Ja» – “nein”… don’t!", "Ja  nein dont"), ("5 € ± 3 $ + 1", "5 € ± 3   1")]
)
def test_punctuation_is_that_of_unicode_and_of_string(text, kept):
    assert bleukit.reproduce("nltk", [text], [[kept]], remove="punctuation", tokenizer="char", weights=1) == 1


def test_a_signature_does_not_change_without_them(run, files):
    whole = json.loads(run("score", *files, "--format", "json")[1])["signature"]
    assert not any(f"|{key}:" in whole for key in ProcedureKeys.__struct_fields__)


@pytest.mark.parametrize(
    ("keys", "options", "message"),
    [
        ("segments=4-9", "", "procedure.segments: the text has 3 segments"),
        ("segments=3-2", "", "procedure.segments: expected a whole number of at least 1, or the first and the last"),
        ("segments=0", "", "procedure.segments: expected a whole number"),
        ("swop=true", "", "procedure.swop: unknown key; did you mean 'swap'"),
        (
            "text=words",
            "",
            "procedure.text: expected characters, characters of references, first hypothesis, joined or",
        ),
        (
            "reference=1 over_references=mean",
            "",
            "procedure.reference: cannot be combined with procedure.over_references",
        ),
        ("reference=3", "", "a segment has no reference 3"),
        ("swap=true", "", "procedure.swap: hypotheses and references can be exchanged only if each has one reference"),
        ("swap=true reference=1", "one", "procedure.swap needs one system"),
        ("over_references=mean", "--confidence", "procedure.over_references has no intervals"),
        ("swap=true", "--statistics kept", "procedure.swap does not go with --statistics"),
        ("shift=1", "--engine spark", "procedure.shift does not go with --engine"),
        ("remove=subwords", "-V d-bleu --documents one", "procedure.remove does not go with a variant of documents"),
        ("units=2", "--level sentence", "procedure.units is of the score of a corpus, not of a sentence"),
        ("units=documents", "", "procedure.units: the document of each segment is not known"),
        ("mean=harmonic", "-m chrf", "procedure.mean is for BLEU alone, not for chrF2"),
    ],
)
def test_what_cannot_be_scored_so_is_refused(run, files, keys, options, message):
    status, out, err = run("score", *settings(keys), *files, *options.split())
    assert (status, out) == (2, "")
    assert message in " ".join(err.split())


def test_scores_by_each_reference_are_joined_at_each_level(run, files, tmp_path):
    means, best = ([f(pair) for pair in zip(*BY_SENTENCE, strict=True)] for f in (lambda pair: sum(pair) / 2, max))
    _, out, _ = run("score", *settings("over_references=mean"), "--level", "sentence", *files, "--format", "json")
    (system,) = json.loads(out)["systems"]
    assert [unit["score"] for unit in system["sentences"]] == pytest.approx(means)
    _, out, _ = run("score", *settings("over_references=max"), "--level", "sentence", *files, "-q")
    assert list(map(float, out.split())) == pytest.approx(best)
    macro = ["--set", "average=macro", "--set", "effective_order=true", *settings("over_references=max")]
    assert float(run("score", *macro, *files, "-q", "-w", "9")[1]) == pytest.approx(sum(best) / 3)
    (tmp_path / "documents").write_text("a\nb\nb\n")
    _, out, _ = run("score", *macro, "--documents", "documents", *files, "-q")
    assert list(map(float, out.split())) == pytest.approx([best[0], sum(best[1:]) / 2])


def test_the_table_shows_the_score_that_is_made(run, files):
    head, row, _, signature = run("score", *settings("over_references=mean"), *files)[1].splitlines()
    assert head.split() == ["system", "BLEU"]
    assert row.split() == ["hyp", f"{ARRANGED['over_references=mean']:.2f}"]
    assert signature.startswith("signature variant:sacrebleu|references:1|")
    assert signature.endswith("|over_references:mean")


def test_the_lines_of_sentences_have_a_column_for_each_system(run, files):
    words = ["score", *settings("over_references=max"), "--level", "sentence", *files, "one"]
    head, *lines, _ = (line.split("\t") for line in run(*words)[1].splitlines())
    assert head == ["sentence", "hyp", "one"]
    assert [line[0] for line in lines] == ["1", "2", "3"]
    best = [max(pair) for pair in zip(*BY_SENTENCE, strict=True)]
    assert [float(line[1]) for line in lines] == pytest.approx(best)
    assert [float(line[2]) for line in lines] == pytest.approx([100] * 3)


def test_references_that_differ_in_number_have_no_mean(run, tmp_path):
    (tmp_path / "rows.jsonl").write_text(
        '{"hypothesis": "a b", "references": ["a b", "b"]}\n{"hypothesis": "a", "references": ["a"]}\n'
    )
    status, out, err = run("score", *settings("over_references=mean"), "rows.jsonl")
    assert (status, out) == (2, "")
    assert "segments differ in the number of references" in err


@pytest.mark.parametrize(
    ("keys", "field"),
    [
        ("segments=2", "segments:1-2"),
        ("remove=punctuation", "remove:punctuation"),
        ("over_references=mean", "over_references:mean"),
        ("reference=1 swap=true", "reference:1, swap:yes"),
    ],
)
def test_a_signature_of_some_of_the_text_says_that_options_choose_it(run, files, keys, field):
    (system,) = json.loads(run("score", *settings(keys), *files, "--format", "json")[1])["systems"]
    given = system["signature"].replace("references:1|", "references:2|")
    status, out, err = run("score", "--signature", given, *files, "-q", "-w", "9")
    assert (status, float(out)) == (0, pytest.approx(score(HYPOTHESES, FIRST, SECOND)))
    assert f"{field} is of the text, and chosen by --set procedure.KEY" in " ".join(err.split())
    again = run("score", "--signature", system["signature"], *settings(keys), *files, "--format", "json")
    assert (again[0], again[2]) == (0, "")
    assert json.loads(again[1])["systems"][0]["score"] == system["score"]
