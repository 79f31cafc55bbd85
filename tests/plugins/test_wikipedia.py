"""The article's definitions that are not worked examples of a score."""

import pytest
from bleukit.built_in.paper.counters import Clipped, Unclipped
from bleukit.built_in.paper.reference_lengths import average, closest, longest, shortest
from bleukit.built_in.paper.scoring import Unsmoothed
from bleukit.built_in.paper.tokenizers import CHARACTERS
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts, tokens

import bleukit
from bleukit.counting.ngrams import ngrams

clipped, unclipped = Clipped(), Unclipped()
references = st.lists(tokens, min_size=1, max_size=4)
orders = st.integers(1, 6)


def test_the_set_of_ngrams_and_the_substring_count():
    """Article, "Basic setup": G_2(abab) = {ab, ba} and C(ab, abcbab) = 2."""
    assert {ngram for ngram in ngrams("abab", 2) if len(ngram) == 2} == {("a", "b"), ("b", "a")}
    assert ngrams("abcbab", 2)["a", "b"] == 2


def test_clipping_by_the_shorter_text():
    """Article, "Modified n-gram precision": aba against abababa holds each of ab and ba once, however often y does."""
    assert clipped("aba", ["abababa"], 2) == ([3, 2], [3, 2])


@given(tokens, references, orders)
def test_clipped_counts_are_the_definition(hypothesis, references, order):
    def count(ngram, text):
        return sum(tuple(text[i : i + order]) == ngram for i in range(len(text)))

    distinct = {tuple(hypothesis[i : i + order]) for i in range(len(hypothesis) - order + 1)}
    expected = sum(min(count(s, hypothesis), max(count(s, y) for y in references)) for s in distinct)
    assert clipped(hypothesis, references, order)[0][-1] == expected


@pytest.mark.parametrize("counter", [clipped, unclipped])
@given(tokens, references, orders)
def test_counts_are_bounded_and_blind_to_reference_order(counter, hypothesis, references, order):
    matches, totals = counter(hypothesis, references, order)
    assert all(0 <= m <= t for m, t in zip(matches, totals, strict=True))
    assert counter(hypothesis, references[::-1], order) == (matches, totals)


@given(tokens, references, orders)
def test_unclipped_counts_are_never_fewer(hypothesis, references, order):
    clipped_matches, _ = clipped(hypothesis, references, order)
    assert all(u >= c for u, c in zip(unclipped(hypothesis, references, order)[0], clipped_matches, strict=True))


@given(texts)
def test_characters_are_all_but_whitespace(text):
    assert CHARACTERS(text) == [character for character in text if not character.isspace()]


@pytest.mark.parametrize(("policy", "expected"), [(closest, 4), (shortest, 4), (longest, 7), (average, 17 / 3)])
def test_reference_lengths(policy, expected):
    """4 and 6 are equally close to 5: the shorter is taken."""
    assert policy(5, [6, 7, 4]) == expected


def test_an_order_without_ngrams_has_no_precision():
    precisions = Unsmoothed()(bleukit.plugin.Counts([1, 0], [2, 0], 2, 2))
    assert precisions[0] == 0.5
    assert precisions[1] != precisions[1]
