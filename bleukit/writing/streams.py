"""Streams of text that are written whole, or reported as failed; text that is held until it may be printed."""

from __future__ import annotations

import io
import os
import select
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from bleukit.framework.errors import OutputError
from bleukit.writing.replacing import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from typing_extensions import Buffer, Self

_HELD = 1 << 20
"""Characters of text that are held in memory, or printed at a time."""


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


@contextmanager
def writing(path: str) -> Iterator[TextIO]:
    """Open a file to write text to it. Raises OutputError unless all of it is written.

    The file is created or replaced at the end; after an error it is as it was. A pipe or a device is written to
    directly.
    """

    def fail(error: OSError) -> None:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from error

    with replacing(path) as descriptor, complete_stream(descriptor, fail, lambda: False) as stream:
        yield stream
        stream.flush()


class _Complete(io.RawIOBase):
    """A file descriptor that takes all that is written to it, see :func:`complete_stream`."""

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


def complete_stream(
    descriptor: int | None, fail: Callable[[OSError], object], is_late: Callable[[], bool | None]
) -> TextIO:
    """Return a text stream that writes all to a file descriptor, the same bytes on every system.

    ``descriptor`` is None if the stream is closed. ``fail`` reports that writing failed; ``is_late`` is asked each time
    whether it is too late to write. What follows is dropped. Lone surrogates, as in names of files, are escaped.
    """
    raw = _Complete(descriptor, fail, is_late)
    buffered = io.BufferedWriter(raw, 1 << 16)
    return io.TextIOWrapper(buffered, "utf-8", "backslashreplace", newline="\n", line_buffering=raw.isatty())
