"""From counts to the score: no smoothing, and the brevity penalties."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.plugin import CompiledModule, Counts, CountsTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

_scoring = CompiledModule("bleukit.built_in.paper.scoring_compiled")


def require_not_negative(**options: float) -> None:
    """Raise ValueError for an option that is negative, or not finite."""
    for name, value in options.items():
        if not 0 <= value < math.inf:
            raise ValueError(f"{name} must be a finite number of at least 0, got {value}")


def where(condition: Any, one: Any, other: Any) -> Any:
    """Return one of two values: for a column of conditions, row by row."""
    if condition is True or condition is False:
        return one if condition else other
    import numpy as np

    return np.where(condition, one, other)


def divide(matches: Any, totals: Any) -> Any:
    """Return matches / totals, and NaN for 0/0: numbers, or columns of them."""
    is_undefined = totals == 0
    return where(is_undefined, math.nan, matches / (totals + is_undefined))


class ByOrder(ABC):
    """A smoothing with one definition for a unit and for many: each order has numbers, or a column of them."""

    ignores_reference_length: ClassVar[bool] = True

    @abstractmethod
    def precisions(self, matches: Sequence[Any], totals: Sequence[Any], counts: Counts | CountsTable) -> Sequence[Any]:
        """Return the precisions of each order, given its matches and totals in ``counts``."""

    def __call__(self, counts: Counts) -> Sequence[float]:
        """Return the precisions of a unit."""
        return self.precisions(counts.matches, counts.totals, counts)

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        """Return the precisions of many units."""
        import numpy as np

        return np.column_stack(self.precisions([*counts.matches.T], [*counts.totals.T], counts))


class Unsmoothed:
    """Matches / totals; NaN if the order has no n-gram (0/0)."""

    ignores_reference_length: ClassVar[bool] = True

    def __call__(self, counts: Counts) -> list[float]:
        return [m / t if t else math.nan for m, t in zip(counts.matches, counts.totals, strict=True)]

    @property
    def batch(self) -> Callable[[CountsTable], NDArray[np.float64]] | None:
        return getattr(_scoring.module, "UNSMOOTHED", None)


@dataclass(frozen=True)
class AddedLengths:
    """The brevity penalty of Papineni et al. 2002, section 2.3; its options add constants to the two lengths.

    exp(min(0, 1 - (r + added_to_reference)/(c + added_to_hypothesis))), and 0 if c + added_to_hypothesis is 0.
    """

    added_to_hypothesis: float
    added_to_reference: float

    def __post_init__(self) -> None:
        require_not_negative(**vars(self))

    def __call__(self, hypothesis_length: int, reference_length: float) -> float:
        c, r = hypothesis_length + self.added_to_hypothesis, reference_length + self.added_to_reference
        if c == 0:
            return 0.0
        return 1.0 if c >= r else math.exp(1 - r / c)

    @property
    def batch(self) -> Callable[[NDArray[np.int64], NDArray[np.float64]], NDArray[np.float64]] | None:
        options = self.added_to_hypothesis, self.added_to_reference
        return _scoring.module.added_lengths(*options) if _scoring.module else None

    def steps(self, hypothesis_length: int, reference_length: float) -> str:
        c, r = hypothesis_length + self.added_to_hypothesis, reference_length + self.added_to_reference
        left, right = (
            f"({name} + {added:g})" if added else name
            for name, added in (("c", self.added_to_hypothesis), ("r", self.added_to_reference))
        )
        if c == 0:
            return f"0, because {left} = 0"
        if c >= r:
            return f"1, because {left} = {c:.6g} ≥ {right} = {r:.6g}"
        return f"exp(1 - {right}/{left}) = exp(1 - {r:.6g}/{c:.6g})"


STANDARD = AddedLengths(0, 0)


class NoPenalty:
    """1 for all lengths."""

    def __call__(self, hypothesis_length: int, reference_length: float) -> float:
        return 1.0

    def batch(
        self, hypothesis_lengths: NDArray[np.int64], reference_lengths: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        import numpy as np

        return np.ones(len(hypothesis_lengths))

    def steps(self, hypothesis_length: int, reference_length: float) -> str:
        return "1, because the variant has no brevity penalty"
