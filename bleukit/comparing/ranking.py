"""Adjust p-values for multiple comparisons, and derive ranks and clusters from them."""

from __future__ import annotations

from math import comb, isclose
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def is_significant(p_value: float, confidence_level: float) -> bool:
    """Return whether a p-value is below 1 - ``confidence_level``; numbers equal up to rounding errors are equal."""
    alpha = 1 - confidence_level
    return p_value < alpha and not isclose(p_value, alpha, rel_tol=1e-9)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values to control the family-wise error rate (Holm 1979)."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for done, number in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - done) * p_values[number]))
        adjusted[number] = largest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values to control the false discovery rate (Benjamini and Hochberg 1995)."""
    adjusted = [0.0] * len(p_values)
    least = 1.0
    ordered = sorted(range(len(p_values)), key=p_values.__getitem__)
    for position, number in reversed(list(enumerate(ordered, 1))):
        least = min(least, p_values[number] * len(p_values) / position)
        adjusted[number] = least
    return adjusted


CORRECTIONS: Mapping[str, Callable[[Sequence[float]], list[float]]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    "none": list,
}
"""The corrections for multiple comparisons, by name."""


def ranked(scores: Sequence[float], significant: Mapping[tuple[int, int], bool]) -> list[dict[str, Any]]:
    """Return the ``rank``, ``best_rank``, ``worst_rank`` and ``cluster`` of each system; the highest score is best.

    ``significant`` maps the pairs of systems that were tested, by index, to whether they differ significantly. The best
    possible rank of a system is one more than the number of significantly better systems; the worst is the number of
    systems minus the number of significantly worse ones. A cluster ends where all systems above are significantly
    better than all systems below, as in the rankings of WMT. All but the rank are None unless every pair was tested.
    """
    systems = range(len(scores))
    ranks = [1 + sum(scores[other] > scores[system] for other in systems) for system in systems]
    if len(significant) < comb(len(scores), 2):
        return [{"rank": rank, "best_rank": None, "worst_rank": None, "cluster": None} for rank in ranks]

    def is_better(one: int, other: int) -> bool:
        differ = significant.get((one, other)) or significant.get((other, one))
        return bool(differ) and scores[one] > scores[other]

    order = sorted(systems, key=lambda system: -scores[system])
    clusters = [1] * len(scores)
    for position, system in enumerate(order[1:], 1):
        above, below = order[:position], order[position:]
        clusters[system] = clusters[above[-1]] + all(is_better(one, other) for one in above for other in below)
    return [
        {
            "rank": ranks[system],
            "best_rank": 1 + sum(is_better(other, system) for other in systems),
            "worst_rank": len(scores) - sum(is_better(system, other) for other in systems),
            "cluster": clusters[system],
        }
        for system in systems
    ]
