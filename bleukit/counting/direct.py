"""The direct way: from texts, or lists of tokens, to the columns of statistics in one compiled call.

It is for variants whose tokenizer, counter and reference-length policy have batch methods that are known in C, as most
built-in ones are: the call takes their functions, and counts what these batch methods count. All else takes the general
way of :mod:`bleukit.counting.segment_columns`, which is the definition, and some twenty times as slow for a sentence.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bleukit.compiled import CompiledModule
from bleukit.counting.ngrams import CountBatch
from bleukit.counting.segment_columns import lowercased

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Mapping, Sequence

    from bleukit.counting.segment_columns import Lowercasing, Segments
    from bleukit.loading.creating import LoadedComponent

Columns: TypeAlias = "tuple[array[int], array[float], array[int], array[int], array[int], array[int]]"
"""The columns of statistics of single segments, in the order of :meth:`bleukit.Statistics.of_segments`."""

_packed = CompiledModule("bleukit.counting.packed_compiled")
_compiled = CompiledModule("bleukit.counting.direct_compiled")


class DirectWay(NamedTuple):
    """Counts segments directly.

    ``segment`` takes a hypothesis and its references as they are given, and returns the counts of this one segment,
    whose ``columns()`` are its columns; it returns None for what is not plainly a segment with few references, which
    has to be checked. ``reads_text`` says whether text can be counted, too; ``lower`` is how it is lowercased.
    """

    segment: Callable[[Any, Any], Any]
    call: Callable[..., Columns]
    lower: Callable[..., Sequence[Any]] | None
    reads_text: bool

    def columns(self, segments: Segments) -> Columns | None:
        """Return the columns of segments; None if they have to be counted the general way."""
        tokenized = segments.tokenized
        if not (tokenized or self.reads_text):
            return None
        hypotheses, references = segments.hypotheses, segments.references.items
        if self.lower:
            hypotheses, references = (self.lower(side, tokenized=tokenized) for side in (hypotheses, references))
        try:
            return self.call(hypotheses, references, segments.references.ends, tokenized)
        except (OverflowError, TypeError, ValueError):
            return None  # the general way says what is wrong


def of_components(
    loaded: Mapping[str, LoadedComponent], max_order: int, lowercase: Lowercasing, few: int
) -> DirectWay | None:
    """Return the direct way of components, by kind, None if there is none.

    ``few`` is how many references of a segment can be nothing else, such as the words of one.
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
    lower = partial(lowercased, lowercase=lowercase) if lowercase else None
    counting = _compiled.module.Direct(
        tokenizer.batch if reads_text else None,
        reference_length.batch,
        max_order,
        few=few,
        lower=lower,
        **count._asdict(),
    )
    return DirectWay(counting.segment, counting.columns, lower, reads_text)
