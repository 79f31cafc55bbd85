"""The smoothing of mteval-v13 and v14."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from bleukit.built_in.paper.scoring import Unsmoothed
from bleukit.built_in.sacrebleu.smoothings import halved, halved_rows, halvings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bleukit.plugin import Counts, CountsTable


@dataclass(frozen=True)
class Smoothed:
    """``sub bleu_score`` of mteval-v13 and v14: 1/2, 1/4, … matches at the first, second, … order that has none.

    Unlike sacreBLEU's ``exp`` it smooths even if no order has a match, and an order without any n-gram (0/0) gets
    precision 1.
    """

    ignores_reference_length: ClassVar[bool] = True

    def __call__(self, counts: Counts) -> list[float]:
        smoothed = halved(Unsmoothed()(counts), counts.totals)
        return [p if total else 1.0 for p, total in zip(smoothed, counts.totals, strict=True)]

    def steps(self, counts: Counts) -> list[str]:
        halves = halvings(Unsmoothed()(counts), counts.totals)
        return [s if t else "1, because there is no n-gram" for s, t in zip(halves, counts.totals, strict=True)]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        plain = counts.smoothed(Unsmoothed())
        smoothed = halved_rows(plain, plain == 0, counts.totals, np.ones(len(plain)))
        return np.where(counts.totals == 0, 1.0, smoothed)
