"""How many units an experiment needs to find a difference: by the delta method, or by simulation from few units."""

from __future__ import annotations

from math import ceil, inf
from numbers import Real
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing import loops
from bleukit.comparing.resampling import POWER, RandomBits
from bleukit.comparing.settings import SEED
from bleukit.comparing.units import FEWEST_UNITS
from bleukit.framework.arguments import check_whole_number
from bleukit.framework.errors import InputError, InputTypeError, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

SIMULATED = 1_000
"""The number of test sets that are simulated for each number of units."""

MOST = 1 << 12
"""The number of units up to which test sets are simulated; larger ones have normally distributed differences."""


def quantile(power: float, alpha: float) -> float:
    """Return how many standard errors a difference must have to be significant at ``alpha`` in this share of test sets.

    Differences are taken as normally distributed; tests are two-sided.
    """
    return NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)


def segments_needed(  # noqa: PLR0913
    first: ArrayLike,
    second: ArrayLike,
    detect: float,
    *,
    power: float = 0.8,
    confidence_level: float = 0.95,
    pairs: int = 1,
    seed: int = SEED,
) -> int:
    """Return how many segments are needed to detect a difference, given scores of the segments of two systems.

    ``first`` and ``second`` are sentence scores of both systems on the same segments, by any metric, of shape
    (segments,). The difference ``detect`` of their means, in the scale of the scores, is then significant in the share
    ``power`` of test sets of so many segments like these, after adjustment for ``pairs`` of systems (Holm's first
    step). The number follows from the standard error of the mean or, if scores of fewer than 10 segments differ, from a
    simulation of test sets with ``seed``.

    Raises InputError unless there are as many scores of both, all finite, at least two of which differ.
    """
    scores = [_checked(name, values) for name, values in (("first", first), ("second", second))]
    if len(scores[0]) != len(scores[1]):
        raise InputError(
            f"first has {len(scores[0])} scores, second has {len(scores[1])}: each segment needs one of both"
        )
    for name, value, most in (("detect", detect, inf), ("power", power, 1), ("confidence_level", confidence_level, 1)):
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 < value < most:
            expected = "a number above 0" if most == inf else "a number between 0 and 1"
            raise InputError(f"{name}: expected {expected}, got {shown(value)}")
    alpha = (1 - confidence_level) / check_whole_number(pairs, "pairs", 1)
    differences = scores[0] - scores[1]
    differing = np.count_nonzero(differences)
    if differing < 2:
        raise InputError("scores of two or more segments must differ, else nothing is known of how they vary")
    if differing >= FEWEST_UNITS:
        return ceil(float(differences.var(ddof=1)) * (quantile(power, alpha) / detect) ** 2)
    one, other = (np.column_stack([np.ones(len(side)), side]) for side in scores)
    seed = check_whole_number(seed, "seed", 0)
    return simulated_units(lambda sums: sums[:, 1] / sums[:, 0], (one, other), detect, power, alpha, seed)


def _checked(name: str, values: ArrayLike) -> NDArray[np.float64]:
    try:
        scores = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(f"{name}: expected scores of segments, got {shown(values)}") from error
    if scores.ndim != 1 or not np.isfinite(scores).all():
        raise InputError(f"{name}: expected one finite score for each segment")
    return scores


def simulated_units(  # noqa: PLR0913
    score: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    texts: tuple[NDArray[np.floating], NDArray[np.floating]],
    difference: float,
    power: float,
    alpha: float,
    seed: int,
) -> int:
    """Return the number of units at which a difference is significant in this share of simulated test sets.

    ``score`` returns the score of each of some sums of units, of shape (sums, width). ``texts`` are the statistics of
    some units by two systems, each of shape (units, width). A test set draws units with replacement and swaps the two
    outputs of each with probability ½, so that no system is better; the difference is added. It is significant if the
    swapped test sets reach it with a probability below ``alpha``.
    """
    sides = np.concatenate(texts), np.concatenate(texts[::-1])

    def differences(units: int) -> NDArray[np.float64]:
        weights = np.empty((SIMULATED, len(sides[0])), np.float32)
        loops.tally(RandomBits(seed, POWER).indices(SIMULATED, units, len(sides[0])), weights)
        one, other = (score(weights.astype(np.float64) @ side) for side in sides)
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
