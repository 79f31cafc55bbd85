"""Student's t distribution, for 1 or more degrees of freedom; SciPy is too large for that alone."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

import numpy as np

from bleukit.framework.results import Interval

NORMAL = 10_000
"""The degrees of freedom from which the normal distribution is used; p-values differ from it by less than 0.00003."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(80)


def two_sided_p(t: float, freedom: float) -> float:
    """Return the probability that a t-distributed number is at least as far from 0 as ``t``, with an error below 1e-8.

    With t = √freedom tan θ, the density is that of cos(θ)^(freedom - 1), which is integrated from 0 to θ.
    """
    if freedom >= NORMAL or math.isinf(t):
        return math.erfc(abs(t) / math.sqrt(2))
    end = math.atan(abs(t) / math.sqrt(freedom))
    # Beyond this, nothing is left to integrate: the density is below 1e-40 of its largest value.
    end = min(end, math.acos(10 ** (-40 / freedom)))
    heights = np.cos(end * (1 + _NODES) / 2) ** (freedom - 1)
    area = float(heights @ _WEIGHTS) * end / 2
    whole = math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom + 1) / 2)) * math.sqrt(math.pi) / 2
    return max(0.0, 1 - area / whole)


@cache
def quantile(level: float, freedom: float) -> float:
    """Return t such that a t-distributed number is between -t and t with the probability ``level``."""
    if freedom >= NORMAL:
        return NormalDist().inv_cdf((1 + level) / 2)
    low, high = 0.0, 2.0
    while two_sided_p(high, freedom) > 1 - level:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided_p(middle, freedom) > 1 - level else (low, middle)
    return high


def interval(value: float, error: float, freedom: float, level: float) -> Interval:
    """Return the confidence interval of a value with this standard error, which has so many degrees of freedom."""
    width = quantile(level, freedom) * error if error else 0.0
    return Interval(value - width, value + width, level)
