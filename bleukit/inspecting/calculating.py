"""The scores of many procedures on one text: each view of the text is counted once, for all that need it."""

from __future__ import annotations

import math
from array import array
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import structs

from bleukit.counting import components
from bleukit.counting.columns import up_to
from bleukit.counting.lowercasing import all_lowered
from bleukit.counting.packed import PADDING, Grouped, PackedTokens, ends_of, grouped, packed, select_texts
from bleukit.counting.segment_columns import Segments
from bleukit.counting.shared_text import SharedText
from bleukit.errors import InputError
from bleukit.inspecting.published_score import POINTS
from bleukit.loading import creating
from bleukit.scoring import ScoreColumns, mean_columns
from bleukit.statistics import Statistics
from bleukit.text.arranging import REMOVED
from bleukit.variant import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bleukit.counting.shared_text import SegmentsReader
    from bleukit.inspecting.procedures import Procedure
    from bleukit.loading.registry import Registry
    from bleukit.protocols import CountsTable
    from bleukit.variant import Variant

MOST_ORDER = 6
"""The highest n-gram order that procedures weigh."""

KEPT_SEGMENTS = 1 << 20
"""Keep the statistics of so many segments, of all views together: 200 bytes each."""


class View(NamedTuple):
    """What becomes of a text before it is tokenized, and which pairs of it are counted, by keys of procedures."""

    remove: str | None
    text: str | None
    shift: int | None
    swap: bool | None
    references: int | None
    pooled: bool

    @classmethod
    def of(cls, own: Mapping[str, Any]) -> View:
        """Return the view of a procedure, given its keys."""
        remove, text, shift, swap, references = map(own.get, ("remove", "text", "shift", "swap", "references"))
        return cls(remove, text, shift, swap, references, own.get("over_references") == "pooled")


class Counting(NamedTuple):
    """How a view is counted."""

    tokenizer: Component
    lowercase: bool | str
    counter: Component
    reference_length: Component


class Units(NamedTuple):
    """What is scored of a view: the sum of the first ``segments`` or all, each segment, or each batch or document."""

    view: View
    counting: Counting
    unit: str
    segments: int | None
    batches: Any


def _counted_by(variant: Variant) -> Counting:
    return Counting(variant.tokenizer, variant.lowercase, variant.counter, variant.reference_length)


def _scored_by(variant: Variant) -> Hashable:
    keys = "smoothing", "weights", "normalize_weights", "effective_order", "brevity_penalty", "empty_score", "scale"
    return tuple(getattr(variant, key) for key in keys)


class Calculator:
    """Calculates procedures on one text, of which ``documents`` names the document of each segment, if it is known."""

    def __init__(self, read: SegmentsReader, registry: Registry, documents: Sequence[Hashable] | None = None) -> None:
        self._read = read
        self._registry = registry
        self._documents = documents
        self._variants: dict[Hashable, Variant] = {}
        self._values: dict[Hashable, float | None] = {}
        self._component = lru_cache(maxsize=None)(partial(creating.create, registry))
        self._plain_texts = lru_cache(maxsize=8)(self._removed)
        self._texts = lru_cache(maxsize=16)(self._changed)
        views = max(2, KEPT_SEGMENTS // max(1, len(self._all().hypotheses)))
        self._arranged = lru_cache(maxsize=16)(_arranged)
        self._rows = lru_cache(maxsize=views)(self._counted)
        self._units = lru_cache(maxsize=2 * views)(self._of_units)
        self._tables = lru_cache(maxsize=2 * views)(self._of_orders)
        self._penalties = lru_cache(maxsize=2 * views)(self._penalized)
        self._precisions = lru_cache(maxsize=views)(self._smoothed)

    def value(self, procedure: Procedure) -> float | None:
        """Return the score in points, 0 to 100; None if the procedure has none, because it refuses the text."""
        own, variant = procedure.own, self._variant(procedure)
        average = own.get("average") or variant.average
        others = (own.get(key) for key in ("segments", "units", "over_references", "mean", "penalty"))
        key = View.of(own), average, _counted_by(variant), _scored_by(variant), *others
        if key not in self._values:
            try:
                self._values[key] = self._calculated(variant, own, average)
            except InputError:
                self._values[key] = None
        return self._values[key]

    def facts(self, procedure: Procedure) -> dict[str, Any] | None:
        """Return what is printed beside a corpus score: precisions in percent, penalty, lengths; None of others."""
        own, variant = procedure.own, self._variant(procedure)
        is_mean = variant.is_macro or own.get("over_references") in {"mean", "max"}
        if is_mean or own.keys() & {"average", "units", "mean", "penalty"}:
            return None
        units = Units(View.of(own), _counted_by(variant), "micro", own.get("segments"), None)
        columns, rows = self._columns(units, variant), self._units(units)
        return {
            "precisions": (columns.precisions[0] * POINTS).tolist(),
            "brevity_penalty": float(columns.brevity_penalty[0]),
            "hypothesis_length": int(rows.hypothesis_length[0]),
            "reference_length": float(rows.reference_length[0]),
        }

    def _variant(self, procedure: Procedure) -> Variant:
        """Return the variant of a procedure; what averages sentences does what it does to single segments."""
        family = procedure.family
        key = family.name, *(each.words for each in procedure.deviations if each.of_variant or "average" in each.own)
        if key not in self._variants:
            keys = procedure.of_variant
            average = procedure.own.get("average") or keys.get("average", family.variant.average)
            if average != "micro":
                keys = {**family.variant.at_sentence_level().fields(), **keys}
            self._variants[key] = structs.replace(family.variant, **{**keys, "sentence": {}})
        return self._variants[key]

    def _calculated(self, variant: Variant, own: Mapping[str, Any], average: str) -> float:
        view, over = View.of(own), own.get("over_references")
        views = [view]
        if over in {"mean", "max"}:
            number = min(self._all().references.lengths())
            views = [view._replace(references=place + 1) for place in range(number)]
        batches = own.get("units")
        unit = "batches" if batches else "micro" if average == "micro" else "segments"
        of_views = [
            self._of_each_unit(Units(each, _counted_by(variant), unit, own.get("segments"), batches), variant, own)
            for each in views
        ]
        values = of_views[0] if len(views) == 1 else getattr(np, str(over))(of_views, axis=0)
        if not len(values):  # a line was shifted, and there is only one
            raise InputError("no segment to score")
        if average == "median":
            value = np.median(values)
        elif average == "positive":
            value = np.mean(values[values > 0]) if (values > 0).any() else np.float64(0)
        elif average == "macro-with-final-newline":
            value = (values.sum() + variant.empty_score) / (len(values) + 1)
        else:
            value = values.mean()
        if math.isnan(value):
            raise InputError("has no score")
        return float(value) * POINTS / variant.scale

    def _of_each_unit(self, units: Units, variant: Variant, own: Mapping[str, Any]) -> Any:
        """Return the score of each unit: the text, or its segments, batches or documents."""
        mean = own.get("mean")
        if mean == "orders":
            orders = (structs.replace(variant, weights=(1 / n,) * n) for n in (1, 2, 3, 4))
            return np.mean([self._columns(units, each).value for each in orders], axis=0)
        values, penalties, precisions = self._columns(units, variant)
        with np.errstate(divide="ignore", invalid="ignore"):
            if mean == "arithmetic":
                return variant.scale * penalties * precisions.mean(axis=1)
            if mean == "harmonic":
                return variant.scale * penalties * precisions.shape[1] / (1 / precisions).sum(axis=1)
            if own.get("penalty") == "ratio":
                rows = self._units(units)
                return values / penalties * np.minimum(1, rows.hypothesis_length / rows.reference_length)
        return values

    def _columns(self, units: Units, variant: Variant) -> ScoreColumns:
        orders = len(variant.weights)
        precisions = self._precisions(units, variant.smoothing, orders)
        if precisions is None:
            raise InputError("has no precisions")
        penalties, rows = self._penalties(units, variant.brevity_penalty), self._units(units)
        is_empty = (rows.hypothesis_length == 0) & (rows.reference_tokens == 0)
        values = np.where(is_empty, variant.empty_score, penalties * mean_columns(variant, precisions))
        return ScoreColumns(values, penalties, precisions)

    def _of_orders(self, units: Units, orders: int) -> CountsTable:
        return self._units(units).table(orders)

    def _penalized(self, units: Units, penalty: Component) -> NDArray[np.float64]:
        rows = self._units(units)
        loaded = self._component("brevity_penalty", penalty)
        return components.brevity_penalties_of_rows(loaded, rows.hypothesis_length, rows.reference_length)

    def _smoothed(self, units: Units, smoothing: Component, orders: int) -> NDArray[np.float64] | None:
        """Return the precisions; None if the smoothing refuses the counts, which is remembered, too."""
        try:
            return components.precisions_of_rows(self._component("smoothing", smoothing), self._tables(units, orders))
        except InputError:
            return None

    def _of_units(self, units: Units) -> Statistics:
        """Return the statistics of the first segments, or all: their sum, each one, or each batch or document."""
        rows = self._rows(units.view, units.counting)
        rows = rows[: units.segments] if units.segments and units.segments < len(rows) else rows
        if units.unit == "batches":
            ids = (
                self._documents if units.batches == "documents" else [n // int(units.batches) for n in range(len(rows))]
            )
            return rows.by_document((ids or ())[: len(rows)])
        return rows.sum() if units.unit == "micro" else rows

    def _counted(self, view: View, counting: Counting) -> Statistics:
        """Return the statistics of each segment up to the highest order."""
        if view.swap and self._component("counter", counting.counter).promise("clipped"):
            return self._swapped(view._replace(swap=None), counting)
        tokenizer = self._component("tokenizer", counting.tokenizer)
        if view.remove or view.text:  # which is lowercased before it is changed: to lowercase token lists is slow
            tokens = self._texts(view.remove, view.text, counting.lowercase).tokens(tokenizer, lowercase=False)
        else:
            tokens = self._texts(None, None, False).tokens(tokenizer, counting.lowercase)
        text = self._arranged(tokens, view._replace(remove=None, text=None))
        loaded = {
            kind: self._component(kind, getattr(counting, kind))
            for kind in ("tokenizer", "counter", "reference_length")
        }
        return Statistics.of_segments(MOST_ORDER, **text.columns(loaded, False, MOST_ORDER), checked=True)

    def _swapped(self, view: View, counting: Counting) -> Statistics:
        """Return the statistics of hypotheses and single references exchanged: the matches are the same."""
        rows = self._rows(view, counting)
        ours, theirs = (array("q", side.tobytes()) for side in (rows.reference_tokens, rows.hypothesis_length))
        ones = array("q", [1]) * len(ours)
        policy, counter = (self._component(kind, getattr(counting, kind)) for kind in ("reference_length", "counter"))
        lengths = components.reference_lengths(policy, ours, Grouped(theirs, up_to(len(theirs))))
        totals = np.maximum(np.array(ours)[:, None] - np.arange(MOST_ORDER), counter.promise("least_total") or 0)
        matches, counted = (array("q", side.tobytes()) for side in (rows.matches, totals))
        return Statistics.of_segments(MOST_ORDER, ours, lengths, theirs, ones, matches, counted, checked=True)

    def _changed(self, remove: str | None, change: str | None, lowercase: bool | str) -> SharedText:
        """Return the text, with what a view does before it is tokenized."""
        if not remove and not change:
            return SharedText(self._read)
        segments = self._plain_texts(remove, lowercase)
        if change:
            segments = _CHANGES[change](segments.hypotheses, segments.references)
        return SharedText(lambda _: segments)

    def _removed(self, remove: str | None, lowercase: bool | str) -> Segments:
        """Return the text lowercased, and without what is removed."""
        segments = self._all()

        def changed(texts: Sequence[Any]) -> list[Any]:
            return list(map(REMOVED[remove] if remove else str, all_lowered(texts, lowercase)))

        references: Grouped[Any] = Grouped(changed(segments.references.items), segments.references.ends)
        return Segments(changed(segments.hypotheses), references, tokenized=False)

    def _all(self) -> Segments:
        return self._read(self._component("tokenizer", Component("whitespace")))


def _characters(texts: Sequence[str]) -> PackedTokens:
    """Return each character of each text as a token."""
    content = "".join(texts).encode("utf-8", "surrogatepass")
    ends = np.flatnonzero((np.frombuffer(content + b"a", np.uint8)[1:] & 0xC0) != 0x80) + 1  # where another begins
    return PackedTokens(array("B", content + bytes(PADDING)), array("q", ends.tobytes()), ends_of(texts))


def _first(references: Grouped[str]) -> Iterator[str]:
    return (group[0] for group in references)


def _tokens(hypotheses: Sequence[Sequence[str]], references: Grouped[Sequence[str]]) -> Segments:
    return Segments(packed(hypotheses), references, tokenized=True)


def _words_as_references(hypotheses: Sequence[str], references: Grouped[str]) -> Segments:
    words = [text.split() or [""] for text in _first(references)]
    letters = Grouped(_characters(list(chain.from_iterable(words))), ends_of(words))
    return _tokens(list(map(str.split, hypotheses)), letters)


_CHANGES: Mapping[str, Callable[[Any, Grouped[Any]], Segments]] = {
    "characters": lambda hypotheses, references: _tokens(
        _characters(hypotheses), Grouped(_characters(references.items), references.ends)
    ),
    "joined": lambda hypotheses, references: Segments(
        [" ".join(hypotheses)],
        grouped([[" ".join(texts) for texts in zip(*references, strict=False)]]),
        tokenized=False,
    ),
    "first hypothesis": lambda hypotheses, references: Segments(
        hypotheses[:1], grouped([list(_first(references))]), tokenized=False
    ),
    "words as references": _words_as_references,
    "characters of references": lambda hypotheses, references: _tokens(
        list(map(str.split, hypotheses)), Grouped(_characters(references.items), references.ends)
    ),
}


def _arranged(tokens: Segments, view: View) -> SharedText:
    """Return the pairs of hypotheses and references that a view counts."""
    hypotheses, references = packed(tokens.hypotheses), packed(tokens.references.items)
    ends = np.asarray(tokens.references.ends)
    starts, places = np.concatenate([[0], ends[:-1]]), np.arange(len(ends))
    if view.shift:
        first, second = (slice(-1), slice(1, None))[:: view.shift]
        places, starts, ends = places[first], starts[second], ends[second]
    sizes = np.ones(len(places), np.int64) if view.references else ends - starts
    chosen = starts + view.references - 1 if view.references else np.arange(starts[0], ends[-1]) if len(ends) else ends
    if view.pooled:
        places, sizes = places.repeat(sizes), np.ones(len(chosen), np.int64)
    hypotheses, references = _selected(hypotheses, places), _selected(references, chosen)
    if view.swap:
        hypotheses, references = references, hypotheses
    arranged = Segments(hypotheses, Grouped(references, array("q", sizes.cumsum().tobytes())), tokenized=True)
    return SharedText(lambda _: arranged)


def _selected(tokens: PackedTokens, texts: NDArray[np.int64]) -> PackedTokens:
    return tokens if np.array_equal(texts, np.arange(len(tokens))) else select_texts(tokens, texts)
