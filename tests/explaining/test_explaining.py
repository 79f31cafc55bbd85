"""Shares of a difference add up to it, and each speaks of what really differs."""

import json
import math
import pickle
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import corpora, texts

import bleukit
from bleukit.explaining import explanation as explaining

VARIANTS = ["matlab", "nltk", "sacrebleu", "wikipedia"]
HYPOTHESES = ["The cat (it) sat on the mat.", "It was late, too late.", "Dogs bark at cats"]
REFERENCES = [["The cat sat on the mat."], ["It was too late, far too late."], ["Dogs bark at all cats"]]


def points(variant, hypotheses=HYPOTHESES, references=REFERENCES):
    bleu = variant if isinstance(variant, bleukit.Bleu) else bleukit.load(variant)
    return bleu.corpus(hypotheses, references, references_by="segment").value * 100 / bleu.variant.scale


@given(st.sampled_from(VARIANTS), st.sampled_from(VARIANTS), corpora(texts).filter(lambda corpus: corpus[0][0].strip()))
def test_shares_add_up_to_the_difference_of_the_scores(first, second, corpus):
    segments = [list(column) for column in zip(*corpus, strict=True)]
    explanation = bleukit.explain(first, second, *segments, references_by="segment")
    assert explanation.scores == pytest.approx((points(first, *segments), points(second, *segments)), abs=1e-11)
    assert sum(part.points for part in explanation.parts) == pytest.approx(explanation.difference, abs=1e-11)
    there_and_back = bleukit.explain(second, first, *segments, references_by="segment")
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
    assert explanation.tokens[0] == {"(it)": 1, "mat.": 1, "late,": 1, "late.": 1}
    assert explanation.tokens[1].items() >= {".": 2, "late": 2}.items()
    moved = {moved.segment: moved for moved in explanation.segments}
    assert set(moved) == {1, 2}
    assert moved[2].second.tokens == ("It", "was", "late", ",", "too", "late", ".")
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


COUNTING = {
    "tokenizer": st.sampled_from(["13a", "char"]),
    "lowercase": st.booleans(),
    "counter": st.just("unclipped"),
    "reference_length": st.just("longest"),
}


@given(
    st.tuples(st.sampled_from(["codexglue-code-to-text", "nltk", "sacrebleu"]), st.just({})),
    st.fixed_dictionaries({}, optional=COUNTING),
    corpora(st.text("abA. ", max_size=12)),
)
@example(  # its precisions depend on the last segment
    ("nltk", {"smoothing": "nltk-method5"}),
    {"tokenizer": "13a"},
    [
        ("the cat sat on a mat", ["the cat sat on the mat"]),
        ("it was late, too late. Dogs", ["it was late , too late . Cats"]),
    ],
)
def test_a_segment_moves_the_score_by_what_counting_it_alone_otherwise_changes(chosen, changed, corpus):
    hypotheses, references = zip(*corpus, strict=True)
    name, keys = chosen
    first, second = bleukit.load(name, **keys), bleukit.load(name, **keys, **changed)
    ours, theirs = (bleu.statistics(hypotheses, references, references_by="segment") for bleu in (first, second))
    expected = {}
    for row in range(len(corpus)):
        mixed = {column: getattr(ours, column).copy() for column in ours.columns}
        for column, values in mixed.items():
            values[row] = getattr(theirs, column)[row]
        mixture = bleukit.Statistics(ours.max_order, {column: values.ravel() for column, values in mixed.items()})
        expected[row + 1] = (first.score(mixture).value - first.score(ours).value) * 100 / first.scale
    moved = bleukit.explain(first, second, hypotheses, references, references_by="segment").segments
    points = {one.segment: one.points for one in moved}
    assert points == pytest.approx({number: expected[number] for number in points}, abs=1e-9)
    assert all(points.values())
    assert expected == pytest.approx({**dict.fromkeys(expected, 0), **points}, abs=1e-9)
    assert list(points) == sorted(points, key=lambda number: (-abs(points[number]), number))
    for one in moved:
        hypothesis = hypotheses[one.segment - 1]
        assert len(one.first.tokens) == one.first.totals[0] == len(list(first.tokenize(hypothesis)))
        assert len(one.second.tokens) == one.second.totals[0] == len(list(second.tokenize(hypothesis)))


@pytest.mark.parametrize("most", [0, 2, 20])
def test_as_many_tokens_are_shown_as_are_asked_for(most):
    texts = [" ".join(f"{letter}," for letter in "abcdefgh")]  # 8 tokens for nltk, 8 letters and a comma for sacrebleu
    for first, second, made in (("nltk", "sacrebleu", (8, 9)), ("sacrebleu", "nltk", (9, 8))):
        tokens = bleukit.explain(first, second, texts, texts, most=most).tokens
        assert tuple(map(len, tokens)) == tuple(min(most, number) for number in made)


def test_case_is_apart_from_the_tokenizer():
    explanation = bleukit.explain("multi-bleu-lc", "multi-bleu", ["The cat sat on it"], ["the cat sat on it"])
    assert [part.key for part in explanation.parts] == ["lowercase"]
    assert explanation.tokens == ({}, {})
    assert explanation.segments[0].first.tokens == ("the", "cat", "sat", "on", "it")
    both = bleukit.explain("mteval-v13a", "sacrebleu", ["The cat, he sat"], ["the cat , he sat"])
    assert {"lowercase", "tokenizer"} <= {part.key for part in both.parts}
    assert both.tokens == ({}, {})  # the same tokens, but for case


@pytest.mark.parametrize(
    ("key", "value", "field"),
    [("counter", "unclipped", "matches"), ("reference_length", "longest", "reference_length")],
)
def test_segments_are_shown_for_what_counting_and_lengths_change(key, value, field):
    first = bleukit.load("wikipedia", weights=1)
    second = bleukit.load(first.variant, **{key: value})
    hypotheses, references = ["the the cat", "a dog"], [["the cat", "the cat sat down"], ["a dog", "a dog"]]
    (moved,) = bleukit.explain(first, second, hypotheses, references, references_by="segment").segments
    assert moved.segment == 1
    assert getattr(moved.first, field) != getattr(moved.second, field)
    (counted,) = second.statistics(hypotheses[:1], references[:1])
    assert (list(moved.second.matches), moved.second.reference_length) == (
        counted.matches[0].tolist(),
        counted.reference_length[0],
    )
    assert moved.references == ("the cat", "the cat sat down")


@pytest.mark.parametrize(
    ("hypothesis", "references", "shown"),
    [
        ("a b c", ["a b c"], "[a b c]"),
        ("a x b c", ["b c a"], "[a] x [b c]"),
        ("a b", ["b a"], "[a] [b]"),
        ("a a a", ["a x a"], "[a] [a] a"),
        ("a x a", ["a", "a"], "[a] x a"),
        ("a b c", ["a b", "b c"], "[a b c]"),
        ("a", ["b"], "a"),
        ("", ["b"], ""),
    ],
)
def test_what_matches_is_marked(hypothesis, references, shown):
    words = hypothesis.split()
    runs = explaining._matched(words, [reference.split() for reference in references])
    counted = explaining.CountedSegment(tuple(words), tuple(runs), (), (), 0)
    assert str(counted) == shown


def test_as_many_segments_as_are_asked_for():
    hypotheses = [f"{HYPOTHESES[i % 3]} {'a' * i}" for i in range(12)]
    references = [REFERENCES[i % 3] for i in range(12)]
    numbers = [
        len(bleukit.explain("nltk", "sacrebleu", hypotheses, references, most=most).segments) for most in (0, 1, 5, 20)
    ]
    assert numbers == [0, 1, 5, 8]  # the third text has the same tokens
    assert len(bleukit.explain("nltk", "sacrebleu", hypotheses, references).segments) == 5


@pytest.mark.parametrize("most", [-1, 2.5, True, None])
def test_a_wrong_number_of_segments_is_refused(most):
    with pytest.raises(bleukit.InputError, match="most: expected a whole number of at least 0"):
        bleukit.explain("nltk", "sacrebleu", HYPOTHESES, REFERENCES, most=most)


def test_empty_text_has_the_score_that_each_variant_says():
    explanation = bleukit.explain("matlab", "nltk", [""], [""])
    assert math.isnan(explanation.scores[0])
    assert math.isnan(bleukit.load("matlab").corpus([""], [""]).value)
    assert explanation.scores[1] == 0
    points = {part.key: part.points for part in explanation.parts}
    assert math.isnan(points.pop("empty_score"))
    assert set(points.values()) == {0}
    assert explanation == bleukit.explain("matlab", "nltk", [""], [""])


def test_the_score_of_empty_text_is_a_part_only_of_empty_text():
    keys = [part.key for part in bleukit.explain("matlab", "nltk", HYPOTHESES, REFERENCES).parts]
    assert "empty_score" not in keys


METHOD_6 = bleukit.load("nltk", smoothing="nltk-method6")


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("nltk", METHOD_6, r"nltk \(modified\) cannot score this text: smoothing 'nltk-method6' needs a matching"),
        (METHOD_6, "nltk", r"nltk \(modified\) cannot score this text: smoothing 'nltk-method6' needs a matching"),
        (
            "nltk",
            bleukit.load("nltk", smoothing="nltk-method6", lowercase=True),
            r"the difference cannot be divided, because nltk with the smoothing of nltk \(modified\) cannot score this",
        ),
    ],
)
def test_what_cannot_score_the_text_is_named(first, second, message):
    with pytest.raises(bleukit.InputError, match=message):
        bleukit.explain(first, second, ["a b C"], ["a b c"])


def test_no_segment_is_refused():
    with pytest.raises(bleukit.InputError, match="no segment to score"):
        bleukit.explain("nltk", "matlab", [], [])


def test_the_result_is_a_value():
    first, again = (bleukit.explain("nltk", "sacrebleu", HYPOTHESES, REFERENCES) for _ in range(2))
    assert first == again
    assert hash(first) == hash(again)
    assert pickle.loads(pickle.dumps(first)) == first
    assert first != bleukit.explain("nltk", "sacrebleu", HYPOTHESES, REFERENCES, most=1)
    assert json.loads(json.dumps(first.to_dict()))["difference"] == first.difference
    assert len(repr(first)) < 120
    assert "<td>BLEU, 0 to 100</td>" in first._repr_html_()
    assert all(len(repr(part)) < 120 for part in first.parts)


def test_the_text_fits_its_width():
    explanation = bleukit.explain("nltk", "sacrebleu", HYPOTHESES, REFERENCES)
    for width in (80, 120):
        assert max(map(len, explanation.as_text(width).splitlines())) <= width
    assert "[It was late , too late .]" not in str(explanation)
    assert "reference  It was too late, far too late." in str(explanation)


def test_the_command_shows_the_parts(run, tmp_path):
    (tmp_path / "hyp").write_text("\n".join(HYPOTHESES))
    (tmp_path / "ref").write_text("\n".join(group[0] for group in REFERENCES))
    expected = bleukit.explain("nltk", "sacrebleu", HYPOTHESES, REFERENCES)
    status, out, _ = run("explain", "-V", "nltk", "-V", "sacrebleu", "-r", "ref", "hyp", "--format", "json")
    assert (status, json.loads(out)) == (0, json.loads(json.dumps(expected.to_dict())))
    status, out, _ = run("explain", "-V", "nltk", "-V", "sacrebleu", "-r", "ref", "hyp")
    assert (status, out) == (0, f"{expected}\n")
    status, out, _ = run("explain", "-V", "nltk", "-V", "sacrebleu", "-r", "ref", "hyp", "-n", "1")
    assert (status, out.count("\nSegment ")) == (0, 1)
    status, _, err = run("explain", *["-V", "nltk"] * 3, "-r", "ref", "hyp")
    assert (status, "give one variant, or two to compare; got 3" in err) == (2, True)
    status, _, err = run("explain", "-V", "nltk", "-r", "ref", "hyp", "-o", "page.html")
    assert (status, "--format html: of one variant it prints text, markdown, latex" in err) == (2, True)


def test_the_command_works_out_a_score(run, tmp_path):
    """By hand: 7 times the, of which a reference has 2; for the second segment 2 of 2 words, 3 in the reference."""
    (tmp_path / "hyp").write_text("the the the the the the the\nThe dog\n")
    (tmp_path / "ref").write_text("the cat is on the mat\nthe dog barks\n")
    (tmp_path / "one.yaml").write_text("variant: wikipedia\nweights: [1]\nlowercase: true\n")
    status, text, _ = run("explain", "-V", "one.yaml", "-n", "1", "-r", "ref", "hyp")
    assert status == 0
    assert re.search(r"^the +7 +2 +2 +0$", text, re.MULTILINE)  # and none of the reference is missed
    assert "The n-grams of the other segment are counted in the same way." in text
    assert "    p1 = 4/9 = 0.444444\n" in text
    assert "    BP = 1, because c = 9 ≥ r = 9\n" in text
    assert text.endswith("    BLEU = BP × exp(Σ w ln p) = 1 × exp(1 ln 0.444444) = 0.444444\n")
    assert "| the | 7 | 2 | 2 | 0 |" in run("explain", "-V", "one.yaml", "-r", "ref", "hyp", "--format", "markdown")[1]
    assert (
        r"\[ p_{1} = \frac{4}{9} = 0.444444 \]"
        in run("explain", "-V", "one.yaml", "-r", "ref", "hyp", "--format", "latex")[1]
    )
    assert "100 × BP" in run("explain", "-r", "ref", "hyp")[1]  # by the default variant
