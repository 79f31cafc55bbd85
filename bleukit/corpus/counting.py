"""Several variants count a text at once, and their counts are added up: what they have in common is computed once."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bleukit.bleu.bleu import Bleu
from bleukit.corpus.shared_text import SharedText
from bleukit.corpus.system_sums import SystemSums
from bleukit.framework.errors import InputError
from bleukit.framework.metric import names_of, unit_names
from bleukit.framework.threads import map_while_reading
from bleukit.reading.corpora import Reading, documents_of, read_whole

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

    from bleukit.comparing.settings import Settings
    from bleukit.comparing.written import Comparison
    from bleukit.framework.additive import AdditiveStatistics
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.framework.packed import PackedTokens
    from bleukit.reading.aligned_segments import AlignedSegments
    from bleukit.reading.corpora import Corpus
    from bleukit.reading.files import Limits
    from bleukit.tables.columns import Column

CHUNK, LARGE = 1024, 2048
"""The number of segments of which tokens are held at a time, by all tokenizers, and the number if there is one."""

Rows: TypeAlias = "dict[str, list[AdditiveStatistics] | InputError]"
"""The statistics of each system by the names of the variants, or why a variant cannot count them."""


class VariantCounts(NamedTuple):
    """Some segments without their texts, or documents that are joined, and what variants count of them: a row each."""

    segments: AlignedSegments
    rows: Rows


def readings_of(corpus: Corpus, metrics: Collection[AnyMetric], limits: Limits) -> Iterable[Reading]:
    """Return the readings of a corpus, some segments each; all at once if a variant joins documents."""
    if any(metric.joins_documents for metric in metrics) or (corpus.has_entities and len(metrics) > 1):
        return [read_whole(corpus, limits)]
    return map(Reading, corpus.parts(*(metric.tokenize for metric in metrics if isinstance(metric, Bleu))))


def counted(metrics: Mapping[str, AnyMetric], readings: Iterable[Reading], threads: int) -> Iterator[VariantCounts]:
    """Yield what variants count: documents, if some join these, then all segments, some while the next are read.

    If :func:`readings_of` says so, there is one reading. Variants that join documents need to know these.
    """
    joining = {name: metric for name, metric in metrics.items() if metric.joins_documents}
    others = {name: metric for name, metric in metrics.items() if name not in joining}
    if joining:
        readings = list(readings)
        yield from _counted(joining, [reading.of_each(documents_of) for reading in readings], threads)
    if others or not joining:
        yield from _counted(others, readings, threads)


def _counted(metrics: Mapping[str, AnyMetric], readings: Iterable[Reading], threads: int) -> Iterator[VariantCounts]:
    highest_orders_first = dict(sorted(metrics.items(), key=lambda item: -item[1].max_order))
    size = max(CHUNK, LARGE // max(len(metrics), 1))
    parts = chain.from_iterable(reading.parts(size) for reading in readings)
    return map_while_reading(partial(_counted_part, highest_orders_first), parts, threads)


def _counted_part(metrics: Mapping[str, AnyMetric], reading: Reading, _threads: int) -> VariantCounts:
    """Return the rows of some segments of all systems; the references are tokenized once."""
    references: dict[Hashable, PackedTokens] = {}
    rows: Rows = {}
    for read in reading.readers():
        text = SharedText(read, references)
        for name, metric in metrics.items():
            known = rows.setdefault(name, [])
            if not isinstance(known, InputError):
                read(metric.tokenizer)  # what is wrong with the text itself is no fault of a variant
                try:
                    known.append(metric.rows(text.tokens(metric), reading.replaced.first))
                except InputError as error:
                    rows[name] = error
    return VariantCounts(reading.replaced.without_texts(), rows)


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

    def units(self, parts: Iterable[VariantCounts]) -> Iterator[Units]:
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

    def _without_errors(self, parts: Iterable[VariantCounts]) -> Iterator[tuple[AlignedSegments, dict[str, Any]]]:
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
