"""Confidence intervals, as wide as few units require (Hesterberg 2015), and None for too few."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bleukit.comparing import students_t
from bleukit.framework.results import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

NORMAL = NormalDist()

TIES = 1e-10
"""The relative difference up to which scores are equal: far above all rounding errors."""

STEEPEST = 0.05
"""The least denominator of a shifted quantile: below it, the quantile is that of the largest resample anyway."""


LARGEST_EXPONENT = 700.0
"""What a floating-point number can be an exponential of."""


class Spread(NamedTuple):
    """How much too little resamples vary, as a factor, and the degrees of freedom of their variance."""

    factor: float
    freedom: float

    @classmethod
    def of(cls, units: NDArray[np.integer], squares: NDArray[np.float64]) -> Spread:
        """Return the spread, given the number of units of each stratum, and the sum of their squared linear terms.

        Of several strata, the degrees of freedom are those of Satterthwaite (1946).
        """
        units = np.maximum(units, 2)
        free = units - 1
        variances = squares * units / free
        if len(units) == 1 or not variances.any():
            return cls(math.sqrt(units.sum() / free.sum()), float(free.sum()))
        factor = math.sqrt(variances.sum() / squares.sum())
        return cls(factor, float(variances.sum() ** 2 / (variances**2 / free).sum()))


def bca(
    values: NDArray[np.float64], score: float, terms: NDArray[np.float64], spread: Spread, level: float
) -> Interval:
    """Return the interval of a score, given that of each resample, and the linear term of each unit in it.

    It is a BCa interval (Efron 1987), because scores are skewed; its acceleration is that of the delta method.
    """
    ties = np.isclose(values, score, rtol=TIES, atol=0)
    below = np.count_nonzero((values < score) & ~ties) + np.count_nonzero(ties) / 2
    bias = NORMAL.inv_cdf((below + 0.5) / (len(values) + 1))
    variation = float(np.square(terms).sum()) ** 1.5
    acceleration = float((terms**3).sum()) / (6 * variation) if variation else 0.0
    return percentiles(values, spread, level, bias, acceleration)


def logit(score: float, error: float, freedom: float, level: float, scale: float) -> Interval:
    """Return the interval of a score with this standard error: that of its logit, as for a proportion.

    So it stays between 0 and ``scale``, and is as skewed as scores of few units are (Brown, Cai and DasGupta 2001). If
    the scale is infinite, it is that of its logarithm.
    """
    share = score / scale
    if not error or not 0 <= share < 1 or score <= 0:
        return students_t.interval(score, error, freedom, level)
    if math.isinf(scale):
        factor = math.exp(min(students_t.quantile(level, freedom) * error / score, LARGEST_EXPONENT))
        return Interval(score / factor, score * factor, level)
    width = students_t.quantile(level, freedom) * error / (scale * share * (1 - share))
    middle = math.log(share / (1 - share))
    low, high = (scale / (1 + math.exp(min(-end, LARGEST_EXPONENT))) for end in (middle - width, middle + width))
    return Interval(low, high, level)


def percentiles(
    values: NDArray[np.float64], spread: Spread, level: float, bias: float = 0.0, acceleration: float = 0.0
) -> Interval:
    """Return the interval of a difference, given that of each resample: the percentiles, but for bias and skewness."""
    shifted = (bias + end for end in (-expanded(level, spread), expanded(level, spread)))
    tails = [NORMAL.cdf(bias + end / max(1 - acceleration * end, STEEPEST)) for end in shifted]
    # Quantiles of n + 1 values: those of n are too narrow (Davison and Hinkley 1997, section 5.2.1).
    low, high = np.quantile(values, tails, method="weibull")
    return Interval(float(low), float(high), level)


def expanded(level: float, spread: Spread) -> float:
    """Return the standard normal quantile at which the percentiles of resamples are an interval of this level.

    Resamples of few units vary too little, by √((units - 1) / units), and their own standard error is uncertain, as for
    Student's t (Hesterberg 2015, section 5.3).
    """
    return students_t.quantile(level, spread.freedom) * spread.factor


def expanded_p_value(p_value: float, spread: Spread) -> float:
    """Return the p-value that belongs to the :func:`expanded` intervals, given that of the resamples."""
    if p_value >= 1:
        return 1.0
    return students_t.two_sided_p(NORMAL.inv_cdf(p_value / 2) / spread.factor, spread.freedom)
