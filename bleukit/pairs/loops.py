"""Loops over pairs, in NumPy and Python, or compiled if a C compiler was available at installation."""

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
    """Return representatives of all kinds of pairs, and for each pair the index of a representative of its kind.

    ``matches`` is of shape (orders, rows, columns). Pairs are of one kind if they have the same matches and the same
    values in ``rows`` and ``columns``, which are 0 to 2**32 - 1. Pairs are numbered row by row. Without the compiled
    parts, each pair is a kind of its own.
    """
    numbers = np.arange(matches[0].size)
    return numbers, numbers


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
    """Return the pairs of texts that share as many numbers as they need to, each pair once.

    The candidates are pairs of each text in ``rows``, in ascending order, with the texts ``having[start:stop]``.
    ``numbers`` holds the numbers of all texts, ascending and different within each text; ``ends`` holds the end of each
    text. ``needed`` holds how many numbers a text of one of the ``kinds`` and a text of another must share, or 0 if
    they are no pair. Raises ValueError if the arrays do not fit together.
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
    """Return how many numbers the texts of each pair share; :func:`overlapping` describes ``numbers`` and ``ends``."""

    def of_text(text: int) -> set[int]:
        return set(numbers[ends[text - 1] if text else 0 : ends[text]].tolist())

    pairs = zip(ones.tolist(), others.tolist(), strict=True)
    return np.array([len(of_text(one) & of_text(other)) for one, other in pairs], np.int64)
