"""Text in: UTF-8, one segment a line, lines end at LF; files are decompressed by suffix, ``-`` is standard input."""

from __future__ import annotations

import importlib
import os
import re
import stat
import sys
from contextlib import contextmanager
from itertools import chain, zip_longest
from typing import IO, TYPE_CHECKING, cast

from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

STANDARD_INPUT = "-"

BLOCK = 1 << 20
"""How many bytes are read at a time."""

SET_SUFFIX = re.compile(r"\.(?:sgml?|(xml))(?:\.(?:gz|bz2|xz|zst))?$", re.IGNORECASE)
"""What the name of an evaluation set ends in, compressed or not; group 1 is that of an XML file."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_OPENERS = {
    ".gz": ("gzip", "gzip"),
    ".bz2": ("bz2", "bz2"),
    ".xz": ("lzma", "lzma"),
    ".zst": ("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd", "zstd"),
}
"""Suffix of a compressed file: the module whose ``open`` reads it, and what people call the format."""


def is_evaluation_set(path: str) -> bool:
    """Tell by its suffix whether a file is an evaluation set, which holds more than a segment a line."""
    return bool(SET_SUFFIX.search(path))


class TextFile:
    """The lines of a text file, without their ends, a block at a time; it can be read once.

    Lines end at LF, or CR LF; all other Unicode separators are text. A byte-order mark is dropped. Reading raises
    InputError for a file that cannot be read, is empty, or is not UTF-8: then with line and byte.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = "standard input" if path == STANDARD_INPUT else path
        self.lines_read = 0
        self.bytes_read = 0  # compressed, where they are
        self._raw: IO[bytes] | None = None

    def size(self) -> int | None:
        """Return how many bytes there are to read, compressed where they are; None where that is not known."""
        try:
            status = os.stat(self.path)  # noqa: PTH116
        except OSError:
            return None
        return status.st_size if stat.S_ISREG(status.st_mode) and self.path != STANDARD_INPUT else None

    def blocks(self) -> Iterator[list[str]]:
        """Return the lines, some at a time, as they are read."""
        rest: list[bytes] = []
        for content in self._contents():
            cut = content.rfind(b"\n") + 1
            if cut:
                yield self._decoded(b"".join([*rest, content[:cut]]))
                rest = []
            rest.append(content[cut:])
        last = b"".join(rest)
        if last:
            yield self._decoded(last)
        if not self.lines_read:
            raise InputError(f"{self.name}: is empty; one segment a line is expected")

    def chunks(self, number: int) -> Iterator[list[str]]:
        """Return the lines, ``number`` at a time, but for the last."""
        lines: list[str] = []
        for block in self.blocks():
            lines += block
            whole = len(lines) - len(lines) % number
            for start in range(0, whole, number):
                yield lines[start : start + number]
            del lines[:whole]
        if lines:
            yield lines

    def _decoded(self, content: bytes) -> list[str]:
        if not self.lines_read:
            content = content.removeprefix(_BYTE_ORDER_MARK)
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = self.lines_read + content.count(b"\n", 0, error.start) + 1
            byte = error.start - content.rfind(b"\n", 0, error.start)
            value = content[error.start]
            raise InputError(
                f"{self.name}:{line}: is not UTF-8 text: byte {byte} of the line is 0x{value:02x}"
            ) from error
        lines = text.replace("\r\n", "\n").split("\n")
        if not lines[-1]:
            lines.pop()
        self.lines_read += len(lines)
        return lines

    def _contents(self) -> Iterator[bytes]:
        with _told(self.path), self._opened() as file:
            while content := file.read(BLOCK):
                self.bytes_read = self._raw.tell() if self._raw else self.bytes_read + len(content)
                yield content

    @contextmanager
    def _opened(self) -> Iterator[IO[bytes]]:
        if self.path == STANDARD_INPUT:
            if sys.stdin is None:
                raise InputError("standard input: is closed")
            yield sys.stdin.buffer
            return
        suffix = next((suffix for suffix in _OPENERS if self.path.lower().endswith(suffix)), None)
        with open(self.path, "rb") as self._raw:  # noqa: PTH123
            if suffix is None:
                yield self._raw
            else:
                with _decompressed(self._raw, self.path, suffix) as file:
                    yield file


def read_lines(path: str) -> list[str]:
    """Return all lines of a :class:`TextFile`."""
    return list(chain.from_iterable(TextFile(path).blocks()))


def read_aligned(files: Sequence[TextFile], number: int) -> Iterator[tuple[list[str], ...]]:
    """Return the lines of all files, ``number`` of each at a time.

    Raises InputError where one has more lines than another, after all were read to say how many each has.
    """
    chunks = [file.chunks(number) for file in files]
    for lines in zip_longest(*chunks, fillvalue=()):
        if len(set(map(len, lines))) > 1:
            for rest in chunks:
                _exhaust(rest)
            uneven = next(file for file in files if file.lines_read != files[0].lines_read)
            raise InputError(
                f"{uneven.path} has {uneven.lines_read} lines, {files[0].path} has {files[0].lines_read}: "
                "line N of every file must belong to segment N"
            )
        yield cast("tuple[list[str], ...]", lines)


def _exhaust(items: Iterable[object]) -> None:
    for _ in items:
        pass


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Tell by the file's name what goes wrong in reading it."""
    try:
        yield
    except IsADirectoryError as error:
        raise InputError(f"{path}: is a directory, not a text file") from error
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    except MemoryError as error:
        raise InputError(f"{path}: has a line that is too long for the memory of this machine") from error
    except (InputError, GeneratorExit):
        raise
    except Exception as error:
        compressed = path.lower().endswith(tuple(_OPENERS))
        if not (compressed or isinstance(error, OSError)):
            raise
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InputError(f"{path}: cannot be read: {reason}") from error


def _decompressed(file: IO[bytes], path: str, suffix: str) -> IO[bytes]:
    module, name = _OPENERS[suffix]
    try:
        opener = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise InputError(f"{path}: reading {name} files needs: pip install 'bleukit[zstd]'") from error
    return cast("IO[bytes]", opener.open(file, "rb"))
