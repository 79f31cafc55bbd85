"""Tables as files that are read once, row by row: their columns, and the checked values of those that are chosen.

The formats are in ``tables.py`` and ``arrow.py``.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from itertools import chain
from operator import sub
from typing import TYPE_CHECKING, Any, TypeAlias

from bleukit.framework.errors import InputError, shown
from bleukit.framework.packed import PackedTexts, are
from bleukit.reading.column_names import NAMES, NAMING, SEVERAL
from bleukit.reading.paths import table_suffix

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from contextlib import AbstractContextManager
    from io import FileIO
    from typing import BinaryIO

    from bleukit.reading.column_names import ColumnRole
    from bleukit.reading.files import TextFile

RowValues: TypeAlias = "tuple[Any, ...]"
"""The chosen values: str, or a list of str if the column holds lists."""

Values: TypeAlias = "list[Any] | PackedTexts"
"""The values of a column."""

Columns: TypeAlias = "list[Values]"
"""Some rows: the values of each chosen column, one or more."""

TEXT = "text"
"""The column of tables that have no names: the lines of text files in a folder, or texts in a JSON array."""

ROWS = 8192
"""Number of rows read at a time."""

LISTS = 256
"""Number of rows read at a time if they hold lists of samples, which may be of hundreds of texts."""


class TableHeader:
    """The columns of a table, in their order, among which those of a role are found."""

    def __init__(self, name: str, columns: list[str]) -> None:
        self.name = name
        self.columns = columns
        self.keys: tuple[str, ...] = ()
        """The columns that are names of folders."""

    def find(self, role: ColumnRole, asked: Sequence[str], *, alone: bool = False) -> list[str]:
        """Return the columns of a role: those asked for, or those that are called so.

        If ``alone``, the only column of a table is it, whatever it is called. Raises InputError, which lists the
        columns, if one that is asked for is missing or there twice, or if it is not clear which is meant.
        """
        names = list(dict.fromkeys(asked or filter(re.compile(NAMES[role], re.IGNORECASE).fullmatch, self.columns)))
        contents = [column for column in self.columns if column not in self.keys]
        if not names and alone and len(contents) == 1:
            names = contents
        for name in names:
            if name not in self.columns:
                raise self.error(f"has no column {name!r}; {self.listed()}")
            if self.columns.count(name) > 1:
                raise self.error(f"has {self.columns.count(name)} columns {name!r}")
        if len(names) > 1 and not asked and role not in SEVERAL:
            raise self.error(f"{' and '.join(map(repr, names))} may be the {role}: choose by --{role}-column")
        return names

    def require(self, role: ColumnRole, asked: Sequence[str]) -> list[str]:
        """Return the columns of a role as :meth:`find`. Raises InputError if there is none."""
        names = self.find(role, asked, alone=True)
        if not names:
            raise self.error(f"which column is the {role}? Choose by --{role}-column; {self.listed()}")
        return names

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

    def __init__(self, file: TextFile) -> None:
        super().__init__(file.name, [])
        self.file = file
        self.lists: set[str] = set()
        self.lines_read = 0
        self.ended = False
        self.chosen: list[tuple[str, int, ColumnRole]] = []
        self._handle: FileIO | BinaryIO | None = None
        self._blocks: Generator[Columns, None, None] = self._read()
        next(self._blocks)

    @property
    def suffix(self) -> str:
        """The suffix of the format, as :func:`bleukit.reading.paths.table_suffix` returns it."""
        return table_suffix(self.file.path)

    @property
    def characters_read(self) -> int:
        """How many characters of text were read so far."""
        return self.file.characters_read

    def opened(self) -> AbstractContextManager[FileIO | BinaryIO | None]:
        """Return the file, which is open: its header was read."""
        return nullcontext(self._handle)

    def blocks(self) -> Iterator[Columns]:
        """Yield the rows, some at a time. Raises InputError as :meth:`parts`, and if there is none."""
        yield from self.parts()
        if not self.lines_read:
            raise InputError(f"{self.name}: holds no row")
        self.ended = True

    def parts(self) -> Iterator[Columns]:
        """Yield the rows, some at a time. Raises InputError, with row and column, for what cannot be scored."""
        return (columns for columns in self._blocks if columns and len(columns[0]))

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

    def _read(self) -> Generator[Columns, None, None]:
        """Read the header and yield no row, then the rows."""
        raise NotImplementedError

    def _rows(self, columns: Columns) -> Columns:
        """Return rows, as the values of the chosen columns, checked; they follow those that were read before."""
        checked = list(map(self._checked, self.chosen, columns))
        self.lines_read += len(checked[0])
        return checked

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
            if column in self.lists:
                values = [value[0] if isinstance(value, list) and len(value) == 1 else value for value in values]
            if role in NAMING and not are(values, str):
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


class LinesTable(TableFile):
    """A text file as a table with the one column ``text``."""

    unit = "line"

    def opened(self) -> AbstractContextManager[FileIO | BinaryIO | None]:
        """Open the file: it has no header that was read."""
        return self.file.opened()

    def _read(self) -> Generator[Columns, None, None]:
        self.columns = [TEXT]
        yield []
        for lines in self.file.blocks():
            self.lines_read += len(lines)
            yield [lines if isinstance(lines, PackedTexts) else [*lines]] * len(self.chosen)
