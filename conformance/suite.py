"""The whole suite: named variants, and every combination of registered components, against every case.

A combination has one component of each kind. A case that sets a component itself is run with that one only.
"""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bleukit.conformance.definitions import DEFINITIONS
from bleukit.conformance.judging import coverage, named_variants
from bleukit.conformance.judging.coverage import CaseResult
from bleukit.conformance.judging.runner import CaseOutcome, run_case

import bleukit
from bleukit.errors import VariantError
from bleukit.loading import creating, manager, registry
from bleukit.variant import STANDARD, Component, from_keys

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from bleukit.conformance.contracts.checked import Breach, Checked
    from bleukit.conformance.judging.cases import Case, CaseDocument

Source: TypeAlias = "str | Path | Mapping[str, str]"
"""A variant: its name, the path of its YAML file, or a combination, the names of components by kind."""


@dataclass(frozen=True)
class Report:
    """All results of a run: of named variants, and of combinations."""

    variants: Sequence[CaseResult] = ()
    combinations: Sequence[CaseResult] = ()
    number_of_combinations: int = 0
    number_of_cases: int = 0
    checked: Sequence[Checked] = ()
    """What came of the contracts of components."""
    faults: Sequence[Breach] = ()
    """What plugins do that no component can be blamed for."""
    left_out: str = ""
    """What a quick run leaves out."""
    not_run: Sequence[tuple[str, str]] = ()
    """The variants and components that cannot be used here, such as "variant NAME", and why."""
    documented: AbstractSet[tuple[str, str]] = frozenset()
    """The components and variants, by kind and name, whose definition is known, or of which a case states results."""
    components: Sequence[tuple[str, str]] = ()
    """The components of all combinations, by kind and name."""
    required: Sequence[tuple[str, str]] = ()
    """What must be certified, by kind and name."""

    @cached_property
    def failures(self) -> list[CaseResult]:
        """Every result with a failure."""
        return [result for result in self.results if result.outcome.failures]

    @property
    def results(self) -> Sequence[CaseResult]:
        """All results."""
        return (*self.variants, *self.combinations)

    @cached_property
    def by_component(self) -> dict[tuple[str, str], coverage.Stages]:
        """How many stages of cases have each state for each component, by kind and name."""
        stages = coverage.of_components(self.combinations)
        return {component: stages.get(component, coverage.Stages()) for component in self.components}

    @cached_property
    def verdicts(self) -> dict[tuple[str, str], coverage.ConformanceVerdict]:
        """The verdict on each variant and each component, by kind and name."""
        stages = {(manager.VARIANT, name): own for name, own in coverage.of_variants(self.variants).items()}
        stages |= self.by_component
        tried: Sequence[Breach | Checked] = [*self.checked, *self.breaches]
        names = dict.fromkeys([*stages, *((part.kind, part.name.partition(" (")[0]) for part in tried)])
        return {
            (kind, name): coverage.verdict(
                stages.get((kind, name), coverage.Stages()),
                breaches=sum(b.kind == kind and b.name.partition(" (")[0] == name for b in self.breaches),
                documented=(kind, name) in self.documented,
            )
            for kind, name in names
        }

    @cached_property
    def cases(self) -> dict[tuple[str, str], set[str]]:
        """The cases that say something of each variant and each component, by kind and name."""
        cases: dict[tuple[str, str], set[str]] = {}
        for result in self.results:
            if any(stage.state != "unstated" for stage in result.outcome.stages):
                for part in result.components.items() or [(manager.VARIANT, result.variant)]:
                    cases.setdefault(part, set()).add(result.outcome.case)
        return cases

    def ways(self, kind: str, name: str) -> dict[str, list[str]]:
        """Return what was tried of a variant or a component: each way, or contract, with the inputs."""
        ways: dict[str, list[str]] = {}
        for checked in self.checked:
            if (checked.kind, checked.name.partition(" (")[0]) == (kind, name):
                for way, tried in checked.ways.items():
                    ways.setdefault(way, []).extend(tried)
        return {way: list(dict.fromkeys(tried)) for way, tried in ways.items()}

    @property
    def breaches(self) -> list[Breach]:
        """The contracts that are not kept."""
        return [*self.faults, *(breach for checked in self.checked for breach in checked.breaches)]

    @property
    def conforms(self) -> bool:
        """Whether nothing fails, and what must be certified is: what deviates as stated does not fail."""
        certified = all(self.verdicts.get(required) == "certified" for required in self.required)
        return not self.failures and not self.breaches and certified


def joined(reports: Sequence[Report]) -> Report:
    """Return one report of several."""
    of = [vars(report) for report in reports]
    joint: dict[str, Any] = {name: tuple(itertools.chain.from_iterable(own[name] for own in of)) for name in _PARTS}
    joint["checked"] = tuple({(part.kind, part.name): part for part in joint["checked"]}.values())
    return replace(
        reports[0],
        **joint,
        number_of_combinations=sum(report.number_of_combinations for report in reports),
        number_of_cases=max(report.number_of_cases for report in reports),
        documented=frozenset().union(*(report.documented for report in reports)),
    )


_PARTS = ("variants", "combinations", "checked", "faults", "components", "required")


class CaseTask(NamedTuple):
    """One case, and its number among all, for one variant."""

    source: Source
    case: Case
    number: int


@dataclass
class Plan:
    """What is to be run: every task, and the results that they give, each with the number of its task.

    Combinations that differ only in components that a case does not concern share a result, which names the others.
    """

    tasks: list[CaseTask]
    variants: list[tuple[str, Mapping[str, str], str, int]]
    combinations: list[tuple[str, Mapping[str, str], str, int]]
    number_of_combinations: int
    number_of_cases: int
    documented: AbstractSet[tuple[str, str]]
    components: Sequence[tuple[str, str]] = ()

    def report(self, outcomes: Sequence[CaseOutcome]) -> Report:
        """Return the report, given the outcome of each task."""
        of_variants, of_combinations = (
            [CaseResult(label, components, title, outcomes[task]) for label, components, title, task in planned]
            for planned in (self.variants, self.combinations)
        )
        return Report(
            of_variants,
            of_combinations,
            self.number_of_combinations,
            self.number_of_cases,
            documented=self.documented,
            components=self.components,
        )


def plan(
    documents: Sequence[CaseDocument], variants: Sequence[str | Path], chosen: Sequence[Mapping[str, str]]
) -> Plan:
    """Return what is to be run: variants, and combinations of components."""
    cases = [(document.document, case) for document in documents for case in document.cases]
    numbers = {case.id: number for number, (_, case) in enumerate(cases)}
    documented = {pair for _, case in cases for pair in _documented(case)}
    planned = Plan([], [], [], len(chosen), len(cases), documented | set(DEFINITIONS))
    for name in variants:
        for title, case in cases:
            if case.variant in {"", str(name)}:
                planned.variants.append((str(name), {}, title, len(planned.tasks)))
                planned.tasks.append(CaseTask(name, case, numbers[case.id]))
    if not chosen:
        planned.number_of_cases = len({planned.tasks[task].number for *_, task in planned.variants})
        return planned
    of_components = [(title, case) for title, case in cases if not case.variant]
    planned.number_of_cases = len(of_components)
    planned.components = sorted({pair for components in chosen for pair in components.items()})
    positions = {id(components): position for position, components in enumerate(chosen)}
    alike: dict[tuple[tuple[str, ...], ...], dict[tuple[str, ...], list[Mapping[str, str]]]] = {}
    tasks = []
    for title, case in of_components:
        kinds = tuple(kind for kind in manager.COMPONENT_HOOKS if kind in case.concerns)
        fixed = {kind: Component.from_yaml(case.set[kind]).name for kind in kinds if kind in case.set}
        both = kinds, tuple(fixed)
        if both not in alike:
            alike[both] = _by_fixed(chosen, *both)
        for components in alike[both].get(tuple(fixed.values()), ()):
            own = {kind: components[kind] for kind in kinds}
            tasks.append((positions[id(components)], own, title, CaseTask(components, case, numbers[case.id])))
    for _, own, title, task in sorted(tasks, key=itemgetter(0)):  # so that those of one combination are neighbours
        planned.combinations.append((" ".join(own.values()) or "any", own, title, len(planned.tasks)))
        planned.tasks.append(task)
    return planned


def _by_fixed(
    chosen: Sequence[Mapping[str, str]], kinds: Sequence[str], fixed: Sequence[str]
) -> dict[tuple[str, ...], list[Mapping[str, str]]]:
    """Return the first of all combinations that have the same components of ``kinds``, by those of the fixed kinds."""
    first = {tuple(components[kind] for kind in kinds): components for components in reversed(chosen)}
    by_fixed: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
    for components in first.values():
        by_fixed.setdefault(tuple(components[kind] for kind in fixed), []).append(components)
    return by_fixed


def conform(
    documents: Sequence[CaseDocument], variants: Sequence[str | Path], only: Mapping[str, str] | None = None
) -> Report:
    """Run variants and, unless ``only`` is None, combinations against all cases, in this process, no contracts.

    ``only`` maps kinds of components to the names that all combinations must have; empty for all combinations. Raises
    VariantError for a variant or a component that cannot be used.
    """
    for name in variants:
        bleukit.load(name)  # so that a wrong variant is reported as such, and not as failing cases
    usable = None if only is None else {kind: _usable(kind, only) for kind in manager.COMPONENT_HOOKS}
    planned = plan(documents, variants, list(combinations(usable)) if usable else [])
    return planned.report([*_run(planned.tasks)])


def about_nothing(documents: Sequence[CaseDocument], report: Report, variants: Collection[str]) -> Iterator[CaseResult]:
    """Fail each case that holds nothing to anything: it would be taken for a check."""
    concerned = {result.outcome.case for result in report.results if result.outcome.state != "unstated"}
    for document in documents:
        for case in document.cases:
            if case.variant not in variants if case.variant else case.id not in concerned:
                nothing = f"no variant {case.variant!r} is registered" if case.variant else "it leaves everything open"
                outcome = CaseOutcome.failing(case.id, f"the case applies to nothing: {nothing}")
                yield CaseResult("any", {}, document.document, outcome)


def combinations(usable: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    """Yield each combination of components, by kind; those with the standard brevity penalty come first."""
    standard_first = (sorted(names, key=lambda name: Component(name) != STANDARD) for names in usable.values())
    for names in itertools.product(*standard_first):
        yield dict(zip(usable, names, strict=True))


def one_replaced(usable: Mapping[str, Sequence[str]], beside: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield combinations in which one component stands beside given ones, or beside the only ones there are."""
    beside = {kind: names[0] if len(names) == 1 else beside.get(kind, "") for kind, names in usable.items() if names}
    if len(beside) == len(usable):
        seen = [{**beside, kind: name} for kind, names in usable.items() for name in names]
        yield from (chosen for number, chosen in enumerate(seen) if chosen not in seen[:number])


def _run(tasks: Iterable[CaseTask]) -> Iterator[CaseOutcome]:
    loaded: tuple[object, object] = (None, None)
    for source, case, _ in tasks:
        if isinstance(source, str | Path):
            yield named_variants.run_for_variant(case, source) if case.variant else run_case(case, source)
        else:
            if loaded[0] is not source:
                loaded = (source, bleukit.load(from_keys({kind: Component(source[kind]) for kind in source})))
            yield run_case(case, loaded[1])  # type: ignore[arg-type]


OWN_STAGES = {
    "tokenizer": {"tokens"},
    "counter": {"matches", "totals"},
    "reference_length": {"reference_length"},
    "smoothing": {"precisions", "error"},
    "brevity_penalty": {"brevity_penalty"},
}
"""The stages of which a case must state one to say what a component gives."""


def _documented(case: Case) -> Iterator[tuple[str, str]]:
    """Yield the components of which a case states what they give, and the variant, by kind and name."""
    if case.variant:
        yield manager.VARIANT, case.variant
        return
    for kind in case.set.keys() & manager.COMPONENT_HOOKS.keys():
        if OWN_STAGES[kind].intersection(case.expect.stated):
            yield kind, Component.from_yaml(case.set[kind]).name
    for exception in case.otherwise:
        for kind, names in exception.when.items():
            if isinstance(names, list) and OWN_STAGES[kind].intersection(exception.expect.stated):
                yield from ((kind, name) for name in names)


def _usable(kind: str, only: Mapping[str, str]) -> list[str]:
    """Return the components of a kind that need no options, or the one that is asked for."""
    installed = registry.installed()
    if kind in only:
        return [creating.create(installed, kind, Component(only[kind])).name]
    usable = []
    for name in sorted(installed.registered[kind]):
        with suppress(VariantError):  # it needs options, which only its author knows
            usable.append(creating.create(installed, kind, Component(name)).name)
    return usable
