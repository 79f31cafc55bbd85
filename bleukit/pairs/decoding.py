"""Minimum-Bayes-risk decoding: choose the sample with the highest expected score (Kumar and Byrne 2004)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.bleu import ngrams
from bleukit.bleu.bleu import bleu_of
from bleukit.bleu.protocols import CountsTable
from bleukit.framework import arguments
from bleukit.framework.errors import InputError, InputTypeError, shown
from bleukit.framework.results import Result
from bleukit.pairs import single_reference
from bleukit.pairs.matrix import arguments_by_group, groups_of, in_threads, matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from bleukit.bleu.bleu import Bleu, VariantLike
    from bleukit.bleu.scorer import Scorer
    from bleukit.framework.protocols import Text

Ngram = tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Result):
    """The sample with the highest expected score (the first, if several have it): its index, counted from 0, and text.

    ``scores`` holds the expected score of each sample, in the scale of the variant, or its score against the mean of
    the references if these were aggregated. ``score`` is the score of the chosen sample.
    """

    index: int
    text: Text
    score: float
    scores: tuple[float, ...]

    def best(self, number: int) -> list[int]:
        """Return the indices of at most ``number`` samples with the highest expected scores, the best first."""
        return sorted(range(len(self.scores)), key=lambda sample: -self.scores[sample])[:number]

    def __repr__(self) -> str:
        return f"<Choice {self.index} of {len(self.scores)}: {self.score:.4g}, {self.text!r:.60}>"

    __str__ = __repr__


def mbr(  # noqa: PLR0913
    bleu: VariantLike,
    samples: Sequence[Sequence[Text]],
    *,
    references: Sequence[Sequence[Text]] | None = None,
    weights: Sequence[ArrayLike] | None = None,
    threads: int | None = None,
    first: int = 0,
    on_done: Callable[[int], object] | None = None,
    aggregate: bool = False,
) -> list[Choice]:
    """Return, for each segment, the sample with the highest expected score (minimum-Bayes-risk decoding).

    ``samples[i]`` holds the samples of segment i, in any number. The expected score of one is the mean of its scores,
    those of :func:`bleukit.matrix`, against ``references[i]``, or against all samples, itself included; ``weights[i]``
    holds a weight for each of these, such as its probability. Of equally good samples the first is chosen. ``bleu`` is
    a Bleu, or what :func:`bleukit.load` takes. ``first`` is the number of segments before these: errors count from
    there. ``on_done`` is called with 1 after each segment.

    ``aggregate`` scores each sample once, against the mean of the references (DeNero et al. 2009, Vamvas and Sennrich
    2024), which is linear in their number; it may choose another sample.
    """
    own = bleu_of(bleu)
    groups = groups_of(samples, "samples", first)
    others = None if references is None else groups_of(references, "references", first)
    for name, segments in (("samples", groups), ("references", others or [])):
        for segment, texts in enumerate(segments):
            if not texts:
                raise InputError(f"{name}[{first + segment}]: is empty; at least one text is needed")
    sides = arguments_by_group({"samples": groups}, references=others, weights=weights)

    def choice(task: Any, inside: int) -> Choice:
        segment, group, others, group_weights = task
        try:
            scores = _expected(own, group, others, group_weights, inside, aggregate=aggregate)
        except InputError as error:
            raise type(error)(f"samples[{segment}]: {error}") from error
        index = int(np.argmax(scores))
        return Choice(index, group[index], float(scores[index]), tuple(scores.tolist()))

    pairs = sum(len(group) * len(group if others is None else others) for group, others, _ in sides)
    return in_threads(choice, [(first + place, *side) for place, side in enumerate(sides)], pairs, threads, on_done)


def _expected(  # noqa: PLR0913
    bleu: Bleu,
    samples: Sequence[Text],
    references: Sequence[Text] | None,
    weights: ArrayLike | None,
    threads: int,
    *,
    aggregate: bool,
) -> NDArray[np.float64]:
    """Return the expected score of each sample: its mean score over the references, weighted by ``weights``."""
    samples, tokenized = arguments.check_texts_or_tokens(samples, "hypotheses")
    if references is not None:
        references, _ = arguments.check_texts_or_tokens(references, "references", tokenized)
    texts, places = _distinct(samples)
    others, other_places = (texts, places) if references is None else _distinct(references)
    factors = np.ones(len(other_places)) if weights is None else _weights_of(weights, len(other_places))
    if not factors.sum() > 0:
        raise InputError("weights: expected at least one above 0")
    if aggregate:
        shares = np.bincount(other_places, factors, len(others)) / factors.sum()
        expected = _scores_against_mean(bleu.scorer("sentence"), texts, others, shares)
    else:
        scores = matrix(bleu, texts, None if references is None else others, threads=threads).take(other_places, axis=1)
        expected = scores.mean(axis=1) if weights is None else (scores * factors).sum(axis=1) / factors.sum()
    if np.isnan(expected).any():
        raise InputError(
            f"sample {np.isnan(expected).argmax()} has no expected score, because the score of a pair is NaN"
        )
    by_sample: NDArray[np.float64] = expected.take(places)
    return by_sample


def _weights_of(weights: ArrayLike, number: int) -> NDArray[np.float64]:
    """Return the weights of ``number`` references. Raises InputError unless all are finite and at least 0."""
    try:
        factors = np.asarray(weights, np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(f"weights: expected a number for each reference, got {shown(weights)}") from error
    if factors.shape != (number,):
        raise InputError(f"weights: expected a number for each of {number} references, got shape {factors.shape}")
    if not (np.isfinite(factors).all() and (factors >= 0).all()):
        raise InputError("weights: expected finite numbers of at least 0")
    return factors


def _distinct(texts: Sequence[Text]) -> tuple[list[Text], NDArray[np.intp]]:
    """Return the texts without repetitions, because samples are often equal, and the index of each text among these."""
    labels = [text if isinstance(text, str) else tuple(text) for text in texts]
    places, distinct = arguments.number_labels(labels, "texts")
    return [text if isinstance(text, str) else list(text) for text in distinct], np.array(places, np.intp)


def _scores_against_mean(
    scorer: Scorer, hypotheses: Sequence[Text], references: Sequence[Text], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the score of each hypothesis against the weighted mean of the references; the weights sum to 1.

    It takes linear time, instead of the mean of the scores against each reference: the n-gram counts and the lengths of
    the references are replaced by their means, so matches may be fractional (DeNero et al. 2009, "Fast Consensus
    Decoding over Translation Forests"; Vamvas and Sennrich 2024, "Linear-time Minimum Bayes Risk Decoding with
    Reference Aggregation"). Raises InputError unless the counter promises ``clipped``.
    """
    counter = scorer.loaded.components["counter"]
    if not counter.promise("clipped"):
        raise InputError(
            f"the counter {counter.name!r} does not promise `clipped`, clipped counts as the paper defines them, which "
            "aggregation needs; `counter: clipped` counts so",
            ("counter",),
        )
    counts, lengths = _counted(scorer, hypotheses)
    reference_counts, reference_lengths = _counted(scorer, references)
    expected = _mean_counts(reference_counts, weights.tolist())
    matches = np.array([_matches(own_counts, expected, scorer.max_order) for own_counts in counts])
    effective = _effective_lengths(scorer, lengths, reference_lengths, weights)
    table = CountsTable(matches, single_reference.totals_of_lengths(scorer, lengths), lengths, effective)
    return single_reference.segment_scores(scorer, table, np.full(len(lengths), reference_lengths.sum()))


def _counted(scorer: Scorer, texts: Sequence[Text]) -> tuple[list[Mapping[Ngram, int]], NDArray[np.int64]]:
    """Return the n-gram counts of each text, and its length in tokens."""
    tokens = single_reference.tokens_of_texts(scorer, texts, tokenized=not isinstance(texts[0], str))
    return [ngrams.ngrams(text, scorer.max_order) for text in tokens], np.array(list(map(len, tokens)), np.int64)


def _mean_counts(references: Sequence[Mapping[Ngram, int]], weights: Sequence[float]) -> Mapping[Ngram, float]:
    """Return the weighted mean count of each n-gram in the references."""
    expected: defaultdict[Ngram, float] = defaultdict(float)
    for counts, weight in zip(references, weights, strict=True):
        for ngram, number in counts.items():
            expected[ngram] += weight * number
    return expected


def _matches(counts: Mapping[Ngram, int], expected: Mapping[Ngram, float], max_order: int) -> list[float]:
    matches = [0.0] * max_order
    for ngram, number in counts.items():
        if ngram in expected:
            matches[len(ngram) - 1] += min(number, expected[ngram])
    return matches


def _effective_lengths(
    scorer: Scorer, lengths: NDArray[np.int64], reference_lengths: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return, for each hypothesis, the weighted mean over the references of its effective reference length with one."""
    ours, our_places = np.unique(lengths, return_inverse=True)
    theirs, their_places = np.unique(reference_lengths, return_inverse=True)
    by_lengths = single_reference.effective_lengths_of_pairs(
        scorer, np.repeat(ours, len(theirs)), np.tile(theirs, len(ours))
    )
    shares: NDArray[np.float64] = np.bincount(their_places.ravel(), weights, len(theirs)).astype(np.float64)
    effective: NDArray[np.float64] = (by_lengths.reshape(len(ours), len(theirs)) @ shares)[our_places.ravel()]
    return effective
