"""BLEU as the COCO caption evaluation computes it: https://github.com/tylin/coco-caption, pycocoevalcap/bleu.

The captions are words already: that evaluation lowercases them, tokenizes them by the Stanford tokenizer and drops
punctuation before. Its brevity penalty adds 1e-9 to the reference length and 1e-15 to the hypothesis length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.plugin import Counts, CountsTable, hookimpl, variant_files

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class TinyMatches:
    """So many more ``matches`` of so many more n-grams, ``totals``, at every order: 1e-6 where there is none (0/0)."""

    matches: float = 1e-15
    totals: float = 1e-9
    ignores_reference_length: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 < self.matches <= self.totals < math.inf:
            between = f"matches {self.matches}, totals {self.totals}"
            raise ValueError(f"expected 0 < matches <= totals, both finite; got {between}")

    def __call__(self, counts: Counts) -> list[float]:
        return [(m + self.matches) / (t + self.totals) for m, t in zip(counts.matches, counts.totals, strict=True)]

    def steps(self, counts: Counts) -> list[str]:
        return [
            f"({m} + {self.matches})/({t} + {self.totals})" for m, t in zip(counts.matches, counts.totals, strict=True)
        ]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        precisions: NDArray[np.float64] = (counts.matches + self.matches) / (counts.totals + self.totals)
        return precisions


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"coco": TinyMatches}


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    return variant_files(__file__)
