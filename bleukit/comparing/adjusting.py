"""Judge the pairs of a comparison as one family: adjusted p-values, and the ranks and clusters that follow."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from bleukit.comparing.ranking import CORRECTIONS, is_significant, ranked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.comparing.results import PairResult, SystemResult


class Results(NamedTuple):
    """The results of the systems and pairs on some segments."""

    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]


def judged(family: Sequence[Results], correction: str, confidence_level: float) -> list[Results]:
    """Return the results with p-values that are adjusted for all pairs of the family, and with standings.

    A p-value that is None stays None.
    """
    p_values = [pair.p_value for results in family for pair in results.pairs]
    adjusted = iter(CORRECTIONS[correction]([p for p in p_values if p is not None]))
    return [
        _with_standings(
            results.systems,
            tuple(
                replace(pair, adjusted_p_value=None if pair.p_value is None else next(adjusted))
                for pair in results.pairs
            ),
            confidence_level,
        )
        for results in family
    ]


def _with_standings(
    systems: tuple[SystemResult, ...], pairs: tuple[PairResult, ...], confidence_level: float
) -> Results:
    places = {result.system: place for place, result in enumerate(systems)}
    significant = {
        (places[pair.first], places[pair.second]): is_significant(pair.adjusted_p_value, confidence_level)
        for pair in pairs
        if pair.adjusted_p_value is not None
    }
    standings = ranked([result.score for result in systems], significant)
    ranks = (replace(result, **standing._asdict()) for result, standing in zip(systems, standings, strict=True))
    return Results(tuple(ranks), pairs)
