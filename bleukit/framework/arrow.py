"""Columns that any library, such as Polars and DuckDB, exports to Arrow: texts stay UTF-8 in its buffers."""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyarrow import types

from bleukit.framework.errors import InputError, InputTypeError, one_line
from bleukit.framework.packed import Grouped, PackedTexts
from bleukit.framework.plain import TO_LIST

if TYPE_CHECKING:
    from collections.abc import Sequence


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
