"""The summed statistics of one text for many variants; only sums are kept in memory, not segments."""

from __future__ import annotations

import math
from array import array
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from bleukit.counting import packed, segment_columns
from bleukit.counting.packed import Grouped
from bleukit.counting.segment_columns import Segments
from bleukit.counting.shared_text import SharedText
from bleukit.counting.threads import map_in_order
from bleukit.statistics import Statistics
from bleukit.text import arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from bleukit.counting.segment_columns import Lowercasing
    from bleukit.counting.shared_text import SegmentsReader
    from bleukit.loading.creating import LoadedComponent

CHUNK = 1024
"""The number of segments that are held as tokens at a time."""

ReferenceChoice: TypeAlias = tuple[int, ...]
"""The indices of the references of each segment to use, counted from 0; empty for all references."""


class Axes(NamedTuple):
    """The components and choices to combine; ``texts`` holds pairs of a tokenizer and a value of ``lowercase``."""

    texts: Sequence[tuple[LoadedComponent, Lowercasing]]
    choices: Sequence[ReferenceChoice]
    counters: Sequence[LoadedComponent]
    reference_lengths: Sequence[LoadedComponent]

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of members of each axis."""
        return tuple(map(len, self))


def summed_statistics(
    read: SegmentsReader, axes: Axes, max_order: int, progress: Callable[[Sequence[Any]], Iterable[Any]] = iter
) -> Statistics:
    """Return the sum of all segments for each combination, one row each, in the order of ``itertools.product(*axes)``.

    Choices other than all references need the same number of references in each segment. ``progress`` wraps the
    sequence of steps, and may show how many are done.
    """
    sums: list[Statistics | None] = [None] * len(axes.texts)
    starts = range(0, len(read(axes.texts[0][0])), CHUNK)
    for start, number in progress([*product(starts, range(len(axes.texts)))]):
        if number == 0:
            text = SharedText(read, start, start + CHUNK)
            counted: dict[int, Statistics] = {}
        tokens = text.tokens(*axes.texts[number])
        if id(tokens) not in counted:
            counted[id(tokens)] = _sums(tokens, axes, max_order, start)
        known = counted[id(tokens)]
        before = sums[number]
        sums[number] = known if before is None else (before + known).by_document(before.keys() + known.keys())
    return Statistics.concatenate([statistics for statistics in sums if statistics is not None])


def _with_references(tokens: Segments, choice: ReferenceChoice) -> Segments:
    """Return the segments with the chosen references; unless all are chosen, each segment has equally many."""
    if not choice:
        return tokens
    references = tokens.references
    numbers = np.arange(len(references))[:, None] * (len(references.items) // len(references)) + np.asarray(choice)
    ends = array("q", range(len(choice), numbers.size + 1, len(choice)))
    chosen = packed.select_texts(packed.packed(references.items), numbers.ravel())
    return Segments(tokens.hypotheses, Grouped(chosen, ends), tokenized=True)


def _sums(tokens: Segments, axes: Axes, max_order: int, first: int) -> Statistics:
    """Return the sums of some segments for all choices, counters and policies, in this order, numbered by their keys.

    ``first`` is the number of segments before these.
    """

    def with_choice(choice: ReferenceChoice) -> tuple[Any, ...]:
        chosen = _with_references(tokens, choice)
        lengths = [
            segment_columns.effective_reference_lengths(chosen, policy, first) for policy in axes.reference_lengths
        ]
        counts = [segment_columns.count_ngrams(chosen, counter, max_order, first) for counter in axes.counters]
        references = chosen.lengths[1]
        numbers, last = references.lengths(), references[len(references) - 1]
        of_all = sum(references.items), min(numbers), max(numbers)
        return lengths, counts, of_all, (sum(last), len(last), len(last))

    results = map_in_order(with_choice, axes.choices, arguments.available_cores())
    lengths, counted, references, last_references = zip(*results, strict=True)
    hypothesis_lengths = tokens.lengths[0]
    shape = axes.shape[1:]
    by_segment = np.moveaxis(np.asarray(lengths), -1, 0)
    counts = np.moveaxis(np.asarray(counted), 2, 0).reshape(2, *shape[:2], len(hypothesis_lengths), max_order)

    def column(values: Any, *along: int) -> NDArray[Any]:
        """Repeat values, which have some of the axes of ``shape``, along the others."""
        values = np.asarray(values)
        orders = values.shape[len(along) :]
        sizes = tuple(size if axis in along else 1 for axis, size in enumerate(shape))
        return np.broadcast_to(values.reshape(sizes + orders), shape + orders).ravel()

    def columns(
        segments: int, length: int, reference_lengths: Sequence[Any], of_references: Any, counts: NDArray[np.int64]
    ) -> dict[str, NDArray[Any]]:
        by_choice = np.asarray(of_references).T
        return {
            "segments": column(segments),
            "hypothesis_length": column(length),
            "reference_length": column(reference_lengths, 0, 2),
            "reference_tokens": column(by_choice[0], 0),
            "fewest_references": column(by_choice[1], 0),
            "most_references": column(by_choice[2], 0),
            "matches": column(counts[0], 0, 1),
            "totals": column(counts[1], 0, 1),
        }

    last = columns(1, hypothesis_lengths[-1], by_segment[-1], last_references, counts[..., -1, :])
    segments, length = len(hypothesis_lengths), sum(hypothesis_lengths)
    sums = columns(segments, length, by_segment.sum(axis=0), references, counts.sum(axis=-2))
    return Statistics(max_order, sums, Statistics(max_order, last), keys=range(math.prod(shape)))
