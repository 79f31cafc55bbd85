"""The tokenizer and the smoothing of Hugging Face's evaluate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, ClassVar

from bleukit.built_in.paper.scoring import require_not_negative
from bleukit.built_in.sacrebleu.tokenizers import MARKS, RULES_13A, replace_marks_of_mteval

from bleukit.plugin import RuleTokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.plugin import Counts, CountsTable


TOKENIZER_13A = RuleTokenizer(
    RULES_13A,
    surrounded=True,
    prepare=replace_marks_of_mteval,
    marks=MARKS,
    doc="""
    13a without sacreBLEU's first step, which strips the end of a text: a hyphen before a final newline is removed.
    """,
)


@dataclass(frozen=True)
class AddOne:
    """``smooth=True``: adds 1 to matches and totals at every order (``first`` at order 1), so that 0/0 becomes 1.

    Lin and Och (2004) add nothing at order 1. Unlike sacreBLEU's ``add-k`` it smooths even if no order has a match.
    """

    first: float = 1.0
    ignores_reference_length: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require_not_negative(first=self.first)

    def __call__(self, counts: Counts) -> list[float]:
        return [(m + k) / (t + k) if t + k else math.nan for m, t, k in self._sums(counts)]

    def steps(self, counts: Counts) -> list[str]:
        return [f"({m} + {k:.6g})/({t} + {k:.6g})" if k else "" for m, t, k in self._sums(counts)]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        added = np.ones(counts.matches.shape[1])
        added[0] = self.first
        with np.errstate(invalid="ignore"):
            precisions: NDArray[np.float64] = (counts.matches + added) / (counts.totals + added)
        return precisions

    def _sums(self, counts: Counts) -> Iterator[tuple[int, int, float]]:
        """Return the matches, the totals and what is added to both."""
        return zip(counts.matches, counts.totals, chain([self.first], repeat(1.0)), strict=False)
