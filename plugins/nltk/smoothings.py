"""NLTK's smoothings: the methods of ``SmoothingFunction``."""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from bleukit.built_in.sacrebleu.smoothings import AddK, halved, halved_rows, halvings

from bleukit.plugin import Counts, CountsTable, InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.float64]  # a number for each unit and order


class NltkMethod(ABC):
    """What all methods share: ``corpus_bleu`` scores 0 without a matching unigram, before it smooths."""

    ignores_reference_length: ClassVar[bool] = True

    def __call__(self, counts: Counts) -> list[float]:
        """Return the precisions; NaN if there is no n-gram, which does not occur with NLTK's own counter."""
        if counts.matches[0]:
            plain = [match / max(1, total) for match, total in zip(counts.matches, counts.totals, strict=True)]
            smoothed = self.smooth(plain, counts)
        else:
            smoothed = [0.0] * len(counts.matches)
        return [p if total else math.nan for p, total in zip(smoothed, counts.totals, strict=True)]

    def steps(self, counts: Counts) -> list[str]:
        """Return how each precision is computed; empty for the matches by the totals."""
        if not counts.matches[0]:
            return ["0, because no unigram matches" if match else "" for match in counts.matches]
        plain = [match / max(1, total) for match, total in zip(counts.matches, counts.totals, strict=True)]
        return self.smoothing_steps(plain, counts)

    @abstractmethod
    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        """Return the smoothed precisions."""

    @abstractmethod
    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        """Return how each is computed."""


class NltkMethodOfRows(NltkMethod):
    """A method that also smooths many units at once."""

    def batch(self, counts: CountsTable) -> Rows:
        """Return the precisions of each unit; see :class:`NltkMethod`."""
        import numpy as np

        matches, totals = counts.matches, np.maximum(counts.totals, 1)
        smoothed = self.smooth_rows(matches / totals, totals, counts)
        smoothed[matches[:, 0] == 0] = 0
        smoothed[np.equal(counts.totals, 0)] = math.nan
        return smoothed

    @abstractmethod
    def smooth_rows(self, plain: Rows, totals: NDArray[np.int64], counts: CountsTable) -> Rows:
        """Return the smoothed precisions of each unit; no total is below 1."""


@dataclass(frozen=True)
class Method0(NltkMethodOfRows):
    """``method0``: no smoothing, but a precision of 0 becomes 2.2e-308, the smallest normal float."""

    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        return [p or sys.float_info.min for p in plain]

    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        return ["" if p else f"{sys.float_info.min}, the smallest normal number, in place of 0" for p in plain]

    def smooth_rows(self, plain: Rows, totals: NDArray[np.int64], counts: CountsTable) -> Rows:
        plain[plain == 0] = sys.float_info.min
        return plain


@dataclass(frozen=True)
class Method1(NltkMethodOfRows):
    """``method1``: epsilon matches for an order that has none (Chen and Cherry 2014, technique 1)."""

    epsilon: float = 0.1

    def __post_init__(self) -> None:
        _require_positive(epsilon=self.epsilon)

    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        return [p or self.epsilon / max(1, total) for p, total in zip(plain, counts.totals, strict=True)]

    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        totals = zip(plain, counts.totals, strict=True)
        return ["" if p else f"{self.epsilon:.6g}/{max(1, total)}" for p, total in totals]

    def smooth_rows(self, plain: Rows, totals: NDArray[np.int64], counts: CountsTable) -> Rows:
        import numpy as np

        return np.where(plain == 0, self.epsilon / totals, plain)


@dataclass(frozen=True)
class Method2(NltkMethodOfRows):
    """``method2``: one match and one n-gram more from order 2 on (Lin and Och 2004)."""

    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        return AddK(k=1)(counts)

    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        return AddK(k=1).steps(counts)

    def smooth_rows(self, plain: Rows, totals: NDArray[np.int64], counts: CountsTable) -> Rows:
        plain[:, 1:] = ((counts.matches + 1) / (counts.totals + 1))[:, 1:]
        return plain


@dataclass(frozen=True)
class Method3(NltkMethodOfRows):
    """``method3``: 1/2, 1/4, … matches at the first, second, … order that has none (mteval-v13a)."""

    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        return halved(plain, counts.totals)

    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        return halvings(plain, counts.totals)

    def smooth_rows(self, plain: Rows, totals: NDArray[np.int64], counts: CountsTable) -> Rows:
        import numpy as np

        return halved_rows(plain, plain == 0, totals, np.ones(len(plain)))


@dataclass(frozen=True)
class Method4(NltkMethodOfRows):
    """``method4``: as method 3, but fewer matches the shorter the hypothesis: times ln(length) / k."""

    k: float = 5.0

    def __post_init__(self) -> None:
        _require_positive(k=self.k)

    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        # A hypothesis of one token keeps precisions of 0, and the order then drops out of NLTK's mean: as a 1 would.
        return [p or 1.0 for p in self.smooth_zeros(plain, counts)]

    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        if counts.hypothesis_length <= 1:
            return ["" if p else "1, in place of 0, which drops out of NLTK's mean" for p in plain]
        return halvings(plain, counts.totals, f"ln({counts.hypothesis_length})/{self.k:.6g}")

    def smooth_rows(self, plain: Rows, totals: NDArray[np.int64], counts: CountsTable) -> Rows:
        smoothed = self.smooth_zeros_of_rows(plain, totals, counts)
        smoothed[smoothed == 0] = 1
        return smoothed

    def smooth_zeros(self, plain: list[float], counts: Counts) -> list[float]:
        """Smooth as NLTK does, which leaves the zeros of a hypothesis of one token."""
        if counts.hypothesis_length <= 1:
            return plain
        return halved(plain, counts.totals, math.log(counts.hypothesis_length) / self.k)

    def smooth_zeros_of_rows(self, plain: Rows, totals: NDArray[np.int64], counts: CountsTable) -> Rows:
        """Smooth each unit as :meth:`smooth_zeros` does."""
        import numpy as np

        lengths = counts.hypothesis_length.tolist()
        matches = np.array([math.log(length) / self.k if length > 1 else 0.0 for length in lengths])
        return halved_rows(plain, plain == 0, totals, matches)


@dataclass(frozen=True)
class Method5(NltkMethodOfRows):
    """``method5``: the mean of the precisions of the order below (smoothed), the order itself, and the one above.

    The order above the highest one is order 5 of the last segment, whatever the weights. Precisions reach up to 4/3.
    """

    def counted_order(self, max_order: int) -> int:
        return max(5, max_order)

    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        return [(below + p + above) / 3 for below, p, above in self._neighbours(plain, counts)]

    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        return [f"({' + '.join(f'{p:.6g}' for p in three)})/3" for three in self._neighbours(plain, counts)]

    def smooth_rows(self, plain: Rows, totals: NDArray[np.int64], counts: CountsTable) -> Rows:
        import numpy as np

        last = counts.last_segment or counts
        above_all = np.zeros(len(plain))
        if last.matches.shape[1] > 4:
            above_all = last.matches[:, 4] / np.maximum(last.totals[:, 4], 1)
        return np.column_stack([(below + p + above) / 3 for below, p, above in _threes(plain.T, above_all)])

    def _neighbours(self, plain: list[float], counts: Counts) -> list[tuple[float, float, float]]:
        last = counts.last_segment or counts
        return _threes(plain, last.matches[4] / max(1, last.totals[4]) if len(last.matches) > 4 else 0.0)


def _threes(plain: Any, above_all: Any) -> list[tuple[Any, Any, Any]]:
    """Return the three precisions of which method 5 takes the mean, order by order: numbers, or one for each unit."""
    threes = []
    below = plain[0] + 1
    for p, above in zip(plain, [*plain[1:], above_all], strict=True):
        threes.append((below, p, above))
        below = (below + p + above) / 3
    return threes


@dataclass(frozen=True)
class Method6(NltkMethod):
    """``method6``: from order 3 on, mixed with alpha parts of p(n-1)² / p(n-2) (Gao and He 2013).

    Divided by the n-grams of the last segment, even for a corpus, so that precisions may exceed 1.
    """

    alpha: float = 5.0

    def __post_init__(self) -> None:
        _require_positive(alpha=self.alpha)

    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        if len(plain) < 3:
            raise InputError(f"needs at least three weights, because it smooths from order 3 on; got {len(plain)}")
        if not plain[2]:
            raise InputError("needs a matching trigram to extrapolate from; there is none")
        return [
            *plain[:2],
            *((match + self.alpha * prior) / (n + self.alpha) for match, prior, n in self._mixed(plain, counts)),
        ]

    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        alpha = f"{self.alpha:.6g}"
        mixed = self._mixed(plain, counts)
        return ["", "", *(f"({match} + {alpha} × {prior:.6g})/({n} + {alpha})" for match, prior, n in mixed)]

    def _mixed(self, plain: list[float], counts: Counts) -> list[tuple[int, float, int]]:
        """Return, from order 3 on, the matches, what is expected of the orders below, and the number of n-grams."""
        length = (counts.last_segment or counts).hypothesis_length
        smoothed, mixed = plain[:2], []
        for index in range(2, len(plain)):
            prior = smoothed[index - 1] ** 2 / smoothed[index - 2] if smoothed[index - 2] else 0.0
            mixed.append((counts.matches[index], prior, max(0, length - index)))
            smoothed.append((counts.matches[index] + self.alpha * prior) / (mixed[-1][2] + self.alpha))
        return mixed


@dataclass(frozen=True)
class Method7(NltkMethodOfRows):
    """``method7``: method 4, then method 5 on its precisions."""

    k: float = 5.0

    def __post_init__(self) -> None:
        _require_positive(k=self.k)

    def counted_order(self, max_order: int) -> int:
        return Method5().counted_order(max_order)

    def smooth(self, plain: list[float], counts: Counts) -> list[float]:
        return Method5().smooth(Method4(self.k).smooth_zeros(plain, counts), counts)

    def smooth_rows(self, plain: Rows, totals: NDArray[np.int64], counts: CountsTable) -> Rows:
        return Method5().smooth_rows(Method4(self.k).smooth_zeros_of_rows(plain, totals, counts), totals, counts)

    def smoothing_steps(self, plain: list[float], counts: Counts) -> list[str]:
        return Method5().smoothing_steps(Method4(self.k).smooth_zeros(plain, counts), counts)


def _require_positive(**options: float) -> None:
    for name, value in options.items():
        if not 0 < value < math.inf:
            raise ValueError(f"{name} must be a finite number above 0, got {value}")
