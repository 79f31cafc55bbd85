"""Statistics and scores as Arrow's arrays, which engines take from functions and pass to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from bleukit.engines import integers

if TYPE_CHECKING:
    from bleukit.metric import Bleu
    from bleukit.statistics import Statistics


def struct(statistics: Statistics) -> pa.StructArray:
    """Return statistics as structs of whole numbers."""
    columns = integers.integer_columns(statistics)
    return pa.StructArray.from_arrays(list(map(pa.array, columns.values())), names=list(columns))


def statistics(bleu: Bleu, structs: pa.StructArray) -> Statistics:
    """Return the statistics that structs hold."""
    columns = {name: structs.field(name) for name in integers.column_names(bleu)}
    return integers.statistics_from_columns(bleu, columns)


def scores(bleu: Bleu, sums: pa.StructArray) -> pa.Array:
    """Return the scores of summed statistics, null if no row was summed: then all fields are null."""
    is_sum = sums.field("segments").is_valid()
    there = is_sum.to_numpy(zero_copy_only=False)
    values = np.zeros(len(sums))
    values[there] = bleu.score_columns(statistics(bleu, sums.filter(is_sum))).value
    return pa.array(values, mask=~there)
