"""The scores of many procedures on one text: each view of the text is counted once, for all that need it."""

from __future__ import annotations

import math
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import structs

from bleukit.counting import components
from bleukit.counting.lowercasing import lowered
from bleukit.counting.packed import Grouped, ends_of, packed, select_texts
from bleukit.counting.segment_columns import Segments
from bleukit.counting.shared_text import SharedText
from bleukit.errors import InputError
from bleukit.inspecting.published_score import POINTS
from bleukit.loading import creating, loader
from bleukit.metric import Bleu
from bleukit.scoring import score_columns
from bleukit.text.arguments import check_segments
from bleukit.text.arranging import REMOVED
from bleukit.variant import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from bleukit.counting.shared_text import SegmentsReader
    from bleukit.inspecting.procedures import Procedure
    from bleukit.loading.registry import Registry
    from bleukit.protocols import CountsTable
    from bleukit.scoring import ScoreColumns
    from bleukit.statistics import Statistics
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
        self._plain = structs.replace(
            loader.load_variant("wikipedia", registry, {}).variant, weights=(1 / MOST_ORDER,) * MOST_ORDER
        )
        self._component = lru_cache(maxsize=None)(partial(creating.create, registry))
        self._texts = lru_cache(maxsize=16)(self._changed)
        views = max(2, KEPT_SEGMENTS // max(1, len(self._all().hypotheses)))
        self._rows = lru_cache(maxsize=views)(self._counted)
        self._units = lru_cache(maxsize=2 * views)(self._of_units)
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
        key = family.name, *(id(each) for each in procedure.deviations if each.of_variant or "average" in each.own)
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
        loaded = {kind: self._component(kind, getattr(variant, kind)) for kind in ("smoothing", "brevity_penalty")}
        counts, precisions = self._precisions(units, variant.smoothing, len(variant.weights))
        return score_columns(variant, loaded, counts, self._units(units).reference_tokens, precisions)

    def _smoothed(self, units: Units, smoothing: Component, orders: int) -> tuple[CountsTable, NDArray[np.float64]]:
        counts = self._units(units).table(orders)
        return counts, components.precisions_of_rows(self._component("smoothing", smoothing), counts)

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
        tokenizer = self._component("tokenizer", counting.tokenizer)
        if view.remove or view.text:  # which is lowercased before it is changed: to lowercase token lists is slow
            tokens = self._texts(view.remove, view.text, counting.lowercase).tokens(tokenizer, lowercase=False)
        else:
            tokens = self._texts(None, None, False).tokens(tokenizer, counting.lowercase)
        tokens = _arranged(tokens, view)
        variant = structs.replace(self._plain, counter=counting.counter, reference_length=counting.reference_length)
        return Bleu(loader.load_variant(variant, self._registry, {})).count(SharedText(lambda _: tokens))

    def _changed(self, remove: str | None, change: str | None, lowercase: bool | str) -> SharedText:
        """Return the text, with what a view does before it is tokenized."""
        if not remove and not change:
            return SharedText(self._read)
        segments = self._all()
        each = REMOVED[remove] if remove else str

        def changed(text: Any) -> str:
            return each(lowered(text, lowercase))

        hypotheses = list(map(changed, segments.hypotheses))
        references = [list(map(changed, group)) for group in segments.references]
        if change:
            hypotheses, references = _CHANGES[change](hypotheses, references)
        changed_segments = check_segments(hypotheses, references, references_by="segment")
        return SharedText(lambda _: changed_segments)

    def _all(self) -> Segments:
        return self._read(self._component("tokenizer", Component("whitespace")))


_CHANGES: Mapping[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "characters": lambda hypotheses, references: (
        list(map(list, hypotheses)),
        [list(map(list, group)) for group in references],
    ),
    "joined": lambda hypotheses, references: (
        [" ".join(hypotheses)],
        [[" ".join(texts) for texts in zip(*references, strict=False)]],
    ),
    "first hypothesis": lambda hypotheses, references: (hypotheses[:1], [[group[0] for group in references]]),
    "words as references": lambda hypotheses, references: (
        list(map(str.split, hypotheses)),
        [list(map(list, group[0].split())) or [[]] for group in references],
    ),
    "characters of references": lambda hypotheses, references: (
        list(map(str.split, hypotheses)),
        [list(map(list, group)) for group in references],
    ),
}


def _arranged(tokens: Segments, view: View) -> Segments:
    """Return the pairs of hypotheses and references that a view counts."""
    if not (view.shift or view.swap or view.references or view.pooled):
        return Segments(tokens.hypotheses, tokens.references, tokenized=True)
    ends = tokens.references.ends.tolist()
    groups = [list(range(start, end)) for start, end in zip([0, *ends], ends, strict=False)]
    places = list(range(len(groups)))
    if view.shift:
        first, second = (slice(-1), slice(1, None))[:: view.shift]
        places, groups = places[first], groups[second]
    if view.references:
        groups = [group[view.references - 1 : view.references] for group in groups]
    if view.pooled:
        places = [place for place, group in zip(places, groups, strict=True) for _ in group]
        groups = [[number] for group in groups for number in group]
    hypotheses = select_texts(packed(tokens.hypotheses), np.array(places, np.int64))
    flat = np.array([*chain.from_iterable(groups)], np.int64)
    references = select_texts(packed(tokens.references.items), flat)
    if view.swap:
        hypotheses, references = references, hypotheses
        groups = [[place] for place in range(len(places))]
    return Segments(hypotheses, Grouped(references, ends_of(groups)), tokenized=True)
