"""Loops over random numbers and rows, in NumPy, or compiled if a C compiler was available at installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bleukit.framework.compiled import CompiledModule

if TYPE_CHECKING:
    from numpy.typing import NDArray

_compiled = CompiledModule("bleukit.comparing.loops_compiled")

UNPACKED = 1 << 19
"""The number of bits that are unpacked at a time."""


@_compiled.replaces
def sums_of_chosen(chosen: NDArray[np.uint8], rows: NDArray[np.int32], sums: NDArray[np.int64]) -> None:
    """Add the rows that each sample chooses to ``sums``, of shape (columns, samples). No sum may reach 2**31.

    ``chosen``, of shape (samples, bytes), has one bit per row; the first row is the highest bit of the first byte.
    """
    most = max(1, UNPACKED // len(rows))
    for start in range(0, len(chosen), most):
        bits = np.unpackbits(chosen[start : start + most], axis=1, count=len(rows))
        sums[:, start : start + most] += (bits.astype(np.float64) @ rows.astype(np.float64)).T.astype(np.int64)


@_compiled.replaces
def tally(indices: NDArray[np.int64], weights: NDArray[np.float32]) -> None:
    """Set ``weights``, of shape (samples, rows), to the number of times each row is drawn by each sample."""
    for sample, drawn in zip(weights, indices, strict=True):
        sample[:] = np.bincount(drawn, minlength=len(sample))
