"""PyTorch Ignite's smoothings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from bleukit.built_in.nltk.smoothings import Method1, Method2

from bleukit.plugin import Counts, CountsTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class OfSums:
    """A method of NLTK in which each summed total is at least 1, also for an order without n-grams."""

    _method: Method1 | Method2
    ignores_reference_length: ClassVar[bool] = True

    def __call__(self, counts: Counts) -> list[float]:
        return self._method(_defined(counts))

    def steps(self, counts: Counts) -> list[str]:
        steps = zip(self._method.steps(_defined(counts)), counts.totals, strict=True)
        return [step or ("" if total else "0, because no unigram matches") for step, total in steps]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        return self._method.batch(replace(counts, totals=np.maximum(counts.totals, 1)))


def _defined(counts: Counts) -> Counts:
    """Return the counts without those of the last segment: accessing them would say that the smoothing needs them."""
    totals = [max(1, total) for total in counts.totals]
    return Counts(counts.matches, totals, counts.hypothesis_length, counts.reference_length)


SMOOTH1 = OfSums(Method1())
NLTK_SMOOTH2 = OfSums(Method2())
