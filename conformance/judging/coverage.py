"""How much of a variant or a component the cases cover: which stages agree, deviate as stated, are unstated, fail."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

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
    "brevity_penalty": {"tokenizer", "reference_length"},
}
"""The kinds of components that a stage is about; of any other stage, all are."""

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


def verdict(stages: Stages, *, documented: bool = True) -> str:
    """Return in words what the cases say of a variant or a component; never that it conforms while any stage is open.

    ``documented`` is whether any document speaks of it by name, or defines what it computes.
    """
    if stages["fails"]:
        return "fails"
    if stages["unstated"] or not stages:
        return f"not certified: {unstated(stages)}"
    if not documented:
        return "not certified: no document speaks of it"
    return "deviates, as stated" if stages["deviates"] else "agrees"


def unstated(stages: Stages) -> str:
    """Return how many stages are unstated, in words."""
    return f"{stages['unstated']:,} stage{'s' * (stages['unstated'] != 1)} unstated"


_RANK = {state: rank for rank, state in enumerate(STATES)}


def _states(kind: str, outcome: CaseOutcome) -> Iterator[tuple[str, State]]:
    """Yield the states of the stages that are about one kind of component, as far as they are owed to it."""
    for stage in outcome.stages:
        owed = stage.state == "fails" or kind in stage.kinds
        if owed:
            yield stage.name, stage.state
        elif stage.state != "unstated" and kind in outcome.concerns & _ABOUT.get(stage.name, outcome.concerns):
            yield stage.name, "agrees"
