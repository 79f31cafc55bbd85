"""NLTK's smoothings: the methods of ``SmoothingFunction``."""

from __future__ import annotations

import math
import sys
from abc import abstractmethod
from dataclasses import dataclass
from operator import truediv
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.built_in.paper.scoring import ByOrder, where
from bleukit.built_in.sacrebleu.smoothings import AddK, halved, halvings

from bleukit.plugin import Counts, CountsTable, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


class NltkMethod(ByOrder):
    """What all methods share: ``corpus_bleu`` scores 0 without a matching unigram, before it smooths."""

    def precisions(self, matches: Sequence[Any], totals: Sequence[Any], counts: Counts | CountsTable) -> list[Any]:
        """Return the precisions; NaN if there is no n-gram, which does not occur with NLTK's own counter."""
        defined = at_least_one(totals)
        smoothed = self.smooth(list(map(truediv, matches, defined)), defined, counts)
        is_zero = matches[0] == 0
        return [where(t == 0, math.nan, where(is_zero, 0.0, p)) for p, t in zip(smoothed, totals, strict=True)]

    def __call__(self, counts: Counts) -> Sequence[float]:
        """Return the precisions of a unit, without smoothing if no unigram matches."""
        if counts.matches[0]:
            return super().__call__(counts)
        return [0.0 if total else math.nan for total in counts.totals]

    def steps(self, counts: Counts) -> list[str]:
        """Return how each precision is computed; empty for the matches by the totals."""
        if not counts.matches[0]:
            return ["0, because no unigram matches" if match else "" for match in counts.matches]
        totals = at_least_one(counts.totals)
        return self.smoothing_steps(list(map(truediv, counts.matches, totals)), totals, counts)

    @abstractmethod
    def smooth(self, plain: list[Any], totals: list[Any], counts: Any) -> list[Any]:
        """Return the smoothed precisions of each order, numbers or columns; no total is below 1."""

    @abstractmethod
    def smoothing_steps(self, plain: list[float], totals: list[int], counts: Counts) -> list[str]:
        """Return how each is computed."""


def at_least_one(totals: Sequence[Any]) -> list[Any]:
    """Return totals with 1 in place of 0, as NLTK divides."""
    return [total + (total == 0) for total in totals]


@dataclass(frozen=True)
class Method0(NltkMethod):
    """``method0``: no smoothing, but a precision of 0 becomes 2.2e-308, the smallest normal float."""

    def smooth(self, plain: list[Any], totals: list[Any], counts: Any) -> list[Any]:
        return [where(p == 0, sys.float_info.min, p) for p in plain]

    def smoothing_steps(self, plain: list[float], totals: list[int], counts: Counts) -> list[str]:
        return ["" if p else f"{sys.float_info.min}, the smallest normal number, in place of 0" for p in plain]


@dataclass(frozen=True)
class Method1(NltkMethod):
    """``method1``: epsilon matches for an order that has none (Chen and Cherry 2014, technique 1)."""

    epsilon: float = 0.1

    def __post_init__(self) -> None:
        _require_positive(self.epsilon, "epsilon")

    def smooth(self, plain: list[Any], totals: list[Any], counts: Any) -> list[Any]:
        return [where(p == 0, self.epsilon / total, p) for p, total in zip(plain, totals, strict=True)]

    def smoothing_steps(self, plain: list[float], totals: list[int], counts: Counts) -> list[str]:
        return ["" if p else f"{self.epsilon:.6g}/{total}" for p, total in zip(plain, totals, strict=True)]


@dataclass(frozen=True)
class Method2(NltkMethod):
    """``method2``: one match and one n-gram more from order 2 on (Lin and Och 2004)."""

    def smooth(self, plain: list[Any], totals: list[Any], counts: Any) -> list[Any]:
        matches, _ = _by_order(counts)
        return [plain[0], *((match + 1) / (total + 1) for match, total in zip(matches[1:], totals[1:], strict=True))]

    def smoothing_steps(self, plain: list[float], totals: list[int], counts: Counts) -> list[str]:
        return AddK(k=1).steps(counts)


@dataclass(frozen=True)
class Method3(NltkMethod):
    """``method3``: 1/2, 1/4, … matches at the first, second, … order that has none (mteval-v13a)."""

    def smooth(self, plain: list[Any], totals: list[Any], counts: Any) -> list[Any]:
        return halved(plain, totals)

    def smoothing_steps(self, plain: list[float], totals: list[int], counts: Counts) -> list[str]:
        return halvings(plain, totals)


@dataclass(frozen=True)
class Method4(NltkMethod):
    """``method4``: as method 3, but fewer matches the shorter the hypothesis: times ln(length) / k."""

    k: float = 5.0

    def __post_init__(self) -> None:
        _require_positive(self.k, "k")

    def smooth(self, plain: list[Any], totals: list[Any], counts: Any) -> list[Any]:
        # A hypothesis of one token keeps precisions of 0, and the order then drops out of NLTK's mean: as a 1 would.
        return [where(p == 0, 1.0, p) for p in self.smooth_zeros(plain, totals, counts)]

    def smoothing_steps(self, plain: list[float], totals: list[int], counts: Counts) -> list[str]:
        if counts.hypothesis_length <= 1:
            return ["" if p else "1, in place of 0, which drops out of NLTK's mean" for p in plain]
        return halvings(plain, totals, f"ln({counts.hypothesis_length})/{self.k:.6g}")

    def smooth_zeros(self, plain: list[Any], totals: list[Any], counts: Any) -> list[Any]:
        """Smooth as NLTK does, which leaves the zeros of a hypothesis of one token."""
        return halved(plain, totals, _logarithm(counts.hypothesis_length) / self.k)


def _logarithm(length: Any) -> Any:
    """Return the logarithm of a length, or of each in a column; of 0, as of 1, it is 0."""
    if isinstance(length, int):
        return math.log(max(1, length))
    import numpy as np

    lengths, places = np.unique(length, return_inverse=True)
    return np.array([*map(_logarithm, lengths.tolist())])[places]


@dataclass(frozen=True)
class Method5(NltkMethod):
    """``method5``: the mean of the precisions of the order below (smoothed), the order itself, and the one above.

    The order above the highest one is order 5 of the last segment, whatever the weights. Precisions reach up to 4/3.
    """

    needs_last_segment: ClassVar[bool] = True

    def counted_order(self, max_order: int) -> int:
        return max(5, max_order)

    def smooth(self, plain: list[Any], totals: list[Any], counts: Any) -> list[Any]:
        return [(below + p + above) / 3 for below, p, above in self._neighbours(plain, counts)]

    def smoothing_steps(self, plain: list[float], totals: list[int], counts: Counts) -> list[str]:
        return [f"({' + '.join(f'{p:.6g}' for p in three)})/3" for three in self._neighbours(plain, counts)]

    def _neighbours(self, plain: list[Any], counts: Any) -> list[tuple[Any, Any, Any]]:
        """Return the three precisions of which it takes the mean, order by order."""
        matches, totals = _by_order(counts.last_segment)
        above_all = list(map(truediv, matches[4:5], at_least_one(totals[4:5]))) or [0.0]
        threes = []
        below = plain[0] + 1
        for p, above in zip(plain, [*plain[1:], *above_all], strict=True):
            threes.append((below, p, above))
            below = (below + p + above) / 3
        return threes


def _by_order(counts: Any) -> Any:
    """Return matches and totals of each order: numbers, or columns of them."""
    sides = counts.matches, counts.totals
    return sides if isinstance(counts, Counts) else [side.T for side in sides]


@dataclass(frozen=True)
class Method6(NltkMethod):
    """``method6``: from order 3 on, mixed with alpha parts of p(n-1)² / p(n-2) (Gao and He 2013).

    Divided by the n-grams of the last segment, even for a corpus, so that precisions may exceed 1.
    """

    alpha: float = 5.0
    needs_last_segment: ClassVar[bool] = True
    batch = None  # type: ignore[assignment]  # it refuses some units, one by one

    def __post_init__(self) -> None:
        _require_positive(self.alpha, "alpha")

    def smooth(self, plain: list[float], totals: list[int], counts: Counts) -> list[float]:
        if len(plain) < 3:
            raise InputError(f"needs at least three weights, because it smooths from order 3 on; got {len(plain)}")
        if not plain[2]:
            raise InputError("needs a matching trigram to extrapolate from; there is none")
        return [
            *plain[:2],
            *((match + self.alpha * prior) / (n + self.alpha) for match, prior, n in self._mixed(plain, counts)),
        ]

    def smoothing_steps(self, plain: list[float], totals: list[int], counts: Counts) -> list[str]:
        alpha = f"{self.alpha:.6g}"
        mixed = self._mixed(plain, counts)
        return ["", "", *(f"({match} + {alpha} × {prior:.6g})/({n} + {alpha})" for match, prior, n in mixed)]

    def _mixed(self, plain: list[float], counts: Counts) -> list[tuple[int, float, int]]:
        """Return, from order 3 on, the matches, what is expected of the orders below, and the number of n-grams."""
        length = counts.last_segment.hypothesis_length
        smoothed, mixed = plain[:2], []
        for index in range(2, len(plain)):
            prior = smoothed[index - 1] ** 2 / smoothed[index - 2] if smoothed[index - 2] else 0.0
            mixed.append((counts.matches[index], prior, max(0, length - index)))
            smoothed.append((counts.matches[index] + self.alpha * prior) / (mixed[-1][2] + self.alpha))
        return mixed


@dataclass(frozen=True)
class Method7(Method4):
    """``method7``: method 4, then method 5 on its precisions."""

    needs_last_segment: ClassVar[bool] = True

    def counted_order(self, max_order: int) -> int:
        return Method5().counted_order(max_order)

    def smooth(self, plain: list[Any], totals: list[Any], counts: Any) -> list[Any]:
        return Method5().smooth(self.smooth_zeros(plain, totals, counts), totals, counts)

    def smoothing_steps(self, plain: list[float], totals: list[int], counts: Counts) -> list[str]:
        return Method5().smoothing_steps(self.smooth_zeros(plain, totals, counts), totals, counts)


def _require_positive(value: float, name: str) -> None:
    if not 0 < value < math.inf:
        raise ValueError(f"{name} must be a finite number above 0, got {value}")
