"""The statistics of a row as one whole number, such that the sum of the numbers of rows holds the sums of all columns.

So an engine that has whole numbers of any size adds up statistics by its own ``sum``. Each column takes 64 bits, and a
row is 1 in what is above them. Totals may be negative, though not below minus the highest order: that is added to them.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.engines import integers
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from bleukit.metric import Bleu
    from bleukit.statistics import Statistics

_DIGEST = 16
_BELOW = 24
"""Number of bytes below the columns that tell rows apart: a digest, and room for its sum."""


def column_names(bleu: Bleu) -> list[str]:
    """Return the names of the columns whose sums a number holds, after ``segments``."""
    return [name for name in integers.column_names(bleu) if name not in {*integers.MERGED, "segments"}]


def numbers(bleu: Bleu, statistics: Statistics) -> NDArray[np.uint8]:
    """Return the number of each row of one segment as bytes, the highest first: shape (rows, bytes).

    Raises InputError for a segment whose numbers are too large to be added up.
    """
    columns = integers.integer_columns(statistics)
    integers.require_addable(columns)
    raised = [columns[name] + _raised(bleu, name) for name in column_names(bleu)]
    lanes = np.ascontiguousarray(np.stack(raised, axis=1).astype(">i8")).view("u1")
    return np.concatenate([np.ones((len(lanes), 1), "u1"), lanes], axis=1)


def told_apart(rows: NDArray[np.uint8], texts: Iterable[tuple[Any, ...]]) -> NDArray[np.uint8]:
    """Return numbers that are equal only if texts are, up to a chance of 2**-128; their sums hold the same sums."""
    digests = [hashlib.blake2b(repr(text).encode(), digest_size=_DIGEST).digest() for text in texts]
    below = np.frombuffer(b"".join(digests), "u1").reshape(len(rows), _DIGEST)
    return np.concatenate([rows, np.zeros((len(rows), _BELOW - _DIGEST), "u1"), below], axis=1)


def sums(bleu: Bleu, summed: Sequence[bytes]) -> dict[str, NDArray[np.int64]]:
    """Return the sums of columns that sums of numbers hold, ``segments`` first.

    Raises InputError for a number that has another size than such a sum, and for sums of too many segments.
    """
    names = ["segments", *column_names(bleu)]
    width = 8 * len(names)
    held = [number[:-_BELOW] if len(number) > width else number for number in summed]
    if not all(width - 8 < len(number) <= width for number in held):
        raise InputError(f"this is no sum of statistics of the variant {bleu.label}")
    lanes = (
        np.frombuffer(b"".join(number.rjust(width, b"\0") for number in held), ">i8")
        .reshape(len(held), len(names))
        .astype(np.int64)
    )
    integers.require_few(lanes[:, 0])
    return {name: lanes[:, place] - _raised(bleu, name) * lanes[:, 0] for place, name in enumerate(names)}


def _raised(bleu: Bleu, name: str) -> int:
    return bleu.max_order if name.startswith("totals") else 0
