"""The smoothing of mteval-v13 and v14."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.built_in.paper.scoring import ByOrder, Unsmoothed, divide, where
from bleukit.built_in.sacrebleu.smoothings import halved, halvings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.plugin import Counts


class Smoothed(ByOrder):
    """``sub bleu_score`` of mteval-v13 and v14: 1/2, 1/4, … matches at the first, second, … order that has none.

    Unlike sacreBLEU's ``exp`` it smooths even if no order has a match, and an order without any n-gram (0/0) gets
    precision 1.
    """

    def precisions(self, matches: Sequence[Any], totals: Sequence[Any], _: object) -> list[Any]:
        smoothed = halved([*map(divide, matches, totals)], totals)
        return [where(total == 0, 1.0, p) for p, total in zip(smoothed, totals, strict=True)]

    def steps(self, counts: Counts) -> list[str]:
        halves = halvings(Unsmoothed()(counts), counts.totals)
        return [s if t else "1, because there is no n-gram" for s, t in zip(halves, counts.totals, strict=True)]
