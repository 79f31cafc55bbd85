"""One table of scores: a row for each system, a column for each variant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from bleukit.atlas import counting
from bleukit.atlas.columns import Column, columns_of, note_misfits
from bleukit.comparing.settings import Settings
from bleukit.comparing.system_sums import SystemSums
from bleukit.comparing.words import caution
from bleukit.errors import InputError, InputTypeError, shown
from bleukit.metric import names_of, unit_names
from bleukit.results import Result, html_table
from bleukit.scoring import rounded
from bleukit.text.aligned_segments import AlignedSegments
from bleukit.text.arguments import available_cores, check_segments, check_sequence, check_threads
from bleukit.text.corpora import Reading

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from bleukit.additive import AdditiveStatistics
    from bleukit.bleu import VariantLike
    from bleukit.comparing.written import Comparison
    from bleukit.metric import AnyMetric, Level
    from bleukit.protocols import References, Text
    from bleukit.results import Interval
    from bleukit.text.layouts import Layout

VariantsLike: TypeAlias = "str | Sequence[VariantLike] | Mapping[str, VariantLike]"
"""Several variants: names, or what else :func:`bleukit.load` takes or returns; "all" are all named variants."""


class Piece(NamedTuple):
    """Some units of a table: ``rows`` holds the statistics of each system by the names of the variants.

    ``names`` are those of the units, or their numbers, from 1. ``comparisons`` hold the intervals, if these were asked
    for. A variant without a score is missing.
    """

    names: Sequence[str]
    rows: Mapping[str, Sequence[AdditiveStatistics]]
    comparisons: Mapping[str, Comparison]


class Tabulation:
    """The making of a table; ``columns`` receive notes on what does not fit while :meth:`pieces` yields the scores.

    ``intervals`` are the settings of confidence intervals, None for none.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        systems: Sequence[str],
        level: Level,
        *,
        has_documents: bool,
        intervals: Settings | None = None,
    ) -> None:
        self.columns = columns
        self.systems = systems
        self.level = level
        self._intervals = intervals
        for column in columns:
            if column.metric and column.metric.joins_documents:
                if not has_documents:
                    column.give_up("it joins the segments of each document, and documents are not known")
                elif level == "sentence":
                    column.give_up("it scores documents, not single segments")

    @property
    def metrics(self) -> dict[str, AnyMetric]:
        """The variants that give scores, by name."""
        return {column.name: column.metric for column in self.columns if column.metric}

    def pieces(self, readings: Iterable[Reading], threads: int) -> Iterator[Piece]:
        """Yield the units of a text: sentences as they come, documents and the corpus when all is counted.

        Raises InputError if there is no segment, or none of the variants gives a score.
        """
        parts = self._counted(self._looked_at(readings), threads)
        if self.level == "sentence":
            for segments, rows in parts:
                yield Piece(unit_names(segments.names, segments.first, len(segments.references)), rows, {})
            return
        metrics, systems = self.metrics.items(), len(self.systems)
        sums = {name: SystemSums(metric, self.level, systems, self._intervals) for name, metric in metrics}
        for segments, rows in parts:
            for name, of_systems in rows.items():
                sums[name].add(segments, of_systems)
        usable = [column for column in self.columns if column.metric]
        comparisons = {one.name: found for one in usable if (found := self._compared(one, sums[one.name]))}
        rows = {name: sums[name].rows for name in self.metrics}
        if not rows:
            raise InputError(f"no variant gives a score; {self.columns[0].name}: {'; '.join(self.columns[0].notes)}")
        first = next(iter(rows.values()))[0]
        yield Piece(unit_names(names_of(first, self.level), 0, len(first)), rows, comparisons)

    def rows(self, piece: Piece) -> dict[str, list[Any]]:
        """Return the columns of some units, a row for each system of each unit; a score is None if there is none."""
        several: dict[str, list[Any]] = {"system": [*self.systems] * len(piece.names)}
        if self.level != "corpus":
            several[self.level] = [name for name in piece.names for _ in self.systems]
        for column in self.columns:
            several[column.name] = [None] * len(several["system"])
            if column.metric and column.name in piece.rows:
                counted = (column.metric.scorer(self.level).values(rows) for rows in piece.rows[column.name])
                several[column.name] = np.stack(list(counted), axis=1).ravel().tolist()
        return several

    def _looked_at(self, readings: Iterable[Reading]) -> Iterator[Reading]:
        for reading in readings:
            if reading.replaced.first == 0:
                note_misfits(self.columns, reading.replaced.systems[0])
            yield reading

    def _counted(
        self, readings: Iterable[Reading], threads: int
    ) -> Iterator[tuple[AlignedSegments, dict[str, list[AdditiveStatistics]]]]:
        """Yield the parts of the text, without the variants that cannot count it; these are noted."""
        segments = 0
        for part in counting.counted(self.metrics, readings, threads):
            segments += len(part.segments.references)
            rows = {}
            for column in self.columns:
                found = part.rows.get(column.name) if column.metric else None
                if isinstance(found, InputError):
                    column.give_up(str(found))
                elif found is not None:
                    rows[column.name] = found
            yield part.segments, rows
        if not segments:
            raise InputError("no segment to score")

    def _compared(self, column: Column, sums: SystemSums) -> Comparison | None:
        """Return the intervals of the systems, if they are asked for; note why there are none, or no score."""
        try:
            for rows in sums.rows:
                sums.metric.scores(rows, level=self.level)
        except InputError as error:
            column.give_up(str(error))
            return None
        try:
            return sums.compared()
        except InputError as error:
            column.notes.append(f"cannot be resampled: {error}")
            return None


@dataclass(frozen=True, eq=False)
class TableColumn(Result):
    """A column of a :class:`Table`: a variant, called ``variant`` in the table.

    ``signature`` is None if there is no score. ``scale`` is 1 or 100. ``notes`` say why the variant does not fit the
    text, or why there is no score.
    """

    variant: str
    signature: str | None
    scale: float | None
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Table(Result, Sequence[dict[str, Any]]):
    """The scores of systems by several variants: a row for each system, or for each of its documents or sentences.

    It is a sequence of rows, each a dict: ``system``, ``document`` or ``sentence`` unless the level is "corpus", and
    the score by each variant, in the variant's scale; None if there is none. ``pandas.DataFrame(table)`` and
    ``polars.DataFrame(table)`` take it. ``columns`` describes each variant; ``intervals`` maps variants to the
    confidence intervals of the rows, if these were asked for.
    """

    level: str
    rows: tuple[Mapping[str, Any], ...]
    columns: tuple[TableColumn, ...]
    intervals: Mapping[str, tuple[Interval | None, ...]]
    procedure: str = ""

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return [dict(row) for row in self.rows[index]] if isinstance(index, slice) else dict(self.rows[index])

    @property
    def notes(self) -> dict[str, tuple[str, ...]]:
        """Each note, with the names of the variants that it is about."""
        return grouped_notes((column.variant, column.notes) for column in self.columns)

    def __str__(self) -> str:
        head, *rows = self._cells()
        lines = ["\t".join(cells) for cells in [head, *rows]]
        return "\n".join([*lines, *(f"note: {reason}: {', '.join(names)}" for reason, names in self.notes.items())])

    def __repr__(self) -> str:
        return f"<Table: {len(self.rows)} rows, {len(self.columns)} variants, level {self.level}>"

    def _repr_html_(self) -> str:
        from html import escape

        head, *rows = self._cells()
        notes = "".join(
            f"<li>{escape(reason)}: {escape(', '.join(names))}</li>" for reason, names in self.notes.items()
        )
        return html_table(head, rows) + (f"<ul>{notes}</ul>" if notes else "")

    def _cells(self) -> list[list[str]]:
        scales = {column.variant: column.scale for column in self.columns}
        known = [name for name in self.rows[0] if name not in scales] if self.rows else []
        body = [
            [str(row[name]) for name in known] + [shown_score(row[name], scale) for name, scale in scales.items()]
            for row in self.rows
        ]
        return [[*known, *scales], *body]


def shown_score(value: float | None, scale: float | None, places: int | None = None) -> str:
    """Return a score as a cell of a table: with two decimals, four for the scale 1, or ``places``."""
    if value is None:
        return "–"
    return rounded(value, places if places is not None else 2 if scale == 100 else 4)


def grouped_notes(notes: Iterable[tuple[str, Iterable[str]]]) -> dict[str, tuple[str, ...]]:
    """Return the names of the variants that each note is about, given the notes of each variant."""
    groups: dict[str, list[str]] = {}
    for name, of_one in notes:
        for note in of_one:
            groups.setdefault(note, []).append(name)
    return {note: tuple(names) for note, names in groups.items()}


def table(  # noqa: PLR0913
    variants: VariantsLike,
    systems: Mapping[str, Sequence[Text]],
    references: Sequence[References],
    *,
    level: Level = "corpus",
    documents: Sequence[Hashable] | None = None,
    confidence: bool = False,
    references_by: Layout | None = None,
    threads: int | None = None,
) -> Table:
    """Return the scores of some systems by several variants, as one table; each is that of the variant alone.

    ``variants`` are names, or what else :func:`bleukit.load` takes or returns, in a list; a mapping of names to them;
    or ``"all"`` for all named variants. ``systems`` maps names to hypotheses; ``references`` and ``references_by`` are
    those of :meth:`bleukit.Metric.corpus`. ``documents`` gives the document of each segment, for the level "document",
    for variants that join these, and for the intervals of ``confidence`` (95 %, bootstrap), at the level "corpus".

    A variant that does not fit the text is noted: one that is made for tokenized text, that leaves text unsplit which
    has no spaces between words, or that gives no score. What the variants have in common is computed once. Raises
    InputError for what no variant can score.
    """
    check_threads(threads)
    columns = columns_of(variants)
    reading = in_memory(systems, references, documents, references_by)
    if level == "document" and documents is None:
        raise InputError("documents: level 'document' needs them")
    if confidence and level != "corpus":
        raise InputError("confidence: intervals are those of the score of the corpus")
    intervals = Settings(test="bootstrap") if confidence else None
    making = Tabulation(
        columns, list(map(str, systems)), level, has_documents=documents is not None, intervals=intervals
    )
    pieces = list(making.pieces([reading], threads or available_cores()))
    return tabulated(making, pieces)


def in_memory(
    systems: Mapping[str, Sequence[Text]],
    references: Sequence[References],
    documents: Sequence[Hashable] | None,
    references_by: Layout | None,
) -> Reading:
    """Return what Python callers pass, checked. Raises InputError that names the invalid system."""
    if not isinstance(systems, Mapping) or not systems:
        raise InputTypeError(f"systems: expected a mapping of names to hypotheses, got {shown(systems)}")
    if len(set(map(str, systems))) < len(systems):
        raise InputError("systems: two names are the same as text")
    texts = []
    for name, hypotheses in systems.items():
        try:
            segments = check_segments(hypotheses, references, references_by=references_by)
        except InputError as error:
            raise type(error)(f"systems[{name!r}]: {error}") from error
        texts.append(segments.hypotheses)
    labels = None
    if documents is not None:
        labels = check_sequence(documents, "documents", "a sequence with the document of each segment")
        if len(labels) != len(segments):
            raise InputError(f"documents: {len(labels)} for {len(segments)} segments; each needs one")
    return Reading(AlignedSegments(0, texts, segments.references, labels, tokenized=segments.tokenized))


def tabulated(making: Tabulation, pieces: Sequence[Piece]) -> Table:
    """Return the whole table, given its pieces."""
    columns = [making.rows(piece) for piece in pieces]
    rows = [dict(zip(some, row, strict=True)) for some in columns for row in zip(*some.values(), strict=True)]
    intervals = {
        name: tuple(result.interval for result in comparison.systems)
        for piece in pieces
        for name, comparison in piece.comparisons.items()
    }
    comparisons = [comparison for piece in pieces for comparison in piece.comparisons.values()]
    procedure = comparisons[0].procedure if comparisons else ""
    for column in making.columns:
        if column.metric and comparisons and (warning := caution(comparisons[0].units, comparisons[0].resample_by)):
            column.notes.append(warning)
    described = [
        TableColumn(
            column.name,
            column.metric.scores(counted[0][:1], level=making.level)[0].signature
            if column.metric and counted
            else None,
            column.metric.scale if column.metric else None,
            tuple(column.notes),
        )
        for column in making.columns
        for counted in [pieces[0].rows.get(column.name)]
    ]
    return Table(making.level, tuple(rows), tuple(described), intervals, procedure)
