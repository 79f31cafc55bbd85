"""Minimum-Bayes-risk decoding: of some samples the one with the highest expected score (Kumar and Byrne 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.errors import InputError
from bleukit.pairs import aggregation
from bleukit.pairs.matrix import arguments_by_group, groups_of, in_threads, matrix, weights_of
from bleukit.results import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from bleukit.pairs.single_reference import PairMetric
    from bleukit.protocols import Text


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Result):
    """The sample with the highest expected score, the first of several: its number, from 0, and its text.

    ``scores`` holds the expected score of each sample, in the scale of the variant, or its score against the mean of
    the references if these were aggregated; ``score`` is that of the chosen one.
    """

    index: int
    text: Text
    score: float
    scores: tuple[float, ...]

    def best(self, number: int) -> list[int]:
        """Return the numbers of the samples with the highest expected scores, at most so many, the best first."""
        return sorted(range(len(self.scores)), key=lambda sample: -self.scores[sample])[:number]

    def __repr__(self) -> str:
        return f"<Choice {self.index} of {len(self.scores)}: {self.score:.4g}, {self.text!r:.60}>"

    __str__ = __repr__


def mbr(  # noqa: PLR0913
    bleu: PairMetric,
    samples: Sequence[Sequence[Text]],
    references: Sequence[Sequence[Text]] | None = None,
    weights: Sequence[ArrayLike] | None = None,
    threads: int | None = None,
    first: int = 0,
    on_done: Callable[[int], object] | None = None,
    *,
    aggregate: bool = False,
) -> list[Choice]:
    """Return what :meth:`bleukit.Bleu.mbr` says; ``first`` is the number of segments before these."""
    groups = groups_of(samples, "samples", first)
    others = None if references is None else groups_of(references, "references", first)
    for name, each in (("samples", groups), ("references", others or [])):
        for segment, texts in enumerate(each):
            if not texts:
                raise InputError(f"{name}[{first + segment}]: is empty; at least one text is needed")
    sides = arguments_by_group({"samples": groups}, references=others, weights=weights)

    def choice(task: Any, inside: int) -> Choice:
        segment, group, others, of_others = task
        try:
            scores = _expected(bleu, group, others, of_others, inside, aggregate=aggregate)
        except InputError as error:
            raise type(error)(f"samples[{segment}]: {error}") from error
        index = int(np.argmax(scores))
        return Choice(index, group[index], float(scores[index]), tuple(scores.tolist()))

    pairs = sum(len(group) * len(group if others is None else others) for group, others, _ in sides)
    return in_threads(choice, [(first + place, *side) for place, side in enumerate(sides)], pairs, threads, on_done)


def _expected(  # noqa: PLR0913
    bleu: PairMetric,
    samples: Sequence[Text],
    references: Sequence[Text] | None,
    weights: ArrayLike | None,
    threads: int,
    *,
    aggregate: bool,
) -> NDArray[np.float64]:
    """Return the expected score of each sample: its mean over the references, weighted if there are weights."""
    texts, places = _distinct(samples)
    others, other_places = (texts, places) if references is None else _distinct(references)
    factors = np.ones(len(other_places)) if weights is None else weights_of(weights, len(other_places), "weights")
    if not factors.sum() > 0:
        raise InputError("weights: expected one above 0")
    if aggregate:
        shares = np.bincount(other_places, factors, len(others)) / factors.sum()
        expected = aggregation.scores_against_mean(bleu, texts, others, shares)
    else:
        found = matrix(bleu, texts, None if references is None else others, threads=threads).take(other_places, axis=1)
        expected = found.mean(axis=1) if weights is None else (found * factors).sum(axis=1) / factors.sum()
    if np.isnan(expected).any():
        raise InputError(f"sample {np.isnan(expected).argmax()} has no expected score: that of one pair is NaN")
    every: NDArray[np.float64] = expected.take(places)
    return every


def _distinct(texts: Sequence[Text]) -> tuple[list[Text], NDArray[np.intp]]:
    """Return the texts without repetition, for samples repeat, and the place of each there."""
    numbers: dict[Any, int] = {}
    kept: list[Text] = []
    places = np.empty(len(texts), np.intp)
    for place, text in enumerate(texts):
        key = text if isinstance(text, str) else _key(text)
        places[place] = numbers.setdefault(key, len(numbers))
        if places[place] == len(kept):
            kept.append(text)
    return kept, places


def _key(tokens: Any) -> Any:
    """Return what is equal for equal token lists; what is none is kept, and refused later."""
    try:
        key = tuple(tokens)
        hash(key)
    except TypeError:
        return id(tokens)
    return key
