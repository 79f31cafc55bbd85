"""Sums of resampled units: drawn with replacement (bootstrap), or exchanged between texts (randomization).

All sums are exact, so the size of the blocks, which bound the memory, has no effect on any result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from bleukit.comparing import loops
from bleukit.comparing.unit_statistics import exact_product, exact_product_of_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

Track: TypeAlias = Callable[[Iterable[int], int, str], Iterable[int]]
"""Iterates over items, given their number and a description, and may show progress."""


def untracked(items: Iterable[int], number: int, what: str) -> Iterable[int]:  # noqa: ARG001 - the signature of Track
    """Return the items as they are: the ``Track`` that shows no progress."""
    return items


WEIGHTS = 1 << 19
"""The number of weights that are computed at a time: few enough to stay in the cache."""

MOST_WEIGHTS = 1 << 24
"""The maximum number of weights that are computed at a time, unless a single sample has more."""

DRAWN = 1 << 15
"""The number of random numbers that are drawn at a time, unless a single sample takes more."""

BITS = 1 << 26
"""The number of bits that are drawn at a time, but at least those of FEWEST_SAMPLES."""

FEWEST_SAMPLES = 256

RANDOMIZATION, BOOTSTRAP, STRATIFIED, _, POWER = range(5)
"""The purposes of random bits. Each has its own stream, so that drawing for one purpose does not affect another."""


class RandomBits:
    """The stream of random bits for a seed (a whole number of at least 0) and a purpose, the same on every machine.

    Each further number of the purpose, such as that of a stratum, has a stream of its own.

    NumPy guarantees the raw words of a bit generator across versions, but not the streams of the methods of
    ``Generator``, which are therefore not used. Each sample begins with a new 64-bit word of PCG64, so the result does
    not depend on how many samples are drawn at a time.
    """

    def __init__(self, seed: int, *purpose: int) -> None:
        self._generator = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=purpose))

    def bits(self, samples: int, units: int) -> NDArray[np.uint8]:
        """Return fair bits, eight per byte, of shape (samples, bytes); each sample takes a whole number of words."""
        return self._words(samples, -(-units // 64)).astype("<u8", copy=False).view(np.uint8)

    def indices(self, samples: int, units: int, below: int) -> NDArray[np.int64]:
        """Return whole numbers from 0 to ``below`` - 1, of shape (samples, units).

        Each is made of 32 bits, so the probabilities of two numbers differ by a factor of at most 1 + below / 2**32.
        """
        halves = self._words(samples, -(-units // 2)).astype("<u8", copy=False).view("<u4")[:, :units]
        # Before NumPy 2, the product of a 32-bit array and a small 64-bit number has only 32 bits.
        numbers = halves.astype(np.uint64)
        numbers *= np.uint64(below)
        numbers >>= np.uint64(32)
        return numbers.view(np.int64)

    def _words(self, samples: int, per_sample: int) -> NDArray[np.uint64]:
        words: NDArray[np.uint64] = self._generator.random_raw(samples * per_sample)
        return words.reshape(samples, per_sample)


def sums_of_resamples(
    matrix: NDArray[np.floating], samples: int, indices: Callable[[int], NDArray[np.int64]], track: Track
) -> NDArray[np.float64]:
    """Return the sums of bootstrap resamples, each of as many rows as the matrix has: shape (samples, columns).

    ``indices(number)`` returns the rows that the next ``number`` samples draw, of shape (number, rows).
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
        sums[done : done + number] = exact_product(weights[:number], matrix)
        done += number
    return sums


def sums_of_swapped(
    matrix: NDArray[np.floating], samples: int, bits: Callable[[int], NDArray[np.uint8]], track: Track
) -> NDArray[np.float64]:
    """Return the sums of the rows whose bit is 1, of shape (samples, columns).

    ``bits(number)`` returns the bits of the next ``number`` samples, eight per byte, of shape (number, bytes). NumPy's
    Generator draws 32 bits at a time, so that multiples of 32 samples waste none, as if all were drawn at once.
    """
    done = 0
    sums = _empty(samples, matrix)
    blocks = _sizes(samples, -(-max(FEWEST_SAMPLES, BITS // len(matrix)) // 32) * 32)
    for number in track(blocks, len(blocks), "Randomization"):
        sums[done : done + number] = exact_product_of_bits(bits(number), matrix)
        done += number
    return sums


def sums_of_subsets(matrix: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the sum of every subset of the rows, of shape (2**rows, columns)."""
    sums = np.zeros((1, matrix.shape[1]))
    for row in matrix:
        sums = np.concatenate([sums, sums + row])
    return sums


def sums_of_shuffled(
    matrices: list[NDArray[np.floating]], samples: int, bits: RandomBits, track: Track
) -> NDArray[np.float64]:
    """Return the sums of texts after shuffling their rows among the texts, of shape (samples, texts, columns).

    In each unit, the rows of all texts are put in a random order; all orders are equally probable.
    """
    texts, units = len(matrices), len(matrices[0])
    blocks = _sizes(samples, WEIGHTS // (units * texts))
    done = 0
    sums = np.empty((samples, texts, matrices[0].shape[1]))
    for number in track(blocks, len(blocks), "Randomization"):
        sources = _shuffles(number, units, texts, bits)
        for place in range(texts):
            taken = ((sources[place] == text).astype(np.float32) for text in range(texts))
            sums[done : done + number, place] = sum(map(exact_product, taken, matrices))
        done += number
    return sums


def _shuffles(samples: int, units: int, texts: int, bits: RandomBits) -> NDArray[np.uint8]:
    """Return random permutations of the texts (Fisher and Yates), of shape (texts, samples, units)."""
    order = np.empty((texts, samples, units), np.uint8)
    order[:] = np.arange(texts)[:, np.newaxis, np.newaxis]
    for last in range(texts - 1, 0, -1):
        chosen = bits.indices(samples, units, last + 1)[np.newaxis]
        swapped_in = np.take_along_axis(order, chosen, axis=0)
        np.put_along_axis(order, chosen, order[last : last + 1], axis=0)
        order[last] = swapped_in[0]
    return order


def _empty(samples: int, matrix: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return an uninitialized array of shape (samples, columns) whose columns are contiguous."""
    sums: NDArray[np.float64] = np.empty((matrix.shape[1], samples)).T
    return sums


def _sizes(samples: int, most: int) -> list[int]:
    """Divide samples into blocks of at most ``most``, but at least one, and return the sizes of the blocks."""
    most = max(1, most)
    return [min(most, samples - start) for start in range(0, samples, most)]
