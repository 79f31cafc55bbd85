"""The scores of many procedures on one text, step by step: what several need is computed once, and then forgotten."""

from __future__ import annotations

import math
from array import array
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from bleukit.counting import components, ngrams, segment_columns
from bleukit.counting.columns import up_to
from bleukit.counting.lowercasing import all_lowered
from bleukit.counting.packed import PADDING, Grouped, PackedTokens, ends_of, grouped, packed, select_texts
from bleukit.counting.segment_columns import Segments
from bleukit.errors import InputError
from bleukit.inspecting.procedures import OF_TOKENS, procedure_of
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

    from bleukit.counting.shared_text import SegmentsReader
    from bleukit.inspecting.procedures import Procedure, Steps
    from bleukit.loading.creating import LoadedComponent
    from bleukit.protocols import References, Text
    from bleukit.text.layouts import Layout

ItemT = TypeVar("ItemT")
KeyT = TypeVar("KeyT")
MadeT = TypeVar("MadeT")

MOST_ORDER = 6
"""The highest n-gram order that procedures weigh."""


class Calculated(NamedTuple):
    """The score of a procedure in points, 0 to 100, and a function of the facts that are printed beside it.

    These are precisions in percent, brevity penalty and lengths; only a score of one unit by the formula has them.
    """

    points: float
    facts: Callable[[], Mapping[str, Any]] | None


class _Counted(NamedTuple):
    """The statistics of each pair, where those of each segment of the text begin, and what counted them."""

    rows: Statistics
    starts: NDArray[np.int64]
    counter: LoadedComponent
    reference_length: LoadedComponent


class _Units(NamedTuple):
    """The statistics of each unit, or of each by each of so many references."""

    rows: Statistics
    references: int


class _Pairs:
    """Hypotheses with their references, and where those of each segment of the text begin."""

    def __init__(self, tokens: Segments, steps: Steps) -> None:
        hypotheses, references = packed(tokens.hypotheses), packed(tokens.references.items)
        ends = np.asarray(tokens.references.ends)
        starts, places = np.concatenate([[0], ends[:-1]]), np.arange(len(ends))
        if steps.shift:
            first, second = (slice(-1), slice(1, None))[:: steps.shift]
            places, starts, ends = places[first], starts[second], ends[second]
            hypotheses = select_texts(hypotheses, places)
            references = select_texts(references, np.arange(starts[0], ends[-1]) if len(ends) else ends)
            starts, ends = (side - starts[:1] for side in (starts, ends))
        if steps.apart:
            hypotheses = select_texts(hypotheses, np.arange(len(ends)).repeat(ends - starts))
            ends = np.arange(1, len(hypotheses) + 1)
        self.segments = Segments(hypotheses, Grouped(references, array("q", ends.tobytes())), tokenized=True)
        self.starts = starts if steps.apart else np.arange(len(ends))

    @cached_property
    def clipped(self) -> array[int]:
        """The matches of all counters that promise clipped counts."""
        matches, _ = ngrams.count_batch(self.segments.hypotheses, self.segments.references, MOST_ORDER)
        return array("q", np.asarray(matches, np.int64).tobytes())


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
    procedure = procedure_of(variant, keys)
    segments = check_segments(hypotheses, references, references_by=references_by)
    for _, result in Calculator(lambda _: segments, documents).calculated([procedure]):
        return result.points * procedure.family.variant.scale / POINTS
    raise InputError("this procedure gives the text no score")


def by_view(procedures: Iterable[Procedure]) -> list[list[Procedure]]:
    """Return those of some procedures together that have the same tokens."""
    return list(_grouped(procedures, lambda each: each.steps[:OF_TOKENS]).values())


class Calculator:
    """Calculates procedures on one text, of which ``documents`` names the document of each segment, if it is known."""

    def __init__(self, read: SegmentsReader, documents: Sequence[Hashable] | None = None) -> None:
        self._read = read
        self._documents = documents
        self._component = lru_cache(maxsize=None)(partial(creating.create, installed()))
        self._changed = lru_cache(maxsize=16)(partial(_changed, read))
        self._known: dict[int, dict[Hashable, Calculated]] = {}
        """What was calculated, by the tokens and the steps from there: several tokenizers may make the same tokens."""

    def calculated(self, procedures: Sequence[Procedure]) -> Iterator[tuple[Procedure, Calculated]]:
        """Yield procedures, all of one view, with their scores; those that refuse the text are left out."""
        if not procedures:
            return
        with suppress(InputError):
            tokens = self._tokens(procedures[0].steps)
            known = self._known.setdefault(hash(tuple(map(bytes, _buffers(tokens)))), {})
            groups = _grouped(procedures, lambda each: each.steps[OF_TOKENS:])
            new = [group[0].steps for key, group in groups.items() if key not in known]
            for steps, result in self._followed(tokens, new):
                known[steps[OF_TOKENS:]] = result
            for key, group in groups.items():
                if score := known.get(key):
                    yield from ((procedure, score) for procedure in group)

    def _followed(self, tokens: Segments, steps: Iterable[Steps]) -> Iterator[tuple[Steps, Calculated]]:
        """Yield the score of each; what several need is computed once, and forgotten when they have it."""
        for pairs, of_pairs in _each(steps, _PAIRING, partial(_Pairs, tokens)):
            for counted, of_counts in _each(of_pairs, _COUNTING, partial(self._counted, pairs)):
                for units, of_units in _each(of_counts, _SUMMING, partial(self._summed, counted)):
                    yield from self._scored(units, of_units)

    def _scored(self, units: _Units, steps: Iterable[Steps]) -> Iterator[tuple[Steps, Calculated]]:
        """Yield the score of each, given the statistics of units."""
        rows = units.rows
        for penalties, of_penalties in _each(steps, _PENALIZING, partial(self._penalties, rows)):
            for precisions, of_precisions in _each(of_penalties, _SMOOTHING, partial(self._precisions, rows)):
                values = partial(self._values, rows, penalties, precisions)
                for scores, of_scores in _each(of_precisions, _WEIGHING, values):
                    average = partial(_averaged, scores.reshape(-1, units.references))
                    for points, same in _each(of_scores, _AVERAGING, average):
                        is_plain = same[0].average == "micro" and not (same[0].mean or same[0].penalty)
                        has_facts = is_plain and len(rows) == 1
                        facts = partial(_facts, rows, penalties, precisions) if has_facts else None
                        yield from ((each, Calculated(points, facts)) for each in same)

    def _tokens(self, steps: Steps) -> Segments:
        """Return the text as packed tokens."""
        tokenizer, lowercase = self._component("tokenizer", steps.tokenizer), steps.lowercase
        segments = self._read(tokenizer)
        if steps.remove or steps.text:  # which is lowercased before it is changed: to lowercase token lists is slow
            segments, lowercase = self._changed(steps.remove, steps.text, lowercase), False
        made = segment_columns.tokenize_segments(segments, tokenizer, lowercase)
        references = Grouped(packed(made.references.items), made.references.ends)
        return Segments(packed(made.hypotheses), references, tokenized=True)

    def _counted(self, pairs: _Pairs, steps: Steps) -> _Counted:
        """Return the statistics of each pair, up to the highest order."""
        counter = self._component("counter", steps.counter)
        policy = self._component("reference_length", steps.reference_length)
        effective = segment_columns.effective_reference_lengths(pairs.segments, policy)
        if counter.promise("clipped"):
            counts = pairs.clipped, _totals(pairs.segments.lengths[0], counter)
        else:
            counts = segment_columns.count_ngrams(pairs.segments, counter, MOST_ORDER)
        columns = segment_columns.statistics_columns(pairs.segments, effective, counts)
        return _Counted(Statistics.of_segments(MOST_ORDER, **columns, checked=True), pairs.starts, counter, policy)

    def _summed(self, counted: _Counted, steps: Steps) -> _Units:
        """Return the statistics of each unit; those by the references of a unit are neighbours."""
        rows, references, unit = counted.rows, 1, steps.unit
        if steps.reference:
            if np.diff(counted.starts, append=len(rows)).min(initial=steps.reference) < steps.reference:
                raise InputError(f"a segment has no reference {steps.reference}")
            rows = rows[counted.starts + steps.reference - 1]
        elif steps.by_reference:
            references = len(rows) // len(counted.starts)
        if steps.swap:
            rows = _exchanged(rows, counted)
        rows = rows[: steps.first * references] if steps.first else rows
        if unit == "segments":
            return _Units(rows, references)
        if unit == "text" and references == 1:
            return _Units(rows.sum(), references)
        units = np.arange(len(rows) // references)
        if unit == "documents":
            names = {name: number for number, name in enumerate(dict.fromkeys(self._documents or ()))}
            units = np.array([names[name] for name in self._documents or ()], np.int64)[: len(units)]
        else:
            units = units * 0 if unit == "text" else units // int(unit)
        by_reference = units[:, None] * references + np.arange(references)
        return _Units(rows.by_document(by_reference.ravel().tolist()), references)

    def _penalties(self, rows: Statistics, steps: Steps) -> NDArray[np.float64]:
        if steps.penalty == "ratio":
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.minimum(1, rows.hypothesis_length / rows.reference_length)
        loaded = self._component("brevity_penalty", steps.brevity_penalty)
        return components.brevity_penalties_of_rows(loaded, rows.hypothesis_length, rows.reference_length)

    def _precisions(self, rows: Statistics, steps: Steps, orders: int | None = None) -> NDArray[np.float64]:
        table = rows.table(orders or steps.orders)
        return components.precisions_of_rows(self._component("smoothing", steps.smoothing), table)

    def _values(
        self, rows: Statistics, penalties: NDArray[np.float64], precisions: NDArray[np.float64], steps: Steps
    ) -> Any:
        """Return the score of each unit."""
        mean = partial(mean_columns, effective_order=steps.effective_order, scale=steps.scale)
        if steps.mean == "orders":
            means = [mean(self._precisions(rows, steps, n), (1 / n,) * n) for n in (1, 2, 3, 4)]
            return penalties * np.mean(means, axis=0)
        if steps.mean == "arithmetic":
            return steps.scale * penalties * precisions.mean(axis=1)
        if steps.mean == "harmonic":
            with np.errstate(divide="ignore", invalid="ignore"):
                return steps.scale * penalties * precisions.shape[1] / (1 / precisions).sum(axis=1)
        is_empty = (rows.hypothesis_length == 0) & (rows.reference_tokens == 0)
        return np.where(is_empty, steps.empty_score, penalties * mean(precisions, steps.weights_used))


_PAIRING = attrgetter("shift", "apart")
_COUNTING = attrgetter("counter", "reference_length")
_SUMMING = attrgetter("reference", "by_reference", "swap", "first", "unit")
_SMOOTHING = attrgetter("smoothing", "orders")
_PENALIZING = attrgetter("brevity_penalty", "penalty")
_WEIGHING = attrgetter("weights_used", "mean", "effective_order", "scale", "empty_score")
_AVERAGING = attrgetter("average", "over_references", "segments")
"""What each part of the way to a score depends on."""


def _each(
    steps: Iterable[Steps], key: Callable[[Steps], Hashable], make: Callable[[Steps], MadeT]
) -> Iterator[tuple[MadeT, list[Steps]]]:
    """Yield what is made for those with the same key, and these; those that refuse the text are left out."""
    for same in _grouped(steps, key).values():
        try:
            made = make(same[0])
        except InputError:
            continue
        yield made, same


def _averaged(scores: NDArray[np.float64], steps: Steps) -> float:
    """Return the average of the scores of units, a column for each reference. Raises InputError if there is none."""
    if steps.unit == "segments":
        scores = scores[: steps.segments]
    if not len(scores):  # a line was shifted, and there is only one
        raise InputError("no segment to score")
    if steps.over_references in {"mean", "max"}:
        scores = getattr(np, steps.over_references)(scores, axis=1, keepdims=True)
    value = max(_average(of_reference, steps.average, steps.empty_score) for of_reference in scores.T)
    if math.isnan(value):
        raise InputError("has no score")
    return value * POINTS / steps.scale


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


def _facts(rows: Statistics, penalties: NDArray[np.float64], precisions: NDArray[np.float64]) -> dict[str, Any]:
    return {
        "precisions": (precisions[0] * POINTS).tolist(),
        "brevity_penalty": float(penalties[0]),
        "hypothesis_length": int(rows.hypothesis_length[0]),
        "reference_length": float(rows.reference_length[0]),
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
