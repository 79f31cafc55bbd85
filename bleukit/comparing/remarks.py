"""Remarks that are needed to interpret the results of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.comparing.ranking import is_significant
from bleukit.comparing.significance import ENUMERATED
from bleukit.comparing.units import DOCUMENT, FEWEST_UNITS
from bleukit.comparing.words import caution
from bleukit.inspecting.phrases import listed, numbered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.comparing.labels import Labels
    from bleukit.comparing.results import PairResult
    from bleukit.comparing.settings import Plan, Settings
    from bleukit.comparing.significance import ComparisonTask


def remarks(  # noqa: PLR0913
    plan: Plan,
    task: ComparisonTask,
    pairs: Sequence[PairResult],
    documents: Labels | None,
    test_sets: Labels | None,
    grouped_by: str | None,
) -> Iterator[str]:
    """Yield remarks on the results of these pairs, which are adjusted together."""
    settings, unit = plan.settings, plan.unit
    if documents is not None:
        yield _choice(len(documents.names), unit, asked=settings.resample_by is not None)
    yield from _of_runs(plan, task)
    if test_sets is not None:
        adjusted = "" if settings.correction == "none" else f"; {len(pairs)} p-values are adjusted together"
        yield f"each resample holds as many {unit}s of each test set as there are{adjusted}"
    elif grouped_by is not None:
        resampled = "; within a document, segments are resampled" if grouped_by == DOCUMENT else ""
        yield f"the p-values of a group are not adjusted for the number of groups{resampled}"
    if warning := caution(task.moments.units, unit):
        yield warning
    elif test_sets is not None and not task.has_intervals:
        name = test_sets.names[int(task.moments.sizes.argmin())]
        yield f"no intervals of all test sets together: {name} has one {unit}, which cannot be resampled"
    elif any(pair.differing_units < FEWEST_UNITS for pair in pairs):
        yield f"no interval of a difference if fewer than {FEWEST_UNITS} {unit}s differ"
    yield from _of_test(plan, pairs, "tests" if test_sets else "pairs")


def _of_runs(plan: Plan, task: ComparisonTask) -> Iterator[str]:
    """Yield what is taken for granted of systems with few runs."""
    names = plan.names
    if plan.settings.test == "hierarchical":
        single = [name for system, name in enumerate(names.systems) if not task.has_runs(system)]
        if 0 < len(single) < len(names.systems):
            alone = "; two single runs are compared as they are, and new ones can differ" if len(single) > 1 else ""
            yield f"{listed(single)}: a single run, taken to vary as the runs do that it is compared with{alone}"
        if any(len(texts) == 2 for texts in names.texts):
            yield "no interval of the score of two runs, which say too little: from 3 on there is one"


def _of_test(plan: Plan, pairs: Sequence[PairResult], tests: str) -> Iterator[str]:
    """Yield why the test may not be the right one, or needs more samples."""
    settings, unit = plan.settings, plan.unit
    if remark := _few_samples(settings, pairs, tests):
        yield remark
    if settings.chosen.warning:
        yield f"{settings.test} is only for reproducing results: {settings.chosen.warning}"
    if settings.test in ("bootstrap", "delta"):
        few = {f"{pair.first} and {pair.second}": None for pair in pairs if pair.differing_units <= ENUMERATED}
        if few:
            named = ", ".join([*few][:3]) + (f" and {len(few) - 3} more pairs" if len(few) > 3 else "")
            yield (
                f"at most {ENUMERATED} {unit}s differ between {named}; for so few, the test 'permutation' is exact, "
                f"and {settings.test!r} is not reliable"
            )


def _few_samples(settings: Settings, pairs: Sequence[PairResult], tests: str) -> str:
    """Return a remark if no p-value of these pairs can be small enough with so many samples; else an empty string."""
    samples = settings.number("samples") or 0
    sampled = len(pairs) - sum(pair.exact for pair in pairs)
    least = (sampled if settings.correction == "holm" else 1) / (samples + 1)
    if not samples or not sampled or is_significant(least, settings.confidence_level):
        return ""
    of_all = f" of {sampled:,} {tests}" if sampled > 1 else ""
    adjusted = "adjusted " if settings.correction != "none" and sampled > 1 else ""
    return (
        f"with {samples:,} samples, no {adjusted}p-value{of_all} can be below {min(least, 1):.2g}; more samples are "
        "needed"
    )


def _choice(documents: int, unit: str, *, asked: bool) -> str:
    """Return why these units are resampled, given the number of documents that are known."""
    known = f"{numbered(documents, 'document')} {'is' if documents == 1 else 'are'} known"
    if unit == DOCUMENT:
        because = "as asked" if asked else "because the segments of a document are not independent"
        return f"whole documents are resampled, {because}: {known}"
    if documents == 1:
        return f"segments are resampled: {known}, and the result holds for it alone"
    return (
        f"segments are resampled, although {known}: if the segments of a document are alike, p-values are too "
        "small and intervals too narrow"
    )
