"""BLEU as functions of DuckDB: the statistics of a row are one whole number, which DuckDB's own ``sum`` adds up.

After ``register(connection)``, ``SELECT system, bleu(mt, [reference]) FROM t GROUP BY system`` scores each group: by
the sum of the statistics of its rows, not by the mean of their scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.engines import bignum, integers
from bleukit.errors import InputError, NotInstalledError
from bleukit.metric import bleu_of
from bleukit.shards.portable import PortableVariant

try:
    import duckdb
    import numpy as np
    import pyarrow as pa
    from pyarrow import opaque
except ImportError as error:
    raise NotInstalledError("this needs what is not installed: pip install duckdb 'pyarrow>=18'") from error

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from bleukit.metric import Bleu, VariantLike

_BIGNUM = opaque(pa.binary(), "bignum", "DuckDB")
_HEADER = 3
"""Number of bytes before the bytes of a BIGNUM: how many these are, with the highest bit set because it is positive."""


def register(
    connection: duckdb.DuckDBPyConnection,
    variant: VariantLike = None,
    *,
    name: str = "bleu",
) -> Bleu:
    """Make functions of a variant known to a connection, and return its Bleu; ``name`` begins the names of all.

    ``bleu(hypothesis, references)`` is an aggregate: the score of all rows, or of each group or window; NULL if there
    is none. ``references`` is a list: ``[reference]``, ``[ref1, ref2]`` or a column of lists. It is a macro of this
    connection for ``bleu_score(sum(bleu_statistics(hypothesis, references)))``; the functions are those of all cursors:

    - ``bleu_statistics(hypothesis, references)``: the statistics of a row, a BIGNUM that ``sum`` adds up;
    - ``bleu_distinct(hypothesis, references)``: the same for ``sum(DISTINCT ...)``, unequal if the texts are;
    - ``bleu_score(sum)``: the score of a sum;
    - ``bleu_columns(sum)``: a STRUCT with the whole numbers that a sum holds;
    - ``bleu_signature()``: the signature.

    NULL is an error, not left out. Raises InputError if the database has such functions of another variant, and for a
    variant that looks at the last segment, because rows have no order.
    """
    bleu = bleu_of(variant)
    integers.require_no_order(bleu)
    if not name.isidentifier():
        raise InputError(f"name: expected letters, digits and _, got {name!r}")
    try:
        if not _is_registered(connection, bleu, name):
            _make_functions(connection, bleu, name)
        body = f"{name}_score(sum({name}_statistics(hypothesis, refs)))"
        connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}(hypothesis, refs) AS {body}")
    except duckdb.Error as error:
        raise InputError(f"name: functions that begin with {name!r} cannot be made: {error}") from error
    return bleu


def _is_registered(connection: duckdb.DuckDBPyConnection, bleu: Bleu, name: str) -> bool:
    """Return whether a database has the functions of a variant. Raises InputError if they are those of another one."""
    try:
        [found] = connection.execute(f"SELECT {name}_signature()").fetchall()
    except duckdb.CatalogException:
        return False
    if found != (bleu.signature,):
        raise InputError(f"name: functions that begin with {name!r} are there, of the variant {found[0]}")
    PortableVariant.of(bleu)  # raises InputError if the signature does not say all
    return True


def _make_functions(connection: duckdb.DuckDBPyConnection, bleu: Bleu, name: str) -> None:
    fields: Any = duckdb.struct_type(dict.fromkeys(["segments", *bignum.column_names(bleu)], "BIGINT"))

    def make(suffix: str, function: Callable[..., Any], parameters: list[Any], returned: Any) -> None:
        options: Any = {"type": "arrow", "null_handling": "special"}
        connection.create_function(f"{name}_{suffix}", function, parameters, returned, **options)

    texts = ["VARCHAR", duckdb.list_type("VARCHAR")]
    # lambdas, because DuckDB looks for types in annotations
    make("statistics", lambda mt, refs: _numbers(_counted(bleu, mt, refs)), texts, "BIGNUM")
    make("distinct", lambda mt, refs: _numbers(_told_apart(bleu, mt, refs)), texts, "BIGNUM")
    make("score", lambda sums: _of_sums(sums, lambda held: _scores(bleu, held)), ["BIGNUM"], "DOUBLE")
    make("columns", lambda sums: _of_sums(sums, lambda held: _structs(bleu, held)), ["BIGNUM"], fields)
    signature = bleu.signature
    connection.create_function(f"{name}_signature", lambda: signature, [], "VARCHAR")


def _counted(bleu: Bleu, hypotheses: pa.ChunkedArray, references: pa.ChunkedArray) -> NDArray[np.uint8]:
    return bignum.numbers(bleu, integers.counted(bleu, hypotheses, [references], threads=1))


def _told_apart(bleu: Bleu, hypotheses: pa.ChunkedArray, references: pa.ChunkedArray) -> NDArray[np.uint8]:
    rows = _counted(bleu, hypotheses, references)
    return bignum.told_apart(rows, zip(hypotheses.to_pylist(), references.to_pylist(), strict=True))


def _numbers(rows: NDArray[np.uint8]) -> pa.Array:
    """Return numbers, of shape (rows, bytes), as DuckDB's."""
    number, width = rows.shape
    header = np.frombuffer((1 << 23 | width).to_bytes(_HEADER, "big"), "u1")
    content = np.concatenate([np.broadcast_to(header, (number, _HEADER)), rows], axis=1)
    fixed = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(_HEADER + width), number, [None, pa.py_buffer(np.ascontiguousarray(content))]
    )
    return pa.ExtensionArray.from_storage(_BIGNUM, fixed.cast(pa.binary()))


def _of_sums(sums: pa.ChunkedArray, function: Callable[[list[bytes]], pa.Array]) -> pa.Array:
    """Return what a function returns for sums; null stays null: no row was summed."""
    stored = sums.cast(pa.binary()).combine_chunks()
    there = stored.is_valid()
    computed = function([_magnitude(number) for number in stored.filter(there).to_pylist()])
    places = np.where(there, np.cumsum(there) - 1, 0)
    return computed.take(pa.array(places, mask=~np.asarray(there)))


def _magnitude(number: bytes) -> bytes:
    """Return the bytes of a number; none, which are no sum, if it is negative."""
    return number[_HEADER:] if number[0] & 0x80 else b""


def _scores(bleu: Bleu, sums: list[bytes]) -> pa.Array:
    columns = bignum.sums(bleu, sums)
    columns |= dict.fromkeys(integers.MERGED, np.ones(len(sums), np.int64))  # which no score depends on
    return pa.array(bleu.score_columns(integers.statistics_from_columns(bleu, columns)).value)


def _structs(bleu: Bleu, sums: list[bytes]) -> pa.Array:
    columns = bignum.sums(bleu, sums)
    return pa.StructArray.from_arrays(list(map(pa.array, columns.values())), names=list(columns))
