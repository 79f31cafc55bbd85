"""TorchMetrics' reference length."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from bleukit.plugin import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class FirstClosest:
    """The reference length closest to the hypothesis; of two equally close, that of the reference given first."""

    def __call__(self, hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
        return min(reference_lengths, key=lambda length: abs(length - hypothesis_length))

    def batch(self, hypothesis_lengths: Sequence[int], reference_lengths: Sequence[Sequence[int]]) -> array[float]:
        groups = grouped(reference_lengths)
        if len(groups.items) == len(groups):  # one reference each
            return array("d", groups.items)
        starts = chain([0], groups.ends)
        lengths = (groups.items[start:end] for start, end in zip(starts, groups.ends, strict=False))
        return array("d", map(self, hypothesis_lengths, lengths))
