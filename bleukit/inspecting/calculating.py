"""The scores of many procedures on one text, step by step: what several need is computed once, and then forgotten."""

from __future__ import annotations

import math
from array import array
from contextlib import suppress
from functools import lru_cache, partial
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from msgspec import structs

from bleukit.counting import components, segment_columns
from bleukit.counting.columns import up_to
from bleukit.counting.lowercasing import all_lowered
from bleukit.counting.packed import PADDING, Grouped, PackedTokens, ends_of, grouped, packed, select_texts
from bleukit.counting.segment_columns import Segments
from bleukit.errors import InputError
from bleukit.inspecting.procedures import procedure_of
from bleukit.inspecting.published_score import POINTS
from bleukit.loading import creating
from bleukit.loading.registry import installed
from bleukit.scoring import mean_columns
from bleukit.statistics import Statistics
from bleukit.text.arguments import check_segments
from bleukit.text.arranging import REMOVED

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from bleukit.counting.segment_columns import MatchesAndTotals
    from bleukit.counting.shared_text import SegmentsReader
    from bleukit.inspecting.procedures import Procedure
    from bleukit.loading.creating import LoadedComponent
    from bleukit.loading.registry import Registry
    from bleukit.protocols import References, Text
    from bleukit.text.layouts import Layout
    from bleukit.variant import Component

ItemT = TypeVar("ItemT")
KeyT = TypeVar("KeyT")

MOST_ORDER = 6
"""The highest n-gram order that procedures weigh."""


JOINED = frozenset({"mean", "max", "best"})
"""How the scores by single references become one; "best" is the greatest of their averages."""


class View(NamedTuple):
    """How a text becomes tokens: what changes it, by keys of procedures, and then the tokenizer."""

    remove: str | None
    text: str | None
    tokenizer: Component
    lowercase: bool | str


class Pairs(NamedTuple):
    """Which hypotheses and references are counted together: those of other lines, or each reference ``apart``."""

    shift: int | None
    apart: bool


class Counting(NamedTuple):
    """How n-grams and reference lengths are counted."""

    counter: Component
    reference_length: Component


class Rows(NamedTuple):
    """Which rows of statistics are scored, and what is summed before: the whole text, single segments, or batches.

    ``by_reference`` says that each unit is scored by each reference.
    """

    reference: int | None
    swap: bool | None
    by_reference: bool
    segments: int | None
    unit: str | int


class Scoring(NamedTuple):
    """How precisions and penalty of a unit become its score."""

    weights: tuple[float, ...]
    effective_order: bool
    scale: float
    empty_score: float
    mean: str | None
    penalty: str | None


class Averaging(NamedTuple):
    """How the scores of units and references become one score; ``segments`` are the first ones, None for all."""

    segments: int | None
    over_references: str | None
    average: str


class Plan(NamedTuple):
    """The steps of a procedure from text to score, in their order; equal plans give equal scores."""

    view: View
    pairs: Pairs
    counting: Counting
    rows: Rows
    brevity_penalty: Component
    smoothing: tuple[Component, int]
    scoring: Scoring
    averaging: Averaging


def _plan_of(procedure: Procedure) -> Plan:
    """Return the steps of a procedure; what averages sentences does what it does to single segments."""
    own, keys, family = procedure.own, procedure.of_variant, procedure.family
    average = own.get("average") or keys.get("average", family.variant.average)
    start = family.variant if average == "micro" else family.of_sentences
    variant = structs.replace(start, **{**keys, "sentence": {}})
    over, segments = own.get("over_references"), own.get("segments")
    unit = own.get("units") or ("text" if average == "micro" else "segments")
    return Plan(
        View(own.get("remove"), own.get("text"), variant.tokenizer, variant.lowercase),
        Pairs(own.get("shift"), apart="reference" in own or over is not None),
        Counting(variant.counter, variant.reference_length),
        Rows(
            own.get("reference"),
            own.get("swap"),
            over in JOINED,
            None if unit == "segments" else segments,
            unit,
        ),
        variant.brevity_penalty,
        (variant.smoothing, len(variant.weights)),
        Scoring(
            variant.weights_used,
            variant.effective_order,
            variant.scale,
            variant.empty_score,
            own.get("mean"),
            own.get("penalty"),
        ),
        Averaging(segments if unit == "segments" else None, over if over in JOINED else None, average),
    )


class Planned(NamedTuple):
    """A procedure with its steps, and its place among all that are tried, by rising price."""

    place: int
    plan: Plan
    procedure: Procedure


class Calculated(NamedTuple):
    """The score of a procedure in points, 0 to 100, and the facts that are printed beside the score of a text.

    These are precisions in percent, brevity penalty and lengths; None if they were not asked for, or for other scores.
    """

    points: float
    facts: Mapping[str, Any] | None = None


class _Counted(NamedTuple):
    """The statistics of each pair, where those of each segment of the text begin, and what counted them."""

    rows: Statistics
    starts: NDArray[np.int64]
    counter: LoadedComponent
    reference_length: LoadedComponent


class _Units(NamedTuple):
    """The statistics of each unit, or of each by each of so many references, and what is computed of them."""

    rows: Statistics
    references: int
    penalties: NDArray[np.float64] = np.ones(0)
    smoothing: Component | None = None
    precisions: NDArray[np.float64] = np.ones(0)
    scoring: Scoring | None = None
    scores: NDArray[np.float64] = np.ones(0)


class _Pairs:
    """Hypotheses with their references, and where those of each segment of the text begin."""

    def __init__(self, tokens: Segments, shift: int | None, *, apart: bool) -> None:
        hypotheses, references = packed(tokens.hypotheses), packed(tokens.references.items)
        ends = np.asarray(tokens.references.ends)
        starts, places = np.concatenate([[0], ends[:-1]]), np.arange(len(ends))
        if shift:
            first, second = (slice(-1), slice(1, None))[::shift]
            places, starts, ends = places[first], starts[second], ends[second]
            hypotheses = select_texts(hypotheses, places)
            references = select_texts(references, np.arange(starts[0], ends[-1]) if len(ends) else ends)
            starts, ends = (side - starts[:1] for side in (starts, ends))
        if apart:
            hypotheses = select_texts(hypotheses, np.arange(len(ends)).repeat(ends - starts))
            ends = np.arange(1, len(hypotheses) + 1)
        self.segments = Segments(hypotheses, Grouped(references, array("q", ends.tobytes())), tokenized=True)
        self.starts = starts if apart else np.arange(len(ends))

    def matches(self, counter: LoadedComponent) -> MatchesAndTotals:
        """Return the matches and totals of each pair; clipped matches are those of every such counter."""
        if not counter.promise("clipped"):
            return segment_columns.count_ngrams(self.segments, counter, MOST_ORDER)
        if self._clipped is None:
            self._clipped, _ = segment_columns.count_ngrams(self.segments, counter, MOST_ORDER)
        return self._clipped, _totals(self.segments.lengths[0], counter)

    _clipped: array[int] | None = None


def reproduce(
    variant: str | PathLike[str],
    hypotheses: Sequence[Text],
    references: Sequence[References],
    *,
    references_by: Layout | None = None,
    documents: Sequence[Hashable] | None = None,
    **keys: Any,
) -> float:
    """Return the score of a text by a procedure as :func:`bleukit.identify` prints it, in the scale of the variant.

    ``variant`` is a name or a path, hypotheses and references are what :meth:`bleukit.Metric.corpus` takes. ``keys``
    are those of variants, and others that the list of prices has: ``text="characters"``, ``swap=True``,
    ``average="median"``. ``documents`` names the document of each segment, for ``units="documents"``. Raises InputError
    for a wrong value, and if the procedure cannot score the text; VariantError for a wrong key.
    """
    registry = installed()
    procedure = procedure_of(variant, keys, registry)
    segments = check_segments(hypotheses, references, references_by=references_by)
    [of_view] = by_view([procedure])
    for _, result in Calculator(lambda _: segments, registry, documents).calculated(of_view):
        return result.points * procedure.family.variant.scale / POINTS
    raise InputError("this procedure gives the text no score")


def by_view(procedures: Iterable[Procedure]) -> list[list[Planned]]:
    """Return procedures, given by rising price, with their steps: those with the same tokens together."""
    planned = (Planned(place, _plan_of(procedure), procedure) for place, procedure in enumerate(procedures))
    return list(_grouped(planned, lambda each: each.plan.view).values())


class Calculator:
    """Calculates procedures on one text, of which ``documents`` names the document of each segment, if it is known."""

    def __init__(
        self,
        read: SegmentsReader,
        registry: Registry,
        documents: Sequence[Hashable] | None = None,
        *,
        with_facts: bool = False,
    ) -> None:
        self._read = read
        self._documents = documents
        self._with_facts = with_facts
        self._component = lru_cache(maxsize=None)(partial(creating.create, registry))
        self._makers: Sequence[Callable[[Any, Any], Any]] = (
            self._tokens,
            self._paired,
            self._counted,
            self._summed,
            self._penalized,
            self._smoothed,
            self._scored,
            self._averaged,
        )
        self._changed = lru_cache(maxsize=16)(partial(_changed, read))
        self._known: dict[Hashable, Calculated] = {}
        """What was calculated, by the tokens and the steps from there: several tokenizers may make the same tokens."""

    def calculated(self, planned: Sequence[Planned]) -> Iterator[tuple[Planned, Calculated]]:
        """Yield procedures, all of one view, with their scores; those that refuse the text are left out."""
        if not planned:
            return
        with suppress(InputError):
            tokens = self._tokens(self._read, planned[0].plan.view)
            content = hash(tuple(map(bytes, _buffers(tokens))))
            plans = [each.plan for each in planned if (content, each.plan[1:]) not in self._known]
            for plan, result in self._followed(plans, 1, tokens):
                self._known[content, plan[1:]] = result
            for each in planned:
                if result := self._known.get((content, each.plan[1:])):
                    yield each, result

    def _followed(self, plans: Sequence[Plan], step: int, made: Any) -> Iterator[tuple[Plan, Any]]:
        """Follow plans whose steps before are the same, and have ``made`` something; yield what each makes at last."""
        if step == len(Plan._fields):
            yield from ((plan, made) for plan in plans)
            return
        follow = self._makers[step]
        for key, group in _grouped(plans, itemgetter(step)).items():
            with suppress(InputError):
                yield from self._followed(group, step + 1, follow(made, key))

    def _tokens(self, read: SegmentsReader, view: View) -> Segments:
        """Return the text as packed tokens."""
        tokenizer, lowercase = self._component("tokenizer", view.tokenizer), view.lowercase
        segments = read(tokenizer)
        if view.remove or view.text:  # which is lowercased before it is changed: to lowercase token lists is slow
            segments, lowercase = self._changed(view.remove, view.text, lowercase), False
        made = segment_columns.tokenize_segments(segments, tokenizer, lowercase)
        references = Grouped(packed(made.references.items), made.references.ends)
        return Segments(packed(made.hypotheses), references, tokenized=True)

    def _paired(self, tokens: Segments, pairs: Pairs) -> _Pairs:
        return _Pairs(tokens, pairs.shift, apart=pairs.apart)

    def _counted(self, pairs: _Pairs, counting: Counting) -> _Counted:
        """Return the statistics of each pair, up to the highest order."""
        counter = self._component("counter", counting.counter)
        policy = self._component("reference_length", counting.reference_length)
        effective = segment_columns.effective_reference_lengths(pairs.segments, policy)
        columns = segment_columns.statistics_columns(pairs.segments, effective, pairs.matches(counter))
        return _Counted(Statistics.of_segments(MOST_ORDER, **columns, checked=True), pairs.starts, counter, policy)

    def _summed(self, counted: _Counted, chosen: Rows) -> _Units:
        """Return the statistics of each unit; those by the references of a unit are neighbours."""
        rows, references = counted.rows, 1
        if chosen.reference:
            rows = rows[counted.starts + chosen.reference - 1]
        elif chosen.by_reference:
            references = len(rows) // len(counted.starts)
        if chosen.swap:
            rows = _exchanged(rows, counted)
        rows = rows[: chosen.segments * references] if chosen.segments else rows
        units = np.arange(len(rows) // references)
        if chosen.unit == "segments":
            return _Units(rows, references)
        if chosen.unit == "text" and references == 1:
            return _Units(rows.sum(), references)
        if chosen.unit == "documents":
            names = {name: number for number, name in enumerate(dict.fromkeys(self._documents or ()))}
            units = np.array([names[name] for name in self._documents or ()], np.int64)[: len(units)]
        else:
            units = units * 0 if chosen.unit == "text" else units // int(chosen.unit)
        by_reference = units[:, None] * references + np.arange(references)
        return _Units(rows.by_document(by_reference.ravel().tolist()), references)

    def _penalized(self, units: _Units, chosen: Component) -> _Units:
        loaded, rows = self._component("brevity_penalty", chosen), units.rows
        penalties = components.brevity_penalties_of_rows(loaded, rows.hypothesis_length, rows.reference_length)
        return units._replace(penalties=penalties)

    def _smoothed(self, units: _Units, chosen: tuple[Component, int]) -> _Units:
        smoothing, orders = chosen
        return units._replace(smoothing=smoothing, precisions=self._precisions(units, smoothing, orders))

    def _precisions(self, units: _Units, smoothing: Component | None, orders: int) -> NDArray[np.float64]:
        loaded = self._component("smoothing", smoothing)
        return components.precisions_of_rows(loaded, units.rows.table(orders))

    def _averaged(self, units: _Units, chosen: Averaging) -> Calculated:
        """Return the score of all units. Raises InputError if there is none."""
        scoring, scores = units.scoring, units.scores.reshape(-1, units.references)[: chosen.segments]
        assert scoring, "the scores are there"  # noqa: S101
        if not len(scores):  # a line was shifted, and there is only one
            raise InputError("no segment to score")
        if chosen.over_references in {"mean", "max"}:
            scores = getattr(np, chosen.over_references)(scores, axis=1, keepdims=True)
        value = max(_average(of_reference, chosen.average, scoring.empty_score) for of_reference in scores.T)
        if math.isnan(value):
            raise InputError("has no score")
        is_plain = not (scoring.mean or scoring.penalty) and chosen.average == "micro" and len(units.rows) == 1
        facts = _facts(units) if self._with_facts and is_plain else None
        return Calculated(value * POINTS / scoring.scale, facts)

    def _scored(self, units: _Units, scoring: Scoring) -> _Units:
        return units._replace(scoring=scoring, scores=self._values(units, scoring))

    def _values(self, units: _Units, scoring: Scoring) -> Any:
        """Return the score of each unit."""
        rows, penalties, precisions = units.rows, units.penalties, units.precisions
        rules: dict[str, Any] = {"effective_order": scoring.effective_order, "scale": scoring.scale}
        if scoring.mean == "orders":
            of_orders = ((n, self._precisions(units, units.smoothing, n)) for n in (1, 2, 3, 4))
            return penalties * np.mean([mean_columns(each, (1 / n,) * n, **rules) for n, each in of_orders], axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            if scoring.mean == "arithmetic":
                return scoring.scale * penalties * precisions.mean(axis=1)
            if scoring.mean == "harmonic":
                return scoring.scale * penalties * precisions.shape[1] / (1 / precisions).sum(axis=1)
            if scoring.penalty == "ratio":
                penalties = np.minimum(1, rows.hypothesis_length / rows.reference_length)
        means = mean_columns(precisions, scoring.weights, **rules)
        is_empty = (rows.hypothesis_length == 0) & (rows.reference_tokens == 0)
        return np.where(is_empty, scoring.empty_score, penalties * means)


def _average(scores: NDArray[np.float64], average: str, empty_score: float) -> float:
    """Return the average of the scores of units."""
    if average == "median":
        return float(np.median(scores))
    if average == "positive":
        scores = scores[scores > 0]
        return float(scores.mean()) if len(scores) else 0.0
    if average == "macro-with-final-newline":
        return float(scores.sum() + empty_score) / (len(scores) + 1)
    return float(scores.mean())


def _facts(units: _Units) -> dict[str, Any]:
    return {
        "precisions": (units.precisions[0] * POINTS).tolist(),
        "brevity_penalty": float(units.penalties[0]),
        "hypothesis_length": int(units.rows.hypothesis_length[0]),
        "reference_length": float(units.rows.reference_length[0]),
    }


def _buffers(tokens: Segments) -> Iterator[array[int]]:
    yield tokens.references.ends
    for side in (tokens.hypotheses, tokens.references.items):
        yield from (side.characters, side.token_ends, side.text_ends)  # type: ignore[attr-defined]


def _grouped(items: Iterable[ItemT], key: Callable[[ItemT], KeyT]) -> dict[KeyT, list[ItemT]]:
    """Return the items with each key, in the order in which they come."""
    groups: dict[KeyT, list[ItemT]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _totals(lengths: Sequence[int], counter: LoadedComponent) -> array[int]:
    """Return the totals of clipped counts of hypotheses of some lengths."""
    totals = np.asarray(lengths)[:, None] - np.arange(MOST_ORDER)
    return array("q", np.maximum(totals, counter.promise("least_total") or 0).tobytes())


def _exchanged(rows: Statistics, counted: _Counted) -> Statistics:
    """Return the statistics of hypotheses and single references exchanged: clipped matches are the same.

    Raises InputError for other matches.
    """
    if not counted.counter.promise("clipped"):
        raise InputError("is not counted the other way round")
    ours, theirs = (array("q", side.tobytes()) for side in (rows.reference_tokens, rows.hypothesis_length))
    lengths = components.reference_lengths(counted.reference_length, ours, Grouped(theirs, up_to(len(theirs))))
    ones, matches = array("q", [1]) * len(ours), array("q", rows.matches.tobytes())
    totals = _totals(ours, counted.counter)
    return Statistics.of_segments(MOST_ORDER, ours, lengths, theirs, ones, matches, totals, checked=True)


def _changed(read: SegmentsReader, remove: str | None, change: str | None, lowercase: bool | str) -> Segments:
    """Return the text lowercased, without what is removed, and then changed."""
    segments = read(None)

    def changed(texts: Sequence[Any]) -> list[Any]:
        return list(map(REMOVED[remove] if remove else str, all_lowered(texts, lowercase)))

    hypotheses = changed(segments.hypotheses)
    references: Grouped[Any] = Grouped(changed(segments.references.items), segments.references.ends)
    return _CHANGES[change](hypotheses, references) if change else Segments(hypotheses, references, tokenized=False)


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
