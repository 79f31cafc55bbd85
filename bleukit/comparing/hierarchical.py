"""Two systems with several runs each: their difference as evidence about new runs and new segments.

The runs of a system are a sample of what its training gives, and all of them translate the same segments. That is the
design of readers who judge the same cases, for which Obuchowski and Rockette (1995) separate the variance among the
readers from that of the cases, which all readers share; Hillis (2007) gives the degrees of freedom.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bleukit import students_t

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bleukit.results import Interval


class Estimate(NamedTuple):
    """A score, or a difference, with its standard error for new runs and new units, and that error's freedom."""

    value: float
    error: float
    freedom: float

    @property
    def p_value(self) -> float:
        """The two-sided p-value of a difference."""
        if not self.value:
            return 1.0
        return students_t.two_sided_p(self.value / self.error, self.freedom) if self.error else 0.0

    def interval(self, level: float) -> Interval:
        """Return the confidence interval."""
        return students_t.interval(self.value, self.error, self.freedom, level)


def estimate(runs: Sequence[NDArray[np.float64]], covariance: NDArray[np.float64], by_units: float) -> Estimate:
    """Return the estimate of the mean score of a system, or of the difference of two, given the scores of their runs.

    ``covariance`` is that of the scores of all runs by the choice of units, with ``by_units`` degrees of freedom, first
    those of the first system. The variance among runs is taken to be that of both systems, so one of them may have a
    single run, but not both.
    """
    freedom = sum(map(len, runs)) - len(runs)
    variance = sum(len(scores) * scores.var() for scores in runs) / freedom
    first = len(runs[0])
    blocks = [block for block in (covariance[:first, :first], covariance[first:, first:]) if len(block)]
    own = max(_own(block) for block in blocks if len(block) > 1)  # of a single run, too
    shared = sum(_shared(block) if len(block) > 1 else block[0, 0] - own for block in blocks)
    value = runs[0].mean()
    if len(runs) > 1:
        value -= runs[1].mean()
        shared -= 2 * covariance[:first, first:].mean()
    return _estimate(float(value), variance * sum(1 / len(scores) for scores in runs), freedom, shared, by_units)


def _shared(covariance: NDArray[np.float64]) -> float:
    """Return the variance that all runs of a system share through their units: the mean covariance of two runs."""
    runs = len(covariance)
    return float(covariance.sum() - np.trace(covariance)) / (runs * (runs - 1))


def _own(covariance: NDArray[np.float64]) -> float:
    """Return the variance that each run has beyond what all runs share."""
    return float(np.trace(covariance)) / len(covariance) - _shared(covariance)


def _estimate(value: float, among_runs: float, freedom: int, shared: float, freedom_by_units: float) -> Estimate:
    """Add the variance among runs to that of the units, with the degrees of freedom of Satterthwaite (1946)."""
    by_units = max(shared, 0.0)
    variance = among_runs + by_units
    squares = among_runs**2 / freedom + by_units**2 / freedom_by_units
    return Estimate(value, math.sqrt(variance), variance**2 / squares if squares else math.inf)
