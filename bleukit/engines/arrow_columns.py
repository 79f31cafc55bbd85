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


def scores(bleu: Bleu, sums: pa.StructArray) -> pa.Array:
    """Return the scores of summed statistics, null if no row was summed: then all fields are null."""
    is_sum = sums.field("segments").is_valid()
    columns = {name: sums.field(name).filter(is_sum) for name in integers.column_names(bleu)}
    there = is_sum.to_numpy(zero_copy_only=False)
    values = np.zeros(len(sums))
    values[there] = bleu.score_columns(integers.statistics_from_columns(bleu, columns)).value
    return pa.array(values, mask=~there)
