"""MATLAB's smoothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from bleukit.built_in.paper.scoring import Unsmoothed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bleukit.plugin import Counts, CountsTable


@dataclass(frozen=True)
class EnoughWords:
    """Matches / totals; 0 at every order for a candidate with fewer words than there are weights."""

    ignores_reference_length: ClassVar[bool] = True

    def __call__(self, counts: Counts) -> list[float]:
        if counts.hypothesis_length < len(counts.matches):
            return [0.0 if total else float("nan") for total in counts.totals]
        return Unsmoothed()(counts)

    def steps(self, counts: Counts) -> list[str]:
        is_short = counts.hypothesis_length < len(counts.matches)
        return ["0, because there are fewer words than weights" if is_short and m else "" for m in counts.matches]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        precisions = counts.smoothed(Unsmoothed())
        short = counts.hypothesis_length < precisions.shape[1]
        precisions[short] *= 0  # nan stays nan
        return precisions
