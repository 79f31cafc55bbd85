"""What the columns of tables are for, and what they are usually called."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

ColumnRole: TypeAlias = Literal["hypothesis", "reference", "system", "document", "source", "sample", "test_set"]

NAMES: dict[ColumnRole, str] = {
    "hypothesis": r"hyps?|hypothes[ie]s|mt|translations?|predictions?|outputs?|candidates?",
    "reference": r"(?:ref|reference)s?(?:[ _-]?(?:[0-9]+|[a-z]))?",
    "system": r"(?:sys|system)(?:_?(?:id|name))?",
    "document": r"(?:doc|document)(?:_?(?:id|name))?",
    "source": r"src|sources?",
    "sample": r"samples?(?:[ _-]?[0-9]+)?",
    "test_set": r"test[ _-]?set(?:_?(?:id|name))?",
}
"""Usual names of columns, in upper or lower case, which count if no option names a column."""

SEVERAL: tuple[ColumnRole, ...] = ("reference", "sample")
"""Roles that several columns, or the lists in a column, may have."""

NAMING: tuple[ColumnRole, ...] = ("document", "system", "test_set")
"""Roles of columns that hold names, which may be whole numbers."""


class ColumnNames(NamedTuple):
    """The columns that were asked for by name, of any table that is read."""

    hypothesis: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    system: str | None = None
    document: str | None = None
    source: str | None = None
    test_set: str | None = None
    sample: tuple[str, ...] = ()

    def of(self, role: ColumnRole) -> tuple[str, ...]:
        """Return the columns that were asked for by name in this role."""
        asked: tuple[str, ...] | str | None = getattr(self, role)
        return asked if isinstance(asked, tuple) else () if asked is None else (asked,)


ANY_COLUMNS = ColumnNames()
"""No names: columns are found by what they are usually called."""
