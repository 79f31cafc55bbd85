"""What a file of statistics holds: a header, and columns with one row for each system and unit, in blocks of rows.

A checksum in the header covers both; a file that another program has written may have none.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from bleukit.accumulator import Level  # noqa: TC001 - msgspec reads the types of fields
from bleukit.errors import InputError, InputTypeError, one_line, shown
from bleukit.loading.signature import SignaturePart
from bleukit.statistics import Statistics
from bleukit.text.paths import is_folder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from bleukit.text.files import Limits

FORMAT = "bleukit statistics 2"
"""What a file is, with the version of its format; no other version is read."""

ROWS = 1 << 16
"""Number of rows written at a time."""

PER_ORDER = {"matches", "totals"}
"""Columns with a value for each order."""

FLOATS = {"reference_length", "reference_length_rest"}
"""Columns of floats; the others are whole numbers."""

LAST = "last_"
"""The prefix of the columns with the statistics of the last segment of each row."""

KEYS = {"corpus": "", "document": "document", "sentence": "segment"}
"""The column with the names of units, by level."""

ColumnBlock: TypeAlias = "dict[str, Any]"


class InputFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that was read: its role, its path, the SHA-256 of its bytes, and the part that ``#NAME`` chose."""

    role: str
    file: str
    sha256: str
    chosen: str = ""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a shard was counted from: the files, and the columns of tables that were named."""

    inputs: tuple[InputFile, ...] = ()
    columns: dict[str, tuple[str, ...]] = {}
    segments: int = 0
    sha256: str = ""
    """The SHA-256 of the statistics, which are equal if the same part of a text was counted twice."""

    def difference(self, other: Source) -> str:
        """Say how the files that were read differ from those of another source; empty if they do not."""
        ours, theirs = ([(file.role, file.chosen) for file in source.inputs] for source in (self, other))
        if ours != theirs or self.columns != other.columns:
            return f"they are of {self}"
        changed = [new.file for old, new in zip(self.inputs, other.inputs, strict=True) if old.sha256 != new.sha256]
        return f"since then {', '.join(changed)} changed" if changed else ""

    def __str__(self) -> str:
        columns = [f"column {c!r}" for names in self.columns.values() for c in names]
        return ", ".join([*(file.file for file in self.inputs), *columns]) or "inputs that it does not name"


class _CountedBy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of a signature that says how statistics were counted."""

    fields: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...] = ()


class _System(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    rows: int
    counted_by: _CountedBy | str


class _Format(msgspec.Struct, frozen=True):
    format: str


class RecordedPlugin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plugin that the variant needs."""

    name: str
    module: str
    distribution: str
    version: str


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a file holds beside its rows; :func:`completed` adds what follows from these."""

    format: str = FORMAT
    signature: str
    level: Level
    variant: str
    """The variant as YAML, which needs ``plugins``."""
    plugins: tuple[RecordedPlugin, ...] = ()
    max_order: int = 1
    has_keys: bool = False
    has_last: bool = False
    systems: tuple[_System, ...] = ()
    sources: tuple[Source, ...] = ()
    sha256: str = ""
    """The SHA-256 of the header in which this is empty, as it is written, and of the rows."""


def checksum(path: str, file: str, role: str) -> InputFile:
    """Return a file, or a folder, with its checksum; ``path`` may choose a part of it.

    Raises InputError if it cannot be read, or is no regular file.
    """
    if not is_folder(file):
        return InputFile(role, path, _sha256(path, file), path[len(file) :])
    from bleukit.text.folders import members  # imported for folders alone

    whole = hashlib.sha256()
    for member in members(file):
        whole.update(f"{member.path[len(file) :]}\n{_sha256(member.path, member.path)}\n".encode())
    return InputFile(role, path, whole.hexdigest(), path[len(file) :])


def _sha256(path: str, file: str) -> str:
    if file == "-" or (Path(file).exists() and not Path(file).is_file()):
        raise InputError(f"{path}: is no file that can be read twice, for its checksum and for its text")
    try:
        with Path(file).open("rb") as opened:
            sha256 = hashlib.sha256()
            while content := opened.read(1 << 20):
                sha256.update(content)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    return sha256.hexdigest()


class DamagedError(Exception):
    """A file that holds no statistics, or has changed since it was written."""


def _counted_by(counted_by: object) -> _CountedBy | str:
    if isinstance(counted_by, SignaturePart):
        return _CountedBy(counted_by.fields, counted_by.versions)
    if isinstance(counted_by, str):
        return counted_by
    raise InputTypeError(f"counted_by: expected a part of a signature, or text, got {shown(counted_by)}")


def _columns(statistics: Statistics, *, has_last: bool) -> Iterator[tuple[str, memoryview]]:
    """Return all columns, those of the last segments behind the others."""
    for name in statistics.columns:
        yield name, statistics.column(name)
    for name in statistics.columns if has_last else ():
        yield f"{LAST}{name}", (statistics.last_segments or statistics).column(name)


def digest(several: Collection[Statistics], begun: bytes = b"") -> str:
    """Return the SHA-256 of statistics; numbers are little-endian."""
    sha256 = hashlib.sha256(begun)
    has_last = _have_last(several)
    for statistics in several:
        for _, column in _columns(statistics, has_last=has_last):
            sha256.update(column if sys.byteorder == "little" else _swapped(column))
        if statistics.has_keys:
            sha256.update(msgspec.json.encode(statistics.keys()))
    return sha256.hexdigest()


def _have_last(several: Iterable[Statistics]) -> bool:
    return any(statistics.last_segments is not None for statistics in several)


def _swapped(column: memoryview) -> bytes:
    values = array(column.format, column)
    values.byteswap()
    return values.tobytes()


def completed(header: Header, statistics: Mapping[str, Statistics]) -> Header:
    """Return the header of a file with the statistics of these systems."""
    several = statistics.values()
    bare = msgspec.structs.replace(
        header,
        max_order=max((rows.max_order for rows in several), default=1),
        has_keys=any(rows.has_keys for rows in several),
        has_last=_have_last(several),
        systems=tuple(_System(name, len(rows), _counted_by(rows.counted_by)) for name, rows in statistics.items()),
        sha256="",
    )
    return msgspec.structs.replace(bare, sha256=digest(several, msgspec.json.encode(bare)))


def blocks_of(header: Header, by_name: Mapping[str, Statistics]) -> Iterator[ColumnBlock]:
    """Yield the columns of the file, some rows of a system at a time; matches and totals row by row."""
    key = KEYS[header.level]
    for name, statistics in by_name.items():
        for start in range(0, len(statistics), ROWS):
            rows = statistics[start : start + ROWS]
            block: ColumnBlock = {"system": [name] * len(rows)}
            if key and header.has_keys:
                block[key] = list(rows.keys())
            yield block | dict(_columns(rows, has_last=header.has_last))


def column_names(header: Header) -> tuple[str, ...]:
    """Return the names of the columns of statistics in a file; those of macro variants hold sentence scores."""
    ways = [system.counted_by for system in header.systems]
    is_macro = any(isinstance(way, _CountedBy) and "average" in dict(way.fields) for way in ways)
    return (*Statistics.COLUMNS, *(Statistics.SENTENCE_SCORES if is_macro else ()))


def statistics_of(
    content: bytes, header: Header, blocks: Iterable[ColumnBlock], limits: Limits
) -> dict[str, Statistics]:
    """Return the statistics of each system in a file, whose header is written as ``content``.

    Raises DamagedError if they do not fit the header, and InputError if there are more than the limit.
    """
    columns, systems, keys = _columns_of(header, blocks, limits)
    by_system: dict[str, Statistics] = {}
    start = 0
    for system in header.systems:
        of_system = slice(start, start := start + system.rows)
        own_keys = keys[of_system] if header.has_keys else None
        try:
            by_system[system.name] = _statistics(header, system, columns, own_keys, of_system)
        except InputError as error:
            raise DamagedError(f"is damaged: {error}") from error
    if systems != [system.name for system in header.systems for _ in range(system.rows)]:
        raise DamagedError("is damaged: its rows are not those of the systems in its header")
    before, _, after = content.rpartition(f'"sha256":"{header.sha256}"'.encode())
    if header.sha256 and digest(by_system.values(), before + b'"sha256":""' + after) != header.sha256:
        raise DamagedError("is damaged: its checksum is not that of its content")
    return by_system


def _columns_of(
    header: Header, blocks: Iterable[ColumnBlock], limits: Limits
) -> tuple[dict[str, array[Any]], list[str], list[str]]:
    """Return the columns of statistics, and of each row its system and, if there are any, its key."""
    key = KEYS[header.level] if header.has_keys else ""
    prefixes = ("", LAST) if header.has_last else ("",)
    names = [prefix + name for prefix in prefixes for name in column_names(header)]
    columns = {name: array("d" if name.removeprefix(LAST) in FLOATS else "q") for name in names}
    keys: list[str] = []
    systems: list[str] = []
    for block in blocks:
        try:
            for name, column in columns.items():
                column.extend(block[name])
            systems += block["system"]
            keys += block[key] if key else ()
        except (KeyError, TypeError, OverflowError) as error:
            raise DamagedError(f"is damaged: {one_line(error)}") from error
        for name, column in columns.items():
            limits.check("values", len(column), "column {!r} of statistics", name)
    for name, column in columns.items():
        if len(column) != len(systems) * _width(name, header):
            raise DamagedError(f"is damaged: column {name!r} has {len(column)} values in {len(systems)} rows")
    return columns, systems, keys


def _statistics(
    header: Header, system: _System, columns: Mapping[str, array[Any]], keys: list[str] | None, rows: slice
) -> Statistics:
    way = system.counted_by
    counted_by = SignaturePart(way.fields, way.versions) if isinstance(way, _CountedBy) else way

    def made(prefix: str, last: Statistics | None, keys: list[str] | None) -> Statistics:
        of_system = {}
        for name in column_names(header):
            width = _width(name, header)
            of_system[name] = columns[prefix + name][rows.start * width : rows.stop * width]
        return Statistics(header.max_order, of_system, last, counted_by, keys)

    return made("", made(LAST, None, None) if header.has_last else None, keys)


def _width(column: str, header: Header) -> int:
    return header.max_order if column.removeprefix(LAST) in PER_ORDER else 1


def read_header(content: bytes) -> Header:
    """Return the header in some bytes. Raises DamagedError if it is none, or of another version."""
    try:
        written = msgspec.json.decode(content, type=_Format).format
        if written == FORMAT:
            return msgspec.json.decode(content, type=Header)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise DamagedError(f"holds no statistics as 'bleukit score --statistics' keeps them: {error}") from error
    raise DamagedError(f"is of the format {written!r:.60}, not {FORMAT!r}")
