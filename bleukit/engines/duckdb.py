"""BLEU as functions of DuckDB: statistics are a STRUCT of whole numbers, summed in SQL.

After ``register(connection)``, ``SELECT system, bleu(mt, [reference]) FROM t GROUP BY system`` scores each group: by
the sum of the statistics of its rows, not by the mean of their scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.engines import integers
from bleukit.errors import InputError, NotInstalledError
from bleukit.metric import bleu_of

try:
    import duckdb
    import pyarrow as pa
except ImportError as error:
    raise NotInstalledError("this needs what is not installed: pip install duckdb pyarrow") from error

if TYPE_CHECKING:
    from bleukit.metric import Bleu, VariantLike


def register(
    connection: duckdb.DuckDBPyConnection,
    variant: VariantLike = None,
    *,
    name: str = "bleu",
) -> Bleu:
    """Make functions of a variant known to a connection, and return its Bleu; ``name`` begins the names of all.

    ``bleu(hypothesis, references)`` is an aggregate: the score of all rows, or of each group. ``references`` is a list:
    ``[reference]``, ``[ref1, ref2]`` or a column of lists. It consists of

    - ``bleu_statistics(hypothesis, references)``: the statistics of a row, a STRUCT;
    - ``bleu_sum(statistics)``: an aggregate, their sum, of which parts may be summed again;
    - ``bleu_score(statistics)``: the score of a sum.

    ``bleu_signature()`` is the signature. NULL is an error, not left out. Raises InputError if the connection has such
    functions already, and for a variant that looks at the last segment, because rows have no order.
    """
    bleu = bleu_of(variant)
    integers.require_no_order(bleu)
    if not name.isidentifier():
        raise InputError(f"name: expected letters, digits and _, got {name!r}")
    columns = integers.column_names(bleu)
    kind: Any = duckdb.struct_type(dict.fromkeys(columns, "BIGINT"))
    texts: Any = ["VARCHAR", duckdb.list_type("VARCHAR")]
    options: Any = {"type": "arrow", "null_handling": "special"}
    try:  # lambdas, because DuckDB looks for types in annotations
        connection.create_function(
            f"{name}_statistics", lambda mt, refs: _statistics(bleu, mt, refs), texts, kind, **options
        )
        connection.create_function(f"{name}_score", lambda sums: _scores(bleu, sums), [kind], "DOUBLE", **options)
    except duckdb.Error as error:
        raise InputError(f"name: functions that begin with {name!r} cannot be made: {error}") from error
    sums = ", ".join(f"{each} := {integers.MERGED.get(each, 'sum')}(s.{each})::BIGINT" for each in columns)
    signature = bleu.signature.replace("'", "''")
    connection.execute(f"CREATE TEMP MACRO {name}_sum(s) AS struct_pack({sums})")
    connection.execute(f"CREATE TEMP MACRO {name}_signature() AS '{signature}'")
    of_rows = f"{name}_statistics(hypothesis, refs)"
    connection.execute(f"CREATE TEMP MACRO {name}(hypothesis, refs) AS {name}_score({name}_sum({of_rows}))")
    return bleu


def _statistics(bleu: Bleu, hypotheses: pa.ChunkedArray, references: pa.ChunkedArray) -> pa.Array:
    counted = integers.integer_columns(bleu.statistics(hypotheses, references, references_by="segment", threads=1))
    return pa.StructArray.from_arrays(list(map(pa.array, counted.values())), names=list(counted))


def _scores(bleu: Bleu, sums: pa.ChunkedArray) -> pa.Array:
    struct = pa.table({"sums": sums}).flatten()
    columns = {name: struct[f"sums.{name}"] for name in integers.column_names(bleu)}
    if columns["segments"].null_count:
        raise InputError("no segment to score")
    return pa.array(bleu.score_columns(integers.statistics_from_columns(bleu, columns)).value)
