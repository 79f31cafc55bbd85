"""One table of scores: a row for each system, a column for each variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from bleukit.bleu.scoring import rounded
from bleukit.comparing.settings import Settings
from bleukit.comparing.words import caution
from bleukit.corpus.counting import counted
from bleukit.framework.arguments import available_cores, check_segments, check_sequence, check_threads
from bleukit.framework.errors import InputError, InputTypeError, shown
from bleukit.framework.results import Result
from bleukit.reading.aligned_segments import AlignedSegments
from bleukit.reading.corpora import Reading
from bleukit.tables.columns import columns_of, give_up_joining, grouped_notes, note_misfits
from bleukit.tables.scoring import Scoring
from bleukit.writing.printers import as_html
from bleukit.writing.table import table_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from bleukit.bleu.bleu import VariantLike
    from bleukit.framework.layouts import Layout
    from bleukit.framework.metric import Level
    from bleukit.framework.protocols import References, Text
    from bleukit.framework.results import Interval
    from bleukit.tables.scoring import Units
    from bleukit.writing.table import TextTable

VariantsLike: TypeAlias = "str | Sequence[VariantLike] | Mapping[str, VariantLike]"
"""Several variants: names, or what else :func:`bleukit.load` takes or returns; "all" are all named variants."""


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
        table = self._table()
        lines = ["\t".join(cells) for cells in [[head.name for head in table.heads], *table.rows]]
        return "\n".join([*lines, *table.notes])

    def __repr__(self) -> str:
        return f"<Table: {len(self.rows)} rows, {len(self.columns)} variants, level {self.level}>"

    def _repr_html_(self) -> str:
        return as_html(self._table())

    def _table(self) -> TextTable:
        scales = {column.variant: column.scale for column in self.columns}
        known = [name for name in self.rows[0] if name not in scales] if self.rows else []
        columns = {name: [str(row[name]) for row in self.rows] for name in known}
        columns |= {name: [shown_score(row[name], scale) for row in self.rows] for name, scale in scales.items()}
        notes = [f"note: {reason}: {', '.join(names)}" for reason, names in self.notes.items()]
        return table_of(columns.items(), known, notes=notes)


def shown_score(value: float | None, scale: float | None, places: int | None = None) -> str:
    """Return a score as a cell of a table: with two decimals, four for the scale 1, or ``places``."""
    if value is None:
        return "–"
    return rounded(value, places if places is not None else 2 if scale == 100 else 4)


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
    give_up_joining(columns, level, has_documents=documents is not None)
    note_misfits(columns, reading.replaced.systems[0])
    scoring = Scoring(columns, list(map(str, systems)), level, Settings(test="bootstrap") if confidence else None)
    parts = counted(scoring.metrics, [reading], threads or available_cores())
    return tabulated(scoring, list(scoring.units(parts)))


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


def tabulated(scoring: Scoring, blocks: Sequence[Units]) -> Table:
    """Return the scores of all units as a table."""
    several = map(scoring.scores, blocks)
    rows = [dict(zip(columns, row, strict=True)) for columns in several for row in zip(*columns.values(), strict=True)]
    comparisons = {name: comparison for units in blocks for name, comparison in units.comparisons.items()}
    intervals = {name: tuple(result.interval for result in found.systems) for name, found in comparisons.items()}
    some = next(iter(comparisons.values()), None)
    notes = [warning] if some and (warning := caution(some.units, some.resample_by)) else []
    signatures = scoring.signatures(blocks[0])
    described = []
    for column in scoring.columns:
        column.notes += notes if column.metric else []
        scale = column.metric.scale if column.metric else None
        described.append(TableColumn(column.name, signatures.get(column.name), scale, tuple(column.notes)))
    return Table(scoring.level, tuple(rows), tuple(described), intervals, some.procedure if some else "")
