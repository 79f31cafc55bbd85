"""What sums of rows score: where resampling, which knows only columns of numbers, meets BLEU.

The columns of a row, and of a sum of rows, are matches and totals of each order, hypothesis length, effective
reference length (its whole part, then the rest) and reference tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from bleukit import scoring
from bleukit.counting import components
from bleukit.errors import InputError
from bleukit.protocols import Counts, CountsTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleukit.metric import Bleu

OTHERS = 4
"""The number of columns other than matches and totals."""

LENGTH, REFERENCE, REST, TOKENS = range(-OTHERS, 0)
"""Which these are: hypothesis length, reference length, what that lacks, reference tokens."""


def scores(bleu: Bleu, sums: NDArray[np.float64], *, single_precision: bool = False) -> NDArray[np.float64]:
    """Return the score of each sum of rows, in the scale of the variant: shape (sums,).

    With ``single_precision`` the precisions are rounded as sacreBLEU 2.6 rounds them with NumPy 2. Raises InputError if
    a sum has no score (NaN).
    """
    counted = _table(sums, len(bleu.variant.weights_used))
    precisions = components.precisions_of_rows(bleu.components["smoothing"], counted)
    if single_precision:
        precisions = (100 * precisions).astype(np.float32).astype(np.float64) / 100
    values = scoring.score_columns(bleu.variant, precisions, counted, sums[:, TOKENS]).value
    if np.isnan(values).any():
        raise InputError("no score (NaN): a resample has no token at all, and the variant's empty_score is NaN")
    return values


def _table(sums: NDArray[np.float64], orders: int) -> CountsTable:
    """Return sums of rows as the batch method of a smoothing sees them; they have no last segment."""
    counted = (sums.shape[1] - OTHERS) // 2
    whole = sums[:, :REFERENCE].astype(np.int64)
    matches, totals = whole[:, :orders], whole[:, counted : counted + orders]
    return CountsTable(matches, totals, whole[:, LENGTH - REFERENCE], sums[:, REFERENCE] + sums[:, REST])


class _Watched(Counts):
    """Counts that notice when their last segment is asked for."""

    def __getattribute__(self, name: str) -> Any:
        if name == "last_segment":
            _refuse()
        return super().__getattribute__(name)


def _refuse() -> NoReturn:
    raise InputError("looks at the last segment of a text, which a resample of its segments does not have")


def require_no_last_segment(bleu: Bleu, total: Counts) -> None:
    """Raise InputError if the variant's smoothing depends on which segment is the last."""
    watched = _Watched(total.matches, total.totals, total.hypothesis_length, total.reference_length)
    components.precisions(bleu.components["smoothing"], [watched])
