"""Resampled sums: the bootstrap, and swaps of what two or more texts have for one unit.

All functions return exact sums, so that their blocks, which bound the memory, do not show in any figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from bleukit.comparing.rows import product

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleukit.comparing.words import Words

Track: TypeAlias = Callable[[Iterable[int], int, str], Iterable[int]]
"""Passes on items of which there are so many, and may show how far work on them is."""

WEIGHTS = 1 << 19
"""How many weights are made at a time if they are few enough to stay in the cache."""

MOST_WEIGHTS = 1 << 24
"""How many weights are made at a time at most, if one sample has fewer."""


def bootstrapped(
    matrix: NDArray[np.floating], samples: int, indices: Callable[[int], NDArray[np.int64]], track: Track
) -> NDArray[np.float64]:
    """Return the sums of as many rows as there are, drawn with replacement: shape (samples, columns).

    ``indices(number)`` returns the rows that the next samples draw, of shape (number, rows).
    """
    units = len(matrix)

    def weights(number: int) -> NDArray[np.float32]:
        drawn = np.empty((number, units), np.float32)
        for sample, chosen in enumerate(indices(number)):
            drawn[sample] = np.bincount(chosen, minlength=units)
        return drawn

    return _products(matrix, samples, weights, track, "Bootstrap")


def swapped(
    matrix: NDArray[np.floating], samples: int, bits: Callable[[int], NDArray[np.uint8]], track: Track
) -> NDArray[np.float64]:
    """Return the sums of the rows whose bit is 1: shape (samples, columns).

    ``bits(number)`` returns those of the next samples, of shape (number, rows).
    """

    def weights(number: int) -> NDArray[np.float32]:
        return bits(number).astype(np.float32)

    return _products(matrix, samples, weights, track, "Randomization")


def choices(matrix: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the sum of every choice of rows: shape (2**rows, columns)."""
    sums = np.zeros((1, matrix.shape[1]))
    for row in matrix:
        sums = np.concatenate([sums, sums + row])
    return sums


def shuffled(matrices: list[NDArray[np.floating]], samples: int, words: Words, track: Track) -> NDArray[np.float64]:
    """Return the sums of texts whose segments were shuffled among them: shape (samples, texts, columns).

    In each unit the rows of all texts are put in a random order, all orders being equally probable.
    """
    texts, units = len(matrices), len(matrices[0])
    blocks = _sizes(samples, units * texts)
    done = 0
    sums = np.empty((samples, texts, matrices[0].shape[1]))
    for number in track(blocks, len(blocks), "Randomization"):
        sources = _shuffles(number, units, texts, words)
        for place in range(texts):
            taken = ((sources[place] == text).astype(np.float32) for text in range(texts))
            sums[done : done + number, place] = sum(map(product, taken, matrices))
        done += number
    return sums


def _shuffles(samples: int, units: int, texts: int, words: Words) -> NDArray[np.uint8]:
    """Return which text's row stands at each place, by Fisher and Yates: shape (texts, samples, units)."""
    order = np.empty((texts, samples, units), np.uint8)
    order[:] = np.arange(texts)[:, np.newaxis, np.newaxis]
    for last in range(texts - 1, 0, -1):
        chosen = words.indices(samples, units, last + 1)[np.newaxis]
        swapped_in = np.take_along_axis(order, chosen, axis=0)
        np.put_along_axis(order, chosen, order[last : last + 1], axis=0)
        order[last] = swapped_in[0]
    return order


def _products(
    matrix: NDArray[np.floating],
    samples: int,
    weights: Callable[[int], NDArray[np.float32]],
    track: Track,
    what: str,
) -> NDArray[np.float64]:
    sums = np.empty((samples, matrix.shape[1]))
    blocks = _sizes(samples, len(matrix))
    done = 0
    for number in track(blocks, len(blocks), what):
        sums[done : done + number] = product(weights(number), matrix)
        done += number
    return sums


def _sizes(samples: int, units: int) -> list[int]:
    """Return how many samples to take at a time: so few that their weights stay in the cache, but some at least."""
    most = max(1, WEIGHTS // units, min(8, MOST_WEIGHTS // units))
    return [min(most, samples - start) for start in range(0, samples, most)]
