"""The statistics of several texts side by side, as a matrix whose products with small whole numbers are exact."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing import loops
from bleukit.framework.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bleukit.framework.additive import AdditiveStatistics
    from bleukit.framework.metric import AnyMetric

EXACT = {np.dtype(np.float32): 2.0**24, np.dtype(np.float64): 2.0**53}
"""The number below which each floating-point type represents all whole numbers."""

BLOCK = 1 << 14
"""The number of units that are multiplied at a time: usually few enough for exact sums in single precision."""


@dataclass(frozen=True)
class UnitStatistics:
    """The statistics of all texts, with one row per resampled unit: a segment or a document.

    ``matrix``, of shape (units, columns), holds equal columns only once: two systems with the same references share
    half of their columns. ``places``, of shape (texts, width), holds the columns of each text, those of
    :attr:`bleukit.framework.additive.AdditiveStatistics.summed_columns`. ``segments`` is the number of segments of each
    unit; ``strata``, numbers from 0, say of which test set it is, None if there is only one.
    """

    matrix: NDArray[np.floating]
    places: NDArray[np.intp]
    segments: NDArray[np.int64]
    strata: NDArray[np.intp] | None = None

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def members(self) -> list[NDArray[np.intp]]:
        """The indices of the units of each stratum."""
        if self.strata is None:
            return [np.arange(len(self))]
        return [np.flatnonzero(self.strata == stratum) for stratum in range(self.strata.max() + 1)]

    def sums(self) -> NDArray[np.float64]:
        """Return the sum of all units for each text, of shape (texts, width)."""
        total: NDArray[np.float64] = self.matrix.sum(axis=0, dtype=np.float64)
        return total[self.places]

    def text_rows(self, text: int) -> NDArray[np.float64]:
        """Return the statistics of a text, of shape (units, width)."""
        return self.matrix[:, self.places[text]].astype(np.float64)

    def differences(self, first: int, second: int) -> NDArray[np.floating]:
        """Return the statistics of the first text minus those of the second, of shape (units, width)."""
        difference: NDArray[np.floating] = self.matrix[:, self.places[first]] - self.matrix[:, self.places[second]]
        return difference

    def differing(self, texts: Sequence[int]) -> NDArray[np.intp]:
        """Return the number of units of each stratum in which these texts are not all equal."""
        first, *others = [self.places[text] for text in texts]
        differences = [(self.matrix[:, first] != self.matrix[:, other]).any(axis=1) for other in others]
        differ = np.any(differences, axis=0)
        return np.array([np.count_nonzero(differ[members]) for members in self.members])

    def by(self, groups: NDArray[np.intp], number: int) -> UnitStatistics:
        """Return the sum of each group; ``groups`` holds the group of each row, 0 to ``number`` - 1.

        The rows of a group are of one stratum.
        """
        order = np.argsort(groups, kind="stable")
        starts = np.searchsorted(groups[order], np.arange(number))
        summed = np.add.reduceat(self.matrix[order], starts, axis=0, dtype=np.float64)
        segments = np.add.reduceat(self.segments[order], starts)
        strata = None if self.strata is None else self.strata[order[starts]]
        return UnitStatistics(_narrow(summed), self.places, segments, strata)

    def __getitem__(self, selection: NDArray[np.bool_]) -> UnitStatistics:
        """Return some units, without strata."""
        return UnitStatistics(self.matrix[selection], self.places, self.segments[selection])


def distinct_columns(texts: Sequence[NDArray[np.floating]]) -> tuple[NDArray[np.floating], NDArray[np.intp]]:
    """Return a matrix with the different columns of some matrices, and the places of each one's columns in it."""
    numbers: dict[bytes, int] = {}
    columns: list[NDArray[np.floating]] = []
    places = np.empty((len(texts), texts[0].shape[1]), np.intp)
    for text, matrix in enumerate(texts):
        for column, values in enumerate(matrix.T):
            places[text, column] = numbers.setdefault(blake2b(values.tobytes()).digest(), len(columns))
            if places[text, column] == len(columns):
                columns.append(values)
    return np.column_stack(columns), places


def exact_product(weights: NDArray[np.floating], matrix: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return weights @ matrix in double precision. It is exact for whole numbers if no sum reaches 2**53.

    Single precision is used only if its sums are exact, too, so the result does not depend on the BLAS library or its
    number of threads. The columns of the result are contiguous.
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


def exact_product_of_bits(bits: NDArray[np.uint8], matrix: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return :func:`exact_product` for weights of 0 or 1, given as bits, eight per byte."""
    bounds = np.abs(matrix).sum(axis=0, dtype=np.float64)
    used = np.flatnonzero(bounds)
    narrow = matrix[:, used].astype(np.int32, order="C") if bounds.max() < 2**31 else None
    if narrow is None or not np.array_equal(narrow, matrix[:, used]):
        return exact_product(np.unpackbits(bits, axis=1, count=len(matrix)).astype(np.float32), matrix)
    sums = np.zeros((len(used), len(bits)), np.int64)
    loops.sums_of_chosen(bits, narrow, sums)
    result: NDArray[np.float64] = np.zeros((matrix.shape[1], len(bits))).T
    result[:, used] = sums.T
    return result


def statistics_matrix(statistics: AdditiveStatistics) -> NDArray[np.floating]:
    """Return the rows of statistics that a metric scores after they are added up."""
    return _narrow(statistics.summed_rows())


def scores_of_sums(metric: AnyMetric, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the score of each sum of rows, as :meth:`bleukit.bleu.scorer.Scorer.values_of_sums`.

    Raises InputError if a sum has no score (NaN).
    """
    return required(metric.scorer().values_of_sums(sums))


def required(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scores of resamples. Raises InputError if one has none (NaN)."""
    if np.isnan(values).any():
        raise InputError("no score (NaN): a resample has no token at all, and the variant's empty_score is NaN")
    return values


def _narrow(matrix: NDArray[np.float64]) -> NDArray[np.floating]:
    """Return the matrix in single precision if that is exact, else as it is."""
    narrow = matrix.astype(np.float32)
    return narrow if np.array_equal(narrow, matrix) else matrix
