"""Statistics in Parquet and Arrow files; the header is the metadata ``bleukit`` of the schema."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import pyarrow as pa
from pyarrow import ipc, parquet

from bleukit.errors import one_line
from bleukit.shards.contents import ROWS, DamagedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bleukit.shards.contents import ColumnBlock
    from bleukit.text.files import Limits


def _write(make_writer: Callable[..., Any], file: BinaryIO, header: bytes, blocks: Iterable[ColumnBlock]) -> None:
    batches = map(_batch, blocks)
    first = next(batches, pa.RecordBatch.from_pydict({}))
    with make_writer(file, first.schema.with_metadata({"bleukit": header})) as writer:
        for batch in filter(len, chain([first], batches)):
            writer.write_batch(batch.replace_schema_metadata({"bleukit": header}))


def _batch(block: ColumnBlock) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({name: _array(values) for name, values in block.items()})


def _array(values: Any) -> pa.Array:
    if np.ndim(values) < 2:
        return pa.array(values)
    rows, width = values.shape
    return pa.ListArray.from_arrays(width * np.arange(rows + 1, dtype=np.int32), values.ravel())


def _read_parquet(file: BinaryIO, _limits: Limits) -> tuple[bytes, Iterator[ColumnBlock]]:
    table = _opened(parquet.ParquetFile, file)
    return _header(table.schema_arrow), _blocks(partial(table.iter_batches, ROWS))


def _read_arrow(file: BinaryIO, _limits: Limits) -> tuple[bytes, Iterator[ColumnBlock]]:
    table = _opened(ipc.open_file, file)
    return _header(table.schema), _blocks(lambda: map(table.get_batch, range(table.num_record_batches)))


def _opened(open_: Callable[[BinaryIO], Any], file: BinaryIO) -> Any:
    try:
        return open_(file)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DamagedError(f"is damaged, or of another kind than its name says: {one_line(error)}") from error


def _header(schema: pa.Schema) -> bytes:
    header: bytes = (schema.metadata or {}).get(b"bleukit", b"")
    return header


def _blocks(batches: Callable[[], Iterable[pa.RecordBatch]]) -> Iterator[ColumnBlock]:
    try:
        for batch in batches():
            batch.validate(full=True)  # Arrow's own format is mapped as it is
            yield {name: _values(column) for name, column in zip(batch.schema.names, batch.columns, strict=True)}
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DamagedError(f"is damaged: {one_line(error)}") from error


def _values(column: pa.Array) -> Any:
    is_list = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
    stored = column.flatten() if is_list else column
    is_number = pa.types.is_integer(stored.type) or pa.types.is_floating(stored.type)
    return stored.to_numpy(zero_copy_only=False) if is_number else stored.to_pylist()


FORMATS = {
    ".parquet": (partial(_write, parquet.ParquetWriter), _read_parquet),
    ".arrow": (partial(_write, ipc.new_file), _read_arrow),
}
"""What writes and what reads a file, by the suffix of its name."""
