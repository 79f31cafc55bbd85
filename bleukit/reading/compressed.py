"""Compressed bytes in, plain bytes out: gzip, bzip2, xz and zstd, by the suffix of a file's name.

One loop reads all formats, because the modules' own file objects differ in what they let pass: those of bz2, lzma and
zstd end quietly at a damaged second member.
"""

from __future__ import annotations

import importlib
import sys
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STORED = 1 << 16
"""Number of compressed bytes read at a time."""

XZ_MEMORY = 1 << 28
"""The largest dictionary of an xz file, in bytes. Files of ``xz -9`` need a quarter of it."""


class DamagedError(Exception):
    """Compressed bytes that end too early, or are not of their format."""


class Format(NamedTuple):
    """A compressed format: its name, the suffix of its files, the bytes they begin with, the module that reads it."""

    name: str
    suffix: str
    magic: bytes
    module: str
    padded: bool = False
    """Zero bytes may follow a member."""


_ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
FORMATS = (
    Format("gzip", ".gz", b"\x1f\x8b", "zlib", padded=True),
    Format("bzip2", ".bz2", b"BZh", "bz2"),
    Format("xz", ".xz", b"\xfd7zXZ\0", "lzma", padded=True),
    Format("zstd", ".zst", b"\x28\xb5\x2f\xfd", _ZSTD),
)


def format_of(path: str) -> Format | None:
    """Return the format that a file's name says, None for plain text."""
    return next((form for form in FORMATS if path.lower().endswith(form.suffix)), None)


def without_suffix(path: str) -> str:
    """Return a path without the suffix of a compressed format."""
    form = format_of(path)
    return path[: -len(form.suffix)] if form else path


def begun(content: bytes) -> Format | None:
    """Return the compressed format of a file that begins with these bytes, None for another."""
    return next((form for form in FORMATS if content.startswith(form.magic)), None)


def decompress(stored: Iterator[bytes], form: Format, most: int) -> Iterator[bytes]:
    """Return the content of all members one after the other, at most ``most`` bytes at a time.

    Raises DamagedError, and ImportError if the format's module is not installed.
    """
    new, errors = _maker(form)
    data = next(stored, b"")
    while data:
        member = new()
        while not member.eof:
            try:
                content = member.decompress(data, most)
            except errors as error:
                raise DamagedError(f"not {form.name}, or damaged: {error}") from error
            data = b""
            if content:
                yield content
            elif not member.eof:
                data = next(stored, b"")
                if not data:
                    raise DamagedError(f"the {form.name} data end before their end mark: the file is cut short")
        data = member.unused_data
        while not (data := data.lstrip(b"\0") if form.padded else data):
            data = next(stored, b"")
            if not data:
                return


def _maker(form: Format) -> tuple[Callable[[], Any], tuple[type[Exception], ...]]:
    """Return what makes a decompressor of one member, and the errors that it raises."""
    module: Any = importlib.import_module(form.module)
    if form.name == "gzip":
        return _GzipMember, (module.error,)
    if form.name == "bzip2":
        return module.BZ2Decompressor, (OSError, ValueError)
    if form.name == "xz":
        return lambda: module.LZMADecompressor(memlimit=XZ_MEMORY), (module.LZMAError,)
    return module.ZstdDecompressor, (module.ZstdError,)


class _GzipMember:
    """zlib's decompressor with the methods of ``bz2.BZ2Decompressor`` and its like."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=31)  # 31: with the header and the checksum of gzip

    @property
    def eof(self) -> bool:
        return self._member.eof

    @property
    def unused_data(self) -> bytes:
        return self._member.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._member.decompress(self._member.unconsumed_tail + data, max_length)
