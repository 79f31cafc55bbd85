"""Second moments of rows: standard errors by the delta method, at once, and of any number of parts together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing.scores import LENGTH, OTHERS, REFERENCE, scores
from bleukit.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleukit.comparing.rows import Rows
    from bleukit.metric import Bleu

BLOCK = 1 << 14
"""How many rows are multiplied at a time."""


@dataclass(frozen=True, eq=False)
class SecondMoments:
    """How many units there are, the sums of their columns, and the sums of the products of any two columns.

    They are additive: ``+`` joins those of two parts of a test set. ``places`` says which columns are those of a text.
    """

    units: int
    segments: int
    sums: NDArray[np.float64]
    products: NDArray[np.float64]
    places: NDArray[np.intp]

    @classmethod
    def of(cls, rows: Rows) -> SecondMoments:
        """Return the moments of some rows."""
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
        """Return by how much one more in each column changes the score of each text: shape (texts, columns)."""
        effects = np.zeros((len(self.places), len(self.sums)))
        for text, places in enumerate(self.places):
            np.add.at(effects[text], places, gradient(bleu, self.sums[places]))
        return effects

    def standard_error(self, effects: NDArray[np.float64]) -> float:
        """Return the standard error of a number on which each column has such an effect; two units are needed.

        By the delta method: the number is taken for what it is to first order in the sums, whose covariance follows
        from the moments.
        """
        centred = self.products - np.outer(self.sums, self.sums) / self.units
        variance = float(effects @ centred @ effects) * self.units / (self.units - 1)
        return math.sqrt(max(variance, 0.0))


def gradient(bleu: Bleu, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much one more in each column changes the score of some sums: shape (width,).

    It is taken between one less and one more, which any smoothing accepts, and only on one side if there cannot be more
    matches than n-grams, or less than none.
    """
    orders = (len(sums) - OTHERS) // 2
    columns = [*range(2 * orders), *(len(sums) + column for column in (LENGTH, REFERENCE))]
    ups, downs = (_possible(sums + step * np.eye(len(sums))[columns], sums, orders) for step in (1.0, -1.0))
    rises = scores(bleu, ups) - scores(bleu, downs)
    effects = np.zeros(len(sums))
    effects[columns] = rises / np.maximum((ups - downs).sum(axis=1), 1)
    return effects


def _possible(varied: NDArray[np.float64], sums: NDArray[np.float64], orders: int) -> NDArray[np.float64]:
    """Return the varied sums, those that cannot be as they were."""
    excessive = (varied[:, :orders] > varied[:, orders : 2 * orders]).any(axis=1)
    negative = (varied[:, [*range(2 * orders), LENGTH, REFERENCE]] < 0).any(axis=1)
    impossible = np.logical_or(excessive, negative)
    return np.where(impossible[:, np.newaxis], sums, varied)
