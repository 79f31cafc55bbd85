"""How much each part of a test set contributes to the difference of two systems."""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing.scores import scores
from bleukit.comparing.words import INFLUENCE, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bleukit.metric import Bleu

FEW = 10
"""Up to how many parts every choice of them is scored."""

ORDERS = 64
"""In how many random orders more parts are put, and in their reverse."""


def influences(
    bleu: Bleu, first: Sequence[NDArray[np.float64]], second: Sequence[NDArray[np.float64]], seed: int
) -> NDArray[np.float64]:
    """Return the share of each part in the difference of two systems, first less second; the shares add up to it.

    ``first`` and ``second`` hold, for each run of a system, the sums of the parts, of shape (parts, width). A share is
    by how much the score rises on average, over all orders of the parts, when a part is taken from the first system in
    place of the second (its Shapley value); for more than FEW parts over some orders, each with its reverse.
    """
    shares = [_of_texts(bleu, one, other, seed) for one in first for other in second]
    mean: NDArray[np.float64] = np.mean(shares, axis=0)
    return mean


def _of_texts(bleu: Bleu, first: NDArray[np.float64], second: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    total, moved = second.sum(axis=0), first - second
    parts = len(moved)
    if parts <= FEW:
        return _over_all(bleu, total, moved)
    shares = np.zeros(parts)
    words = Words(seed, INFLUENCE)
    for keys in words.indices(ORDERS, parts, 1 << 32):
        forth = np.argsort(keys, kind="stable")
        for order in (forth, forth[::-1]):
            sums = total + np.concatenate([np.zeros((1, moved.shape[1])), np.cumsum(moved[order], axis=0)])
            shares[order] += np.diff(scores(bleu, sums))
    return shares / (2 * ORDERS)


def _over_all(bleu: Bleu, total: NDArray[np.float64], moved: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Shapley values from the scores of every choice of parts."""
    parts = len(moved)
    chosen = (np.arange(1 << parts)[:, np.newaxis] >> np.arange(parts)) & 1
    values = scores(bleu, total + chosen @ moved)
    sizes = chosen.sum(axis=1)
    weights = np.array([factorial(size) * factorial(parts - size - 1) for size in range(parts)] + [0]) / factorial(
        parts
    )
    shares = np.empty(parts)
    for part in range(parts):
        without = np.flatnonzero(chosen[:, part] == 0)
        shares[part] = (weights[sizes[without]] * (values[without | (1 << part)] - values[without])).sum()
    return shares
