"""Tables in files that pyarrow reads.

Files are Parquet, or of Arrow's own format, as a file (Feather, version 2) or as a stream. Texts stay UTF-8 in Arrow's
buffers, as PackedTexts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import ipc, types

from bleukit.framework.arrow import is_list, is_text, row_that_is_not_utf8, texts
from bleukit.framework.errors import one_line
from bleukit.reading.column_names import NAMING, SEVERAL
from bleukit.reading.table_file import TableFile

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from io import FileIO
    from typing import BinaryIO, TypeAlias

    from bleukit.reading.column_names import ColumnRole
    from bleukit.reading.table_file import Columns, Values

    Batches: TypeAlias = Callable[[list[str], int], Iterable[pa.RecordBatch]]


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
