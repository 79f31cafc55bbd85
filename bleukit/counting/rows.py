"""Everything left of the sum: from segments to tokens, from tokens to rows of statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from bleukit.counting import components
from bleukit.counting.packed import Grouped
from bleukit.counting.segments import Segments
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from bleukit.hookspecs import Text
    from bleukit.loading.registry import LoadedComponent

Counted: TypeAlias = "tuple[array[int], array[int]]"
"""Matches and totals."""


def tokenized(segments: Segments, tokenizer: LoadedComponent, *, lowercase: bool) -> Segments:
    """Return the segments as tokens, lowercased first where that is asked for; tokens that are given stay."""
    references = segments.references
    return Segments(
        _tokens(segments.hypotheses, tokenizer, given=segments.tokenized, lowercase=lowercase),
        Grouped(_tokens(references.items, tokenizer, given=segments.tokenized, lowercase=lowercase), references.ends),
        tokenized=True,
    )


def _tokens(
    texts: Sequence[Text], tokenizer: LoadedComponent, *, given: bool, lowercase: bool
) -> Sequence[Sequence[str]]:
    if lowercase:
        texts = [[t.lower() for t in text] if given else text.lower() for text in texts]  # type: ignore[union-attr]
    return texts if given or not texts else components.tokenize(tokenizer, texts)


def effective_lengths(segments: Segments, reference_length: LoadedComponent, first: int = 0) -> array[float]:
    """Return the effective reference length of each segment of tokens, ``first`` being the number of those before."""
    return components.reference_lengths(reference_length, *segments.lengths, first)


def counts(segments: Segments, counter: LoadedComponent, max_order: int, first: int = 0) -> Counted:
    """Return matches and totals: max_order of each a segment, one segment after the other."""
    return components.count(counter, segments.hypotheses, segments.references, max_order, first)


def rows(segments: Segments, effective: array[float], counted: Counted, max_order: int, counted_by: str) -> Statistics:
    """Return a row for each segment of tokens, of what was made of them."""
    hypothesis_lengths, reference_lengths = segments.lengths
    matches, totals = counted
    return Statistics.of_segments(
        max_order,
        hypothesis_length=hypothesis_lengths,
        reference_length=effective,
        reference_tokens=reference_lengths.sums(),
        references=reference_lengths.lengths(),
        matches=matches,
        totals=totals,
        counted_by=counted_by,
    )
