"""How much of a recipe or a component the cases cover: which stages agree, deviate as stated, are unstated, fail."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from bleukit_conformance.runner import STATES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bleukit_conformance.runner import Outcome, Stage, State
    from bleukit_conformance.suite import Result

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


def of_outcomes(outcomes: Iterable[Outcome]) -> Stages:
    """Count the stages of some outcomes."""
    return Counter(stage.state for outcome in outcomes for stage in outcome.stages)


def of_recipes(results: Iterable[Result]) -> dict[str, Stages]:
    """Count the stages of each recipe."""
    outcomes: dict[str, list[Outcome]] = {}
    for result in results:
        outcomes.setdefault(result.recipe, []).append(result.outcome)
    return {recipe: of_outcomes(own) for recipe, own in outcomes.items()}


def of_components(results: Iterable[Result]) -> dict[tuple[str, str], Stages]:
    """Count the stages of each component, by kind and name, over all combinations that it takes part in.

    A stage of a case counts once, by the worst that it is in any combination. What is unstated or deviates because of
    another component is not held against this one.
    """
    outcomes: dict[tuple[str, str], dict[int, Outcome]] = {}
    for result in results:  # many combinations share the outcome of one run
        for component in result.components.items():
            outcomes.setdefault(component, {})[id(result.outcome)] = result.outcome
    return {component: _of_component(component[0], outcomes[component].values()) for component in sorted(outcomes)}


def verdict(stages: Stages) -> str:
    """Return in words what the cases say of a recipe or a component; never that it conforms while any stage is open."""
    if stages["fails"]:
        return "fails"
    if stages["unstated"] or not stages:
        return f"not certified: {unstated(stages)}"
    return "deviates, as stated" if stages["deviates"] else "agrees"


def unstated(stages: Stages) -> str:
    """Return how many stages are unstated, in words."""
    return f"{stages['unstated']:,} stage{'s' * (stages['unstated'] != 1)} unstated"


def _of_component(kind: str, outcomes: Iterable[Outcome]) -> Stages:
    worst: dict[tuple[str, str], int] = {}
    for outcome in outcomes:
        for stage in outcome.stages:
            state = _owed_to(kind, stage)
            about = outcome.concerns & _ABOUT.get(stage.name, outcome.concerns)
            if state is not None and (kind in about or state != "agrees"):
                key = (outcome.case, stage.name)
                worst[key] = min(STATES.index(state), worst.get(key, len(STATES)))
    return Counter(STATES[rank] for rank in worst.values())


def _owed_to(kind: str, stage: Stage) -> State | None:
    """Return the state of a stage as far as it is owed to one kind of component; None if nothing is known of it."""
    if stage.state == "fails" or kind in stage.kinds:
        return stage.state
    return None if stage.state == "unstated" else "agrees"
