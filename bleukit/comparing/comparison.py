"""Compare systems: from texts or statistics to a :class:`Comparison`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import ceil, isnan
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.bleu.bleu import Bleu
from bleukit.comparing import power as planning
from bleukit.comparing import significance
from bleukit.comparing.agreement import agreement, is_studied
from bleukit.comparing.gathering import Moments, Runs, Systems, names_of_texts, runs_by_system
from bleukit.comparing.influence import influences
from bleukit.comparing.intervals import TIES
from bleukit.comparing.labels import Labels, labels_of_groups
from bleukit.comparing.ranking import CORRECTIONS, is_significant, ranked
from bleukit.comparing.resampling import untracked
from bleukit.comparing.results import Comparison, GroupResult, Histogram, PairResult, SystemResult
from bleukit.comparing.second_moments import SecondMoments
from bleukit.comparing.settings import SEED, Settings
from bleukit.comparing.significance import ComparisonTask
from bleukit.comparing.unit_statistics import scores_of_sums
from bleukit.comparing.units import DOCUMENT, FEWEST_UNITS, LABEL, TEST_SET
from bleukit.framework.additive import AdditiveStatistics
from bleukit.framework.arguments import check_segments
from bleukit.framework.errors import InputError, InputTypeError, near_misses, shown
from bleukit.metrics.loading import metric_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from bleukit.bleu.bleu import VariantLike
    from bleukit.comparing.resampling import Track
    from bleukit.comparing.significance import TestOutcome
    from bleukit.comparing.unit_statistics import UnitStatistics
    from bleukit.framework.layouts import Layout
    from bleukit.framework.metric import AnyMetric, Prepared
    from bleukit.framework.protocols import References, Text
    from bleukit.framework.results import MetricScore


def compare(  # noqa: PLR0913
    bleu: VariantLike | AnyMetric,
    systems: Mapping[str, Sequence[Text] | AdditiveStatistics | Runs] | Moments,
    references: Sequence[References] | None = None,
    *,
    baseline: str | None = None,
    test: str | None = None,
    samples: int | None = None,
    interval_samples: int | None = None,
    seed: int = SEED,
    confidence_level: float = 0.95,
    correction: str = "holm",
    documents: Sequence[Hashable] | None = None,
    test_sets: Sequence[Hashable] | None = None,
    resample_by: str | None = None,
    by: str | Sequence[Hashable] | None = None,
    detect: float | None = None,
    power: float = 0.8,
    histograms: bool = False,
    references_by: Layout | None = None,
    threads: int | None = None,
) -> Comparison:
    """Compare systems: scores with confidence intervals, differences with p-values, ranks and clusters.

    ``bleu`` is a metric: what :func:`bleukit.load` takes, or returns (a variant's name, the path of its file, a
    Variant, a Bleu), or what :func:`bleukit.load_metric` takes, or returns. ``systems`` maps names to hypotheses, to
    Statistics (one row per segment), or to :class:`bleukit.Runs` of either;
    ``references`` and ``references_by`` are those of :meth:`bleukit.Metric.corpus`; they are not needed if all systems
    are given as Statistics. The test ``delta`` also accepts :class:`bleukit.Moments`.

    ``test`` is ``permutation``, ``hierarchical``, ``multeval``, ``bootstrap``, ``delta``, ``sacrebleu-bs`` or
    ``sacrebleu-ar``, which :mod:`bleukit.comparing.significance` describes; by default ``hierarchical`` if a system has
    several runs, else ``permutation``. ``samples`` is the number of permutations or resamples of the test;
    ``interval_samples`` is the number of resamples for the confidence intervals if the test does not resample itself; 0
    gives none. Intervals need at least 2 / (1 - ``confidence_level``) - 1 resamples, 39 for 0.95, except those of
    sacreBLEU's tests, which take any number, as sacreBLEU does.
    The same ``seed`` gives the same results. Every pair of systems is compared or, with ``baseline``, every system with
    the baseline. ``correction`` adjusts the p-values for multiple comparisons: ``holm``, ``bh`` (Benjamini and
    Hochberg) or ``none``.

    ``documents`` gives the document of each segment. If two or more documents are known, whole documents are resampled,
    because the segments of one are not independent; ``resample_by`` can be ``"segment"`` or ``"document"`` instead.
    sacreBLEU's tests resample segments, as sacreBLEU does. Intervals are None for fewer than 10 units, or for the
    difference of systems that differ in fewer than 10 of them.

    ``test_sets`` gives the test set of each segment. Systems are then compared on each test set and on all together,
    and the p-values of all these comparisons are adjusted together. Resamples of all hold as many units of each test
    set as there are. sacreBLEU's tests compare one test set at a time.

    ``by`` breaks the comparison down by ``"document"``, by ``"length"`` (of the references), or by a label for each
    segment. ``detect`` is a difference in the scale of the variant; each pair then gives the number of segments that
    are needed to detect it: to find it significant, after the correction, in the share ``power`` of test sets. With
    ``histograms``, each pair has the distribution of the differences of its sentence scores.

    Raises InputError for what cannot be compared: systems with different segments or references, a smoothing that
    depends on the last segment, a score that is NaN.
    """
    settings = Settings(
        baseline, test, samples, interval_samples, seed, confidence_level, correction, resample_by, detect, power
    )
    metric = metric_of(bleu)
    if isinstance(systems, Moments):
        if any(given is not None for given in (documents, by, test_sets)) or histograms:
            raise InputError("moments cannot be compared by document or by groups of segments, and have no histograms")
        return compared(metric, Systems.from_moments(systems), settings)
    counted = _counted(metric, systems, references, references_by, threads)
    counted.documents, counted.test_sets = documents, test_sets
    return compared(metric, counted, settings, by, histograms=histograms)


def _counted(
    metric: AnyMetric,
    systems: Any,
    references: Sequence[References] | None,
    references_by: Layout | None,
    threads: int | None,
) -> Systems:
    """Return the statistics of all systems. Raises InputError or InputTypeError that names the invalid system."""
    if not isinstance(systems, Mapping):
        raise InputTypeError(f"systems: expected a mapping of names to systems, got {shown(systems)}")
    runs = runs_by_system(systems)
    if len(runs) < len(systems):
        raise InputError("systems: two names are the same as text")
    counted = Systems({name: len(texts) for name, texts in runs.items()})
    prepared: Prepared[Any] | None = None
    statistics = []
    for name, texts in runs.items():
        for run in texts:
            if isinstance(run, AdditiveStatistics):
                statistics.append(run)
                continue
            if references is None:
                raise InputError("references: missing; only Statistics can be compared without them")
            try:
                if prepared is None:  # tokenized once for all systems
                    segments = check_segments(run, references, references_by=references_by)
                    prepared = metric.prepare(segments.references, tokens=segments.tokenized, threads=threads)
                statistics.append(prepared.statistics(run, threads=threads))
            except InputError as error:
                raise type(error)(f"systems[{name!r}]: {error}") from error
    counted.add(statistics)
    return counted


def compared(  # noqa: PLR0913
    metric: AnyMetric,
    systems: Systems,
    settings: Settings,
    by: str | Sequence[Hashable] | None = None,
    track: Track = untracked,
    *,
    histograms: bool = False,
) -> Comparison:
    """Compare systems whose statistics were collected; for the other parameters see :func:`compare`."""
    settings = settings.for_runs(max(map(len, systems.texts.values())))
    scores = _scores(metric, systems)
    values = [score.value for score in scores]
    documents, test_sets = _labels(systems, settings, by)
    order, pairs = _pairs(metric, systems.texts, settings, values)
    is_unit_set = settings.resample_by is not None
    settings = settings.for_documents(documents)
    rows, labels = None, None
    if systems.moments is None:
        rows = systems.rows()
        labels = test_sets or labels_of_groups(by, systems.lengths, documents, len(rows))
        units = _units(replace(rows, strata=test_sets.numbers if test_sets else None), documents, settings)
        moments = SecondMoments.of(units)
    else:
        units, moments = None, systems.moments.second
    tests = max(1, len(pairs)) * (1 + (len(test_sets.names) if test_sets else 0))
    task = ComparisonTask(metric, settings, systems.texts, pairs, units, moments, track, tests)
    groups = []
    if rows is not None and labels:
        groups = list(_groups(task, order, rows, labels, documents if by != DOCUMENT else None))
    _require_units(task, test_sets)
    references = int(systems.totals[0].most_references.max(initial=0))
    studied = isinstance(metric, Bleu) and is_studied(metric.variant, references)
    whole = _results(task, order, values, is_studied=studied)
    if histograms and rows is not None:
        differences = zip(whole.pairs, _differences(task, rows), strict=True)
        with_histograms = (_with_histogram(pair, each, metric.scale) for pair, each in differences)
        whole = replace(whole, pairs=tuple(with_histograms))
    if test_sets:  # one family of p-values
        whole, *groups = judged(metric, [whole, *groups], settings)
    else:
        whole, *groups = (one for each in [whole, *groups] for one in judged(metric, [each], settings))
    return Comparison(
        systems=whole.systems,
        pairs=whole.pairs,
        baseline=settings.baseline,
        test=settings.test or "",
        samples=settings.samples,
        interval_samples=settings.interval_samples,
        seed=settings.seed if settings.samples else None,
        confidence_level=settings.confidence_level,
        correction=settings.correction,
        detect=settings.detect,
        power=settings.power,
        resample_by=settings.resample_by or "",
        units=task.moments.units,
        segments=whole.segments,
        grouped_by=TEST_SET if test_sets else by if by is None or isinstance(by, str) else LABEL,
        groups=tuple(groups),
        signature=scores[0].signature,
        metric=metric.name,
        lower_is_better=metric.lower_is_better,
        documents=None if documents is None else len(documents.names),
        is_unit_set=is_unit_set,
    )


def _labels(systems: Systems, settings: Settings, by: object) -> tuple[Labels | None, Labels | None]:
    """Return the documents and the test sets of the segments, None if they are not known, or if there is one test set.

    Raises InputError for what excludes test sets.
    """
    documents = test_sets = None
    if systems.test_sets is not None:
        test_sets = Labels.of("test_sets", systems.test_sets, systems.segments)
        if by is not None:
            raise InputError("by: not possible with test sets, by which the comparison is broken down")
        if settings.is_of_sacrebleu:
            raise InputError(f"test: {settings.test!r} compares one test set at a time")
        test_sets = test_sets if len(test_sets.names) > 1 else None
    if systems.documents is not None:
        documents = Labels.of("documents", systems.documents, systems.segments)
        documents = documents.within(test_sets) if test_sets else documents
    return documents, test_sets


def _require_units(task: ComparisonTask, test_sets: Labels | None) -> None:
    """Raise InputError if there are fewer units than the test needs, in all or in a test set."""
    settings, moments = task.settings, task.moments
    test, unit, fewest = settings.test, settings.resample_by, settings.significance_test.fewest
    if moments.units < fewest:
        there = f"there {'is' if moments.units == 1 else 'are'} {moments.units}"
        raise InputError(f"test: {test!r} needs {fewest} or more {unit}s, {there}")
    if test_sets and fewest > 1 and moments.sizes.min() < 2:
        name = test_sets.names[int(moments.sizes.argmin())]
        raise InputError(f"test: {test!r} needs 2 or more {unit}s of each test set, {name} has 1")


def _scores(metric: AnyMetric, systems: Systems) -> list[MetricScore]:
    """Return the score of each text. Raises InputError if a text, or any resample, cannot be scored."""
    scores = [metric.score(total) for total in systems.totals]
    for name, score in zip(names_of_texts(systems.texts), scores, strict=True):
        if isnan(score.value):
            raise InputError(f"{name} has no score (NaN) and cannot be compared")
    metric.require_no_last_segment("which a resample of its segments does not have")
    return scores


def _pairs(
    metric: AnyMetric, texts: Mapping[str, range], settings: Settings, values: Sequence[float]
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the systems, the best first, and all pairs of them, or those with the baseline."""
    names = [*texts]
    scores = [_merit(metric, fmean(values[text] for text in runs)) for runs in texts.values()]
    order = sorted(range(len(scores)), key=lambda system: -scores[system])
    if settings.baseline is None:
        return order, list(combinations(order, 2))
    if settings.baseline not in names:
        raise InputError(
            f"baseline: unknown system {settings.baseline!r}; {near_misses(str(settings.baseline), names)}"
        )
    baseline = names.index(settings.baseline)
    return order, [(system, baseline) for system in order if system != baseline]


def _units(rows: UnitStatistics, documents: Labels | None, settings: Settings) -> UnitStatistics:
    """Return the units to resample: the segments themselves, or their documents."""
    if documents is None or settings.resample_by != DOCUMENT:
        return rows
    return rows.by(documents.numbers, len(documents.names))


def _groups(
    whole: ComparisonTask, order: Sequence[int], rows: UnitStatistics, groups: Labels, documents: Labels | None
) -> Iterator[GroupResult]:
    """Yield the results of each group of segments, not yet judged, with its influence on the whole differences."""
    parts = rows.by(groups.numbers, len(groups.names))
    sums = [[parts.text_rows(text) for text in texts] for texts in whole.texts]
    shares = [influences(whole.metric, sums[first], sums[second]) for first, second in whole.pairs]
    for number, name in enumerate(groups.names):
        members = groups.numbers == number
        units = _units(rows[members], documents[members] if documents else None, whole.settings)
        task = replace(whole, rows=units, moments=SecondMoments.of(units))
        try:
            found = _results(task, order, task.values.tolist(), group=name)
        except InputError as error:
            raise InputError(f"{name}: {error}") from error
        pairs = (replace(pair, influence=float(share[number])) for pair, share in zip(found.pairs, shares, strict=True))
        yield replace(found, pairs=tuple(pairs))


def _results(
    task: ComparisonTask,
    order: Sequence[int],
    values: Sequence[float],
    *,
    group: str | None = None,
    is_studied: bool = False,
) -> GroupResult:
    """Return the results of the systems and pairs on all segments, or on those of a group, not yet judged.

    ``order`` holds the indices of the systems, the best first, and ``values`` are the scores of the texts.
    ``is_studied`` says that people's agreement with such scores is known.
    """
    outcome = significance.outcome(task)
    runs = [tuple(values[text] for text in texts) for texts in task.texts]
    systems = (_system_result(task, outcome, system, runs[system]) for system in order)
    pairs = []
    for number, (first, second) in enumerate(task.pairs):
        pair = _pair_result(task, outcome, number, fmean(runs[first]) - fmean(runs[second]))
        if group is None:
            pair = replace(
                pair,
                segments_needed=_segments_needed(task, number, pair.detectable_difference),
                agreement=agreement(pair.difference) if is_studied else None,
            )
        pairs.append(pair)
    return GroupResult(group or "", task.moments.segments, tuple(systems), tuple(pairs))


def _system_result(task: ComparisonTask, outcome: TestOutcome, system: int, runs: tuple[float, ...]) -> SystemResult:
    """Return the result of a system, given the scores of its runs."""
    interval = outcome.systems[system]
    deviation = None
    if task.moments.units > 1:
        deviation = fmean(task.moments.error(task.effects[text]).value for text in task.texts[system])
    return SystemResult(
        system=[*task.systems][system],
        score=fmean(runs),
        interval=interval,
        rank=0,
        best_rank=None,
        worst_rank=None,
        cluster=None,
        segment_deviation=deviation,
        run_deviation=stdev(runs) if len(runs) > 1 else None,
        runs=runs,
        mean=outcome.means[system] if outcome.means else None,
        half_width=(interval.high - interval.low) / 2 if outcome.means and interval else None,
    )


def _pair_result(task: ComparisonTask, outcome: TestOutcome, number: int, difference: float) -> PairResult:
    """Return the result of a pair, given the difference of its scores."""
    names, (first, second) = [*task.systems], task.pairs[number]
    differing = int(task.differing(number).sum())
    error = _error(task, first, second) if task.moments.units > 1 else None
    detectable = None
    if error and differing >= FEWEST_UNITS and not task.has_runs(first, second):
        detectable = error * planning.quantile(task.settings.power, task.alpha)
    return PairResult(
        first=names[first],
        second=names[second],
        difference=difference,
        interval=outcome.differences[number],
        p_value=outcome.p_values[number],
        adjusted_p_value=None,
        exact=number in outcome.exact,
        differing_units=differing,
        standard_error=error,
        detectable_difference=detectable,
    )


def _segments_needed(task: ComparisonTask, pair: int, detectable: float | None) -> int | None:
    """Return the number of segments at which the difference to detect is significant, if it is known.

    It follows from the detectable difference or, if only few units differ, from a simulation.
    """
    settings, systems = task.settings, task.pairs[pair]
    if settings.detect is None:
        return None
    if detectable is not None:
        return ceil(task.moments.segments * (detectable / settings.detect) ** 2)
    if task.rows is None or task.has_runs(*systems) or task.differing(pair).sum() < 2:
        return None
    one, other = (task.rows.text_rows(task.texts[system][0]) for system in systems)
    score = partial(scores_of_sums, task.metric)
    units = planning.simulated_units(score, (one, other), settings.detect, settings.power, task.alpha, settings.seed)
    return ceil(units * task.moments.segments / task.moments.units)


def _error(task: ComparisonTask, first: int, second: int) -> float:
    """Return the standard error of the difference of two systems; for new runs if the test is about these."""
    if task.settings.test == "hierarchical" and task.has_runs(first, second):
        return task.estimate(first, second).error
    return task.moments.error(task.effects_of_systems[first] - task.effects_of_systems[second]).value


def _differences(task: ComparisonTask, rows: UnitStatistics) -> Iterator[NDArray[np.float64]]:
    """Yield the differences of the sentence scores of each pair, given the statistics of segments."""
    scorer = task.metric.scorer()
    scores = [
        np.mean([scorer.values_of_segments(rows.text_rows(text)) for text in texts], axis=0) for texts in task.texts
    ]
    return (scores[first] - scores[second] for first, second in task.pairs)


def _with_histogram(pair: PairResult, differences: NDArray[np.float64], scale: float) -> PairResult:
    """Return a pair with the histogram of its differences: a class of 0, and 20 on either side."""
    width = scale / 20
    classes = np.clip(np.rint(differences / width).astype(int) + 20, 0, 40)
    better, worse = (int(np.count_nonzero(side > TIES * scale)) for side in (differences, -differences))
    counts = tuple(np.bincount(classes, minlength=41).tolist())
    return replace(pair, histogram=Histogram(counts, width, better, worse))


def _merit(metric: AnyMetric, score: float) -> float:
    """Return what is higher for a better score."""
    return -score if metric.lower_is_better else score


def judged(metric: AnyMetric, family: Sequence[GroupResult], settings: Settings) -> list[GroupResult]:
    """Return results with p-values that are adjusted for all pairs of the family, and with ranks and clusters."""
    p_values = [pair.p_value for part in family for pair in part.pairs if pair.p_value is not None]
    adjusted = iter(CORRECTIONS[settings.correction](p_values))
    found = []
    for part in family:
        names = [result.system for result in part.systems]
        pairs, significant = [], {}
        for pair in part.pairs:
            p_value = None if pair.p_value is None else next(adjusted)
            pairs.append(replace(pair, adjusted_p_value=p_value))
            if p_value is not None:
                places = names.index(pair.first), names.index(pair.second)
                significant[places] = is_significant(p_value, settings.confidence_level)
        ranks = ranked([_merit(metric, result.score) for result in part.systems], significant)
        systems = (replace(result, **rank) for result, rank in zip(part.systems, ranks, strict=True))
        found.append(replace(part, systems=tuple(systems), pairs=tuple(pairs)))
    return found
