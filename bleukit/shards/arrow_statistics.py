"""Statistics in Parquet and Arrow files; the header is the metadata ``bleukit`` of the schema."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec
import pyarrow as pa
from pyarrow import ipc, parquet

from bleukit.errors import one_line
from bleukit.shards.contents import FLOATS, KEYS, LAST, PER_ORDER, ROWS, DamagedError, column_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bleukit.shards.contents import ColumnBlock, Header
    from bleukit.text.files import Limits


def _write(make_writer: Callable[..., Any], file: BinaryIO, header: Header, blocks: Iterable[ColumnBlock]) -> None:
    schema = _schema(header)
    with make_writer(file, schema) as writer:
        for block in blocks:
            writer.write_batch(_batch(schema, block))


def _schema(header: Header) -> pa.Schema:
    key = KEYS[header.level] if header.has_keys else ""
    fields = {name: pa.string() for name in ("system", key) if name}
    for prefix in ("", LAST) if header.has_last else ("",):
        for name in column_names(header):
            kind = pa.float64() if name in FLOATS else pa.int64()
            fields[prefix + name] = pa.list_(kind) if name in PER_ORDER else kind
    return pa.schema(list(fields.items()), metadata={"bleukit": msgspec.json.encode(header)})


def _batch(schema: pa.Schema, block: ColumnBlock) -> pa.RecordBatch:
    rows = len(block["system"])

    def column(field: pa.Field) -> pa.Array:
        values = block[field.name]
        if not pa.types.is_list(field.type):
            return pa.array(values, field.type)
        width = len(values) // rows
        return pa.ListArray.from_arrays(pa.array(range(0, len(values) + 1, width), pa.int32()), pa.array(values))

    return pa.record_batch(list(map(column, schema)), schema=schema)


def _read_parquet(file: BinaryIO, limits: Limits) -> tuple[bytes, Iterator[ColumnBlock]]:
    table = _opened(parquet.ParquetFile, file)
    return _header(table.schema_arrow), _blocks(partial(table.iter_batches, ROWS), limits)


def _read_arrow(file: BinaryIO, limits: Limits) -> tuple[bytes, Iterator[ColumnBlock]]:
    table = _opened(ipc.open_file, file)
    return _header(table.schema), _blocks(lambda: map(table.get_batch, range(table.num_record_batches)), limits)


def _opened(open_: Callable[[BinaryIO], Any], file: BinaryIO) -> Any:
    try:
        return open_(file)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DamagedError(f"is damaged, or of another kind than its name says: {one_line(error)}") from error


def _header(schema: pa.Schema) -> bytes:
    header: bytes = (schema.metadata or {}).get(b"bleukit", b"")
    return header


def _blocks(batches: Callable[[], Iterable[pa.RecordBatch]], limits: Limits) -> Iterator[ColumnBlock]:
    try:
        for batch in batches():
            batch.validate(full=True)  # Arrow's own format is mapped as it is
            columns = zip(batch.schema.names, batch.columns, strict=True)
            yield {name: _values(column, name, limits) for name, column in columns}
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DamagedError(f"is damaged: {one_line(error)}") from error


def _values(column: pa.Array, name: str, limits: Limits) -> list[Any]:
    is_list = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
    stored = column.flatten() if is_list else column
    limits.check("values", len(stored), "column {!r} of statistics", name)
    values: list[Any] = stored.to_pylist()
    return values


FORMATS = {
    ".parquet": (partial(_write, parquet.ParquetWriter), _read_parquet),
    ".arrow": (partial(_write, ipc.new_file), _read_arrow),
}
"""What writes and what reads a file, by the suffix of its name."""
