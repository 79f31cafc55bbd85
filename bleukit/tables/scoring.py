"""What is scored of a text: units at a level, and their scores by several variants or other metrics."""

from __future__ import annotations

from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.corpus.reproducing import scored
from bleukit.framework.additive import AdditiveStatistics
from bleukit.framework.errors import InputError
from bleukit.framework.metric import names_of, unit_names
from bleukit.tables.system_sums import SystemSums

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.comparing.results import Comparison
    from bleukit.comparing.settings import Settings
    from bleukit.corpus.arranging import Arrangement
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
    values: Mapping[str, Sequence[Sequence[float]]] = MappingProxyType({})
    """The scores of each system, if a procedure makes them of others."""

    @classmethod
    def of(
        cls,
        rows: Mapping[str, Sequence[Any]],
        level: Level,
        comparisons: Mapping[str, Comparison] | None = None,
        values: Mapping[str, Sequence[Sequence[float]]] | None = None,
    ) -> Units:
        """Return all units of a text, named by the keys of their rows. Raises InputError if there is none."""
        first = next(iter(rows.values()))[0]
        if not len(first):
            raise InputError("no segment to score")
        return cls(unit_names(names_of(first, level), 0, len(first)), rows, comparisons or {}, values or {})

    def parts(self, size: int) -> Iterator[Units]:
        """Yield so many units at a time."""
        for start in range(0, len(self.names), size):
            some = slice(start, start + size)
            rows, values = (
                {name: [each[some] for each in of_systems] for name, of_systems in known.items()}
                for known in (self.rows, self.values)
            )
            yield Units(self.names[some], rows, self.comparisons, values)


class Scoring(NamedTuple):
    """What is scored: systems, at a level, by variants or other metrics, each a column of a table.

    ``intervals`` are the settings of confidence intervals, None for none. ``arrangement`` is what a procedure does to
    the text, None for nothing.
    """

    columns: Sequence[Column]
    systems: Sequence[str]
    level: Level
    intervals: Settings | None = None
    arrangement: Arrangement | None = None

    @property
    def is_of_sums(self) -> bool:
        """Whether scores are those of sums of statistics, not made of others by a procedure."""
        return self.arrangement is None or not self.arrangement.keys.of_scores

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
        if not self.is_of_sums:
            yield self._by_procedure(usable_parts)
            return
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
        self._require_score(summed)
        yield Units.of(summed, self.level, comparisons)

    def values(self, units: Units) -> dict[str, list[list[float]]]:
        """Return the scores of some units, those of each system, by the names of the variants that give scores."""
        return {
            name: [[*of_system] for of_system in units.values[name]]
            if name in units.values
            else [_values(metric, rows, self.level) for rows in units.rows[name]]
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

    def _by_procedure(self, parts: Iterable[tuple[AlignedSegments, dict[str, Any]]]) -> Units:
        """Return all units, whose scores a procedure makes of others."""
        arrangement: Any = self.arrangement
        held = list(parts)
        documents: list[str] | None = None
        if all(segments.documents is not None for segments, _ in held):
            documents = [name for segments, _ in held for name in segments.documents or ()]
        rows: dict[str, list[Any]] = {}
        values: dict[str, list[list[float]]] = {}
        for column in self.columns:
            try:
                found = [
                    scored(AdditiveStatistics.concatenate(own), column.metric, self.level, arrangement, documents)
                    for own in zip(*(of_part[column.name] for _, of_part in held), strict=True)
                    if column.metric
                ]
            except InputError as error:
                column.give_up(error)
            if column.metric:
                rows[column.name] = [sums for sums, _ in found]
                values[column.name] = [of_units.tolist() for _, of_units in found]
        self._require_score(rows)
        if self.level == "sentence" and any(segments.names for segments, _ in held):
            names = [name for segments, _ in held for name in segments.names or ()][:: arrangement.together]
            rows = {name: [each.with_keys(names) for each in of_systems] for name, of_systems in rows.items()}
        return Units.of(rows, self.level, values=values)

    def _require_score(self, rows: Mapping[str, Any]) -> None:
        if not rows:
            raise InputError(f"no variant gives a score; {self.columns[0].name}: {'; '.join(self.columns[0].notes)}")

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


def _values(metric: AnyMetric, rows: Any, level: Level) -> list[float]:
    """Return the score of each row; of a single one without arrays, because NumPy takes long to import."""
    if len(rows) == 1:
        return [score.value for score in metric.scores(rows, level=level)]
    values: list[float] = metric.scorer(level).values(rows).tolist()
    return values
