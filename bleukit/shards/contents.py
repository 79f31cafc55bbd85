"""What a file of statistics holds: a header, and columns with one row for each system and unit, in blocks of rows.

A checksum in the header covers both; a file that another program has written may have none.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec
import numpy as np

from bleukit.accumulator import Level  # noqa: TC001 - msgspec reads the types of fields
from bleukit.additive import AdditiveStatistics
from bleukit.errors import InputError, InputTypeError, one_line, shown
from bleukit.loading.signature import SignaturePart
from bleukit.metrics.loading import load_metric
from bleukit.statistics import Statistics
from bleukit.text.paths import is_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bleukit.text.files import Limits

ROWS = 1 << 16
"""Number of rows written at a time."""

LAST = "last_"
"""The prefix of the columns with the statistics of the last segment of each row."""

KEYS = {"corpus": "", "document": "document", "sentence": "segment"}
"""The column with the names of units, by level."""

ColumnBlock: TypeAlias = "dict[str, Any]"
"""Some rows of a file, by the names of its columns: arrays of a row each to be written, flat ones when read."""


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


class RecordedPlugin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plugin that the variant needs."""

    name: str
    module: str
    distribution: str
    version: str


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a file holds beside its rows; :func:`completed` adds what follows from these."""

    format: Literal["bleukit statistics"] = "bleukit statistics"
    signature: str
    level: Level
    variant: str = ""
    """The variant as YAML, which needs ``plugins``."""
    metric: dict[str, dict[str, bool | int]] | msgspec.UnsetType = msgspec.UNSET
    """In place of a variant, the name of another metric, and its options."""
    plugins: tuple[RecordedPlugin, ...] = ()
    counted_by: _CountedBy | str = ""
    max_order: int = 1
    systems: tuple[_System, ...] = ()
    sources: tuple[Source, ...] = ()
    sha256: str = ""
    """The SHA-256 of the header in which this is empty, as it is written, and of the rows."""


def statistics_class(header: Header) -> type[AdditiveStatistics]:
    """Return the class of the statistics of a file. Raises DamagedError if its metric is not known here."""
    if not header.metric:
        return Statistics
    try:
        [(name, options)] = header.metric.items()
        return load_metric(name, **options).statistics_class
    except (ValueError, InputError) as error:
        raise DamagedError(f"is of a metric that is not known here: {one_line(error)}") from error


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


def digest(statistics: AdditiveStatistics, begun: bytes = b"") -> str:
    """Return the SHA-256 of statistics, the rows of all systems; numbers are little-endian."""
    sha256 = hashlib.sha256(begun)
    for rows in filter(None, (statistics, statistics.last_segments)):
        for name in rows.columns:
            values = rows.column(name)
            sha256.update(values if sys.byteorder == "little" else np.asarray(values).byteswap())
    if statistics.has_keys:
        sha256.update(msgspec.json.encode(statistics.keys()))
    return sha256.hexdigest()


def completed(header: Header, by_name: Mapping[str, AdditiveStatistics], whole: AdditiveStatistics) -> Header:
    """Return the header of a file with the statistics of these systems, whose rows are one behind the other."""
    bare = msgspec.structs.replace(
        header,
        counted_by=_counted_by(whole.counted_by),
        max_order=whole.max_order,
        systems=tuple(_System(name, len(rows)) for name, rows in by_name.items()),
        sha256="",
    )
    return msgspec.structs.replace(bare, sha256=digest(whole, msgspec.json.encode(bare)))


def blocks_of(header: Header, whole: AdditiveStatistics) -> Iterator[ColumnBlock]:
    """Yield the columns of the file, some rows at a time."""
    systems = [system.name for system in header.systems for _ in range(system.rows)]
    for start in range(0, len(whole), ROWS):
        rows = whole[start : start + ROWS]
        keys = {KEYS[header.level]: list(rows.keys())} if rows.has_keys and KEYS[header.level] else {}
        columns = {name: getattr(rows, name) for name in rows.columns}
        last = rows.last_segments
        of_last = {f"{LAST}{name}": getattr(last, name) for name in last.columns} if last else {}
        yield {"system": systems[start : start + ROWS], **keys, **columns, **of_last}


def statistics_of(
    content: bytes, header: Header, blocks: Iterable[ColumnBlock], limits: Limits
) -> dict[str, AdditiveStatistics]:
    """Return the statistics of each system in a file, whose header is written as ``content``.

    Raises DamagedError if they do not fit the header, and InputError if there are more than the limit.
    """
    parts, systems, sizes = [], [], Counter[str]()
    for block in blocks:
        for name, values in block.items():
            sizes[name] += len(values)
            limits.check("values", sizes[name], "column {!r} of statistics", name)
        try:
            parts.append(_rows(header, block))
            systems += block["system"]
        except (KeyError, InputError) as error:
            raise DamagedError(f"is damaged: {one_line(error)}") from error
    whole = AdditiveStatistics.concatenate(parts or [statistics_class(header).empty(header.max_order)])
    if systems != [system.name for system in header.systems for _ in range(system.rows)]:
        raise DamagedError("is damaged: its rows are not those of the systems in its header")
    before, _, after = content.rpartition(f'"sha256":"{header.sha256}"'.encode())
    if header.sha256 and digest(whole, before + b'"sha256":""' + after) != header.sha256:
        raise DamagedError("is damaged: its checksum is not that of its content")
    ends = accumulate(system.rows for system in header.systems)
    return {system.name: whole[end - system.rows : end] for system, end in zip(header.systems, ends, strict=True)}


def _rows(header: Header, block: ColumnBlock) -> AdditiveStatistics:
    way = header.counted_by
    counted_by = SignaturePart(way.fields, way.versions) if isinstance(way, _CountedBy) else way

    kind = statistics_class(header)

    def made(prefix: str, last: Any = None, keys: Iterable[str] | None = None) -> AdditiveStatistics:
        names = [*kind.COLUMNS, *(name for name in kind.OPTIONAL if prefix + name in block)]
        columns = {name: block[prefix + name] for name in names}
        return kind(header.max_order, columns, last, counted_by, keys)

    return made("", made(LAST) if f"{LAST}segments" in block else None, block.get(KEYS[header.level]))


def read_header(content: bytes) -> Header:
    """Return the header in some bytes. Raises DamagedError if it is none."""
    try:
        return msgspec.json.decode(content, type=Header)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise DamagedError(f"holds no statistics as 'bleukit score --statistics' keeps them: {error}") from error
