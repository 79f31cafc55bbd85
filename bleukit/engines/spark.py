"""Scores of Spark DataFrames of any size: rows are counted where they are, and only sums travel.

``score`` and ``statistics`` return DataFrames, ``bleu`` a Column, which Spark computes when they are asked for.
"""

from __future__ import annotations

from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING

from bleukit.bleu.bleu import Bleu
from bleukit.engines import counting
from bleukit.framework.errors import InputError, NotInstalledError, near_misses, one_line
from bleukit.metrics.loading import metric_of
from bleukit.shards.portable import PortableVariant

try:
    import pyarrow as pa  # noqa: F401 - which Spark needs for functions
    from pyspark.errors import AnalysisException
    from pyspark.sql import Column, types
    from pyspark.sql import functions as spark

    from bleukit.engines import spark_executors
    from bleukit.engines.spark_columns import NUMBERS, bleu, each, merged, ship, struct_type
except ImportError as error:
    raise NotInstalledError("Spark needs what is not installed: pip install 'bleukit[spark]'") from error

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pyspark.sql import DataFrame

    from bleukit.bleu.bleu import VariantLike
    from bleukit.engines.spark_columns import Columns
    from bleukit.framework.additive import AdditiveStatistics
    from bleukit.framework.metric import AnyMetric

__all__ = ["bleu", "collected", "score", "statistics"]

_SCORES = {
    "score": types.DoubleType(),
    "precisions": types.ArrayType(types.DoubleType()),
    "matches": types.ArrayType(types.LongType()),
    "totals": types.ArrayType(types.LongType()),
    "brevity_penalty": types.DoubleType(),
    "hypothesis_length": types.LongType(),
    "reference_length": types.DoubleType(),
    "segments": types.LongType(),
    "signature": types.StringType(),
}
"""The columns of scores of BLEU, with their types."""


def _score_types(metric: AnyMetric) -> dict[str, types.DataType]:
    """Return the columns of the scores of a metric, with their types."""
    if isinstance(metric, Bleu):
        return _SCORES
    columns = counting.nothing_of(metric).scored_columns
    kinds = {
        name: types.ArrayType(NUMBERS[column.typecode]) if column.per_order else NUMBERS[column.typecode]
        for name, column in columns.items()
    }
    return {"score": types.DoubleType(), **kinds, "segments": types.LongType(), "signature": types.StringType()}


def score(
    df: DataFrame,
    *,
    hypothesis: str | Column,
    references: Columns,
    by: Columns = (),
    variant: VariantLike | AnyMetric = None,
) -> DataFrame:
    """Return the score of each group as a DataFrame: a row for each, one row of all if ``by`` names no column.

    The columns are those of ``by``, then ``score``, ``precisions``, ``matches``, ``totals``, ``brevity_penalty``,
    ``hypothesis_length``, ``reference_length``, ``segments`` and ``signature``; of another metric than BLEU, they are
    ``score``, the sums that it depends on, ``segments`` and ``signature``. The parameters are those of
    :func:`statistics`. If there is no row at all and no ``by``, Spark fails with "no segment to score".
    """
    chosen = metric_of(variant)
    summed, keys = _summed(df, hypothesis, each(references), each(by), chosen)
    fields = _score_types(chosen)
    _require_other_names(keys, fields, "scores")
    own = [*summed.schema][: len(keys)]
    scored = partial(spark_executors.scores, PortableVariant.of(chosen), len(keys))
    schema = types.StructType([*own, *starmap(types.StructField, fields.items())])
    return summed.mapInArrow(scored, schema).toDF(*keys, *fields)


def statistics(
    df: DataFrame,
    *,
    hypothesis: str | Column,
    references: Columns,
    by: Columns = (),
    variant: VariantLike | AnyMetric = None,
) -> DataFrame:
    """Return the summed statistics of each group as a DataFrame of numbers: a row for each group of ``by``.

    ``hypothesis`` is a column of strings; ``references`` one of strings, or of arrays of them, or several of strings, a
    reference each. ``by`` holds columns such as system, document or domain, of any type that Spark can group by. A
    column is a Column or a name, also of a field in a struct: ``meta.domain``. ``variant`` is as for
    :func:`bleukit.load`, or a metric, such as ``bleukit.load_metric("ter")``. A null, or a row without reference, makes
    Spark fail with its partition and row. Sums of whole numbers are the same whatever the partitions, and those of
    floats to 1e-13; :func:`collected` makes Statistics of them. Raises InputError if a column is missing or of another
    type, and for a variant that looks at the last segment, because rows have no order.
    """
    chosen = metric_of(variant)
    summed, keys = _summed(df, hypothesis, each(references), each(by), chosen)
    columns = counting.columns_of(chosen)
    _require_other_names(keys, columns, "statistics")
    return summed.toDF(*keys, *columns)


def collected(df: DataFrame, variant: VariantLike | AnyMetric = None) -> AdditiveStatistics:
    """Return what :func:`statistics` has counted by the same variant as Statistics, a row for each group.

    Their keys are the values of ``by``, tuples if these are several columns.
    """
    chosen = metric_of(variant)
    nothing = counting.nothing_of(chosen)
    keys = [name for name in df.columns if name not in nothing.flat_columns]
    rows = df.collect()
    sums = {name: [row[name] for row in rows] for name in nothing.flat_columns}
    groups = [tuple(row[key] for key in keys) for row in rows]
    if not keys:
        return nothing.with_flat(sums)
    return nothing.with_flat(sums, groups if len(keys) > 1 else [key for (key,) in groups])


def _summed(
    df: DataFrame,
    hypothesis: str | Column,
    references: Sequence[str | Column],
    by: Sequence[str | Column],
    metric: AnyMetric,
) -> tuple[DataFrame, list[str]]:
    """Return the sums of each group, and the names of its keys; in the sums they have our own: Spark splits at dots."""
    counting.require_no_order(metric)
    if not references:
        raise InputError("references: expected the name of a column, got none")
    _require_texts("hypothesis", _field(df, "hypothesis", hypothesis))
    for column in references:
        _require_texts("references", _field(df, "references", column), lists=len(references) == 1)
    keys = [_field(df, "by", column) for column in by]
    own = [types.StructField(f"bleukit_key_{number}", key.dataType) for number, key in enumerate(keys)]
    variant = PortableVariant.of(metric)
    ship(df.sparkSession, variant)
    chosen = [_column(df, column) for column in (*by, hypothesis, *references)]
    selected = df.select(*(column.alias(f"bleukit_key_{number}") for number, column in enumerate(chosen)))
    schema = types.StructType([*own, *struct_type(metric)])
    counted = selected.mapInArrow(partial(spark_executors.sums, variant, len(by)), schema)
    sums = merged(metric, counted)
    if not own:
        is_empty = sums["segments"].isNull()
        sums = {name: spark.when(is_empty, 0).otherwise(column) for name, column in sums.items()}
    summed = counted.groupBy(*(key.name for key in own)).agg(*(column.alias(name) for name, column in sums.items()))
    return summed, [key.name for key in keys]


def _require_other_names(keys: Sequence[str], names: Collection[str], what: str) -> None:
    for key in keys:
        if key in names:
            raise InputError(f"by: {key!r} is the name of a column of {what}; rename it")


def _column(df: DataFrame, column: str | Column) -> Column:
    """Return a Column as it is, and that of a name: as a whole if there is such a column, or split at dots."""
    if isinstance(column, Column):
        return column
    return spark.col("`{}`".format(column.replace("`", "``")) if column in df.columns else column)


def _field(df: DataFrame, argument: str, column: str | Column) -> types.StructField:
    """Return the name and the type of a column. Raises InputError if it is missing, or there twice."""
    try:
        fields = [*df.select(_column(df, column)).schema]
    except AnalysisException as error:
        times = df.columns.count(column) if isinstance(column, str) else 0
        if times > 1:
            problem = f"the DataFrame has {times} columns {column!r}"
        elif isinstance(column, str):
            problem = f"the DataFrame has no column {column!r}; {near_misses(column, df.columns)}"
        else:
            problem = f"Spark: {one_line(error)}"
        raise InputError(f"{argument}: {problem}") from error
    if len(fields) != 1:
        raise InputError(f"{argument}: expected one column, {column!r} is {len(fields)}")
    return fields[0]


def _require_texts(argument: str, field: types.StructField, *, lists: bool = False) -> None:
    """Raise InputError if a column does not hold texts."""
    kind = field.dataType
    inside = kind.elementType if lists and isinstance(kind, types.ArrayType) else kind
    if not isinstance(inside, types.StringType):
        expected = "strings, or arrays of them" if lists else "strings"
        raise InputError(f"{argument}: expected a column of {expected}, {field.name!r} is {kind.simpleString()}")
