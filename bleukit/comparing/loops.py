"""Loops over random numbers and rows: numpy's, or compiled if a C compiler was available at installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.compiled import CompiledModule

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_compiled = CompiledModule("bleukit.comparing.loops_compiled")

UNPACKED = 1 << 19
"""How many bits are numbers at a time."""


@_compiled.replaces
def sums_of_chosen(chosen: NDArray[np.uint8], rows: NDArray[np.int32], sums: NDArray[np.int64]) -> None:
    """Add to ``sums``, of shape (columns, samples), the rows that each sample chooses; no sum may reach 2**31.

    ``chosen``, of shape (samples, bytes), has a bit a row, the first row in the highest bit of the first byte.
    """
    import numpy as np

    most = max(1, UNPACKED // len(rows))
    for start in range(0, len(chosen), most):
        bits = np.unpackbits(chosen[start : start + most], axis=1, count=len(rows))
        sums[:, start : start + most] += (bits.astype(np.float64) @ rows.astype(np.float64)).T.astype(np.int64)


@_compiled.replaces
def tally(indices: NDArray[np.int64], weights: NDArray[np.float32]) -> None:
    """Set ``weights``, of shape (samples, rows), to how many times each row is in the indices of a sample."""
    import numpy as np

    for sample, drawn in zip(weights, indices, strict=True):
        sample[:] = np.bincount(drawn, minlength=len(sample))


@_compiled.replaces
def scaled(words: NDArray[np.uint64], number: int, below: int, numbers: NDArray[np.int64]) -> None:
    """Set ``numbers``, of shape (samples, number), to numbers below ``below``: halves of words, the low half first."""
    import numpy as np

    halves = words.astype("<u8", copy=False).view("<u4")[:, :number]
    # Before NumPy 2 a product of 32 bits and a small number of 64 has 32.
    numbers[:] = halves.astype(np.uint64) * np.uint64(below) >> np.uint64(32)
