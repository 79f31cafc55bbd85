"""A comparison in words: who is better, how sure that is, what to mind, and what a larger test set would find."""

from __future__ import annotations

from math import ceil, floor, isclose
from typing import TYPE_CHECKING

from bleukit.comparing.ranking import is_significant
from bleukit.comparing.units import DOCUMENT, ENUMERATED, FEWEST_UNITS
from bleukit.framework.errors import quantity
from bleukit.writing.phrases import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.comparing.results import Comparison, GroupResult, PairResult

MOST_PAIRS = 6
"""The number of pairs up to which each has a clause; of more, the best system is told, and all others are counted."""

LEAST_P = 0.001
"""Smaller p-values are not written, here and in reports."""

REPRODUCING = {
    "sacrebleu-bs": "it rejects 11 to 12 % of true null hypotheses at 5 %, and identical outputs",
    "sacrebleu-ar": "it rejects identical outputs, and outputs that differ in one segment",
}
"""The tests that serve only to reproduce results, and why."""


def verdict(comparison: Comparison) -> str:
    """Return what a comparison shows: on all segments, then on each test set if there are several."""
    data = f"on {quantity(comparison.segments, 'segment')}"
    if comparison.resample_by == DOCUMENT:
        data += f" of {quantity(comparison.units, 'document')}"
    if comparison.has_test_sets:
        data += f" from {len(comparison.groups)} test sets"
    runs = sorted({len(system.runs) for system in comparison.systems})
    if runs[-1] > 1:
        data += f" with {'' if len(runs) == 1 else f'{runs[0]} to '}{runs[-1]} runs each"
    if len(comparison.systems) == 1:
        return f"{comparison.systems[0].system} was scored alone {data}: there is no other system to compare it with."
    sentences = [_sentence(comparison, comparison.pairs, data), _limits(comparison)]
    if comparison.has_test_sets and comparison.pairs:
        sentences.append(_on_test_sets(comparison))
    return " ".join(filter(None, sentences))


def _sentence(comparison: Comparison, pairs: Sequence[PairResult], data: str) -> str:
    """Return what was found of these pairs, a clause for each; of many, of the best system or the baseline."""
    systems, baseline = [system.system for system in comparison.systems], comparison.baseline
    if any(pair.p_value is None for pair in pairs):
        named = listed(systems) if len(systems) <= MOST_PAIRS else f"{len(systems)} systems"
        return f"Which of {named} is better cannot be tested {data}."
    if len(pairs) <= MOST_PAIRS:
        clauses = [f"{_clause(comparison, pair)} ({_p_values(comparison, [pair])})" for pair in pairs]
        end = clauses[-1].rpartition(" (")
        return f"{'; '.join([*clauses[:-1], f'{end[0]} {data} ({end[2]}'])}."
    differ = [pair for pair in pairs if _differ(comparison, pair)]
    if not differ:
        return f"None of the {len(pairs)} pairs can be told apart {data} ({_p_values(comparison, pairs)})."
    if baseline is not None:
        better = sum(_in_order(comparison, pair)[1] == baseline for pair in differ)
        said = f"Of {len(pairs)} systems, {better} {'is' if better == 1 else 'are'} better than {baseline} {data}"
        return f"{said}, {len(differ) - better} worse; {len(pairs) - len(differ)} cannot be told apart from it."
    if len(differ) == len(pairs):
        order = f"In the order {listed(systems)}, each system is better than all that follow"
        return f"{order} {data} ({_p_values(comparison, pairs)})."
    best = systems[0]
    worse = sum(_in_order(comparison, pair)[0] == best for pair in differ)
    than = (
        f"is better than {worse} of the {len(systems) - 1} others" if worse else "cannot be told apart from any other"
    )
    first = "lowest" if comparison.lower_is_better else "highest"
    return f"{best} scores {first} and {than} {data}; {len(differ)} of all {len(pairs)} pairs differ."


def _clause(comparison: Comparison, pair: PairResult) -> str:
    better, worse = _in_order(comparison, pair)
    return (
        f"{better} is better than {worse}"
        if _differ(comparison, pair)
        else f"{better} and {worse} cannot be told apart"
    )


def _in_order(comparison: Comparison, pair: PairResult) -> tuple[str, str]:
    """Return the systems of a pair, the one with the better score first."""
    better = -pair.difference if comparison.lower_is_better else pair.difference
    return (pair.first, pair.second) if better >= 0 else (pair.second, pair.first)


def _differ(comparison: Comparison, pair: PairResult) -> bool:
    p_value = pair.adjusted_p_value
    return p_value is not None and pair.difference != 0 and is_significant(p_value, comparison.confidence_level)


def _p_values(comparison: Comparison, pairs: Sequence[PairResult]) -> str:
    """Return the p-value of one pair, else the largest of significant ones, or the smallest of the others."""
    values = [pair.adjusted_p_value for pair in pairs if pair.adjusted_p_value is not None]
    if max(values) < LEAST_P:
        shown = f"< {LEAST_P}"
    elif len(values) == 1:
        shown = f"= {values[0]:.4f}"
    elif _differ(comparison, pairs[0]):
        shown = f"≤ {ceil(1e4 * max(values)) / 1e4:.4f}"
    else:
        shown = f"≥ {floor(1e4 * min(values)) / 1e4:.4f}" if min(values) < 1 else "= 1"
    alpha = 1 - comparison.confidence_level
    limit = "" if isclose(alpha, 0.05) else f"; the limit is {alpha:.4g}"
    return f"{'adjusted p' if comparison.is_adjusted else 'p'} {shown}{limit}"


def _limits(comparison: Comparison) -> str:
    """Return for which runs the result holds, or that too few units differ for any test; else nothing."""
    if any(len(system.runs) > 1 for system in comparison.systems):
        if comparison.test == "hierarchical":
            return "Differences between runs are taken into account."
        return "This holds for these very runs: others might differ."
    equal = [pair for pair in comparison.pairs if not _differ(comparison, pair)]
    if not equal or not all(pair.exact for pair in equal):
        return ""
    differing = max(pair.differing_units for pair in equal)
    if not differing:
        return f"Their counts are the same in every {comparison.resample_by}."
    if is_significant(2.0 ** (1 - differing), comparison.confidence_level):
        return ""
    few = "Only" if len(equal) == 1 else "At most"
    verb = "differs" if differing == 1 else "differ"
    return f"{few} {quantity(differing, comparison.resample_by)} {verb}: too few to show any difference."


def _on_test_sets(comparison: Comparison) -> str:
    """Return what each test set alone shows, in a sentence for each unless all show the same."""
    groups = comparison.groups
    tested = [group for group in groups if all(pair.p_value is not None for pair in group.pairs)]
    if len(tested) == len(groups) and all(
        _found(comparison, group) == _found(comparison, comparison) for group in groups
    ):
        return "Each test set alone shows the same."
    sentences = [_on_test_set(comparison, group) for group in tested]
    if untested := [group.group for group in groups if group not in tested]:
        sentences.append(f"On {listed(untested)} alone, nothing can be tested.")
    return " ".join(sentences)


def _on_test_set(comparison: Comparison, group: GroupResult) -> str:
    """Return what one test set shows, a clause for each pair; of many, how many differ, and which in another order."""
    if len(group.pairs) * len(comparison.groups) <= MOST_PAIRS:
        said = "; ".join(f"{_clause(comparison, pair)} ({_p_values(comparison, [pair])})" for pair in group.pairs)
        return f"On {group.group} alone: {said}."
    found = _found(comparison, group)
    whole = {_in_order(comparison, pair)[::-1] for pair in comparison.pairs}
    turned = [f"{better} is better than {worse}" for better, worse in sorted(found & whole)]
    order = f", in the opposite order: {listed(turned)}" if turned else ""
    return f"On {group.group} alone, {len(found)} of {len(group.pairs)} pairs differ{order}."


def _found(comparison: Comparison, part: Comparison | GroupResult) -> set[tuple[str, str]]:
    return {_in_order(comparison, pair) for pair in part.pairs if _differ(comparison, pair)}


def caution(units: int, resample_by: str) -> str:
    """Return why there are no intervals; an empty string if there are enough units."""
    if units >= FEWEST_UNITS:
        return ""
    if units < 2:
        return f"one {resample_by} cannot be resampled, so there are no intervals"
    return (
        f"no intervals: {units} {resample_by}s are too few; from {FEWEST_UNITS} on, intervals cover the truth about as "
        "often as their level says"
    )


def notes(comparison: Comparison) -> Iterator[str]:
    """Yield what to mind about a comparison."""
    if comparison.lower_is_better:
        yield f"of {comparison.metric}, the lower score is the better one"
    if comparison.documents is not None:
        yield _choice(comparison.documents, comparison.resample_by, is_set=comparison.is_unit_set)
    if comparison.test == "hierarchical":
        yield from _few_runs(comparison)
    if comparison.grouped_by is not None:
        yield _groups(comparison)
    yield from filter(None, [_missing_intervals(comparison), _few_samples(comparison), _other_test(comparison)])


def _choice(documents: int, unit: str, *, is_set: bool) -> str:
    """Return why these units are resampled, given the number of documents that are known."""
    known = f"{quantity(documents, 'document')} {'is' if documents == 1 else 'are'} known"
    if unit == DOCUMENT:
        because = "as asked" if is_set else "because the segments of a document are not independent"
        return f"whole documents are resampled, {because}: {known}"
    if documents == 1:
        return f"segments are resampled: {known}, and the result holds for it alone"
    return (
        f"segments are resampled, although {known}: if the segments of a document are alike, p-values are too "
        "small and intervals too narrow"
    )


def _few_runs(comparison: Comparison) -> Iterator[str]:
    """Yield what is taken for granted of systems with few runs."""
    single = [system.system for system in comparison.systems if len(system.runs) == 1]
    if 0 < len(single) < len(comparison.systems):
        alone = "; two single runs are compared as they are, and new ones can differ" if len(single) > 1 else ""
        yield f"{listed(single)}: a single run, taken to vary as the runs do that it is compared with{alone}"
    if any(len(system.runs) == 2 for system in comparison.systems):
        yield "no interval of the score of two runs, which say too little: from 3 on there is one"


def _groups(comparison: Comparison) -> str:
    """Return how groups or test sets are resampled, and their p-values adjusted."""
    if comparison.has_test_sets:
        adjusted = "" if comparison.correction == "none" else f"; {comparison.tests} p-values are adjusted together"
        return f"each resample holds as many {comparison.resample_by}s of each test set as there are{adjusted}"
    resampled = "; within a document, segments are resampled" if comparison.grouped_by == DOCUMENT else ""
    return f"the p-values of a group are not adjusted for the number of groups{resampled}"


def _missing_intervals(comparison: Comparison) -> str:
    """Return why intervals are missing; an empty string if none is."""
    unit = comparison.resample_by
    if warning := caution(comparison.units, unit):
        return warning
    test_sets = comparison.groups if comparison.has_test_sets else ()
    for test_set in test_sets:
        if test_set.systems[0].segment_deviation is None:
            return f"no intervals of all test sets together: {test_set.group} has one {unit}, which cannot be resampled"
    if any(pair.differing_units < FEWEST_UNITS for pair in comparison.tested_pairs):
        return f"no interval of a difference if fewer than {FEWEST_UNITS} {unit}s differ"
    return ""


def _few_samples(comparison: Comparison) -> str:
    """Return a remark if no p-value can be small enough with so many samples; else an empty string."""
    samples = comparison.samples or 0
    sampled = sum(not pair.exact for pair in comparison.tested_pairs)
    least = (sampled if comparison.correction == "holm" else 1) / (samples + 1)
    if not samples or not sampled or is_significant(least, comparison.confidence_level):
        return ""
    number = f" of {sampled:,} {'tests' if comparison.has_test_sets else 'pairs'}" if sampled > 1 else ""
    adjusted = "adjusted " if comparison.correction != "none" and sampled > 1 else ""
    return (
        f"with {samples:,} samples, no {adjusted}p-value{number} can be below {min(least, 1):.2g}; more samples are "
        "needed"
    )


def _other_test(comparison: Comparison) -> str:
    """Return why another test is the right one; an empty string if the test is."""
    test, unit = comparison.test, comparison.resample_by
    if test in REPRODUCING:
        return f"{test} is only for reproducing results: {REPRODUCING[test]}"
    pairs = [pair for pair in comparison.tested_pairs if pair.differing_units <= ENUMERATED]
    few = [*dict.fromkeys(f"{pair.first} and {pair.second}" for pair in pairs)]
    if not few or test not in ("bootstrap", "delta"):
        return ""
    named = ", ".join(few[:3]) + (f" and {len(few) - 3} more pairs" if len(few) > 3 else "")
    return (
        f"at most {ENUMERATED} {unit}s differ between {named}; for so few, the test 'permutation' is exact, "
        f"and {test!r} is not reliable"
    )


def planning(comparison: Comparison, digits: int = 2) -> list[str]:
    """Return what can be said of people's agreement, and of the difference that test sets like this one can detect."""
    tests = quantity(comparison.tests, "test" if comparison.has_test_sets else "pair") if comparison.is_adjusted else ""
    said = []
    if any(pair.agreement is not None for pair in comparison.pairs):
        said.append(
            "people agree: in how many system pairs with such a difference people preferred the same system "
            "(Kocmi et al. 2024); 50 % is no better than chance"
        )
    if found := sorted(pair.detectable_difference for pair in comparison.pairs if pair.detectable_difference):
        difference = _range(f"{found[0]:.{digits}f}", f"{found[-1]:.{digits}f}")
        share = condition(comparison.power, comparison.confidence_level, tests)
        said.append(f"a test set like this one detects a difference of {difference} in {share}")
    if needed := sorted(pair.segments_needed for pair in comparison.pairs if pair.segments_needed):
        sought = f"a difference of {comparison.detect:g}"
        share = condition(comparison.power, comparison.confidence_level, tests)
        size = _range(f"{needed[0]:,}", f"{needed[-1]:,}")
        said.append(f"{size} segments like these are needed to find {sought} significant in {share}")
    return said


def _range(least: str, most: str) -> str:
    return least if least == most else f"{least} to {most}, depending on the pair,"


def condition(power: float, confidence_level: float, tests: str = "") -> str:
    """Return in words when a difference counts as found: in what share of cases, and below what p-value.

    ``tests`` says for how many tests p-values are adjusted, empty if they are not.
    """
    adjusted = f", adjusted for {tests}" if tests else ""
    return f"{100 * power:.4g} % of cases (p < {1 - confidence_level:.4g}{adjusted})"
