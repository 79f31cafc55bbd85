"""BLEU of a Ray Dataset: each batch is counted where it is, and only sums travel.

Needs ``pip install bleukit 'ray[data]'``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import bleukit


class Counter:
    """Counts batches; a worker loads the variant once."""

    def __init__(self, variant: str) -> None:
        self._bleu = bleukit.load(variant)

    def __call__(self, batch: Any) -> dict[str, Any]:
        """Return the summed statistics of a batch in Arrow's format, with the columns ``mt`` and ``reference``."""
        sums = np.empty(1, object)
        sums[0] = self._bleu.statistics(batch["mt"], batch["reference"], references_by="segment", threads=1).sum()
        return {"sums": sums}


def score(dataset: Any, variant: str = "sacrebleu", workers: int = 1) -> bleukit.Score:
    """Return the score of all rows of a dataset; each worker takes a CPU, and reading needs others."""
    options = {"fn_constructor_args": (variant,), "concurrency": workers, "batch_format": "pyarrow"}
    counted = dataset.map_batches(Counter, **options)
    sums = bleukit.Statistics.concatenate([row["sums"] for row in counted.iter_rows()])
    return bleukit.load(variant).score(sums)
