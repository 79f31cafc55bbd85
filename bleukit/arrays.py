"""Loops over whole columns of integers (int64 arrays of the standard library), compiled where a compiler was there."""

from __future__ import annotations

from array import array
from operator import gt, sub

try:
    from bleukit._arrays import bounded, differences, sums
except ImportError:

    def sums(values: array[int], width: int) -> list[int]:
        """Return the sum of each column of a table of ``width`` columns, row by row."""
        return [sum(values[column::width]) for column in range(width)]

    def differences(ends: array[int]) -> array[int]:
        """Return how far each number is from the one before; the first, from 0."""
        return array("q", map(sub, ends, array("q", [0]) + ends[:-1]))

    def bounded(values: array[int], limits: array[int]) -> bool:
        """Tell whether 0 <= value <= limit for each."""
        return min(values, default=0) >= 0 and not any(map(gt, values, limits))


__all__ = ["bounded", "differences", "sums"]
