"""What Spark's executors run: they count batches of rows, add them up, and score sums.

The variant travels with its signature: an executor that would count otherwise fails, with a message that names it and
the plugin that it lacks. Texts are arrays: hypotheses, then references as texts or lists, or several arrays of texts.
"""

from __future__ import annotations

import socket
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark import TaskContext

from bleukit.engines import counting
from bleukit.framework.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.framework.additive import AdditiveStatistics
    from bleukit.framework.metric import AnyMetric
    from bleukit.shards.portable import PortableVariant


def sums(variant: PortableVariant, keys: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the summed statistics of each batch, or of each group in it; the first columns of both are ``keys``."""
    count = _Counter(variant)
    for batch in filter(len, batches):
        yield from _summed(batch.select(range(keys)), count(*batch.columns[keys:]))


def scores(variant: PortableVariant, keys: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield all fields of the scores of summed statistics; the first columns of both are ``keys``."""
    metric = _loaded(variant)
    for batch in filter(len, batches):
        rows = _statistics(metric, dict(zip(batch.schema.names, batch.columns, strict=True)))
        if min(rows.column("segments")) == 0:
            raise InputError("no segment to score")
        fields = counting.score_columns(metric, rows)
        arrays = [*batch.columns[:keys], *map(pa.array, fields.values())]
        yield pa.record_batch(arrays, names=[*batch.schema.names[:keys], *fields])


def statistics_of_rows(variant: PortableVariant, texts: Iterable[Sequence[pa.Array]]) -> Iterator[pa.Array]:
    """Yield the statistics of each row of each batch, as structs."""
    count = _Counter(variant)
    return (_struct(count(*batch)) for batch in texts)


def scores_of_sums(variant: PortableVariant, batches: Iterable[pa.StructArray]) -> Iterator[pa.Array]:
    """Yield the scores of summed statistics, null if no row was summed: then all fields are null."""
    metric = _loaded(variant)
    for sums in batches:
        is_sum = sums.field("segments").is_valid()
        there = is_sum.to_numpy(zero_copy_only=False)
        some = sums.filter(is_sum)
        columns = {field.name: some.field(field.name) for field in some.type}
        values = np.zeros(len(sums))
        values[there] = metric.scorer().values(_statistics(metric, columns))
        yield pa.array(values, mask=~there)


def _statistics(metric: AnyMetric, columns: Mapping[str, pa.Array]) -> AdditiveStatistics:
    return counting.nothing_of(metric).with_flat(columns)


def _struct(statistics: AdditiveStatistics) -> pa.StructArray:
    """Return statistics as structs of numbers."""
    columns = statistics.flat()
    return pa.StructArray.from_arrays(list(map(pa.array, columns.values())), names=list(columns))


class _Counter:
    """Counts the batches of a partition. Raises InputError, which names the partition and the row in it."""

    def __init__(self, variant: PortableVariant) -> None:
        self.metric = _loaded(variant)
        self._row = 0

    def __call__(self, hypotheses: pa.Array, *references: pa.Array) -> AdditiveStatistics:
        try:
            counted = counting.counted(self.metric, hypotheses, references, threads=1, first=self._row)
        except InputError as error:
            context = TaskContext.get()
            raise InputError(f"partition {-1 if context is None else context.partitionId()}: {error}") from error
        self._row += len(hypotheses)
        return counted  # type: ignore[no-any-return]


def _summed(keys: pa.RecordBatch, rows: AdditiveStatistics) -> list[pa.RecordBatch]:
    """Return the sums of a batch, or of each group in it if there are keys."""
    if keys.num_columns:
        return _by_group(keys, rows)
    return [pa.RecordBatch.from_struct_array(_struct(rows.sum()))]


def _by_group(keys: pa.RecordBatch, rows: AdditiveStatistics) -> list[pa.RecordBatch]:
    """Return the sums of each group of a batch; its rows if a key is nested, because Arrow does not group by it."""
    names = keys.schema.names
    columns = rows.flat()
    counted = pa.table([*keys.columns, *map(pa.array, columns.values())], names=[*names, *columns])
    if not any(map(pa.types.is_nested, keys.schema.types)):
        wanted = [(name, counting.FUNCTIONS[column.merge]) for name, column in rows.flat_columns.items()]
        summed = counted.group_by(names, use_threads=False).aggregate(wanted)
        counted = summed.select([*names, *map("_".join, wanted)]).rename_columns(counted.column_names)
    batches: list[pa.RecordBatch] = counted.to_batches()
    return batches


@lru_cache(8)
def _loaded(variant: PortableVariant) -> AnyMetric:
    """Return the metric, once a process. Raises InputError, which names this machine, if it is not that.

    The modules of its plugins are imported: the driver's program has loaded them, and sends the variant.
    """
    try:
        metric: AnyMetric = variant.load(plugin.module for plugin in variant.plugins)
    except InputError as error:
        raise InputError(f"executor on {socket.gethostname()}: {error}") from error
    return metric
