"""BLEU of Spark DataFrames of any size: rows are counted where they are, and only sums travel.

``score`` and ``statistics`` return DataFrames, which Spark computes when they are asked for. The variant travels with
its signature: an executor that would count otherwise fails, with a message that names it and the plugin that it lacks.
"""

from __future__ import annotations

import socket
import sys
from functools import lru_cache, partial
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleukit.engines import integers
from bleukit.errors import InputError, NotInstalledError, near_misses
from bleukit.metric import bleu_of
from bleukit.shards.portable import PortableVariant

try:
    import pyarrow as pa
    from pyspark import TaskContext
    from pyspark.sql import functions as spark
    from pyspark.sql import types
except ImportError as error:
    raise NotInstalledError("Spark needs what is not installed: pip install 'bleukit[spark]'") from error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from bleukit.metric import Bleu, VariantLike
    from bleukit.statistics import Statistics

_HYPOTHESIS = "bleukit_hypothesis"
_REFERENCE = "bleukit_reference_"
_KEY = "bleukit_key_"

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
"""The columns of scores, with their types."""


def score(
    df: DataFrame,
    *,
    hypothesis: str,
    references: str | Sequence[str],
    by: str | Sequence[str] = (),
    variant: VariantLike = None,
) -> DataFrame:
    """Return the score of each group as a DataFrame: a row for each, one row of all if ``by`` names no column.

    The columns are those of ``by``, then ``score``, ``precisions``, ``matches``, ``totals``, ``brevity_penalty``,
    ``hypothesis_length``, ``reference_length``, ``segments`` and ``signature``. The parameters are those of
    :func:`statistics`. If there is no row at all and no ``by``, Spark fails with "no segment to score".
    """
    bleu = bleu_of(variant)
    for key in (keys := _names(by)):
        if key in _SCORES:
            raise InputError(f"by: {key!r} is the name of a column of scores; rename it")
    summed = _summed(df, hypothesis, _names(references), keys, bleu)
    own = summed.columns[: len(keys)]
    schema = types.StructType([*(summed.schema[key] for key in own), *starmap(types.StructField, _SCORES.items())])
    return summed.mapInArrow(partial(_scored, PortableVariant.of(bleu), tuple(own)), schema).toDF(*keys, *_SCORES)


def statistics(
    df: DataFrame,
    *,
    hypothesis: str,
    references: str | Sequence[str],
    by: str | Sequence[str] = (),
    variant: VariantLike = None,
) -> DataFrame:
    """Return the summed statistics of each group as a DataFrame of whole numbers: a row for each group of ``by``.

    ``hypothesis`` is a column of strings; ``references`` one of strings, or of arrays of them, or several of strings, a
    reference each. ``by`` names columns such as system, document or domain. ``variant`` is as for :func:`bleukit.load`,
    or a Bleu. A null, or a row without reference, makes Spark fail with its partition and row. The sums are the same
    whatever the partitions; :func:`collected` makes Statistics of them. Raises InputError if a column is missing or of
    another type, and for a variant that looks at the last segment, because rows have no order.
    """
    bleu = bleu_of(variant)
    keys = _names(by)
    for key in keys:
        if key in integers.column_names(bleu):
            raise InputError(f"by: {key!r} is the name of a column of statistics; rename it")
    return _summed(df, hypothesis, _names(references), keys, bleu).toDF(*keys, *integers.column_names(bleu))


def collected(df: DataFrame, variant: VariantLike = None) -> Statistics:
    """Return what :func:`statistics` has counted by the same variant as Statistics, a row for each group.

    Their keys are the values of ``by``, tuples if these are several columns.
    """
    bleu = bleu_of(variant)
    columns = integers.column_names(bleu)
    keys = [name for name in df.columns if name not in columns]
    rows = df.collect()
    sums = {name: [row[name] for row in rows] for name in columns}
    groups = [tuple(row[key] for key in keys) for row in rows]
    if not keys:
        return integers.statistics_from_columns(bleu, sums)
    return integers.statistics_from_columns(bleu, sums, groups if len(keys) > 1 else [key for (key,) in groups])


def _summed(df: DataFrame, hypothesis: str, references: Sequence[str], by: Sequence[str], bleu: Bleu) -> DataFrame:
    """Return the sums of each group; its columns come first, under our own names: PySpark splits others at dots."""
    integers.require_no_order(bleu)
    _require(df, "hypothesis", [hypothesis])
    _require(df, "references", references, lists=len(references) == 1)
    _require(df, "by", by, text=False)
    portable = PortableVariant.of(bleu)
    _ship(df.sparkSession, portable)
    columns = integers.column_names(bleu)
    keys = [f"{_KEY}{number}" for number in range(len(by))]
    chosen = [_column(name).alias(key) for name, key in zip(by, keys, strict=True)]
    chosen += [_column(hypothesis).alias(_HYPOTHESIS)]
    chosen += [_column(name).alias(f"{_REFERENCE}{number}") for number, name in enumerate(references)]
    selected = df.select(*chosen)
    fields = [*(selected.schema[key] for key in keys), *(types.StructField(name, types.LongType()) for name in columns)]
    count = partial(_counted, portable, tuple(keys), len(references))
    counted = selected.mapInArrow(count, types.StructType(fields))
    merges = {"min": spark.min, "max": spark.max}
    sums = {name: merges.get(integers.MERGED.get(name, ""), spark.sum)(name) for name in columns}
    if keys:
        return counted.groupBy(*keys).agg(*(column.alias(name) for name, column in sums.items()))
    return counted.agg(*(spark.coalesce(column, spark.lit(0)).alias(name) for name, column in sums.items()))


def _counted(
    variant: PortableVariant, keys: tuple[str, ...], references: int, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Yield the sums of each batch, on an executor."""
    bleu = _loaded(variant)
    row = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        several = [batch.column(f"{_REFERENCE}{number}") for number in range(references)]
        layout: Any = "segment" if references == 1 else "set"
        try:
            counted = bleu.statistics(
                batch.column(_HYPOTHESIS),
                several[0] if references == 1 else several,
                references_by=layout,
                threads=1,
                first=row,
            )
        except InputError as error:
            raise InputError(f"partition {_partition()}: {error}") from error
        row += batch.num_rows
        if keys:
            yield from _grouped(batch.select(list(keys)), integers.integer_columns(counted))
        else:
            sums = integers.integer_columns(counted.sum())
            yield pa.record_batch(list(map(pa.array, sums.values())), names=list(sums))


def _grouped(keys: pa.RecordBatch, columns: dict[str, Any]) -> Iterator[pa.RecordBatch]:
    """Yield the sums of each group of a batch."""
    arrays = [*keys.columns, *map(pa.array, columns.values())]
    numbered = [f"key_{number}" for number in range(keys.num_columns)]
    table = pa.table(arrays, names=[*numbered, *columns])
    wanted = [(name, integers.MERGED.get(name, "sum")) for name in columns]
    summed = table.group_by(numbered, use_threads=False).aggregate(wanted)
    sums = [summed[name] for name in numbered] + [summed[f"{name}_{how}"] for name, how in wanted]
    yield from pa.table(sums, names=[*keys.schema.names, *columns]).to_batches()


def _scored(
    variant: PortableVariant, keys: tuple[str, ...], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Yield the scores of summed statistics, on an executor."""
    bleu = _loaded(variant)
    for batch in batches:
        if not batch.num_rows:
            continue
        rows = integers.statistics_from_columns(
            bleu, {name: batch.column(name) for name in integers.column_names(bleu)}
        )
        if min(rows.column("segments")) == 0:
            raise InputError("no segment to score")
        values, penalties, precisions = bleu.score_columns(rows)
        orders = precisions.shape[1]
        scores = {
            "score": values,
            "precisions": precisions.tolist(),
            "matches": rows.matches[:, :orders].tolist(),
            "totals": rows.totals[:, :orders].tolist(),
            "brevity_penalty": penalties,
            "hypothesis_length": rows.hypothesis_length,
            "reference_length": rows.reference_length,
            "segments": rows.segments,
            "signature": [score.signature for score in bleu.scores(rows)],
        }
        arrays = [*(batch.column(key) for key in keys), *(pa.array(scores[name]) for name in _SCORES)]
        yield pa.record_batch(arrays, names=[*keys, *_SCORES])


@lru_cache(8)
def _loaded(variant: PortableVariant) -> Bleu:
    """Return the Bleu of a variant, once a process. Raises InputError, which names this machine, if it is not that.

    The modules of its plugins are imported: the driver's program has loaded them, and sends the variant.
    """
    try:
        return variant.load(plugin.module for plugin in variant.plugins)
    except InputError as error:
        raise InputError(f"executor on {socket.gethostname()}: {error}") from error


def _partition() -> int:
    context = TaskContext.get()
    return -1 if context is None else context.partitionId()


def _names(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _column(name: str) -> Any:
    return spark.col("`{}`".format(name.replace("`", "``")))


def _require(df: DataFrame, argument: str, names: Sequence[str], *, text: bool = True, lists: bool = False) -> None:
    """Raise InputError if columns are missing, there twice, or not of texts."""
    if text and not names:
        raise InputError(f"{argument}: expected the name of a column, got none")
    for name in names:
        times = df.columns.count(name)
        if times != 1:
            problem = (
                f"has {times} columns {name!r}" if times else f"has no column {name!r}; {near_misses(name, df.columns)}"
            )
            raise InputError(f"{argument}: the DataFrame {problem}")
        kind = df.schema[name].dataType
        inside = kind.elementType if lists and isinstance(kind, types.ArrayType) else kind
        if text and not isinstance(inside, types.StringType):
            expected = "strings, or arrays of them" if lists else "strings"
            raise InputError(f"{argument}: expected a column of {expected}, {name!r} is {kind.simpleString()}")


def _ship(session: SparkSession, variant: PortableVariant) -> None:
    """Send the files of plugins that are single modules, which nobody can install, to the executors."""
    for plugin in variant.plugins:
        path = getattr(sys.modules.get(plugin.module), "__file__", None)
        if not plugin.distribution and path and Path(path).stem == plugin.module:
            session.sparkContext.addPyFile(path)
