"""Loops over pairs, compiled if a C compiler was available at installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bleukit.compiled import CompiledModule

if TYPE_CHECKING:
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
    every = np.arange(matches[0].size)
    return every, every


@_compiled.replaces
def overlapping(  # noqa: PLR0913
    rows: NDArray[np.int64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    having: NDArray[np.int32],
    numbers: NDArray[np.int32],
    ends: NDArray[np.int64],
    kinds: NDArray[np.int64],
    needed: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of texts that share as many numbers as they need, each pair once.

    Candidates are, for each of ``rows``, which are texts in ascending order, the texts ``having[start:stop]``.
    ``numbers`` are those of all texts, ascending and different in each, which ends in ``ends``. ``needed`` holds how
    many a text of one of the ``kinds`` and one of another need, or 0 if they are no pair. Raises ValueError if that
    does not fit together.
    """
    candidates: dict[tuple[int, int], None] = {}
    for row, start, stop in zip(rows.tolist(), starts.tolist(), stops.tolist(), strict=True):
        candidates.update(dict.fromkeys((row, other) for other in having[start:stop].tolist()))
    pairs = np.array([*candidates], np.int64).reshape(-1, 2)
    ones, others = pairs[:, 0].copy(), pairs[:, 1].copy()
    need = needed[kinds[ones], kinds[others]]
    kept = (need > 0) & (overlaps(ones, others, numbers, ends) >= need)
    return ones[kept], others[kept]


@_compiled.replaces
def overlaps(
    ones: NDArray[np.int64], others: NDArray[np.int64], numbers: NDArray[np.int32], ends: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return how many numbers the texts of each pair share; of numbers and their ends, see :func:`overlapping`."""

    def of_text(text: int) -> set[int]:
        return set(numbers[ends[text - 1] if text else 0 : ends[text]].tolist())

    pairs = zip(ones.tolist(), others.tolist(), strict=True)
    return np.array([len(of_text(one) & of_text(other)) for one, other in pairs], np.int64)
