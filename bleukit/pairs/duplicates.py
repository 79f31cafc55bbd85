"""Near-duplicates: all pairs of texts that score above a threshold, without comparing all pairs.

A pair is scored only if it can reach the threshold. The bound follows from the lengths of both texts and the number of
n-grams of one order that they share: at most as many n-grams of a higher order match, and at most all n-grams of a
lower order. This holds if the counter clips as the paper defines it, and if the smoothing declares that more matches
never lower a precision. Otherwise, all pairs are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bleukit.counting import components, ngrams
from bleukit.counting.columns import up_to
from bleukit.counting.packed import Grouped, lengths_of
from bleukit.counting.threads import map_in_order
from bleukit.errors import InputError, InputTypeError, shown
from bleukit.pairs import loops, single_reference
from bleukit.pairs.matrix import TILE, matrix
from bleukit.protocols import CountsTable
from bleukit.text import arguments

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bleukit.pairs.single_reference import PairMetric
    from bleukit.protocols import Text

SCORED = 1 << 12
"""The number of pairs that are scored at a time."""

BOUNDED = 1 << 14
"""The number of pairs whose bounds are computed at a time."""

EXPANDED = 1 << 22
"""The maximum number of index entries that are visited together, unless a single text has more."""

SLACK = 1e-9
"""The tolerance of bounds, relative to the threshold, for rounding errors."""


class Duplicate(NamedTuple):
    """The indices of two different texts, counted from 0, and the higher of their scores against each other.

    Of equal texts, it names the first.
    """

    first: int
    second: int
    score: float


class DuplicateGroup(NamedTuple):
    """Texts that are near-duplicates, directly or by others between them, and one that stands for them: indices."""

    representative: int
    texts: tuple[int, ...]


class Duplicates(NamedTuple):
    """The pairs of different texts that reach a threshold, and the groups of equal texts, as indices from 0.

    Both are sorted; the indices of a group ascend.
    """

    pairs: list[Duplicate]
    equal: list[tuple[int, ...]]

    def groups(self) -> list[DuplicateGroup]:
        """Return the groups of texts that are connected by pairs, or equal; sorted by their first texts.

        The representative of a group is the text with most copies; of several, that whose scores, in its pairs, have
        the highest sum; of several again, the first.
        """
        copies = {same[0]: same for same in self.equal}
        parents = {first: first for first in copies}
        sums: dict[int, float] = dict.fromkeys(copies, 0.0)

        def root(text: int) -> int:
            while parents[text] != text:
                parents[text] = parents[parents[text]]
                text = parents[text]
            return text

        for first, second, score in self.pairs:
            for text in (first, second):
                parents.setdefault(text, text)
                sums[text] = sums.get(text, 0.0) + score
            one, another = sorted((root(first), root(second)))
            parents[another] = one
        members: dict[int, list[int]] = {}
        for text in sorted(parents):
            members.setdefault(root(text), []).append(text)
        groups = []
        for texts in members.values():
            every = sorted(copy for text in texts for copy in copies.get(text, (text,)))
            chosen = min(texts, key=lambda text: (-len(copies.get(text, ())), -sums[text], text))
            groups.append(DuplicateGroup(chosen, tuple(every)))
        return sorted(groups, key=lambda group: group.texts[0])


class _Reached(NamedTuple):
    """Pairs of texts that reach the threshold: the indices of both, and the higher score of each pair."""

    one: NDArray[np.int64]
    other: NDArray[np.int64]
    scores: NDArray[np.float64]


def duplicates(bleu: PairMetric, texts: Sequence[Text], threshold: float, threads: int | None = None) -> Duplicates:
    """Return pairs that reach a threshold, and groups of equal texts, as :meth:`bleukit.Bleu.duplicates` describes."""
    arguments.check_threads(threads)
    checked, tokenized = arguments.check_texts_or_tokens(texts, "texts")
    if isinstance(threshold, bool) or not isinstance(threshold, int | float):
        raise InputTypeError(f"threshold: expected a number, got {shown(threshold)}")
    if not 0 < threshold <= bleu.variant.scale:
        raise InputError(f"threshold: expected a number above 0, up to {bleu.variant.scale}, got {threshold}")
    places: dict[Any, list[int]] = {}
    for place, text in enumerate(checked):
        places.setdefault(text if isinstance(text, str) else tuple(text), []).append(place)
    first_places = [same[0] for same in places.values()]
    search = _Search(
        bleu, [checked[place] for place in first_places], tokenized, threshold, threads or arguments.available_cores()
    )
    pairs = [
        Duplicate(first_places[min(pair)], first_places[max(pair)], score)
        for reached in search.pairs()
        for *pair, score in zip(*(side.tolist() for side in reached), strict=True)
    ]
    return Duplicates(sorted(pairs), [tuple(same) for same in places.values() if len(same) > 1])


@dataclass(frozen=True)
class _Search:
    """The search for pairs that reach a threshold, among texts that are all different."""

    bleu: PairMetric
    texts: Sequence[Text]
    tokenized: bool
    threshold: float
    threads: int

    def pairs(self) -> Iterator[_Reached]:
        """Yield the pairs that reach the threshold, each once."""
        if not self._can_be_bounded():
            yield from self._all_pairs()
            return
        for one, other in self._candidates():
            yield from self.scored(one, other)

    def scored(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> Iterator[_Reached]:
        """Score some pairs, and yield those that reach the threshold."""
        parts = [slice(start, start + SCORED) for start in range(0, len(one), SCORED)]

        def part(some: slice) -> _Reached:
            scores = np.maximum(self._scores(one[some], other[some]), self._scores(other[some], one[some]))
            kept = scores >= self.threshold
            return _Reached(one[some][kept], other[some][kept], scores[kept])

        yield from map_in_order(part, parts, min(self.threads, len(parts) or 1))

    def _scores(self, hypotheses: NDArray[np.int64], references: NDArray[np.int64]) -> NDArray[np.float64]:
        ours, theirs = (single_reference.chosen_tokens(self._tokens, texts) for texts in (hypotheses, references))
        order = self.bleu.max_order
        counted = components.count_segments(
            self.bleu.components["counter"], ours, Grouped(theirs, up_to(len(theirs))), order
        )
        matches, totals = (np.asarray(side).reshape(len(ours), order) for side in counted)
        return self._scores_of(matches, totals, self._lengths[hypotheses], self._lengths[references])

    def _scores_of(
        self,
        matches: NDArray[np.int64],
        totals: NDArray[np.int64],
        lengths: NDArray[np.int64],
        reference_lengths: NDArray[np.int64],
    ) -> NDArray[np.float64]:
        effective = single_reference.effective_lengths_of_pairs(self.bleu, lengths, reference_lengths)
        return single_reference.segment_scores(
            self.bleu, CountsTable(matches, totals, lengths, effective), reference_lengths
        )

    def _all_pairs(self) -> Iterator[_Reached]:
        """Score all pairs, and yield those that reach the threshold."""
        for start in range(0, len(self.texts), TILE):
            some, others = self.texts[start : start + TILE], self.texts[start:]
            try:
                scores = matrix(self.bleu, some, others, threads=self.threads)
                scores = np.maximum(scores, matrix(self.bleu, others, some, threads=self.threads).T)
            except InputError as error:
                raise InputError(f"texts: a pair has no score: {str(error).partition(': ')[2]}") from error
            one, other = np.nonzero(np.triu(scores >= self.threshold, 1))
            yield _Reached(one + start, other + start, scores[one, other])

    def _can_be_bounded(self) -> bool:
        return False  # no smoothing promises that more matches lower no precision

    def _candidates(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield all pairs that may reach the threshold, each once, and possibly some others."""
        index = _NgramIndex(self._tokens, self.bleu.max_order)
        lengths, of_text = np.unique(self._lengths, return_inverse=True)
        of_text = of_text.ravel()
        one, other = np.triu_indices(len(lengths))
        reach = self._can_reach(lengths[one], lengths[other], self.bleu.max_order + 1, np.zeros(len(one), np.int64))
        one, other = one[reach], other[reach]
        for order in range(self.bleu.max_order, 0, -1):
            needed = np.zeros((len(lengths), len(lengths)), np.int64)
            needed[one, other] = needed[other, one] = of_pairs = self._needed(lengths[one], lengths[other], order)
            for ones, others in index.sharing(order, of_text, needed):
                reach = self._reaching(self._lengths[ones], self._lengths[others], index.overlaps(ones, others))
                yield ones[reach], others[reach]
            one, other = one[of_pairs == 0], other[of_pairs == 0]
        for row, column in zip(
            one, other, strict=True
        ):  # lengths with which a pair reaches the threshold without common n-grams
            having = (np.flatnonzero(of_text == length) for length in (row, column))
            ones, others = np.meshgrid(*having, indexing="ij")
            kept = ones < others if row == column else np.ones(ones.shape, bool)
            yield ones[kept], others[kept]

    def _needed(self, ours: NDArray[np.int64], theirs: NDArray[np.int64], order: int) -> NDArray[np.int64]:
        """Return how many n-grams of an order two texts of these lengths must share to reach the threshold."""
        fewest = np.zeros(len(ours), np.int64)
        most = np.maximum(np.minimum(ours, theirs) - order + 1, 0)
        while len(open_ := np.flatnonzero(fewest < most)):
            middle = (fewest[open_] + most[open_]) // 2
            reach = self._can_reach(ours[open_], theirs[open_], order, middle)
            most[open_[reach]] = middle[reach]
            fewest[open_[~reach]] = middle[~reach] + 1
        return fewest

    def _can_reach(
        self, ours: NDArray[np.int64], theirs: NDArray[np.int64], order: int, shared: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Return whether texts of these lengths can reach the threshold with ``shared`` common n-grams of an order."""
        matches = np.maximum(np.minimum(ours, theirs)[:, None] - np.arange(self.bleu.max_order), 0)
        matches[:, order - 1 :] = np.minimum(matches[:, order - 1 :], shared[:, None])
        return self._reaching(ours, theirs, matches)

    def _reaching(
        self, ours: NDArray[np.int64], theirs: NDArray[np.int64], matches: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Return whether texts of these lengths can reach the threshold with at most ``matches``."""
        reaches = np.zeros(len(ours), bool)
        for start in range(0, len(ours), BOUNDED):
            some = slice(start, start + BOUNDED)
            for lengths, others in ((ours[some], theirs[some]), (theirs[some], ours[some])):
                scores = self._scores_of(
                    matches[some], single_reference.totals_of_lengths(self.bleu, lengths), lengths, others
                )
                reaches[some] |= scores >= self.threshold * (1 - SLACK)
        return reaches

    @cached_property
    def _tokens(self) -> Sequence[Sequence[str]]:
        return single_reference.tokens_of_texts(self.bleu, self.texts, tokenized=self.tokenized)

    @cached_property
    def _lengths(self) -> NDArray[np.int64]:
        return np.array(lengths_of(self._tokens), np.int64)


class _NgramIndex:
    """An inverted index of the rarest n-grams of each text, for all orders.

    If two sets in the same order share k items, they still share one without the last k - 1 items of each (Chaudhuri et
    al. 2006, "A Primitive Operator for Similarity Joins in Data Cleaning"; Bayardo et al. 2007, "Scaling Up All Pairs
    Similarity Search"). Here, the sets are the n-grams of one order, the rarest first; repeated occurrences of an
    n-gram in a text are different items.
    """

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
