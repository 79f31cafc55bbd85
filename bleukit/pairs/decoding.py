"""Minimum-Bayes-risk decoding: of some samples the one with the highest expected score (Kumar and Byrne 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.counting.threads import mapped
from bleukit.errors import InputError, InputTypeError, shown
from bleukit.pairs.matrix import MANY, matrix, weights_of
from bleukit.results import Result
from bleukit.text import arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from bleukit.hookspecs import Text
    from bleukit.pairs.matrix import Metric


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Result):
    """The sample with the highest expected score, the first of several: its number, from 0, and its text.

    ``scores`` holds the expected score of each sample, in the scale of the recipe; ``score`` is that of the chosen one.
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
    bleu: Metric,
    samples: Sequence[Sequence[Text]],
    references: Sequence[Sequence[Text]] | None = None,
    weights: Sequence[ArrayLike] | None = None,
    threads: int | None = None,
    first: int = 0,
) -> list[Choice]:
    """Return what :meth:`bleukit.Bleu.mbr` says; ``first`` is the number of segments before these."""
    arguments.check_threads(threads)
    groups = _groups(samples, "samples", first)
    sides: list[Any] = []
    for name, given in (("references", references), ("weights", weights)):
        each = [None] * len(groups) if given is None else list(given)
        if len(each) != len(groups):
            raise InputError(f"{len(groups)} segments in samples but {len(each)} in {name}")
        sides.append(_groups(each, name, first) if name == "references" and given is not None else each)
    tasks = list(zip(range(first, first + len(groups)), groups, *sides, strict=True))
    pairs = sum(len(group) * len(group if others is None else others) for _, group, others, _ in tasks)
    threads = threads or (arguments.cores() if pairs >= MANY else 1)
    inside = threads if len(tasks) == 1 else 1

    def choice(task: tuple[int, Sequence[Text], Sequence[Text] | None, ArrayLike | None]) -> Choice:
        segment, group, others, of_others = task
        try:
            scores = _expected(bleu, group, others, of_others, inside)
        except InputError as error:
            raise type(error)(f"samples[{segment}]: {error}") from error
        index = int(np.argmax(scores))
        return Choice(index, group[index], float(scores[index]), tuple(scores.tolist()))

    return list(mapped(choice, tasks, min(threads, len(tasks) or 1)))


def _groups(given: Any, where: str, first: int) -> list[Sequence[Text]]:
    """Return the texts of each segment. Raises InputError, or InputTypeError, for a segment that has none."""
    groups = []
    for segment, group in enumerate(arguments.sequence(given, where, f"a sequence with the {where} of each segment")):
        name = f"{where}[{first + segment}]"
        if isinstance(group, str):
            hint = "those of a single segment are [texts]"
            raise InputTypeError(f"{name}: expected a sequence of texts, got {shown(group)}; {hint}")
        groups.append(arguments.sequence(group, name, "a sequence of str, or of token lists"))
        if not groups[-1]:
            raise InputError(f"{name}: is empty; at least one text is needed")
    return groups


def _expected(
    bleu: Metric, samples: Sequence[Text], references: Sequence[Text] | None, weights: ArrayLike | None, threads: int
) -> NDArray[np.float64]:
    """Return the expected score of each sample: its mean over the references, weighted if there are weights."""
    texts, places = _distinct(samples)
    others, other_places = (texts, places) if references is None else _distinct(references)
    found = matrix(bleu, texts, None if references is None else others, threads=threads).take(other_places, axis=1)
    if weights is None:
        expected = found.mean(axis=1)
    else:
        factors = weights_of(weights, found.shape[1], "weights")
        if not factors.sum() > 0:
            raise InputError("weights: expected one above 0")
        expected = (found * factors).sum(axis=1) / factors.sum()
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
