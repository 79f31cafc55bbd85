"""The contribution of each part of a test set to the difference between two systems."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from bleukit.comparing.unit_statistics import scores_of_sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from bleukit.framework.metric import AnyMetric

FEW = 5
"""Up to this number of parts, all of their orders are tried."""

MOST_ORDERS, MOST_SCORES = 64, 1 << 16
"""The numbers of orders of more parts, each also taken backwards, and of the scores that are computed for them."""


def influences(
    metric: AnyMetric, first: Sequence[NDArray[np.float64]], second: Sequence[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Return the influence of each part: shares that add up to the difference between two systems, first minus second.

    ``first`` and ``second`` hold, for each run of a system, the sums of the parts, of shape (parts, width). The
    influence of a part is its Shapley value: the average increase of the score, over all orders of the parts, when the
    part is taken from the first system instead of the second. More than FEW parts are averaged over some orders, which
    depend on their number alone.
    """
    mean: NDArray[np.float64] = np.mean([_shares(metric, one, other) for one in first for other in second], axis=0)
    return mean


def _shares(metric: AnyMetric, first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    total, moved = second.sum(axis=0), first - second
    shares, orders = np.zeros(len(moved)), list(_orders(len(moved)))
    for order in orders:
        sums = total + np.concatenate([np.zeros((1, moved.shape[1])), np.cumsum(moved[order], axis=0)])
        shares[order] += np.diff(scores_of_sums(metric, sums))
    return shares / len(orders)


def _orders(parts: int) -> Iterable[NDArray[np.intp]]:
    """Yield orders of parts, which page/src/influence.js has, too: all of few, else some by a hash of their numbers."""
    if parts <= FEW:
        yield from map(np.array, permutations(range(parts)))
        return
    for number in range(max(1, min(MOST_ORDERS, MOST_SCORES // parts))):
        forwards = np.argsort(_mixed(np.arange(parts, dtype=np.uint32) + np.uint32(number * 0x9E3779B9 % 2**32)))
        yield forwards
        yield forwards[::-1]


def _mixed(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return numbers as MurmurHash3 mixes their bits; no two become the same."""
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        numbers = (numbers ^ (numbers >> np.uint32(shift))) * np.uint32(factor)
    mixed: NDArray[np.uint32] = numbers ^ (numbers >> np.uint32(16))
    return mixed
