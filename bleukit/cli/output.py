"""Where commands write: all of the output is written, or the command ends with an error.

Python's own standard output may lose a part of it without an error, if it is unbuffered or a pipe that does not block.
"""

from __future__ import annotations

import io
import os
import select
import signal
import sys
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from bleukit.framework.errors import OutputError
from bleukit.writing.replacing import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from typing_extensions import Buffer, Self

    from bleukit.cli.interrupts import Interrupt


@contextmanager
def standard_streams(interrupt: Interrupt) -> Iterator[None]:
    """Write all of standard output, or raise OutputError; let nothing depend on standard error.

    After an interrupt nothing more is written, except to a terminal, whose state may have to be restored.
    """
    for number in range(3):
        if not _is_open(number):  # fill its place, so that no file that is opened later takes it
            os.open(os.devnull, os.O_RDWR)
    saved = sys.stdout, sys.stderr
    sys.stdout = _in_place_of(sys.stdout, _fail_of_output, interrupt.check)
    # The result does not depend on who reads messages.
    sys.stderr = _in_place_of(sys.stderr, lambda _: None, lambda: bool(interrupt.noticed) and not sys.stderr.isatty())
    try:
        yield
    finally:
        sys.stdout, sys.stderr = saved


_HELD = 1 << 20
"""Characters of text that are held in memory, or printed at a time."""


class Destination:
    """Where a command prints: standard output, or the file of ``-o``, which is created or replaced at the end."""

    def __init__(self, stack: ExitStack) -> None:
        self.path = ""
        """The file of ``-o``, empty for standard output."""
        self._stack = stack
        self._held: HeldText | None = None

    def redirect(self, path: str) -> None:
        """Print to a file from now on."""
        self._stack.enter_context(redirect_stdout(self._stack.enter_context(writing(path))))
        self.path = path

    def deferred(self) -> TextIO | HeldText:
        """Return a stream for output while input is still being read: after an error, nothing of it is printed.

        What goes to standard output, a pipe or a device is held until the command has succeeded.
        """
        if self.path and not _is_written_in_place(self.path):
            return sys.stdout
        self._held = self._held or self._stack.enter_context(HeldText())
        return self._held

    def print_held(self) -> None:
        """Print what was held, because the command has succeeded."""
        if self._held:
            self._held.print_to(sys.stdout)


@contextmanager
def opened_destination() -> Iterator[Destination]:
    """Yield where a command prints. Raises OutputError unless all of it is written."""
    try:
        with ExitStack() as stack:
            target = Destination(stack)
            yield target
            target.print_held()
    finally:
        sys.stdout.flush()


class HeldText:
    """Text that is printed later, held in memory if it is short, else in a temporary file without a name."""

    def __init__(self) -> None:
        self._stream: Any = io.StringIO()
        self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # what could not be written has been reported
            self._stream.close()

    def write(self, text: str) -> None:
        """Hold more text."""
        self._size += len(text)
        with _temporary_errors():
            if self._size > _HELD and isinstance(self._stream, io.StringIO):
                self._stream = _in_file(self._stream.getvalue())
            self._stream.write(text)

    def print_to(self, stream: TextIO | HeldText) -> None:
        """Print all of it."""
        with _temporary_errors():
            self._stream.seek(0)  # which writes what is buffered
        while block := self._stream.read(_HELD):
            stream.write(block)


@contextmanager
def _temporary_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        what = "a temporary file cannot be written (TMPDIR chooses its folder)"
        raise OutputError(f"{what}: {error.strerror or error}") from error


def _in_file(text: str) -> TextIO:
    from tempfile import TemporaryFile  # takes long to import, and only long output needs it

    file = TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="\n")  # noqa: SIM115
    file.write(text)
    return file


def _is_written_in_place(path: str) -> bool:
    """Return whether a file that is open as standard output is not replaced, because it is a pipe or a device."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(sys.stdout.fileno()), Path(path).stat())
    return False


@contextmanager
def writing(path: str) -> Iterator[TextIO]:
    """Open a file to write text to it. Raises OutputError unless all of it is written.

    The file is created or replaced at the end; after an error it is as it was. A pipe or a device is written to
    directly.
    """

    def fail(error: OSError) -> None:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from error

    with replacing(path) as descriptor, _text(_Complete(descriptor, fail, lambda: False)) as stream:
        yield stream
        stream.flush()


class _Complete(io.RawIOBase):
    """A file descriptor that takes all that is written to it; what follows a failure, or comes too late, is dropped.

    ``descriptor`` is None if the stream is closed. ``fail`` reports that writing failed; ``is_late`` is asked each time
    whether it is too late to write.
    """

    def __init__(
        self, descriptor: int | None, fail: Callable[[OSError], object], is_late: Callable[[], bool | None]
    ) -> None:
        self._descriptor = descriptor
        self._fail = fail
        self._is_late = is_late
        self._has_ended = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        if self._descriptor is None:
            raise io.UnsupportedOperation("it is closed")
        return self._descriptor

    def isatty(self) -> bool:
        return self._descriptor is not None and os.isatty(self._descriptor)

    def write(self, data: Buffer, /) -> int:
        rest = memoryview(data).cast("B")
        size = len(rest)
        self._has_ended = bool(self._is_late()) or self._has_ended
        while rest and not self._has_ended:
            rest = rest[self._write_some(rest) :]
        return size

    def _write_some(self, data: memoryview) -> int:
        try:
            return os.write(self.fileno(), data)
        except BlockingIOError:  # a pipe that is full, and does not block
            select.select([], [self], [])
        except OSError as error:
            self._has_ended = True
            self._fail(error)
        return 0


def _fail_of_output(error: OSError) -> None:
    if isinstance(error, BrokenPipeError) and hasattr(signal, "SIGPIPE"):
        # The reader has had enough: end as other filters end.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
    is_closed = isinstance(error, io.UnsupportedOperation)
    raise OutputError(f"cannot write: {'standard output is closed' if is_closed else error.strerror}") from error


def _in_place_of(stream: TextIO, fail: Callable[[OSError], object], is_late: Callable[[], bool | None]) -> TextIO:
    """Return the replacement of a standard stream; the stream is None if it was closed."""
    try:
        descriptor = None if stream is None else stream.fileno()
    except (AttributeError, OSError):  # another program has put an object of its own there
        return stream
    if sys.platform == "win32" and stream and stream.isatty():  # a console takes Unicode from Python's own stream alone
        stream.reconfigure(errors="backslashreplace")
        return stream
    return _text(_Complete(descriptor, fail, is_late))


def _text(raw: _Complete) -> TextIO:
    """Return a text stream, of the same bytes on every system; lone surrogates, as in names of files, are escaped."""
    buffered = io.BufferedWriter(raw, 1 << 16)
    return io.TextIOWrapper(buffered, "utf-8", "backslashreplace", newline="\n", line_buffering=raw.isatty())


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
