"""The statistics of all systems of a text, added up while they are counted, and intervals if these are asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.comparing.results import Comparison
    from bleukit.comparing.settings import Settings
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.reading.aligned_segments import AlignedSegments


class SystemSums:
    """Adds up the statistics of all systems at a level; with settings of ``intervals``, it keeps rows to resample."""

    def __init__(self, metric: AnyMetric, level: Level, systems: int, intervals: Settings | None) -> None:
        self.metric = metric
        self._level = level
        self._accumulators = [metric.accumulator(level) for _ in range(systems)]
        self._intervals = intervals
        if intervals:
            from bleukit.comparing.gathering import Systems  # needs NumPy

            self._systems = Systems(dict.fromkeys(map(str, range(systems)), 1))

    def add(self, segments: AlignedSegments, rows: Sequence[Any]) -> None:
        """Add the rows of each system for some segments."""
        documents = segments.documents if self._level == "document" else None
        for accumulator, of_system in zip(self._accumulators, rows, strict=True):
            accumulator.add(of_system, documents=documents)
        if self._intervals:
            self._systems.add(rows, segments.documents)

    @property
    def rows(self) -> list[Any]:
        """The sums of each system, one row per unit."""
        return [accumulator.statistics for accumulator in self._accumulators]

    def compared(self) -> Comparison | None:
        """Return the intervals of the systems, in their order; None if they are not asked for. Raises InputError."""
        if self._intervals is None:
            return None
        from bleukit.comparing.comparison import compared  # needs NumPy

        comparison = compared(self.metric, self._systems, self._intervals)
        return replace(comparison, systems=tuple(sorted(comparison.systems, key=lambda result: int(result.system))))
