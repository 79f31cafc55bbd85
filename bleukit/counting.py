"""Everything left of the sum: from segments to tokens, from tokens to rows of statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit import components
from bleukit.inputs import Segments
from bleukit.packing import Grouped, lengths_of
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.inputs import Text
    from bleukit.registry import LoadedComponent


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


def rows(  # noqa: PLR0913
    segments: Segments,
    counter: LoadedComponent,
    reference_length: LoadedComponent,
    max_order: int,
    counted_by: str = "counts:given",
    first: int = 0,
) -> Statistics:
    """Return a row for each segment of tokens, ``first`` being the number of segments before."""
    hypotheses, references = segments.hypotheses, segments.references
    hypothesis_lengths = lengths_of(hypotheses)
    lengths = Grouped(lengths_of(references.items), references.ends)
    effective = components.reference_lengths(reference_length, hypothesis_lengths, lengths, first)
    matches, totals = components.count(counter, hypotheses, references, max_order, first)
    return Statistics.of_segments(
        max_order,
        hypothesis_length=hypothesis_lengths,
        reference_length=effective,
        reference_tokens=lengths.sums(),
        references=lengths.lengths(),
        matches=matches,
        totals=totals,
        counted_by=counted_by,
    )
