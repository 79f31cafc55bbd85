"""PaddleNLP's smoothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bleukit.plugin import Counts, CountsTable

SMALLEST = sys.float_info.min


class SmallestFloat:
    """2.2e-308, the smallest normal float, for an order without a match or without any n-gram (0/0)."""

    ignores_reference_length: ClassVar[bool] = True

    def __call__(self, counts: Counts) -> list[float]:
        return [m / t if m else SMALLEST for m, t in zip(counts.matches, counts.totals, strict=True)]

    def steps(self, counts: Counts) -> list[str]:
        return ["" if m else f"{SMALLEST}, because there is no match" for m in counts.matches]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        precisions: NDArray[np.float64] = np.where(
            counts.matches, counts.matches / np.maximum(counts.totals, 1), SMALLEST
        )
        return precisions
