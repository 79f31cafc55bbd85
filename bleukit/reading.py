"""Text in: UTF-8, one segment a line, lines end at LF; files are decompressed by suffix, ``-`` is standard input."""

from __future__ import annotations

import importlib
import sys
from typing import IO, cast

from bleukit.errors import InputError

STANDARD_INPUT = "-"

_OPENERS = {
    ".gz": ("gzip", "gzip"),
    ".bz2": ("bz2", "bz2"),
    ".xz": ("lzma", "lzma"),
    ".zst": ("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd", "zstd"),
}
"""Suffix of a compressed file: the module whose ``open`` reads it, and what people call the format."""


def read_lines(path: str) -> list[str]:
    """Return the lines of a text file, without their ends.

    Lines end at LF, or CR LF; all other Unicode separators are text. A byte-order mark is dropped. Raises InputError
    for a file that cannot be read, is empty, or is not UTF-8: then with line and byte.
    """
    content = _read_bytes(path).removeprefix(b"\xef\xbb\xbf")
    name = "standard input" if path == STANDARD_INPUT else path
    if not content:
        raise InputError(f"{name}: is empty; one segment a line is expected")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = error.start - content.rfind(b"\n", 0, error.start)
        value = content[error.start]
        raise InputError(f"{name}:{line}: is not UTF-8 text: byte {byte} of the line is 0x{value:02x}") from error
    lines = text.replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _read_bytes(path: str) -> bytes:
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise InputError("standard input: is closed")
        return sys.stdin.buffer.read()
    suffix = next((suffix for suffix in _OPENERS if path.lower().endswith(suffix)), None)
    try:
        with _open_compressed(path, suffix) if suffix else open(path, "rb") as file:  # noqa: PTH123
            return file.read()
    except IsADirectoryError as error:
        raise InputError(f"{path}: is a directory, not a text file") from error
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    except MemoryError as error:
        raise InputError(f"{path}: is too large for the memory of this machine") from error
    except Exception as error:
        if isinstance(error, InputError) or not (suffix or isinstance(error, OSError)):
            raise
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InputError(f"{path}: cannot be read: {reason}") from error


def _open_compressed(path: str, suffix: str) -> IO[bytes]:
    module, name = _OPENERS[suffix]
    try:
        opener = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise InputError(f"{path}: reading {name} files needs: pip install 'bleukit[zstd]'") from error
    return cast("IO[bytes]", opener.open(path, "rb"))
