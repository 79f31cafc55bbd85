"""Runs the cases for every combination of components: one component of each kind.

Of combinations that differ only in components that a case does not concern, one is run; of those that split, count and
score its text alike, one is judged. A case that sets a component itself is run with that one only.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bleukit.conformance.judging.observing import Observation, counted, load_for, observe, tokenized
from bleukit.conformance.judging.runner import judge
from msgspec import structs

import bleukit
from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.bleu.loader import OF_SCORING
from bleukit.bleu.variant import STANDARD
from bleukit.framework import registry
from bleukit.framework.options import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bleukit.conformance.judging.cases import Case
    from bleukit.conformance.judging.runner import CaseOutcome

    from bleukit import Bleu

Choice: TypeAlias = "str | dict[str, Any]"
"""A component as YAML has it: its name, or a mapping of its name and its options."""

Combination: TypeAlias = "Mapping[str, Choice]"
"""A component of each kind, or of some kinds."""

OF_COUNTING = tuple(kind for kind in COMPONENT_HOOKS if kind not in OF_SCORING)

PARTS = 8
"""In how many parts the cases are run, so that several processes share them, and progress is seen."""


class Result(NamedTuple):
    """What came of a case, by its number, for so many ``combinations``; ``components`` are those of any, by kind.

    What fails has a result for each combination. That of a named variant has no components, and no combinations.
    """

    case: int
    outcome: CaseOutcome
    components: Mapping[str, Sequence[str]]
    combinations: int = 0


class Share(NamedTuple):
    """All combinations of the ``choices`` of each kind, and the numbers of the cases to run for them."""

    choices: Mapping[str, Sequence[Choice]]
    cases: Sequence[int]


class _Alike(NamedTuple):
    """What is ``seen`` of a case with each of some tokenizers and each of some counters and reference lengths."""

    seen: Observation
    tokenizers: list[Combination]
    counting: list[Combination]

    @property
    def first(self) -> Combination:
        """One of the combinations."""
        return {**self.tokenizers[0], **self.counting[0]}


def name_of(choice: Any) -> str:
    """Return the name of a component as YAML has it."""
    return choice if isinstance(choice, str) else str(Component.from_yaml(choice).name)


def shares_of(
    grid: Mapping[str, Sequence[Choice]], cases: Sequence[Case], is_own: Callable[[str, str], bool]
) -> Iterator[Share]:
    """Yield the shares of a grid. A component that is not bleukit's own is alone of its kind in its shares."""
    choices: list[list[Sequence[Choice]]] = []
    for kind, able in grid.items():
        own = [choice for choice in able if is_own(kind, name_of(choice))]
        standard_first = sorted(own, key=lambda choice: name_of(choice) != STANDARD.name)  # which stands for others
        foreign = ([choice] for choice in able if choice not in own)
        choices.append([*([standard_first] if own else []), *foreign])
    numbers = [number for number, case in enumerate(cases) if not case.subject]
    for chosen in product(*choices):
        for part in range(min(PARTS, len(numbers))):
            yield Share(dict(zip(grid, chosen, strict=True)), numbers[part::PARTS])


class CombinationRunner:
    """Runs cases for one share after the other, and keeps the variants that several cases need."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = cases
        self._loaded: dict[str, Bleu] = {}

    def run(self, share: Share, started: Callable[[str], object] = lambda _: None) -> Iterator[Result]:
        """Yield the results of a share. ``started`` is called with the name of each case before it is run."""
        for number in share.cases:
            case = self._cases[number]
            able = _able(share, case)
            if all(able.values()):
                started(case.id)
                stands_for = math.prod(len(own) for kind, own in share.choices.items() if kind not in case.concerns)
                yield from _merged(case, number, stands_for, self._outcomes(case, able))

    def _outcomes(
        self, case: Case, able: Mapping[str, Sequence[Choice]]
    ) -> Iterator[tuple[CaseOutcome, _Alike, Sequence[Combination]]]:
        """Yield each outcome of a case, with the combinations that count alike, and the ways to score, that have it."""
        tokenizers, counting, scoring = (_combinations(able, k) for k in (OF_COUNTING[:1], OF_COUNTING[1:], OF_SCORING))
        every = _Alike(Observation(), tokenizers, counting)
        scorers: dict[int, list[tuple[Combination, Bleu]]] = defaultdict(list)
        for own in scoring:
            try:
                scorer = self._load(case, {**every.first, **own}, OF_SCORING)
                scorers[scorer.max_order].append((own, scorer))  # a smoothing may ask for more orders
            except bleukit.VariantError:  # noqa: PERF203 - of a case that is about what is refused
                yield judge(case, observe(case, {**every.first, **own})), every, [own]
        split = list(self._split(case, every, scoring[0])) if scorers else []
        for alike, (max_order, of_order) in product(split, scorers.items()):
            if _is_left_to_tokenizer(case, alike.first, alike.seen):
                scored = self._scored(case, alike, *of_order[0])
                yield judge(case, scored), alike, [own for own, _ in of_order]
                continue
            for counted_alike in self._counted(case, alike, of_order[0][0], max_order):
                judged: dict[str, CaseOutcome] = {}
                for own, scorer in of_order:
                    scored = self._scored(case, counted_alike, own, scorer)
                    key = _what_is_judged(case, scored)
                    if key not in judged:
                        judged[key] = judge(case, scored)
                    yield judged[key], counted_alike, [own]

    def _load(self, case: Case, combination: Combination, kinds: Sequence[str], max_order: int = 0) -> Bleu:
        """Return a variant that has these kinds of components of a combination; the others may be of another one."""
        key = repr((case.set, [combination[kind] for kind in kinds], max_order))
        if key not in self._loaded:
            self._loaded[key] = load_for(case, combination)
        return self._loaded[key]

    def _split(self, case: Case, every: _Alike, scoring: Combination) -> Iterator[_Alike]:
        """Yield the tokenizers that split the text of a case alike, together if the case does not name them."""
        alike: dict[str, _Alike] = {}
        for own in every.tokenizers:
            seen = tokenized(case, self._load(case, {**every.first, **scoring, **own}, OF_COUNTING[:1]))
            key = repr((seen.refused, seen.tokens, seen.alone, seen.lengths, _conditions(case, own)))
            alike.setdefault(key, _Alike(seen, [], every.counting)).tokenizers.append(own)
        yield from alike.values()

    def _counted(self, case: Case, split: _Alike, scoring: Combination, max_order: int) -> Iterator[_Alike]:
        """Yield the counters and reference lengths that count the same of a text that is split alike."""
        alike: dict[str, _Alike] = {}
        for own in split.counting:
            bleu = self._load(case, {**split.first, **scoring, **own}, OF_COUNTING, max_order)
            seen = counted(case, bleu, split.seen)
            columns = {name: seen.rows.column(name).tobytes() for name in seen.rows.columns} if seen.rows else {}
            key = repr((seen.refused, columns, _conditions(case, own)))
            alike.setdefault(key, _Alike(seen, split.tokenizers, [])).counting.append(own)
        yield from alike.values()

    def _scored(self, case: Case, alike: _Alike, scoring: Combination, scorer: Bleu) -> Observation:
        """Return what a combination gives for a case: what is scored by a variant of which only that part matters."""
        combination = {**alike.first, **scoring}
        own = {kind: Component.from_yaml(combination[kind]) for kind in OF_COUNTING if kind not in case.set}
        foreign = frozenset(kind for kind, choice in combination.items() if _is_foreign(kind, name_of(choice)))
        variant = structs.replace(scorer.variant, **own)
        return replace(alike.seen.scored(scorer), variant=variant, foreign=foreign)


def _combinations(able: Mapping[str, Sequence[Choice]], kinds: Sequence[str]) -> list[Combination]:
    return [dict(zip(kinds, chosen, strict=True)) for chosen in product(*(able[kind] for kind in kinds))]


def _conditions(case: Case, combination: Combination) -> list[Choice]:
    """Return the components for which the case says that something holds otherwise."""
    return [own for kind, own in combination.items() if name_of(own) in case.conditions.get(kind, ())]


def _what_is_judged(case: Case, seen: Observation) -> str:
    """Return what is asked of what is scored, if the counts are the same: figures, and what components are known by."""
    score, variant = seen.score, seen.variant
    figures = score and (score.value, score.precisions, score.brevity_penalty)
    chosen = {kind: getattr(variant, kind) for kind in OF_SCORING}
    known = [
        own if own.name in case.conditions.get(kind, ()) else (own == STANDARD, own.options, kind in seen.foreign)
        for kind, own in chosen.items()
    ]
    return repr((seen.refused, figures, known))


def _merged(
    case: Case,
    number: int,
    stands_for: int,
    outcomes: Iterable[tuple[CaseOutcome, _Alike, Sequence[Combination]]],
) -> Iterator[Result]:
    """Yield the results of a case: those that are the same together, but for what fails."""
    components: dict[CaseOutcome, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    combinations: Counter[CaseOutcome] = Counter()
    for outcome, alike, scoring in outcomes:
        if outcome.failures:
            for chosen in product(alike.tokenizers, alike.counting, scoring):
                names = {kind: [name_of(choice)] for own in chosen for kind, choice in own.items()}
                yield Result(number, outcome, {k: own for k, own in names.items() if k in case.concerns}, stands_for)
            continue
        combinations[outcome] += len(alike.tokenizers) * len(alike.counting) * len(scoring) * stands_for
        for own in (*alike.tokenizers, *alike.counting, *scoring):
            for kind in case.concerns & own.keys():
                components[outcome][kind][name_of(own[kind])] = None
    for outcome, by_kind in components.items():
        yield Result(number, outcome, {kind: [*own] for kind, own in by_kind.items()}, combinations[outcome])


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
    return not registry.installed().of_kind(kind)[name].plugin.is_built_in


def _able(share: Share, case: Case) -> dict[str, Sequence[Choice]]:
    """Return the choices of each kind with which a case is run: one, for all, of a kind that it does not concern."""
    able: dict[str, Sequence[Choice]] = {}
    for kind, choices in share.choices.items():
        if kind in case.set:
            able[kind] = [choice for choice in choices if name_of(choice) == name_of(case.set[kind])]
        else:
            able[kind] = choices if kind in case.concerns else choices[:1]
    return able
