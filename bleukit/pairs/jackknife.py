"""Intervals of numbers that depend on all texts together, such as self-BLEU: by leaving out groups of them.

Each text is scored, and is a reference of others, so that scores are not independent; and resampling with replacement
would draw equal texts. The delete-a-group jackknife (Kott 2001) has neither problem.
"""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from bleukit import students_t
from bleukit.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from bleukit.results import Interval

GROUPS = 20
"""The number of random groups, unless there are fewer texts."""


def check_level(level: object) -> None:
    """Raise InputError unless this is a confidence level."""
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise InputError(f"confidence_level: expected a number between 0 and 1, got {shown(level)}")


def interval(
    value: float, number: int, without: Callable[[NDArray[np.bool_]], float], level: float, seed: int
) -> Interval:
    """Return the interval of a value of ``number`` texts or sources.

    ``without`` returns the value of those that are kept, given a mask.
    """
    order = list(range(number))
    Random(seed).shuffle(order)  # noqa: S311 - not for security, but for reproducible groups
    groups = min(GROUPS, number)
    values = []
    for group in range(groups):
        kept = np.ones(number, bool)
        kept[order[group::groups]] = False
        values.append(without(kept))
    error = math.sqrt((groups - 1) / groups * float(np.square(np.array(values) - np.mean(values)).sum()))
    return students_t.interval(value, error, groups - 1, level)
