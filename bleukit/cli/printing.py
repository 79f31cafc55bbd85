"""What commands print with: tables as wide as the terminal and whole when piped, JSON, progress."""

from __future__ import annotations

import io
import sys
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table


Item = TypeVar("Item")

MANY_COLUMNS = 8
"""More columns than that stand close together, so that a terminal holds them."""


def as_yaml(value: Any) -> str:
    """Return the value of a recipe's key on one line, as a recipe or --set has it."""
    from bleukit.recipes import yaml_document
    from bleukit.recipes.variant import Component

    if isinstance(value, Component):
        value = value.to_yaml()
    return yaml_document.dump_inline(list(value) if isinstance(value, tuple) else value)


def as_json(data: Any) -> str:
    """Return plain data as JSON that people can read; nan as null."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


def with_progress(items: Iterable[Item], number: int, what: str, *, after: float = 0) -> Iterable[Item]:
    """Show on standard error how far work on the items is, on a terminal only, if it takes so many seconds."""
    return _tracked(items, number, what, after) if sys.stderr.isatty() else items


def _tracked(items: Iterable[Item], number: int, what: str, after: float) -> Iterator[Item]:
    from rich.console import Console
    from rich.progress import Progress

    start = monotonic()
    with ExitStack() as stack:
        progress = task = None
        for done, item in enumerate(items):
            if progress is not None and task is not None:
                progress.update(task, completed=done)
            elif monotonic() - start >= after:
                progress = stack.enter_context(Progress(console=Console(stderr=True), transient=True))
                task = progress.add_task(what, total=number, completed=done)
            yield item


@contextmanager
def progress_of_reading(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show how far reading is, on a terminal only; call what is returned with the number of bytes of each read.

    ``total`` is the number of bytes to read, None if it is not known; nothing is shown for 0.
    """
    if total == 0 or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda number: progress.advance(task, number)


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
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        if len("  ".join(cells)) > made.width:  # the first, which names the row, on a line of its own
            made.print(Text(cells.pop(0).rstrip(), style="bold"))
            cells[0] = f"    {cells[0]}"
        made.print(Text("  ".join(cells).rstrip(), style="bold"))
        for title, text in zip(notes, own, strict=True):
            if text:
                made.print(Padding(Text(f"{title}: {text}" if title else text), (0, 0, 0, 4), expand=False))


def console(*, record: bool = False) -> Console:
    """Return where tables are printed; with ``record`` they are only kept, to be exported."""
    from rich.console import Console

    made = Console(markup=False, record=record, file=io.StringIO() if record else None)
    if not made.is_terminal:
        made.width = 120 if record else 10_000
    return made


def printable(name: str) -> str:
    """Return a name that every output can hold: those of files may consist of any bytes."""
    return name.encode("utf-8", "backslashreplace").decode()


def table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None, numbers: Collection[int] = ()
) -> Table:
    """Make a table of plain text; ``numbers`` are the columns that are aligned to the right and never broken."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    padding = 0 if len(columns) > MANY_COLUMNS else 1
    made = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, padding))
    for place, column in enumerate(columns):
        is_number = place in numbers
        made.add_column(column, overflow="fold", justify="right" if is_number else "left", no_wrap=is_number)
    for row in rows:
        made.add_row(*map(Text, row))
    return made
