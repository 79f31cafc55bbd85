"""Loops over whole columns: of integers (int64) or floats, arrays of the standard library or of numpy.

They are compiled where a compiler was there.
"""

from __future__ import annotations

import math
from array import array
from operator import gt, sub
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = Sequence[float] | NDArray[np.float64]

try:
    from bleukit._arrays import (
        are_lengths,
        bounded,
        differences,
        exponentials,
        greatest,
        least,
        logarithms,
        sums,
        total,
        up_to,
    )
except ImportError:

    def sums(values: array[int], width: int) -> list[int]:
        """Return the sum of each column of a table of ``width`` columns, row by row."""
        return [sum(values[column::width]) for column in range(width)]

    def least(values: array[int]) -> int:
        """Return the least of some integers, at least one."""
        return min(values)

    def greatest(values: array[int]) -> int:
        """Return the greatest of some integers, at least one."""
        return max(values)

    def differences(ends: array[int]) -> array[int]:
        """Return how far each number is from the one before; the first, from 0."""
        return array("q", map(sub, ends, array("q", [0]) + ends[:-1]))

    def bounded(values: array[int], limits: array[int]) -> bool:
        """Tell whether 0 <= value <= limit for each."""
        return min(values, default=0) >= 0 and not any(map(gt, values, limits))

    def up_to(number: int) -> array[int]:
        """Return the numbers from 1."""
        return array("q", range(1, number + 1))

    def are_lengths(values: array[float]) -> bool:
        """Tell whether all floats are finite and at least 0."""
        return all(0 <= value < math.inf for value in values)

    def total(values: array[float]) -> float:
        """Return the sum of some floats, rounded once."""
        return math.fsum(values)

    def logarithms(values: Floats) -> array[float]:
        """Return what ``math.log`` gives for each float, to the last bit (numpy's may differ there); all above 0."""
        return array("d", map(math.log, values))

    def exponentials(values: Floats) -> array[float]:
        """Return what ``math.exp`` gives for each float, to the last bit. Raises OverflowError as that does."""
        return array("d", map(math.exp, values))


__all__ = [
    "are_lengths",
    "bounded",
    "differences",
    "exponentials",
    "greatest",
    "least",
    "logarithms",
    "sums",
    "total",
    "up_to",
]
