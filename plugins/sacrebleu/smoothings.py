"""sacreBLEU's smoothings: ``BLEU.compute_bleu``, which smooths only if there is any match."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from bleukit.built_in.paper.scoring import FLOATS_ARE_EXACT, Unsmoothed, require_not_negative

from bleukit.plugin import CompiledModule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.plugin import Counts, CountsTable

    Batch: TypeAlias = Callable[[CountsTable], NDArray[np.float64]]

_compiled = CompiledModule("bleukit.built_in.sacrebleu.smoothings_compiled")


class Floor:
    """``smooth_method="floor"``: ``value`` matches for an order that has none (Chen and Cherry 2014, technique 1)."""

    ignores_reference_length: ClassVar[bool] = True

    def __init__(self, value: float = 0.1) -> None:
        require_not_negative(value=value)
        self.value = value

    def __call__(self, counts: Counts) -> list[float]:
        plain = Unsmoothed()(counts)
        if not any(counts.matches):
            return plain
        return [p if p != 0 else self.value / total for p, total in zip(plain, counts.totals, strict=True)]

    def steps(self, counts: Counts) -> list[str]:
        smoothed = any(counts.matches)
        return [
            f"{self.value:.6g}/{t}" if smoothed and p == 0 else ""
            for p, t in zip(Unsmoothed()(counts), counts.totals, strict=True)
        ]

    @property
    def batch(self) -> Batch | None:
        return _compiled.module.floor(self.value) if _compiled.module and self.value < FLOATS_ARE_EXACT else None


class AddK:
    """``smooth_method="add-k"``: k matches and k n-grams more from order 2 on (Lin and Och 2004).

    As in sacreBLEU, an order that has no n-gram at all therefore gets k/k, not 0/0.
    """

    ignores_reference_length: ClassVar[bool] = True

    def __init__(self, k: float = 1.0) -> None:
        require_not_negative(k=k)
        self.k = k

    def __call__(self, counts: Counts) -> list[float]:
        plain = Unsmoothed()(counts)
        if not any(counts.matches):
            return plain
        pairs = list(zip(counts.matches, counts.totals, strict=True))[1:]
        return plain[:1] + [(m + self.k) / (t + self.k) if t + self.k else math.nan for m, t in pairs]

    def steps(self, counts: Counts) -> list[str]:
        if not any(counts.matches):
            return [""] * len(counts.matches)
        pairs = list(zip(counts.matches, counts.totals, strict=True))[1:]
        return ["", *(f"({m} + {self.k:.6g})/({t} + {self.k:.6g})" for m, t in pairs)]

    @property
    def batch(self) -> Batch | None:
        return _compiled.module.add_k(self.k) if _compiled.module and self.k < FLOATS_ARE_EXACT else None


class Exponential:
    """``smooth_method="exp"``: 1/2, 1/4, … matches at the first, second, … order that has none (mteval-v13a)."""

    ignores_reference_length: ClassVar[bool] = True

    def __call__(self, counts: Counts) -> list[float]:
        plain = Unsmoothed()(counts)
        if not any(counts.matches):
            return plain
        return halved(plain, counts.totals)

    def steps(self, counts: Counts) -> list[str]:
        if not any(counts.matches):
            return [""] * len(counts.matches)
        return halvings(Unsmoothed()(counts), counts.totals)

    @property
    def batch(self) -> Batch | None:
        return getattr(_compiled.module, "EXPONENTIAL", None)


def halved(plain: Sequence[float], totals: Sequence[int], matches: float = 1.0) -> list[float]:
    """Give the first order of precision 0 half of these matches, the next one a quarter, and so on."""
    smoothed = []
    for p, total in zip(plain, totals, strict=True):
        if p == 0:
            matches /= 2
        smoothed.append(matches / max(1, total) if p == 0 else p)
    return smoothed


def halved_rows(
    plain: NDArray[np.float64], wanting: NDArray[np.bool_], totals: NDArray[np.int64], matches: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Do as :func:`halved` in each row where an order is ``wanting``, with the matches of the row; change both."""
    import numpy as np

    for order in np.flatnonzero(wanting.any(axis=0)):  # by columns, because rows are short
        rows = np.flatnonzero(wanting[:, order])
        matches[rows] /= 2
        plain[rows, order] = matches[rows] / totals[rows, order]
    return plain


def halvings(plain: Sequence[float], totals: Sequence[int], first: str = "1") -> list[str]:
    """Return the steps of methods that halve the matches of each further order that has none."""
    steps, wanting = [], 0
    for p, total in zip(plain, totals, strict=True):
        wanting += p == 0
        steps.append(f"({first}/2^{wanting})/{max(1, total)}" if p == 0 else "")
    return steps
