"""What a variant gives for the input of a case, stage by stage; :mod:`.runner` judges it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.conformance.definitions import COUNTING
from bleukit.conformance.tokenizers import plain_lower

import bleukit
from bleukit.loading.loader import OF_SCORING
from bleukit.statistics import Statistics
from bleukit.variant import Component, Variant, from_keys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bleukit.conformance.judging.cases import Case, CountsGiven

    from bleukit import Bleu, Score
    from bleukit.protocols import Text


class Refused(NamedTuple):
    """Why there is no result: ``key`` is that of the variant that is wrong or refuses the input, empty if none is.

    ``by_variant`` says that the variant itself cannot be used, whatever the input.
    """

    problem: str
    key: str = ""
    by_variant: bool = False


@dataclass(frozen=True)
class Observation:
    """What a variant gives: ``tokens`` of each text, in order: a hypothesis, its references, the next hypothesis.

    ``alone`` are the tokens of the first text by the tokenizer's call, which takes one text. ``lengths`` are those of
    the references of each segment. ``exceeds_one`` is what the smoothing declares, ``counts_otherwise`` that the
    counter declares not to count plainly.
    """

    variant: Variant | None = None
    tokens: Sequence[Sequence[str]] = ()
    alone: Sequence[str] = ()
    lengths: Sequence[Sequence[int]] = ()
    score: Score | None = None
    smoothing: str = ""
    exceeds_one: bool = False
    counts_otherwise: bool = False
    refused: Refused | None = None


def observe(case: Case, source: str | Path | Variant | Bleu) -> Observation:
    """Score the input of a case by a variant (its name, its file, a Variant or a Bleu) with the case's keys over it."""
    try:
        bleu = _bleu(case, source)
    except bleukit.VariantError as error:
        return Observation(refused=Refused(str(error), key_at_fault(error), by_variant=True))
    return _observed(case, bleu, {})


def _observed(case: Case, bleu: Bleu, known: dict[object, Any]) -> Observation:
    """Score the input of a case, whose keys are in the variant already.

    ``known`` keeps what is counted, for other variants that count alike.
    """
    try:
        seen = _counted(case, bleu, known)
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # numpy's of 0/0 and the like
            return seen if seen.refused else _scored_from(seen, bleu, known[bleu.variant.lowercase, bleu.max_order])
    except (bleukit.InputError, bleukit.PluginError, RuntimeWarning) as error:
        return replace(seen, refused=_refused(error))


def _counted(case: Case, bleu: Bleu, known: dict[object, Any]) -> Observation:
    """Split and count the input of a case; the counts are in ``known`` then, unless the input is refused."""
    seen = Observation(bleu.variant)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            lowercase = bleu.variant.lowercase
            if lowercase not in known:
                known[lowercase] = _tokenized(case, bleu)
            tokenized: Observation = known[lowercase]
            seen = replace(tokenized, variant=bleu.variant)
            if (lowercase, bleu.max_order) not in known:
                known[lowercase, bleu.max_order] = _statistics(case, bleu)
    except (bleukit.InputError, bleukit.PluginError, RuntimeWarning) as error:
        return replace(seen, refused=_refused(error))
    return seen


def _refused(error: Exception) -> Refused:
    return Refused(str(error), key_at_fault(error) if isinstance(error, bleukit.InputError) else "")


class Observer:
    """Observes cases, known by their numbers, for variants that come as plain data; keeps what several need.

    A variant is a str, its name or the path of its file, or the mapping of kinds to the names of components.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = cases
        self._variant: str | Mapping[str, str] = ""
        self._loaded: dict[str, Bleu | Refused] = {}
        self._alone: Bleu | None = None
        self._beside: object = None
        self._known: dict[int, dict[object, Any]] = {}
        self._counting: dict[object, tuple[bool | str, int]] = {}
        self._alike: dict[object, int] = {}

    def observe(self, number: int, variant: str | Mapping[str, str]) -> Observation:
        """Score the input of a case by a variant, with the case's keys over it."""
        bleu = self._bleu(number, variant)
        if isinstance(bleu, Refused):
            return Observation(refused=bleu)
        return _observed(self._cases[number], bleu, self._known.setdefault(number, {}))

    def counted_before(self, number: int, variant: Mapping[str, str]) -> int | None:
        """Return a number for what a variant counts in the input of a case; None if that is not known yet."""
        known = self._known.get(number, {}) if self._beside == _without_scoring(variant) else {}
        return known.get(("alike", self._counting.get(self._scoring(number, variant))))

    def counted(self, number: int, variant: Mapping[str, str]) -> int | None:
        """Return a number for what a variant counts in the input of a case; None if it counts nothing."""
        bleu = self._bleu(number, variant)
        if isinstance(bleu, Refused):
            return None
        known = self._known.setdefault(number, {})
        seen = _counted(self._cases[number], bleu, known)
        if seen.refused:
            return None
        counting = self._counting[self._scoring(number, variant)] = bleu.variant.lowercase, bleu.max_order
        columns = (known[counting].column(name).tobytes() for name in known[counting].columns)
        counted = number, repr([seen.tokens, seen.alone, seen.lengths]), *columns
        alike: int = known.setdefault(("alike", counting), self._alike.setdefault(counted, len(self._alike)))
        return alike

    def _scoring(self, number: int, variant: Mapping[str, str]) -> object:
        return repr(self._cases[number].set), *(variant[kind] for kind in OF_SCORING)

    def _bleu(self, number: int, variant: str | Mapping[str, str]) -> Bleu | Refused:
        """Return a variant with the keys of a case over it; forget what other variants have counted."""
        case = self._cases[number]
        if variant != self._variant:
            self._variant, self._loaded, self._alone = variant, {}, None
            beside = variant if isinstance(variant, str) else _without_scoring(variant)
            if beside != self._beside:
                self._beside, self._known = beside, {}
        key = repr(case.set)
        if key not in self._loaded:
            self._loaded[key] = self._load(case)
        return self._loaded[key]

    def _load(self, case: Case) -> Bleu | Refused:
        chosen = self._variant
        try:
            if isinstance(chosen, str):  # a file may name plugins beside it, so that it is loaded as a whole
                return _bleu(case, chosen)
            if self._alone is None:
                self._alone = bleukit.load(from_keys({kind: Component(chosen[kind]) for kind in chosen}))
            return _bleu(case, self._alone)
        except bleukit.VariantError as error:
            return Refused(str(error), key_at_fault(error), by_variant=True)


def _without_scoring(variant: Mapping[str, str]) -> dict[str, str | None]:
    """Return the components of a combination that count, by kind."""
    return {**variant, **dict.fromkeys(OF_SCORING)}


def _bleu(case: Case, source: str | Path | Variant | Bleu) -> Bleu:
    """Load a variant with the keys of the case over it; no case lowercases, or averages, unless it says so."""
    bleu = source if isinstance(source, bleukit.Bleu) else bleukit.load(source)
    plain: dict[str, Any] = {"lowercase": False, "average": "micro"}
    keys = {key: value for key, value in plain.items() if getattr(bleu.variant, key) != value} | case.set
    return bleukit.load(bleu.variant if isinstance(source, bleukit.Bleu) else source, **keys) if keys else bleu


def key_at_fault(error: bleukit.VariantError | bleukit.InputError) -> str:
    """Return the key of the variant that an error is about, empty if it is about none."""
    return str(error.key[0]) if error.key else ""


def _tokenized(case: Case, bleu: Bleu) -> Observation:
    texts = [text for pair in case.pairs for text in (pair.hypothesis, *pair.references)]
    tokens = [list(bleu.tokenize(text)) for text in texts if isinstance(text, str)]
    lengths = [[_length(reference, bleu) for reference in pair.references] for pair in case.pairs]
    return Observation(bleu.variant, tokens, _alone(case, bleu), lengths)


def _scored_from(seen: Observation, bleu: Bleu, rows: Statistics) -> Observation:
    smoothing, counter = bleu.components["smoothing"], bleu.components["counter"].call
    return replace(
        seen,
        score=bleu.score(rows),
        smoothing=str(smoothing),
        exceeds_one=bool(getattr(smoothing.call, "exceeds_one", False)),
        counts_otherwise=any(getattr(counter, name, value) != value for name, value in COUNTING.items()),
    )


def _alone(case: Case, bleu: Bleu) -> list[str]:
    first = case.pairs[0].hypothesis if case.pairs else []
    return split_alone(first, bleu) if isinstance(first, str) else []


def split_alone(text: str, bleu: Bleu) -> list[str]:
    """Return the tokens of a text by the tokenizer's call, which takes one text."""
    call, lowercase = bleu.components["tokenizer"].call, bleu.variant.lowercase
    if lowercase and hasattr(call, "lowercasing"):
        return list(call.lowercasing(lowercase)(text))
    return list(call(plain_lower(text, lowercase)))


def _length(reference: Text, bleu: Bleu) -> int:
    return len(bleu.tokenize(reference) if isinstance(reference, str) else reference)


def _statistics(case: Case, bleu: Bleu) -> Statistics:
    if case.counts is None:
        return bleu.statistics([pair.hypothesis for pair in case.pairs], [pair.references for pair in case.pairs])
    return statistics_of_counts(case.counts)


def statistics_of_counts(counts: CountsGiven) -> Statistics:
    """Return the statistics of one segment that has these counts."""
    return Statistics.of_segments(
        len(counts.matches),
        hypothesis_length=[counts.hypothesis_length],
        reference_length=[counts.reference_length],
        reference_tokens=[counts.reference_length],
        references=[1],
        matches=counts.matches,
        totals=counts.totals,
    )
