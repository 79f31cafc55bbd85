"""BLEU as Hugging Face's ``evaluate.load("bleu")`` computes it, by ``compute_bleu`` of TensorFlow NMT.

https://github.com/huggingface/evaluate, metrics/bleu; https://github.com/tensorflow/nmt, nmt/scripts/bleu.py. Both end
with a division by zero where the hypothesis or all references are empty; here the score is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bleukit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bleukit import Counts, CountsTable


@dataclass(frozen=True)
class AddOne:
    """``smooth=True``: one match of one n-gram more at every order, the first too, so that 0/0 is 1."""

    def __call__(self, counts: Counts) -> list[float]:
        return [(m + 1) / (t + 1) for m, t in zip(counts.matches, counts.totals, strict=True)]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        precisions: NDArray[np.float64] = (counts.matches + 1) / (counts.totals + 1)
        return precisions


@bleukit.hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"add-one": AddOne}


@bleukit.hookimpl
def bleukit_variants() -> list[Path]:
    return sorted(Path(__file__).parent.glob("*.yaml"))
