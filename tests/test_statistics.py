"""Statistics are a monoid, and every score is the score of a sum."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, texts, tokens

import bleukit
from bleukit import metric
from bleukit.metric import CHUNK

VARIANTS = ["matlab", "nltk", "sacrebleu", "wikipedia"]
bleu = bleukit.load("sacrebleu")


def split(corpus):
    return [list(column) for column in zip(*corpus, strict=True)]


@given(corpora(tokens), corpora(tokens), corpora(tokens))
def test_addition_is_associative_and_sums_add_up(a, b, c):
    a, b, c = (bleu.statistics(*split(corpus)) for corpus in (a, b, c))
    assert (a + b) + c == a + (b + c)
    assert (a + b + c).sum() == (a.sum() + b.sum() + c.sum()).sum()
    assert bleukit.Statistics.empty(4) + a == a == a + bleukit.Statistics.empty(4)


@pytest.mark.parametrize("variant", VARIANTS)
@given(corpora(texts, max_size=9), st.data())
def test_shards_score_as_the_whole(variant, corpus, data):
    bleu = bleukit.load(variant, reference_length="average")
    cut = data.draw(st.integers(1, len(corpus)))
    shards = bleu.statistics(*split(corpus[:cut])).sum()
    if cut < len(corpus):
        shards += bleu.statistics(*split(corpus[cut:]))
    whole = bleu.corpus(*split(corpus))
    assert repr(bleu.score(shards)) == repr(whole)  # repr: nan equals nan


@pytest.mark.parametrize("variant", VARIANTS)
@given(corpora(texts))
def test_sentences_are_the_scores_of_single_segments(variant, corpus):
    bleu = bleukit.load(variant)
    expected = [bleu.sentence(*segment).value for segment in corpus]
    assert np.array_equal(bleu.sentences(*split(corpus)), expected, equal_nan=True)


@given(corpora(tokens))
def test_documents_add_up_to_the_corpus(corpus):
    statistics = bleu.statistics(*split(corpus))
    documents = statistics.by_document([f"document {i % 2}" for i in range(len(corpus))])
    parts = bleukit.Statistics.concatenate(documents.values())
    assert bleu.score(parts) == bleu.score(statistics)


def test_documents_come_in_the_order_of_their_first_segment():
    statistics = bleu.statistics(["a", "b", "c"], ["a", "b", "x"])
    documents = statistics.by_document(["z", "y", "z"])
    assert list(documents) == ["z", "y"]
    assert documents["z"].matches[:, 0].tolist() == [1, 0]


def test_document_ids_must_match_the_rows():
    with pytest.raises(bleukit.InputError, match="2 rows of statistics but 1 document ids"):
        bleu.statistics(["a", "b"], ["a", "b"]).by_document(["x"])


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("variant", VARIANTS)
def test_threads_change_nothing(variant, threads):
    bleu = bleukit.load(variant, reference_length="average")
    hypotheses = [f"the {i % 7} cat {i % 3} sat on a mat" for i in range(2 * CHUNK + 1)]
    references = [[f"a {i % 5} cat {i % 2} sat on the mat", "the cat"][: 1 + i % 2] for i in range(2 * CHUNK + 1)]
    assert bleu.statistics(hypotheses, references, threads=threads) == bleu.statistics(hypotheses, references)


def test_rows_are_read_only_and_selectable():
    statistics = bleu.statistics(["a b", "b", "c"], ["a b", "b", "c"])
    with pytest.raises(ValueError, match="read-only"):
        statistics.matches[0, 0] = 9
    assert statistics.matches.tolist() == [[2, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    assert statistics.reference_length.tolist() == [2.0, 1.0, 1.0]
    assert [row.matches[0, 0] for row in statistics] == [2, 1, 1]
    assert statistics[-1] == statistics[[2]] == statistics[np.array([False, False, True])]
    with pytest.raises(IndexError):
        statistics[3]
    with pytest.raises(AttributeError, match="no column 'precision'"):
        statistics.precision  # noqa: B018


def test_pickles_and_prints():
    statistics = bleu.statistics(["a", "b"], ["a", "b"]).sum()
    assert pickle.loads(pickle.dumps(statistics)) == statistics
    assert repr(statistics) == "<Statistics: 1 rows, 2 segments, max_order 4>"


def test_statistics_of_different_orders_do_not_mix():
    bigrams = bleukit.load(weights=[0.5, 0.5])
    with pytest.raises(bleukit.InputError, match="orders 2 and 4"):
        bleu.statistics(["a"], ["a"]) + bigrams.statistics(["a"], ["a"])
    with pytest.raises(bleukit.InputError, match="up to order 2, 4 are needed"):
        bleu.score(bigrams.statistics(["a"], ["a"]))


def test_only_statistics_counted_alike_can_be_joined():
    with pytest.raises(bleukit.InputError, match="counted alike.*tokenizer:13a.*tokenizer:whitespace"):
        bleu.statistics(["a"], ["a"]) + bleukit.load("nltk").statistics(["a"], ["a"])


def test_sum_adds_up_statistics():
    parts = [bleu.statistics(["a"], ["a"]), bleu.statistics(["b"], ["c"])]
    assert sum(parts) == parts[0] + parts[1]


@pytest.mark.parametrize("what", [None, [], "abc", 1])
def test_only_statistics_are_scored(what):
    with pytest.raises(bleukit.InputTypeError, match="statistics: expected Statistics, got"):
        bleu.score(what)


def test_columns_of_the_wrong_length_are_refused():
    columns = {name: [1, 1] for name in ["hypothesis_length", "reference_length", "reference_tokens", "references"]}
    with pytest.raises(bleukit.InputError, match="matches: 2 rows need 8 values, got 3"):
        bleukit.Statistics.of_segments(4, **columns, matches=[1, 2, 3], totals=[1] * 8)


def test_nothing_is_no_score():
    with pytest.raises(bleukit.InputError, match="no segment to score"):
        bleu.corpus([], [])
    assert bleu.sentences([], []).shape == (0,)


@pytest.mark.parametrize("variant", VARIANTS)
@given(corpora(texts, max_size=9))
def test_a_stream_gives_the_sum_of_the_whole(variant, corpus):
    bleu = bleukit.load(variant, reference_length="average")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(metric, "STREAMED", 2)
        streamed = bleu.statistics_of(*(iter(column) for column in split(corpus)))
    assert streamed == bleu.statistics(*split(corpus)).sum()


def test_a_stream_that_ends_early_is_told(monkeypatch):
    monkeypatch.setattr(metric, "STREAMED", 2)
    with pytest.raises(bleukit.InputError, match="references end after 3 items, hypotheses go on"):
        bleu.statistics_of(iter("abcd"), ["a", "b", "c"])
    with pytest.raises(bleukit.InputTypeError, match=r"hypotheses\[3\]: expected a str, got None"):
        bleu.statistics_of(["a", "b", "c", None], ["a"] * 4)
    with pytest.raises(bleukit.InputTypeError, match="references: expected an iterable of segments, got str 'abc'"):
        bleu.statistics_of(["a"], "abc")
