"""How much of a variant or a component the cases cover: which stages agree, deviate as stated, are unstated, fail."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from bleukit.conformance.judging.runner import STATES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bleukit.conformance.judging.runner import CaseOutcome, Stage, State

_ABOUT = {
    "tokens": {"tokenizer"},
    "matches": {"tokenizer", "counter"},
    "totals": {"tokenizer", "counter"},
    "hypothesis_length": {"tokenizer"},
    "reference_length": {"tokenizer", "reference_length"},
    "precisions": {"tokenizer", "counter", "smoothing"},
    "brevity_penalty": {"tokenizer", "reference_length", "brevity_penalty"},
}
"""The kinds of components that a stage is about; of any other stage, all are."""

ConformanceVerdict = Literal["certified", "sound", "fails"]

Stages: TypeAlias = Counter["State"]
"""How many stages have each state."""


@dataclass(frozen=True)
class CaseResult:
    """What came of one case for a named variant, or for all combinations with some components."""

    variant: str
    components: Mapping[str, str]
    document: str
    outcome: CaseOutcome


def of_outcomes(outcomes: Iterable[CaseOutcome]) -> Stages:
    """Count the stages of some outcomes."""
    return Counter(stage.state for outcome in outcomes for stage in outcome.stages)


def of_variants(results: Iterable[CaseResult]) -> dict[str, Stages]:
    """Count the stages of each variant."""
    outcomes: dict[str, list[CaseOutcome]] = {}
    for result in results:
        outcomes.setdefault(result.variant, []).append(result.outcome)
    return {variant: of_outcomes(own) for variant, own in outcomes.items()}


def of_components(results: Iterable[CaseResult]) -> dict[tuple[str, str], Stages]:
    """Count the stages of each component, by kind and name, over all combinations that it takes part in.

    A stage of a case counts once, by the worst that it is in any combination. What is unstated or deviates because of
    another component is not held against this one.
    """
    outcomes: dict[tuple[str, str], set[int]] = {}
    known: list[CaseOutcome] = []
    numbers: dict[tuple[str, tuple[Stage, ...]], int] = {}  # of outcomes that are alike, for there are many
    for result in results:
        outcome = result.outcome
        number = numbers.setdefault((outcome.case, outcome.stages), len(known))
        if number == len(known):
            known.append(outcome)
        for component in result.components.items():
            outcomes.setdefault(component, set()).add(number)
    states: dict[str, dict[int, list[tuple[str, State]]]] = {kind: {} for kind, _ in outcomes}
    for (kind, _), own in outcomes.items():
        for number in own - states[kind].keys():
            states[kind][number] = list(_states(kind, known[number]))
    stages = {}
    for kind, name in sorted(outcomes):
        worst: dict[tuple[str, str], State] = {}
        for number in outcomes[kind, name]:
            for stage, state in states[kind][number]:
                key = (known[number].case, stage)
                if key not in worst or _RANK[state] < _RANK[worst[key]]:
                    worst[key] = state
        stages[kind, name] = Counter(worst.values())
    return stages


MEANINGS: dict[ConformanceVerdict, str] = {
    "certified": "keeps all contracts, and fails no case; a definition or cases of its own say what it must give",
    "sound": "keeps all contracts, and fails no case; none says what it must give",
    "fails": "breaks a contract, or fails a case",
}
"""What each verdict on a variant or a component means."""


def verdict(stages: Stages, *, breaches: int = 0, documented: bool = True) -> ConformanceVerdict:
    """Return the verdict on a variant or a component.

    ``breaches`` is how many contracts it breaks. ``documented`` is whether its results are defined, or stated by cases
    that name it.
    """
    if breaches or stages["fails"]:
        return "fails"
    return "certified" if documented else "sound"


_RANK = {state: rank for rank, state in enumerate(STATES)}


def _states(kind: str, outcome: CaseOutcome) -> Iterator[tuple[str, State]]:
    """Yield the states of the stages that are about one kind of component, as far as they are owed to it."""
    for stage in outcome.stages:
        owed = stage.state == "fails" or kind in stage.kinds
        if owed:
            yield stage.name, stage.state
        elif stage.state != "unstated" and kind in outcome.concerns & _ABOUT.get(stage.name, outcome.concerns):
            yield stage.name, "agrees"
