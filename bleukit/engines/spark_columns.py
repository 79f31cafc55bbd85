"""A score as a Column of Spark.

The aggregate is one expression: a function counts each row, Spark's own ``sum``, ``min`` and ``max`` merge the numbers
of each column, before and after the shuffle, and a function scores the sums.
"""

from __future__ import annotations

import sys
from functools import partial, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pyspark.sql import Column, SparkSession, types
from pyspark.sql import functions as spark
from pyspark.sql.pandas.functions import ArrowUDFType

from bleukit.bleu.bleu import Bleu
from bleukit.engines import counting, spark_executors
from bleukit.metrics.loading import metric_of
from bleukit.shards.portable import PortableVariant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import DataFrame

    from bleukit.bleu.bleu import VariantLike
    from bleukit.framework.metric import AnyMetric

Columns: TypeAlias = "str | Column | Sequence[str | Column]"
NUMBERS = {"q": types.LongType(), "d": types.DoubleType()}


def bleu(hypothesis: str | Column, references: Columns, variant: VariantLike | AnyMetric = None) -> Column:
    """Return an aggregate: the score of each group in ``groupBy(...).agg(...)``, or of all rows; null if there is none.

    ``references`` is one column, of strings or of arrays of them, or several columns of strings, a reference each.
    ``variant`` is as for :func:`bleukit.load`, or a metric; that of another metric than BLEU has its name, such as TER.
    Raises InputError for a variant that looks at the last segment, because rows have no order. A null in a row makes
    Spark fail, with its partition and row.
    """
    chosen = metric_of(variant)
    counting.require_no_order(chosen)
    portable = PortableVariant.of(chosen)
    ship(None, portable)
    counted = _function(spark_executors.statistics_of_rows, portable, struct_type(chosen))(
        hypothesis, *each(references)
    )
    name = "bleu" if isinstance(chosen, Bleu) else chosen.name
    summed = [column.alias(column_name) for column_name, column in merged(chosen, counted).items()]
    return _function(spark_executors.scores_of_sums, portable, "double")(spark.struct(*summed)).alias(name)


def each(columns: Columns) -> list[str | Column]:
    """Return one column, or several, as a list."""
    return [columns] if isinstance(columns, str | Column) else list(columns)


def merged(metric: AnyMetric, counted: Column | DataFrame) -> dict[str, Column]:
    """Return what becomes of each field of counted statistics in their sum, by its name."""
    columns = counting.columns_of(metric)
    return {name: getattr(spark, counting.FUNCTIONS[column.merge])(counted[name]) for name, column in columns.items()}


def struct_type(metric: AnyMetric) -> types.StructType:
    """Return the type of statistics."""
    columns = counting.columns_of(metric)
    return types.StructType([types.StructField(name, NUMBERS[column.typecode]) for name, column in columns.items()])


def ship(session: SparkSession | None, variant: PortableVariant) -> None:
    """Send the files of plugins that are single modules, which nobody can install, to the executors."""
    for plugin in variant.plugins:
        path = getattr(sys.modules.get(plugin.module), "__file__", None)
        if not plugin.distribution and path and Path(path).stem == plugin.module:
            (session or SparkSession.active()).addArtifacts(path, pyfile=True)


def _function(on_batches: Callable[..., Any], variant: PortableVariant, returned: Any) -> Any:
    """Return a function of batches, which is given the variant first, as one of Spark."""
    return spark.arrow_udf(update_wrapper(partial(on_batches, variant), on_batches), returned, ArrowUDFType.SCALAR_ITER)
