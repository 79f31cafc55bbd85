"""The contribution of each part of a test set to the difference between two systems."""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing.resampling import INFLUENCE, RandomBits
from bleukit.comparing.scores_of_sums import scores_of_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bleukit.metric import Bleu

FEW = 10
"""Up to this number of parts, every subset of them is scored."""

ORDERS = 64
"""The number of random orders that are sampled for more parts, each of them forwards and backwards."""


def influences(
    bleu: Bleu, first: Sequence[NDArray[np.float64]], second: Sequence[NDArray[np.float64]], seed: int
) -> NDArray[np.float64]:
    """Return the influence of each part: shares that add up to the difference between two systems, first minus second.

    ``first`` and ``second`` hold, for each run of a system, the sums of the parts, of shape (parts, width). The
    influence of a part is its Shapley value: the average increase of the score, over all orders of the parts, when the
    part is taken from the first system instead of the second. More than FEW parts are averaged over a sample of the
    orders, each with its reverse.
    """
    shares = [_shapley_values(bleu, one, other, seed) for one in first for other in second]
    mean: NDArray[np.float64] = np.mean(shares, axis=0)
    return mean


def _shapley_values(
    bleu: Bleu, first: NDArray[np.float64], second: NDArray[np.float64], seed: int
) -> NDArray[np.float64]:
    total, moved = second.sum(axis=0), first - second
    parts = len(moved)
    if parts <= FEW:
        return _exact_shapley_values(bleu, total, moved)
    shares = np.zeros(parts)
    for keys in RandomBits(seed, INFLUENCE).indices(ORDERS, parts, 1 << 32):
        forwards = np.argsort(keys, kind="stable")
        for order in (forwards, forwards[::-1]):
            sums = total + np.concatenate([np.zeros((1, moved.shape[1])), np.cumsum(moved[order], axis=0)])
            shares[order] += np.diff(scores_of_sums(bleu, sums))
    return shares / (2 * ORDERS)


def _exact_shapley_values(bleu: Bleu, total: NDArray[np.float64], moved: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Shapley values of the parts, from the scores of all their subsets."""
    parts = len(moved)
    chosen = (np.arange(1 << parts)[:, np.newaxis] >> np.arange(parts)) & 1
    values = scores_of_sums(bleu, total + chosen @ moved)
    sizes = chosen.sum(axis=1)
    weights = np.array([factorial(size) * factorial(parts - size - 1) for size in range(parts)] + [0]) / factorial(
        parts
    )
    shares = np.empty(parts)
    for part in range(parts):
        without = np.flatnonzero(chosen[:, part] == 0)
        shares[part] = (weights[sizes[without]] * (values[without | (1 << part)] - values[without])).sum()
    return shares
