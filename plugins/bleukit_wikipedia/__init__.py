"""BLEU as Wikipedia's article defines it, after Papineni et al. 2002: https://en.wikipedia.org/wiki/BLEU."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bleukit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bleukit import Counts, CountsTable

try:
    from bleukit_wikipedia import _compiled
except ImportError:  # it was built without a compiler
    _compiled = None  # type: ignore[assignment]


def whitespace(text: str) -> list[str]:
    """Split at runs of whitespace, as ``str.split`` knows it."""
    return text.split()


def characters(text: str) -> list[str]:
    """Make every character that is not whitespace a token."""
    return list("".join(text.split()))


def clipped(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int
) -> tuple[list[int], list[int]]:
    """Count each n-gram of the hypothesis, at most as often as it occurs in any single reference.

    Article, "Modified n-gram precision": min(C(s, ŷ), max over y of C(s, y)), summed over the distinct n-grams s of ŷ.
    """
    counts = ngrams(hypothesis, max_order)
    most: dict[tuple[str, ...], int] = {}
    for reference in references:
        in_reference = ngrams(reference, max_order)
        for ngram in counts.keys() & in_reference.keys():
            most[ngram] = max(most.get(ngram, 0), in_reference[ngram])
    return _by_order(((ngram, min(counts[ngram], many)) for ngram, many in most.items()), hypothesis, max_order)


def unclipped(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int
) -> tuple[list[int], list[int]]:
    """Count each n-gram of the hypothesis as often as it occurs there, if any reference holds it.

    Article, "Algorithm": the plain precision m/w_t of the first step, 7/7 for "the the the the the the the".
    """
    counts = ngrams(hypothesis, max_order)
    known = set().union(*(ngrams(reference, max_order) for reference in references))
    return _by_order(((ngram, counts[ngram]) for ngram in counts.keys() & known), hypothesis, max_order)


def ngrams(tokens: Sequence[str], max_order: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of all orders up to ``max_order``."""
    highest = min(max_order, len(tokens))
    shifted = [tokens[start:] for start in range(highest)]
    return Counter(chain.from_iterable(zip(*shifted[:order]) for order in range(1, highest + 1)))  # noqa: B905


def _by_order(
    matched: Iterable[tuple[tuple[str, ...], int]], hypothesis: Sequence[str], max_order: int
) -> tuple[list[int], list[int]]:
    matches = [0] * max_order
    for ngram, times in matched:
        matches[len(ngram) - 1] += times
    return matches, [max(0, len(hypothesis) - order) for order in range(max_order)]


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


@dataclass(frozen=True)
class Unsmoothed:
    """Matches / totals; NaN where the order has no n-gram (0/0)."""

    def __call__(self, counts: Counts) -> list[float]:
        return [m / t if t else math.nan for m, t in zip(counts.matches, counts.totals, strict=True)]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        with np.errstate(invalid="ignore"):
            return np.true_divide(counts.matches, counts.totals)


def compiled_too(component: Callable[..., Any]) -> Callable[[], Any]:
    """Return the factory of a component, with the compiled function of the same name as its batch method."""
    made = bleukit.Compiled(component, getattr(_compiled, component.__name__)) if _compiled else component
    return lambda: made


@bleukit.hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"whitespace": compiled_too(whitespace), "char": compiled_too(characters)}


@bleukit.hookimpl
def bleukit_ngram_counters() -> dict[str, Any]:
    return {"clipped": compiled_too(clipped), "unclipped": compiled_too(unclipped)}


@bleukit.hookimpl
def bleukit_reference_lengths() -> dict[str, Any]:
    return {policy.__name__: compiled_too(policy) for policy in (closest, shortest, average, longest)}


@bleukit.hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"none": Unsmoothed}


@bleukit.hookimpl
def bleukit_variants() -> list[Path]:
    return sorted(Path(__file__).parent.glob("*.yaml"))
