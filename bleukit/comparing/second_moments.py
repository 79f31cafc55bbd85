"""Second moments of unit statistics, which give standard errors by the delta method without resampling."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bleukit.framework.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleukit.comparing.unit_statistics import UnitStatistics
    from bleukit.framework.metric import AnyMetric

BLOCK = 1 << 14
"""The number of units that are multiplied at a time."""


class StandardError(NamedTuple):
    """A standard error and its degrees of freedom, of several strata those of Satterthwaite (1946)."""

    value: float
    freedom: float


@dataclass(frozen=True, eq=False)
class SecondMoments:
    """The number of units, the sums of their columns, and the sums of the products of every two columns.

    They are kept by stratum, which is the first axis of ``sizes`` (the numbers of units), ``sums_of_strata`` and
    ``products``. Moments are additive: ``+`` joins those of two parts of a test set. ``places``, of shape (texts,
    width), holds the columns of each text. ``differing``, of shape (strata, texts, texts), holds the numbers of
    units in which two texts differ.
    """

    sizes: NDArray[np.int64]
    segments: int
    sums_of_strata: NDArray[np.float64]
    products: NDArray[np.float64]
    places: NDArray[np.intp]
    differing: NDArray[np.intp]

    @classmethod
    def of(cls, rows: UnitStatistics) -> SecondMoments:
        """Return the moments of units."""
        strata, columns = rows.members, rows.matrix.shape[1]
        sums, products = np.zeros((len(strata), columns)), np.zeros((len(strata), columns, columns))
        for stratum, members in enumerate(strata):
            for start in range(0, len(members), BLOCK):
                block = rows.matrix[members[start : start + BLOCK]].astype(np.float64, copy=False)
                sums[stratum] += block.sum(axis=0)
                products[stratum] += block.T @ block
        sizes = np.array([*map(len, strata)], np.int64)
        texts = len(rows.places)
        differing = np.zeros((len(strata), texts, texts), np.intp)
        for first, second in combinations(range(texts), 2):
            differing[:, first, second] = differing[:, second, first] = rows.differing([first, second])
        return cls(sizes, int(rows.segments.sum()), sums, products, rows.places, differing)

    def __add__(self, other: SecondMoments) -> SecondMoments:
        if not np.array_equal(self.places, other.places):
            raise InputError("only moments of the same columns can be added")
        return SecondMoments(
            self.sizes + other.sizes,
            self.segments + other.segments,
            self.sums_of_strata + other.sums_of_strata,
            self.products + other.products,
            self.places,
            self.differing + other.differing,
        )

    @property
    def units(self) -> int:
        """The number of units."""
        return int(self.sizes.sum())

    @property
    def sums(self) -> NDArray[np.float64]:
        """The sums of the columns."""
        sums: NDArray[np.float64] = self.sums_of_strata.sum(axis=0)
        return sums

    def effects(self, metric: AnyMetric) -> NDArray[np.float64]:
        """Return the gradient of the score of each text with respect to all columns, of shape (texts, columns)."""
        effects = np.zeros((len(self.places), len(self.sums)))
        for text, places in enumerate(self.places):
            np.add.at(effects[text], places, metric.scorer().gradient(self.sums[places]))
        return effects

    def error(self, effects: NDArray[np.float64]) -> StandardError:
        """Return the standard error of a number, given its derivatives by the columns."""
        free = np.maximum(self.sizes - 1, 1)
        variances = np.maximum(self._covariances(effects[np.newaxis])[:, 0, 0], 0)
        whole, freedom = float(variances.sum()), float(free.sum())
        if len(free) > 1 and whole:
            freedom = float(whole**2 / (variances**2 / free).sum())
        return StandardError(math.sqrt(whole), freedom)

    def covariance(self, effects: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the covariance of some numbers, given the derivatives of each by the columns.

        This is the delta method: the numbers are approximated to first order in the sums of the columns, whose
        covariance follows from the moments. Each stratum needs two units: one has no variance.
        """
        covariance: NDArray[np.float64] = self._covariances(effects).sum(axis=0)
        return covariance

    def _covariances(self, effects: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the part of each stratum in the covariance, of shape (strata, numbers, numbers)."""
        sizes = self.sizes[:, np.newaxis, np.newaxis]
        squares = self.sums_of_strata[:, :, np.newaxis] * self.sums_of_strata[:, np.newaxis, :]
        centred = self.products - squares / sizes
        parts: NDArray[np.float64] = effects @ centred @ effects.T * (sizes / np.maximum(sizes - 1, 1))
        return parts
