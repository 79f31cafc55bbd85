"""The scores of many procedures on one text, step by step: what several need is computed once."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np

from bleukit.bleu import components, ngrams, segment_columns
from bleukit.bleu.statistics import Statistics
from bleukit.corpus.arranging import changed_texts, exchanged, pairs_of, removed_from, selected
from bleukit.corpus.reproducing import average_of_units, length_ratios, scores_of_precisions, unit_labels
from bleukit.framework import creating
from bleukit.framework.errors import InputError
from bleukit.framework.packed import Grouped, packed
from bleukit.framework.registry import installed
from bleukit.framework.segments import Segments
from bleukit.framework.tokenizing import tokenize_segments
from bleukit.identifying.procedures import OF_TOKENS
from bleukit.identifying.published_score import POINTS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bleukit.bleu.protocols import CountsTable
    from bleukit.framework.options import Component
    from bleukit.framework.segments import SegmentsReader
    from bleukit.identifying.procedures import Steps

MOST_ORDER = 6
"""The highest n-gram order that procedures weigh."""

KEPT = 64
"""The number of results that are kept of each step, those used last: each may be as large as the text."""


@dataclass(eq=False)
class _Units:
    """The statistics of each unit, or of each by each of so many references; those of a unit are neighbours."""

    rows: Statistics
    references: int = 1

    @cached_property
    def table(self) -> CountsTable:
        """The rows as smoothings see them, who read one order after the other."""
        table = self.rows.table(MOST_ORDER, last=True)
        return replace(table, matches=np.asfortranarray(table.matches), totals=np.asfortranarray(table.totals))

    @cached_property
    def are_empty(self) -> NDArray[np.bool_]:
        """Whether each has no token at all."""
        return np.asarray(self.rows.hypothesis_length + self.rows.reference_tokens == 0)


class Calculator:
    """Calculates procedures on one text, of which ``documents`` names the document of each segment, if it is known.

    It is quick if procedures with the same tokens follow each other.
    """

    def __init__(self, read: SegmentsReader, documents: Sequence[Hashable] | None = None) -> None:
        self._read = read
        self._documents = documents
        self._equal: WeakValueDictionary[int, Segments] = WeakValueDictionary()
        kept = lru_cache(KEPT)
        self._texts = kept(partial(_texts, read))
        self._changed = kept(changed_texts)
        self._tokens = kept(self._tokenized)
        self._pairs = kept(_paired)
        self._matches = kept(_clipped_matches)
        self._number = kept(_number_of_references)
        self._rows = kept(self._counted)
        self._units = lru_cache(4 * KEPT)(self._summed)
        self._penalties = lru_cache(4 * KEPT)(self._penalized)
        self._precisions = lru_cache(8 * KEPT)(self._smoothed)
        self._component = lru_cache(maxsize=None)(partial(creating.create, installed()))

    def points(self, steps: Steps) -> float:
        """Return a score in points, 0 to 100. Raises InputError if the text has none."""
        units, penalties = self._parts(steps)
        scores = self._scores(units, penalties, steps).reshape(-1, units.references)
        if steps.unit == "segments":
            scores = scores[: steps.segments]
        if steps.over_references in {"mean", "max"}:
            scores = getattr(np, steps.over_references)(scores, axis=1, keepdims=True)
        value = average_of_units(scores, steps.average, steps.empty_score)
        if math.isnan(value):
            raise InputError("its formula is undefined")
        return value * POINTS / steps.scale

    def facts(self, steps: Steps) -> Mapping[str, Any] | None:
        """Return what programs print beside a score: precisions in percent, brevity penalty and lengths.

        None if the score is not that of one unit by the formula. Raises InputError if the text has none.
        """
        units, penalties = self._parts(steps)
        if len(units.rows) > 1 or steps.average != "micro" or steps.mean or steps.penalty:
            return None
        precisions = self._precisions(units, steps.smoothing, len(steps.weights_used))
        return {
            "precisions": (precisions[0] * POINTS).tolist(),
            "brevity_penalty": float(penalties[0]),
            "hypothesis_length": int(units.rows.hypothesis_length[0]),
            "reference_length": float(units.rows.reference_length[0]),
        }

    def _parts(self, steps: Steps) -> tuple[_Units, NDArray[np.float64]]:
        """Return the statistics of units, and their brevity penalties."""
        tokens = self._tokens(*steps[:OF_TOKENS])
        pairs = self._pairs(tokens, steps.shift, steps.reference, steps.apart)
        counted = self._rows(pairs, steps.swap, steps.counter, steps.reference_length)
        references = self._number(tokens) if steps.by_reference else 1
        first = None if steps.unit == "segments" else steps.segments  # of single ones, the scores of the first ones
        documents = None
        if steps.unit == "documents" and self._documents is not None:
            hypotheses, _, _ = pairs_of(tokens.references.lengths(), steps.shift, steps.reference, steps.apart)
            documents = tuple(self._documents[place] for place in hypotheses[::references])
        units = self._units(counted, references, first, steps.unit, documents)
        return units, self._penalties(units, steps.brevity_penalty, steps.penalty)

    def _tokenized(self, tokenizer: Component, lowercase: bool | str, text: str | None, remove: str | None) -> Segments:
        """Return the text as packed tokens, the same object if several tokenizers make the same."""
        loaded = self._component("tokenizer", tokenizer)
        segments = self._read(loaded)
        lowercases = lowercase and not (segments.tokenized or hasattr(loaded.call, "lowercasing"))
        if lowercases or remove or text:
            segments, lowercase = self._changed(self._texts(remove, lowercase), text), False
        made = tokenize_segments(segments, loaded, lowercase)
        references = Grouped(packed(made.references.items), made.references.ends)
        tokens = Segments(packed(made.hypotheses), references, tokenized=True)
        return self._equal.setdefault(hash(tuple(map(bytes, _buffers(tokens)))), tokens)

    def _counted(self, pairs: Segments, swap: bool | None, counter: Component, reference_length: Component) -> _Units:
        """Return the statistics of each pair, up to the highest order."""
        loaded, policy = self._component("counter", counter), self._component("reference_length", reference_length)
        segments = exchanged(pairs) if swap else pairs
        if loaded.promise("clipped"):  # matches are the same for all these counters, and if sides are exchanged
            totals = np.asarray(segments.lengths[0])[:, None] - np.arange(MOST_ORDER)
            totals = np.maximum(totals, loaded.promise("least_total") or 0)
            counts = self._matches(pairs), array("q", totals.tobytes())
        else:
            counts = segment_columns.count_ngrams(segments, loaded, MOST_ORDER)
        effective = segment_columns.effective_reference_lengths(segments, policy)
        columns = segment_columns.statistics_columns(segments, effective, counts)
        return _Units(Statistics.of_segments(MOST_ORDER, *columns, checked=True).with_last_segments())

    @staticmethod
    def _summed(
        counted: _Units, references: int, first: int | None, unit: str | int, documents: tuple[Hashable, ...] | None
    ) -> _Units:
        """Return the statistics of each unit, of the first segments or all."""
        rows = counted.rows[: first * references] if first else counted.rows
        if unit == "segments":
            return _Units(rows, references)
        if unit == "text" and references == 1:
            return _Units(rows.sum())
        number = len(rows) // references
        units = np.asarray(unit_labels(unit, number, documents and documents[:number]))
        by_reference = np.add.outer(units * references, np.arange(references))
        return _Units(rows.by_document(by_reference.ravel().tolist()), references)

    def _penalized(self, units: _Units, brevity_penalty: Component, penalty: str | None) -> NDArray[np.float64]:
        lengths = units.rows.hypothesis_length, units.rows.reference_length
        if penalty == "ratio":
            return length_ratios(*lengths)
        return components.brevity_penalties_of_rows(self._component("brevity_penalty", brevity_penalty), *lengths)

    def _smoothed(self, units: _Units, smoothing: Component, orders: int) -> NDArray[np.float64]:
        table = units.table
        loaded = self._component("smoothing", smoothing)
        last = table.last if loaded.promise("needs_last_segment") else None
        table = replace(table, matches=table.matches[:, :orders], totals=table.totals[:, :orders], last=last)
        return components.precisions_of_rows(loaded, table)

    def _scores(self, units: _Units, penalties: NDArray[np.float64], steps: Steps) -> NDArray[np.float64]:
        """Return the score of each unit."""
        scores = scores_of_precisions(steps.mean, penalties, partial(self._precisions, units, steps.smoothing), steps)
        return scores if steps.mean else np.where(units.are_empty, steps.empty_score, scores)


def _buffers(tokens: Segments) -> Iterator[array[int]]:
    yield tokens.references.ends
    for side in (tokens.hypotheses, tokens.references.items):
        yield from (side.characters, side.token_ends, side.text_ends)  # type: ignore[attr-defined]


def _paired(tokens: Segments, shift: int | None, reference: int | None, apart: bool) -> Segments:
    """Return hypotheses with what they are scored by: references of other lines, the only one, or each apart."""
    if not shift and not apart:
        return tokens
    hypotheses, references, ends = pairs_of(tokens.references.lengths(), shift, reference, apart)
    kept: Any = selected(tokens.references.items, references)
    return Segments(selected(tokens.hypotheses, hypotheses), Grouped(kept, ends), tokenized=True)


def _clipped_matches(pairs: Segments) -> array[int]:
    """Return the matches of all counters that promise clipped counts."""
    matches, _ = ngrams.count_batch(pairs.hypotheses, pairs.references, MOST_ORDER)
    return array("q", np.asarray(matches, np.int64).tobytes())


def _number_of_references(tokens: Segments) -> int:
    """Return how many references each segment has. Raises InputError if that varies."""
    numbers = {*tokens.references.lengths()}
    if len(numbers) > 1:
        raise InputError("segments differ in the number of references")
    return numbers.pop()


def _texts(read: SegmentsReader, remove: str | None, lowercase: bool | str) -> Segments:
    """Return the text lowercased, and without what is removed."""
    return removed_from(read(None), remove, lowercase)
