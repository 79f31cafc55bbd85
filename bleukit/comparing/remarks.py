"""Remarks that are needed to interpret the results of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bleukit.comparing.hierarchical import FEWEST as FEWEST_RUNS
from bleukit.comparing.ranking import is_significant
from bleukit.comparing.results import FEWEST, caution
from bleukit.comparing.settings import HIERARCHICAL
from bleukit.comparing.significance import ENUMERATED
from bleukit.comparing.units import DOCUMENT
from bleukit.inspecting.phrases import listed, numbered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.comparing.labels import Labels
    from bleukit.comparing.results import PairResult
    from bleukit.comparing.settings import Settings
    from bleukit.comparing.significance import ComparisonTask


class Division(NamedTuple):
    """What is resampled, and the documents, the test sets and the kind of groups of the segments, as far as known."""

    unit: str
    documents: Labels | None
    test_sets: Labels | None
    grouped_by: str | None


def remarks(
    settings: Settings, task: ComparisonTask, systems: Sequence[str], pairs: Sequence[PairResult], division: Division
) -> Iterator[str]:
    """Yield remarks on the results of these pairs, which are adjusted together; ``systems`` are the names."""
    unit = division.unit
    if division.documents is not None:
        yield _choice(len(division.documents.names), unit, asked=settings.resample_by is not None)
    if remark := _single_runs(settings, task, systems):
        yield remark
    if settings.test == HIERARCHICAL and any(len(texts) == 2 for texts in task.texts):
        yield f"no interval of the score of two runs, which say too little: from {FEWEST_RUNS} on there is one"
    if division.test_sets is not None:
        adjusted = "" if settings.correction == "none" else f"; {len(pairs)} p-values are adjusted together"
        yield f"each resample holds as many {unit}s of each test set as there are{adjusted}"
    elif division.grouped_by is not None:
        resampled = "; within a document, segments are resampled" if division.grouped_by == DOCUMENT else ""
        yield f"the p-values of a group are not adjusted for the number of groups{resampled}"
    if warning := caution(task.moments.units, unit):
        yield warning
    elif division.test_sets is not None and not task.has_intervals:
        name = division.test_sets.names[int(task.moments.sizes.argmin())]
        yield f"no intervals of all test sets together: {name} has one {unit}, which cannot be resampled"
    elif any(pair.differing_units is not None and pair.differing_units < FEWEST for pair in pairs):
        yield f"no interval of a difference if fewer than {FEWEST} {unit}s differ"
    yield from _of_test(settings, task, pairs, unit, "tests" if division.test_sets else "pairs")


def _of_test(
    settings: Settings, task: ComparisonTask, pairs: Sequence[PairResult], unit: str, tests: str
) -> Iterator[str]:
    """Yield why the test may not be the right one, or needs more samples."""
    if remark := _few_samples(settings, task.samples, pairs, tests):
        yield remark
    if settings.chosen.warning:
        yield f"{settings.test} is only for reproducing results: {settings.chosen.warning}"
    if task.rows is not None and settings.test in ("bootstrap", "delta"):
        differing = [pair for pair in pairs if (pair.differing_units or 0) <= ENUMERATED]
        few = [*dict.fromkeys(f"{pair.first} and {pair.second}" for pair in differing)]
        if few:
            named = ", ".join(few[:3]) + (f" and {len(few) - 3} more pairs" if len(few) > 3 else "")
            yield (
                f"at most {ENUMERATED} {unit}s differ between {named}; for so few, the test 'permutation' is exact, "
                f"and {settings.test!r} is not reliable"
            )


def _few_samples(settings: Settings, samples: int, pairs: Sequence[PairResult], tests: str) -> str:
    """Return a remark if no p-value of these pairs can be small enough with so many samples; else an empty string."""
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


def _single_runs(settings: Settings, task: ComparisonTask, systems: Sequence[str]) -> str:
    """Return what is taken for granted of systems with one run beside others with several; empty if nothing is."""
    single = [name for system, name in enumerate(systems) if not task.has_runs(system)]
    if not single or len(single) == len(systems) or settings.test != HIERARCHICAL:
        return ""
    alone = "; two single runs are compared as they are, and new ones can differ" if len(single) > 1 else ""
    return f"{listed(single)}: a single run, taken to vary as the runs do that it is compared with{alone}"


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
