"""BLEU as PyTorch Ignite computes it: https://github.com/pytorch/ignite, ignite/metrics/nlp/bleu.py.

It is NLTK's, but totals are those of the n-grams that there are: NLTK counts one for a segment without any. Its
``smooth2`` is sacreBLEU's ``add-k``. Without smoothing, macro is in single precision; these numbers agree to about
seven digits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.built_in.nltk import Method1, Method2

from bleukit.plugin import Counts, CountsTable, hookimpl, variant_files

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class OfSums:
    """A method of NLTK, of which each summed total is at least 1: that of an order without n-grams."""

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


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {
        "ignite-smooth1": partial(OfSums, Method1()),
        "ignite-nltk_smooth2": partial(OfSums, Method2()),
    }


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    return variant_files(__file__)
