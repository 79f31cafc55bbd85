"""Confidence intervals, as wide as few units require (Hesterberg 2015), and None for too few."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing import students_t
from bleukit.comparing.results import FEWEST, Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

NORMAL = NormalDist()

STEEPEST = 0.05
"""The least denominator of a shifted quantile: below it, the quantile is that of the largest resample anyway."""


def of_score(values: NDArray[np.float64], score: float, influences: NDArray[np.float64], level: float) -> Interval:
    """Return the interval of a score, given that of each resample, and the influence of each unit on it.

    It is a BCa interval (Efron 1987), because scores are skewed; its acceleration is that of the delta method.
    """
    below = np.count_nonzero(values < score) + np.count_nonzero(values == score) / 2
    bias = NORMAL.inv_cdf((below + 0.5) / (len(values) + 1))
    variation = float(np.square(influences).sum()) ** 1.5
    acceleration = float((influences**3).sum()) / (6 * variation) if variation else 0.0
    return _interval(values, level, len(influences), bias, acceleration)


def of_difference(values: NDArray[np.float64], differing: int, level: float) -> Interval | None:
    """Return the percentile interval of a difference, given that of each resample; None if too few units differ."""
    return _interval(values, level, differing) if differing >= FEWEST else None


def around(value: float, error: float, units: int, level: float) -> Interval | None:
    """Return the interval of a value with this standard error; None for too few units."""
    if units < FEWEST:
        return None
    width = students_t.quantile(level, units - 1) * error
    return Interval(value - width, value + width, level)


def _interval(
    values: NDArray[np.float64], level: float, units: int, bias: float = 0.0, acceleration: float = 0.0
) -> Interval:
    shifted = (bias + end for end in (-expanded(level, units), expanded(level, units)))
    tails = [NORMAL.cdf(bias + end / max(1 - acceleration * end, STEEPEST)) for end in shifted]
    # Quantiles of n + 1 values: those of n are too narrow (Davison and Hinkley 1997, section 5.2.1).
    low, high = np.quantile(values, tails, method="weibull")
    return Interval(float(low), float(high), level)


def expanded(level: float, units: int) -> float:
    """Return the standard normal quantile at which the percentiles of resamples are an interval of this level.

    Resamples of few units vary too little, by √((units - 1) / units), and their own standard error is uncertain, as for
    Student's t (Hesterberg 2015, section 5.3).
    """
    return students_t.quantile(level, units - 1) * math.sqrt(units / (units - 1))


def expanded_p_value(p_value: float, units: int) -> float:
    """Return the p-value that belongs to the :func:`expanded` intervals, given that of the resamples."""
    if p_value >= 1 or units < 2:
        return 1.0
    return students_t.two_sided_p(NORMAL.inv_cdf(p_value / 2) * math.sqrt((units - 1) / units), units - 1)
