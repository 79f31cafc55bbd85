"""The tokens, counts and lengths of one text, each computed once for all variants that share it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from bleukit.counting import segment_columns
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from bleukit.counting.segment_columns import Segments
    from bleukit.loading.creating import LoadedComponent
    from bleukit.text.arguments import SegmentPairs

Cached = TypeVar("Cached")

PairsReader: TypeAlias = "Callable[[LoadedComponent], SegmentPairs]"
"""Returns the text that a tokenizer reads: one that replaces the entities of SGML itself may get them unreplaced."""


class TextCache:
    """The segments of a text, counted for several variants up to n-gram order ``max_order``."""

    def __init__(self, read: PairsReader, max_order: int) -> None:
        self._read = read
        self.max_order = max_order
        self._known: dict[Hashable, object] = {}

    def statistics(
        self, components: Mapping[str, LoadedComponent], lowercase: segment_columns.Lowercasing
    ) -> Statistics:
        """Return the statistics of the text by the components of a variant, one row per segment."""
        tokenizer, policy, counter = (components[kind] for kind in ("tokenizer", "reference_length", "counter"))
        text = (tokenizer.choice, lowercase)
        tokens = self.tokens(tokenizer, lowercase)
        effective = self._once(
            (*text, policy.choice), lambda: segment_columns.effective_reference_lengths(tokens, policy)
        )
        counted = self._once(
            (*text, counter.choice, "counts"), lambda: segment_columns.count_ngrams(tokens, counter, self.max_order)
        )
        return Statistics.of_segments(
            self.max_order, **segment_columns.as_statistics_columns(tokens, effective, counted)
        )

    def tokens(self, tokenizer: LoadedComponent, lowercase: segment_columns.Lowercasing) -> Segments:
        """Return the segments as tokens."""
        segments = self.segments(tokenizer)
        return self._once(
            (tokenizer.choice, lowercase), lambda: segment_columns.tokenize_segments(segments, tokenizer, lowercase)
        )

    def segments(self, tokenizer: LoadedComponent) -> Segments:
        """Return the segments as they are read for a tokenizer."""
        pairs = self._read(tokenizer)
        return self._once(id(pairs), lambda: pairs.part(0, len(pairs)))

    def _once(self, key: Hashable, make: Callable[[], Cached]) -> Cached:
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]  # type: ignore[return-value]
