"""How many units an experiment needs to find a difference: by the delta method, or by simulation from few units."""

from __future__ import annotations

from math import ceil
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing import loops
from bleukit.comparing.resampling import POWER, RandomBits
from bleukit.comparing.scores_of_sums import scores_of_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleukit.metric import Bleu

SIMULATED = 1_000
"""The number of test sets that are simulated for each number of units."""

MOST = 1 << 12
"""The number of units up to which test sets are simulated; larger ones have normally distributed differences."""


def quantile(power: float, alpha: float) -> float:
    """Return how many standard errors a difference must have to be significant at ``alpha`` in this share of test sets.

    Differences are taken as normally distributed; tests are two-sided.
    """
    return NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)


def simulated_units(  # noqa: PLR0913
    bleu: Bleu,
    texts: tuple[NDArray[np.floating], NDArray[np.floating]],
    difference: float,
    power: float,
    alpha: float,
    seed: int,
) -> int:
    """Return the number of units at which a difference is significant in this share of simulated test sets.

    ``texts`` are the statistics of some units by two systems, each of shape (units, width). A test set draws
    units with replacement and swaps the two outputs of each with probability ½, so that no system is better; the
    difference is added. It is significant if the swapped test sets reach it with a probability below ``alpha``.
    """
    sides = np.concatenate(texts), np.concatenate(texts[::-1])

    def differences(units: int) -> NDArray[np.float64]:
        weights = np.empty((SIMULATED, len(sides[0])), np.float32)
        loops.tally(RandomBits(seed, POWER).indices(SIMULATED, units, len(sides[0])), weights)
        one, other = (scores_of_sums(bleu, weights.astype(np.float64) @ side) for side in sides)
        return one - other

    def is_enough(units: int) -> bool:
        without = differences(units)
        critical = np.quantile(np.abs(without), 1 - alpha, method="higher")
        return bool(np.mean(np.abs(without + difference) > critical) >= power)

    low, high = 1, 2
    while not is_enough(high):
        if high >= MOST:
            deviation = float(differences(high).std())
            return ceil(high * (quantile(power, alpha) * deviation / difference) ** 2)
        low, high = high, 2 * high
    while high - low > max(1, low // 32):
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high
