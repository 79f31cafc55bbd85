"""What is scored of a text: units at a level, and their scores by several variants or other metrics."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.framework.errors import InputError
from bleukit.framework.metric import names_of, unit_names
from bleukit.tables.system_sums import SystemSums

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.comparing.results import Comparison
    from bleukit.comparing.settings import Settings
    from bleukit.corpus.counting import CountedPart
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.reading.aligned_segments import AlignedSegments
    from bleukit.tables.columns import Column


class Units(NamedTuple):
    """Some units, documents or sentences; or the whole corpus as one unit.

    ``names`` are those of the units, or their numbers, from 1. ``rows`` holds the statistics of each system, one row
    per unit, by the names of the variants; one without a score is missing. ``comparisons`` hold the intervals of the
    score of a corpus, if they were asked for.
    """

    names: Sequence[str]
    rows: Mapping[str, Sequence[Any]]
    comparisons: Mapping[str, Comparison]

    @classmethod
    def of(
        cls, rows: Mapping[str, Sequence[Any]], level: Level, comparisons: Mapping[str, Comparison] | None = None
    ) -> Units:
        """Return all units of a text, named by the keys of their rows. Raises InputError if there is none."""
        first = next(iter(rows.values()))[0]
        if not len(first):
            raise InputError("no segment to score")
        return cls(unit_names(names_of(first, level), 0, len(first)), rows, comparisons or {})

    def parts(self, size: int) -> Iterator[Units]:
        """Yield so many units at a time."""
        for start in range(0, len(self.names), size):
            some = slice(start, start + size)
            rows = {name: [each[some] for each in of_systems] for name, of_systems in self.rows.items()}
            yield Units(self.names[some], rows, self.comparisons)


class Scoring(NamedTuple):
    """What is scored: systems, at a level, by variants or other metrics, each a column of a table.

    ``intervals`` are the settings of confidence intervals, None for none.
    """

    columns: Sequence[Column]
    systems: Sequence[str]
    level: Level
    intervals: Settings | None = None

    @property
    def metrics(self) -> dict[str, AnyMetric]:
        """The variants that give scores, by name."""
        return {column.name: column.metric for column in self.columns if column.metric}

    def units(self, parts: Iterable[CountedPart]) -> Iterator[Units]:
        """Yield the units of a text: sentences as they come, documents and the corpus when all is counted.

        The columns receive notes on why there is no score. Raises InputError if there is no segment, or no score at
        all.
        """
        usable_parts = self._without_errors(parts)
        if self.level == "sentence":
            for segments, rows in usable_parts:
                names = segments.names
                named = {name: [each.with_keys(names) for each in rows[name]] for name in rows} if names else rows
                yield Units(unit_names(names, segments.first, len(segments.references)), named, {})
            return
        metrics, systems = self.metrics.items(), len(self.systems)
        sums = {name: SystemSums(metric, self.level, systems, self.intervals) for name, metric in metrics}
        for segments, rows in usable_parts:
            for name, of_systems in rows.items():
                sums[name].add(segments, of_systems)
        usable = [column for column in self.columns if column.metric]
        comparisons = {one.name: found for one in usable if (found := self._compared(one, sums[one.name]))}
        summed = {name: sums[name].rows for name in self.metrics}
        if not summed:
            raise InputError(f"no variant gives a score; {self.columns[0].name}: {'; '.join(self.columns[0].notes)}")
        yield Units.of(summed, self.level, comparisons)

    def values(self, units: Units) -> dict[str, list[list[float]]]:
        """Return the scores of some units, those of each system, by the names of the variants that give scores."""
        return {
            name: [metric.scorer(self.level).values(rows).tolist() for rows in units.rows[name]]
            for name, metric in self.metrics.items()
            if name in units.rows
        }

    def scores(self, units: Units) -> dict[str, list[Any]]:
        """Return the columns of some units, a row for each system of each unit; a score is None if there is none."""
        several: dict[str, list[Any]] = {"system": [*self.systems] * len(units.names)}
        if self.level != "corpus":
            several[self.level] = [name for name in units.names for _ in self.systems]
        values, none = self.values(units), [[None] * len(units.names)] * len(self.systems)
        for column in self.columns:
            several[column.name] = list(chain.from_iterable(zip(*values.get(column.name, none), strict=True)))
        return several

    def signatures(self, units: Units) -> dict[str, str]:
        """Return the signature of the first of some units by each variant that gives a score."""
        return {
            name: metric.scores(units.rows[name][0][:1], level=self.level)[0].signature
            for name, metric in self.metrics.items()
            if name in units.rows
        }

    def _without_errors(self, parts: Iterable[CountedPart]) -> Iterator[tuple[AlignedSegments, dict[str, Any]]]:
        """Yield the parts of the text, without the variants that cannot count it; these are noted."""
        segments = 0
        for part in parts:
            segments += len(part.segments.references)
            rows = {}
            for column in self.columns:
                found = part.rows.get(column.name) if column.metric else None
                if isinstance(found, InputError):
                    column.give_up(found)
                elif found is not None:
                    rows[column.name] = found
            yield part.segments, rows
        if not segments:
            raise InputError("no segment to score")

    def _compared(self, column: Column, sums: SystemSums) -> Comparison | None:
        """Return the intervals of the systems, if they are asked for; note why there are none, or no score."""
        if column.alone:
            return sums.compared()
        try:
            for rows in sums.rows:
                sums.metric.scores(rows, level=self.level)
        except InputError as error:
            column.give_up(error)
            return None
        try:
            return sums.compared()
        except InputError as error:
            column.notes.append(f"cannot be resampled: {error}")
            return None
