"""Scores against the mean of all references, in linear time, instead of the mean of the scores against each reference.

The n-gram counts and the lengths of the references are replaced by their means, so matches may be fractional (DeNero et
al. 2009, "Fast Consensus Decoding over Translation Forests"; Vamvas and Sennrich 2024, "Linear-time Minimum Bayes Risk
Decoding with Reference Aggregation").
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from bleukit.counting import ngrams
from bleukit.errors import InputError
from bleukit.pairs import single_reference
from bleukit.protocols import CountsTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bleukit.pairs.single_reference import PairMetric
    from bleukit.protocols import Text

Ngram = tuple[str, ...]


def scores_against_mean(
    bleu: PairMetric, hypotheses: Sequence[Text], references: Sequence[Text], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the score of each hypothesis against the weighted mean of the references; the weights sum to 1.

    Raises InputError unless the counter clips as the paper defines it.
    """
    counter = bleu.components["counter"]
    if not single_reference.clips(bleu):
        raise InputError(f"the counter {counter.name!r} does not clip counts, as aggregation does", ("counter",))
    counts, lengths = _counted(bleu, hypotheses)
    reference_counts, reference_lengths = _counted(bleu, references)
    expected = _expected(reference_counts, weights.tolist(), set(getattr(counter.call, "unknown_tokens", ())))
    matches = np.array([_matches(of_one, expected, bleu.max_order) for of_one in counts])
    effective = _effective_lengths(bleu, lengths, reference_lengths, weights)
    table = CountsTable(matches, single_reference.totals_of_lengths(bleu, lengths), lengths, effective)
    return single_reference.segment_scores(bleu, table, np.full(len(lengths), reference_lengths.sum()))


def _counted(bleu: PairMetric, texts: Sequence[Text]) -> tuple[list[Mapping[Ngram, int]], NDArray[np.int64]]:
    """Return the n-gram counts of each text, and its length in tokens."""
    tokens = single_reference.tokens_of_texts(bleu, texts, tokenized=not isinstance(texts[0], str))
    return [ngrams.ngrams(text, bleu.max_order) for text in tokens], np.array(list(map(len, tokens)), np.int64)


def _expected(
    references: Sequence[Mapping[Ngram, int]], weights: Sequence[float], unknown: set[str]
) -> Mapping[Ngram, float]:
    """Return the weighted mean count of each n-gram in the references, without n-grams of unknown tokens."""
    expected: defaultdict[Ngram, float] = defaultdict(float)
    for counts, weight in zip(references, weights, strict=True):
        for ngram, number in counts.items():
            expected[ngram] += weight * number
    return {ngram: n for ngram, n in expected.items() if unknown.isdisjoint(ngram)} if unknown else expected


def _matches(counts: Mapping[Ngram, int], expected: Mapping[Ngram, float], max_order: int) -> list[float]:
    matches = [0.0] * max_order
    for ngram, number in counts.items():
        if ngram in expected:
            matches[len(ngram) - 1] += min(number, expected[ngram])
    return matches


def _effective_lengths(
    bleu: PairMetric, lengths: NDArray[np.int64], reference_lengths: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return, for each hypothesis, the weighted mean over the references of its effective reference length with one."""
    ours, of_ours = np.unique(lengths, return_inverse=True)
    theirs, of_theirs = np.unique(reference_lengths, return_inverse=True)
    of_pairs = single_reference.effective_lengths_of_pairs(
        bleu, np.repeat(ours, len(theirs)), np.tile(theirs, len(ours))
    )
    shares: NDArray[np.float64] = np.bincount(of_theirs.ravel(), weights, len(theirs)).astype(np.float64)
    effective: NDArray[np.float64] = (of_pairs.reshape(len(ours), len(theirs)) @ shares)[of_ours.ravel()]
    return effective
