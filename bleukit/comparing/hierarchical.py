"""Two systems with several runs each: their difference as evidence about new runs and new segments.

The runs of a system are a sample of what its training gives, and all of them translate the same segments. That is the
design of readers who judge the same cases, for which Obuchowski and Rockette (1995) separate the variance among the
readers from that of the cases, which all readers share; Hillis (2007) gives the degrees of freedom.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bleukit.comparing import students_t
from bleukit.framework.results import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


FEWEST_RUNS = 3
"""The number of runs of a system from which its score has an interval."""

LEAST_VARIANCE = -0.125
"""The least variance by units, as a part of that by runs: the estimate has no bias, and so is negative at times.

With 0, as Hillis takes it, tests of systems that units do not tell apart reject 3 to 4 % at 5 % with few units.
The number was chosen by ``benchmarks/calibration.py``, on the test sets that ``docs/comparing.md`` shows.
"""


class Variance(NamedTuple):
    """An estimated variance and its degrees of freedom."""

    value: float
    freedom: float


class Estimate(NamedTuple):
    """A score, or a difference, and its variances: by the choice of runs, and by that of units.

    The latter may be negative, because it is what is left of all variance after that of the runs.
    """

    value: float
    by_runs: Variance
    by_units: Variance

    @property
    def error(self) -> float:
        """The standard error for new runs and new units."""
        return math.sqrt(self.by_runs.value + self.by_units.value)

    @property
    def freedom(self) -> float:
        """The degrees of freedom of the standard error (Satterthwaite 1946)."""
        values = self._weights
        squares = sum(value**2 / variance.freedom for value, variance in zip(values, self[1:], strict=True))
        return sum(values) ** 2 / squares if squares else math.inf

    @property
    def _weights(self) -> list[float]:
        """What each variance counts in what is made of both: nothing if it is negative."""
        return [max(variance.value, 0) for variance in self[1:]]

    @property
    def p_value(self) -> float:
        """The two-sided p-value of a difference."""
        if not self.value:
            return 1.0
        return students_t.two_sided_p(self.value / self.error, self.freedom) if self.error else 0.0

    def interval(self, level: float) -> Interval:
        """Return the confidence interval of a difference."""
        return students_t.interval(self.value, self.error, self.freedom, level)

    def interval_of_score(self, level: float) -> Interval | None:
        """Return the confidence interval of the score of one system; None for two runs, which say too little.

        Student's quantiles by runs and by units are averaged, weighted by the variances (Cochran and Cox 1957): with so
        few runs, intervals with Satterthwaite's degrees of freedom are too narrow.
        """
        if self.by_runs.freedom < FEWEST_RUNS - 1:
            return None
        quantiles = [students_t.quantile(level, variance.freedom) for variance in self[1:]]
        width = self.error * float(np.average(quantiles, weights=self._weights)) if self.error else 0.0
        return Interval(self.value - width, self.value + width, level)


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
    # The variance that each run has beyond what all runs of its system share; a single run has it, too.
    own = max(float(np.trace(block)) / len(block) - _shared(block) for block in blocks if len(block) > 1)
    shared = sum(_shared(block) if len(block) > 1 else block[0, 0] - own for block in blocks)
    value = runs[0].mean()
    if len(runs) > 1:
        value -= runs[1].mean()
        shared -= 2 * covariance[:first, first:].mean()
    among_runs = variance * sum(1 / len(scores) for scores in runs)
    return Estimate(
        float(value), Variance(among_runs, freedom), Variance(max(float(shared), LEAST_VARIANCE * among_runs), by_units)
    )


def _shared(covariance: NDArray[np.float64]) -> float:
    """Return the variance that all runs of a system share through their units: the mean covariance of two runs."""
    runs = len(covariance)
    return float(covariance.sum() - np.trace(covariance)) / (runs * (runs - 1))
