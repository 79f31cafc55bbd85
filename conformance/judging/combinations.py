"""Runs the cases for every combination of components: one component of each kind.

Of combinations that differ only in components that a case does not concern, one is run; of combinations that count and
score alike, one is judged. A case that sets a component itself is run with that one only.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bleukit.conformance.judging.observing import counted, load_for, observe, tokenized
from bleukit.conformance.judging.runner import judge
from msgspec import structs

import bleukit
from bleukit.loading import registry
from bleukit.loading.loader import OF_SCORING
from bleukit.loading.manager import COMPONENT_HOOKS
from bleukit.variant import STANDARD, Component

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bleukit.conformance.judging.cases import Case
    from bleukit.conformance.judging.observing import Observation
    from bleukit.conformance.judging.runner import CaseOutcome

    from bleukit import Bleu

Choice: TypeAlias = "str | dict[str, Any]"
"""A component as YAML has it: its name, or a mapping of its name and its options."""

OF_COUNTING = tuple(kind for kind in COMPONENT_HOOKS if kind not in OF_SCORING)


class Result(NamedTuple):
    """What came of a case, by its number, for so many ``combinations``; ``components`` are those of one of them.

    Of a named variant there are no components, and no combinations.
    """

    case: int
    outcome: CaseOutcome
    components: Mapping[str, str]
    combinations: int = 0


class Share(NamedTuple):
    """Combinations that count alike: ``choices`` has one component of each kind that counts.

    ``sizes`` is how many choices of each kind the whole grid has; ``first`` are the kinds that count whose component is
    the first of them, which stands for all others where a case does not concern the kind.
    """

    choices: Mapping[str, Sequence[Choice]]
    sizes: Mapping[str, int]
    first: frozenset[str]


def name_of(choice: Any) -> str:
    """Return the name of a component as YAML has it."""
    return choice if isinstance(choice, str) else str(Component.from_yaml(choice).name)


def shares_of(grid: Mapping[str, Sequence[Choice]]) -> Iterator[Share]:
    """Yield the shares of a grid: of each choice of every kind with each choice of all others."""
    ordered = {kind: sorted(own, key=lambda choice: name_of(choice) != STANDARD.name) for kind, own in grid.items()}
    sizes = {kind: len(own) for kind, own in ordered.items()}
    for chosen in product(*(ordered[kind] for kind in OF_COUNTING)):
        counting = dict(zip(OF_COUNTING, chosen, strict=True))
        first = frozenset(kind for kind in OF_COUNTING if counting[kind] == ordered[kind][0])
        yield Share({**ordered, **{kind: [own] for kind, own in counting.items()}}, sizes, first)


class CombinationRunner:
    """Runs cases for one share after the other, and keeps what several of them need."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = cases
        self._loaded: dict[object, Bleu] = {}
        self._tokenized: dict[object, Observation] = {}
        self._counted: dict[object, Observation] = {}
        self._outcomes: dict[object, CaseOutcome] = {}

    def run(self, share: Share, started: Callable[[str], object] = lambda _: None) -> Iterator[Result]:
        """Yield the results of a share. ``started`` is called with the name of each case before it is run."""
        for number, case in enumerate(self._cases):
            able = {} if case.variant else _able(share, case)
            if not able or not all(able.values()):
                continue
            started(case.id)
            stands_for = math.prod(size for kind, size in share.sizes.items() if kind not in case.concerns)
            results: dict[object, Result] = {}
            seen: dict[object, Observation] = {}
            for chosen in product(*able.values()):
                combination = dict(zip(able, chosen, strict=True))
                outcome, is_of_all = self._outcome(case, combination, seen)
                alike = math.prod(len(able[kind]) for kind in OF_SCORING) if is_of_all else 1
                names = {kind: name_of(choice) for kind, choice in combination.items() if kind in case.concerns}
                key = id(outcome), *(names.values() if outcome.failures else ())
                before = results[key].combinations if key in results else 0
                results[key] = Result(number, outcome, names, before + stands_for * alike)
                if is_of_all:
                    break
            yield from results.values()

    def _outcome(
        self, case: Case, combination: dict[str, Choice], of_share: dict[object, Observation]
    ) -> tuple[CaseOutcome, bool]:
        """Return the outcome of a case, and whether it is that of any combination that has the tokenizer.

        ``of_share`` keeps what is counted for the case by the share, by what of a scorer matters.
        """
        try:
            scorer = self._load(case, combination, OF_SCORING)
            counting = scorer.variant.lowercase, scorer.max_order
            if counting not in of_share:
                of_share[counting] = self._observed(case, combination, *counting)
            seen = of_share[counting]
        except bleukit.VariantError:
            return judge(case, observe(case, combination)), False
        deciding = [] if seen.rows is None else [combination[kind] for kind in (*case.conditions, *OF_SCORING)]
        key = case.id, id(seen), repr(deciding)
        if key not in self._outcomes:
            own = {kind: Component.from_yaml(combination[kind]) for kind in OF_COUNTING if kind not in case.set}
            foreign = frozenset(kind for kind, choice in combination.items() if _is_foreign(kind, name_of(choice)))
            scored = replace(seen.scored(scorer), variant=structs.replace(scorer.variant, **own), foreign=foreign)
            self._outcomes[key] = judge(case, scored)
        return self._outcomes[key], _is_left_to_tokenizer(case, combination, seen)

    def _load(self, case: Case, combination: dict[str, Choice], kinds: Sequence[str], max_order: int = 0) -> Bleu:
        """Return a variant that has these kinds of components of a combination; the others may be of another one."""
        key = repr((case.set, [combination[kind] for kind in kinds], max_order))
        if key not in self._loaded:
            self._loaded[key] = load_for(case, combination)
        return self._loaded[key]

    def _observed(
        self, case: Case, combination: dict[str, Choice], lowercase: bool | str, max_order: int
    ) -> Observation:
        """Return what is counted for a case; what is the same is returned as the same object.

        Beside the components that count, it depends on the case of letters, and on the number of orders, which a
        smoothing may raise.
        """
        by_tokenizer = case.id, repr(combination["tokenizer"]), lowercase
        if by_tokenizer not in self._tokenized:
            seen = tokenized(case, self._load(case, combination, OF_COUNTING, max_order))
            by_content = case.id, repr((seen.refused, seen.tokens, seen.alone, seen.lengths))
            self._tokenized[by_tokenizer] = self._tokenized.setdefault(by_content, seen)
        seen = self._tokenized[by_tokenizer]
        if seen.refused or _is_left_to_tokenizer(case, combination, seen):
            return seen
        counting = id(seen), repr([combination[kind] for kind in ("counter", "reference_length")]), max_order
        if counting not in self._counted:
            counts = counted(case, self._load(case, combination, OF_COUNTING, max_order), seen)
            columns = [counts.rows.column(name).tobytes() for name in counts.rows.columns] if counts.rows else []
            by_counts = id(seen), repr(counts.refused), *columns
            self._counted[counting] = self._counted.setdefault(by_counts, counts)
        return self._counted[counting]


def _is_left_to_tokenizer(case: Case, combination: Mapping[str, Choice], seen: Observation) -> bool:
    """Return whether a case says nothing more, because a tokenizer of which it does not speak splits otherwise."""
    name = name_of(combination["tokenizer"])
    named = "tokenizer" in case.set or any(name in own.when.get("tokenizer", ()) for own in case.otherwise)
    if named or not seen.tokens:
        return False
    tokens, *others = seen.tokens
    return list(seen.alone) == tokens and (tokens != case.expect.tokens or others != case.expect.other_tokens)


@cache
def _is_foreign(kind: str, name: str) -> bool:
    return not registry.installed().registered[kind][name].plugin.is_built_in


def _able(share: Share, case: Case) -> dict[str, Sequence[Choice]]:
    """Return the choices of each kind with which a case is run; none if another share stands for this one."""
    able: dict[str, Sequence[Choice]] = {}
    for kind, choices in share.choices.items():
        if kind in case.set:
            able[kind] = [choice for choice in choices if name_of(choice) == name_of(case.set[kind])]
        elif kind in case.concerns:
            able[kind] = choices
        elif kind in share.first or kind in OF_SCORING:
            able[kind] = choices[:1]
        else:
            return {}
    return able
