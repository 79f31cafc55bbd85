"""Find the pairs of texts that share enough n-grams, by an inverted index of the rarest n-grams of each text.

If two sets in the same order share k items, they still share one without the last k - 1 items of each (Chaudhuri et al.
2006, "A Primitive Operator for Similarity Joins in Data Cleaning"; Bayardo et al. 2007, "Scaling Up All Pairs
Similarity Search"). Here, the sets are the n-grams of one order, the rarest first; repeated occurrences of an n-gram in
a text are different items.
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
"""The maximum number of index entries that are visited together, unless a single text has more."""


class NgramIndex:
    """An index of the n-grams of texts, for all orders."""

    def __init__(self, tokens: Sequence[Sequence[str]], max_order: int) -> None:
        self._shared = ngrams.shared(tokens, max_order)

    def sharing(
        self, order: int, kinds: NDArray[np.int64], needed: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield the pairs of texts that share enough n-grams, some at a time, each once, in the order of texts.

        ``kinds`` holds the kind of each text; ``needed`` holds the number of n-grams that texts of two kinds must
        share, or 0 if they are no pair.
        """
        shared = self._shared[order - 1]
        numbers, ends = np.asarray(shared.items, np.int32), np.asarray(shared.ends, np.int64)
        kept = np.asarray(shared.lengths(), np.int64)
        texts = np.repeat(np.arange(len(kept)), kept)
        # The number of its rarest n-grams that are looked up for a text, whatever the other text
        none = np.iinfo(np.int64).max
        looked_at = kept + 1 - np.where(needed > 0, needed, none).min(axis=1, initial=none)[kinds]
        first = np.arange(len(numbers)) - np.repeat(ends - kept, kept) < looked_at[texts]
        item_of, texts = numbers[first], texts[first]
        by_item = np.argsort(item_of, kind="stable")
        having = texts[by_item].astype(np.int32)
        begins = np.empty_like(by_item)
        begins[by_item] = np.arange(1, len(by_item) + 1)  # in the list of an n-gram, the later texts follow
        stops = np.cumsum(np.bincount(item_of))[item_of]
        for some in _shares(texts, stops - begins):
            yield loops.overlapping(texts[some], begins[some], stops[some], having, numbers, ends, kinds, needed)

    def overlaps(self, ones: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of n-grams of each order that the texts of each pair share, of shape (pairs, orders)."""
        by_order = ((np.asarray(order.items, np.int32), np.asarray(order.ends, np.int64)) for order in self._shared)
        return np.column_stack([loops.overlaps(ones, others, *numbers_and_ends) for numbers_and_ends in by_order])


def _shares(texts: NDArray[np.int64], sizes: NDArray[np.int64]) -> Iterator[slice]:
    """Yield slices of entries that are visited together, with all entries of a text, which are neighbours."""
    ends = np.flatnonzero(np.append(texts[1:] != texts[:-1], True)) + 1 if len(texts) else np.zeros(0, np.int64)
    done = np.cumsum(sizes)[ends - 1] if len(texts) else ends
    start, before, at = 0, 0, 0
    while at < len(ends):
        at = max(at + 1, int(np.searchsorted(done, before + EXPANDED, "right")))
        stop = int(ends[at - 1])
        yield slice(start, stop)
        start, before = stop, int(done[at - 1])
