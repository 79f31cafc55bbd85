"""Variants that average sentence scores: the same digits by every way, and what they are of."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

import bleukit
from bleukit.bleu.signature import read_signature
from bleukit.explaining.derivation import derive, written

pytestmark = pytest.mark.oldest

texts = st.lists(st.tuples(st.text("ab ", max_size=9), st.text("ab ", max_size=9)), min_size=1, max_size=9)
MACRO = {"smoothing": "add-one", "scale": 100, "average": "macro"}


@pytest.fixture(scope="module")
def macro():
    return bleukit.load("wikipedia", **MACRO)


def corpus_of(pairs):
    return [hypothesis for hypothesis, _ in pairs], [reference for _, reference in pairs]


@given(texts)
def test_it_is_the_mean_of_the_sentence_scores(macro, pairs):
    hypotheses, references = corpus_of(pairs)
    scores = macro.sentences(hypotheses, references)
    assert macro.corpus(hypotheses, references).value == pytest.approx(math.fsum(scores) / len(scores), rel=1e-15)


@given(texts, st.randoms(use_true_random=False))
def test_it_is_the_same_in_any_order_and_by_any_partition(macro, pairs, random):
    expected = macro.corpus(*corpus_of(pairs)).value
    random.shuffle(pairs)
    rows = macro.statistics(*corpus_of(pairs))
    cut = random.randint(0, len(pairs))
    parts = rows[:cut].sum() + rows[cut:].sum()
    for each in (rows, parts, pickle.loads(pickle.dumps(parts))):
        assert macro.score(each).value == pytest.approx(expected, rel=1e-13)


def test_empty_texts_at_the_end_need_a_score():
    bleu = bleukit.load("wikipedia", **{**MACRO, "average": "macro-with-final-newline", "empty_score": math.nan})
    with pytest.raises(bleukit.InputError, match="the empty texts at the end have no score"):
        bleu.corpus(["a b"], ["a b"])


@given(texts)
def test_nltk_averaged_over_sentences(pairs):
    bleu = bleukit.load("nltk", smoothing="nltk-method5", average="macro")
    hypotheses, references = ([text.split() for text in side] for side in corpus_of(pairs))
    method = SmoothingFunction().method5
    expected = [
        sentence_bleu([reference], hypothesis, smoothing_function=method)
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    got = bleu.corpus(hypotheses, [[reference] for reference in references]).value
    assert got == pytest.approx(sum(expected) / len(expected), rel=1e-12, abs=1e-18)


def test_one_more_pair_of_empty_texts():
    bleu = bleukit.load("wikipedia", **{**MACRO, "average": "macro-with-final-newline", "empty_score": 100})
    assert bleu.corpus(["a b c d"], ["e f g h"]).value == pytest.approx(
        (bleu.sentence("a b c d", "e f g h").value + 100) / 2
    )


def test_the_rules_for_sentences_are_those_of_the_variant():
    bleu = bleukit.load("multi-bleu", average="macro", sentence={"smoothing": "add-one"})
    assert (bleu.variant.smoothing.name, bleu.variant.sentence) == ("add-one", {})


def test_the_signature_says_so_and_is_read_back(macro):
    assert "|scale:100|average:macro|" in macro.signature
    assert bleukit.load(read_signature(macro.signature).variant).signature == macro.signature
    assert "average" not in bleukit.load().signature


def test_statistics_of_another_variant_hold_no_sentence_scores(macro):
    rows = bleukit.load("wikipedia").statistics(["a"], ["a"])
    with pytest.raises(bleukit.InputError, match="hold no sentence scores"):
        macro.score(rows)
    with pytest.raises(bleukit.InputError, match="only statistics counted alike"):
        rows + macro.statistics(["a"], ["a"])


def test_a_segment_without_a_score_leaves_no_mean():
    bleu = bleukit.load("wikipedia", average="macro", empty_score=math.nan)
    with pytest.raises(bleukit.InputError, match="segment 2, counted from 1, has no score"):
        bleu.corpus(["a", ""], ["a", ""])


@pytest.mark.parametrize("test", ["permutation", "bootstrap", "delta"])
def test_systems_are_compared_by_their_means(macro, test):
    references = ["a b c d e"] * 30
    systems = {"one": ["a b c d e", "a b x d e"] * 15, "two": ["a x c d x", "x b c d e"] * 15}
    options = {} if test == "delta" else {"samples": 99}
    compared = bleukit.compare(macro, systems, references, test=test, **options)
    assert [own.score for own in compared.systems] == [
        macro.corpus(systems[name], references).value for name in systems
    ]
    assert 0 < compared.pairs[0].p_value < 0.2


def test_explain_gives_the_average_a_share(macro):
    hypotheses, references = ["a b c d e", "a x"], ["a b c d x", "a b"]
    explained = bleukit.explain("wikipedia", macro, hypotheses, references)
    shares = {part.key: part.points for part in explained.parts}
    assert shares.keys() == {"average", "smoothing"}
    assert sum(map(Fraction, shares.values())) == pytest.approx(explained.difference)
    steps = derive(macro, [("a x", ["a b"])], macro.corpus(hypotheses, references))
    assert "BLEU = the mean of 2 sentence scores" in written(steps)


def test_documents_are_means_too(macro):
    hypotheses, references = ["a b c d e", "a x", "b"], ["a b c d x", "a b", "b"]
    of_documents = macro.accumulator("document").update(hypotheses, references, documents=["x", "y", "x"]).scores()
    sentences = macro.sentences(hypotheses, references)
    assert [score.value for score in of_documents] == pytest.approx([np.mean(sentences[[0, 2]]), sentences[1]])


def test_a_score_says_that_it_is_a_mean():
    hypotheses, references = ["a b c", "d"], ["a b d", "d"]
    score = bleukit.load("codexglue-code-to-text").corpus(hypotheses, references)
    assert score.is_mean
    assert "mean of the sentence scores; of the sums: precisions" in str(score)
    assert "mean of the sentence scores" in score._repr_html_()
    assert not bleukit.load("codexglue-code-refinement").corpus(hypotheses, references).is_mean
