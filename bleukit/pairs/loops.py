"""Loops over the counts of pairs, compiled if a C compiler was available at installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.compiled import CompiledModule

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_compiled = CompiledModule("bleukit.pairs.loops_compiled")


@_compiled.replaces
def distinct(
    matches: NDArray[np.int64] | NDArray[np.int32],
    rows: NDArray[np.int64],  # noqa: ARG001 - the compiled function needs both
    columns: NDArray[np.int64],  # noqa: ARG001
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return pairs among which are all kinds of pairs, and for each pair the place there of one of its kind.

    ``matches`` is of shape (orders, rows, columns); pairs are alike if they have the same matches, and rows and columns
    the same values, from 0 to 2**32 - 1. Pairs are numbered row by row. Without compiled parts each is of its own kind.
    """
    import numpy as np

    every = np.arange(matches[0].size)
    return every, every
