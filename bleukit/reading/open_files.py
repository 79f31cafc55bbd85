"""Text files and tables that are read side by side, and the columns of texts in them."""

from __future__ import annotations

import select
from contextlib import ExitStack
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.framework.errors import InputError, quantity
from bleukit.framework.packed import PackedTexts
from bleukit.reading.column_names import NAMING
from bleukit.reading.files import DEFAULT_LIMITS, TextFile, is_pipe
from bleukit.reading.paths import holds_table, is_folder, split_path
from bleukit.reading.table_file import TEXT, LinesTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from io import FileIO
    from typing import BinaryIO

    from bleukit.reading.column_names import ColumnNames, ColumnRole
    from bleukit.reading.files import Limits
    from bleukit.reading.table_file import Columns, TableFile, Values

CHARACTERS_HELD = 1 << 23
"""Characters of a file that wait, at most, for the lines of the other files; one longer line may wait as well."""

COUNTED = 16
"""If the files differ in length, how many more blocks of the longer ones are read to count their lines."""


class TextColumn(NamedTuple):
    """Texts, one per segment or a list of them: the lines of a text file, or a column of a table.

    ``path`` chooses this column alone. ``file`` is the number of the file, ``place`` that of the column among those
    that are read.
    """

    name: str
    path: str
    file: int
    place: int

    def values(self, blocks: Sequence[Columns]) -> Values:
        """Return the values in consecutive rows of all files."""
        return blocks[self.file][self.place]


def open_table(path: str, limits: Limits = DEFAULT_LIMITS, on_read: Callable[[int], object] | None = None) -> TableFile:
    """Return the table in a file or a folder, its header read.

    Raises InputError if it cannot be read, or needs pyarrow.
    """
    if is_folder(path):
        from bleukit.reading.folders import FolderTable  # imported for folders alone

        return FolderTable(path, limits, on_read)
    from bleukit.reading import tables  # imported for tables alone

    return tables.open_file(path, limits, on_read)


class OpenFiles:
    """Text files and tables, each opened once; ``columns`` are those that were asked for by name.

    ``readers`` are the files by their numbers, ``tables`` those that are no text. ``among`` files are read at a time.
    """

    def __init__(
        self, columns: ColumnNames, limits: Limits, on_read: Callable[[int], object] | None, among: int
    ) -> None:
        self.columns = columns
        self.readers: list[TableFile] = []
        self.tables: dict[int, TableFile] = {}
        self._numbers: dict[str, int] = {}
        self._options = limits, on_read
        self._among = among

    def close(self) -> None:
        """Close the tables, if not all of them were read; text files are open only while they are read."""
        for table in self.tables.values():
            table.close()

    @property
    def notes(self) -> list[str]:
        """Observations made while reading that are not errors."""
        return [note for reader in self.readers for note in reader.file.notes]

    def number(self, path: str) -> int:
        """Return the number of a file, which is opened if it is a table."""
        path = split_path(path)[0]
        if path not in self._numbers:
            number = self._numbers[path] = len(self.readers)
            if holds_table(path):
                self.tables[number] = open_table(path, *self._options)
                self.readers.append(self.tables[number])
            else:
                self.readers.append(LinesTable(TextFile(path, *self._options, self._among)))
        return self._numbers[path]

    def find(self, path: str, role: ColumnRole) -> list[TextColumn]:
        """Return the columns of a file that have a role: its lines, or columns of a table.

        Raises InputError if it is not clear which columns of a table are meant.
        """
        name = split_path(path)[1]
        number = self.number(path)
        if number not in self.tables:
            lines = self.readers[number]
            lines.file.is_text = role not in NAMING
            return [TextColumn(path, path, number, lines.choose(role, TEXT))]
        asked = self.columns.of(role) if name is None else (name,)
        columns = self.choose(number, role, self.tables[number].require(role, asked))
        return columns if len(columns) > 1 else [columns[0]._replace(name=path, path=path)]

    def choose(self, number: int, role: ColumnRole, names: Iterable[str]) -> list[TextColumn]:
        """Add columns of a table to those that are read, and return them."""
        table = self.tables[number]
        return [TextColumn(name, f"{table.file.path}#{name}", number, table.choose(role, name)) for name in names]

    def holds_lists(self, column: TextColumn) -> bool:
        """Return whether the values of a column are lists of texts."""
        table = self.tables.get(column.file)
        return table is not None and table.chosen[column.place][0] in table.lists


def read_aligned(files: Sequence[TableFile], number: int) -> Iterator[list[Columns]]:
    """Yield the rows of all files, at most ``number`` of each at a time, always as many of each.

    Raises InputError if one has more lines than another, with the number that each has as far as it is soon counted.
    """
    with ExitStack() as stack:
        waiting = [_Waiting(file, stack.enter_context(file.opened())) for file in files]
        while True:
            while wanting := [file for file in waiting if file.has_room() and len(file) < number]:
                for file in _readable(wanting, [file for file in waiting if file.pipe and file.has_room()]):
                    file.read()
            most = min(number, *map(len, waiting))
            if not most:
                break
            yield [file.take(most) for file in waiting]
        if any(map(len, waiting)):
            for file in waiting:
                for _ in islice(file.blocks, COUNTED):
                    pass
            _refuse_uneven(files)


class _Waiting:
    """The rows of a file that were read and not yet taken."""

    def __init__(self, file: TableFile, opened: FileIO | BinaryIO | None) -> None:
        self.file = file
        self.pipe = opened if opened and is_pipe(opened) else None
        self.blocks = file.blocks()
        self._columns: Columns = [[]]
        self._taken = 0
        self._characters = 0.0

    def __len__(self) -> int:
        return len(self._columns[0]) - self._taken

    def has_room(self) -> bool:
        """Return whether there may be more to read, and not too many characters wait."""
        return not self.file.ended and self._characters < CHARACTERS_HELD

    def read(self) -> None:
        before = self.file.characters_read
        block = next(self.blocks, None)
        if block is not None:
            rest = self.take(len(self)) if len(self) else None
            self._columns = list(map(_together, rest, block)) if rest else block
            self._taken = 0
        self._characters += self.file.characters_read - before

    def take(self, number: int) -> Columns:
        self._characters *= 1 - number / len(self)  # about: what matters is that long lines do not pile up
        self._taken += number
        return [column[self._taken - number : self._taken] for column in self._columns]


def _together(one: Values, another: Values) -> Values:
    if isinstance(one, PackedTexts) and isinstance(another, PackedTexts):
        return one + another
    return [*one, *another]


def _readable(wanting: list[_Waiting], pipes: list[_Waiting]) -> list[_Waiting]:
    """Return the files that are wanted or, if one program may write to several pipes, the files that can be read.

    Such a program waits until its full pipe is read, before it writes to the one that is wanted.
    """
    if len(pipes) < 2:
        return wanting
    others = [file for file in wanting if not file.pipe]
    readable, _, _ = select.select([file.pipe for file in pipes if file.pipe], [], [], 0 if others else None)
    return others + [file for file in pipes if file.pipe in readable]


def _refuse_uneven(files: Sequence[TableFile]) -> None:
    """Raise the InputError for files that differ in length."""

    def length(file: TableFile) -> str:
        return f"{'' if file.ended else 'more than '}{quantity(file.lines_read, file.unit)}"

    first = files[0]
    uneven = next(file for file in files if (file.ended, file.lines_read) != (first.ended, first.lines_read))
    units = " or ".join(dict.fromkeys(file.unit for file in files))
    raise InputError(
        f"{uneven.name} has {length(uneven)}, {first.name} has {length(first)}: "
        f"{units} N of every file must belong to segment N{_groups_of(files)}"
    )


def _groups_of(files: Sequence[Any]) -> str:
    """Return that a file has a group of lines for each line of another, if it is not too large to be read again."""
    for file in files:
        path = Path(file.name)
        if not isinstance(file, LinesTable) or not path.is_file() or path.stat().st_size > CHARACTERS_HELD:
            continue
        lines = [*chain.from_iterable(TextFile(file.name).blocks())]
        groups = sum(bool(line.strip()) and not before.strip() for before, line in pairwise(["", *lines]))
        if 1 < groups < len(lines) and any(other.ended and other.lines_read == groups for other in files):
            return (
                f'; {file.name} has {groups} groups of lines; list those of each in JSON lines, {{"references": […]}}'
            )
    return ""
