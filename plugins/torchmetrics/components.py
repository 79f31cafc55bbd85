"""The reference length and the smoothing of TorchMetrics."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from bleukit.built_in.paper.scoring import Unsmoothed
from bleukit.built_in.sacrebleu.smoothings import AddK

from bleukit.plugin import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.plugin import Counts, CountsTable


@dataclass(frozen=True)
class FirstClosest:
    """The reference length closest to the hypothesis; of two equally close, the first one."""

    def __call__(self, hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
        return min(reference_lengths, key=lambda length: abs(length - hypothesis_length))

    def batch(self, hypothesis_lengths: Sequence[int], reference_lengths: Sequence[Sequence[int]]) -> array[float]:
        groups = grouped(reference_lengths)
        if len(groups.items) == len(groups):  # one reference each
            return array("d", groups.items)
        starts = chain([0], groups.ends)
        lengths = (groups.items[start:end] for start, end in zip(starts, groups.ends, strict=False))
        return array("d", map(self, hypothesis_lengths, lengths))


@dataclass(frozen=True)
class EveryOrder:
    """0 as soon as one order has no match, whatever its weight; else matches / totals.

    With ``smooth``, ``smooth=True``: (matches + 1) / (totals + 1) from order 2 on (Lin and Och 2004).
    """

    smooth: bool = False
    ignores_reference_length: ClassVar[bool] = True

    def __call__(self, counts: Counts) -> list[float]:
        if not all(counts.matches):
            return [0.0 if total else float("nan") for total in counts.totals]
        return self._method()(counts)

    def steps(self, counts: Counts) -> list[str]:
        if not all(counts.matches):
            return ["0, because an order has no match" if m else "" for m in counts.matches]
        return AddK(k=1).steps(counts) if self.smooth else [""] * len(counts.matches)

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        zeros = np.where(counts.totals == 0, np.nan, 0.0)
        return np.where(counts.matches.all(axis=1, keepdims=True), counts.smoothed(self._method()), zeros)

    def _method(self) -> AddK | Unsmoothed:
        return AddK(k=1) if self.smooth else Unsmoothed()
