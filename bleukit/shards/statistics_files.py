"""Files of statistics: tables with one row for each system and unit.

A header, JSON, says the rest: it is the first line of JSON Lines, and the metadata ``bleukit`` of the schema of Parquet
and Arrow.
"""

from __future__ import annotations

import hashlib
import os
import sys
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias

import msgspec

from bleukit.accumulator import Level  # noqa: TC001 - msgspec reads the types of fields
from bleukit.errors import InputError, InputTypeError, one_line, shown
from bleukit.loading.signature import Part
from bleukit.replacing import replacing, reported
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

FORMAT = "bleukit statistics 1"

ROWS = 1 << 16
"""How many rows are written at a time."""

_PER_ORDER = {"matches", "totals"}
_FLOATS = {"reference_length", "reference_length_rest"}
_LAST = "last_"
"""Begins the names of the columns with the last segment of each row."""
_KEYS = {"corpus": "", "document": "document", "sentence": "segment"}
"""The column of what units are called, by level."""

_Columns: TypeAlias = "dict[str, Any]"
_Write: TypeAlias = "Callable[[BinaryIO, _Header, Iterable[_Columns]], None]"
_Read: TypeAlias = "Callable[[BinaryIO], tuple[_Header, Iterable[_Columns]]]"


class InputFile(msgspec.Struct, frozen=True):
    """A file that was read, for what, what was chosen in it by ``#NAME``, and the SHA-256 of its bytes."""

    role: str
    file: str
    sha256: str
    chosen: str = ""


class Source(msgspec.Struct, frozen=True):
    """What a shard was counted from: files, the columns of tables that were asked for, and what came of it."""

    inputs: tuple[InputFile, ...] = ()
    columns: dict[str, tuple[str, ...]] = {}
    segments: int = 0
    sha256: str = ""
    """That of the statistics."""

    def is_same_as(self, other: Source) -> bool:
        """Return whether both are the same part of a text, wherever it was."""
        ours, theirs = (sorted((each.role, each.sha256) for each in source.inputs) for source in (self, other))
        return bool(ours) and ours == theirs and self.sha256 == other.sha256

    def difference(self, other: Source) -> str:
        """Say how the files that were read differ from those of another source; empty if they do not."""
        ours, theirs = ([(each.role, each.chosen) for each in source.inputs] for source in (self, other))
        if ours != theirs or self.columns != other.columns:
            return f"they are of {self}"
        changed = [new.file for old, new in zip(self.inputs, other.inputs, strict=True) if old.sha256 != new.sha256]
        return f"since then {', '.join(changed)} changed" if changed else ""

    def __str__(self) -> str:
        return ", ".join(
            [each.file for each in self.inputs] + [f"column {c!r}" for names in self.columns.values() for c in names]
        )


class _Way(msgspec.Struct, frozen=True):
    """A part of a signature."""

    fields: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...] = ()


class _System(msgspec.Struct, frozen=True):
    name: str
    rows: int
    counted_by: _Way | str


class RecordedPlugin(msgspec.Struct, frozen=True):
    """A plugin that the variant needs."""

    name: str
    module: str
    distribution: str
    version: str


class _Format(msgspec.Struct):
    format: str


class ShardContents(NamedTuple):
    """All that a file says: ``variant`` is YAML, ``plugins`` those that it needs, ``statistics`` are by system."""

    signature: str
    level: Level
    variant: str
    plugins: tuple[RecordedPlugin, ...]
    sources: tuple[Source, ...]
    statistics: Mapping[str, Statistics]


class _Header(msgspec.Struct, frozen=True):
    """All that a file says beside its rows."""

    format: str
    signature: str
    level: Level
    variant: str
    """As YAML."""
    plugins: tuple[RecordedPlugin, ...]
    max_order: int
    has_keys: bool
    has_last: bool
    systems: tuple[_System, ...]
    sources: tuple[Source, ...]
    sha256: str = ""
    """That of the header without it, and of the rows."""


def write_shard(path: str, contents: ShardContents) -> None:
    """Write a file of the kind that its name says, which is created or replaced when all is written.

    Raises InputError for another name, or if pyarrow is missing; OutputError if the file cannot be written.
    """
    write_rows = _form(path)[0]
    header = _header(contents)
    with replacing(path) as descriptor, reported(path), os.fdopen(descriptor, "wb", closefd=False) as file:
        write_rows(file, header, _blocks(header, contents.statistics))


def read_shard(path: str) -> ShardContents:
    """Read what :func:`write_shard` has written. Raises InputError if it is something else, or damaged."""
    read_rows = _form(path)[1]
    try:
        with Path(path).open("rb") as file:
            return _contents(*read_rows(file))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except _DamagedError as error:
        raise InputError(f"{path}: {error}") from error


def checksum(path: str, file: str, role: str) -> InputFile:
    """Return a file with its checksum; ``path`` may choose a part of it.

    Raises InputError if it cannot be read, or is no regular file.
    """
    if file == "-" or (Path(file).exists() and not Path(file).is_file()):
        raise InputError(f"{path}: is no file that can be read twice, for its checksum and for its text")
    try:
        with Path(file).open("rb") as opened:
            found = hashlib.sha256()
            while content := opened.read(1 << 20):
                found.update(content)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    return InputFile(role, path, found.hexdigest(), path[len(file) :])


class _DamagedError(Exception):
    """A file that is none of statistics, or is not as it was written."""


def _way(counted_by: object) -> _Way | str:
    if isinstance(counted_by, Part):
        return _Way(counted_by.fields, counted_by.versions)
    if isinstance(counted_by, str):
        return counted_by
    raise InputTypeError(f"counted_by: expected a part of a signature, or text, got {shown(counted_by)}")


def _columns(statistics: Statistics, *, has_last: bool) -> Iterator[tuple[str, memoryview]]:
    """Return all columns, those of the last segments behind the others."""
    for name in Statistics.COLUMNS:
        yield name, statistics.column(name)
    for name in Statistics.COLUMNS if has_last else ():
        yield f"{_LAST}{name}", (statistics.last_segments or statistics).column(name)


def digest(several: Collection[Statistics], begun: bytes = b"") -> str:
    """Return the SHA-256 of statistics; numbers are little-endian."""
    found = hashlib.sha256(begun)
    has_last = _have_last(several)
    for statistics in several:
        for _, column in _columns(statistics, has_last=has_last):
            found.update(column if sys.byteorder == "little" else _swapped(column))
        if statistics.has_keys:
            found.update(msgspec.json.encode(statistics.keys()))
    return found.hexdigest()


def _have_last(several: Iterable[Statistics]) -> bool:
    return any(statistics.last_segments is not None for statistics in several)


def _swapped(column: memoryview) -> bytes:
    values = array(column.format, column)
    values.byteswap()
    return values.tobytes()


def _header(contents: ShardContents) -> _Header:
    """Return what stands beside the rows."""
    several = contents.statistics.values()
    bare = _Header(
        format=FORMAT,
        signature=contents.signature,
        level=contents.level,
        variant=contents.variant,
        plugins=contents.plugins,
        max_order=max((rows.max_order for rows in several), default=1),
        has_keys=any(rows.has_keys for rows in several),
        has_last=_have_last(several),
        systems=tuple(_System(name, len(rows), _way(rows.counted_by)) for name, rows in contents.statistics.items()),
        sources=contents.sources,
    )
    return msgspec.structs.replace(bare, sha256=digest(several, msgspec.json.encode(bare)))


def _blocks(header: _Header, by_name: Mapping[str, Statistics]) -> Iterator[_Columns]:
    """Yield the columns of the file, some rows of a system at a time; matches and totals row by row."""
    key = _KEYS[header.level]
    for name, statistics in by_name.items():
        for start in range(0, len(statistics), ROWS):
            rows = statistics[start : start + ROWS]
            block: _Columns = {"system": [name] * len(rows)}
            if key and header.has_keys:
                block[key] = list(rows.keys())
            yield block | dict(_columns(rows, has_last=header.has_last))


def _contents(header: _Header, blocks: Iterable[_Columns]) -> ShardContents:
    """Return what a file holds. Raises _DamagedError if it does not fit together."""
    key = _KEYS[header.level] if header.has_keys else ""
    prefixes = ("", _LAST) if header.has_last else ("",)
    columns = {
        prefix + name: array("d" if name in _FLOATS else "q") for prefix in prefixes for name in Statistics.COLUMNS
    }
    keys: list[str] = []
    found: dict[str, Statistics] = {}
    start = 0
    try:
        for block in blocks:
            for name, column in columns.items():
                column.extend(block[name])
            keys += block[key] if key else ()
        for system in header.systems:
            of_system = slice(start, start := start + system.rows)
            found[system.name] = _statistics(header, system, columns, keys[of_system] if key else None, of_system)
    except (KeyError, TypeError, OverflowError, InputError) as error:
        raise _DamagedError(f"is damaged: {one_line(error)}") from error
    contents = ShardContents(header.signature, header.level, header.variant, header.plugins, header.sources, found)
    if len(columns["segments"]) != start or _header(contents) != header:
        raise _DamagedError("is damaged: its checksum is not that of its content")
    return contents


def _statistics(
    header: _Header, system: _System, columns: Mapping[str, array[Any]], keys: list[str] | None, rows: slice
) -> Statistics:
    way = system.counted_by
    counted_by = Part(way.fields, way.versions) if isinstance(way, _Way) else way

    def made(prefix: str, last: Statistics | None, keys: list[str] | None) -> Statistics:
        of_system = {}
        for name in Statistics.COLUMNS:
            width = _width(name, header)
            of_system[name] = columns[prefix + name][rows.start * width : rows.stop * width]
        return Statistics(header.max_order, of_system, last, counted_by, keys)

    return made("", made(_LAST, None, None) if header.has_last else None, keys)


def _width(column: str, header: _Header) -> int:
    return header.max_order if column.removeprefix(_LAST) in _PER_ORDER else 1


def _read_header(content: bytes) -> _Header:
    try:
        form = msgspec.json.decode(content, type=_Format).format
        if form != FORMAT:
            raise _DamagedError(f"is of another version: {form!r:.60}, not {FORMAT!r}")
        return msgspec.json.decode(content, type=_Header)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _DamagedError(f"holds no statistics as 'bleukit score --statistics' keeps them: {error}") from error


def _write_json_lines(file: BinaryIO, header: _Header, blocks: Iterable[_Columns]) -> None:
    file.write(msgspec.json.encode(header) + b"\n")
    for block in blocks:
        columns = {name: _by_row(name, list(values), header) for name, values in block.items()}
        file.writelines(
            msgspec.json.encode(dict(zip(columns, row, strict=True))) + b"\n"
            for row in zip(*columns.values(), strict=True)
        )


def _by_row(name: str, values: list[Any], header: _Header) -> list[Any]:
    width = header.max_order
    is_flat = name.removeprefix(_LAST) not in _PER_ORDER
    return values if is_flat else [values[start : start + width] for start in range(0, len(values), width)]


def _read_json_lines(file: BinaryIO) -> tuple[_Header, Iterator[_Columns]]:
    return _read_header(file.readline()), _json_rows(file)


def _json_rows(file: BinaryIO) -> Iterator[_Columns]:
    for line in file:
        try:
            row = msgspec.json.decode(line, type=dict[str, str | float | int | list[int]])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise _DamagedError(f"is damaged, or cut short: {error}") from error
        yield {name: value if isinstance(value, list) else [value] for name, value in row.items()}


def _write_parquet(file: BinaryIO, header: _Header, blocks: Iterable[_Columns]) -> None:
    from pyarrow import parquet

    schema = _schema(header)
    with parquet.ParquetWriter(file, schema) as writer:
        for block in blocks:
            writer.write_batch(_batch(schema, block))


def _write_arrow(file: BinaryIO, header: _Header, blocks: Iterable[_Columns]) -> None:
    from pyarrow import ipc

    schema = _schema(header)
    with ipc.new_file(file, schema) as writer:
        for block in blocks:
            writer.write_batch(_batch(schema, block))


def _schema(header: _Header) -> Any:
    import pyarrow as pa

    key = _KEYS[header.level] if header.has_keys else ""
    fields = {name: pa.string() for name in ("system", *((key,) if key else ()))}
    for prefix in ("", *((_LAST,) if header.has_last else ())):
        for name in Statistics.COLUMNS:
            kind = pa.float64() if name in _FLOATS else pa.int64()
            fields[prefix + name] = pa.list_(kind) if name in _PER_ORDER else kind
    return pa.schema(list(fields.items()), metadata={"bleukit": msgspec.json.encode(header)})


def _batch(schema: Any, block: _Columns) -> Any:
    import pyarrow as pa

    rows = len(block["system"])

    def made(name: str, values: Any) -> Any:
        kind = schema.field(name).type
        if not pa.types.is_list(kind):
            return pa.array(values, kind)
        width = len(values) // rows
        return pa.ListArray.from_arrays(pa.array(range(0, len(values) + 1, width), pa.int32()), pa.array(values))

    return pa.record_batch([made(name, block[name]) for name in schema.names], schema=schema)


def _read_parquet(file: BinaryIO) -> tuple[_Header, Iterator[_Columns]]:
    from pyarrow import parquet

    found = _opened(parquet.ParquetFile, file)
    return _header_of(found.schema_arrow), _arrow_rows(found.iter_batches)


def _read_arrow(file: BinaryIO) -> tuple[_Header, Iterator[_Columns]]:
    from pyarrow import ipc

    found = _opened(ipc.open_file, file)
    return _header_of(found.schema), _arrow_rows(
        lambda: map(found.get_batch, range(found.num_record_batches)),
    )


def _opened(open_: Callable[[BinaryIO], Any], file: BinaryIO) -> Any:
    import pyarrow as pa

    try:
        return open_(file)
    except (pa.ArrowException, OSError) as error:
        raise _DamagedError(f"is damaged, or of another kind than its name says: {one_line(error)}") from error


def _header_of(schema: Any) -> _Header:
    return _read_header((schema.metadata or {}).get(b"bleukit", b""))


def _arrow_rows(batches: Callable[[], Iterable[Any]]) -> Iterator[_Columns]:
    import pyarrow as pa

    try:
        for batch in batches():
            batch.validate(full=True)  # Arrow's own format is mapped as it is
            columns = zip(batch.schema.names, batch.columns, strict=True)
            yield {
                name: (column.flatten() if pa.types.is_list(column.type) else column).to_pylist()
                for name, column in columns
            }
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _DamagedError(f"is damaged: {one_line(error)}") from error


_FORMS = {
    ".jsonl": (_write_json_lines, _read_json_lines),
    ".parquet": (_write_parquet, _read_parquet),
    ".arrow": (_write_arrow, _read_arrow),
}
"""By the suffix of a file's name, what writes and what reads it."""


def _form(path: str) -> tuple[_Write, _Read]:
    suffix = Path(path).suffix.lower()
    if suffix not in _FORMS:
        raise InputError(f"{path}: the name of a file of statistics ends in {', '.join(_FORMS)}")
    if suffix != ".jsonl":
        try:
            import pyarrow  # noqa: F401, ICN001
        except ImportError as error:
            wanted = "pip install 'bleukit[arrow]', or a name that ends in .jsonl"
            raise InputError(f"{path}: needs pyarrow: {wanted}") from error
    return _FORMS[suffix]
