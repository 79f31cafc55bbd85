"""Names of tables and of their columns; ``tables.py`` reads the tables themselves."""

from __future__ import annotations

from os.path import lexists
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from bleukit.text import compressed

if TYPE_CHECKING:
    from collections.abc import Callable

ColumnRole: TypeAlias = Literal["hypothesis", "reference", "system", "document", "source", "sample"]

SUFFIXES = (".tsv", ".csv", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather")
"""Suffixes of tables, in upper or lower case; the suffix of a compressed format may follow."""

NAMES: dict[ColumnRole, str] = {
    "hypothesis": r"hyp|hypothes[ie]s|mt|translations?|predictions?|output|candidate",
    "reference": r"(?:ref|reference)s?(?:[ _-]?(?:[0-9]+|[a-z]))?",
    "system": r"sys|system(?:_?(?:id|name))?",
    "document": r"(?:doc|document)(?:_?(?:id|name))?",
    "source": r"src|source",
    "sample": r"samples?(?:[ _-]?[0-9]+)?",
}
"""Usual names of columns, in upper or lower case, which count if no option names a column."""

SEVERAL: tuple[ColumnRole, ...] = ("reference", "sample")
"""Roles that several columns, or the lists in a column, may have."""


class ColumnNames(NamedTuple):
    """The columns that were asked for by name, of any table that is read."""

    hypothesis: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    system: str | None = None
    document: str | None = None
    source: str | None = None
    sample: tuple[str, ...] = ()

    def of(self, role: ColumnRole) -> tuple[str, ...]:
        """Return the columns that were asked for as holding this."""
        asked: tuple[str, ...] | str | None = getattr(self, role)
        return asked if isinstance(asked, tuple) else () if asked is None else (asked,)


def is_table(path: str) -> bool:
    """Return whether a path is that of a table, by its suffix; ``#NAME`` may follow."""
    return _is_table_file(split_table_path(path)[0])


def split_table_path(path: str) -> tuple[str, str | None]:
    """Split ``table.tsv#NAME``, one system or column of references, into file and name; None is the whole table."""
    return split_path(path, _is_table_file)


def split_path(path: str, is_whole: Callable[[str], object]) -> tuple[str, str | None]:
    """Split ``FILE#NAME`` into file and name, if ``is_whole`` accepts FILE and there is no file ``FILE#NAME``."""
    file, mark, name = path.rpartition("#")
    return (file, name) if mark and is_whole(file) and not lexists(path) else (path, None)


def _is_table_file(path: str) -> bool:
    return compressed.without_suffix(path).lower().endswith(SUFFIXES)
