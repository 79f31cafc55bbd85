"""Everything left of the sum: from segments to tokens, from tokens to the columns of statistics, a row per segment.

The general way is the definition. The direct way is one compiled call from texts, or lists of tokens, to the columns:
for variants whose tokenizer, counter and reference-length policy have batch methods in C, as most built-in ones have.
It takes their functions, counts what these count, and is some twenty times as fast for a sentence.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from bleukit.bleu import components
from bleukit.bleu.ngrams import CountBatch
from bleukit.framework.compiled import CompiledModule
from bleukit.framework.lowercasing import Lowercasing, lowercased

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.segments import Segments

MatchesAndTotals: TypeAlias = "tuple[array[int], array[int]]"
"""Matches and totals."""

Columns: TypeAlias = "tuple[array[int], array[float], array[int], array[int], array[int], array[int]]"
"""The columns of statistics of single segments, in the order of :meth:`bleukit.Statistics.of_segments`."""

_packed = CompiledModule("bleukit.framework.packed_compiled")
_compiled = CompiledModule("bleukit.bleu.direct_compiled")


def columns(tokens: Segments, loaded: Mapping[str, LoadedComponent], max_order: int, first: int = 0) -> Columns:
    """Return the columns of segments of tokens by components, by kind; ``first`` is the number of segments before.

    Variants that count the same segments alike share what is computed. Counts up to a lower order are taken from those
    up to a higher one: ask for the highest order first.
    """
    policy, counter = loaded["reference_length"], loaded["counter"]
    effective = tokens.once((policy.kind, policy.choice), lambda: effective_reference_lengths(tokens, policy, first))
    order, counts = tokens.once(
        (counter.kind, counter.choice), lambda: (max_order, count_ngrams(tokens, counter, max_order, first))
    )
    if order < max_order:
        counts = count_ngrams(tokens, counter, max_order, first)
    elif order > max_order:
        counts = _up_to(counts[0], order, max_order), _up_to(counts[1], order, max_order)
    return statistics_columns(tokens, effective, counts)


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


def _up_to(counts: array[int], order: int, max_order: int) -> array[int]:
    """Return the counts up to a lower order, given those up to ``order``: that many per segment."""
    import numpy as np

    lower = array("q")
    lower.frombytes(np.asarray(counts).reshape(-1, order)[:, :max_order].tobytes())
    return lower


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
