"""The n-gram kernel: matches and totals of tokens, exact, for one segment or many.

Plugins that change what is counted, not how, call these functions::

    def __call__(self, hypothesis, references, max_order):
        return ngrams.count(hypothesis, references, max_order, least_total=1)

    batch = ngrams.CountBatch(least_total=1)

    def pairs(self, hypotheses, references, max_order):
        return ngrams.count_pairs(hypotheses, references, max_order, least_total=1)

``count_batch``, ``count_pairs``, ``count_others`` and ``shared`` are compiled if a C compiler was available at
installation.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bleukit.framework.compiled import CompiledModule

if TYPE_CHECKING:
    from collections.abc import Sequence

_compiled = CompiledModule("bleukit.bleu.ngrams_compiled")

CountsByOrder: TypeAlias = "Sequence[Sequence[int]] | memoryview"
"""Whole numbers of two dimensions."""

PairCountsByOrder: TypeAlias = "Sequence[Sequence[Sequence[int]]] | memoryview"
"""Whole numbers of three dimensions."""


def ngrams(tokens: Sequence[str], max_order: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of all orders up to ``max_order``."""
    highest = min(max_order, len(tokens))
    shifted = [tokens[start:] for start in range(highest)]
    return Counter(chain.from_iterable(zip(*shifted[:order]) for order in range(1, highest + 1)))  # noqa: B905


def count(
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    max_order: int,
    *,
    clip: bool = True,
    least_total: int = 0,
) -> tuple[list[int], list[int]]:
    """Return the matches and the totals of one segment, each of max_order numbers, order 1 first.

    An n-gram of the hypothesis matches at most as often as it occurs in the reference that has most of it (Papineni et
    al. 2002, section 2.1); without ``clip``, as often as it occurs in the hypothesis, if any reference has it. A total
    is the number of n-grams in the hypothesis, but at least ``least_total``.
    """
    counts = ngrams(hypothesis, max_order)
    most: dict[tuple[str, ...], int] = {}
    for reference in references:
        in_reference = ngrams(reference, max_order)
        for ngram in counts.keys() & in_reference.keys():
            most[ngram] = max(most.get(ngram, 0), in_reference[ngram])
    matches = [0] * max_order
    for ngram, in_references in most.items():
        matches[len(ngram) - 1] += min(counts[ngram], in_references) if clip else counts[ngram]
    return matches, [max(least_total, len(hypothesis) - order) for order in range(max_order)]


@_compiled.replaces
def count_batch(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    max_order: int,
    *,
    clip: bool = True,
    least_total: int = 0,
) -> tuple[CountsByOrder, CountsByOrder]:
    """Return what :func:`count` returns for each segment, as two tables of shape (segments, max_order)."""
    pairs = zip(hypotheses, references, strict=True)
    counted = [count(*pair, max_order, clip=clip, least_total=least_total) for pair in pairs]
    return [matches for matches, _ in counted], [totals for _, totals in counted]


class CountBatch(NamedTuple):
    """A batch method that is :func:`count_batch` with these options, which shorter ways can read."""

    clip: bool = True
    least_total: int = 0

    def __call__(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], max_order: int
    ) -> tuple[CountsByOrder, CountsByOrder]:
        """Count segments."""
        return count_batch(hypotheses, references, max_order, clip=self.clip, least_total=self.least_total)


@_compiled.replaces
def count_pairs(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    max_order: int,
    *,
    clip: bool = True,
    least_total: int = 0,
) -> tuple[PairCountsByOrder, CountsByOrder]:
    """Return what :func:`count` returns for every hypothesis with every single reference.

    Matches are of shape (max_order, hypotheses, references), totals of shape (max_order, hypotheses). If both arguments
    are the same object, and ``clip`` is true, each pair is counted once for both directions.
    """
    having: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for place, reference in enumerate(references):
        for ngram, number in ngrams(reference, max_order).items():
            having.setdefault(ngram, []).append((place, number))
    matches = [[[0] * len(references) for _ in hypotheses] for _ in range(max_order)]
    for row, hypothesis in enumerate(hypotheses):
        for ngram, number in ngrams(hypothesis, max_order).items():
            counted = matches[len(ngram) - 1][row]
            for place, in_reference in having.get(ngram, ()):
                counted[place] += min(number, in_reference) if clip else number
    return matches, [[max(least_total, len(text) - order) for text in hypotheses] for order in range(max_order)]


@_compiled.replaces
def count_others(
    texts: Sequence[Sequence[str]], max_order: int, *, clip: bool = True, least_total: int = 0
) -> tuple[CountsByOrder, CountsByOrder]:
    """Return what :func:`count` returns for each text with all others as its references, in linear time.

    Matches and totals are of shape (texts, max_order). A text that has no other matches nowhere.
    """
    counts = [ngrams(text, max_order) for text in texts]
    having: Counter[tuple[tuple[str, ...], int]] = Counter()
    for counted in counts:
        having.update((ngram, k) for ngram, number in counted.items() for k in range(number if clip else 1))
    matches = [[0] * max_order for _ in texts]
    for counted, matched in zip(counts, matches, strict=True):
        for ngram, number in counted.items():
            matched[len(ngram) - 1] += sum(having[ngram, k if clip else 0] > 1 for k in range(number))
    return matches, [[max(least_total, len(text) - order) for order in range(max_order)] for text in texts]
