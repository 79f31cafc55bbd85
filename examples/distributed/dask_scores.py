"""BLEU of a Dask DataFrame: each partition is counted where it is, and only sums travel.

``by_group(frame, "system")`` is the score of each system. Needs ``pip install bleukit 'dask[dataframe]'``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

import bleukit

if TYPE_CHECKING:
    from collections.abc import Hashable


def by_group(frame: Any, key: str, variant: str = "sacrebleu") -> dict[Hashable, bleukit.Score]:
    """Return the score of each group of rows; the frame has the columns ``mt`` and ``reference``."""
    bleu = bleukit.load(variant)

    def count(part: pd.DataFrame) -> pd.Series:
        rows = bleu.statistics(part["mt"], part["reference"], references_by="segment")
        return pd.Series([rows.by_document(part[key].tolist())], dtype=object)

    parts = frame.map_partitions(count, meta=pd.Series(dtype=object)).compute()
    groups = bleukit.Statistics.concatenate(parts.tolist())
    return {group: bleu.score(rows) for group, rows in groups.by_document(groups.keys()).items()}
