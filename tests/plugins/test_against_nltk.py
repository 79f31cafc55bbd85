"""The nltk variant equals the real package, sentence and corpus level, all smoothing methods, quirks included."""

import warnings
from importlib.metadata import version

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from strategies import corpora, texts, tokens

import bleukit

PEER = f"nltk {version('nltk')}"
WITHIN = 1e-12
OPTIONS = {1: {"epsilon": 0.3}, 4: {"k": 3.0}, 6: {"alpha": 2.0}, 7: {"k": 2.0}}

weights = st.sampled_from(
    [(0.25,) * 4, (1.0,), (0.5, 0.5), (1, 0, 0, 0), (0, 1), (0.1, 0.2, 0.3, 0.4), (0.2,) * 5, (1 / 6,) * 6, (2, 1, 1)]
)
smoothings = st.tuples(st.integers(0, 7), st.booleans())


def both(smoothing, weights):
    """Our BLEU and NLTK's smoothing function for (method, with options other than the defaults)."""
    method, with_options = smoothing
    options = OPTIONS.get(method, {}) if with_options else {}
    ours = bleukit.load("nltk", smoothing={"name": f"nltk-method{method}", **options}, weights=weights)
    return ours, getattr(SmoothingFunction(**options), f"method{method}")


def theirs_or_error(call):
    """NLTK's score, or None where it breaks down: method 6 without a trigram match."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except (AssertionError, IndexError):
            return None


def compare(difference, ours, theirs):
    expected = theirs_or_error(theirs)
    if expected is None:
        with pytest.raises(bleukit.InputError, match="nltk-method6.*needs"):
            ours()
    else:
        difference.check(float(ours()), expected, WITHIN)
        assert float(ours()) == pytest.approx(expected, rel=1e-9, abs=0)  # tiny scores are compared too


SIX = [(list("abcdef"), [list("abcdef")])]


@given(corpora(tokens), smoothings, weights)
@example(corpus=SIX, smoothing=(5, False), weights=(0.25,) * 4)  # which look at 5-grams, too
@example(corpus=SIX, smoothing=(7, False), weights=(0.25,) * 4)
def test_corpus(difference, corpus, smoothing, weights):
    bleu, function = both(smoothing, weights)
    hypotheses, references = zip(*corpus, strict=True)
    compare(
        difference,
        lambda: bleu.corpus(hypotheses, references),
        lambda: corpus_bleu(references, hypotheses, weights, function),
    )


@given(corpora(tokens, max_size=1), smoothings, weights)
def test_sentence(difference, corpus, smoothing, weights):
    bleu, function = both(smoothing, weights)
    ((hypothesis, references),) = corpus
    compare(
        difference,
        lambda: bleu.sentence(hypothesis, references),
        lambda: sentence_bleu(references, hypothesis, weights, function),
    )


@given(corpora(texts))
def test_text_is_split_at_whitespace(difference, corpus):
    hypotheses, references = zip(*corpus, strict=True)
    split = [[text.split() for text in group] for group in references]
    compare(
        difference,
        lambda: bleukit.load("nltk").corpus(hypotheses, references),
        lambda: corpus_bleu(split, [text.split() for text in hypotheses]),
    )


@given(corpora(tokens), smoothings)
def test_documents_see_their_own_last_segment(difference, corpus, smoothing):
    """Summing rows must keep what methods 5 to 7 look at."""
    bleu, function = both(smoothing, (0.25,) * 4)
    hypotheses, references = zip(*corpus, strict=True)
    statistics = bleu.statistics(hypotheses, references)
    summed = statistics[: len(corpus) // 2].sum() + statistics[len(corpus) // 2 :].sum()
    compare(difference, lambda: bleu.score(summed), lambda: corpus_bleu(references, hypotheses, (0.25,) * 4, function))


def test_a_failing_sentence_is_named():
    bleu = bleukit.load("nltk", smoothing="nltk-method6")
    good, bad = ["a", "b", "c"], ["a", "x", "y"]
    with pytest.raises(bleukit.InputError, match=r"needs a matching trigram.* for segment 2, counted from 1"):
        bleu.sentences([good, bad], [good, good])


def test_method6_with_two_weights_says_what_it_needs():
    with pytest.raises(bleukit.InputError, match="at least three weights"):
        bleukit.load("nltk", smoothing="nltk-method6", weights=[0.5, 0.5]).sentence("a b c", "a b c")


def test_method_6_goes_on_below_the_smallest_float():
    words = [f"w{number}" for number in range(100_000)]
    bleu = bleukit.load("nltk", smoothing="nltk-method6", weights=16)
    assert bleu.corpus([["a", "b", "c", *words]], [["a", "b", "c", "d"]]).precisions[-3:] == (0, 0, 0)
