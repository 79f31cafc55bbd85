"""The components of BLEU as Papineni et al. 2002 define them, after https://en.wikipedia.org/wiki/BLEU."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.plugin import (
    Apart,
    CompiledModule,
    Counts,
    CountsByOrder,
    CountsTable,
    PairCountsByOrder,
    RuleTokenizer,
    hookimpl,
    ngrams,
    promises,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

_reference_lengths = CompiledModule("bleukit.built_in.paper.reference_lengths_compiled")
_scoring = CompiledModule("bleukit.built_in.paper.scoring_compiled")

FLOATS_ARE_EXACT = 2**53
"""Options from here on are left to Python, whose integers are exact."""


WHITESPACE = RuleTokenizer(doc="Splits at runs of whitespace, as ``str.split`` knows it.")

CHARACTERS = RuleTokenizer((Apart(r"\S"),), doc="Makes every character that is not whitespace a token.")


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


@promises(order_independent=True)
def closest(hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the reference length closest to the hypothesis; of two equally close, the shorter.

    Article, "Brevity penalty". It leaves ties open; the shorter is what NLTK, sacreBLEU and mteval-v13a take.
    """
    return min(reference_lengths, key=lambda length: (abs(length - hypothesis_length), length))


@promises(order_independent=True)
def shortest(hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the shortest reference length, as NIST evaluations did before 2009 (article, "Algorithm")."""
    return min(reference_lengths)


@promises(order_independent=True)
def longest(hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the longest reference length."""
    return max(reference_lengths)


@promises(order_independent=True)
def average(hypothesis_length: int, reference_lengths: Sequence[int]) -> float:
    """Return the mean reference length."""
    return sum(reference_lengths) / len(reference_lengths)


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
        for name, added in vars(self).items():
            if not 0 <= added < math.inf:
                raise ValueError(f"{name} must be a finite number of at least 0, got {added}")

    def __call__(self, hypothesis_length: int, reference_length: float) -> float:
        c, r = hypothesis_length + self.added_to_hypothesis, reference_length + self.added_to_reference
        if c == 0:
            return 0.0
        return 1.0 if c >= r else math.exp(1 - r / c)

    @property
    def batch(self) -> Callable[[NDArray[np.int64], NDArray[np.float64]], NDArray[np.float64]] | None:
        options = self.added_to_hypothesis, self.added_to_reference
        return _scoring.module.added_lengths(*options) if _scoring.module and max(options) < FLOATS_ARE_EXACT else None

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


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"whitespace": lambda: WHITESPACE, "char": lambda: CHARACTERS}


@hookimpl
def bleukit_ngram_counters() -> dict[str, Any]:
    return {"clipped": Clipped, "unclipped": Unclipped}


@hookimpl
def bleukit_reference_lengths() -> dict[str, Any]:
    return {
        "closest": lambda: _reference_lengths.twin(closest),
        "shortest": lambda: _reference_lengths.twin(shortest),
        "longest": lambda: _reference_lengths.twin(longest),
        "average": lambda: _reference_lengths.twin(average),
    }


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"none": Unsmoothed}


@hookimpl
def bleukit_brevity_penalties() -> dict[str, Any]:
    return {"standard": lambda: AddedLengths(0, 0), "added-lengths": AddedLengths, "none": NoPenalty}
