"""Which texts share enough n-grams, found by an inverted index of their rarest ones.

If two sets that are sorted alike share k items, they share one when the last k - 1 of each are left out (Chaudhuri et
al. 2006, "A Primitive Operator for Similarity Joins in Data Cleaning"). Here the sets are the n-grams of one order, the
k-th occurrence of one in a text apart from the first, and the rarest come first.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

EXPANDED = 1 << 22
"""How many places of the index are looked at together, at most, unless a single text asks for more."""

_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2**64 by the golden ratio, as in Knuth's multiplicative hashing


class Index:
    """The n-grams of all orders of some texts.

    An n-gram is known by a hash of 64 bits: two that have the same one make texts look at each other in vain.
    """

    def __init__(self, tokens: Sequence[Sequence[str]]) -> None:
        self.lengths = np.array([len(text) for text in tokens], np.int64)
        numbers: dict[str, int] = {}
        number = (numbers.setdefault(token, len(numbers)) for token in chain.from_iterable(tokens))
        self._tokens = np.fromiter(number, np.uint64, int(self.lengths.sum()))
        self._text_of = np.repeat(np.arange(len(self.lengths)), self.lengths)

    def sharing(
        self, order: int, looked_at: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield pairs of texts that share an n-gram, the first before the second, each once; some at a time.

        ``looked_at`` is how many of the rarest n-grams of each text count.
        """
        items, texts = self._items(order)
        _, item_of, frequencies = np.unique(items, return_inverse=True, return_counts=True)
        item_of = item_of.ravel()
        rarest = np.lexsort((item_of, frequencies[item_of], texts))
        item_of, texts = item_of[rarest], texts[rarest]
        kept = _places(texts) < looked_at[texts]
        kept &= frequencies[item_of] > 1
        item_of, texts = item_of[kept], texts[kept]
        by_item = np.argsort(item_of, kind="stable")
        having = texts[by_item]
        ends = np.cumsum(np.bincount(item_of, minlength=len(frequencies)))
        begins = np.argsort(by_item)  # the place of each in its item's list, behind which are the later texts
        sizes = ends[item_of] - begins - 1
        for some in _shares(texts, sizes):
            ours = np.repeat(texts[some], sizes[some])
            starts = np.repeat(begins[some] + 1 - (np.cumsum(sizes[some]) - sizes[some]), sizes[some])
            theirs = having[starts + np.arange(len(ours))]
            pairs = np.unique(ours * len(self.lengths) + theirs)
            yield pairs // len(self.lengths), pairs % len(self.lengths)

    def _items(self, order: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Return the n-grams of an order, each occurrence another one, and whose they are."""
        number = max(len(self._tokens) - order + 1, 0)
        whole = self._text_of[:number] == self._text_of[order - 1 :]
        texts = self._text_of[:number][whole]
        items = np.zeros(len(texts), np.uint64)
        for place in range(order):
            items = _mixed(items + self._tokens[place : place + number][whole])
        sorted_ = np.lexsort((items, texts))
        items, texts = items[sorted_], texts[sorted_]
        new = np.ones(len(items), bool)
        new[1:] = (items[1:] != items[:-1]) | (texts[1:] != texts[:-1])
        occurrence = _places(np.cumsum(new))
        return _mixed(items + occurrence.astype(np.uint64)), texts


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return another number for each, all bits of which depend on all."""
    values = (values + np.uint64(1)) * _FACTOR
    mixed: NDArray[np.uint64] = (values ^ values >> np.uint64(29)) * _FACTOR
    return mixed


def _places(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place of each in its group; groups are sorted."""
    every = np.arange(len(groups))
    starts = np.ones(len(groups), bool)
    starts[1:] = groups[1:] != groups[:-1]
    found: NDArray[np.int64] = every - np.maximum.accumulate(np.where(starts, every, 0))
    return found


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
