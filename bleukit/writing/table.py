"""Tables of text: heads with units and alignment, rows, and notes. :mod:`bleukit.writing.printers` prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence


class Markdown(str):
    """A cell that has marks of Markdown in it, and is not escaped there."""

    __slots__ = ()


class TableHead(NamedTuple):
    """The head of a column. Its name may have several lines; columns of numbers are aligned to the right."""

    name: str
    unit: str = ""
    is_number: bool = False

    @property
    def text(self) -> str:
        """The name and the unit: "precisions, %"."""
        return f"{self.name}, {self.unit}" if self.unit else self.name

    @property
    def line(self) -> str:
        """The same on one line; what ends in a hyphen is joined to the next line."""
        return self.text.replace("-\n", "-").replace("\n", " ")


class TextTable(NamedTuple):
    """A table whose cells are text, which may have several lines. Notes stand below it, each on a line of its own."""

    heads: Sequence[TableHead]
    rows: Sequence[Sequence[str]]
    title: str = ""
    notes: Sequence[str] = ()


def table_of(
    columns: Iterable[tuple[str, Sequence[str]]],
    texts: Container[str] = (),
    *,
    units: Mapping[str, str] | None = None,
    title: str = "",
    notes: Sequence[str] = (),
) -> TextTable:
    """Return the table that has these columns, each a name and its cells: ``texts``, and numbers with ``units``."""
    names, cells = zip(*columns, strict=True)
    heads = [TableHead(name, (units or {}).get(name, ""), is_number=name not in texts) for name in names]
    return TextTable(heads, list(zip(*cells, strict=True)), title, notes)
