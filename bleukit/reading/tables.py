"""Tables of text: TSV, CSV and JSON; :func:`open_file` opens those of pyarrow, too, by the file's suffix.

Rows are numbered from 1, after the header. Texts of TSV stay UTF-8 in one buffer if nothing in them has to change.
"""

from __future__ import annotations

import csv
import json
import re
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any

import msgspec

from bleukit.framework.compiled import CompiledModule
from bleukit.framework.errors import InputError, one_line, quantity, shown
from bleukit.framework.packed import PackedTexts, are
from bleukit.reading import paths
from bleukit.reading.column_names import NAMES
from bleukit.reading.files import TextFile, split_lines
from bleukit.reading.table_file import TEXT, TableFile

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from bleukit.reading.column_names import ColumnRole
    from bleukit.reading.files import Limits
    from bleukit.reading.table_file import Columns

_compiled = CompiledModule("bleukit.reading.fields_compiled")

_LONGEST_FIELD = (1 << 31) - 1


def open_file(path: str, limits: Limits, on_read: Callable[[int], object] | None) -> TableFile:
    """Return the table in a file, its header read. Raises InputError if it cannot be read, or needs pyarrow."""
    file = TextFile(path, limits, on_read)
    suffix = paths.table_suffix(path)
    if suffix in {".tsv", ".csv"}:
        return _Delimited(file)
    if suffix in paths.JSON:
        file.is_text = False
        return _Json(file)
    try:
        from bleukit.reading.arrow import ArrowTable
    except ImportError as error:
        raise InputError(f"{path}: reading it needs pyarrow: pip install 'bleukit[arrow]'") from error
    return ArrowTable(file)


class _Delimited(TableFile):
    """CSV, or TSV.

    In TSV, quotation marks are text, as in most files with translations. But a program that writes CSV with tabs quotes
    fields, too: then the header begins with a quotation mark, or some fields do, and all of these are properly quoted.
    """

    def _read(self) -> Generator[Columns, None, None]:
        with self.file.opened() as self._handle:
            blocks = self.file.whole_lines(self.file.utf8())
            first = next(blocks)
            self._delimiter = self._find_delimiter(first.partition(b"\n")[0])
            if self.suffix == ".csv" or first.startswith(b'"'):
                rows = yield from self._read_csv(first, blocks)
            else:
                head, _, rest = first.partition(b"\n")
                self.columns = head.decode().removesuffix("\r").split("\t")
                self._check_names()
                yield []
                rows = yield from self._read_plain(filter(None, chain((rest,), blocks)))
            while read := list(islice(rows, self.rows_at_a_time)):
                yield self._rows(self._columns(read))

    def _read_plain(self, blocks: Iterator[bytes]) -> Generator[Columns, None, Iterator[list[str]]]:
        """Yield rows without quoting; return those from the first block on whose fields are quoted."""
        marks = _QuotationMarks(self)
        for block in blocks:
            if b'"' in block and marks.quote(block):
                row = self.lines_read + 1
                hint = f"; rows from {row} on are quoted as CSV quotes them: {_REMEDY}"
                return self._csv_rows(chain((block,), blocks), row, row, hint)
            yield self._rows(self._fields(block))
        self.file.notes += marks.notes()
        return iter(())

    def _read_csv(self, first: bytes, blocks: Iterator[bytes]) -> Generator[Columns, None, Iterator[list[str]]]:
        """Yield no row, when the columns are known, then rows of plain CSV; return those that ``csv`` has to read."""
        head, _, rest = first.partition(b"\n")
        if _compiled.module is None or head.count(b'"') & 1:
            rows = self._csv_rows(chain((first,), blocks))
            self.columns = next(rows)
            self._check_names()
            yield []
            return rows
        [self.columns] = self._csv_rows(iter([head]))
        self._check_names()
        yield []
        lines = 1
        for block in chain((rest,), blocks):
            content = block if rest is block else rest + block
            found = _compiled.module.fields(content, ord(self._delimiter), len(self.columns))
            rest = b"" if found is None else content[found[1] :]
            if found is None or len(rest) > self.file.limits.line:
                return self._csv_rows(chain((content,), blocks), self.lines_read + 1, lines)
            lines += content.count(b"\n", 0, found[1])
            yield self._rows([found[0][place :: len(self.columns)] for _, place, _ in self.chosen])
        return self._csv_rows(iter([rest] if rest else []), self.lines_read + 1, lines)

    def _find_delimiter(self, head: bytes) -> str:
        """Return what separates the columns: in CSV what the header has, and a comma if it has none."""
        if self.suffix != ".csv":
            return "\t"
        plain = re.sub(rb'"[^"]*"', b"", head)
        found = next((mark for mark in ",;\t" if mark.encode() in plain), ",")
        if found != ",":
            self.file.notes.append(f"{self.name}: its columns are separated by {found!r}, as its first line shows")
        return found

    def _check_names(self) -> None:
        """Raise InputError if the header is text, so that a segment would be lost."""
        texts = list(filter(_SENTENCE.search, self.columns))
        if len(texts) > len(self.columns) / 2 and not any(map(_KNOWN.fullmatch, self.columns)):
            line = f"its first line, {texts[0]!r:.60}"
            raise self.error(f"{line}, looks like text, not like names: {_WITH_NAMES}")

    def find(self, role: ColumnRole, asked: Sequence[str], *, alone: bool = False) -> list[str]:
        """Return the columns of a role; note it if one is taken because it is alone, whose name may be a text."""
        names = super().find(role, asked, alone=alone)
        if names == self.columns and not asked and not (_KNOWN.fullmatch(names[0]) or _TEXTS.fullmatch(names[0])):
            note = f"{self.name}: its first line, {names[0]!r:.60}, is taken for the name of its only column"
            self.file.notes.append(f"{note}; if it is text, {_WITH_NAMES}")
        return names

    def _fields(self, content: bytes) -> Columns:
        """Return the chosen fields of some lines, if possible as they stand there."""
        width = len(self.columns)
        if b"\r" not in content:
            lines: Any = split_lines(content)
            fields: Any = split_lines(content.replace(b"\t", b"\n"))
            if (
                isinstance(fields, PackedTexts) and fields.ends[width - 1 :: width] == lines.ends
            ):  # all lines have so many
                return [fields[place::width] for _, place, _ in self.chosen]
        rows = content.decode().removesuffix("\n").split("\n")
        return self._columns([row.removesuffix("\r").split("\t") for row in rows])

    def _columns(self, rows: Sequence[list[str]]) -> Columns:
        """Return the chosen columns. Raises InputError for a row that is shorter or longer than the header."""
        width = len(self.columns)
        for number, row in enumerate(rows, self.lines_read + 1):
            if len(row) != width:
                raise self.error(f"row {number} has {quantity(len(row), 'field')}, the header has {width}")
        return [[row[place] for row in rows] for _, place, _ in self.chosen]

    def _csv_rows(
        self, blocks: Iterator[bytes], first: int = 0, lines_before: int = 0, hint: str = ""
    ) -> Iterator[list[str]]:
        """Yield the rows of CSV from row ``first`` on, the header being row 0; errors end with the hint."""
        # The limit is one of the whole process; those of this file are checked below.
        most = min(self.file.limits.line, _LONGEST_FIELD)
        csv.field_size_limit(max(most, csv.field_size_limit()))
        lines = (f"{line}\n" for block in blocks for line in block.decode().removesuffix("\n").split("\n"))
        reader = csv.reader(lines, delimiter=self._delimiter, strict=True)
        for number in count(first):
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                where = f"row {number}" if number else "the header"
                line = lines_before + reader.line_num
                problem = str(error).replace("'\t'", "a tab")
                raise InputError(f"{self.name}:{line}: {where} is not proper CSV: {problem}{hint}") from error
            yield row


_BEGUN = re.compile(rb'"(?<=[\t\n]")(?:([^"]*(?:""[^"]*)*)"(?=[\t\n]|\r\n|\Z)|([^"\t\n]*\\"))?')
"""A field that begins with a quotation mark; group 1 is what is between CSV's quotation marks, if it is quoted.

Group 2 is its beginning if the next mark follows a backslash, with which other programs escape it.
"""

_REMEDY = "quote the header and all fields (in DuckDB: FORCE_QUOTE *), or none (QUOTE '')"


class _QuotationMarks:
    """Decides whether the quotation marks around fields of TSV are text, or were added by a program that writes CSV.

    Such a program quotes all fields with quotation marks, and doubles those inside: if one field of a column begins
    with a mark and is not quoted so, the marks of that column are text.
    """

    def __init__(self, table: TableFile) -> None:
        self._table = table
        self._text: dict[int, int] = {}
        """The columns whose marks are text, each with the row that shows it."""
        self._undecided: dict[int, int] = {}
        """The columns with a quoted field that may as well be text, each with the row of the first."""

    def quote(self, block: bytes) -> bool:
        """Return whether fields are quoted, from the lines in this block on, which follow the rows that were read.

        Raises InputError if only some of the chosen columns, or of the fields before, can have been quoted.
        """
        undecided_before = self._undecided.copy()
        quoted: dict[int, int] = {}
        chosen = {place for _, place, _ in self._table.chosen}
        for field in _BEGUN.finditer(b"\n" + block) if chosen - self._text.keys() else ():
            start = field.start() - 1
            place = block.count(b"\t", block.rfind(b"\n", 0, start) + 1, start)
            if place in chosen - self._text.keys():
                inside, escaped = field.groups()
                row = self._table.lines_read + 1 + block.count(b"\n", 0, start)
                if escaped or inside == b"" or (inside and any(mark in inside for mark in (b'""', b"\t", b"\n"))):
                    quoted.setdefault(place, row)
                else:
                    (self._text if inside is None else self._undecided).setdefault(place, row)
        quoted = {place: row for place, row in quoted.items() if place not in self._text}
        for place, row in {**undecided_before, **self._text}.items() if quoted else ():
            [first, *_] = quoted
            raise self._table.error(
                f"{self._where(first, quoted[first])} is quoted as CSV quotes fields, but {self._where(place, row)} "
                f"was read as text: {_REMEDY}"
            )
        return bool(quoted)

    def notes(self) -> Iterator[str]:
        """Yield a warning for each column that was read as text and may have been quoted."""
        for place, row in self._undecided.items():
            if place not in self._text:
                where = f"{self._table.name}: {self._where(place, row)}"
                yield f"{where}: the quotation marks around it are read as text; if a program added them, {_REMEDY}"

    def _where(self, place: int, row: int) -> str:
        return f"row {row}, column {self._table.columns[place]!r}"


class _Json(TableFile):
    """JSON lines, an object a line, or a JSON array of objects; the columns are the keys of the first.

    A text in place of an object is that of the column ``text``.
    """

    def _read(self) -> Generator[Columns, None, None]:
        with self.file.opened() as self._handle:
            blocks = self.file.blocks()
            lines = next(blocks)
            if lines[0].lstrip().startswith("[") or lines[0].strip() == "{":
                yield from self._read_document(chain((lines,), blocks))
                return
            first = self._object(lines[0], 1)
            if len(lines) == 1 and _is_document(first):
                raise self.error(f"{_EXPECTED}, got {_described(first)}")
            self._set_columns(first)
            yield []
            for block in chain((lines,), blocks):
                size = self.rows_at_a_time
                for start in range(0, len(block), size):
                    some = block[start : start + size]
                    quickly = _columns_at_once(some, self.columns, [name for name, _, _ in self.chosen])
                    yield self._rows(self._one_by_one(some) if quickly is None else quickly)

    def _read_document(self, blocks: Iterator[Sequence[str]]) -> Generator[Columns, None, None]:
        """Read an array, or objects over several lines, one after the other."""
        text = "\n".join(chain.from_iterable(blocks))
        self.file.limits.check("text", len(text), "{}: the JSON document", self.name)
        values, rest = [], text.strip()
        try:
            while rest:
                value, end = _DECODER.raw_decode(rest)
                values.append(value)
                rest = rest[end:].lstrip()
        except (ValueError, RecursionError) as error:
            raise self.error(f"not proper JSON: {one_line(error)}") from error
        found: Any = values[0] if len(values) == 1 else values
        if isinstance(found, dict) or not found:
            raise self.error(f"{_EXPECTED}, got {_described(found)}")
        objects = [self._as_object(value, row) for row, value in enumerate(found, 1)]
        self._set_columns(objects[0])
        yield []
        for start in range(0, len(objects), self.rows_at_a_time):
            some = objects[start : start + self.rows_at_a_time]
            yield self._rows([self._values(some, name) for name, _, _ in self.chosen])

    def _set_columns(self, first: dict[str, Any]) -> None:
        self.columns = list(first)
        self.lists = {name for name, value in first.items() if isinstance(value, list)}

    def _one_by_one(self, lines: Sequence[str]) -> Columns:
        objects = list(map(self._object, lines, range(self.lines_read + 1, self.lines_read + 1 + len(lines))))
        return [self._values(objects, name) for name, _, _ in self.chosen]

    def _object(self, line: str, row: int) -> dict[str, Any]:
        try:
            value = _DECODER.decode(line)
        except (ValueError, RecursionError) as error:
            if not line.strip():
                raise self.error(f"row {row}: is blank; without blank lines: grep . FILE") from error
            raise self.error(f"row {row}: not proper JSON: {one_line(error)}") from error
        return self._as_object(value, row)

    def _as_object(self, value: Any, row: int) -> dict[str, Any]:
        if isinstance(value, str):
            return {TEXT: value}
        if not isinstance(value, dict):
            raise self.error(f"row {row}: expected a JSON object, got {shown(value)}")
        for name, text in value.items():
            for each in text if isinstance(text, list) else [text]:
                if isinstance(each, str) and _SURROGATE.search(each):
                    raise self.error(f"row {row}, column {name!r}: holds a lone surrogate, which is no character")
        return value

    def _values(self, objects: Sequence[dict[str, Any]], name: str) -> list[Any]:
        try:
            return [row_object[name] for row_object in objects]
        except KeyError:
            row = next(row for row, row_object in enumerate(objects, self.lines_read + 1) if name not in row_object)
            raise self.error(f"row {row}: has no column {name!r}, which row 1 has") from None


_SURROGATE = re.compile("[\ud800-\udfff]")
_KNOWN = re.compile("|".join(NAMES.values()), re.IGNORECASE)
_WITH_NAMES = "write a line with the names of the columns before it, or give --as-text"
_TEXTS = re.compile("(?:text|sentence|segment|line|target)s?", re.IGNORECASE)
"""What the only column of a table may be called that is neither of hypotheses nor of references."""

_SENTENCE = re.compile(r"\w \w.* \w|[.!?\u3002\uff01\uff1f]\W?$")
_EXPECTED = "JSON with an object for each segment is expected"


def _is_document(only: dict[str, Any]) -> bool:
    """Return whether the only object of a file is no row: it has lists of objects, or texts by names of any kind."""
    if any(isinstance(value, list) and value and isinstance(value[0], dict) for value in only.values()):
        return True
    return len(only) > 2 and are([*only.values()], str) and not any(map(_KNOWN.fullmatch, only))


def _described(found: Any) -> str:
    """Return what a JSON document holds in place of rows, and how to get at them."""
    if not found:
        return "an empty one"
    if "annotations" in found:
        return (
            "COCO's annotations: jq -c '.annotations | group_by(.image_id)[] | {references: map(.caption)}' FILE "
            "prints the references of each image, ordered by its id"
        )
    lists = [key for key, value in found.items() if isinstance(value, list)]
    way = (
        f"jq -c '.{lists[0]}[]' FILE prints its {lists[0]!r}"
        if len(lists) == 1
        else "jq -c '.[]' FILE prints its values"
    )
    return f"an object; {way}"


def _columns_at_once(lines: Sequence[str], columns: Sequence[str], chosen: Sequence[str]) -> Columns | None:
    """Return some columns of objects that have all columns and no other key, each once; None if they may not.

    What is wrong with others is not said here, nor are keys read that may be written in several ways.
    """
    content = lines.utf8() if isinstance(lines, PackedTexts) else [line.encode() for line in lines]
    together = b"\n".join(content)
    # A quotation mark within a string is escaped, so that these bytes are a whole string.
    keys = [msgspec.json.encode(name) for name in columns if name.isascii() and "/" not in name]
    are_plain = len(keys) == len(columns) and all(together.count(key) == len(lines) for key in keys)
    if not are_plain or _ESCAPED_ASCII.search(together):
        return None
    try:
        rows = list(map(_OBJECTS.decode, content))
        is_each_there = all(len(row) == len(columns) for row in rows)
        return [[row[name] for row in rows] for name in chosen] if is_each_there else None
    except (msgspec.DecodeError, RecursionError, KeyError):
        return None


_OBJECTS = msgspec.json.Decoder(dict[str, Any])
_ESCAPED_ASCII = re.compile(rb"\\u00[0-7]")


def _with_each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} comes twice")
    return keys


_DECODER = json.JSONDecoder(object_pairs_hook=_with_each_key_once)
