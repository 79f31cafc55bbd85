"""What Spark's executors run: they count batches of rows, add them up, and score sums.

The variant travels with its signature: an executor that would count otherwise fails, with a message that names it and
the plugin that it lacks. Texts are arrays: hypotheses, then references as texts or lists, or several arrays of texts.
"""

from __future__ import annotations

import socket
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark import TaskContext

from bleukit.engines import arrow_columns, integers
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bleukit.metric import Bleu
    from bleukit.shards.portable import PortableVariant
    from bleukit.statistics import Statistics


def sums(variant: PortableVariant, keys: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the summed statistics of each batch, or of each group in it; the first columns of both are ``keys``."""
    count = _Counter(variant)
    for batch in filter(len, batches):
        yield from _summed(batch.select(range(keys)), count(*batch.columns[keys:]))


def scores(variant: PortableVariant, keys: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield all fields of the scores of summed statistics; the first columns of both are ``keys``."""
    bleu = _loaded(variant)
    for batch in filter(len, batches):
        rows = integers.statistics_from_columns(bleu, dict(zip(batch.schema.names, batch.columns, strict=True)))
        if min(rows.column("segments")) == 0:
            raise InputError("no segment to score")
        values, penalties, precisions = bleu.score_columns(rows)
        orders = precisions.shape[1]
        fields = {
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
        arrays = [*batch.columns[:keys], *map(pa.array, fields.values())]
        yield pa.record_batch(arrays, names=[*batch.schema.names[:keys], *fields])


def statistics_of_rows(variant: PortableVariant, texts: Iterable[Sequence[pa.Array]]) -> Iterator[pa.Array]:
    """Yield the statistics of each row of each batch, as structs."""
    count = _Counter(variant)
    return (arrow_columns.struct(count(*batch)) for batch in texts)


def scores_of_rows(variant: PortableVariant, texts: Iterable[Sequence[pa.Array]]) -> Iterator[pa.Array]:
    """Yield the score of each row of each batch, as :meth:`bleukit.Bleu.sentences`."""
    count = _Counter(variant)
    return (pa.array(count.bleu.score_columns(count(*batch), level="sentence").value) for batch in texts)


def scores_of_sums(variant: PortableVariant, batches: Iterable[pa.StructArray]) -> Iterator[pa.Array]:
    """Yield the scores of summed statistics, null if no row was summed."""
    bleu = _loaded(variant)
    return (arrow_columns.scores(bleu, batch) for batch in batches)


def score_of_group(variant: PortableVariant, batches: Iterable[pa.StructArray | Sequence[pa.Array]]) -> float:
    """Return the score of all batches together: of texts, or of statistics."""
    count = _Counter(variant)
    total = count.bleu.accumulator()
    for batch in batches:
        rows = arrow_columns.statistics(count.bleu, batch) if isinstance(batch, pa.StructArray) else count(*batch)
        total.add(rows.sum())
    return float(total.compute())


def table_function(variant: PortableVariant) -> type:
    """Return a table function: of tables of hypotheses, references and columns to group by, it yields sums.

    Each row that it yields has the sums of a group of a batch, and the texts of its columns by their names.
    """

    class Sums:
        def __init__(self) -> None:
            self._count = _Counter(variant)

        def eval(self, batch: pa.RecordBatch) -> Iterator[pa.Table]:
            if batch.num_columns < 2:
                raise InputError("expected a table of hypotheses, references and columns to group by")
            names = batch.schema.names[2:]
            keys = pa.record_batch(
                list(map(_as_text, names, batch.columns[2:])), names=[f"key_{name}" for name in names]
            )
            for part in _summed(keys, self._count(*batch.columns[:2])):
                sums = part.select(part.schema.names[len(names) :]).to_struct_array()
                yield pa.table([_maps(names, part.columns[: len(names)], len(part)), sums], names=["keys", "sums"])

    return Sums


class _Counter:
    """Counts the batches of a partition. Raises InputError, which names the partition and the row in it."""

    def __init__(self, variant: PortableVariant) -> None:
        self.bleu = _loaded(variant)
        self._row = 0

    def __call__(self, hypotheses: pa.Array, *references: pa.Array) -> Statistics:
        try:
            counted = integers.counted(self.bleu, hypotheses, references, threads=1, first=self._row)
        except InputError as error:
            context = TaskContext.get()
            raise InputError(f"partition {-1 if context is None else context.partitionId()}: {error}") from error
        self._row += len(hypotheses)
        return counted


def _summed(keys: pa.RecordBatch, rows: Statistics) -> list[pa.RecordBatch]:
    """Return the sums of a batch, or of each group in it if there are keys."""
    if keys.num_columns:
        return _by_group(keys, integers.integer_columns(rows))
    return [pa.RecordBatch.from_struct_array(arrow_columns.struct(rows.sum()))]


def _by_group(keys: pa.RecordBatch, columns: dict[str, Any]) -> list[pa.RecordBatch]:
    """Return the sums of each group of a batch; its rows if a key is nested, because Arrow does not group by it."""
    names = keys.schema.names
    counted = pa.table([*keys.columns, *map(pa.array, columns.values())], names=[*names, *columns])
    if not any(map(pa.types.is_nested, keys.schema.types)):
        wanted = [(name, integers.MERGED.get(name, "sum")) for name in columns]
        summed = counted.group_by(names, use_threads=False).aggregate(wanted)
        counted = summed.select([*names, *map("_".join, wanted)]).rename_columns(counted.column_names)
    batches: list[pa.RecordBatch] = counted.to_batches()
    return batches


def _as_text(name: str, column: pa.Array) -> pa.Array:
    if not (pa.types.is_string(column.type) or pa.types.is_integer(column.type) or pa.types.is_boolean(column.type)):
        raise InputError(f"{name}: expected a column of texts or whole numbers to group by, got {column.type}: cast it")
    return column.cast(pa.string())


def _maps(names: Sequence[str], columns: Sequence[pa.Array], rows: int) -> pa.MapArray:
    """Return the value of each column by its name, in each row."""
    values = np.arange(len(names) * rows).reshape(len(names), rows).T.ravel()
    items = pa.concat_arrays(columns).take(pa.array(values)) if columns else pa.array([], pa.string())
    keys = pa.array([*names] * rows, pa.string())
    return pa.MapArray.from_arrays(pa.array(np.arange(rows + 1, dtype=np.int32) * len(names)), keys, items)


@lru_cache(8)
def _loaded(variant: PortableVariant) -> Bleu:
    """Return the Bleu of a variant, once a process. Raises InputError, which names this machine, if it is not that.

    The modules of its plugins are imported: the driver's program has loaded them, and sends the variant.
    """
    try:
        return variant.load(plugin.module for plugin in variant.plugins)
    except InputError as error:
        raise InputError(f"executor on {socket.gethostname()}: {error}") from error
