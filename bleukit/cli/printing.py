"""What commands print with: tables as wide as the terminal and whole when piped, JSON, progress."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table


Item = TypeVar("Item")


def as_json(data: Any) -> str:
    """Return plain data as JSON that people can read; nan as null."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


def with_progress(items: Iterable[Item], number: int, what: str) -> Iterable[Item]:
    """Show on standard error how far work on the items is, on a terminal only."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, what, total=number, console=Console(stderr=True), transient=True)


def show(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table."""
    console().print(table(columns, rows))


def show_with_notes(columns: Sequence[str], rows: Sequence[Sequence[str]], notes: Mapping[str, Sequence[str]]) -> None:
    """Print a table with notes to each row: ``notes[title][i]`` belongs to row i.

    On a terminal they stand under their row, across its whole width; else in columns of their own.
    """
    from rich.padding import Padding
    from rich.text import Text

    made = console()
    if not made.is_terminal:
        show([*columns, *notes], [[*row, *own] for row, *own in zip(rows, *notes.values(), strict=True)])
        return
    widths = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]
    for row, *own in zip([columns, *rows], *(["", *texts] for texts in notes.values()), strict=True):
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        made.print(Text(line.rstrip(), style="bold"))
        for title, text in zip(notes, own, strict=True):
            if text:
                made.print(Padding(Text(f"{title}: {text}" if title else text), (0, 0, 0, 4), expand=False))


def console(*, record: bool = False) -> Console:
    """Return where tables are printed; with ``record`` they are only kept, to be exported."""
    from rich.console import Console

    made = Console(record=record, file=io.StringIO() if record else None)
    if not made.is_terminal:
        made.width = 120 if record else 10_000
    return made


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None) -> Table:
    """Make a table of plain text."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(*map(Text, row))
    return made
