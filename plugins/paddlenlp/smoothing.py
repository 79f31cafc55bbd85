"""PaddleNLP's smoothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from bleukit.built_in.paper.scoring import ByOrder, divide, where

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.plugin import Counts

SMALLEST = sys.float_info.min


class SmallestFloat(ByOrder):
    """2.2e-308, the smallest normal float, for an order without a match or without any n-gram (0/0)."""

    def precisions(self, matches: Sequence[Any], totals: Sequence[Any], _: object) -> list[Any]:
        return [where(m == 0, SMALLEST, divide(m, t)) for m, t in zip(matches, totals, strict=True)]

    def steps(self, counts: Counts) -> list[str]:
        return ["" if m else f"{SMALLEST}, because there is no match" for m in counts.matches]
