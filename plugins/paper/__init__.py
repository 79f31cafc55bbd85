"""The components of BLEU as Papineni et al. 2002 define them, after https://en.wikipedia.org/wiki/BLEU."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.plugin import (
    CompiledModule,
    Counts,
    CountsByOrder,
    CountsTable,
    PairCountsByOrder,
    declares,
    hookimpl,
    ngrams,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

_tokenizers = CompiledModule("bleukit.built_in.paper.tokenizers_compiled")
_reference_lengths = CompiledModule("bleukit.built_in.paper.reference_lengths_compiled")


@declares(reads_packed=True)
def whitespace(text: str) -> list[str]:
    """Split at runs of whitespace, as ``str.split`` knows it."""
    return text.split()


@declares(reads_packed=True)
def characters(text: str) -> list[str]:
    """Make every character that is not whitespace a token."""
    return list("".join(text.split()))


WHITESPACE = _tokenizers.twin(whitespace)
CHARACTERS = _tokenizers.twin(characters)


class Clipped:
    """Count each n-gram of the hypothesis, at most as often as it occurs in any single reference.

    Article, "Modified n-gram precision": min(C(s, ŷ), max over y of C(s, y)), summed over the distinct n-grams s of ŷ.
    """

    clips: ClassVar[bool] = True
    least_total: ClassVar[int] = 0
    symmetric: ClassVar[bool] = True

    def __call__(
        self, hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int
    ) -> tuple[list[int], list[int]]:
        return ngrams.count(hypothesis, references, max_order, clip=self.clips, least_total=self.least_total)

    def batch(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], max_order: int
    ) -> tuple[CountsByOrder, CountsByOrder]:
        return ngrams.count_batch(hypotheses, references, max_order, clip=self.clips, least_total=self.least_total)

    def pairs(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], max_order: int
    ) -> tuple[PairCountsByOrder, CountsByOrder]:
        return ngrams.count_pairs(hypotheses, references, max_order, clip=self.clips, least_total=self.least_total)

    def others(self, texts: Sequence[Sequence[str]], max_order: int) -> tuple[CountsByOrder, CountsByOrder]:
        return ngrams.count_others(texts, max_order, clip=self.clips, least_total=self.least_total)


class Unclipped(Clipped):
    """Count each n-gram of the hypothesis as often as it occurs there, if any reference has it.

    Article, "Algorithm": the plain precision m/w_t of the first step, 7/7 for "the the the the the the the".
    """

    clips = False
    symmetric = False


def closest(hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the reference length closest to the hypothesis; of two equally close, the shorter.

    Article, "Brevity penalty". It leaves ties open; the shorter is what NLTK, sacreBLEU and mteval-v13a take.
    """
    return min(reference_lengths, key=lambda length: (abs(length - hypothesis_length), length))


def shortest(hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the shortest reference length, as NIST evaluations did before 2009 (article, "Algorithm")."""
    return min(reference_lengths)


def longest(hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the longest reference length."""
    return max(reference_lengths)


def average(hypothesis_length: int, reference_lengths: Sequence[int]) -> float:
    """Return the mean reference length."""
    return sum(reference_lengths) / len(reference_lengths)


class Unsmoothed:
    """Matches / totals; NaN if the order has no n-gram (0/0)."""

    grows_with_matches: ClassVar[bool] = True
    ignores_reference_length: ClassVar[bool] = True

    def __call__(self, counts: Counts) -> list[float]:
        return [m / t if t else math.nan for m, t in zip(counts.matches, counts.totals, strict=True)]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        with np.errstate(invalid="ignore"):
            return np.true_divide(counts.matches, counts.totals)


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
