"""Loops over pairs, in NumPy and Python, or compiled if a C compiler was available at installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bleukit.framework.compiled import CompiledModule

if TYPE_CHECKING:
    from numpy.typing import NDArray

_compiled = CompiledModule("bleukit.pairs.loops_compiled")


@_compiled.replaces
def distinct(
    matches: NDArray[np.int64] | NDArray[np.int32],
    rows: NDArray[np.int64],  # noqa: ARG001 - the compiled function needs both
    columns: NDArray[np.int64],  # noqa: ARG001
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return representatives of all kinds of pairs, and for each pair the index of a representative of its kind.

    ``matches`` is of shape (orders, rows, columns). Pairs are of one kind if they have the same matches and the same
    values in ``rows`` and ``columns``, which are 0 to 2**32 - 1. Pairs are numbered row by row. Without the compiled
    parts, each pair is a kind of its own.
    """
    numbers = np.arange(matches[0].size)
    return numbers, numbers
