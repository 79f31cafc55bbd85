"""BLEU as Columns of Spark and as functions of Spark SQL.

The aggregate is one expression: a function counts each row, Spark's own ``sum`` adds up each whole number, before and
after the shuffle, and a function scores the sums.
"""

from __future__ import annotations

import sys
from functools import partial, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pyspark.sql import Column, SparkSession, types
from pyspark.sql import functions as spark
from pyspark.sql.pandas.functions import ArrowUDFType

from bleukit.engines import integers, spark_executors
from bleukit.metric import bleu_of
from bleukit.shards.portable import PortableVariant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import DataFrame

    from bleukit.metric import Bleu, VariantLike

Columns: TypeAlias = "str | Column | Sequence[str | Column]"
_MERGES = {**integers.MERGED, **dict.fromkeys(integers.WITH_DIGITS, "try_sum")}
"""The functions of Spark that aggregate other columns than ``sum`` does; ``try_sum`` is null beyond 64 bits."""


def bleu(hypothesis: str | Column, references: Columns, variant: VariantLike = None) -> Column:
    """Return an aggregate: the score of each group in ``groupBy(...).agg(...)``, or of all rows; null if there is none.

    ``references`` is one column, of strings or of arrays of them, or several columns of strings, a reference each.
    Raises InputError for a variant that looks at the last segment, because rows have no order. A null in a row makes
    Spark fail, with its partition and row.
    """
    counting = bleu_of(variant)
    integers.require_no_order(counting)
    functions = _functions(counting)
    counted = functions["statistics"](hypothesis, *each(references))
    summed = [column.alias(name) for name, column in merged(counting, counted).items()]
    return functions["score"](spark.struct(*summed)).alias("bleu")


def sentence(hypothesis: str | Column, references: Columns, variant: VariantLike = None) -> Column:
    """Return the score of each row; the parameters are those of :func:`bleu`. Their mean is not that of the corpus."""
    return _functions(bleu_of(variant))["sentence"](hypothesis, *each(references)).alias("sentence")


def register(session: SparkSession, variant: VariantLike = None, *, name: str = "bleu") -> Bleu:
    """Make functions of a variant known to the SQL of a session, and return its Bleu; ``name`` begins their names.

    - ``bleu(hypothesis, references)``: an aggregate. Spark brings all rows of a group to one place before it is called;
    - ``bleu_sums(TABLE(SELECT hypothesis, references, ...))``: a table of sums where the rows are, with the columns
      ``keys``, a map of the other columns to group by, and ``sums``;
    - ``bleu(sums)``: the same aggregate of such sums;
    - ``bleu_sentence(hypothesis, references)``: the score of a row;
    - ``bleu_statistics(hypothesis, references)``: the statistics of a row, a struct whose fields are summed;
    - ``bleu_score(sums)``: the score of summed statistics.

    :func:`sql` writes an aggregate with the last two, which can stand beside others. ``references`` is a string, or an
    array of strings. Raises InputError as :func:`bleu`.
    """
    counting = bleu_of(variant)
    integers.require_no_order(counting)
    for suffix, function in _functions(counting, session).items():
        session.udf.register(f"{name}_{suffix}" if suffix else name, function)
    table_function = spark_executors.table_function(PortableVariant.of(counting))
    columns = types.StructType().add("keys", types.MapType(types.StringType(), types.StringType()))
    session.udtf.register(
        f"{name}_sums", spark.arrow_udtf(table_function, returnType=columns.add("sums", struct_type(counting)))
    )
    return counting


def sql(hypothesis: str, references: str, variant: VariantLike = None, *, name: str = "bleu") -> str:
    """Return an SQL expression that aggregates as :func:`bleu`, of functions that :func:`register` has made.

    ``hypothesis`` and ``references`` are SQL expressions, such as ``mt`` and ``array(ref1, ref2)``.
    """
    counted = f"{name}_statistics({hypothesis}, {references})"
    columns = integers.column_names(bleu_of(variant))
    summed = [f"'{column}', {_MERGES.get(column, 'sum')}({counted}.{column})" for column in columns]
    return f"{name}_score(named_struct({', '.join(summed)}))"


def each(columns: Columns) -> list[str | Column]:
    """Return one column, or several, as a list."""
    return [columns] if isinstance(columns, str | Column) else list(columns)


def merged(counting: Bleu, counted: Column | DataFrame) -> dict[str, Column]:
    """Return the sum of each field of counted statistics, by its name."""
    names = integers.column_names(counting)
    return {name: getattr(spark, _MERGES.get(name, "sum"))(counted[name]) for name in names}


def struct_type(counting: Bleu) -> types.StructType:
    """Return the type of statistics."""
    return types.StructType([types.StructField(name, types.LongType()) for name in integers.column_names(counting)])


def ship(session: SparkSession | None, variant: PortableVariant) -> None:
    """Send the files of plugins that are single modules, which nobody can install, to the executors."""
    for plugin in variant.plugins:
        path = getattr(sys.modules.get(plugin.module), "__file__", None)
        if not plugin.distribution and path and Path(path).stem == plugin.module:
            (session or SparkSession.active()).addArtifacts(path, pyfile=True)


def _functions(counting: Bleu, session: SparkSession | None = None) -> dict[str, Any]:
    """Return Spark's functions of a variant, by the suffixes of their names."""
    variant = PortableVariant.of(counting)
    ship(session, variant)

    def function(on_batches: Callable[..., Any], returned: Any, kind: Any = ArrowUDFType.SCALAR_ITER) -> Any:
        return spark.arrow_udf(update_wrapper(partial(on_batches, variant), on_batches), returned, kind)

    return {
        "": function(spark_executors.score_of_group, "double", ArrowUDFType.GROUPED_AGG_ITER),
        "sentence": function(spark_executors.scores_of_rows, "double"),
        "statistics": function(spark_executors.statistics_of_rows, struct_type(counting)),
        "score": function(spark_executors.scores_of_sums, "double"),
    }
