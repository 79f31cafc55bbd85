"""The sums of one text for many variants: it is tokenized once per tokenizer and case, and only sums are kept."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from bleukit.counting import packed, segment_columns
from bleukit.counting.packed import Grouped
from bleukit.counting.segments import Segments
from bleukit.counting.threads import map_in_order
from bleukit.statistics import Statistics
from bleukit.text import arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from bleukit.counting.packed import PackedTokens
    from bleukit.counting.segment_columns import Lowercasing
    from bleukit.inspecting.text_cache import PairsReader
    from bleukit.loading.creating import LoadedComponent

CHUNK = 1024
"""How many segments are held as tokens at a time."""

ReferenceChoice: TypeAlias = tuple[int, ...]
"""Which references of each segment to take, counted from 0; empty for all of them."""


class Axes(NamedTuple):
    """What is combined with what; ``texts`` are pairs of a tokenizer and a case."""

    texts: Sequence[tuple[LoadedComponent, Lowercasing]]
    choices: Sequence[ReferenceChoice]
    counters: Sequence[LoadedComponent]
    reference_lengths: Sequence[LoadedComponent]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many members each axis has."""
        return tuple(map(len, self))


def summed_statistics(
    read: PairsReader, axes: Axes, max_order: int, progress: Callable[[Sequence[Any]], Iterable[Any]] = iter
) -> Statistics:
    """Return one row per combination, in the order of ``itertools.product(*axes)``: the sum of all segments.

    Choices other than all references need segments with equally many. ``progress`` is given the steps to go through.
    """
    sums: list[_Sums | None] = [None] * len(axes.texts)
    starts = range(0, len(read(axes.texts[0][0])), CHUNK)
    for start, number in progress([*product(starts, range(len(axes.texts)))]):
        if number == 0:
            parts: dict[int, Segments] = {}
            counted: list[tuple[_Tokens, _Sums]] = []
        pairs = read(axes.texts[number][0])
        if id(pairs) not in parts:
            parts[id(pairs)] = pairs.part(start, start + CHUNK)
        tokens = _Tokens.of(parts[id(pairs)], *axes.texts[number])
        known = next((each for others, each in counted if others == tokens), None)
        if known is None:
            known = _counted(tokens, axes, max_order, start)
            counted.append((tokens, known))
        before = sums[number]
        sums[number] = known if before is None else before.plus(known)
    return _statistics([each for each in sums if each is not None], axes.shape[1:], max_order)


@dataclass(frozen=True, eq=False)
class _Tokens:
    """Segments as tokens in buffers, in which equal ones are quickly found."""

    hypotheses: PackedTokens
    references: PackedTokens
    ends: array[int]

    @classmethod
    def of(cls, segments: Segments, tokenizer: LoadedComponent, case: Lowercasing) -> _Tokens:
        tokens = segment_columns.tokenize_segments(segments, tokenizer, case)
        hypotheses, references = (packed.packed(texts) for texts in (tokens.hypotheses, tokens.references.items))
        return cls(hypotheses, references, tokens.references.ends)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tokens) and self._buffers() == other._buffers()

    __hash__ = None  # type: ignore[assignment]

    def _buffers(self) -> list[array[int]]:
        texts = self.hypotheses, self.references
        return [buffer for each in texts for buffer in (each.ends, each.items.ends, each.items.characters)]

    def with_references(self, choice: ReferenceChoice) -> Segments:
        """Return the segments with some of their references, of which each segment has equally many."""
        if not choice:
            return Segments(self.hypotheses, Grouped(self.references, self.ends), tokenized=True)
        numbers = np.arange(len(self.ends))[:, None] * (len(self.references) // len(self.ends)) + np.asarray(choice)
        ends = array("q", range(len(choice), numbers.size + 1, len(choice)))
        return Segments(
            self.hypotheses, Grouped(packed.select_texts(self.references, numbers.ravel()), ends), tokenized=True
        )


@dataclass(frozen=True)
class _Counts:
    """Of some segments: matches and totals of shape (choices, counters, orders), lengths (choices, policies)."""

    hypothesis_length: int
    reference_length: NDArray[np.float64]
    matches: NDArray[np.int64]
    totals: NDArray[np.int64]


@dataclass(frozen=True)
class _Sums:
    """The sum of some segments in one tokenization, and their last.

    ``rest`` is what rounding took from the reference lengths; the number of all tokens of the references, and the
    fewest and most references of a segment are of shape (choices,).
    """

    segments: int
    counts: _Counts
    rest: NDArray[np.float64]
    reference_tokens: NDArray[np.int64]
    fewest: NDArray[np.int64]
    most: NDArray[np.int64]
    last: _Counts

    def plus(self, other: _Sums) -> _Sums:
        """Return the sum of these segments and of those that follow them."""
        ours, theirs = self.counts, other.counts
        length, rest = _summed(np.stack([ours.reference_length, self.rest, theirs.reference_length, other.rest]))
        counts = _Counts(
            ours.hypothesis_length + theirs.hypothesis_length,
            length,
            ours.matches + theirs.matches,
            ours.totals + theirs.totals,
        )
        return _Sums(
            self.segments + other.segments,
            counts,
            rest,
            self.reference_tokens + other.reference_tokens,
            np.minimum(self.fewest, other.fewest),
            np.maximum(self.most, other.most),
            other.last,
        )


def _counted(tokens: _Tokens, axes: Axes, max_order: int, first: int) -> _Sums:
    """Count segments of tokens with each choice of references; ``first`` is the number of segments before."""

    def with_choice(choice: ReferenceChoice) -> tuple[Any, Any, Any]:
        chosen = tokens.with_references(choice)
        lengths = [
            segment_columns.effective_reference_lengths(chosen, policy, first) for policy in axes.reference_lengths
        ]
        counts = [segment_columns.count_ngrams(chosen, counter, max_order, first) for counter in axes.counters]
        references = chosen.lengths[1]
        return lengths, counts, (sum(references.items), min(references.lengths()), max(references.lengths()))

    lengths, counts, facts = zip(*map_in_order(with_choice, axes.choices, arguments.available_cores()), strict=True)
    hypothesis_lengths = tokens.hypotheses.lengths()
    by_segment = np.moveaxis(np.asarray(lengths), -1, 0)
    matches, totals = np.moveaxis(np.asarray(counts), 2, 0).reshape(
        2, len(axes.choices), len(axes.counters), len(hypothesis_lengths), max_order
    )
    length, rest = _summed(by_segment)
    reference_tokens, fewest, most = np.asarray(facts).T
    return _Sums(
        len(hypothesis_lengths),
        _Counts(sum(hypothesis_lengths), length, matches.sum(axis=-2), totals.sum(axis=-2)),
        rest,
        reference_tokens,
        fewest,
        most,
        last=_Counts(hypothesis_lengths[-1], by_segment[-1], matches[..., -1, :].copy(), totals[..., -1, :].copy()),
    )


def _summed(parts: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sum along the first axis, rounded once, and what it was rounded by."""
    total = parts.sum(axis=0)
    if (parts % 1 == 0).all():
        return total, np.zeros_like(total)
    rest = np.empty_like(total)
    flat = parts.reshape(len(parts), -1)
    for column in range(flat.shape[1]):
        values = flat[:, column].tolist()
        total.flat[column] = math.fsum(values)
        rest.flat[column] = math.fsum([*values, -total.flat[column]])
    return total, rest


def _statistics(sums: Sequence[_Sums], shape: tuple[int, ...], max_order: int) -> Statistics:
    """Return the rows of all tokenizations; ``shape`` is that of (choices, counters, policies)."""

    def column(values: Iterable[Any], *axes: int) -> NDArray[Any]:
        """Spread values, whose shape is that of some axes, over all, and put those of all tokenizations together."""
        wanted = tuple(size if axis in axes else 1 for axis, size in enumerate(shape))
        spread = []
        for value in map(np.asarray, values):
            orders = value.shape[len(axes) :]
            spread.append(np.broadcast_to(value.reshape(wanted + orders), shape + orders).ravel())
        return np.concatenate(spread)

    def statistics(counts: Sequence[_Counts], more: Mapping[str, Any], last: Statistics | None = None) -> Statistics:
        columns = {
            "hypothesis_length": column(each.hypothesis_length for each in counts),
            "reference_length": column((each.reference_length for each in counts), 0, 2),
            "reference_tokens": column((each.reference_tokens for each in sums), 0),
            "fewest_references": column((each.fewest for each in sums), 0),
            "most_references": column((each.most for each in sums), 0),
            "matches": column((each.matches for each in counts), 0, 1),
            "totals": column((each.totals for each in counts), 0, 1),
        }
        return Statistics(max_order, {**columns, **more}, last)

    segments, rest = column(each.segments for each in sums), column((each.rest for each in sums), 0, 2)
    last = statistics(
        [each.last for each in sums], {"segments": np.ones_like(segments), "reference_length_rest": np.zeros_like(rest)}
    )
    return statistics([each.counts for each in sums], {"segments": segments, "reference_length_rest": rest}, last)
