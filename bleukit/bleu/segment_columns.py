"""Everything left of the sum: from segments to tokens, from tokens to the columns of statistics, a row per segment.

The general way is the definition. The direct way is one compiled call from texts, or lists of tokens, to the columns:
for variants whose tokenizer, counter and reference-length policy have batch methods in C, as most built-in ones have.
It takes their functions, counts what these count, and is some twenty times as fast for a sentence.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from bleukit.bleu import components
from bleukit.bleu.ngrams import CountBatch
from bleukit.framework.compiled import CompiledModule
from bleukit.framework.lowercasing import all_lowered, lowered
from bleukit.framework.packed import Grouped, PackedTokens, lengths_of

if TYPE_CHECKING:
    from array import array
    from collections.abc import Mapping, Sequence

    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.protocols import Text

MatchesAndTotals: TypeAlias = "tuple[array[int], array[int]]"
"""Matches and totals."""

Columns: TypeAlias = "tuple[array[int], array[float], array[int], array[int], array[int], array[int]]"
"""The columns of statistics of single segments, in the order of :meth:`bleukit.Statistics.of_segments`."""

_packed = CompiledModule("bleukit.framework.packed_compiled")
_compiled = CompiledModule("bleukit.bleu.direct_compiled")

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
    def lengths(self) -> tuple[array[int], Grouped[int]]:
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


def statistics_columns(segments: Segments, effective: array[float], counted: MatchesAndTotals) -> Columns:
    """Return the columns of segments of tokens, given their effective reference lengths and what was counted."""
    hypothesis_lengths, reference_lengths = segments.lengths
    return hypothesis_lengths, effective, reference_lengths.sums(), reference_lengths.lengths(), *counted


def direct_way(loaded: Mapping[str, LoadedComponent], max_order: int, lowercase: Lowercasing, few: int) -> Any:
    """Return the direct way of components, by kind, None if there is none.

    Its ``segment`` takes a hypothesis and its references as they are given, and returns the counts of this one segment,
    whose ``columns()`` are its columns; or None for what is not plainly a segment with few references, which has to be
    checked. Its ``columns`` returns the columns of Segments, None if they have to be counted the general way. ``few``
    is how many references of a segment can be nothing else, such as the words of one.
    """
    tokenizer, counter, reference_length = (loaded[kind] for kind in ("tokenizer", "counter", "reference_length"))
    if not (_compiled.module and _packed.module):
        return None
    count = counter.batch
    if type(count) is not CountBatch:
        return None
    if type(reference_length.batch) is not _compiled.module.LengthPolicy:
        return None
    lowercases = lowercase and hasattr(tokenizer.call, "lowercasing")
    reads_text = isinstance(tokenizer.batch, _packed.module.TextTokenizer) and not lowercases
    return _compiled.module.Direct(
        tokenizer.batch if reads_text else None,
        reference_length.batch,
        max_order,
        few=few,
        lower=partial(lowercased, lowercase=lowercase) if lowercase else None,
        **count._asdict(),
    )
