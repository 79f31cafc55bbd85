"""The tokenizer and the smoothing of Hugging Face's evaluate."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from bleukit.built_in.paper.scoring import ByOrder, divide, require_not_negative
from bleukit.built_in.sacrebleu.tokenizers import MARKS, RULES_13A, replace_marks_of_mteval

from bleukit.plugin import RuleTokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.plugin import Counts


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
class AddOne(ByOrder):
    """``smooth=True``: adds 1 to matches and totals at every order (``first`` at order 1), so that 0/0 becomes 1.

    Lin and Och (2004) add nothing at order 1. Unlike sacreBLEU's ``add-k`` it smooths even if no order has a match.
    """

    first: float = 1.0

    def __post_init__(self) -> None:
        require_not_negative(first=self.first)

    def precisions(self, matches: Sequence[Any], totals: Sequence[Any], _: object) -> list[Any]:
        return [divide(m + k, t + k) for m, t, k in self._sums(matches, totals)]

    def steps(self, counts: Counts) -> list[str]:
        sums = self._sums(counts.matches, counts.totals)
        return [f"({m} + {k:.6g})/({t} + {k:.6g})" if k else "" for m, t, k in sums]

    def _sums(self, matches: Sequence[Any], totals: Sequence[Any]) -> Iterator[tuple[Any, Any, float]]:
        """Return the matches, the totals and what is added to both."""
        return zip(matches, totals, chain([self.first], repeat(1.0)), strict=False)
