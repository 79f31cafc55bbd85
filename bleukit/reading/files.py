"""Text files: UTF-8, one segment a line, lines end at LF; decompressed by suffix, ``-`` is standard input.

Nothing here seeks, so pipes and FIFOs are read like files. :class:`Limits` bounds what is held in memory.
"""

from __future__ import annotations

import codecs
import errno
import os
import select
import stat
import sys
from contextlib import contextmanager, nullcontext
from io import FileIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bleukit.framework.compiled import CompiledModule
from bleukit.framework.errors import InputError
from bleukit.reading import compressed, paths, shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import BinaryIO, Literal

Item_co = TypeVar("Item_co", covariant=True)

STANDARD_INPUT = "-"

BLOCK = 1 << 20
"""Bytes read at a time."""

LEAST_BLOCK = 1 << 16
FEW = 8
"""If more files than these are read at the same time, their blocks are smaller, but not below LEAST_BLOCK bytes."""

_NO_WAITING = os.O_NONBLOCK if sys.platform == "linux" else 0
"""Elsewhere a named pipe without a writer does not wait in select."""

_compiled = CompiledModule("bleukit.reading.files_compiled")


class Limits(NamedTuple):
    """The largest input that is accepted: a larger one is an error as soon as it is seen.

    ``line``: characters of a line, or of a segment of an evaluation set. ``text`` and ``segments``: characters and
    segments of text that is held in memory as a whole: an evaluation set, or text that is read more than once.
    ``values``: values of a column of a file of statistics.
    """

    line: int = 1 << 24
    text: int = 1 << 28
    segments: int = 1_000_000
    values: int = 1 << 26

    def check(
        self, name: Literal["line", "text", "segments", "values"], size: int, where: str, *values: object
    ) -> None:
        """Raise InputError, with ``where.format(*values)``, if ``size`` is above the limit of this name."""
        most: int = getattr(self, name)
        if size > most:
            unit = "characters" if name in {"line", "text"} else name
            raise InputError(f"{where.format(*values)} has more than {most:,} {unit}, the limit {name!r}")


DEFAULT_LIMITS = Limits()


class TextFile:
    """A text file, which can be read once, as lines or as one text; a byte-order mark is dropped.

    Reading raises InputError if the file cannot be read, is empty, is above a limit, or is not UTF-8: then with line
    and byte. If its lines are segments, as they are unless ``is_text`` is set to False, InputError is raised, too, if
    they look like another format. ``on_read`` is called with the number of bytes of each read, compressed if the file
    is. ``among`` is how many files are read at the same time: of many less is read at a time. ``notes`` holds
    observations that are not errors.
    """

    is_text = True

    def __init__(
        self,
        path: str,
        limits: Limits = DEFAULT_LIMITS,
        on_read: Callable[[int], object] | None = None,
        among: int = 1,
    ) -> None:
        self.path = path
        self.name = "standard input" if path == STANDARD_INPUT else path
        self.limits = limits
        self.lines_read = 0
        self.characters_read = 0
        self.notes: list[str] = []
        self._block = min(BLOCK, max(FEW * BLOCK // among, LEAST_BLOCK))
        self._beginning: bytearray | None = None
        self._is_pipe = False
        self._on_read = on_read or (lambda _: None)
        self._file: FileIO | BinaryIO | None = None

    def blocks(self) -> Iterator[Sequence[str]]:
        """Yield the lines without their ends, some at a time.

        Lines end at LF, or CR LF; all other Unicode separators are text.
        """
        # No variable holds a block, because each of many files would keep one in memory.
        contents = self._utf8()
        if self.is_text and not paths.all_are_text():
            contents = map(self._judged, contents)
            self._beginning = bytearray()
        yield from map(self._lines, self.whole_lines(contents))
        if self._beginning is not None:
            shapes.refuse_text(self.name, self._beginning)

    def lines(self) -> list[str]:
        """Return all lines. Raises InputError, too, if they exceed the limits of text that is held as a whole."""
        lines: list[str] = []
        for block in self.blocks():
            lines += block
            self.limits.check("segments", len(lines), "{}", self.name)
            self.limits.check("text", self.characters_read, "{}", self.name)
        return lines

    def whole_lines(self, contents: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines of this text, with their ends, some at a time. Raises InputError for one above the limit.

        ``lines_read`` holds the number of those before.
        """
        rest: list[bytes] = []
        waiting = 0
        for content in contents:
            cut = content.rfind(b"\n") + 1
            if cut:
                yield b"".join([*rest, memoryview(content)[:cut]])
                rest, waiting = [], 0
            if cut < len(content):
                rest.append(content[cut:])
                waiting += len(rest[-1].decode())
                self.limits.check("line", waiting, "{}:{}: the line", self.name, self.lines_read + 1)
        if rest:
            yield b"".join(rest)

    def utf8(self) -> Iterator[bytes]:
        """Yield the bytes of the text unchanged, a block of whole characters at a time."""
        for content in self._utf8():
            self.lines_read += content.count(b"\n")
            yield content

    def _utf8(self) -> Iterator[bytes]:
        """Yield the bytes of the text, a block of whole characters at a time; ``lines_read`` are those before it."""
        head = rest = b""
        has_nul = False
        line_start = fed = 0
        for read in chain(self.contents(), (b"",)):
            if not head:
                head = read[:4096]
                if not paths.all_are_text():
                    shapes.refuse_bytes(self.name, head)
            content = rest + read
            try:
                end, characters = complete(content, not read)
            except UnicodeDecodeError as error:
                line = self.lines_read + content.count(b"\n", 0, error.start) + 1
                last = content.rfind(b"\n", 0, error.start)
                byte = error.start - last if last >= 0 else fed + error.start - line_start + 1
                value = content[error.start]
                raise InputError(
                    f"{self.name}:{line}: is not UTF-8 text: byte {byte} of the line is 0x{value:02x}"
                    f"{_compressed_hint(head)}"
                ) from error
            rest, content = content[end:], content[:end]
            if not fed and content.startswith(codecs.BOM_UTF8):
                self.notes.append(f"{self.name}: begins with a byte-order mark, which is left out; sacreBLEU counts it")
                fed, content, characters = len(codecs.BOM_UTF8), content[len(codecs.BOM_UTF8) :], characters - 1
            if b"\0" in content and not has_nul:
                has_nul = True
                line = self.lines_read + content.count(b"\n", 0, content.index(b"\0")) + 1
                self.notes.append(f"{self.name}:{line}: holds a NUL")
            last = content.rfind(b"\n")
            line_start = fed + last + 1 if last >= 0 else line_start
            fed += len(content)
            self.characters_read += characters
            if content:
                yield content
        if not self.characters_read:
            raise InputError(f"{self.name}: is empty; one segment a line is expected")

    def _lines(self, content: bytes) -> Sequence[str]:
        if not self.lines_read and b"\r" in content and b"\n" not in content:
            raise InputError(f"{self.name}: has carriage returns and no line feed; lines must end in LF or CR LF")
        lines = split_lines(content)
        if len(content) > self.limits.line:
            for number, line in enumerate(lines, self.lines_read + 1):
                self.limits.check("line", len(line), "{}:{}: the line", self.name, number)
        self.lines_read += len(lines)
        return lines

    def _judged(self, content: bytes) -> bytes:
        """Return a block of the text. Raises InputError if so much of it was read that its format is clear."""
        if self._beginning is not None:
            self._beginning += content[: BLOCK - len(self._beginning)]
            # A pipe may give a line at a time.
            if not self._is_pipe or len(self._beginning) >= self._block or self.lines_read > shapes.LINES:
                shapes.refuse_text(self.name, self._beginning)
                self._beginning = None
        return content

    def contents(self) -> Iterator[bytes]:
        """Yield the bytes of the text, unchanged but decompressed."""
        form = compressed.format_of(self.path)
        with _reported(self.name):
            if form is None:
                yield from self._stored(self._block)
                return
            try:
                yield from compressed.decompress(self._stored(compressed.STORED), form, self._block)
            except ImportError as error:
                wanted = "pip install 'bleukit[zstd]'"
                raise InputError(f"{self.name}: reading {form.name} files needs: {wanted}") from error

    def _stored(self, most: int) -> Iterator[bytes]:
        """Yield the bytes of the file, as soon as there are any."""
        with nullcontext(self._file) if self._file else _opened(self.path) as file:
            before = _state(file)
            self._is_pipe = before is None
            if is_pipe(file):  # without a writer, it would look as if it had ended
                select.select([file], [], [])
            while (content := file.read(most)) != b"":
                if content is None:  # a pipe that does not block, and is empty for now
                    select.select([file], [], [])
                    continue
                self._on_read(len(content))
                yield content
            if _state(file) != before:
                raise InputError(f"{self.name}: changed while it was read")

    @contextmanager
    def opened(self) -> Iterator[FileIO | BinaryIO]:
        """Open the file before it is read."""
        with _reported(self.name), _opened(self.path) as file:
            self._file = file
            try:
                yield file
            finally:
                self._file = None

    @contextmanager
    def seekable(self) -> Iterator[FileIO | BinaryIO]:
        """Open the file to read any part of it; if it is compressed, or a pipe, that is a temporary copy."""
        with self.opened() as file:
            before = _state(file)
            if before is None or compressed.format_of(self.path):
                from tempfile import TemporaryFile  # heavy, and rarely needed

                with TemporaryFile() as copy:
                    for content in self.contents():
                        copy.write(content)
                    copy.seek(0)
                    yield copy
                return
            yield file
            self._on_read(before[0])
            if _state(file) != before:
                raise InputError(f"{self.name}: changed while it was read")


@_compiled.replaces
def complete(content: bytes, final: bool) -> tuple[int, int]:
    """Return how many bytes are whole characters of UTF-8, and how many characters; all must be if ``final``.

    Raises UnicodeDecodeError for what no further bytes can make UTF-8.
    """
    text, end = codecs.utf_8_decode(content, "strict", final)
    return end, len(text)


@_compiled.replaces
def split_lines(content: bytes) -> Sequence[str]:
    """Return the lines of UTF-8, without their ends, LF or CR LF. The compiled ones are PackedTexts."""
    lines = content.decode().replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def read_lines(path: str, limits: Limits = DEFAULT_LIMITS) -> list[str]:
    """Return all lines of a file, which are no segments."""
    file = TextFile(path, limits)
    file.is_text = False
    return file.lines()


def size(paths: Sequence[str]) -> int | None:
    """Return how many bytes the files have, compressed if they are; None if that is not known, as of a pipe."""
    total = 0
    for path in paths:
        try:
            status = Path(path).stat()
        except OSError:
            return None
        if path == STANDARD_INPUT or not stat.S_ISREG(status.st_mode):
            return None
        total += status.st_size
    return total


def refuse_second_readers(paths: Sequence[str]) -> None:
    """Raise InputError if what can be read only once, standard input or a pipe, is among the paths twice."""
    seen: dict[tuple[int, int] | str, str] = {}
    for path in paths:
        name = "standard input (-)" if path == STANDARD_INPUT else path
        try:
            status = os.fstat(0) if path == STANDARD_INPUT else Path(path).stat()
        except OSError:
            status = None
        keys: list[tuple[int, int] | str] = [path] if path == STANDARD_INPUT else []
        if status and not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
            keys.append((status.st_dev, status.st_ino))
        for key in keys:
            if key in seen:
                other = "" if seen[key] == name else f", and {seen[key]} is the same"
                raise InputError(f"{name} can be read only once{other}")
            seen[key] = name


@contextmanager
def _opened(path: str) -> Iterator[FileIO | BinaryIO]:
    if path != STANDARD_INPUT:
        with FileIO(path, opener=_without_waiting) as file:
            yield file
    elif sys.stdin is None:
        raise InputError("standard input: is closed")
    else:
        try:
            number = sys.stdin.fileno()
        except (AttributeError, OSError):  # another program has put an object of its own there
            yield sys.stdin.buffer
        else:
            with FileIO(number, closefd=False) as file:
                yield file


def _without_waiting(path: str, flags: int) -> int:
    """Open a named pipe before there is a writer, who may first open another of the pipes that are read here."""
    return os.open(path, flags | _NO_WAITING)


def is_pipe(file: FileIO | BinaryIO) -> bool:
    """Return whether a file is a pipe that select can wait for; on Windows it knows no pipes, and reading waits."""
    if sys.platform == "win32":
        return False
    try:
        return stat.S_ISFIFO(os.fstat(file.fileno()).st_mode)
    except OSError:
        return False


def _state(file: FileIO | BinaryIO) -> tuple[int, int] | None:
    """Return what changes if somebody writes to a regular file."""
    try:
        status = os.fstat(file.fileno())
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None


def _compressed_hint(head: bytes) -> str:
    form = compressed.begun(head)
    return f"; it looks like {form.name}, which is decompressed if the name ends in {form.suffix}" if form else ""


def _numbered(stem: str) -> str:
    """Return how files with numbers at their end are named, if there are some: multi-bleu finds references so."""
    found = [f"{stem}{number}" for number in range(10) if Path(f"{stem}{number}").exists()]
    return f"; there are numbered ones, of which each is named: -r {' -r '.join(found)}" if found else ""


@contextmanager
def _reported(name: str) -> Iterator[None]:
    """Report with the file's name what goes wrong in reading it."""
    try:
        yield
    except IsADirectoryError as error:
        raise InputError(f"{name}: is a directory, not a text file") from error
    except FileNotFoundError as error:
        raise InputError(f"{name}: no such file{_numbered(name)}") from error
    except MemoryError as error:
        raise InputError(f"{name}: is too large for the memory of this machine") from error
    except compressed.DamagedError as error:
        raise InputError(f"{name}: cannot be read: {error}") from error
    except OSError as error:
        remedy = "; a higher limit is set by: ulimit -n NUMBER" if error.errno == errno.EMFILE else ""
        raise InputError(f"{name}: cannot be read: {error.strerror or error}{remedy}") from error
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name!r}: cannot be read: {error}") from error
