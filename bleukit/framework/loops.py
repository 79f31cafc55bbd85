"""Loops over whole columns: of integers (int64) or floats, arrays of the standard library or of numpy.

Compiled if a C compiler was available at installation.
"""

from __future__ import annotations

import math
from array import array
from operator import gt, lt, sub
from typing import TYPE_CHECKING

from bleukit.framework.compiled import CompiledModule
from bleukit.framework.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = Sequence[float] | NDArray[np.float64]

_compiled = CompiledModule("bleukit.framework.loops_compiled")


def exact_sums(values: Sequence[int], width: int) -> list[int]:
    """Return what :func:`sums` returns, from Python's integers."""
    totals = [sum(values[column::width]) for column in range(width)]
    if not all(-(2**63) <= column_total < 2**63 for column_total in totals):
        raise InputError("the sum of some counts or lengths is beyond 64 bits")
    return totals


@_compiled.replaces
def sums(values: array[int] | memoryview[int], width: int) -> list[int]:
    """Return the sum of each column of a table of ``width`` columns, row by row.

    Raises InputError if a sum is beyond 64 bits, and ValueError if the buffer is not a table of that width.
    """
    if width < 1 or len(values) % width:
        raise ValueError(f"{len(values)} values are no table of {width} columns")
    return exact_sums(values, width)


@_compiled.replaces
def lengths_from_ends(ends: array[int]) -> array[int]:
    """Return how far each number is from the one before; the first, from 0. Raises ValueError if numbers decrease."""
    starts = array("q", [0]) + ends[:-1]
    if any(map(lt, ends, starts)):
        raise ValueError("ends that decrease")
    return array("q", map(sub, ends, starts))


@_compiled.replaces
def bounded(values: array[int], limits: array[int]) -> bool:
    """Return whether 0 <= value <= limit for each. Raises ValueError unless there are as many of both."""
    if len(values) != len(limits):
        raise ValueError(f"{len(values)} values but {len(limits)} limits")
    return min(values, default=0) >= 0 and not any(map(gt, values, limits))


@_compiled.replaces
def up_to(number: int) -> array[int]:
    """Return the numbers from 1."""
    return array("q", range(1, number + 1))


def are_lengths(values: array[float]) -> bool:
    """Return whether all floats are finite and at least 0."""
    return not values or (min(values) >= 0 and max(values) < math.inf and not math.isnan(sum(values)))


def exponentials(values: Floats) -> array[float]:
    """Return what ``math.exp`` gives for each float, to the last bit. Raises OverflowError as that does."""
    return array("d", map(math.exp, values))
