"""Runs a case against a recipe, stage by stage, and says what conforms, what does not, and what a case leaves open.

The stages of text are those of BLEU: tokens, matches and totals, lengths, brevity penalty, precisions, score. Each is
compared with what the case states for the component at work. Where a case states nothing for a component (it segments
the text otherwise, takes another reference length, smooths), that is seen to be so and the stage is left open; the
brevity penalty and the score must then still follow, by the documents' formula, from the stages before.
"""

from __future__ import annotations

import math
import warnings
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import bleukit
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from pathlib import Path

    from bleukit_conformance.cases import Case, CountsGiven, Number

    from bleukit import Bleu, Score, Variant

Status = Literal["passed", "failed", "not applicable"]


@dataclass(frozen=True)
class Outcome:
    """What came of one case for one recipe: ``failures``, and what was left ``open``, in words."""

    case: str
    failures: tuple[str, ...] = ()
    open: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """Failed where any stage failed; not applicable where any was left open."""
        return "failed" if self.failures else "not applicable" if self.open else "passed"


def run(case: Case, source: str | Path | Variant | Bleu) -> Outcome:
    """Run one case against a recipe (its name, its file, a Variant or a Bleu), the case's own keys laid over it."""
    try:
        bleu = source if isinstance(source, bleukit.Bleu) else bleukit.load(source)
        keys = _keys(case, bleu.variant)
        if keys:
            bleu = bleukit.load(bleu.variant if isinstance(source, bleukit.Bleu) else source, **keys)
    except bleukit.VariantError as error:
        failures = () if key_at_fault(error) == case.expect.error else (f"the recipe is refused: {error}",)
        return Outcome(case.id, failures)
    refusing = case.expected(bleu.variant).error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # numpy's of 0/0 and the like
            outcome = _Run(case, bleu).outcome()
    except (bleukit.PluginError, RuntimeWarning) as error:
        return Outcome(case.id, (str(error),))
    except bleukit.InputError as error:
        if key_at_fault(error) == refusing:
            return Outcome(case.id)
        if key_at_fault(error) == "smoothing":
            return Outcome(case.id, open=(f"smoothing: it refuses the input: {error}",))
        return Outcome(case.id, (str(error),))
    return Outcome(case.id, (f"{refusing}: expected to be refused, but it scores",)) if refusing else outcome


def _keys(case: Case, variant: Variant) -> dict[str, Any]:
    """Return the keys that a case lays over a recipe: its own; by default no case lowercases."""
    return {"lowercase": False, **case.recipe} if variant.lowercase else case.recipe


class _Run:
    """One case against one recipe."""

    def __init__(self, case: Case, bleu: Bleu) -> None:
        self.case = case
        self.bleu = bleu
        self.variant = bleu.variant
        self.expected = case.expected(bleu.variant)
        excepted = {key for exception in case.exceptions(bleu.variant) for key in exception.when}
        self.stated_for = excepted | case.recipe.keys()
        self.failures: list[str] = []
        self.open: list[str] = []

    def outcome(self) -> Outcome:
        if self._tokens_are_those_of_the_case():
            statistics = self._statistics()
            score = self.bleu.score(statistics)
            self._compare("matches", list(score.matches))
            self._compare("totals", list(score.totals))
            self._compare("hypothesis_length", score.hypothesis_length)
            shortest, longest = self._bounds_of_reference_length()
            another = shortest <= score.reference_length <= longest and shortest < longest
            self._compare("reference_length", score.reference_length, "reference_length" if another else "")
            smoothed = repr(list(score.precisions)) != repr(_unsmoothed(score))
            self._compare("precisions", list(score.precisions), "smoothing" if smoothed else "")
            smoothing = self.bleu.components["smoothing"]
            if any(p > 1 + 1e-12 for p in score.precisions) and not getattr(smoothing.call, "exceeds_one", False):
                self.failures.append(f"precisions: {smoothing} exceeds 1, and does not declare exceeds_one")
            self._note_smoothing(score)
            self._note_orders()
            as_printed = not self.open
            value = score.value / self.variant.scale
            self._compare("brevity_penalty", score.brevity_penalty if as_printed else None)
            self._compare("score", value if as_printed else None)
            self._follows_from_the_formula(score, value)
            self._adds_up(statistics, score)
        return Outcome(self.case.id, tuple(self.failures), tuple(self.open))

    def _tokens_are_those_of_the_case(self) -> bool:
        """Compare the tokens; what comes after is about those the document speaks of."""
        text = self.case.pairs[0].hypothesis if self.case.pairs else None
        if not isinstance(text, str):
            return True
        tokens = list(self.bleu.tokenize(text))
        alone = self.bleu.components["tokenizer"].call(text.lower() if self.variant.lowercase else text)
        if list(alone) != tokens:
            self.failures.append(f"tokens: {list(alone)} of the text alone, {tokens} in a batch")
        if tokens == self.expected.tokens == self.case.expect.tokens:
            return True
        if "tokenizer" not in self.stated_for:
            self.open.append("tokenizer: it segments the text otherwise, and the case does not say how")
            return False
        self._compare("tokens", tokens)
        own = [exception.expect for exception in self.case.exceptions(self.variant) if "tokenizer" in exception.when]
        if "tokenizer" in self.case.recipe or any(expect.score is not None for expect in own):
            return True
        self.open.append("tokenizer: it segments the text otherwise, as the case says")
        return False

    def _compare(self, stage: str, got: Any, left_to: str = "") -> None:
        """Compare a stage; a component that the case says nothing of may, where the stage is ``left_to`` it, differ."""
        expected = getattr(self.expected, stage)
        if isinstance(expected, list) and stage != "tokens":
            expected = expected[: len(self.variant.weights)]
        if expected is None or got is None or agrees(expected, got):
            return
        if left_to and left_to not in self.stated_for:
            self.open.append(f"{left_to}: it gives {stage} {got}, the document {expected}")
        else:
            self.failures.append(f"{stage}: expected {expected}, got {got}")

    def _bounds_of_reference_length(self) -> tuple[int, int]:
        """Return the sums of the shortest and of the longest references: no policy can be outside them."""
        lengths = [
            [len(ref if isinstance(ref, list) else self.bleu.tokenize(ref)) for ref in pair.references]
            for pair in self.case.pairs
        ]
        return sum(map(min, lengths)), sum(map(max, lengths))

    def _note_orders(self) -> None:
        """Leave the score open where the recipe weighs fewer orders than the four of a case that sets no weights."""
        if len(self.variant.weights) < 4 and "weights" not in self.stated_for:
            self.open.append(f"weights: they are {list(self.variant.weights)}, the case speaks of four orders")

    def _note_smoothing(self, score: Score) -> None:
        """Leave the score open where the smoothing changes a precision that counts, and the case does not say how."""
        if self.expected.score is None or "smoothing" in self.stated_for or self.open:
            return
        plain = _unsmoothed(score)
        weighed = zip(plain, score.precisions, self.variant.weights, strict=True)
        if any(weight and repr(before) != repr(smoothed) for before, smoothed, weight in weighed):
            self.open.append(f"smoothing: it makes precisions {list(score.precisions)} of {plain}")

    def _statistics(self) -> Statistics:
        if self.case.counts:
            return statistics_of_counts(self.case.counts)
        pairs = self.case.pairs
        return self.bleu.statistics([pair.hypothesis for pair in pairs], [pair.references for pair in pairs])

    def _follows_from_the_formula(self, score: Score, value: float) -> None:
        """Check brevity penalty and score against the documents' formula, written out once more here."""
        c, r = score.hypothesis_length, score.reference_length
        penalty = 0.0 if c == 0 else math.exp(min(0.0, 1 - r / c))
        if not math.isclose(score.brevity_penalty, penalty, rel_tol=1e-9):
            self.failures.append(f"brevity_penalty: exp(min(0, 1 - {r}/{c})) is {penalty}, got {score.brevity_penalty}")
        weights = self.variant.weights
        if self.variant.normalize_weights:
            weights = tuple(weight / math.fsum(weights) for weight in weights)
        product = penalty
        for weight, precision in zip(weights, score.precisions, strict=True):
            if weight and not (self.variant.effective_order and math.isnan(precision)):
                product *= 0.0 if math.isnan(precision) else precision**weight
        nothing = c == 0 and not any(ref for pair in self.case.pairs for ref in pair.references)
        wanted = self.variant.empty_score if nothing else product
        undefined = self.variant.effective_order and any(map(math.isnan, score.precisions))
        same = math.isclose(value, wanted, rel_tol=1e-9) or (math.isnan(value) and math.isnan(wanted))
        if not undefined and not same:
            self.failures.append(f"score: brevity penalty and precisions give {wanted}, got {value}")

    def _adds_up(self, rows: Statistics, score: Score) -> None:
        """Check that the parts sum to the whole, and that a row scores, to the last bit, as its segment does alone."""
        if score.segments != len(rows):
            self.failures.append(f"segments: expected {len(rows)}, got {score.segments}")
        if len(rows) == 1:
            return
        if self.bleu.score(rows[:1].sum() + rows[1:].sum()) != score:
            self.failures.append("score: the sums of two parts do not sum to the whole")
        with suppress(bleukit.InputError):  # a smoothing can need more than one segment has
            scores = self.bleu.scores(rows, level="sentence")
            values, alone = self.bleu.scores_array(rows, level="sentence").tolist(), [score.value for score in scores]
            if repr(values) != repr(alone):
                self.failures.append(f"score: rows together score {values}, each alone {alone}")
            if scores != [self.bleu.sentence(pair.hypothesis, pair.references) for pair in self.case.pairs]:
                self.failures.append("score: the row of a segment does not score as the segment alone")


def key_at_fault(error: bleukit.VariantError | bleukit.InputError) -> str | None:
    """Return the key of the recipe that an error is about."""
    return str(error.key[0]) if error.key else None


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


def _unsmoothed(score: Score) -> list[float]:
    return [m / t if t else math.nan for m, t in zip(score.matches, score.totals, strict=True)]


def agrees(wanted: Any, got: Any) -> bool:
    """Tell whether a stage's result is what a case states of it."""
    if isinstance(wanted, list):
        return len(wanted) == len(got) and all(map(agrees, wanted, got))
    if isinstance(got, str):
        return bool(wanted == got)
    return _number_agrees(wanted, got)


def _number_agrees(wanted: Number, got: float) -> bool:
    """Numbers and fractions agree to 1e-9 of their size; decimals in quotes to half a unit of the last digit written.

    In quotes is what a document prints: a decimal without them has lost the zeros at its end.
    """
    written = str(wanted)
    if written == "nan" or math.isnan(got):
        return written == "nan" and math.isnan(got)
    decimals = len(written.partition(".")[2]) if isinstance(wanted, str) and "e" not in written else 0
    within = 0.5 * 10**-decimals if decimals else 0.0
    return math.isclose(float(Fraction(written)), got, rel_tol=1e-9, abs_tol=within)
