"""What of a text ``bleukit score`` scores: some segments, one reference, exchanged sides, texts without something."""

import json
import string

import pytest
import sacrebleu

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
    "--segments 2-3": score(HYPOTHESES[1:], FIRST[1:], SECOND[1:]),
    "--segments 1-1": score(HYPOTHESES[:1], FIRST[:1], SECOND[:1]),
    "--over-references first": score(HYPOTHESES, FIRST),
    "--over-references pooled": score(HYPOTHESES * 2, [*FIRST, *SECOND]),
    "--over-references mean": (score(HYPOTHESES, FIRST) + score(HYPOTHESES, SECOND)) / 2,
    "--over-references max": max(score(HYPOTHESES, FIRST), score(HYPOTHESES, SECOND)),
    "--segments 1-2 --over-references mean": (score(HYPOTHESES[:2], FIRST[:2]) + score(HYPOTHESES[:2], SECOND[:2])) / 2,
    "--over-references first --swap": score(FIRST, HYPOTHESES),
    "--remove punctuation": score(*map(without_punctuation, (HYPOTHESES, FIRST, SECOND))),
    "--over-references first --swap --segments 1-2": score(FIRST[:2], HYPOTHESES[:2]),
}


@pytest.mark.parametrize("options", ARRANGED)
def test_what_is_chosen_is_scored_and_in_the_signature(run, files, options):
    status, out, err = run("score", *options.split(), *files, "--format", "json")
    assert (status, err) == (0, "")
    (system,) = json.loads(out)["systems"]
    assert system["score"] == pytest.approx(ARRANGED[options])
    words = options.replace("--swap", "swap yes").replace("--", "").replace("-references", "_references").split()
    for key, value in zip(words[::2], words[1::2], strict=True):
        assert f"|{key}:{value}" in system["signature"]


def test_a_signature_does_not_change_without_them(run, files):
    whole = json.loads(run("score", *files, "--format", "json")[1])["signature"]
    assert not any(f"|{key}:" in whole for key in ("segments", "swap", "remove", "over_references"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--segments 4-9", "--segments: the text has 3 segments"),
        ("--segments 3-2", "expected the first and the last number"),
        ("--segments 0-2", "expected the first and the last number"),
        ("--swap", "--swap needs one system and one reference"),
        ("--over-references mean --confidence", "--over-references mean has no intervals"),
        ("--over-references max -o scores.csv", "--over-references max is printed as text or as JSON"),
        ("--swap --statistics kept", "do not go with --statistics"),
        ("--over-references mean -V nltk -V coco", "--over-references mean takes one metric or variant, not several"),
    ],
)
def test_what_cannot_be_scored_so_is_refused(run, files, options, message):
    status, out, err = run("score", *options.split(), *files)
    assert (status, out) == (2, "")
    assert message in err


def test_scores_by_each_reference_are_joined_at_each_level(run, files, tmp_path):
    means, best = ([f(pair) for pair in zip(*BY_SENTENCE, strict=True)] for f in (lambda pair: sum(pair) / 2, max))
    _, out, _ = run("score", "--over-references", "mean", "--level", "sentence", *files, "--format", "json")
    (system,) = json.loads(out)["systems"]
    assert [unit["score"] for unit in system["sentences"]] == pytest.approx(means)
    _, out, _ = run("score", "--over-references", "max", "--level", "sentence", *files, "-q")
    assert list(map(float, out.split())) == pytest.approx(best)
    macro = ["--set", "average=macro", "--set", "effective_order=true", "--over-references", "max"]
    assert float(run("score", *macro, *files, "-q", "-w", "9")[1]) == pytest.approx(sum(best) / 3)
    (tmp_path / "documents").write_text("a\nb\nb\n")
    _, out, _ = run("score", *macro, "--documents", "documents", *files, "-q")
    assert list(map(float, out.split())) == pytest.approx([best[0], sum(best[1:]) / 2])


def test_the_table_shows_the_score_by_each_reference(run, files):
    first, second = (score(HYPOTHESES, one) for one in (FIRST, SECOND))
    head, row, _, note, signature = run("score", "--over-references", "mean", *files)[1].splitlines()
    assert head.split() == ["system", "BLEU", "reference", "1", "reference", "2"]
    assert row.split() == ["hyp", *(f"{value:.2f}" for value in ((first + second) / 2, first, second))]
    assert note == "sacrebleu, 3 segments, mean over references"
    assert signature.startswith("signature variant:sacrebleu|references:1|")
    assert signature.endswith("|over_references:mean")


def test_the_lines_of_sentences_have_a_column_for_each_system(run, files):
    words = ["score", "--over-references", "max", "--level", "sentence", *files, "one"]
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
    status, out, err = run("score", "--over-references", "mean", "rows.jsonl")
    assert (status, out) == (2, "")
    assert "segments differ in the number of references" in err


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ("--segments 1-2", "segments:1-2"),
        ("--remove punctuation", "remove:punctuation"),
        ("--over-references mean", "over_references:mean"),
        ("--over-references first --swap", "over_references:first, swap:yes"),
    ],
)
def test_a_signature_of_some_of_the_text_says_that_options_choose_it(run, files, options, field):
    (system,) = json.loads(run("score", *options.split(), *files, "--format", "json")[1])["systems"]
    given = system["signature"].replace("references:1|", "references:2|")
    status, out, err = run("score", "--signature", given, *files, "-q", "-w", "9")
    assert (status, float(out)) == (0, pytest.approx(score(HYPOTHESES, FIRST, SECOND)))
    assert f"{field} is of the text, and chosen by options of these names" in " ".join(err.split())
    again = run("score", "--signature", system["signature"], *options.split(), *files, "--format", "json")
    assert (again[0], again[2]) == (0, "")
    assert json.loads(again[1])["systems"][0]["score"] == system["score"]
