"""PyTorch Ignite's smoothings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bleukit.built_in.nltk.smoothings import Method1, Method2, at_least_one
from bleukit.built_in.paper.scoring import ByOrder

from bleukit.plugin import Counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.plugin import CountsTable


@dataclass(frozen=True)
class OfSums(ByOrder):
    """A method of NLTK in which each summed total is at least 1, also for an order without n-grams."""

    _method: Method1 | Method2

    def precisions(self, matches: Sequence[Any], totals: Sequence[Any], counts: Counts | CountsTable) -> list[Any]:
        return self._method.precisions(matches, at_least_one(totals), counts)

    def steps(self, counts: Counts) -> list[str]:
        defined = Counts(counts.matches, at_least_one(counts.totals), counts.hypothesis_length, 0.0)
        steps = zip(self._method.steps(defined), counts.totals, strict=True)
        return [step or ("" if total else "0, because no unigram matches") for step, total in steps]


SMOOTH1 = OfSums(Method1())
NLTK_SMOOTH2 = OfSums(Method2())
