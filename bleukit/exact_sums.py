"""Exact sums of floating-point numbers in groups, without a loop over the groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_BASE = 1 << 30


def sums_of_groups(values: Floats, rests: Floats, starts: NDArray[np.intp]) -> tuple[Floats, Floats] | None:
    """Return the sum of each group, rounded once, and what it was rounded by; groups begin at ``starts``.

    ``values`` are at least 0, and ``rests`` what they were rounded by. Each is taken apart into digits of base 2**30,
    which are summed as whole numbers. Returns None if one has more than two digits behind the point, or is too large.
    """
    whole = np.floor(values)
    second = (values - whole) * _BASE  # exact, as is what follows
    third = (second - np.floor(second)) * _BASE + rests * float(_BASE**2)
    largest = max(np.abs(third).max(initial=0) / 8, len(values), whole.sum() / (1 << 15))
    if largest >= _BASE or (third != np.floor(third)).any():
        return None
    digits = (np.floor(digit).astype(np.int64) for digit in (whole, second, third))
    wholes, seconds, thirds = (np.add.reduceat(digit, starts) for digit in digits)
    seconds += thirds // _BASE
    high, error = _two_sum((wholes + seconds // _BASE).astype(np.float64), seconds % _BASE / _BASE)
    return _two_sum(high, error + thirds % _BASE / float(_BASE**2))


def _two_sum(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return sums and their rounding errors (Knuth)."""
    total = first + second
    part = total - first
    return total, (first - (total - part)) + (second - part)
