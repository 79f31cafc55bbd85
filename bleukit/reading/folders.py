"""Folders and patterns of files: the files are read one after the other, in the order of their paths, as one table.

Spark, DuckDB, Polars and Hive write tables so. A folder named ``KEY=VALUE`` adds a column KEY to the files in it.
"""

from __future__ import annotations

from glob import glob, has_magic
from os.path import lexists
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from bleukit.framework.errors import InputError
from bleukit.reading import compressed, paths
from bleukit.reading.files import TextFile
from bleukit.reading.table_file import LinesTable, TableFile
from bleukit.reading.tables import open_file

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from bleukit.reading.files import Limits
    from bleukit.reading.table_file import Columns

HIDDEN = ("_", ".")
"""How the names of files and folders begin that hold no data, such as ``_SUCCESS``."""

NULL = "__HIVE_DEFAULT_PARTITION__"
"""What stands for an empty value in the name of a folder."""


class Member(NamedTuple):
    """A file of a folder, and the values that the names of the folders above it hold."""

    path: str
    keys: dict[str, str]


def members(path: str) -> list[Member]:
    """Return the files of a folder, or those that a pattern matches, in the order of their paths.

    Files and folders whose names begin with _ or . are left out. Raises InputError if there is no file, if files are of
    different formats, or if only some are in folders of some key.
    """
    found = files(path)
    if not found:
        raise InputError(f"{path}: {'no file matches' if _is_pattern(path) else 'the folder holds no file'}")
    all_members = [Member(file, _keys(below)) for file, below in found.items()]
    for member in all_members:
        _require_alike(path, all_members[0], member)
    return all_members


def files(path: str) -> dict[str, PurePath]:
    """Return the files of a folder, or those that a pattern matches, in the order of their paths.

    Each has its path below the folder. Files and folders whose names begin with _ or . are left out.
    """
    is_pattern = _is_pattern(path)
    return {
        file: below
        for file, below in sorted(_listed(path, is_pattern=is_pattern), key=lambda pair: pair[1].parts)
        if not any(part.startswith(HIDDEN) for part in below.parts[-1 if is_pattern else 0 :])
    }


def _is_pattern(path: str) -> bool:
    return has_magic(path) and not lexists(path)


def _require_alike(path: str, first: Member, member: Member) -> None:
    """Raise InputError if a file of a folder does not fit the first one, or is a pipe, which may never end."""
    if Path(member.path).exists() and not Path(member.path).is_file():
        raise InputError(f"{member.path}: is no regular file; a pipe is named itself, not by its folder")
    if _kind(member.path) != _kind(first.path):
        raise InputError(
            f"{member.path}: is {_kind(member.path)}, and {first.path} is {_kind(first.path)}: the files of "
            f"{path} must be of one format; names that begin with _ or . are left out"
        )
    if member.keys.keys() != first.keys.keys():
        ours, theirs = (", ".join(one.keys) or "no key" for one in (member, first))
        raise InputError(f"{member.path}: its folders name {ours}, those of {first.path} {theirs}")


def _listed(path: str, *, is_pattern: bool) -> list[tuple[str, PurePath]]:
    """Return the files below a folder, or those that a pattern matches, each with its path below the folder."""
    if not is_pattern:
        return [(str(file), file.relative_to(path)) for file in Path(path).rglob("*") if not file.is_dir()]
    matches = map(Path, glob(path, recursive=True))  # noqa: PTH207 - the pattern may be absolute
    files = [file for match in matches for file in (match.rglob("*") if match.is_dir() else [match])]
    return [(str(file), file) for file in dict.fromkeys(files) if not file.is_dir()]


def _keys(path: PurePath) -> dict[str, str]:
    pairs = [part.split("=", 1) for part in path.parts[:-1] if "=" in part]
    return {unquote(key): "" if value == NULL else unquote(value) for key, value in pairs}


def _kind(path: str) -> str:
    if paths.is_evaluation_set(path):
        return "an evaluation set"
    suffix = PurePath(compressed.without_suffix(path)).suffix.lower()
    return f"a table ({suffix})" if suffix in paths.TABLES else "text"


class FolderTable(TableFile):
    """The tables of a folder, one after the other; of text files, the column ``text`` holds the lines.

    ``keys`` are the columns that the names of folders hold.
    """

    def __init__(self, path: str, limits: Limits, on_read: Callable[[int], object] | None) -> None:
        self._members = members(path)
        self._on_read = on_read
        super().__init__(TextFile(path, limits, on_read))

    def _read(self) -> Generator[Columns, None, None]:
        first, *others = self._members
        if _kind(first.path) == "an evaluation set":
            raise self.error("holds evaluation sets, which are named one by one")
        table = self._opened(first)
        self.keys = tuple(first.keys)
        self.columns = [*(name for name in table.columns if name not in self.keys), *self.keys]
        self.lists = table.lists
        try:
            yield []
            for member in (first, *others):
                table = table if member is first else self._opened(member)
                yield from self._rows_of(table, member)
        finally:
            table.close()

    def _opened(self, member: Member) -> TableFile:
        file = self.file
        if _kind(member.path) == "text":
            return LinesTable(TextFile(member.path, file.limits, self._on_read))
        return open_file(member.path, file.limits, self._on_read)

    def _rows_of(self, table: TableFile, member: Member) -> Iterator[Columns]:
        first = self._members[0].path
        places = {}
        for name, _, role in self.chosen:
            if name in self.keys:
                continue
            if name not in table.columns:
                raise table.error(f"has no column {name!r}, which {first} has; {table.listed()}")
            if (name in table.lists) != (name in self.lists):
                raise table.error(f"column {name!r}: one of {table.name} and {first} holds lists, the other does not")
            places[name, role] = table.choose(role, name)
        for columns in table.parts():
            number = len(columns[0])
            self.lines_read += number
            yield [
                [member.keys[name]] * number if name in self.keys else columns[places[name, role]]
                for name, _, role in self.chosen
            ]
        self.file.characters_read += table.characters_read
        self.file.notes += table.file.notes
