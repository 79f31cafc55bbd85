"""Judges what a variant gives for a case, stage by stage: it agrees with the document, deviates as stated, or fails.

The stages of text are those of BLEU: tokens, matches and totals, lengths, precisions, brevity penalty, score. Each is
compared with what the case states for the component at work: the document's own figure, or what the case says that
follows for this component instead, and why. If a case states nothing for a component (it segments the text
otherwise, takes another reference length, smooths), that is seen to be so and the stage is unstated; the brevity
penalty and the score must then still follow, by the documents' formula, from the stages before.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bleukit.conformance.formula import alike, plain_brevity_penalty, plain_precisions, plain_score
from bleukit.conformance.judging.observing import Observation, Refused, observe

from bleukit.bleu.variant import STANDARD

if TYPE_CHECKING:
    from bleukit.conformance.judging.cases import Case, Number
    from bleukit.conformance.judging.observing import Source

    from bleukit import Score, Variant

State = Literal["agrees", "deviates", "unstated", "fails"]
STATES: tuple[State, ...] = ("fails", "unstated", "deviates", "agrees")
"""The worst first: the state of a whole is that of its worst part."""

RELATIVE = 1e-9
"""Within how much of their size numbers agree that are stated exactly."""

OWN_STAGES = {
    "tokenizer": ("tokens",),
    "counter": ("matches", "totals"),
    "reference_length": ("reference_length",),
    "smoothing": ("precisions", "error"),
    "brevity_penalty": ("brevity_penalty",),
}
"""The stages that each kind of component gives."""

STAGES = (
    "tokens",
    "matches",
    "totals",
    "hypothesis_length",
    "reference_length",
    "precisions",
    "brevity_penalty",
    "score",
)


class Stage(NamedTuple):
    """What came of one stage of a case: it ``deviates``, is ``unstated`` or ``fails``, ``because`` of what.

    ``kinds`` are the kinds of components to which the deviation is owed, or of which the case says nothing.
    """

    name: str
    state: State
    because: str = ""
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class CaseOutcome:
    """What came of one case for one variant: the stages that the case states, and whatever else fails.

    ``figure`` is the score that comes out, 0 to 1, of a case with a headline.
    """

    case: str
    stages: tuple[Stage, ...] = ()
    figure: float | None = None

    @classmethod
    def failing(cls, case: str, *reasons: str) -> CaseOutcome:
        """Return the outcome of a case that gives no stage to judge; a reason begins with the stage it is about."""
        return cls(case, tuple(Stage(re.split("[: ]", reason)[0], "fails", reason) for reason in reasons))

    @cached_property
    def state(self) -> State:
        """The worst of any stage."""
        states = {stage.state for stage in self.stages}
        return next((state for state in STATES if state in states), "agrees")

    @cached_property
    def failures(self) -> tuple[str, ...]:
        """What differs from what the case states."""
        return self.reasons("fails")

    @property
    def deviations(self) -> tuple[str, ...]:
        """Why stages are, as the case states, not what the document says."""
        return self.reasons("deviates")

    @property
    def open(self) -> tuple[str, ...]:
        """What the case says nothing of, each with the kind of component (or the key of the variant) it is about."""
        return self.reasons("unstated")

    def reasons(self, state: State) -> tuple[str, ...]:
        """Return why stages have a state, each reason once."""
        reasons = (
            f"{', '.join(s.kinds)}: {s.because}" if s.kinds else s.because for s in self.stages if s.state == state
        )
        return tuple(dict.fromkeys(reasons))


def run_case(case: Case, source: Source) -> CaseOutcome:
    """Run one case against a variant, the case's own keys laid over it."""
    return judge(case, observe(case, source))


def judge(case: Case, seen: Observation) -> CaseOutcome:
    """Compare what was seen with what the case states for the variant."""
    if seen.refused and seen.refused.by_variant:
        if seen.refused.key == case.expect.error:
            return CaseOutcome(case.id, (Stage("error", "agrees"),))
        return CaseOutcome.failing(case.id, f"the variant is refused: {seen.refused.problem}")
    assert seen.variant is not None  # noqa: S101 - only a variant that is refused has none
    judging = _Judging(case, seen, seen.variant)
    if seen.score is None:
        judging.refused(seen.refused or Refused("it gives no score"))
    else:
        judging.scored(seen.score)
    figure = seen.score.value / seen.variant.scale if case.headline and seen.score else None
    return CaseOutcome(case.id, tuple(judging.stages), figure)


class _Judging:
    """One case, and what one variant gave."""

    def __init__(self, case: Case, seen: Observation, variant: Variant) -> None:
        self.case = case
        self.seen = seen
        self.variant = variant
        self.exceptions = case.exceptions(variant)
        self.expected = case.expected(self.exceptions)
        self.named = {key for exception in self.exceptions for key in exception.when} | case.set.keys()
        self.stages: list[Stage] = []
        unknown = seen.foreign | {kind for kind in OWN_STAGES if getattr(variant, kind).options}
        self.foreign = [kind for kind in OWN_STAGES if kind in unknown and kind not in self.named]
        """The kinds of components of which the case knows nothing: they are not bleukit's own, or have options."""

    def refused(self, refused: Refused) -> None:
        """Judge a variant that refuses the input, or breaks a contract."""
        left = self._tokens() if self.seen.tokens else None
        if left:
            self._rest(left)
        elif self.expected.error and refused.key == self.expected.error:
            because, kinds = self._owed_to("error")
            self._rest(Stage("", "deviates" if because else "agrees", because, kinds))
        elif refused.key == "smoothing":
            self._rest(Stage("", "unstated", f"it refuses the input: {refused.problem}", ("smoothing",)))
        else:
            self._fail(refused.problem)

    def scored(self, score: Score) -> None:
        """Judge each stage; those after the tokens are about the tokens that the document speaks of."""
        left = self._tokens()
        if not left and self.expected.error:
            if not self.foreign:
                self._fail(f"{self.expected.error}: expected to be refused, but it scores")
                return
            left = _otherwise(self.foreign[0], "it is not refused")
        if left:
            self._rest(left)
            return
        counter = "counter" if "counter" in self.foreign else ""
        self._compare("matches", list(score.matches), counter)
        self._compare("totals", list(score.totals), counter)
        self._compare("hypothesis_length", score.hypothesis_length)
        # No policy of bleukit's own is outside of the sums of the shortest and of the longest references.
        shortest, longest = (sum(map(extreme, self.seen.lengths)) for extreme in (min, max))
        another = "reference_length" in self.foreign or shortest <= score.reference_length <= longest > shortest
        self._compare("reference_length", score.reference_length, "reference_length" if another else "")
        smoothed = repr(list(score.precisions)) != repr(plain_precisions(score.matches, score.totals))
        self._compare("precisions", list(score.precisions), counter or ("smoothing" if smoothed else ""))
        if score.segments != max(1, len(self.case.pairs)):
            self._fail(f"segments: expected {max(1, len(self.case.pairs))}, got {score.segments}")
        value = score.value / self.variant.scale
        left = self._unstated("reference_length")
        if left:
            self._rest(left, "brevity_penalty")
        else:
            is_open = "reference_length" in self.foreign and self.expected.reference_length is None
            kind = "" if self.variant.brevity_penalty == STANDARD else "brevity_penalty"
            self._compare("brevity_penalty", score.brevity_penalty, "reference_length" if is_open else kind)
        left = self._unstated() or self._scored_otherwise(score)
        if left:
            self._rest(left)
        else:
            self._compare("score", value, next(iter(self.foreign), ""))
        self._follows_from_the_formula(score, value)

    def _tokens(self) -> Stage | None:
        """Compare the tokens of the hypothesis and, for a tokenizer that the case does not name, of all other texts.

        Returns why what follows from the tokens is unstated.
        """
        if not (self.case.pairs and isinstance(self.case.pairs[0].hypothesis, str)):
            return None
        tokens, *others = map(list, self.seen.tokens)
        if list(self.seen.alone) != tokens:
            self._fail(f"tokens: {list(self.seen.alone)} of the text alone, {tokens} in a batch")
        if "tokenizer" not in self.named and tokens != self.expected.tokens:
            return _otherwise("tokenizer", f"it gives {tokens!r:.200}, the document {self.expected.tokens!r:.200}")
        self._compare("tokens", tokens)
        if "tokenizer" not in self.named and others != self.case.expect.other_tokens:
            return _otherwise("tokenizer", "it splits the other texts otherwise than the case states")
        own = [exception.expect.score for exception in self.exceptions if "tokenizer" in exception.when]
        if own and set(own) == {None} and tokens != self.case.expect.tokens:
            return _otherwise("tokenizer", "it splits the text otherwise, as the case says")
        return None

    def _compare(self, name: str, got: Any, left_to: str = "") -> None:
        """Judge a stage; a component that the case does not name may, if the stage is ``left_to`` it, differ."""
        expected = getattr(self.expected, name)
        if isinstance(expected, list) and name != "tokens":
            expected = expected[: len(self.variant.weights)]
        if expected is None:
            return
        if agrees(expected, got):
            because, kinds = self._owed_to(name)
            self.stages.append(Stage(name, "deviates" if because else "agrees", because, kinds))
        elif left_to and left_to not in self.named:
            self.stages.append(_otherwise(left_to, f"it gives {name} {got}, the document {expected}", name))
        else:
            self.stages.append(Stage(name, "fails", f"{name}: expected {expected}, got {got}"))

    def _owed_to(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Return why a stage is stated to be not what the document says, and for which kinds; empty if it is that."""
        printed = getattr(self.case.expect, name)
        own = [exception for exception in self.exceptions if getattr(exception.expect, name) is not None]
        states_it = name == "error" or printed is not None
        if not own or not states_it or repr(getattr(own[-1].expect, name)) == repr(printed):
            return "", ()
        return own[-1].because, tuple(own[-1].when)

    def _rest(self, like: Stage, *names: str) -> None:
        """Give the stages (by default all) that the case states, and that are not judged yet, the same state."""
        judged = {stage.name for stage in self.stages}
        for name in names or (*STAGES, "error"):
            if name not in judged and getattr(self.case.expect, name) is not None:
                self.stages.append(like._replace(name=name))

    def _fail(self, because: str) -> None:
        self.stages += CaseOutcome.failing(self.case.id, because).stages

    def _unstated(self, kind: str = "") -> Stage | None:
        """Return a stage that is unstated, because of a kind of component."""
        return next((s for s in self.stages if s.state == "unstated" and (not kind or kind in s.kinds)), None)

    def _scored_otherwise(self, score: Score) -> Stage | None:
        """Return why the score is unstated if every stage before is as stated."""
        standard = plain_brevity_penalty(score.hypothesis_length, score.reference_length)
        if "brevity_penalty" not in self.named and not alike(score.brevity_penalty, standard):
            return _otherwise("brevity_penalty", f"it gives {score.brevity_penalty}, the standard one {standard}")
        if "weights" not in self.named and len(self.variant.weights) < 4:
            return _otherwise("weights", f"they are {list(self.variant.weights)}, the case speaks of four orders")
        plain = plain_precisions(score.matches, score.totals)
        weighed = zip(plain, score.precisions, self.variant.weights, strict=True)
        if "smoothing" not in self.named and any(w and repr(before) != repr(after) for before, after, w in weighed):
            return _otherwise("smoothing", f"it makes precisions {list(score.precisions)} of {plain}")
        return None

    def _follows_from_the_formula(self, score: Score, value: float) -> None:
        """Check the score, and the brevity penalty if it is the standard one, against the documents' formula."""
        c, r, penalty = score.hypothesis_length, score.reference_length, score.brevity_penalty
        if self.variant.brevity_penalty == STANDARD:
            penalty = plain_brevity_penalty(c, r)
        if not alike(score.brevity_penalty, penalty):
            self._fail(f"brevity_penalty: for {c} tokens and {r} it is {penalty}, got {score.brevity_penalty}")
        nothing = c == 0 and not any(map(any, self.seen.lengths))
        wanted = self.variant.empty_score if nothing else plain_score(self.variant, penalty, score.precisions)
        if not alike(value, wanted):
            self._fail(f"score: brevity penalty and precisions give {wanted}, got {value}")


def _otherwise(kind: str, because: str, name: str = "") -> Stage:
    return Stage(name, "unstated", because, (kind,))


def agrees(wanted: Any, got: Any) -> bool:
    """Return whether a stage's result is what a case states of it."""
    if isinstance(wanted, list):
        return len(wanted) == len(got) and all(map(agrees, wanted, got))
    if isinstance(got, str):
        return bool(wanted == got)
    return _number_agrees(wanted, got)


def _number_agrees(wanted: Number, got: float) -> bool:
    """Numbers and fractions agree to 1e-9 of their size; decimals in quotes to half a unit of the last digit written.

    In quotes is what a document prints: a decimal without them has lost the zeros at its end.
    """
    number, within = read_number(wanted)
    if math.isnan(number) or math.isnan(got):
        return math.isnan(number) and math.isnan(got)
    return math.isclose(number, got, rel_tol=RELATIVE, abs_tol=within)


@lru_cache(maxsize=None, typed=True)
def read_number(wanted: Number) -> tuple[float, float]:
    """Return the number that a case writes, and within how much of it others agree with it."""
    written = str(wanted)
    if written == "nan":
        return math.nan, 0.0
    decimals = len(written.partition(".")[2]) if isinstance(wanted, str) and "e" not in written else 0
    return float(Fraction(written)), 0.5 * 10**-decimals if decimals else 0.0
