"""The tokenizers of programs that average sentence scores; their scores are in the conformance suite."""

import math

import pytest

import bleukit


def test_one_word_without_a_match_is_not_0():
    assert 0 < bleukit.load("codexglue-code-to-text").sentence("a", "b").value < 1e-70


@pytest.mark.parametrize(("variant", "empty"), [("b-norm", 100), ("b-cc", 0)])
def test_a_final_newline_is_a_pair_of_empty_texts(variant, empty):
    texts = ["a b c d", "a b"], ["a b c e", "a b"]
    without = bleukit.load(f"{variant}-no-final-newline").corpus(*texts).value
    assert bleukit.load(variant).corpus(*texts).value == pytest.approx((2 * without + empty) / 3)


def test_empty_texts_without_a_score_have_no_mean():
    with pytest.raises(bleukit.InputError, match="the empty texts at the end have no score"):
        bleukit.load("b-norm", empty_score=math.nan).corpus(["a"], ["a"])


def test_the_last_segment_is_that_of_the_text_if_documents_are_interleaved():
    texts = ["a b c d e f", "x", "a b c d e"], ["a b c d e f", "x", "b c d e a"]
    bleu = bleukit.load("nltk", smoothing="nltk-method5")  # which looks at the last segment
    accumulated = bleu.accumulator("document").update(*texts, documents=["1", "2", "1"])
    assert accumulated.compute().precisions == bleu.corpus(*texts).precisions


def test_the_last_segment_of_merged_documents_is_that_of_the_second_part():
    texts = ["a b c d e f", "x", "a b c d e"], ["a b c d e f", "x", "b c d e a"]
    bleu = bleukit.load("nltk", smoothing="nltk-method5")
    parts = [slice(0, 1), slice(1, 3)]
    one, other = (
        bleu.accumulator("document").update(*(side[part] for side in texts), documents=["1", "2", "1"][part])
        for part in parts
    )
    assert one.merge(other).compute().precisions == bleu.corpus(*texts).precisions
