"""What a file of statistics holds: a header, and columns with one row for each system and unit, in blocks of rows.

A checksum in the header covers both; a file that another program has written may have none.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec
import numpy as np

from bleukit.bleu.statistics import Statistics
from bleukit.framework.additive import AdditiveStatistics
from bleukit.framework.errors import InputError, InputTypeError, one_line, shown
from bleukit.framework.metric import Level  # noqa: TC001 - msgspec reads the types of fields
from bleukit.framework.signature import SignaturePart
from bleukit.metrics.loading import load_metric
from bleukit.reading.paths import encodable
from bleukit.shards.sources import Source  # noqa: TC001 - as above

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bleukit.reading.files import Limits

ROWS = 1 << 16
"""Number of rows written at a time."""

KEYS = {"corpus": "", "document": "document", "sentence": "segment"}
"""The column with the names of units, by level."""

ColumnBlock: TypeAlias = "dict[str, Any]"
"""Some rows of a file, by the names of its columns: arrays of a row each to be written, flat ones when read."""


class _CountedBy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of a signature that says how statistics were counted."""

    fields: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...] = ()


class _System(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    rows: Annotated[int, msgspec.Meta(ge=0)]


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

    @property
    def systems_of_rows(self) -> list[str]:
        """The name of the system of each row."""
        return [system.name for system in self.systems for _ in range(system.rows)]


def digest(statistics: AdditiveStatistics, begun: bytes = b"") -> str:
    """Return the SHA-256 of statistics, the rows of all systems; numbers are little-endian."""
    sha256 = hashlib.sha256(begun)
    for name in statistics.columns:
        values = statistics.column(name)
        sha256.update(values if sys.byteorder == "little" else np.asarray(values).byteswap())
    if statistics.has_keys:
        sha256.update(msgspec.json.encode(statistics.keys()))
    return sha256.hexdigest()


def completed(header: Header, by_name: Mapping[str, AdditiveStatistics], whole: AdditiveStatistics) -> Header:
    """Return the header of a file with the statistics of these systems, whose rows are one behind the other."""
    way = whole.counted_by
    if not isinstance(way, SignaturePart | str):
        raise InputTypeError(f"counted_by: expected a part of a signature, or text, got {shown(way)}")
    bare = msgspec.structs.replace(
        header,
        counted_by=way if isinstance(way, str) else _CountedBy(way.fields, way.versions),
        max_order=whole.max_order,
        systems=tuple(_System(encodable(name), len(rows)) for name, rows in by_name.items()),
        sha256="",
    )
    return msgspec.structs.replace(bare, sha256=digest(whole, msgspec.json.encode(bare)))


def blocks_of(header: Header, whole: AdditiveStatistics) -> Iterator[ColumnBlock]:
    """Yield the columns of the file, some rows at a time."""
    systems, key = header.systems_of_rows, KEYS[header.level]
    for start in range(0, len(whole), ROWS):
        rows = whole[start : start + ROWS]
        block: ColumnBlock = {"system": systems[start : start + ROWS]}
        if rows.has_keys and key:
            block[key] = list(rows.keys())
        yield block | {name: getattr(rows, name) for name in rows.columns}


def statistics_of(
    content: bytes, header: Header, blocks: Iterable[ColumnBlock], limits: Limits
) -> dict[str, AdditiveStatistics]:
    """Return the statistics of each system in a file, whose header is written as ``content``.

    Raises InputError if they do not fit the header, or if there are more than the limit.
    """
    kind = _statistics_class(header)
    parts, systems, sizes = [kind.empty(header.max_order)], [], Counter[str]()
    for block in blocks:
        for name, values in block.items():
            sizes[name] += len(values)
            limits.check("values", sizes[name], "column {!r} of statistics", name)
        try:
            parts.append(_rows(kind, header, block))
            systems += block["system"]
        except (KeyError, InputError) as error:
            raise InputError(f"is damaged: {one_line(error)}") from error
    whole = AdditiveStatistics.concatenate(parts)
    # The rows are counted before as many names are made as the header says.
    if len(systems) != sum(system.rows for system in header.systems) or systems != header.systems_of_rows:
        raise InputError("is damaged: its rows are not those of the systems in its header")
    before, _, after = content.rpartition(f'"sha256":"{header.sha256}"'.encode())
    if header.sha256 and digest(whole, before + b'"sha256":""' + after) != header.sha256:
        raise InputError("is damaged: its checksum is not that of its content")
    ends = accumulate(system.rows for system in header.systems)
    return {system.name: whole[end - system.rows : end] for system, end in zip(header.systems, ends, strict=True)}


def _statistics_class(header: Header) -> type[AdditiveStatistics]:
    """Return the class of the statistics of a file. Raises InputError if its metric is not known here."""
    if not header.metric:
        return Statistics
    try:
        [(name, options)] = header.metric.items()
        return load_metric(name, **options).statistics_class
    except (ValueError, InputError) as error:
        raise InputError(f"is of a metric that is not known here: {one_line(error)}") from error


def _rows(kind: type[AdditiveStatistics], header: Header, block: ColumnBlock) -> AdditiveStatistics:
    way = header.counted_by
    counted_by = SignaturePart(way.fields, way.versions) if isinstance(way, _CountedBy) else way
    names = [*kind.COLUMNS, *(name for name in kind.OPTIONAL if name in block)]
    columns = {name: block[name] for name in names}
    return kind(header.max_order, columns, counted_by, block.get(KEYS[header.level]))
