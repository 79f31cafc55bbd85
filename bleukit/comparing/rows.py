"""The statistics of several texts side by side, as matrices whose products with small whole numbers are exact."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing import loops
from bleukit.comparing.scores import LENGTH, OTHERS, REFERENCE, REST, TOKENS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bleukit.statistics import Statistics

EXACT = {np.dtype(np.float32): 2.0**24, np.dtype(np.float64): 2.0**53}
"""Below which number each kind of float holds all whole numbers."""

BLOCK = 1 << 14
"""How many units are multiplied at a time: few enough for sums of single precision, as a rule."""


@dataclass(frozen=True)
class Rows:
    """One row per resampled unit: a segment, or a document.

    ``matrix``, of shape (units, columns), holds every column once that some text has: two systems with the same
    references share half of theirs. ``places``, of shape (texts, width), says which columns are those of a text, in the
    order of :mod:`bleukit.comparing.scores`. ``segments`` counts the segments of each unit.
    """

    matrix: NDArray[np.floating]
    places: NDArray[np.intp]
    segments: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.matrix)

    def sums(self) -> NDArray[np.float64]:
        """Return the sum of each text: shape (texts, width)."""
        total: NDArray[np.float64] = self.matrix.sum(axis=0, dtype=np.float64)
        return total[self.places]

    def differences(self, first: int, second: int) -> NDArray[np.floating]:
        """Return by how much the first text exceeds the second in each unit: shape (units, width)."""
        difference: NDArray[np.floating] = self.matrix[:, self.places[first]] - self.matrix[:, self.places[second]]
        return difference

    def differing(self, texts: Sequence[int]) -> int:
        """Return in how many units some of these texts differ."""
        first, *others = [self.places[text] for text in texts]
        unlike = [(self.matrix[:, first] != self.matrix[:, other]).any(axis=1) for other in others]
        return int(np.any(unlike, axis=0).sum())

    def by(self, groups: NDArray[np.intp], number: int) -> Rows:
        """Return one row a group, the sum of its rows; ``groups`` names that of each row, 0 to ``number`` - 1."""
        order = np.argsort(groups, kind="stable")
        starts = np.searchsorted(groups[order], np.arange(number))
        summed = np.add.reduceat(self.matrix[order], starts, axis=0, dtype=np.float64)
        segments = np.add.reduceat(self.segments[order], starts)
        return Rows(_narrow(summed), self.places, segments)

    def __getitem__(self, chosen: NDArray[np.bool_]) -> Rows:
        return Rows(self.matrix[chosen], self.places, self.segments[chosen])


def distinct(texts: Sequence[NDArray[np.floating]]) -> tuple[NDArray[np.floating], NDArray[np.intp]]:
    """Return a matrix that holds every column of some matrices once, and where each of them has its columns there."""
    numbers: dict[bytes, int] = {}
    columns: list[NDArray[np.floating]] = []
    places = np.empty((len(texts), texts[0].shape[1]), np.intp)
    for text, matrix in enumerate(texts):
        for column, values in enumerate(matrix.T):
            places[text, column] = numbers.setdefault(blake2b(values.tobytes()).digest(), len(columns))
            if places[text, column] == len(columns):
                columns.append(values)
    return np.column_stack(columns), places


def product(weights: NDArray[np.floating], matrix: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return weights @ matrix in double precision, exact if both hold whole numbers and no sum reaches 2**53.

    Single precision is used only if its sums are exact, too; so neither the library that multiplies nor its
    number of threads changes the result. The columns of the result are contiguous.
    """
    sums = np.zeros((matrix.shape[1], len(weights)))
    result: NDArray[np.float64] = sums.T
    if not sums.size:
        return result
    largest = float(weights.max())
    for start in range(0, len(matrix), BLOCK):
        block = matrix[start : start + BLOCK]
        bound = largest * float(np.abs(block).sum(axis=0, dtype=np.float64).max())
        kind = np.float32 if block.dtype == np.float32 and bound < EXACT[np.dtype(np.float32)] else np.float64
        sums += block.astype(kind, copy=False).T @ weights[:, start : start + BLOCK].astype(kind, copy=False).T
    return result


def product_of_bits(bits: NDArray[np.uint8], matrix: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the same of weights that are 0 or 1, eight a byte."""
    bounds = np.abs(matrix).sum(axis=0, dtype=np.float64)
    used = np.flatnonzero(bounds)
    narrow = matrix[:, used].astype(np.int32, order="C") if bounds.max() < 2**31 else None
    if narrow is None or not np.array_equal(narrow, matrix[:, used]):
        return product(np.unpackbits(bits, axis=1, count=len(matrix)).astype(np.float32), matrix)
    sums = np.zeros((len(used), len(bits)), np.int64)
    loops.sums_of_chosen(bits, narrow, sums)
    found = np.zeros((matrix.shape[1], len(bits)))
    found[used] = sums
    result: NDArray[np.float64] = found.T
    return result


def matrix_of(statistics: Statistics) -> NDArray[np.floating]:
    """Return the columns of some rows, in the order of :mod:`bleukit.comparing.scores`."""
    orders = statistics.max_order
    matrix = np.empty((len(statistics), 2 * orders + OTHERS))
    whole = np.rint(statistics.reference_length)
    matrix[:, :orders] = statistics.matches
    matrix[:, orders : 2 * orders] = statistics.totals
    matrix[:, LENGTH] = statistics.hypothesis_length
    matrix[:, REFERENCE] = whole
    # An average length is no whole number; its fraction is summed apart, so that the sum of the others stays exact.
    matrix[:, REST] = (statistics.reference_length - whole) + statistics.reference_length_rest
    matrix[:, TOKENS] = statistics.reference_tokens
    return _narrow(matrix)


def _narrow(matrix: NDArray[np.float64]) -> NDArray[np.floating]:
    """Return the matrix in single precision if that holds it exactly."""
    narrow = matrix.astype(np.float32)
    return narrow if np.array_equal(narrow, matrix) else matrix
