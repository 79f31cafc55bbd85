"""What commands print with: tables as wide as the terminal and whole when piped, JSON, progress."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from itertools import chain, islice, takewhile
from pathlib import PurePath
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from bleukit.framework.errors import FIRST_TO_LAST, InputError
from bleukit.reading.paths import encodable
from bleukit.writing.phrases import wrapped_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from typing import TextIO


Item = TypeVar("Item")

UNBROKEN = "\N{NO-BREAK SPACE}"
"""A space at which no line is broken."""

WITHOUT_TERMINAL, MOST_READABLE = 80, 120
"""The width of text without a terminal, and its greatest width: longer lines are hard to read."""


def as_json(data: Any) -> str:
    """Return plain data as JSON that people can read; nan as null."""
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


def as_json_line(data: Any) -> str:
    """Return plain data as JSON on one line; nan as null."""
    return msgspec.json.format(msgspec.json.encode(data), indent=0).decode()


def as_json_lines(columns: Mapping[str, Sequence[Any]], indent: int) -> str:
    """Return each row of some columns as :func:`as_json_line` does, indented, with commas between the lines."""
    row, blanks = msgspec.defstruct("Row", [*columns]), " " * indent
    return ",\n".join(f"{blanks}{as_json_line(each)}" for each in map(row, *columns.values()))


def json_members(data: Mapping[str, Any], indent: int) -> str:
    """Return the members of a JSON object, a line each, without its braces."""
    return ",\n".join(f"{' ' * indent}{as_json_line(key)}: {as_json_line(value)}" for key, value in data.items())


def with_progress(items: Iterable[Item], number: int, what: str, *, after: float = 0) -> Iterator[Item]:
    """Yield items; show the progress on standard error, on a terminal only, after this many seconds."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress

    start, progress = monotonic(), Progress(console=Console(stderr=True), transient=True)
    task = progress.add_task(what, total=number)
    try:
        for done, item in enumerate(items):
            progress.update(task, completed=done)
            if monotonic() - start >= after:
                progress.start()  # once
            yield item
    finally:
        progress.stop()


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


def text_width() -> int:
    """Return how wide text is printed: as the terminal, but readable; 80 if there is none."""
    return min(terminal_width() or WITHOUT_TERMINAL, MOST_READABLE)


def terminal_width(stream: TextIO | None = None) -> int | None:
    """Return how many columns a stream has; None if it is no terminal, so that lines may have any length.

    The default is standard output.
    """
    if not (stream or sys.stdout).isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def entries(texts: Mapping[str, str], width: int | None, *, indent: int = 2) -> list[str]:
    """Return lines of titles and their texts in two columns."""
    size = max(map(len, texts))
    starts = {title: f"{' ' * indent}{title:<{size}}  " for title in texts}
    lines = [line for title, text in texts.items() for line in wrapped_lines(text, width, first=starts[title])]
    return [line.replace(UNBROKEN, " ") for line in lines]


def short_names(paths: Sequence[str]) -> list[str]:
    """Return names that distinguish files: their names, without what all of them have between dots at either end.

    Folders, except those that all share, are part of names that would otherwise be the same; paths are whole if
    nothing else will do. A name may be ``FIRST … LAST``, of several files. The name of a single system keeps its dots.
    """
    ends = [path.split(FIRST_TO_LAST) for path in paths]
    short = iter(_distinct_names(list(chain.from_iterable(ends)), without_dotted=len(paths) > 1))
    return [FIRST_TO_LAST.join(islice(short, len(of_path))) for of_path in ends]


def _distinct_names(paths: Sequence[str], *, without_dotted: bool) -> list[str]:
    # The folders of each path, the root being empty, and its name.
    parts = [[part.removesuffix(os.sep) for part in PurePath(path).parts] or [path] for path in paths]
    levels = zip(*(folders[:-1] for folders in parts), strict=False)
    shared = sum(1 for _ in takewhile(lambda level: len(set(level)) == 1, levels))
    candidates = [[of_path[-1] for of_path in parts], ["/".join(of_path[shared:]) for of_path in parts]]
    if without_dotted:
        candidates = [form(names) for names in candidates for form in (_undotted, list)]
    distinct = len(set(paths))
    return next((short for short in candidates if len(set(short)) == distinct and all(short)), list(paths))


def _undotted(names: Sequence[str]) -> list[str]:
    """Return names without what all of them have between dots at either end."""
    dotted = [name.split(".") for name in names]
    for end in (-1, 0):
        while len(dotted) > 1 and min(map(len, dotted)) > 1 and len({words[end] for words in dotted}) == 1:
            dotted = [words[1:] if end == 0 else words[:-1] for words in dotted]
    return [".".join(words) for words in dotted]


def escaped(name: str) -> str:
    """Return a name as a cell of a table or of tab-separated values: with escapes for all that is not printable."""
    if name.isprintable() and "\\" not in name:
        return name
    return "".join(c if c.isprintable() and c != "\\" else c.encode("unicode_escape").decode() for c in name)


def visible(text: str) -> str:
    """Return text with escapes for control characters, which a terminal might obey; tabs and line feeds are kept."""
    return text if text.isprintable() else text.translate(_CONTROLS)


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"}


def warn(*notes: str) -> None:
    """Print warnings on standard error."""
    for note in notes:
        print_message(f"bleukit: warning: {note}")


def print_message(text: str) -> None:
    """Print a line on standard error, which is wrapped if that is a terminal."""
    click.echo("\n".join(wrapped_lines(visible(text), terminal_width(sys.stderr))), err=True)


def distinct(systems: Sequence[str]) -> Sequence[str]:
    """Return the names of systems. Raises InputError if a system is given twice."""
    twice = next((name for place, name in enumerate(systems) if name in systems[:place]), None)
    if twice is not None:
        raise InputError(f"the system {twice!r} is given twice")
    return systems


def names_shown(names: Sequence[str], runs: Container[str]) -> dict[str, str]:
    """Return the names of systems in tables: of files, the parts in which their names differ."""
    files = [name for name in names if name not in runs]
    shown = dict(zip(names, names, strict=True)) | dict(zip(files, short_names(files), strict=True))
    if len(set(shown.values())) < len(names) or "" in shown.values():
        shown = dict(zip(names, names, strict=True))
    return {name: encodable(short) for name, short in shown.items()}
