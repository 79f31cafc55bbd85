"""Where commands write: all of it is written, or the command ends with an error.

Python's own standard output may write a part of it and report nothing, if it is unbuffered or a pipe that does not
block.
"""

from __future__ import annotations

import io
import os
import select
import signal
import stat
import sys
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from typing import TYPE_CHECKING, TextIO

import click

from bleukit.errors import OutputError
from bleukit.replacing import replacing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from typing_extensions import Buffer, Self

    from bleukit.cli import Interrupt


@contextmanager
def standard_streams(interrupt: Interrupt) -> Iterator[None]:
    """Write all of standard output, or raise OutputError; let nothing depend on standard error.

    After an interrupt nothing more is written, except to a terminal, whose state may have to be restored.
    """
    for number in range(3):
        if not _is_open(number):  # fill its place, so that no file that is opened later takes it
            os.open(os.devnull, os.O_RDWR)
    saved = sys.stdout, sys.stderr
    sys.stdout = _in_place_of(sys.stdout, _StandardOutput, interrupt)
    sys.stderr = _in_place_of(sys.stderr, _StandardError, interrupt)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = saved


class Destination:
    """Where a command prints: on standard output, or into the file that ``-o`` names; written whole at the end."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self._stack.__exit__(kind, error, traceback)
        finally:
            sys.stdout.flush()

    def redirect(self, path: str) -> None:
        """Print into a file from now on."""
        self._stack.enter_context(redirect_stdout(self._stack.enter_context(opened(path))))


def _redirect(context: click.Context, option: click.Parameter, path: str | None) -> None:  # noqa: ARG001
    if path is not None and path != "-":
        context.ensure_object(Destination).redirect(path)
        context.meta[_PATH] = path


def form_of_output(form: str | None) -> str:
    """Return the form to print in: the one that was asked for, or html for a file of that suffix, or text."""
    path: str = click.get_current_context().meta.get(_PATH, "")
    return form or ("html" if path.lower().endswith((".html", ".htm")) else "text")


def table_of_output(form: str | None, width: int | None, *, score_only: bool) -> str:
    """Return the kind of table to write scores as, csv, jsonl or parquet, by the suffix of the file; else empty.

    It is empty if another form was asked for. Raises UsageError for a table of a kind that is not written, and for
    options that a table, or JSON, does not have.
    """
    from bleukit.text import table_names

    path: str = click.get_current_context().meta.get(_PATH, "")
    suffix = path.rpartition(".")[2].lower()
    is_table = not form and table_names.is_table(path) and suffix != "tsv"
    if is_table and suffix not in TABLES:
        raise click.UsageError(f"{path}: a table of scores ends in .{', .'.join(TABLES)}")
    if (is_table or form == "json") and (score_only or width is not None):
        what = "a table" if is_table else "JSON"
        raise click.UsageError(f"{what} has all scores with all digits: leave out --score-only and --width")
    return "" if not is_table else "jsonl" if suffix == "ndjson" else suffix


TABLES = ("csv", "jsonl", "ndjson", "parquet")
"""What the name of a file with a table of scores ends in."""

format_option = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)

table_format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    help="Default: text, or a table of scores if FILE of -o ends in .csv, .jsonl or .parquet.",
)


_PATH = "bleukit.output"
"""The key of a context's ``meta`` under which the file is found."""

output_option = click.option(
    "-o",
    "--output",
    "destination",
    metavar="FILE",
    expose_value=False,
    callback=_redirect,
    help="Print into this file, which is created or replaced when all is written.",
)


page_format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html"]),
    help="html is a page for the browser. Default: text, or html if FILE of -o ends in .html.",
)


@contextmanager
def opened(path: str) -> Iterator[TextIO]:
    """Open a file to write text to it. Raises OutputError if it cannot, or not all of it, be written.

    The file is created or replaced at the end; after an error it is as it was. What is no regular file, such as a pipe,
    is written to as it is.
    """
    with replacing(path) as descriptor, _text(_File(descriptor, path)) as stream:
        yield stream
        stream.flush()


def refuse_to_read(paths: Sequence[str]) -> None:
    """Raise OutputError if standard output goes into one of these files: reading it would never end."""
    with suppress(OSError):
        written = os.fstat(sys.stdout.fileno())
        for path in paths:
            with suppress(OSError):
                if stat.S_ISREG(written.st_mode) and os.path.samestat(written, os.stat(path)):  # noqa: PTH116
                    raise _read_and_written(path)


def refuse_to_overwrite(path: str, read: Iterable[str]) -> None:
    """Raise OutputError if a file that is to be written is one of those that are read."""
    if os.path.realpath(path) in map(os.path.realpath, read):
        raise _read_and_written(path)


def _read_and_written(path: str) -> OutputError:
    return OutputError(f"{path}: is read, and written to as well")


class _Complete(io.RawIOBase):
    """A file descriptor that takes all that is written to it, or fails; what follows a failure is dropped."""

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor
        self._has_failed = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        if self._descriptor is None:
            raise io.UnsupportedOperation("fileno")
        return self._descriptor

    def isatty(self) -> bool:
        return self._descriptor is not None and os.isatty(self._descriptor)

    def write(self, data: Buffer, /) -> int:
        rest = memoryview(data).cast("B")
        size = len(rest)
        self.before()
        while rest and not self._has_failed:
            rest = rest[self._write_some(rest) :]
        return size

    def _write_some(self, data: memoryview) -> int:
        try:
            return os.write(self.fileno(), data)
        except BlockingIOError:  # a pipe that is full, and does not block
            select.select([], [self], [])
        except OSError as error:
            self._has_failed = True
            self.fail(error)
        return 0

    def before(self) -> None:
        """Prepare, before anything is written."""

    def fail(self, error: OSError) -> None:
        """Report that writing failed."""
        raise NotImplementedError


class _StandardOutput(_Complete):
    def __init__(self, descriptor: int | None, interrupt: Interrupt) -> None:
        super().__init__(descriptor)
        self.before = interrupt.check  # type: ignore[method-assign]

    def fail(self, error: OSError) -> None:
        if isinstance(error, BrokenPipeError) and hasattr(signal, "SIGPIPE"):
            # The reader has had enough: end as other filters end.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGPIPE)
        closed = self._descriptor is None
        raise OutputError(f"cannot write: {'standard output is closed' if closed else error.strerror}") from error


class _StandardError(_Complete):
    def __init__(self, descriptor: int | None, interrupt: Interrupt) -> None:
        super().__init__(descriptor)
        self._interrupt = interrupt

    def before(self) -> None:
        self._has_failed = self._has_failed or (self._interrupt.noticed and not self.isatty())

    def fail(self, error: OSError) -> None:
        """Go on: the result does not depend on who reads messages."""


class _File(_Complete):
    def __init__(self, descriptor: int, path: str) -> None:
        super().__init__(descriptor)
        self._path = path

    def fail(self, error: OSError) -> None:
        raise OutputError(f"{self._path}: cannot be written: {error.strerror}") from error


def _in_place_of(stream: TextIO | None, kind: type[_StandardOutput | _StandardError], interrupt: Interrupt) -> TextIO:
    """Return the replacement of a standard stream; the stream is None if it was closed."""
    try:
        descriptor = None if stream is None else stream.fileno()
    except (AttributeError, OSError):  # another program has put an object of its own there
        return stream  # type: ignore[return-value]
    return _text(kind(descriptor, interrupt))


def _text(raw: _Complete) -> TextIO:
    """Return a text stream; lone surrogates, as in names of files that are not UTF-8, are escaped."""
    buffered = io.BufferedWriter(raw, 1 << 16)
    return io.TextIOWrapper(buffered, encoding="utf-8", errors="backslashreplace", line_buffering=raw.isatty())


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
