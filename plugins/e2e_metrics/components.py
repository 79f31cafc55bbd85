"""The tokenizer, counter and smoothing of the E2E challenge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from bleukit.built_in.evaluate.components import TOKENIZER_13A
from bleukit.built_in.paper.counters import Clipped
from bleukit.built_in.paper.scoring import require_not_negative

from bleukit.plugin import Counts, CountsTable, LowercasingTokenizer, lowered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TINY = 1e-15

SMALL = 1e-9


class Tokenizer(LowercasingTokenizer):
    """``NGramScore.tokenize``: 13a, but an empty text is one empty token. It lowercases tokens."""

    def tokens(self, text: str, lowercase: bool | str) -> list[str]:
        return [lowered(token, lowercase) for token in TOKENIZER_13A(text)] or [""]


@dataclass(frozen=True)
class Counter(Clipped):
    """Clipped n-grams; the total of a segment is its length - n + 1, even if that is below 0."""

    least_total: ClassVar[int] = -100  # which is below that of any order


@dataclass(frozen=True)
class Guarded:
    """Adds ``added`` to matches and totals at every order; matches are at least 1e-15, and totals at least 1e-9.

    ``BLEUScore.ngram_precision``: totals may be below 0.
    """

    added: float = 0.0
    takes_totals_below_zero: ClassVar[bool] = True
    ignores_reference_length: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require_not_negative(added=self.added)

    def __call__(self, counts: Counts) -> list[float]:
        sums = zip(counts.matches, counts.totals, strict=True)
        return [max(m + self.added, TINY) / max(t + self.added, SMALL) for m, t in sums]

    def steps(self, counts: Counts) -> list[str]:
        more = f" + {self.added:.6g}" if self.added else ""
        return [
            f"{self._written(m, more, TINY)}/{self._written(t, more, SMALL)}" if more or m <= 0 or t <= 0 else ""
            for m, t in zip(counts.matches, counts.totals, strict=True)
        ]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        matches = np.maximum(counts.matches + self.added, TINY)
        precisions: NDArray[np.float64] = matches / np.maximum(counts.totals + self.added, SMALL)
        return precisions

    def _written(self, count: int, more: str, least: float) -> str:
        if count + self.added < least:
            return f"{least}"
        return f"({count}{more})" if more else f"{count}"
