"""The counts of the article: clipped, and plain."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from bleukit.plugin import CountsByOrder, PairCountsByOrder, ngrams

if TYPE_CHECKING:
    from collections.abc import Sequence


class Clipped:
    """Count each n-gram of the hypothesis, at most as often as it occurs in any single reference.

    Article, "Modified n-gram precision": min(C(s, ŷ), max over y of C(s, y)), summed over the distinct n-grams s of ŷ.
    """

    clipped: ClassVar[bool] = True
    least_total: ClassVar[int] = 0
    symmetric: ClassVar[bool] = True

    def __call__(
        self, hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int
    ) -> tuple[list[int], list[int]]:
        return ngrams.count(hypothesis, references, max_order, clip=self.clipped, least_total=self.least_total)

    @property
    def batch(self) -> ngrams.CountBatch:
        return ngrams.CountBatch(self.clipped, self.least_total)

    def pairs(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], max_order: int
    ) -> tuple[PairCountsByOrder, CountsByOrder]:
        return ngrams.count_pairs(hypotheses, references, max_order, clip=self.clipped, least_total=self.least_total)

    def others(self, texts: Sequence[Sequence[str]], max_order: int) -> tuple[CountsByOrder, CountsByOrder]:
        return ngrams.count_others(texts, max_order, clip=self.clipped, least_total=self.least_total)


class Unclipped(Clipped):
    """Count each n-gram of the hypothesis as often as it occurs there, if any reference has it.

    Article, "Algorithm": the plain precision m/w_t of the first step, 7/7 for "the the the the the the the".
    """

    clipped = False
    symmetric = False
