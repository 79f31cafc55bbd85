"""Systems, references, documents and sources in text files and tables, aligned with each other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bleukit.framework.errors import InputError
from bleukit.reading.aligned_segments import AlignedSegments, group_references, note_blank_document
from bleukit.reading.open_files import OpenFiles, TextColumn, read_aligned
from bleukit.reading.paths import split_path
from bleukit.reading.table_file import ROWS, LinesTable, TableFile

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterator, Sequence

    from bleukit.reading.column_names import ColumnNames, ColumnRole
    from bleukit.reading.files import Limits
    from bleukit.reading.table_file import Columns, RowValues

OptionalColumn: TypeAlias = Literal["document", "source", "test_set"]

TEXTS = 1 << 17
"""Texts of many files that are read at a time."""

LEAST_ROWS = 512
"""The least number of segments read at a time."""


class SystemsInRows(TableFile):
    """A table with a row of each system for each segment, read as a whole: row N of every system is segment N.

    It is aligned with other files as a table with one row of each segment, and the texts of all systems behind it.
    """

    unit = "segment"

    def __init__(self, table: TableFile, system: str, text: str) -> None:
        super().__init__(table.file)
        self.table = table
        self._system, self._text = table.choose("system", system), table.choose("hypothesis", text)
        self._segments: list[tuple[int, RowValues]] = []
        """The first row of each segment, with its number."""
        self._texts: dict[str, list[str]] = {}

    def read(self, limits: Limits) -> None:
        """Read all rows. Raises InputError if systems differ in more than their texts, or in their number of rows."""
        number = characters = 0
        for columns in self.table.blocks():
            for row in zip(*columns, strict=True):
                number += 1
                characters += len(row[self._text])
                texts = self._texts.setdefault(row[self._system], [])
                if len(texts) == len(self._segments):
                    self._segments.append((number, row))
                else:
                    self._require_alike(number, row, *self._segments[len(texts)])
                texts.append(row[self._text])
            limits.check("segments", number, "{}: the table of all systems", self.name)
            limits.check("text", characters, "{}: the table of all systems", self.name)
        first, *others = self._texts
        for other in others:
            if len(self._texts[other]) != len(self._texts[first]):
                lengths = f"{len(self._texts[other])} rows of system {other!r}, {len(self._texts[first])} of {first!r}"
                raise self.table.error(f"has {lengths}: row N of each must belong to segment N")

    def _require_alike(self, number: int, row: RowValues, first_number: int, first: RowValues) -> None:
        for (column, _, role), value, expected in zip(self.table.chosen, row, first, strict=True):
            if role not in {"system", "hypothesis"} and value != expected:
                raise self.table.error(
                    f"row {number}, column {column!r}: differs from row {first_number}, which has the same segment of "
                    "another system"
                )

    def systems(self, name: str | None) -> list[str]:
        """Return the names of the systems, in the order of the table, or the one that is asked for."""
        if name is not None and name not in self._texts:
            raise self.table.error(f"holds no system {name!r}; it holds {', '.join(map(repr, self._texts))}")
        return list(self._texts) if name is None else [name]

    def place(self, system: str) -> int:
        """Return the place of a system's text in the rows."""
        return len(self.table.chosen) + list(self._texts).index(system)

    def _read(self) -> Generator[Columns, None, None]:
        yield []
        for start in range(0, len(self._segments), ROWS):
            some = slice(start, start + ROWS)
            of_all = map(list, zip(*(row for _, row in self._segments[some]), strict=True))
            columns: Columns = [*of_all, *(of_system[some] for of_system in self._texts.values())]
            self.lines_read += len(columns[0])
            yield columns


class AlignedFiles:
    """Text files and tables: line N, or row N of each table, or of each system in it, belongs to segment N.

    What several tables hold, except hypotheses, must be the same in all of them. See
    :data:`bleukit.reading.corpora.Corpus` and :func:`bleukit.reading.corpora.open_corpus`.
    """

    has_entities = False

    def __init__(  # noqa: PLR0913
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        documents: str | None,
        columns: ColumnNames,
        wanted: Collection[OptionalColumn],
        limits: Limits,
        on_read: Callable[[int], object] | None,
    ) -> None:
        self.notes: list[str] = []
        files = len(hypotheses) + len(references) + (documents is not None)
        self._number = min(ROWS, max(TEXTS // files, LEAST_ROWS))
        self._files = OpenFiles(columns, limits, on_read, files)
        try:
            self._open(hypotheses, references, documents, wanted, limits)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the files, if not all of them were read."""
        self._files.close()

    def _open(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        documents: str | None,
        wanted: Collection[OptionalColumn],
        limits: Limits,
    ) -> None:
        """Open the tables, and find the columns."""
        files = self._files
        by_system = [self._find_by_system(number) for number in dict.fromkeys(map(files.number, hypotheses))]
        if references:
            of_files = [[column for path in references for column in files.find(path, "reference")]]
        else:
            of_files = self._references_beside()
        self.reference_paths: Sequence[str] = [column.path for column in of_files[0]]
        self._has_lists = any(map(files.holds_lists, of_files[0]))
        self._lengths: set[int] = set() if self._has_lists else {len(self.reference_paths)}
        self._shared: dict[ColumnRole, list[list[TextColumn]]] = {"reference": of_files}
        if documents is not None:
            self._shared["document"] = [files.find(documents, "document")]
        for role in wanted:
            if role not in self._shared:
                self._shared[role] = self._beside(role)
        self.has_documents = bool(self._shared.get("document"))
        for table in filter(None, by_system):
            table.read(limits)
        self._systems = [column for path in hypotheses for column in self._systems_in(path)]
        times = Counter(column.name for column in self._systems)
        self.systems: Sequence[str] = [one.path if times[one.name] > 1 else one.name for one in self._systems]
        self.system_paths: Sequence[str] = [column.path for column in self._systems]

    @property
    def references(self) -> int | None:
        """How many references a segment has; None if lists hold them, until all are read, or if that varies."""
        return next(iter(self._lengths)) if len(self._lengths) == 1 else None

    def parts(self, *tokenizers: object) -> Iterator[AlignedSegments]:  # noqa: ARG002 - these files have no entities
        """Yield all segments, some at a time. Raises InputError if a file cannot be read, or does not fit others."""
        first = 0
        for blocks in read_aligned(self._files.readers, self._number):
            references, documents, sources, test_sets = (
                self._agreed(role, blocks, first) for role in ("reference", "document", "source", "test_set")
            )
            if documents:
                reader = self._files.readers[self._shared["document"][0][0].file]
                where = f"{reader.name}:" if isinstance(reader, LinesTable) else f"{reader.name}: {reader.unit} "
                note_blank_document(documents, where, first, self.notes)
            if self._has_lists:
                self._lengths.update(references.lengths())
            systems = [column.values(blocks) for column in self._systems]
            yield AlignedSegments(first, systems, references, documents, None, sources, test_sets)
            first += len(blocks[0][0])
        self.notes += self._files.notes

    def _agreed(self, role: ColumnRole, blocks: Sequence[Any], first: int) -> Any:
        """Return what several files hold, which must be the same in all; None if none holds it."""
        of_files = self._shared.get(role, [])
        columns_of_files = [[column.values(blocks) for column in columns] for columns in of_files]
        values = [group_references(some) if role == "reference" else some[0] for some in columns_of_files]
        for other, columns in zip(values[1:], of_files[1:], strict=True):
            if other == values[0]:  # packed texts are compared at once
                continue
            pairs = enumerate(zip(values[0], other, strict=True), first + 1)
            row = next((at for at, (own, theirs) in pairs if list(own) != list(theirs)), None)
            if row is not None:
                one, another = (self._files.readers[column.file].name for column in (of_files[0][0], columns[0]))
                raise InputError(f"{another}: row {row}: the {role} is not that of {one}")
        return values[0] if values else None

    def _find_by_system(self, number: int) -> SystemsInRows | None:
        """Find out whether a column of a table of hypotheses says whose they are."""
        table, asked = self._files.tables.get(number), self._files.columns
        if not table or not (system := table.find("system", asked.of("system"))):
            return None
        text = table.require_one("hypothesis", asked.hypothesis)
        by_system = self._files.readers[number] = SystemsInRows(table, system[0], text)
        return by_system

    def _systems_in(self, path: str) -> list[TextColumn]:
        """Return the columns of the systems of a file, or of the one that is chosen."""
        number = self._files.number(path)
        reader = self._files.readers[number]
        if not isinstance(reader, SystemsInRows):
            return self._files.find(path, "hypothesis")
        file, name = split_path(path)
        only = len(reader.systems(None)) == 1
        return [
            TextColumn(system, file if only else f"{file}#{system}", number, reader.place(system))
            for system in reader.systems(name)
        ]

    def _references_beside(self) -> list[list[TextColumn]]:
        """Return the references of each table that has hypotheses and references."""
        files = self._files
        of_tables = [
            files.choose(number, "reference", table.find("reference", files.columns.reference))
            for number, table in files.tables.items()
        ]
        if not any(of_tables):
            table = next(iter(files.tables.values()))
            raise table.error(f"which column is the reference? Give -r, or --reference-column; {table.listed()}")
        return [columns for columns in of_tables if columns]

    def _beside(self, role: OptionalColumn) -> list[list[TextColumn]]:
        """Return where the tables have documents, or sources."""
        tables, asked = self._files.tables, self._files.columns.of(role)
        holding = [number for number, table in tables.items() if not asked or asked[0] in table.columns]
        columns = [
            self._files.choose(number, role, tables[number].find(role, asked)) for number in holding or [*tables][:1]
        ]
        return [one for one in columns if one]
