"""The smoothing of the COCO caption evaluation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bleukit.built_in.paper.scoring import ByOrder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.plugin import Counts


@dataclass(frozen=True)
class TinyMatches(ByOrder):
    """Adds ``matches`` to the matches and ``totals`` to the totals of every order, so that 0/0 becomes 1e-6."""

    matches: float = 1e-15
    totals: float = 1e-9

    def __post_init__(self) -> None:
        if not 0 < self.matches <= self.totals < math.inf:
            between = f"matches {self.matches}, totals {self.totals}"
            raise ValueError(f"expected 0 < matches <= totals, both finite; got {between}")

    def precisions(self, matches: Sequence[Any], totals: Sequence[Any], _: object) -> list[Any]:
        return [(m + self.matches) / (t + self.totals) for m, t in zip(matches, totals, strict=True)]

    def steps(self, counts: Counts) -> list[str]:
        pairs = zip(counts.matches, counts.totals, strict=True)
        return [f"({m} + {self.matches})/({t} + {self.totals})" for m, t in pairs]
