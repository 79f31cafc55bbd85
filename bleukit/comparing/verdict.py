"""What a comparison shows, in words: who is better, who cannot be told apart, how sure, and on what evidence."""

from __future__ import annotations

from math import ceil, floor, isclose
from typing import TYPE_CHECKING, NamedTuple

from bleukit.inspecting.phrases import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_NAMED = 6
"""The number of systems up to which all are named; more that follow one another are named by the first and the last."""

LEAST_P = 0.001
"""Smaller p-values are not written, here and in reports."""

MOST_REPEATED = 4
"""The number of systems, or of test sets, up to which there is a clause for each; more are told together."""

MOST_CLAUSES = 6
"""The number of clauses up to which every pair is named; else those of the best system are, and all others counted."""


class OrderedPair(NamedTuple):
    """A pair of systems of which the second does not score higher; ``p_value`` is None if the test gives none."""

    higher: str
    lower: str
    p_value: float | None
    is_significant: bool


class Evidence(NamedTuple):
    """What the tests rest on: "on 2,037 segments", the name of the p-values, and the limit that they must be below.

    ``limits`` says why a difference could not be shown, or for what the result does not hold: sentences, or empty.
    ``several`` says that each p-value stands for several: the largest that is significant, or the smallest that is not.
    """

    data: str
    p: str = "p"
    alpha: float = 0.05
    limits: str = ""
    several: bool = False


class OnTestSet(NamedTuple):
    """What was found on a test set: the systems in the order of their scores on it, and their pairs."""

    test_set: str
    systems: Sequence[str]
    pairs: Sequence[OrderedPair]


def verdict(systems: Sequence[str], pairs: Sequence[OrderedPair], evidence: Evidence, baseline: str | None) -> str:
    """Return the result of a comparison in one or two sentences; ``systems`` are in the order of their scores."""
    if len(systems) == 1:
        return f"{systems[0]} was scored alone {evidence.data}: there is no other system to compare it with."
    if any(pair.p_value is None for pair in pairs):
        said = f"Which of {_named(systems, systems)} is better cannot be tested {evidence.data}."
    else:
        clauses = _clauses(systems, pairs, evidence, baseline)
        if len(clauses) > MOST_CLAUSES and baseline is None:
            clauses = _of_best(systems, _by_pair(pairs), evidence)
        said = "; ".join(clauses) + "."
    return f"{said} {evidence.limits}".rstrip()


def verdict_on_test_sets(
    pairs: Sequence[OrderedPair],
    found: Sequence[OnTestSet],
    evidence: Evidence,
    baseline: str | None,
    untested: Sequence[str] = (),
) -> str:
    """Return what each test set alone shows, in sentences that follow the verdict on all, whose pairs are given.

    ``untested`` are test sets on which nothing could be tested.
    """
    alike: dict[frozenset[tuple[str, str]], list[OnTestSet]] = {}
    for each in found:
        alike.setdefault(_differing(each.pairs), []).append(each)
    if [*alike] == [_differing(pairs)] and not untested:
        all_pairs = [pair for each in found for pair in each.pairs]
        is_uniform = len({pair.is_significant for pair in all_pairs}) == 1
        return f"Each test set alone shows the same{f' ({_p_values(all_pairs, evidence)})' if is_uniform else ''}."
    said = [_common_clauses(same, evidence, baseline) for same in alike.values()]
    rest = f" On {listed(list(untested))} alone, nothing can be tested." if untested else ""
    if sum(map(len, said)) > MOST_CLAUSES:
        return _numbers_of_differences(pairs, found) + rest
    names = [listed([each.test_set for each in same]) for same in alike.values()]
    each_of = ["each of " if len(same) > 1 else "" for same in alike.values()]
    sentences = [
        f"On {each}{of} alone: {'; '.join(some)}." for each, of, some in zip(each_of, names, said, strict=True)
    ]
    return (" ".join(sentences) + rest).lstrip()


def _common_clauses(same: Sequence[OnTestSet], evidence: Evidence, baseline: str | None) -> list[str]:
    """Return clauses on test sets that show the same, in the order of the systems on the first of them."""
    place = {system: number for number, system in enumerate(same[0].systems)}
    values: dict[tuple[str, str], list[OrderedPair]] = {}
    for pair in (pair for each in same for pair in each.pairs):
        higher, lower = sorted((pair.higher, pair.lower), key=place.__getitem__)
        values.setdefault((higher, lower), []).append(pair)
    pairs = []
    for (higher, lower), found in values.items():
        differ = found[0].is_significant
        pairs.append(OrderedPair(higher, lower, (max if differ else min)(_known(found)), differ))
    return _clauses(same[0].systems, pairs, evidence._replace(data="", several=len(same) > 1), baseline)


def _numbers_of_differences(pairs: Sequence[OrderedPair], found: Sequence[OnTestSet]) -> str:
    """Return how many pairs differ on each test set, and which of them in another order than on all."""
    numbers = [sum(pair.is_significant for pair in each.pairs) for each in found]
    if len(found) <= MOST_REPEATED:
        verbs = ("differs" if number == 1 else "differ" for number in numbers)
        said = zip(numbers, verbs, found, strict=True)
        differ = listed([f"{number} {verb} on {each.test_set} alone" for number, verb, each in said])
    else:
        differ = f"{min(numbers)} to {max(numbers)} differ on each test set alone"
    order = {(pair.lower, pair.higher) for pair in pairs}
    turned = [
        f"{higher} is better than {lower} on {each.test_set}"
        for each in found
        for higher, lower in sorted(_differing(each.pairs) & order)
    ]
    shown = listed(
        turned[:MOST_REPEATED] + ([f"{len(turned) - MOST_REPEATED} more"] if len(turned) > MOST_REPEATED else [])
    )
    opposite = f"in the opposite order: {shown}" if turned else "none in the opposite order"
    return f"Of the {len(pairs)} pairs, {differ}, {opposite}."


def _differing(pairs: Sequence[OrderedPair]) -> frozenset[tuple[str, str]]:
    return frozenset((pair.higher, pair.lower) for pair in pairs if pair.is_significant)


def _known(pairs: Sequence[OrderedPair]) -> list[float]:
    return [pair.p_value for pair in pairs if pair.p_value is not None]


def _by_pair(pairs: Sequence[OrderedPair]) -> dict[tuple[str, str], OrderedPair]:
    return {(pair.higher, pair.lower): pair for pair in pairs}


def _clauses(
    systems: Sequence[str], pairs: Sequence[OrderedPair], evidence: Evidence, baseline: str | None
) -> list[str]:
    """Return clauses on all pairs, or on those with the baseline."""
    if baseline is not None:
        return _of_baseline(pairs, baseline, evidence)
    return _of_pairs(systems, _by_pair(pairs), evidence)


def _of_pairs(systems: Sequence[str], pairs: dict[tuple[str, str], OrderedPair], evidence: Evidence) -> list[str]:
    """Return clauses on every pair: systems that are better than the same others together, then those without order."""
    clauses: list[tuple[str, Sequence[OrderedPair]]] = []
    if len(systems) > MOST_REPEATED and all(pair.is_significant for pair in pairs.values()):
        text = f"In the order {listed(list(systems))}, each system is better than all that follow"
        return _with_evidence([(text, [*pairs.values()])], evidence)
    beaten = [tuple(other for other in systems if _is_better(pairs, system, other)) for system in systems]
    start = 0
    while start < len(systems):
        end = start + 1
        while end < len(systems) and beaten[end] == beaten[start]:
            end += 1
        better, worse = systems[start:end], beaten[start]
        if worse:
            found = [pairs[one, other] for one in better for other in worse]
            are = "is" if len(better) == 1 else "are"
            others = f"all {len(worse)} others" if len(worse) == len(systems) - 1 > 2 else _named(worse, systems)
            clauses.append((f"{_named(better, systems)} {are} better than {others}", found))
        start = end
    for group in _without_order(systems, pairs):
        found = [pairs[one, other] for place, one in enumerate(group) for other in group[place + 1 :]]
        is_all = len(group) == len(systems) > MOST_NAMED
        text = f"No two of the {len(group)} systems can" if is_all else f"{_named(group, systems)} cannot"
        clauses.append((f"{text} be told apart", found))
    return _with_evidence(clauses, evidence)


def _without_order(systems: Sequence[str], pairs: dict[tuple[str, str], OrderedPair]) -> list[Sequence[str]]:
    """Return groups of systems without a significant difference, none part of another, that hold all such pairs."""
    groups: list[Sequence[str]] = []
    end = 0
    for start in range(len(systems)):
        reach = start + 1
        while reach < len(systems) and not any(_is_better(pairs, one, systems[reach]) for one in systems[start:reach]):
            reach += 1
        if reach > max(end, start + 1):
            groups.append(systems[start:reach])
            end = reach
    for (higher, lower), pair in pairs.items():
        if not pair.is_significant and not any(higher in group and lower in group for group in groups):
            groups.append((higher, lower))
    return groups


def _of_best(systems: Sequence[str], pairs: dict[tuple[str, str], OrderedPair], evidence: Evidence) -> list[str]:
    """Return clauses on the system that scores highest, and the number of all other pairs that differ."""
    best, *others = systems
    worse = [other for other in others if _is_better(pairs, best, other)]
    equal = [other for other in others if other not in worse]
    rest = [pair for pair in pairs.values() if best not in (pair.higher, pair.lower)]
    differ = sum(pair.is_significant for pair in rest)
    than = "cannot be told apart from", "is better than"
    groups = [(relation, group) for relation, group in zip(than, (equal, worse), strict=True) if group]
    groups.sort(key=lambda group: len(group[1]) > MOST_NAMED)  # so that "the others" come last
    clauses: list[tuple[str, Sequence[OrderedPair]]] = []
    for relation, group in groups:
        if not worse:
            text = f"{best} scores highest, but {relation} any of the {len(group)} others"
        elif not equal:
            text = f"{best} {relation} all {len(group)} others"
        elif not clauses:
            text = f"{best} scores highest{', but' if group is equal else ' and'} {relation} {_named(group, systems)}"
        else:
            text = f"it {relation} {f'the {len(group)} others' if len(group) > 1 else group[0]}"
        clauses.append((text, [pairs[best, other] for other in group]))
    return [
        *_with_evidence(clauses, evidence),
        f"of the other {len(rest)} pairs, {differ} differ and {len(rest) - differ} cannot be told apart",
    ]


def _of_baseline(pairs: Sequence[OrderedPair], baseline: str, evidence: Evidence) -> list[str]:
    """Return clauses on the systems that are better than the baseline, worse, and neither."""
    better = [pair for pair in pairs if pair.is_significant and pair.lower == baseline]
    worse = [pair for pair in pairs if pair.is_significant and pair.higher == baseline]
    equal = [pair for pair in pairs if not pair.is_significant]
    groups = [
        (relation, [pair.lower if pair.higher == baseline else pair.higher for pair in found], found)
        for relation, found in (("better than", better), ("worse than", worse), ("", equal))
        if found
    ]
    groups.sort(key=lambda group: len(group[1]) > MOST_NAMED)  # so that "the others" come last
    clauses = []
    for number, (relation, names, found) in enumerate(groups, 1):
        is_many = number == len(groups) and len(names) > MOST_NAMED
        others = f"{'All' if number == 1 else 'the'} {len(names)} others" if is_many else listed(names)
        if relation:
            text = f"{others} {'is' if len(names) == 1 else 'are'} {relation} {baseline}"
        elif is_many and number == 1:
            text = f"None of the {len(names)} others can be told apart from {baseline}"
        else:
            text = f"{others} cannot be told apart from {baseline}"
        clauses.append((text, found))
    return _with_evidence(clauses, evidence)


def _is_better(pairs: dict[tuple[str, str], OrderedPair], higher: str, lower: str) -> bool:
    return (higher, lower) in pairs and pairs[higher, lower].is_significant


def _with_evidence(clauses: Sequence[tuple[str, Sequence[OrderedPair]]], evidence: Evidence) -> list[str]:
    """Return the clauses with their p-values, the last with the data, too."""
    said = []
    for number, (text, pairs) in enumerate(clauses, 1):
        data = f" {evidence.data}" if number == len(clauses) and evidence.data else ""
        said.append(f"{text}{data} ({_p_values(pairs, evidence)})")
    return said


def _p_values(pairs: Sequence[OrderedPair], evidence: Evidence) -> str:
    """Return the p-value of one pair, else the largest of those that are significant, or the smallest of the others."""
    values = _known(pairs)
    limit = "" if isclose(evidence.alpha, 0.05) else f"; the limit is {evidence.alpha:.4g}"
    if len(values) == 1 and not evidence.several:
        shown = f"= {values[0]:.4f}"
    elif pairs[0].is_significant:
        shown = f"≤ {ceil(1e4 * max(values)) / 1e4:.4f}"
    else:
        shown = f"≥ {floor(1e4 * min(values)) / 1e4:.4f}" if min(values) < 1 else "= 1"
    return f"{evidence.p} {f'< {LEAST_P}' if max(values) < LEAST_P else shown}{limit}"


def _named(names: Sequence[str], systems: Sequence[str]) -> str:
    """Return the names in a list, or the first and the last of many that follow one another."""
    start = systems.index(names[0])
    if len(names) <= MOST_NAMED or list(names) != list(systems[start : start + len(names)]):
        return listed(list(names))
    return f"{len(names)} systems (from {names[0]} down to {names[-1]} in score)"
