"""sacreBLEU's smoothings: ``BLEU.compute_bleu``, which smooths only if there is any match."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.built_in.paper.scoring import Unsmoothed, divide, require_not_negative, where

from bleukit.plugin import CompiledModule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.plugin import Counts, CountsTable

    Batch: TypeAlias = Callable[[CountsTable], NDArray[np.float64]]

_compiled = CompiledModule("bleukit.built_in.sacrebleu.smoothings_compiled")


class IfAnyMatches(ABC):
    """What they have in common: without any match, precisions are matches / totals."""

    ignores_reference_length: ClassVar[bool] = True

    def __call__(self, counts: Counts) -> list[float]:
        plain = Unsmoothed()(counts)
        return self.smooth(plain, counts) if any(counts.matches) else plain

    def steps(self, counts: Counts) -> list[str]:
        return self.smoothing_steps(Unsmoothed()(counts), counts) if any(counts.matches) else [""] * len(counts.matches)

    @abstractmethod
    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        """Return the smoothed precisions."""

    @abstractmethod
    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        """Return how each is computed."""


class Floor(IfAnyMatches):
    """``smooth_method="floor"``: ``value`` matches for an order that has none (Chen and Cherry 2014, technique 1)."""

    def __init__(self, value: float = 0.1) -> None:
        require_not_negative(value=value)
        self.value = value

    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        return [p if p != 0 else self.value / total for p, total in zip(plain, counts.totals, strict=True)]

    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        return [f"{self.value:.6g}/{t}" if p == 0 else "" for p, t in zip(plain, counts.totals, strict=True)]

    @property
    def batch(self) -> Batch | None:
        return _compiled.module.floor(self.value) if _compiled.module else None


class AddK(IfAnyMatches):
    """``smooth_method="add-k"``: k matches and k n-grams more from order 2 on (Lin and Och 2004).

    As in sacreBLEU, an order that has no n-gram at all therefore gets k/k, not 0/0.
    """

    def __init__(self, k: float = 1.0) -> None:
        require_not_negative(k=k)
        self.k = k

    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        pairs = zip(counts.matches[1:], counts.totals[1:], strict=True)
        return plain[:1] + [divide(m + self.k, t + self.k) for m, t in pairs]

    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        pairs = zip(counts.matches[1:], counts.totals[1:], strict=True)
        return ["", *(f"({m} + {self.k:.6g})/({t} + {self.k:.6g})" for m, t in pairs)]

    @property
    def batch(self) -> Batch | None:
        return _compiled.module.add_k(self.k) if _compiled.module else None


class Exponential(IfAnyMatches):
    """``smooth_method="exp"``: 1/2, 1/4, … matches at the first, second, … order that has none (mteval-v13a)."""

    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        return halved(plain, counts.totals)

    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        return halvings(plain, counts.totals)

    @property
    def batch(self) -> Batch | None:
        return getattr(_compiled.module, "EXPONENTIAL", None)


def halved(plain: Sequence[Any], totals: Sequence[Any], matches: Any = 1.0) -> list[Any]:
    """Give the first order of precision 0 half of these matches, the next one a quarter, and so on.

    All are numbers, or columns of numbers, in which the precision of a total of 0 is none.
    """
    smoothed = []
    for p, total in zip(plain, totals, strict=True):
        is_wanting = p == 0
        matches = matches / (1 + is_wanting)
        smoothed.append(where(is_wanting, matches / (total + (total == 0)), p))
    return smoothed


def halvings(plain: Sequence[float], totals: Sequence[int], first: str = "1") -> list[str]:
    """Return the steps of methods that halve the matches of each further order that has none."""
    steps, wanting = [], 0
    for p, total in zip(plain, totals, strict=True):
        wanting += p == 0
        steps.append(f"({first}/2^{wanting})/{max(1, total)}" if p == 0 else "")
    return steps
