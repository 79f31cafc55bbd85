"""Tables of text: TSV, CSV and JSON lines; :func:`open_table` opens those of pyarrow, too, by the file's suffix.

Rows are numbered from 1, after the header. Texts of TSV stay UTF-8 in one buffer if nothing in them has to change.
"""

from __future__ import annotations

import csv
import json
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from bleukit.counting.packed import PackedTexts
from bleukit.errors import InputError, one_line, quantity, shown
from bleukit.text import compressed
from bleukit.text.files import DEFAULT_LIMITS, TextFile, split_lines
from bleukit.text.table_file import TableFile, TableRows

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from bleukit.text.files import Limits
    from bleukit.text.table_file import Values

_LONGEST_FIELD = (1 << 31) - 1


def open_table(path: str, limits: Limits = DEFAULT_LIMITS, on_read: Callable[[int], object] | None = None) -> TableFile:
    """Return the table in a file, its header read. Raises InputError if it cannot be read, or needs pyarrow."""
    suffix = compressed.without_suffix(path).rpartition(".")[2].lower()
    file = TextFile(path, limits, on_read)
    if suffix in {"tsv", "csv"}:
        return _Delimited(file, suffix)
    if suffix in {"jsonl", "ndjson"}:
        return _JsonLines(file, suffix)
    try:
        from bleukit.text.arrow_tables import ArrowTable
    except ImportError as error:
        raise InputError(f"{path}: reading it needs pyarrow: pip install 'bleukit[arrow]'") from error
    return ArrowTable(file, suffix)


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
        while read := list(islice(rows, self.rows_at_a_time)):
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
                raise self.error(f"row {number} has {quantity(len(row), 'field')}, the header has {width}")
        return [[row[place] for row in rows] for _, place, _ in self.chosen]

    def _quoted(self, lines: Iterator[str]) -> Iterator[list[str]]:
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
            value = _DECODER.decode(line)
        except (ValueError, RecursionError) as error:
            raise self.error(f"row {row}: not proper JSON: {one_line(error)}") from error
        if not isinstance(value, dict):
            raise self.error(f"row {row}: expected a JSON object, got {shown(value)}")
        return value

    def _values(self, objects: Sequence[dict[str, Any]], name: str) -> list[Any]:
        try:
            return [row_object[name] for row_object in objects]
        except KeyError:
            row = next(row for row, row_object in enumerate(objects, self.lines_read + 1) if name not in row_object)
            raise self.error(f"row {row}: has no column {name!r}, which row 1 has") from None


def _with_each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} comes twice")
    return keys


_DECODER = json.JSONDecoder(object_pairs_hook=_with_each_key_once)
