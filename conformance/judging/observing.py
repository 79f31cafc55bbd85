"""What a variant gives for the input of a case, stage by stage; :mod:`.runner` judges it."""

from __future__ import annotations

import warnings
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import bleukit
from bleukit.counting.lowercasing import lowered
from bleukit.statistics import Statistics
from bleukit.variant import Component, Variant, from_keys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bleukit import Bleu, Score
    from bleukit.protocols import Text


class CaseInput(NamedTuple):
    """What a case gives: segments, each a hypothesis and its references, or counts; and keys of the variant.

    ``counts`` holds matches, totals, hypothesis length and reference length.
    """

    segments: Sequence[tuple[Text, Sequence[Text]]]
    counts: tuple[Sequence[int], Sequence[int], int, int] | None
    keys: Mapping[str, Any]


class Scored(NamedTuple):
    """The fields of a :class:`bleukit.Score`."""

    value: float
    precisions: tuple[float, ...]
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    brevity_penalty: float
    hypothesis_length: int
    reference_length: float
    segments: int
    variant: str
    signature: str


class Refused(NamedTuple):
    """Why there is no result: ``key`` is that of the variant that is wrong or refuses the input, empty if none is.

    ``by_variant`` says that the variant itself cannot be used, whatever the input.
    """

    problem: str
    key: str = ""
    by_variant: bool = False


class Parts(NamedTuple):
    """What must agree with the score of several segments, and with each other."""

    joined: Scored
    """The score of the sum of two parts."""
    values: list[float]
    """The values of all rows, computed together."""
    rows: list[Scored]
    """The score of each row."""
    alone: list[Scored]
    """The score of each segment, counted alone."""


@dataclass(frozen=True)
class Observation:
    """What a variant gives: ``tokens`` of each text, in order: a hypothesis, its references, the next hypothesis.

    ``alone`` are the tokens of the first text by the tokenizer's call, which takes one text. ``lengths`` are those of
    the references of each segment. ``exceeds_one`` is what the smoothing declares. ``parts`` is None for one segment,
    or if the smoothing needs more than one segment has.
    """

    variant: Variant | None = None
    tokens: Sequence[Sequence[str]] = ()
    alone: Sequence[str] = ()
    lengths: Sequence[Sequence[int]] = ()
    score: Scored | None = None
    parts: Parts | None = None
    smoothing: str = ""
    exceeds_one: bool = False
    refused: Refused | None = None


def observe(given: CaseInput, source: str | Path | Variant | Bleu) -> Observation:
    """Score the input of a case by a variant (its name, its file, a Variant or a Bleu) with the case's keys over it."""
    try:
        bleu = _bleu(given, source)
    except bleukit.VariantError as error:
        return Observation(refused=Refused(str(error), key_at_fault(error), by_variant=True))
    return _observed(given, bleu, {})


def _observed(given: CaseInput, bleu: Bleu, known: dict[object, Any]) -> Observation:
    """Score the input of a case, whose keys are in the variant already.

    ``known`` keeps what does not depend on the smoothing, for other variants with the same components but for that.
    """
    seen = Observation(bleu.variant)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # numpy's of 0/0 and the like
            lowercase = bleu.variant.lowercase
            if lowercase not in known:
                known[lowercase] = _tokenized(given, bleu)
            seen = replace(known[lowercase], variant=bleu.variant)
            counted = (lowercase, bleu.max_order)
            if counted not in known:
                known[counted] = _statistics(given, bleu)
            return _scored_from(seen, given, bleu, known[counted])
    except bleukit.InputError as error:
        return replace(seen, refused=Refused(str(error), key_at_fault(error)))
    except (bleukit.PluginError, RuntimeWarning) as error:
        return replace(seen, refused=Refused(str(error)))


class Observer:
    """Observes cases, known by their numbers, for variants that come as plain data; keeps what several need.

    A variant is a str, its name or the path of its file, or the mapping of kinds to the names of components.
    """

    def __init__(self, inputs: Sequence[CaseInput]) -> None:
        self._inputs = inputs
        self._variant: str | Mapping[str, str] = ""
        self._loaded: dict[str, Bleu | Refused] = {}
        self._alone: Bleu | None = None
        self._beside: object = None
        self._known: dict[int, dict[object, Any]] = {}

    def observe(self, number: int, variant: str | Mapping[str, str]) -> Observation:
        """Score the input of a case by a variant, with the case's keys over it."""
        given = self._inputs[number]
        if variant != self._variant:
            self._variant, self._loaded, self._alone = variant, {}, None
            beside = variant if isinstance(variant, str) else {**variant, "smoothing": ""}
            if beside != self._beside:
                self._beside, self._known = beside, {}
        key = repr(given.keys)
        if key not in self._loaded:
            self._loaded[key] = self._load(given)
        bleu = self._loaded[key]
        if isinstance(bleu, Refused):
            return Observation(refused=bleu)
        return _observed(given, bleu, self._known.setdefault(number, {}))

    def _load(self, given: CaseInput) -> Bleu | Refused:
        chosen = self._variant
        try:
            if isinstance(chosen, str):  # a file may name plugins beside it, so that it is loaded as a whole
                return _bleu(given, chosen)
            if self._alone is None:
                self._alone = bleukit.load(from_keys({kind: Component(chosen[kind]) for kind in chosen}))
            return _bleu(given, self._alone)
        except bleukit.VariantError as error:
            return Refused(str(error), key_at_fault(error), by_variant=True)


def _bleu(given: CaseInput, source: str | Path | Variant | Bleu) -> Bleu:
    """Load a variant with the keys of the case over it; no case lowercases unless it says so."""
    bleu = source if isinstance(source, bleukit.Bleu) else bleukit.load(source)
    keys = {"lowercase": False, **given.keys} if bleu.variant.lowercase else given.keys
    return bleukit.load(bleu.variant if isinstance(source, bleukit.Bleu) else source, **keys) if keys else bleu


def key_at_fault(error: bleukit.VariantError | bleukit.InputError) -> str:
    """Return the key of the variant that an error is about, empty if it is about none."""
    return str(error.key[0]) if error.key else ""


def _tokenized(given: CaseInput, bleu: Bleu) -> Observation:
    texts = [text for hypothesis, references in given.segments for text in (hypothesis, *references)]
    tokens = [list(bleu.tokenize(text)) for text in texts if isinstance(text, str)]
    lengths = [[_length(reference, bleu) for reference in references] for _, references in given.segments]
    return Observation(bleu.variant, tokens, _alone(given, bleu), lengths)


def _scored_from(seen: Observation, given: CaseInput, bleu: Bleu, rows: Statistics) -> Observation:
    smoothing = bleu.components["smoothing"]
    return replace(
        seen,
        score=scored(bleu.score(rows)),
        parts=_parts(given, bleu, rows) if len(rows) > 1 else None,
        smoothing=str(smoothing),
        exceeds_one=bool(getattr(smoothing.call, "exceeds_one", False)),
    )


def _alone(given: CaseInput, bleu: Bleu) -> list[str]:
    first = given.segments[0][0] if given.segments else []
    return split_alone(first, bleu) if isinstance(first, str) else []


def split_alone(text: str, bleu: Bleu) -> list[str]:
    """Return the tokens of a text by the tokenizer's call, which takes one text."""
    call, lowercase = bleu.components["tokenizer"].call, bleu.variant.lowercase
    if lowercase and hasattr(call, "lowercasing"):
        return list(call.lowercasing(lowercase)(text))
    return list(call(lowered(text, lowercase)))


def _length(reference: Text, bleu: Bleu) -> int:
    return len(bleu.tokenize(reference) if isinstance(reference, str) else reference)


def _statistics(given: CaseInput, bleu: Bleu) -> Statistics:
    if given.counts is None:
        return bleu.statistics([pair[0] for pair in given.segments], [pair[1] for pair in given.segments])
    return statistics_of_counts(*given.counts)


def statistics_of_counts(
    matches: Sequence[int], totals: Sequence[int], hypothesis_length: int, reference_length: int
) -> Statistics:
    """Return the statistics of one segment that has these counts."""
    return Statistics.of_segments(
        len(matches),
        hypothesis_length=[hypothesis_length],
        reference_length=[reference_length],
        reference_tokens=[reference_length],
        references=[1],
        matches=matches,
        totals=totals,
    )


def _parts(given: CaseInput, bleu: Bleu, rows: Statistics) -> Parts | None:
    with suppress(bleukit.InputError):
        return Parts(
            scored(bleu.score(rows[:1].sum() + rows[1:].sum())),
            bleu.score_columns(rows, level="sentence").value.tolist(),
            list(map(scored, bleu.scores(rows, level="sentence"))),
            [scored(bleu.sentence(*segment)) for segment in given.segments],
        )
    return None


def scored(score: Score) -> Scored:
    """Return the fields of a score."""
    return Scored(*(getattr(score, field) for field in Scored._fields))
