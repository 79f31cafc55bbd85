"""Many comparisons at once: adjusted p-values, and the ranks and clusters that follow from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


class Place(NamedTuple):
    """Where a system stands: its rank by score, the best and the worst that the tests leave possible, its cluster."""

    rank: int
    best_rank: int
    worst_rank: int
    cluster: int


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values that hold the probability of any false rejection (Holm 1979)."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for done, number in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - done) * p_values[number]))
        adjusted[number] = largest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return p-values that hold the expected share of false rejections (Benjamini and Hochberg 1995)."""
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
"""How p-values are adjusted, by name."""


def ranked(scores: Sequence[float], significant: Mapping[tuple[int, int], bool]) -> list[Place]:
    """Return where each system stands.

    ``significant`` says of the pairs of systems that were tested, by their numbers, whether they differ. A system's
    rank is at best one more than how many are better, at worst the number of systems less how many are worse. A
    cluster ends where all systems above are better than all below, as in the rankings of WMT.
    """

    def is_better(one: int, other: int) -> bool:
        tested = significant.get((one, other)) or significant.get((other, one))
        return bool(tested) and scores[one] > scores[other]

    systems = range(len(scores))
    order = sorted(systems, key=lambda system: -scores[system])
    clusters = [0] * len(scores)
    cluster = 1
    for position, system in enumerate(order):
        if position and all(is_better(above, below) for above in order[:position] for below in order[position:]):
            cluster += 1
        clusters[system] = cluster
    return [
        Place(
            rank=1 + sum(scores[other] > scores[system] for other in systems),
            best_rank=1 + sum(is_better(other, system) for other in systems),
            worst_rank=len(scores) - sum(is_better(system, other) for other in systems),
            cluster=clusters[system],
        )
        for system in systems
    ]
