"""``bleukit score --confidence``: the intervals of the scores of a corpus."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bleukit.comparing.comparison import Settings, compared
from bleukit.comparing.gathering import Gathered, Names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bleukit.cli.units import CountedPart
    from bleukit.comparing.results import Comparison
    from bleukit.metric import Bleu


class IntervalFinder:
    """Gathers the rows of all segments while they pass by, to resample them."""

    def __init__(self, systems: int, settings: Mapping[str, Any]) -> None:
        self._settings = Settings(**settings)
        self._gathered = Gathered(Names.of({str(number): 1 for number in range(systems)}))

    def gathered(self, segments: Iterable[CountedPart]) -> Iterator[CountedPart]:
        """Yield the same segments."""
        for part, rows in segments:
            self._gathered.add(rows)
            yield part, rows

    def comparison(self, bleu: Bleu) -> Comparison:
        """Return the comparison with the interval of each system, in the order of the systems."""
        comparison = compared(bleu, self._gathered, self._settings)
        return replace(comparison, systems=tuple(sorted(comparison.systems, key=lambda result: int(result.system))))
