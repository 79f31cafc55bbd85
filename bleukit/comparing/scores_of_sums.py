"""Scores of many sums of statistics at once: the link between resampling, which knows only numbers, and BLEU.

The columns of a sum are the matches and the totals of each order, the hypothesis length, the effective reference length
(rounded, then the remainder) and the number of reference tokens. If the variant averages sentence scores, they are the
number of segments and the two columns of sentence scores alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit import scoring
from bleukit.counting import components
from bleukit.errors import InputError
from bleukit.protocols import Counts, CountsTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleukit.metric import Bleu

OTHERS = 4
"""The number of columns besides matches and totals."""

LENGTH, REFERENCE, REST, TOKENS = range(-OTHERS, 0)
"""The indices of these columns: hypothesis length, rounded reference length, its remainder, reference tokens."""


def scores_of_sums(bleu: Bleu, sums: NDArray[np.float64], *, single_precision: bool = False) -> NDArray[np.float64]:
    """Return the score of each sum, in the scale of the variant, of shape (sums,).

    With ``single_precision``, the precisions are rounded as sacreBLEU 2.6 rounds them with NumPy 2. Raises InputError
    if a sum has no score (NaN).
    """
    if bleu.variant.is_macro:
        return np.array([scoring.mean_of_sentences(bleu.variant, *row) for row in sums.tolist()], np.float64)
    counted = _table(sums, len(bleu.variant.weights_used))
    precisions = components.precisions_of_rows(bleu.components["smoothing"], counted)
    if single_precision:
        precisions = (100 * precisions).astype(np.float32).astype(np.float64) / 100
    values = scoring.score_columns(bleu.variant, bleu.components, counted, sums[:, TOKENS], precisions).value
    if np.isnan(values).any():
        raise InputError("no score (NaN): a resample has no token at all, and the variant's empty_score is NaN")
    return values


def scores_of_segments(bleu: Bleu, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sentence score of each segment, given its statistics, in the scale of the variant."""
    if bleu.variant.is_macro:
        return scores_of_sums(bleu, rows)
    variant, its_components = bleu.sentence_variant, bleu.sentence_components
    counted = _table(rows, len(variant.weights_used))
    precisions = components.precisions_of_rows(its_components["smoothing"], counted)
    return scoring.score_columns(variant, its_components, counted, rows[:, TOKENS], precisions).value


def _table(sums: NDArray[np.float64], orders: int) -> CountsTable:
    """Return sums as the batch method of a smoothing takes them; they have no last segment."""
    counted = (sums.shape[1] - OTHERS) // 2
    whole = sums[:, :REFERENCE].astype(np.int64)
    matches, totals = whole[:, :orders], whole[:, counted : counted + orders]
    return CountsTable(matches, totals, whole[:, LENGTH - REFERENCE], sums[:, REFERENCE] + sums[:, REST])


class _Watched(Counts):
    """Counts that raise InputError if their last segment is accessed."""

    def __getattribute__(self, name: str) -> Any:
        if name == "last_segment":
            raise InputError("looks at the last segment of a text, which a resample of its segments does not have")
        return super().__getattribute__(name)


def require_no_last_segment(bleu: Bleu, total: Counts) -> None:
    """Raise InputError if the smoothing of the variant depends on the last segment of a text."""
    if bleu.variant.is_macro:  # each segment is scored alone
        return
    watched = _Watched(total.matches, total.totals, total.hypothesis_length, total.reference_length)
    components.precisions(bleu.components["smoothing"], [watched])
