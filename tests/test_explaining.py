"""Shares of a difference add up to it, and each speaks of what really differs."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, texts

import bleukit

VARIANTS = ["matlab", "nltk", "sacrebleu", "wikipedia"]
HYPOTHESES = ["The cat (it) sat on the mat.", "It was late, too late.", "Dogs bark at cats"]
REFERENCES = [["The cat sat on the mat."], ["It was too late, far too late."], ["Dogs bark at all cats"]]


def points(variant, hypotheses=HYPOTHESES, references=REFERENCES):
    bleu = variant if isinstance(variant, bleukit.Bleu) else bleukit.load(variant)
    return bleu.corpus(hypotheses, references).value * 100 / bleu.variant.scale


@given(st.sampled_from(VARIANTS), st.sampled_from(VARIANTS), corpora(texts).filter(lambda corpus: corpus[0][0].strip()))
def test_shares_add_up_to_the_difference_of_the_scores(first, second, corpus):
    segments = [list(column) for column in zip(*corpus, strict=True)]
    explanation = bleukit.explain(first, second, *segments)
    assert explanation.scores == pytest.approx((points(first, *segments), points(second, *segments)), abs=1e-11)
    assert sum(part.points for part in explanation.parts) == pytest.approx(explanation.difference, abs=1e-11)
    there_and_back = bleukit.explain(second, first, *segments)
    assert {part.key: -part.points for part in there_and_back.parts} == pytest.approx(
        {part.key: part.points for part in explanation.parts}, abs=1e-11
    )


def test_a_single_key_has_the_whole_difference():
    lowercased = bleukit.load("nltk", lowercase=True, smoothing="nltk-method2")
    explanation = bleukit.explain(bleukit.load("nltk", smoothing="nltk-method2"), lowercased, HYPOTHESES, REFERENCES)
    (part,) = explanation.parts
    assert (part.key, part.first, part.second, part.points) == ("lowercase", False, True, explanation.difference)


def test_equal_variants_have_nothing_to_explain():
    explanation = bleukit.explain("nltk", "nltk", HYPOTHESES, REFERENCES)
    assert (explanation.difference, explanation.parts, explanation.segments) == (0, (), ())


def test_tokens_and_segments_are_those_the_tokenizer_changes():
    first = bleukit.load("wikipedia", smoothing="floor")
    explanation = bleukit.explain(first, "sacrebleu", HYPOTHESES, REFERENCES)
    assert dict(explanation.tokens[0]) == {"(it)": 1, "mat.": 1, "late,": 1, "late.": 1}
    assert dict(explanation.tokens[1]).items() >= {".": 2, "late": 2}.items()
    moved = {moved.segment: moved for moved in explanation.segments}
    assert set(moved) == {1, 2}
    assert moved[2].second == ("It", "was", "late", ",", "too", "late", ".")
    exchanged = bleukit.load("wikipedia", smoothing="floor", tokenizer="13a").statistics(HYPOTHESES, REFERENCES)[1]
    ours = first.statistics(HYPOTHESES, REFERENCES)
    mixed = bleukit.Statistics.of_segments(
        4,
        hypothesis_length=[*ours[[0, 2]].hypothesis_length, *exchanged.hypothesis_length],
        reference_length=[*ours[[0, 2]].reference_length, *exchanged.reference_length],
        reference_tokens=[*ours[[0, 2]].reference_tokens, *exchanged.reference_tokens],
        references=[1, 1, 1],
        matches=[*ours[[0, 2]].matches.ravel(), *exchanged.matches.ravel()],
        totals=[*ours[[0, 2]].totals.ravel(), *exchanged.totals.ravel()],
    )
    difference = (first.score(mixed).value - first.score(ours).value) * 100
    assert moved[2].points == pytest.approx(difference, abs=1e-11)


def test_mistakes():
    with pytest.raises(bleukit.InputError, match="no segment to score"):
        bleukit.explain("nltk", "matlab", [], [])
    with pytest.raises(bleukit.InputError, match="not a number"):
        bleukit.explain("matlab", "nltk", [""], [""])
    with pytest.raises(bleukit.InputError, match="nltk with smoothing of nltk .modified. cannot score this text"):
        bleukit.explain("nltk", bleukit.load("nltk", smoothing="nltk-method6"), ["a"], ["a"])


def test_the_command_tells_the_parts(run, tmp_path):
    (tmp_path / "hyp").write_text("\n".join(HYPOTHESES))
    (tmp_path / "ref").write_text("\n".join(group[0] for group in REFERENCES))
    status, out, _ = run("explain", "-V", "nltk", "-V", "sacrebleu", "-r", "ref", "hyp", "--format", "json")
    told, expected = json.loads(out), bleukit.explain("nltk", "sacrebleu", HYPOTHESES, REFERENCES)
    assert (status, told["difference"]) == (0, expected.difference)
    assert {part["key"]: part["points"] for part in told["parts"]} == {p.key: p.points for p in expected.parts}
    status, out, _ = run("explain", "-V", "nltk", "-V", "sacrebleu", "-r", "ref", "hyp")
    assert (status, f"{expected.difference:+.6f}" in out, "whitespace" in out) == (0, True, True)
    status, _, err = run("explain", "-V", "nltk", "-r", "ref", "hyp")
    assert (status, "give two variants to compare, -V NAME -V NAME; got 1" in err) == (2, True)
