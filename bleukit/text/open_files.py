"""Text files and tables that are read side by side, and the columns of texts in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.text.column_names import NAMING
from bleukit.text.files import TextFile
from bleukit.text.paths import holds_table, split_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bleukit.text.column_names import ColumnNames, ColumnRole
    from bleukit.text.files import Limits
    from bleukit.text.table_file import TableFile


class TextColumn(NamedTuple):
    """Texts, one per segment or a list of them: the lines of a text file, or a column of a table.

    ``path`` chooses this column alone. ``file`` is the number of the file, ``place`` that of the value in a row.
    """

    name: str
    path: str
    file: int
    place: int | None = None
    """None stands for the lines of a text file."""

    def values(self, blocks: Sequence[Any]) -> Sequence[Any]:
        """Return the values in consecutive lines or rows of all files."""
        block = blocks[self.file]
        values: Sequence[Any] = block if self.place is None else block.columns[self.place]
        return values


class OpenFiles:
    """Text files and tables, each opened once; ``columns`` are those that were asked for by name.

    ``readers`` are the files by their numbers, ``tables`` those that are tables. ``among`` files are read at a time.
    """

    def __init__(
        self, columns: ColumnNames, limits: Limits, on_read: Callable[[int], object] | None, among: int
    ) -> None:
        self.columns = columns
        self.readers: list[Any] = []
        self.tables: dict[int, TableFile] = {}
        self._numbers: dict[str, int] = {}
        self._files: list[TextFile] = []
        self._options = limits, on_read
        self._among = among

    def close(self) -> None:
        """Close the tables, if not all of them were read; text files are open only while they are read."""
        for table in self.tables.values():
            table.close()

    @property
    def notes(self) -> list[str]:
        """Observations made while reading that are not errors."""
        return [note for file in self._files for note in file.notes]

    def number(self, path: str) -> int:
        """Return the number of a file, which is opened if it is a table."""
        path = split_path(path)[0]
        if path not in self._numbers:
            number = self._numbers[path] = len(self.readers)
            if holds_table(path):
                from bleukit.text import tables  # imported for tables alone

                self.tables[number] = tables.open_table(path, *self._options)
                self.readers.append(self.tables[number])
                self._files.append(self.tables[number].file)
            else:
                self.readers.append(TextFile(path, *self._options, self._among))
                self._files.append(self.readers[number])
        return self._numbers[path]

    def find(self, path: str, role: ColumnRole) -> list[TextColumn]:
        """Return the columns of a file that have a role: its lines, or columns of a table.

        Raises InputError if it is not clear which columns of a table are meant.
        """
        name = split_path(path)[1]
        number = self.number(path)
        if number not in self.tables:
            self.readers[number].is_text = role not in NAMING
            return [TextColumn(path, path, number)]
        asked = self.columns.of(role) if name is None else (name,)
        columns = self.choose(number, role, self.tables[number].require(role, asked))
        return columns if len(columns) > 1 else [columns[0]._replace(name=path, path=path)]

    def choose(self, number: int, role: ColumnRole, names: Iterable[str]) -> list[TextColumn]:
        """Add columns of a table to those that are read, and return them."""
        table = self.tables[number]
        path = next(path for path, other in self._numbers.items() if other == number)
        return [TextColumn(name, f"{path}#{name}", number, table.choose(role, name)) for name in names]

    def holds_lists(self, column: TextColumn) -> bool:
        """Return whether the values of a column are lists of texts."""
        if column.place is None:
            return False
        table = self.tables[column.file]
        return table.chosen[column.place][0] in table.lists
