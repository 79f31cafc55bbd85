"""Statistics in Parquet and Arrow files; the header is the metadata ``bleukit`` of the schema."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import pyarrow as pa
from pyarrow import ipc, parquet

from bleukit.framework.errors import InputError, one_line
from bleukit.shards.contents import ROWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bleukit.reading.files import Limits
    from bleukit.shards.contents import ColumnBlock


def _write(make_writer: Callable[..., Any], file: BinaryIO, header: bytes, blocks: Iterable[ColumnBlock]) -> None:
    batches = (pa.RecordBatch.from_pydict({name: _array(values) for name, values in each.items()}) for each in blocks)
    first = next(batches, pa.RecordBatch.from_pydict({}))
    with make_writer(file, first.schema.with_metadata({"bleukit": header})) as writer:
        for batch in filter(len, chain([first], batches)):
            writer.write_batch(batch.replace_schema_metadata({"bleukit": header}))


def _array(values: Any) -> pa.Array:
    if np.ndim(values) < 2:
        return pa.array(values)
    rows, width = values.shape
    return pa.ListArray.from_arrays(width * np.arange(rows + 1, dtype=np.int32), values.ravel())


def _read(
    open_: Callable[[BinaryIO], Any],
    schema_and_batches: Callable[[Any], tuple[pa.Schema, Iterable[pa.RecordBatch]]],
    file: BinaryIO,
    _limits: Limits,
) -> tuple[bytes, Iterator[ColumnBlock]]:
    with _damage_named("is damaged, or of another kind than its name says"):
        schema, batches = schema_and_batches(open_(file))
    return (schema.metadata or {}).get(b"bleukit", b""), _blocks(batches)


def _blocks(batches: Iterable[pa.RecordBatch]) -> Iterator[ColumnBlock]:
    with _damage_named("is damaged"):
        for batch in batches:
            batch.validate(full=True)  # Arrow's own format is mapped as it is
            yield {name: _values(column) for name, column in zip(batch.schema.names, batch.columns, strict=True)}


@contextmanager
def _damage_named(problem: str) -> Iterator[None]:
    """Raise InputError, which begins with the problem, for what pyarrow raises."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{problem}: {one_line(error)}") from error


def _values(column: pa.Array) -> Any:
    is_list = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
    stored = column.flatten() if is_list else column
    is_number = pa.types.is_integer(stored.type) or pa.types.is_floating(stored.type)
    return stored.to_numpy(zero_copy_only=False) if is_number else stored.to_pylist()


_READERS: dict[str, Any] = {
    ".parquet": (parquet.ParquetFile, lambda table: (table.schema_arrow, table.iter_batches(ROWS))),
    ".arrow": (ipc.open_file, lambda table: (table.schema, map(table.get_batch, range(table.num_record_batches)))),
}

FORMATS = {
    ".parquet": (partial(_write, parquet.ParquetWriter), partial(_read, *_READERS[".parquet"])),
    ".arrow": (partial(_write, ipc.new_file), partial(_read, *_READERS[".arrow"])),
}
"""What writes and what reads a file, by the suffix of its name."""
