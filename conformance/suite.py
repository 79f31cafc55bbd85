"""The whole suite: named recipes against every case, and every combination of registered components against every case.

A combination is one tokenizer, one n-gram counter, one reference-length policy and one smoothing. A case that sets a
component itself is run with that one only.
"""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bleukit_conformance import named_recipes
from bleukit_conformance.runner import Outcome, run

import bleukit
from bleukit.errors import VariantError
from bleukit.loading import registry
from bleukit.recipes.variant import Component, Variant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bleukit_conformance.cases import Case, Document
    from bleukit_conformance.contracts import Breach

HEADLINES = {"2/7": ("W2", "N1-modified"), "0.5411": ("L1", "L3-closest", "L3-shortest", "L3-average"), "0.75": ("N2",)}
"""The documents' best known figures, and the cases that hold them."""


@dataclass(frozen=True)
class Result:
    """What came of one case for a named recipe, or for a combination: then ``recipe`` says which."""

    recipe: str
    components: Mapping[str, str]
    document: str
    outcome: Outcome


@dataclass(frozen=True)
class Report:
    """All results of a run: of named recipes, and of combinations."""

    variants: Sequence[Result] = ()
    combinations: Sequence[Result] = ()
    number_of_combinations: int = 0
    number_of_cases: int = 0
    breaches: Sequence[Breach] = ()
    """Contracts that components do not keep."""

    @cached_property
    def failures(self) -> list[Result]:
        """Every result with a failure."""
        return [result for result in self.results if result.outcome.failures]

    @property
    def results(self) -> Sequence[Result]:
        """All results."""
        return (*self.variants, *self.combinations)

    @property
    def conforms(self) -> bool:
        """Whether nothing fails: what deviates as stated does not, nor what the cases leave open."""
        return not self.failures and not self.breaches


def conform(
    documents: Sequence[Document],
    variants: Sequence[str | Path],
    only: Mapping[str, str] | None,
    progress: Callable[[Iterator[Variant], int], Iterable[Variant]] = lambda recipes, _: recipes,
) -> Report:
    """Run recipes (names, or paths of YAML files) and, unless ``only`` is None, combinations against all cases.

    ``only`` maps kinds of components to the names that all combinations must have; empty for all combinations. Raises
    VariantError for a recipe or a component that cannot be used.
    """
    for name in variants:
        bleukit.load(name)  # so that a recipe that is wrong is told as such, and not as cases that fail
    cases = [(document.document, case) for document in documents for case in document.cases]
    of_variants = [
        Result(str(name), {}, title, named_recipes.run(case, name) if case.variant else run(case, name))
        for name in variants
        for title, case in cases
        if case.variant in {"", str(name)}
    ]
    if only is None:
        return Report(of_variants, number_of_cases=len({result.outcome.case for result in of_variants}))
    of_components = [(title, case) for title, case in cases if not case.variant]
    recipes = combinations(only)
    of_combinations = list(_of_combinations(progress(iter(recipes), len(recipes)), of_components))
    if not only:
        of_combinations += _about_nothing(cases, [*of_variants, *of_combinations])
    return Report(of_variants, of_combinations, len(recipes), len(of_components), _breaches(only))


def _of_combinations(recipes: Iterable[Variant], cases: Sequence[tuple[str, Case]]) -> Iterator[Result]:
    """Run every combination against every case; once for all combinations whose difference a case does not concern."""
    concerns = [case.concerns for _, case in cases]
    seen: dict[tuple[object, ...], Outcome] = {}
    for recipe in recipes:
        bleu = bleukit.load(recipe)
        chosen = {kind: getattr(recipe, kind).name for kind in registry.HOOKS}
        label = " ".join(chosen.values())
        for number, (title, case) in enumerate(cases):
            if all(_allows(case, kind, name) for kind, name in chosen.items()):
                alike = (number, *(name for kind, name in chosen.items() if kind in concerns[number]))
                if alike not in seen:
                    seen[alike] = run(case, bleu)
                yield Result(label, chosen, title, seen[alike])


def _about_nothing(cases: Sequence[tuple[str, Case]], results: Sequence[Result]) -> Iterator[Result]:
    """Fail each case that holds nothing to anything: it would be taken for a check."""
    concerned = {result.outcome.case for result in results if result.outcome.state != "unstated"}
    recipes = registry.installed().recipes
    for title, case in cases:
        if case.variant not in recipes if case.variant else case.id not in concerned:
            nothing = f"no recipe {case.variant!r} is registered" if case.variant else "it leaves everything open"
            yield Result("any", {}, title, Outcome.failing(case.id, f"the case applies to nothing: {nothing}"))


def combinations(only: Mapping[str, str]) -> list[Variant]:
    """Return a recipe for each combination of registered components that need no options.

    Raises VariantError for a name in ``only`` that nobody registered.
    """
    installed = registry.installed()
    usable: dict[str, list[Component]] = {}
    for kind in registry.HOOKS:
        if kind in only:
            usable[kind] = [installed.create(kind, Component(only[kind])).choice]
        else:
            usable[kind] = [*_creatable(installed, kind)]
    return [
        Variant(tokenizer=tokenizer, counter=counter, reference_length=reference_length, smoothing=smoothing)
        for tokenizer, counter, reference_length, smoothing in itertools.product(*usable.values())
    ]


def _allows(case: Case, kind: str, name: str) -> bool:
    """Tell whether a case can be run with a component: it sets none of this kind, or this one."""
    return kind not in case.recipe or Component.from_yaml(case.recipe[kind]).name == name


def _breaches(only: Mapping[str, str]) -> list[Breach]:
    """Try the contracts of the components that the run is about."""
    from bleukit_conformance.contracts import check

    installed = registry.installed()
    chosen = only.items() or [(kind, c.name) for kind in registry.HOOKS for c in _creatable(installed, kind)]
    return [breach for kind, name in chosen for breach in check(kind, name)]


def _creatable(installed: registry.Registry, kind: str) -> Iterator[Component]:
    for name in sorted(installed.components[kind]):
        with suppress(VariantError):  # it needs options, which only its author knows
            yield installed.create(kind, Component(name)).choice
