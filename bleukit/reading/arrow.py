"""What pyarrow reads: columns that any library, such as Polars and DuckDB, exports to Arrow, and tables in files.

Files are Parquet, or of Arrow's own format, as a file (Feather, version 2) or as a stream. Texts stay UTF-8 in Arrow's
buffers, as PackedTexts.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyarrow import ipc, types

from bleukit.framework.errors import InputError, InputTypeError, one_line
from bleukit.framework.packed import Grouped, PackedTexts
from bleukit.framework.plain import TO_LIST
from bleukit.reading.column_names import NAMING, SEVERAL
from bleukit.reading.table_file import TableFile

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence
    from io import FileIO
    from typing import BinaryIO, TypeAlias

    from bleukit.reading.column_names import ColumnRole
    from bleukit.reading.table_file import Columns, Values

    Batches: TypeAlias = Callable[[list[str], int], Iterable[pa.RecordBatch]]

_IS_LIST = (
    types.is_list, types.is_large_list, types.is_fixed_size_list, types.is_list_view, types.is_large_list_view
)  # fmt: skip
_IS_TEXT = (types.is_string, types.is_large_string, types.is_string_view)


def exported_values(exported: Any, where: str) -> Sequence[Any] | None:
    """Return the values of a column that an object exports: texts as PackedTexts, lists of texts as groups of these.

    All others are lists: of whole numbers, and of texts or lists of them if there is a null, which is None. It is None
    if pandas, which needs pyarrow for it, cannot export its own. The column of a table is its only one. Raises
    InputError or InputTypeError, which name ``where`` and, for a text that is not UTF-8, the row, if there are several
    columns, if they are neither texts nor whole numbers, or if the object fails to export them.
    """
    try:
        is_stream = hasattr(exported, "__arrow_c_stream__")
        column = pa.chunked_array(exported) if is_stream else pa.chunked_array([pa.array(exported)])
    except MemoryError:
        raise
    except Exception as error:
        if any(hasattr(exported, method) for method in TO_LIST):
            return None
        problem = "cannot be read" if isinstance(error, pa.ArrowException | OSError) else "cannot be exported to Arrow"
        raise InputError(f"{where}: {problem}: {one_line(error)}") from error
    if types.is_struct(column.type):
        if column.type.num_fields != 1:
            listed = ", ".join(repr(field.name) for field in column.type)
            raise InputTypeError(f"{where}: expected one column, got a table of {listed or 'none'}; pass one of these")
        [column] = column.flatten()
    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        if row := row_that_is_not_utf8(column):
            raise InputError(f"{where}[{row - 1}]: is not UTF-8 text") from error
        raise InputError(f"{where}: Arrow's buffers do not fit together: {one_line(error)}") from error
    values = _values(column)
    if values is None:
        raise InputTypeError(f"{where}: expected texts, got a column of Arrow's type {column.type}")
    return values


def _values(column: pa.ChunkedArray) -> Sequence[Any] | None:
    """Return the values of a column that is valid; None if it is of another type."""
    kind = column.type
    if types.is_dictionary(kind):
        kind = pa.large_string() if is_text(kind.value_type) else kind.value_type
        column = pa.chunked_array([chunk.dictionary.cast(kind).take(chunk.indices) for chunk in column.chunks], kind)
    if is_text(kind):
        return texts(column)
    if not is_list(kind):
        return column.to_pylist() if types.is_integer(kind) or types.is_null(kind) else None
    items = _values(pa.chunked_array([chunk.flatten() for chunk in column.chunks], kind.value_type))
    if column.null_count or not isinstance(items, PackedTexts):
        return None if items is None else column.to_pylist()
    lengths = (length for chunk in column.chunks for length in chunk.value_lengths().to_pylist())
    return Grouped(items, array("q", accumulate(lengths)))


def texts(column: pa.Array | pa.ChunkedArray) -> Sequence[Any]:
    """Return the texts of a column that is valid, as PackedTexts unless there is a null, which is None."""
    if column.null_count:
        return column.to_pylist()  # type: ignore[no-any-return]
    column = column.cast(pa.large_string())
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if not len(column):
        return []
    _, ends, characters = column.buffers()
    places = np.frombuffer(ends, "i8")[column.offset : column.offset + len(column) + 1]
    return PackedTexts(np.frombuffer(characters or b"", "u1"), places[:-1], places[1:])


def row_that_is_not_utf8(column: pa.Array | pa.ChunkedArray) -> int:
    """Return the number of the first text that is not UTF-8, from 1; 0 if there is none."""
    if not is_text(column.type):
        return 0
    for row in range(len(column)):
        try:
            column.slice(row, 1).validate(full=True)
        except pa.ArrowInvalid as error:  # noqa: PERF203 - so that it is known which
            return row + 1 if "UTF8" in str(error) else 0
    return 0


def is_list(kind: pa.DataType) -> bool:
    """Return whether values are lists."""
    return any(is_list(kind) for is_list in _IS_LIST)


def is_text(kind: pa.DataType) -> bool:
    """Return whether values are texts."""
    return any(is_text(kind) for is_text in _IS_TEXT)


class ArrowTable(TableFile):
    """Parquet, or Arrow's own format, as a file or as a stream."""

    def _read(self) -> Generator[Columns, None, None]:
        with self.file.seekable() as self._handle:
            try:
                schema, batches = (_parquet if self.suffix == ".parquet" else _ipc)(self._handle)
                self.columns = list(schema.names)
                self.lists = {column.name for column in schema if is_list(column.type)}
                yield []
                for name, place, role in self.chosen:
                    self._check_type(name, schema.field(place).type, role)
                names = [name for name, _, _ in self.chosen]
                size = self.rows_at_a_time
                for batch in batches(names, size):
                    for start in range(0, batch.num_rows, size):
                        rows = batch.slice(start, size)
                        yield self._rows([self._values(rows.column(name), name) for name in names])
            except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
                kind = "Parquet" if self.suffix == ".parquet" else "an Arrow file"
                raise self.error(f"cannot be read: it is not {kind}, or damaged: {one_line(error)}") from error

    def _check_type(self, name: str, kind: pa.DataType, role: ColumnRole) -> None:
        inside = kind.value_type if role in SEVERAL and is_list(kind) else kind
        inside = inside.value_type if types.is_dictionary(inside) else inside
        is_number = role in NAMING and types.is_integer(inside)
        if not (is_text(inside) or is_number or types.is_null(inside)):
            raise self.error(f"column {name!r}: expected text, got {kind}")

    def _values(self, column: pa.Array, name: str) -> Values:
        try:
            column.validate(full=True)  # Arrow's own format is mapped as it is
        except pa.ArrowInvalid as error:
            if "UTF8" not in str(error):
                raise
            row = row_that_is_not_utf8(column)
            where = f"row {self.lines_read + row}, " if row else ""
            raise self.error(f"{where}column {name!r}: is not UTF-8 text") from error
        values: Any = texts(column) if is_text(column.type) else column.to_pylist()
        return values  # type: ignore[no-any-return]


def _parquet(file: FileIO | BinaryIO) -> tuple[pa.Schema, Batches]:
    from pyarrow import parquet  # heavy, and not needed for columns

    table = parquet.ParquetFile(file)
    return table.schema_arrow, lambda names, size: table.iter_batches(size, columns=names)


def _ipc(file: FileIO | BinaryIO) -> tuple[pa.Schema, Batches]:
    is_file = file.read(6) == b"ARROW1"
    file.seek(0)
    if not is_file:
        stream = ipc.open_stream(file)
        return stream.schema, lambda *_: stream
    table = ipc.open_file(file)
    return table.schema, lambda *_: map(table.get_batch, range(table.num_record_batches))
