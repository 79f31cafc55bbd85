"""Which texts share enough n-grams, found by an inverted index of their rarest ones.

If two sets that are sorted alike share k items, they share one when the last k - 1 of each are left out (Chaudhuri et
al. 2006, "A Primitive Operator for Similarity Joins in Data Cleaning"; Bayardo et al. 2007, "Scaling Up All Pairs
Similarity Search"). Here the sets are the n-grams of one order, the k-th occurrence of one in a text apart from the
first, and the rarest come first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bleukit.counting import ngrams
from bleukit.pairs import loops

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

EXPANDED = 1 << 22
"""How many places of the index are looked at together, at most, unless a single text asks for more."""


class NgramIndex:
    """The n-grams of all orders of some texts."""

    def __init__(self, tokens: Sequence[Sequence[str]], max_order: int) -> None:
        self._shared = ngrams.shared(tokens, max_order)

    def sharing(
        self, order: int, kinds: NDArray[np.int64], needed: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield the pairs of texts that share enough n-grams, the first before the second, each once; some at a time.

        ``needed`` holds how many a text of one of the ``kinds`` and one of another must share, 0 if they are no pair.
        """
        shared = self._shared[order - 1]
        numbers, ends = np.asarray(shared.items, np.int32), np.asarray(shared.ends, np.int64)
        kept = np.asarray(shared.lengths(), np.int64)
        texts = np.repeat(np.arange(len(kept)), kept)
        # Of each text so many of the rarest are looked at, whatever the other text
        none = np.iinfo(np.int64).max
        looked_at = kept + 1 - np.where(needed > 0, needed, none).min(axis=1, initial=none)[kinds]
        first = np.arange(len(numbers)) - np.repeat(ends - kept, kept) < looked_at[texts]
        item_of, texts = numbers[first], texts[first]
        by_item = np.argsort(item_of, kind="stable")
        having = texts[by_item].astype(np.int32)
        begins = np.empty_like(by_item)
        begins[by_item] = np.arange(1, len(by_item) + 1)  # behind each in its item's list are the later texts
        stops = np.cumsum(np.bincount(item_of))[item_of]
        for some in _shares(texts, stops - begins):
            yield loops.overlapping(texts[some], begins[some], stops[some], having, numbers, ends, kinds, needed)

    def overlaps(self, ones: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many n-grams of each order the texts of each pair share: (pairs, orders)."""
        shared = ((np.asarray(each.items, np.int32), np.asarray(each.ends, np.int64)) for each in self._shared)
        return np.column_stack([loops.overlaps(ones, others, *each) for each in shared])


def _shares(texts: NDArray[np.int64], sizes: NDArray[np.int64]) -> Iterator[slice]:
    """Yield what is looked at together: all of each text, of which the places are neighbours."""
    ends = np.flatnonzero(np.append(texts[1:] != texts[:-1], True)) + 1 if len(texts) else np.zeros(0, np.int64)
    done = np.cumsum(sizes)[ends - 1] if len(texts) else ends
    start, before, at = 0, 0, 0
    while at < len(ends):
        at = max(at + 1, int(np.searchsorted(done, before + EXPANDED, "right")))
        stop = int(ends[at - 1])
        yield slice(start, stop)
        start, before = stop, int(done[at - 1])
