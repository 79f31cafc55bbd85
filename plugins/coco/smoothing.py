"""The smoothing of the COCO caption evaluation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bleukit.plugin import Counts, CountsTable


@dataclass(frozen=True)
class TinyMatches:
    """Adds ``matches`` to the matches and ``totals`` to the totals of every order, so that 0/0 becomes 1e-6."""

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
