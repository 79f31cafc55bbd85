"""Systems, references, documents and sources in tables, aligned with each other and with text files."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from bleukit.errors import InputError
from bleukit.text import table_names, tables
from bleukit.text.aligned_segments import AlignedSegments, group_references, note_blank_document
from bleukit.text.files import TextFile, read_aligned
from bleukit.text.table_file import ROWS, TableFile, TableRows

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from contextlib import AbstractContextManager

    from bleukit.text.files import Limits
    from bleukit.text.table_file import RowValues
    from bleukit.text.table_names import ColumnNames, ColumnRole

OptionalColumn: TypeAlias = Literal["document", "source"]


class SystemsInRows:
    """A table with a row of each system for each segment, read as a whole: row N of every system is segment N.

    It is aligned with other files as a table with one row of each segment, and the texts of all systems behind it.
    """

    unit = "segment"

    def __init__(self, table: TableFile, system: str, text: str) -> None:
        self.table = table
        self.name = table.name
        self.lines_read = self.characters_read = 0
        self.ended = False
        self._system, self._text = table.choose("system", system), table.choose("hypothesis", text)
        self._segments: list[tuple[int, RowValues]] = []
        """The first row of each segment, with its number."""
        self._texts: dict[str, list[str]] = {}

    def read(self, limits: Limits) -> None:
        """Read all rows. Raises InputError if systems differ in more than their texts, or in their number of rows."""
        number = characters = 0
        for rows in self.table.blocks():
            for row in rows:
                number += 1
                characters += len(row[self._text])
                texts = self._texts.setdefault(row[self._system], [])
                if len(texts) == len(self._segments):
                    self._segments.append((number, row))
                else:
                    self._require_alike(number, row, *self._segments[len(texts)])
                texts.append(row[self._text])
            limits.check("segments", number, "{}: the rows of all systems", self.name)
            limits.check("text", characters, "{}: the rows of all systems", self.name)
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

    def opened(self) -> AbstractContextManager[None]:
        """Open nothing: all was read."""
        return nullcontext()

    def blocks(self) -> Iterator[TableRows]:
        """Yield the rows, some at a time."""
        for start in range(0, len(self._segments), ROWS):
            some = slice(start, start + ROWS)
            of_all = map(list, zip(*(row for _, row in self._segments[some]), strict=True))
            rows = TableRows([*of_all, *(of_system[some] for of_system in self._texts.values())])
            self.lines_read += len(rows)
            yield rows
        self.ended = True


class _Place(NamedTuple):
    """Where values are: in which file, and which value of its rows; None for the lines of a text file."""

    file: int
    value: int | None


class TableCorpus:
    """Tables, and text files beside them: row N of each table, or of each system in it, belongs to segment N.

    What several tables hold, except hypotheses, must be the same in all of them. See
    :class:`bleukit.text.corpora.Corpus` and :func:`bleukit.text.corpora.open_corpus`.
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
        self._columns = columns
        self._limits = limits
        self._on_read = on_read
        self._readers: list[TextFile | TableFile | SystemsInRows] = []
        self._numbers: dict[str, int] = {}
        """The number of each file, by its path."""
        try:
            self._open(hypotheses, references, documents, wanted)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the files, if not all of them were read."""
        for reader in self._readers:
            if not isinstance(reader, TextFile):
                _table(reader).close()

    def _open(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        documents: str | None,
        wanted: Collection[OptionalColumn],
    ) -> None:
        """Open the tables, and find the columns."""
        for path in hypotheses:
            self._find_by_system(path)
        references_of_files = self._references_in(references) if references else self._references_beside()
        self.reference_paths: Sequence[str] = [path for path, _ in references_of_files[0]]
        self._references = [[place for _, place in of_file] for of_file in references_of_files]
        has_lists = any(self._holds_lists(place) for place in self._references[0])
        self._lengths: set[int] = set() if has_lists else {len(self.reference_paths)}
        self._shared = {role: self._beside(role) for role in wanted if (role, documents is None) != ("document", False)}
        if documents is not None:
            self._shared["document"] = [[place] for _, place in self._find(documents, "document")]
        self.has_documents = bool(self._shared.get("document"))
        for reader in self._readers:
            if isinstance(reader, SystemsInRows):
                reader.read(self._limits)
        systems = [system for path in hypotheses for system in self._systems_in(path)]
        times = Counter(name for name, _, _ in systems)
        self.systems: Sequence[str] = [path if times[name] > 1 else name for name, path, _ in systems]
        self.system_paths: Sequence[str] = [path for _, path, _ in systems]
        self._systems = [place for _, _, place in systems]

    @property
    def references(self) -> int | None:
        """How many references a segment has; None if lists hold them, until all are read, or if that varies."""
        return next(iter(self._lengths)) if len(self._lengths) == 1 else None

    def parts(self, *tokenizers: object) -> Iterator[AlignedSegments]:  # noqa: ARG002 - tables have no entities
        """Yield all segments, some at a time. Raises InputError if a file cannot be read, or does not fit others."""
        readers: list[Any] = list(self._readers)
        first = 0
        for blocks in read_aligned(readers, ROWS):
            values = _Values(blocks)
            references = self._agreed("reference", [self._groups(values, places) for places in self._references], first)
            documents, sources = (
                self._agreed(role, [values.at(place) for [place] in self._shared.get(role, ())], first)
                for role in ("document", "source")
            )
            if documents:
                reader = readers[self._shared["document"][0][0].file]
                where = f"{reader.name}:" if isinstance(reader, TextFile) else f"{reader.name}: {reader.unit} "
                note_blank_document(documents, where, first, self.notes)
            yield AlignedSegments(
                first, list(map(values.at, self._systems)), references or (), documents, None, sources
            )
            first += len(blocks[0])
        files = (reader if isinstance(reader, TextFile) else _table(reader).file for reader in self._readers)
        self.notes += [note for file in files for note in file.notes]

    def _groups(self, values: _Values, places: Sequence[_Place]) -> Sequence[str | Sequence[str]]:
        """Return the references of each segment."""
        columns = list(map(values.at, places))
        lists = list(map(self._holds_lists, places))
        if not any(lists):
            return group_references(columns)
        groups = [
            [text for value, is_list in zip(row, lists, strict=True) for text in (value if is_list else (value,))]
            for row in zip(*columns, strict=True)
        ]
        self._lengths.update(map(len, groups))
        return groups

    def _agreed(self, role: ColumnRole, of_files: Sequence[Sequence[Any]], first: int) -> Sequence[Any] | None:
        """Return what several files hold, which must be the same in all; None if none holds it."""
        for number, other in enumerate(of_files[1:], 1):
            if other != of_files[0]:
                places = self._references if role == "reference" else self._shared[role]  # type: ignore[index]
                segment = next(at for at, pair in enumerate(zip(of_files[0], other, strict=True)) if pair[0] != pair[1])
                one, another = (self._readers[places[file][0].file].name for file in (0, number))
                raise InputError(f"{another}: row {first + segment + 1}: the {role} is not that of {one}")
        return of_files[0] if of_files else None

    def _number(self, path: str) -> int:
        """Return the number of a file, which is opened if it is a table."""
        path = table_names.split_table_path(path)[0]
        if path not in self._numbers:
            self._numbers[path] = len(self._readers)
            opened = tables.open_table if table_names.is_table(path) else TextFile
            self._readers.append(opened(path, self._limits, self._on_read))
        return self._numbers[path]

    def _find_by_system(self, path: str) -> None:
        """Open a file of hypotheses, and find out whether a column says whose they are."""
        number = self._number(path)
        table = self._readers[number]
        if isinstance(table, TableFile) and (system := table.find("system", self._columns.of("system"))):
            text = table.require_one("hypothesis", self._columns.hypothesis)
            self._readers[number] = SystemsInRows(table, system[0], text)

    def _systems_in(self, path: str) -> list[tuple[str, str, _Place]]:
        """Return the systems of a file, or the one that is chosen: each with the path that chooses it."""
        file, name = table_names.split_table_path(path)
        number = self._number(path)
        reader = self._readers[number]
        if isinstance(reader, TextFile):
            return [(path, path, _Place(number, None))]
        if isinstance(reader, SystemsInRows):
            only = len(reader.systems(None)) == 1
            systems = reader.systems(name)
            return [
                (system, file if only else f"{file}#{system}", _Place(number, reader.place(system)))
                for system in systems
            ]
        columns = reader.require("hypothesis", self._columns.hypothesis if name is None else (name,))
        places = [_Place(number, reader.choose("hypothesis", column)) for column in columns]
        if len(columns) == 1:
            return [(path, path, places[0])]
        return [(column, f"{file}#{column}", place) for column, place in zip(columns, places, strict=True)]

    def _find(self, path: str, role: ColumnRole) -> list[tuple[str, _Place]]:
        """Return where a file that is given for it has this, each with the path that chooses it."""
        file, name = table_names.split_table_path(path)
        number = self._number(path)
        reader = self._readers[number]
        if isinstance(reader, TextFile):
            return [(path, _Place(number, None))]
        table = _table(reader)
        columns = table.require(role, self._columns.of(role) if name is None else (name,))
        places = [_Place(number, table.choose(role, column)) for column in columns]
        if len(columns) == 1:
            return [(path, places[0])]
        return [(f"{file}#{column}", place) for column, place in zip(columns, places, strict=True)]

    def _references_in(self, paths: Sequence[str]) -> list[list[tuple[str, _Place]]]:
        """Return the references in the files that are given for them."""
        return [[column for path in paths for column in self._find(path, "reference")]]

    def _references_beside(self) -> list[list[tuple[str, _Place]]]:
        """Return the references of each table that has hypotheses and references."""
        of_tables = []
        for path, number in self._numbers.items():
            reader = self._readers[number]
            if not isinstance(reader, TextFile):
                table = _table(reader)
                columns = table.find("reference", self._columns.reference)
                of_tables.append(
                    [(f"{path}#{column}", _Place(number, table.choose("reference", column))) for column in columns]
                )
        if not any(of_tables):
            table = next(_table(reader) for reader in self._readers if not isinstance(reader, TextFile))
            raise table.error(f"which column is the reference? Give -r, or --reference-column; {table.listed()}")
        return [of_table for of_table in of_tables if of_table]

    def _beside(self, role: OptionalColumn) -> list[list[_Place]]:
        """Return where the tables have documents, or sources."""
        opened = [
            (number, _table(reader)) for number, reader in enumerate(self._readers) if not isinstance(reader, TextFile)
        ]
        asked = self._columns.of(role)
        holding = [(number, table) for number, table in opened if not asked or asked[0] in table.columns]
        return [
            [_Place(number, table.choose(role, column))]
            for number, table in holding or opened[:1]
            for column in table.find(role, asked)
        ]

    def _holds_lists(self, place: _Place) -> bool:
        reader = self._readers[place.file]
        if isinstance(reader, TextFile) or place.value is None:
            return False
        table = _table(reader)
        return table.chosen[place.value][0] in table.lists


class _Values(NamedTuple):
    """Consecutive lines or rows of all files."""

    files: Sequence[Any]

    def at(self, place: _Place) -> Sequence[Any]:
        """Return the values of a column."""
        block = self.files[place.file]
        values: Sequence[Any] = block if place.value is None else block.columns[place.value]
        return values


def _table(reader: TableFile | SystemsInRows) -> TableFile:
    return reader.table if isinstance(reader, SystemsInRows) else reader
