"""A text that several metrics count: its tokens are made once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.framework.packed import Grouped
from bleukit.framework.segments import Segments

if TYPE_CHECKING:
    from array import array
    from collections.abc import Hashable

    from bleukit.framework.metric import AnyMetric
    from bleukit.framework.packed import PackedTokens
    from bleukit.framework.segments import SegmentsReader


class SharedText:
    """Segments as the tokens of several metrics; equal tokens of different tokenizers are one object.

    ``read`` returns them as a tokenizer reads them, the same object for the same reading. ``references`` holds the
    tokens of references, and is shared by texts with the same ones.
    """

    def __init__(self, read: SegmentsReader, references: dict[Hashable, PackedTokens] | None = None) -> None:
        self.read = read
        self._references = {} if references is None else references
        self._tokens: dict[Hashable, Segments] = {}

    def tokens(self, metric: AnyMetric) -> Segments:
        """Return the segments as tokens, which the method ``rows`` of a metric takes; the same object for equal ones.

        Raises InputError if the metric cannot count the text.
        """
        given = self.read(metric.tokenizer)
        key = metric.tokens_key(tokenized=given.tokenized)
        if key not in self._tokens:
            made = self._made(metric, key, given)
            self._tokens[key] = next((other for other in self._tokens.values() if _are_equal(made, other)), made)
        return self._tokens[key]

    def _made(self, metric: AnyMetric, key: Hashable, given: Segments) -> Segments:
        hypotheses = metric.packed_hypotheses(given.hypotheses, tokenized=given.tokenized)
        if key not in self._references:
            references = metric.packed_references(given.references.items, tokenized=given.tokenized)
            self._references[key] = references
        references = self._references[key]
        return Segments(hypotheses, Grouped(references, given.references.ends), tokenized=given.tokenized)


def _are_equal(ours: Segments, theirs: Segments) -> bool:
    sides = ((ours.hypotheses, theirs.hypotheses), (ours.references.items, theirs.references.items))
    return all(one is other or _buffers(one) == _buffers(other) for one, other in sides)


def _buffers(tokens: Any) -> tuple[array[int], ...]:
    return tokens.text_ends, tokens.token_ends, tokens.characters
