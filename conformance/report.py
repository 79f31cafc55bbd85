"""What a run found: of the headline figures, of each variant and component, and what fails, by its cause."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from bleukit.bleu.hookspecs import VARIANT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.conformance.judging.cases import Case
    from bleukit.conformance.judging.combinations import Result
    from bleukit.conformance.judging.runner import CaseOutcome, State

Name: TypeAlias = "tuple[str, str]"
"""A component or a variant: its kind and its name."""

CASES_HOLD: Literal["cases hold; contracts not tested"] = "cases hold; contracts not tested"

Verdict: TypeAlias = Literal["fails", "well-behaved", "not tried", "cases hold; contracts not tested"]


class Observed(NamedTuple):
    """What a component does otherwise than its contract, or than the documents; ``shown`` by the smallest example."""

    rule: str
    shown: str


class Cause(NamedTuple):
    """What case results that fail have in common: the component or the variant, and the stage that is wrong."""

    kind: str
    name: str
    stage: str


class Failing(NamedTuple):
    """A case that fails for a variant, or for a combination that ``of`` names; ``because`` says how."""

    case: str
    of: str
    because: str


@dataclass
class Subject:
    """A component or a variant that was tried.

    ``broken`` are rules of its contract and promises that it breaks, ``observed`` what it does otherwise than the
    documents. ``checked`` is how many results of cases say something of it. ``needs`` says why it was not tried.
    ``compared`` is how it differs from what it is to conform to, None if it was compared with nothing.
    """

    kind: str
    name: str
    distribution: str = ""
    broken: list[Observed] = field(default_factory=list)
    observed: list[Observed] = field(default_factory=list)
    checked: int = 0
    failing: bool = False
    contract_tried: bool = False
    needs: str = ""
    conforms_to: str = ""
    compared: str | None = None
    gives: list[tuple[str, str]] = field(default_factory=list)
    """The headline figures, each with what comes out beside the components of the plain variant."""
    cases: dict[str, tuple[State, str]] = field(default_factory=dict)
    """What came of each case: the worst state of any result, and why; of what was asked for by name."""
    deviates: list[Observed] = field(default_factory=list)
    """The cases in which it deviates beside these, and says why."""
    uncovered: list[Observed] = field(default_factory=list)
    """The cases that say nothing of such a component, and what it does."""

    @property
    def verdict(self) -> Verdict:
        """What came of it."""
        if self.broken or self.failing:
            return "fails"
        if self.needs or not (self.checked or self.contract_tried):
            return "not tried"
        return "well-behaved" if self.contract_tried or self.kind == VARIANT else CASES_HOLD

    @property
    def is_good(self) -> bool:
        """Whether it does not fail and, if it is to conform to something, does."""
        return self.verdict == "well-behaved" and not self.compared

    def __str__(self) -> str:
        return said(self.kind, self.name)


def said(kind: str, name: str) -> str:
    """Write the kind and the name of a component or a variant for people."""
    return f"{kind.replace('_', ' ')} {name}"


class Cell(NamedTuple):
    """What a variant gives for a headline figure."""

    state: State | Literal["not installed"]
    figure: float | None = None
    because: str = ""


class HeadlineRow(NamedTuple):
    """Variants that give the same answers, and these, one for each headline case."""

    variants: Sequence[str]
    cells: Sequence[Cell]


@dataclass
class Report:
    """All that a run found.

    ``headlines`` are the cases with a headline, each with the name of its document's file. ``results`` holds those of
    named variants, by name. ``combined`` counts the results of combinations by their state.
    """

    headlines: Sequence[tuple[str, Case]] = ()
    results: Mapping[str, Sequence[Result]] = field(default_factory=dict)
    combinations: int = 0
    combined: Counter[State] = field(default_factory=Counter)
    subjects: dict[Name, Subject] = field(default_factory=dict)
    failures: dict[Cause, list[Failing]] = field(default_factory=dict)
    not_installed: dict[Name, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    """What fails and is nothing of one component: a plugin that ends its process, a case that was not run."""
    left_out: list[str] = field(default_factory=list)
    required: Sequence[Name] = ()
    """What was asked for by name."""

    @cached_property
    def matrix(self) -> list[HeadlineRow]:
        """The headline figures: a row for each group of variants that give the same answers, the largest first."""
        by_case = {
            name: {result.outcome.case: result.outcome for result in results} for name, results in self.results.items()
        }
        groups: dict[tuple[Cell, ...], list[str]] = {}
        for name, outcomes in sorted(by_case.items()):
            cells = tuple(_cell(outcomes[case.id]) for _, case in self.headlines)
            groups.setdefault(cells, []).append(name)
        rows = [HeadlineRow(names, cells) for cells, names in groups.items()]
        absent = [name for kind, name in self.not_installed if kind == VARIANT]
        if absent:
            rows.append(HeadlineRow(absent, [Cell("not installed")] * len(self.headlines)))
        return sorted(rows, key=lambda row: (row.cells[0].state == "not installed", -len(row.variants), row.variants))

    @property
    def conforms(self) -> bool:
        """Whether nothing fails, and what was asked for by name is well-behaved, or conforms to what it should."""
        asked = all(self.subjects[name].is_good for name in self.required)
        broken = any(subject.broken for subject in self.subjects.values())
        return not (self.failures or self.problems or broken) and asked

    @property
    def verdict(self) -> str:
        """What came of all, which is not that all conforms if contracts were left out."""
        if not self.conforms:
            return "fails"
        return CASES_HOLD if self.left_out else "conforms"


def _cell(outcome: CaseOutcome) -> Cell:
    """Return what a case says of its score, rounded, so that variants whose rounding differs give the same answer."""
    score = next((stage for stage in outcome.stages if stage.name == "score"), None)
    state = "fails" if outcome.failures or score is None else score.state
    if state == "agrees" or outcome.figure is None:
        return Cell(state)
    because = score.because if score and state == "deviates" else ""
    return Cell(state, round(outcome.figure, 4), because)
