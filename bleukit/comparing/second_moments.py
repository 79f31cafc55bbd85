"""Second moments of unit statistics, which give standard errors by the delta method without resampling."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing.scores_of_sums import LENGTH, OTHERS, REFERENCE, scores_of_sums
from bleukit.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleukit.comparing.unit_statistics import UnitStatistics
    from bleukit.metric import Bleu

BLOCK = 1 << 14
"""The number of units that are multiplied at a time."""


@dataclass(frozen=True, eq=False)
class SecondMoments:
    """The number of units, the sums of their columns, and the sums of the products of every two columns.

    Moments are additive: ``+`` joins those of two parts of a test set. ``places``, of shape (texts, width), holds the
    columns of each text.
    """

    units: int
    segments: int
    sums: NDArray[np.float64]
    products: NDArray[np.float64]
    places: NDArray[np.intp]

    @classmethod
    def of(cls, rows: UnitStatistics) -> SecondMoments:
        """Return the moments of units."""
        columns = rows.matrix.shape[1]
        sums, products = np.zeros(columns), np.zeros((columns, columns))
        for start in range(0, len(rows), BLOCK):
            block = rows.matrix[start : start + BLOCK].astype(np.float64, copy=False)
            sums += block.sum(axis=0)
            products += block.T @ block
        return cls(len(rows), int(rows.segments.sum()), sums, products, rows.places)

    def __add__(self, other: SecondMoments) -> SecondMoments:
        if not np.array_equal(self.places, other.places):
            raise InputError("only moments of the same columns can be added")
        return SecondMoments(
            self.units + other.units,
            self.segments + other.segments,
            self.sums + other.sums,
            self.products + other.products,
            self.places,
        )

    def effects(self, bleu: Bleu) -> NDArray[np.float64]:
        """Return the gradient of the score of each text with respect to all columns, of shape (texts, columns)."""
        effects = np.zeros((len(self.places), len(self.sums)))
        for text, places in enumerate(self.places):
            np.add.at(effects[text], places, gradient(bleu, self.sums[places]))
        return effects

    def standard_error(self, effects: NDArray[np.float64]) -> float:
        """Return the standard error of a number, given its derivatives by the columns. Two units are needed."""
        return math.sqrt(max(float(self.covariance(effects[np.newaxis])[0, 0]), 0.0))

    def covariance(self, effects: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the covariance of some numbers, given the derivatives of each by the columns. Two units are needed.

        This is the delta method: the numbers are approximated to first order in the sums of the columns, whose
        covariance follows from the moments.
        """
        centred = self.products - np.outer(self.sums, self.sums) / self.units
        covariance: NDArray[np.float64] = effects @ centred @ effects.T * self.units / (self.units - 1)
        return covariance


def gradient(bleu: Bleu, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the gradient of the score with respect to the sums of one text, of shape (width,).

    The difference quotient is taken between one less and one more, because any smoothing accepts whole numbers. It is
    one-sided where a step would give more matches than n-grams, or a negative number. A mean of sentence scores has
    exact derivatives.
    """
    if bleu.variant.is_macro:
        segments, scale = sums[0], bleu.variant.scale
        (mean,) = scores_of_sums(bleu, sums[np.newaxis])
        more = bleu.variant.average == "macro-with-final-newline"
        derivatives: NDArray[np.float64] = np.array([-mean, scale / 2**30, scale / 2**60]) / (segments + more)
        return derivatives
    orders = (len(sums) - OTHERS) // 2
    columns = [*range(2 * orders), *(len(sums) + column for column in (LENGTH, REFERENCE))]
    ups, downs = (_possible(sums + step * np.eye(len(sums))[columns], sums, orders) for step in (1.0, -1.0))
    rises = scores_of_sums(bleu, ups) - scores_of_sums(bleu, downs)
    effects = np.zeros(len(sums))
    effects[columns] = rises / np.maximum((ups - downs).sum(axis=1), 1)
    return effects


def _possible(varied: NDArray[np.float64], sums: NDArray[np.float64], orders: int) -> NDArray[np.float64]:
    """Return the varied sums; a variation that is not possible is replaced by the original sums."""
    excessive = (varied[:, :orders] > varied[:, orders : 2 * orders]).any(axis=1)
    negative = (varied[:, [*range(2 * orders), LENGTH, REFERENCE]] < 0).any(axis=1)
    impossible = np.logical_or(excessive, negative)
    return np.where(impossible[:, np.newaxis], sums, varied)
