"""A text that several variants count: what they share is computed once."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from bleukit.bleu import segment_columns
from bleukit.framework.packed import Grouped, packed
from bleukit.framework.segments import Segments
from bleukit.framework.tokenizing import tokenize_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from bleukit.bleu.segment_columns import Columns, MatchesAndTotals
    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.lowercasing import Lowercasing
    from bleukit.framework.packed import PackedTokens
    from bleukit.framework.protocols import Text

Cached = TypeVar("Cached")


SegmentsReader: TypeAlias = "Callable[[LoadedComponent | None], Segments]"
"""Returns segments as a tokenizer reads them: one that replaces the entities of SGML itself may get them unreplaced."""


class SharedText:
    """Segments, tokenized and counted for several variants; equal tokens of different tokenizers are counted once.

    ``read`` returns them as a tokenizer reads them, the same object for the same reading. Errors count from ``first``,
    the number of segments before. ``references`` holds the tokens of references, and is shared by texts with the same
    ones.
    """

    def __init__(
        self,
        read: SegmentsReader,
        *,
        first: int = 0,
        references: dict[Hashable, PackedTokens] | None = None,
    ) -> None:
        self.first = first
        self.read = read
        self._references = {} if references is None else references
        self._tokens: dict[Hashable, Segments] = {}
        self._distinct: list[Segments] = []
        self._counts: dict[Hashable, tuple[int, MatchesAndTotals]] = {}
        self._known: dict[Hashable, Any] = {}

    def columns(self, components: Mapping[str, LoadedComponent], lowercase: Lowercasing, max_order: int) -> Columns:
        """Return the columns of statistics, a row per segment.

        Counts up to a lower order are taken from those up to a higher one: ask for the highest order first.
        """
        tokenizer, policy, counter = (components[kind] for kind in ("tokenizer", "reference_length", "counter"))
        tokens = self.tokens(tokenizer, lowercase)
        lengths = self._once(
            (id(tokens), policy.choice),
            lambda: segment_columns.effective_reference_lengths(tokens, policy, self.first),
        )
        return self._once(
            (id(tokens), policy.choice, counter.choice, max_order),
            lambda: segment_columns.statistics_columns(tokens, lengths, self._counted(tokens, counter, max_order)),
        )

    def tokens(self, tokenizer: LoadedComponent, lowercase: Lowercasing) -> Segments:
        """Return the segments as tokens, the same object if they are equal."""
        segments = self.read(tokenizer)
        key = (None if segments.tokenized else tokenizer.choice, lowercase)
        if key not in self._tokens:
            made = self._tokenized(segments, key, tokenizer, lowercase)
            known = next((other for other in self._distinct if _are_equal(made, other)), None)
            if known is None:
                self._distinct.append(made)
            self._tokens[key] = known or made
        return self._tokens[key]

    def _tokenized(
        self, segments: Segments, key: Hashable, tokenizer: LoadedComponent, lowercase: Lowercasing
    ) -> Segments:
        def packed_tokens(texts: Sequence[Text]) -> PackedTokens:
            return packed(tokenize_texts(texts, tokenizer, lowercase, tokenized=segments.tokenized))

        references = self.references(key, packed_tokens, segments.references)
        return Segments(packed_tokens(segments.hypotheses), references, tokenized=True)

    def references(
        self, key: Hashable, tokens: Callable[[Sequence[Text]], PackedTokens], groups: Grouped[Text]
    ) -> Grouped[Any]:
        """Return the tokens of references, which are computed once for each key."""
        if key not in self._references:
            self._references[key] = tokens(groups.items)
        return Grouped(self._references[key], groups.ends)

    def _counted(self, tokens: Segments, counter: LoadedComponent, max_order: int) -> MatchesAndTotals:
        key = id(tokens), counter.choice
        order, counts = self._counts.get(key, (0, (array("q"), array("q"))))
        if order < max_order:
            counts = segment_columns.count_ngrams(tokens, counter, max_order, self.first)
            self._counts[key] = max_order, counts
            return counts
        matches, totals = (_up_to(side, order, max_order) for side in counts)
        return matches, totals

    def _once(self, key: Hashable, make: Callable[[], Cached]) -> Cached:
        if key not in self._known:
            self._known[key] = make()
        known: Cached = self._known[key]
        return known


def _are_equal(ours: Segments, theirs: Segments) -> bool:
    sides = ((ours.hypotheses, theirs.hypotheses), (ours.references.items, theirs.references.items))
    return all(one is other or _buffers(one) == _buffers(other) for one, other in sides)


def _buffers(tokens: Any) -> tuple[array[int], ...]:
    return tokens.text_ends, tokens.token_ends, tokens.characters


def _up_to(counts: array[int], order: int, max_order: int) -> array[int]:
    """Return the counts up to a lower order, given those up to ``order``: that many per segment."""
    if order == max_order:
        return counts
    import numpy as np

    lower = array("q")
    lower.frombytes(np.asarray(counts).reshape(-1, order)[:, :max_order].tobytes())
    return lower
