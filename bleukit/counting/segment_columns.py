"""Everything left of the sum: from segments to tokens, from tokens to the columns of statistics, a row per segment."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from bleukit.counting import components
from bleukit.counting.lowercasing import all_lowered, lowered
from bleukit.counting.packed import Grouped, PackedTokens, lengths_of

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from bleukit.loading.creating import LoadedComponent
    from bleukit.protocols import Text

MatchesAndTotals: TypeAlias = "tuple[array[int], array[int]]"
"""Matches and totals."""

Lowercasing: TypeAlias = bool | str
"""The value of a variant's key ``lowercase``."""


class Segments:
    """Checked hypotheses and their references: group i, which is never empty, belongs to hypothesis i.

    They are texts, in a list or PackedTexts, or tokens: lists of them if ``tokenized`` says so, or PackedTokens, which
    are as the variant counts them.
    """

    def __init__(self, hypotheses: Sequence[Text], references: Grouped[Text], *, tokenized: bool) -> None:
        self.hypotheses = hypotheses
        self.references = references
        self.tokenized = tokenized

    def __len__(self) -> int:
        return len(self.hypotheses)

    def part(self, start: int, stop: int | None = None) -> Segments:
        """Return consecutive segments."""
        if start == 0 and (stop is None or stop >= len(self)):
            return self
        some = slice(start, stop)
        return Segments(self.hypotheses[some], self.references[some], tokenized=self.tokenized)

    @cached_property
    def lengths(self) -> tuple[Sequence[int], Grouped[int]]:
        """The lengths of the hypotheses and of the references, of tokens."""
        return lengths_of(self.hypotheses), Grouped(lengths_of(self.references.items), self.references.ends)


def tokenize_segments(segments: Segments, tokenizer: LoadedComponent, lowercase: Lowercasing) -> Segments:
    """Return the segments as tokens, lowercased if the variant wants that; no tokenizer is applied to tokens."""
    references = segments.references
    return Segments(
        tokenize_texts(segments.hypotheses, tokenizer, lowercase, tokenized=segments.tokenized),
        Grouped(tokenize_texts(references.items, tokenizer, lowercase, tokenized=segments.tokenized), references.ends),
        tokenized=True,
    )


def tokenize_texts(
    texts: Sequence[Text], tokenizer: LoadedComponent, lowercase: Lowercasing, *, tokenized: bool = False
) -> Sequence[Sequence[str]]:
    """Return the tokens of each text, lowercased before or, if the tokenizer has a place for that, while it splits.

    ``tokenized`` says that the texts are lists of tokens already; PackedTokens stay as they are.
    """
    if isinstance(texts, PackedTokens):
        return texts
    if not tokenized and lowercase and hasattr(tokenizer.call, "lowercasing"):
        tokenizer = tokenizer._replace(call=tokenizer.call.lowercasing(lowercase))
    elif lowercase:
        texts = lowercased(texts, lowercase, tokenized=tokenized)
    return texts if tokenized or not texts else components.tokenize(tokenizer, texts)


def lowercased(texts: Sequence[Text], lowercase: Lowercasing, *, tokenized: bool) -> Sequence[Text]:
    """Return texts, or lists of tokens, as the key ``lowercase`` wants them; PackedTokens are so already."""
    if isinstance(texts, PackedTokens):
        return texts
    if tokenized:
        return [[lowered(token, lowercase) for token in text] for text in texts]
    return all_lowered(texts, lowercase)  # type: ignore[arg-type]


def effective_reference_lengths(segments: Segments, reference_length: LoadedComponent, first: int = 0) -> array[float]:
    """Return the effective reference length of each segment of tokens, ``first`` being the number of those before."""
    return components.reference_lengths(reference_length, *segments.lengths, first)


def count_ngrams(segments: Segments, counter: LoadedComponent, max_order: int, first: int = 0) -> MatchesAndTotals:
    """Return matches and totals: max_order of each per segment, one segment after the other."""
    return components.count_segments(counter, segments.hypotheses, segments.references, max_order, first)


def statistics_columns(
    segments: Segments, reference_length: LoadedComponent, counter: LoadedComponent, max_order: int, first: int = 0
) -> dict[str, Any]:
    """Return the columns of statistics of segments of tokens, as :meth:`bleukit.Statistics.of_segments` takes them.

    They hold what components return, which is checked.
    """
    effective = effective_reference_lengths(segments, reference_length, first)
    return as_statistics_columns(segments, effective, count_ngrams(segments, counter, max_order, first))


def as_statistics_columns(segments: Segments, effective: array[float], counted: MatchesAndTotals) -> dict[str, Any]:
    """Return the columns of statistics, of what was counted in segments of tokens."""
    hypothesis_lengths, reference_lengths = segments.lengths
    matches, totals = counted
    return {
        "hypothesis_length": hypothesis_lengths,
        "reference_length": effective,
        "reference_tokens": reference_lengths.sums(),
        "references": reference_lengths.lengths(),
        "matches": matches,
        "totals": totals,
    }
