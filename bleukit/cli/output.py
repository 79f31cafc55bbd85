"""Where commands write: all of the output is written, or the command ends with an error.

Python's own standard output may lose a part of it without an error, if it is unbuffered or a pipe that does not block.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from bleukit.framework.errors import OutputError
from bleukit.writing.streams import HeldText, complete_stream, writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def _is_written_in_place(path: str) -> bool:
    """Return whether a file that is open as standard output is not replaced, because it is a pipe or a device."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(sys.stdout.fileno()), Path(path).stat())
    return False


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
    return complete_stream(descriptor, fail, is_late)


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
