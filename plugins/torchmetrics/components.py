"""The reference length and the smoothing of TorchMetrics."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import and_
from typing import TYPE_CHECKING, Any

from bleukit.built_in.paper.scoring import ByOrder, divide, where
from bleukit.built_in.sacrebleu.smoothings import AddK

from bleukit.plugin import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.plugin import Counts


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
class EveryOrder(ByOrder):
    """0 as soon as one order has no match, whatever its weight; else matches / totals.

    With ``smooth``, ``smooth=True``: (matches + 1) / (totals + 1) from order 2 on (Lin and Och 2004).
    """

    smooth: bool = False

    def precisions(self, matches: Sequence[Any], totals: Sequence[Any], _: object) -> list[Any]:
        all_match = reduce(and_, [match > 0 for match in matches])
        added = [0, *[int(self.smooth)] * (len(matches) - 1)]
        smoothed = [divide(m + k, t + k) for m, t, k in zip(matches, totals, added, strict=True)]
        return [where(all_match, p, 0 * divide(m, t)) for p, m, t in zip(smoothed, matches, totals, strict=True)]

    def steps(self, counts: Counts) -> list[str]:
        if not all(counts.matches):
            return ["0, because an order has no match" if m else "" for m in counts.matches]
        return AddK(k=1).steps(counts) if self.smooth else [""] * len(counts.matches)
