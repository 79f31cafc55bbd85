"""Scores of many sums of statistics at once: the link between resampling, which knows only numbers, and a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bleukit.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleukit.metric import Bleu


def scores_of_sums(bleu: Bleu, sums: NDArray[np.float64], *, single_precision: bool = False) -> NDArray[np.float64]:
    """Return the score of each sum, as :meth:`bleukit.scorer.Scorer.values_of_sums`.

    Raises InputError if a sum has no score (NaN).
    """
    values = bleu.scorer().values_of_sums(sums, single_precision=single_precision)
    if np.isnan(values).any():
        raise InputError("no score (NaN): a resample has no token at all, and the variant's empty_score is NaN")
    return values
