"""Tables as files: rows whose columns hold hypotheses, references, documents, sources, or the names of systems.

TSV, CSV and JSON lines are read by the standard library, Parquet and Arrow by pyarrow. Whatever the file, a
:class:`TableFile` yields rows, some at a time, of the columns that are wanted; rows are numbered from 1, after the
header. Texts that pyarrow reads, and those of TSV, remain the UTF-8 that they are.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from operator import sub
from typing import TYPE_CHECKING, Any, TypeAlias

from bleukit.counting.packed import PackedTexts, are
from bleukit.errors import InputError, one_line, shown
from bleukit.text import compressed
from bleukit.text.files import DEFAULT_LIMITS, TextFile, split_lines
from bleukit.text.table_names import NAMES, SEVERAL

if TYPE_CHECKING:
    import json
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from io import FileIO
    from typing import BinaryIO

    from bleukit.text.files import Limits
    from bleukit.text.table_names import ColumnRole

RowValues: TypeAlias = "tuple[Any, ...]"
"""The chosen values: str, or a list of str if the column holds lists."""

Values: TypeAlias = "list[Any] | PackedTexts"
"""Those of a column."""

ROWS = 8192
"""How many rows are read at a time."""

LISTS = 256
"""The same of rows that hold lists of samples."""

_LONGEST_FIELD = (1 << 31) - 1


class TableRows:
    """Consecutive rows, stored by column."""

    def __init__(self, columns: Sequence[Values]) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def __getitem__(self, some: slice) -> TableRows:
        return TableRows([column[some] for column in self.columns])

    def __add__(self, other: TableRows) -> TableRows:
        return TableRows(list(map(_together, self.columns, other.columns)))

    def __iter__(self) -> Iterator[RowValues]:
        return zip(*self.columns, strict=True)


def _together(one: Values, another: Values) -> Values:
    if isinstance(one, PackedTexts) and isinstance(another, PackedTexts):
        return one + another
    return [*one, *another]


def open_table(path: str, limits: Limits = DEFAULT_LIMITS, on_read: Callable[[int], object] | None = None) -> TableFile:
    """Return the table in a file, its header read. Raises InputError if it cannot be read."""
    form = compressed.format_of(path)
    suffix = (path[: -len(form.suffix)] if form else path).rpartition(".")[2].lower()
    kind = {"tsv": _Delimited, "csv": _Delimited, "jsonl": _JsonLines, "ndjson": _JsonLines}.get(suffix, ArrowFile)
    return kind(TextFile(path, limits, on_read), suffix)


class TableHeader:
    """The columns of a table, in their order, among which those of a role are found."""

    def __init__(self, name: str, columns: list[str]) -> None:
        self.name = name
        self.columns = columns

    def find(self, role: ColumnRole, asked: Sequence[str], *, alone: bool = False) -> list[str]:
        """Return the columns of a role: those asked for, or those that are called so.

        If ``alone``, the only column of a table is it, whatever it is called. Raises InputError, which lists the
        columns, if one that is asked for is missing or there twice, or if it is not clear which is meant.
        """
        found = list(dict.fromkeys(asked or filter(re.compile(NAMES[role], re.IGNORECASE).fullmatch, self.columns)))
        if not found and alone and len(self.columns) == 1:
            found = self.columns[:]
        for name in found:
            if name not in self.columns:
                raise self.error(f"has no column {name!r}; {self.listed()}")
            if self.columns.count(name) > 1:
                raise self.error(f"has {self.columns.count(name)} columns {name!r}")
        if len(found) > 1 and not asked and role not in SEVERAL:
            raise self.error(f"{' and '.join(map(repr, found))} may be the {role}: choose by --{role}-column")
        return found

    def require(self, role: ColumnRole, asked: Sequence[str]) -> list[str]:
        """Return the columns of a role as :meth:`find`. Raises InputError if there is none."""
        found = self.find(role, asked, alone=True)
        if not found:
            raise self.error(f"which column is the {role}? Choose by --{role}-column; {self.listed()}")
        return found

    def require_one(self, role: ColumnRole, asked: Sequence[str]) -> str:
        """Return the only column of a role. Raises InputError if there is none, or another one."""
        name, *others = self.require(role, asked)
        if others:
            raise self.error(f"{name!r} and {others[0]!r} are asked for as the {role}: choose one")
        return name

    def error(self, problem: str) -> InputError:
        """Return the error for what is wrong with the table."""
        return InputError(f"{self.name}: {problem}")

    def listed(self) -> str:
        """Return the columns, as a part of a message."""
        return f"the columns are {', '.join(map(repr, self.columns))}" if self.columns else "it has no column"


class TableFile(TableHeader):
    """A table, which can be read once; it is aligned with text files as one of them.

    ``columns`` are all that it has, in their order, ``lists`` the names of those that hold lists, ``chosen`` those that
    the rows have, with their places in the table and what they hold.
    """

    unit = "row"

    def __init__(self, file: TextFile, suffix: str) -> None:
        super().__init__(file.name, [])
        self.file = file
        self.suffix = suffix
        self.lists: set[str] = set()
        self.lines_read = 0
        self.ended = False
        self.chosen: list[tuple[str, int, ColumnRole]] = []
        self._handle: FileIO | BinaryIO | None = None
        self._blocks: Generator[TableRows, None, None] = self._read()
        next(self._blocks)

    @property
    def characters_read(self) -> int:
        """How many characters of text were read so far."""
        return self.file.characters_read

    def opened(self) -> AbstractContextManager[FileIO | BinaryIO | None]:
        """Return the file, which is open: its header was read."""
        return nullcontext(self._handle)

    def blocks(self) -> Iterator[TableRows]:
        """Yield the rows, some at a time. Raises InputError, with row and column, for what cannot be scored."""
        for rows in self._blocks:
            if rows:
                yield rows
        if not self.lines_read:
            raise InputError(f"{self.name}: holds no row")
        self.ended = True

    def close(self) -> None:
        """Close the file, if not all of it was read."""
        self._blocks.close()

    def choose(self, role: ColumnRole, column: str) -> int:
        """Add a column to the rows, and return its place in them."""
        choice = (column, self.columns.index(column), role)
        if choice not in self.chosen:
            self.chosen.append(choice)
        return self.chosen.index(choice)

    @property
    def rows_at_a_time(self) -> int:
        """How many rows are read at a time: fewer if a list of samples may hold hundreds of texts."""
        return LISTS if any(role == "sample" and name in self.lists for name, _, role in self.chosen) else ROWS

    def _read(self) -> Generator[TableRows, None, None]:
        """Read the header and yield no row, then the rows."""
        raise NotImplementedError

    def _rows(self, columns: Sequence[Values]) -> TableRows:
        """Return rows of the values of the chosen columns, checked; they follow those that were read before."""
        rows = TableRows(list(map(self._checked, self.chosen, columns)))
        self.lines_read += len(rows)
        return rows

    def _checked(self, chosen: tuple[str, int, ColumnRole], values: Values) -> Values:
        column, _, role = chosen
        most = self.file.limits.line
        if isinstance(values, PackedTexts):
            if max(map(sub, values.ends, values.starts), default=0) <= most:  # bytes: characters are no more
                return values
            values = list(values)
        if column in self.lists and role in SEVERAL:
            for row, texts in enumerate(values, self.lines_read + 1):
                self._check_list(texts, row, column, role)
            texts = list(chain.from_iterable(values))
        else:
            if role in {"document", "system"} and not are(values, str):
                values = [str(value) if type(value) is int else value for value in values]
            for row, value in enumerate(() if are(values, str) else values, self.lines_read + 1):
                if not isinstance(value, str):
                    raise self._wrong(row, column, value, "text")
            texts = values
        if max(map(len, texts), default=0) > most:
            row = next(row for row, value in enumerate(values, self.lines_read + 1) if sum(map(len, value)) > most)
            self.file.limits.check("line", most + 1, "{}: row {}, column {!r}", self.name, row, column)
        return values

    def _check_list(self, texts: Any, row: int, column: str, role: ColumnRole) -> None:
        if not isinstance(texts, list):
            raise self._wrong(row, column, texts, "a list of texts")
        for text in texts:
            if not isinstance(text, str):
                raise self._wrong(row, column, text, "a list of texts")
        if not texts:
            raise self.error(f"row {row}, column {column!r}: an empty list; at least one {role} is needed")

    def _wrong(self, row: int, column: str, value: Any, expected: str) -> InputError:
        got = "null" if value is None else shown(value)
        return self.error(f"row {row}, column {column!r}: expected {expected}, got {got}")


class _Delimited(TableFile):
    """CSV, or TSV.

    In TSV, quotation marks are text, as in most files with translations. But what begins and ends with them, and has
    doubled ones between, was quoted by a program that writes CSV, and is unquoted; and if the header begins with one,
    the whole file is read as CSV with tabs.
    """

    def _read(self) -> Generator[TableRows, None, None]:
        with self.file.opened() as self._handle:
            contents = self.file.utf8()
            first = next(contents)
            is_quoted = self.suffix == "csv" or first.startswith(b'"')
            yield from (self._read_quoted if is_quoted else self._read_plain)(chain((first,), contents))

    def _read_quoted(self, contents: Iterator[bytes]) -> Iterator[TableRows]:
        rows = self._quoted(_lines(self.file, map(bytes.decode, contents)))
        self.columns = next(rows)
        yield TableRows([])
        while read := list(islice(rows, ROWS)):
            yield self._rows(self._columns(read))

    def _read_plain(self, contents: Iterator[bytes]) -> Iterator[TableRows]:
        blocks = self.file.whole_lines(contents)
        head, _, rest = next(blocks).partition(b"\n")
        [self.columns] = _plain(head)
        yield TableRows([])
        for block in filter(None, chain((rest,), blocks)):
            yield self._rows(self._fields(block) or self._columns(_plain(block)))

    def _fields(self, content: bytes) -> list[Values] | None:
        """Return the chosen fields of some lines as they stand there; None if they may have to be changed."""
        if b'""' in content or b"\r" in content:
            return None
        width = len(self.columns)
        lines, fields = split_lines(content), split_lines(content.replace(b"\t", b"\n"))
        if not (isinstance(lines, PackedTexts) and isinstance(fields, PackedTexts)):
            return None
        if fields.ends[width - 1 :: width] != lines.ends:  # not all lines have so many
            return None
        return [fields[place::width] for _, place, _ in self.chosen]

    def _columns(self, rows: Sequence[list[str]]) -> list[Values]:
        """Return the chosen columns. Raises InputError for a row that is shorter or longer than the header."""
        width = len(self.columns)
        for number, row in enumerate(rows, self.lines_read + 1):
            if len(row) != width:
                fields = f"{len(row)} field{'s' * (len(row) != 1)}"
                raise self.error(f"row {number} has {fields}, the header has {width}")
        return [[row[place] for row in rows] for _, place, _ in self.chosen]

    def _quoted(self, lines: Iterator[str]) -> Iterator[list[str]]:
        import csv

        # The limit is one of the whole process; those of this file are checked below.
        most = min(self.file.limits.line, _LONGEST_FIELD)
        csv.field_size_limit(max(most, csv.field_size_limit()))
        reader = csv.reader(lines, delimiter="," if self.suffix == "csv" else "\t", strict=True)
        number = 0
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                where = f"row {number}" if number else "the header"
                raise InputError(f"{self.name}:{reader.line_num}: {where} is not proper CSV: {error}") from error
            yield row
            number += 1


def _plain(content: bytes) -> list[list[str]]:
    """Return the fields of some lines, without quotation marks that another program has added."""
    lines = [line.removesuffix("\r") for line in content.decode().removesuffix("\n").split("\n")]
    return [list(map(_unquoted, line.split("\t"))) if '"' in line else line.split("\t") for line in lines]


def _unquoted(text: str) -> str:
    """Return a field without the quotation marks that it has because it holds others, doubled, or nothing."""
    inside = text[1:-1]
    if len(text) > 1 and text[0] == text[-1] == '"' and ('""' in inside or not inside):
        unquoted = inside.replace('""', "")
        if '"' not in unquoted:
            return inside.replace('""', '"')
    return text


def _lines(file: TextFile, texts: Iterable[str]) -> Iterator[str]:
    """Yield lines with their ends. Raises InputError for one above the limit."""
    rest: list[str] = []
    waiting = number = 0
    for text in texts:
        *lines, last = text.split("\n")
        for line in lines:
            number += 1
            yield "".join([*rest, line, "\n"]) if rest else f"{line}\n"
            rest, waiting = [], 0
        if last:
            rest.append(last)
            waiting += len(last)
            file.limits.check("line", waiting, "{}:{}: the line", file.name, number + 1)
    if rest:
        yield "".join(rest)


class _JsonLines(TableFile):
    """JSON lines: an object a line; the columns are the keys of the first."""

    def _read(self) -> Generator[TableRows, None, None]:
        with self.file.opened() as self._handle:
            blocks = self.file.blocks()
            lines = next(blocks)
            first = self._object(lines[0], 1)
            self.columns = list(first)
            self.lists = {name for name, value in first.items() if isinstance(value, list)}
            yield TableRows([])
            for block in chain((lines,), blocks):
                size = self.rows_at_a_time
                for start in range(0, len(block), size):
                    some = block[start : start + size]
                    objects = list(map(self._object, some, range(self.lines_read + 1, self.lines_read + 1 + len(some))))
                    yield self._rows([self._values(objects, name) for name, _, _ in self.chosen])

    def _object(self, line: str, row: int) -> dict[str, Any]:
        try:
            found = _decoder().decode(line)
        except (ValueError, RecursionError) as error:
            raise self.error(f"row {row}: not proper JSON: {one_line(error)}") from error
        if not isinstance(found, dict):
            raise self.error(f"row {row}: expected a JSON object, got {shown(found)}")
        return found

    def _values(self, objects: Sequence[dict[str, Any]], name: str) -> list[Any]:
        try:
            return [each[name] for each in objects]
        except KeyError:
            row = next(row for row, each in enumerate(objects, self.lines_read + 1) if name not in each)
            raise self.error(f"row {row}: has no column {name!r}, which row 1 has") from None


@cache
def _decoder() -> json.JSONDecoder:
    import json

    return json.JSONDecoder(object_pairs_hook=_with_each_key_once)


def _with_each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} comes twice")
    return found


@dataclass(frozen=True)
class _ArrowFile:
    """What pyarrow reads: the schema, and batches of some columns."""

    schema: Any
    batches: Callable[[list[str], int], Iterable[Any]] = field(repr=False)


class ArrowFile(TableFile):
    """Parquet, or Arrow's own format, as a file (Feather, version 2) or as a stream."""

    def _read(self) -> Generator[TableRows, None, None]:
        try:
            import pyarrow as pa
        except ImportError as error:
            raise self.error("reading it needs pyarrow: pip install 'bleukit[arrow]'") from error
        with self.file.seekable() as self._handle:
            try:
                found = _parquet(self._handle) if self.suffix == "parquet" else _ipc(self._handle)
                self.columns = list(found.schema.names)
                self.lists = {each.name for each in found.schema if _is_list(each.type)}
                yield TableRows([])
                for name, place, role in self.chosen:
                    self._check_type(name, found.schema.field(place).type, role)
                size = self.rows_at_a_time
                for batch in found.batches([name for name, _, _ in self.chosen], size):
                    _require_sound(batch)
                    for start in range(0, batch.num_rows, size):
                        some = batch.slice(start, size)
                        yield self._rows([self._values(some.column(name), name) for name, _, _ in self.chosen])
            except (pa.ArrowException, OSError) as error:
                kind = "Parquet" if self.suffix == "parquet" else "an Arrow file"
                raise self.error(f"cannot be read: it is not {kind}, or damaged: {one_line(error)}") from error

    def _check_type(self, name: str, kind: Any, role: ColumnRole) -> None:
        import pyarrow as pa

        inside = kind.value_type if role in SEVERAL and _is_list(kind) else kind
        inside = inside.value_type if pa.types.is_dictionary(inside) else inside
        is_number = role in {"document", "system"} and pa.types.is_integer(inside)
        if not (_is_text(inside) or is_number or pa.types.is_null(inside)):
            raise self.error(f"column {name!r}: expected text, got {kind}")

    def _values(self, column: Any, name: str) -> Values:
        from bleukit.text import arrow

        try:
            if not _is_text(column.type):
                listed: list[Any] = column.to_pylist()
                return listed
            exported: Any = arrow.exported_column(column, name)
            texts = exported.part(0, len(column))
            return texts if isinstance(texts, PackedTexts) else list(texts)
        except (InputError, UnicodeDecodeError) as error:
            row = next(row for row in range(len(column)) if not _can_be_decoded(column[row]))
            raise self.error(f"row {self.lines_read + row + 1}, column {name!r}: is not UTF-8 text") from error


def _require_sound(batch: Any) -> None:
    """Raise ArrowInvalid if the buffers of a batch do not fit together: Arrow's own format is mapped as it is."""
    import pyarrow as pa

    try:
        batch.validate(full=True)
    except pa.ArrowInvalid as error:
        if "UTF8" not in str(error):  # whose row is reported when it is read
            raise


def _can_be_decoded(value: Any) -> bool:
    try:
        value.as_py()
    except UnicodeDecodeError:
        return False
    return True


def _parquet(file: FileIO | BinaryIO) -> _ArrowFile:
    from pyarrow import parquet

    found = parquet.ParquetFile(file)
    return _ArrowFile(found.schema_arrow, lambda names, size: found.iter_batches(size, columns=names))


def _ipc(file: FileIO | BinaryIO) -> _ArrowFile:
    from pyarrow import ipc

    is_file = file.read(6) == b"ARROW1"
    file.seek(0)
    if not is_file:
        stream = ipc.open_stream(file)
        return _ArrowFile(stream.schema, lambda *_: stream)
    found = ipc.open_file(file)
    return _ArrowFile(found.schema, lambda *_: map(found.get_batch, range(found.num_record_batches)))


def _is_list(kind: Any) -> bool:
    import pyarrow as pa

    names = ("is_list", "is_large_list", "is_fixed_size_list", "is_list_view", "is_large_list_view")
    return any(getattr(pa.types, name)(kind) for name in names if hasattr(pa.types, name))


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    names = ("is_string", "is_large_string", "is_string_view")
    return any(getattr(pa.types, name)(kind) for name in names if hasattr(pa.types, name))
