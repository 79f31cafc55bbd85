"""Loops over whole columns: of integers (int64) or floats, arrays of the standard library or of numpy.

Compiled if a C compiler was available at installation.
"""

from __future__ import annotations

import math
from array import array
from operator import gt, sub
from typing import TYPE_CHECKING

from bleukit.compiled import CompiledModule

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = Sequence[float] | NDArray[np.float64]

_compiled = CompiledModule("bleukit.counting.columns_compiled")


@_compiled.replaces
def sums(values: array[int], width: int) -> list[int]:
    """Return the sum of each column of a table of ``width`` columns, row by row."""
    return [sum(values[column::width]) for column in range(width)]


@_compiled.replaces
def least(values: array[int]) -> int:
    """Return the least of some integers, at least one."""
    return min(values)


@_compiled.replaces
def greatest(values: array[int]) -> int:
    """Return the greatest of some integers, at least one."""
    return max(values)


@_compiled.replaces
def differences(ends: array[int]) -> array[int]:
    """Return how far each number is from the one before; the first, from 0."""
    return array("q", map(sub, ends, array("q", [0]) + ends[:-1]))


@_compiled.replaces
def bounded(values: array[int], limits: array[int]) -> bool:
    """Tell whether 0 <= value <= limit for each."""
    return min(values, default=0) >= 0 and not any(map(gt, values, limits))


@_compiled.replaces
def up_to(number: int) -> array[int]:
    """Return the numbers from 1."""
    return array("q", range(1, number + 1))


@_compiled.replaces
def are_lengths(values: array[float]) -> bool:
    """Tell whether all floats are finite and at least 0."""
    return all(0 <= value < math.inf for value in values)


@_compiled.replaces
def total(values: array[float]) -> float:
    """Return the sum of some floats, rounded once."""
    return math.fsum(values)


@_compiled.replaces
def logarithms(values: Floats) -> array[float]:
    """Return what ``math.log`` gives for each float, to the last bit (numpy's may differ there); all above 0."""
    return array("d", map(math.log, values))


@_compiled.replaces
def exponentials(values: Floats) -> array[float]:
    """Return what ``math.exp`` gives for each float, to the last bit. Raises OverflowError as that does."""
    return array("d", map(math.exp, values))
