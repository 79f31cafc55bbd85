"""Resampled sums: the bootstrap, and swaps of what two or more texts have for one unit.

All functions return exact sums, so that their blocks, which bound the memory, do not show in any figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from bleukit.comparing import loops
from bleukit.comparing.rows import product, product_of_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleukit.comparing.words import Words

Track: TypeAlias = Callable[[Iterable[int], int, str], Iterable[int]]
"""Passes on items of which there are so many, and may show how far work on them is."""

WEIGHTS = 1 << 19
"""How many weights are made at a time if they are few enough to stay in the cache."""

MOST_WEIGHTS = 1 << 24
"""How many weights are made at a time at most, if one sample has fewer."""

DRAWN = 1 << 15
"""How many random numbers are drawn at a time, or those of one sample."""

BITS = 1 << 26
"""How many bits are drawn at a time, but those of FEWEST samples at least."""

FEWEST = 256


def bootstrapped(
    matrix: NDArray[np.floating], samples: int, indices: Callable[[int], NDArray[np.int64]], track: Track
) -> NDArray[np.float64]:
    """Return the sums of as many rows as there are, drawn with replacement: shape (samples, columns).

    ``indices(number)`` returns the rows that the next samples draw, of shape (number, rows).
    """
    units, done = len(matrix), 0
    sums = _empty(samples, matrix)
    blocks = _sizes(samples, max(WEIGHTS // units, min(8, MOST_WEIGHTS // units)))
    weights = np.empty((blocks[0], units), np.float32)
    for number in track(blocks, len(blocks), "Bootstrap"):
        start = 0
        for drawn in _sizes(number, DRAWN // units):
            loops.tally(indices(drawn), weights[start : start + drawn])
            start += drawn
        sums[done : done + number] = product(weights[:number], matrix)
        done += number
    return sums


def swapped(
    matrix: NDArray[np.floating], samples: int, bits: Callable[[int], NDArray[np.uint8]], track: Track
) -> NDArray[np.float64]:
    """Return the sums of the rows whose bit is 1: shape (samples, columns).

    ``bits(number)`` returns those of the next samples, eight a byte, of shape (number, bytes).
    """
    done = 0
    sums = _empty(samples, matrix)
    blocks = _sizes(samples, max(FEWEST, BITS // len(matrix)))
    for number in track(blocks, len(blocks), "Randomization"):
        sums[done : done + number] = product_of_bits(bits(number), matrix)
        done += number
    return sums


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
    blocks = _sizes(samples, WEIGHTS // (units * texts))
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


def _empty(samples: int, matrix: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return room for sums, of shape (samples, columns), each column in one piece."""
    sums: NDArray[np.float64] = np.empty((matrix.shape[1], samples)).T
    return sums


def _sizes(samples: int, most: int) -> list[int]:
    """Return how many samples to take at a time: as many as ``most``, but one at least."""
    most = max(1, most)
    return [min(most, samples - start) for start in range(0, samples, most)]
