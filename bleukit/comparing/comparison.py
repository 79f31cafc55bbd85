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
from bleukit.comparing.agreement import agreement, is_studied
from bleukit.comparing.gathering import Gathered, Moments, Names, Runs, runs_by_system
from bleukit.comparing.influence import influences
from bleukit.comparing.intervals import TIES
from bleukit.comparing.labels import Labels, labels_of_groups
from bleukit.comparing.ranking import CORRECTIONS, is_significant, ranked
from bleukit.comparing.results import (
    DOCUMENT,
    FEWEST_UNITS,
    LABEL,
    TEST_SET,
    GroupResult,
    Histogram,
    PairResult,
    SystemResult,
)
from bleukit.comparing.second_moments import SecondMoments
from bleukit.comparing.settings import SEED, Plan, Settings
from bleukit.comparing.significance import ComparisonTask
from bleukit.comparing.unit_statistics import scores_of_sums
from bleukit.comparing.words import remarks
from bleukit.comparing.written import Comparison
from bleukit.framework.additive import AdditiveStatistics
from bleukit.framework.arguments import check_segments
from bleukit.framework.errors import InputError, InputTypeError, near_misses, shown
from bleukit.metrics.loading import metric_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bleukit.bleu.bleu import VariantLike
    from bleukit.comparing.resampling import Track
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
    gathered: Gathered | Moments
    if isinstance(systems, Moments):
        if any(given is not None for given in (documents, by, test_sets)) or histograms:
            raise InputError("moments cannot be compared by document or by groups of segments, and have no histograms")
        gathered = systems
    else:
        gathered = _gathered(metric, systems, references, references_by, threads)
        gathered.documents, gathered.test_sets = documents, test_sets
    return compared(metric, gathered, settings, by, histograms=histograms)


def _gathered(
    metric: AnyMetric,
    systems: Any,
    references: Sequence[References] | None,
    references_by: Layout | None,
    threads: int | None,
) -> Gathered:
    """Return the statistics of all systems. Raises InputError or InputTypeError that names the invalid system."""
    if not isinstance(systems, Mapping):
        raise InputTypeError(f"systems: expected a mapping of names to systems, got {shown(systems)}")
    runs = runs_by_system(systems)
    if len(runs) < len(systems):
        raise InputError("systems: two names are the same as text")
    gathered = Gathered(Names.of({name: len(of_one) for name, of_one in runs.items()}))
    prepared: Prepared[Any] | None = None
    statistics = []
    for name, of_one in runs.items():
        for run in of_one:
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
    gathered.add(statistics)
    return gathered


def untracked(items: Iterable[int], number: int, what: str) -> Iterable[int]:  # noqa: ARG001 - the signature of Track
    """Return the items as they are: the ``Track`` that shows no progress."""
    return items


def compared(  # noqa: PLR0913
    metric: AnyMetric,
    gathered: Gathered | Moments,
    settings: Settings,
    by: str | Sequence[Hashable] | None = None,
    track: Track = untracked,
    *,
    histograms: bool = False,
) -> Comparison:
    """Compare systems whose statistics were gathered; for the other parameters see :func:`compare`."""
    names = gathered.names
    settings = settings.for_runs(max(map(len, names.texts)))
    scores = _scores(metric, gathered)
    of_documents, of_sets = None, None
    if isinstance(gathered, Gathered):
        of_sets = _test_sets(settings, gathered.test_sets, by, gathered.segments)
        if gathered.documents is not None:
            of_documents = Labels.of("documents", gathered.documents, gathered.segments)
    if of_documents and of_sets:
        of_documents = of_documents.within(of_sets)
    order, baseline, pairs = _pairs(metric, names, settings, [score.value for score in scores])
    family = max(1, len(pairs)) * (1 + (len(of_sets.names) if of_sets else 0))
    alpha = (1 - settings.confidence_level) / (family if settings.correction != "none" else 1)
    unit = settings.unit(of_documents)
    groups: list[GroupResult] = []
    if isinstance(gathered, Moments):
        units, moments = None, gathered.second
    else:
        rows = gathered.rows()
        of_groups = of_sets or labels_of_groups(by, gathered.lengths, of_documents, len(rows))
        units = _units(replace(rows, strata=of_sets.numbers if of_sets else None), of_documents, unit)
        moments = SecondMoments.of(units)
    plan = Plan(settings, unit, names, order, alpha)
    task = ComparisonTask(
        metric=metric,
        rows=units,
        moments=moments,
        texts=names.texts,
        pairs=pairs,
        baseline=baseline,
        samples=settings.samples or 0,
        interval_samples=settings.interval_samples or 0,
        seed=settings.seed,
        level=settings.confidence_level,
        track=track,
    )
    if units is not None and of_groups:
        groups = list(_groups(plan, task, rows, of_groups, of_documents if by != DOCUMENT else None))
    _require_units(plan, moments, of_sets)
    references = int(gathered.totals[0].most_references.max(initial=0))
    studied = isinstance(metric, Bleu) and is_studied(metric.variant, references)
    whole = _results(plan, task, [score.value for score in scores], is_studied=studied)
    if histograms:
        histograms_of = zip(whole.pairs, _differences(task, rows), strict=True)
        with_histograms = (_with_histogram(pair, each, metric.scale) for pair, each in histograms_of)
        whole = replace(whole, pairs=tuple(with_histograms))
    if of_sets:  # one family of p-values
        whole, *groups = judged(metric, [whole, *groups], settings)
    else:
        whole, *groups = (one for each in [whole, *groups] for one in judged(metric, [each], settings))
    grouped_by = TEST_SET if of_sets else by if by is None or isinstance(by, str) else LABEL
    tested = [*whole.pairs, *(pair for group in groups if of_sets for pair in group.pairs)]
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
        resample_by=unit,
        units=task.moments.units,
        segments=task.moments.segments,
        grouped_by=grouped_by,
        groups=tuple(groups),
        notes=tuple(remarks(plan, task, tested, of_documents, of_sets, grouped_by)),
        signature=scores[0].signature,
        metric=metric.name,
        lower_is_better=metric.lower_is_better,
    )


def _test_sets(settings: Settings, test_sets: Sequence[Hashable] | None, by: object, segments: int) -> Labels | None:
    """Return the test set of each segment; None if there is only one. Raises InputError for what excludes several."""
    if test_sets is None:
        return None
    labels = Labels.of("test_sets", test_sets, segments)
    if by is not None:
        raise InputError("by: not possible with test sets, by which the comparison is broken down")
    if settings.is_of_sacrebleu:
        raise InputError(f"test: {settings.test!r} compares one test set at a time")
    return labels if len(labels.names) > 1 else None


def _require_units(plan: Plan, moments: SecondMoments, test_sets: Labels | None) -> None:
    """Raise InputError if there are fewer units than the test needs, in all or in a test set."""
    test, fewest = plan.settings.test, plan.settings.chosen.fewest
    if moments.units < fewest:
        there = f"there {'is' if moments.units == 1 else 'are'} {moments.units}"
        raise InputError(f"test: {test!r} needs {fewest} or more {plan.unit}s, {there}")
    if test_sets and fewest > 1 and moments.sizes.min() < 2:
        name = test_sets.names[int(moments.sizes.argmin())]
        raise InputError(f"test: {test!r} needs 2 or more {plan.unit}s of each test set, {name} has 1")


def _scores(metric: AnyMetric, gathered: Gathered | Moments) -> list[MetricScore]:
    """Return the score of each text. Raises InputError if a text, or any resample, cannot be scored."""
    scores = [metric.score(total) for total in gathered.totals]
    for name, score in zip(gathered.names.owners(), scores, strict=True):
        if isnan(score.value):
            raise InputError(f"{name} has no score (NaN) and cannot be compared")
    metric.require_no_last_segment("which a resample of its segments does not have")
    return scores


def _pairs(
    metric: AnyMetric, names: Names, settings: Settings, values: Sequence[float]
) -> tuple[list[int], int, list[tuple[int, int]]]:
    """Return the systems, the best first, the baseline, and all pairs, or those with the baseline."""
    scores = [_merit(metric, fmean(values[text] for text in texts)) for texts in names.texts]
    order = sorted(range(len(scores)), key=lambda system: -scores[system])
    if settings.baseline is None:
        return order, 0, list(combinations(order, 2))
    if settings.baseline not in names.systems:
        hint = near_misses(str(settings.baseline), [*names.systems])
        raise InputError(f"baseline: unknown system {settings.baseline!r}; {hint}")
    baseline = names.systems.index(settings.baseline)
    return order, baseline, [(system, baseline) for system in order if system != baseline]


def _units(rows: UnitStatistics, documents: Labels | None, unit: str) -> UnitStatistics:
    """Return the units to resample: the segments themselves, or their documents."""
    return rows if documents is None or unit != DOCUMENT else rows.by(documents.numbers, len(documents.names))


def _groups(
    plan: Plan, whole: ComparisonTask, rows: UnitStatistics, groups: Labels, documents: Labels | None
) -> Iterator[GroupResult]:
    """Yield the results of each group of segments, not yet judged, with its influence on the whole differences."""
    parts = rows.by(groups.numbers, len(groups.names))
    of_systems = [[parts.of_text(text) for text in texts] for texts in whole.texts]
    shares = [influences(whole.metric, of_systems[first], of_systems[second]) for first, second in whole.pairs]
    for number, name in enumerate(groups.names):
        chosen = groups.numbers == number
        units = _units(rows[chosen], documents[chosen] if documents else None, plan.unit)
        task = replace(whole, rows=units, moments=SecondMoments.of(units))
        try:
            found = _results(plan, task, task.values.tolist(), group=name)
        except InputError as error:
            raise InputError(f"{name}: {error}") from error
        pairs = (replace(pair, influence=float(share[number])) for pair, share in zip(found.pairs, shares, strict=True))
        yield replace(found, pairs=tuple(pairs))


def _results(
    plan: Plan, task: ComparisonTask, values: Sequence[float], *, group: str | None = None, is_studied: bool = False
) -> GroupResult:
    """Return the results of the systems and pairs on all segments, or on those of a group, not yet judged.

    ``values`` are the scores of the texts. ``is_studied`` says that people's agreement with such scores is known.
    """
    names, settings = plan.names, plan.settings
    outcome = settings.chosen.run(task) if task.moments.units >= settings.chosen.fewest else task.without_intervals()
    several = task.moments.units > 1
    scores = [fmean(values[text] for text in texts) for texts in names.texts]
    systems, pairs = [], []
    for system in plan.order:
        runs, interval = tuple(values[text] for text in names.texts[system]), outcome.systems[system]
        errors = [task.moments.error(task.effects[text]).value for text in names.texts[system] if several]
        systems.append(
            SystemResult(
                system=names.systems[system],
                score=scores[system],
                interval=interval,
                rank=0,
                best_rank=None,
                worst_rank=None,
                cluster=None,
                segment_deviation=fmean(errors) if errors else None,
                run_deviation=stdev(runs) if len(runs) > 1 else None,
                runs=runs,
                mean=outcome.means[system] if outcome.means else None,
                half_width=(interval.high - interval.low) / 2 if outcome.means and interval else None,
            )
        )
    for number, (first, second) in enumerate(task.pairs):
        difference, differing = scores[first] - scores[second], int(task.differing(number).sum())
        error = _error(settings, task, first, second) if several else None
        detectable = None
        if error and differing >= FEWEST_UNITS and not task.has_runs(first, second):
            detectable = error * planning.quantile(settings.power, plan.alpha)
        pairs.append(
            PairResult(
                first=names.systems[first],
                second=names.systems[second],
                difference=difference,
                interval=outcome.differences[number],
                p_value=outcome.p_values[number],
                adjusted_p_value=None,
                exact=number in outcome.exact,
                differing_units=differing,
                standard_error=error,
                detectable_difference=detectable,
                segments_needed=_segments_needed(plan, task, number, detectable) if several and group is None else None,
                agreement=agreement(difference) if is_studied else None,
            )
        )
    return GroupResult(group or "", task.moments.segments, tuple(systems), tuple(pairs))


def _segments_needed(plan: Plan, task: ComparisonTask, pair: int, detectable: float | None) -> int | None:
    """Return the number of segments at which the difference to detect is significant, if it is known.

    It follows from the detectable difference or, if only few units differ, from a simulation.
    """
    settings = plan.settings
    if settings.detect is None:
        return None
    if detectable is not None:
        return ceil(task.moments.segments * (detectable / settings.detect) ** 2)
    systems = task.pairs[pair]
    if task.rows is None or task.has_runs(*systems) or task.differing(pair).sum() < 2:
        return None
    texts = [task.rows.of_text(task.texts[system][0]) for system in systems]
    score = partial(scores_of_sums, task.metric)
    units = planning.simulated_units(
        score, (texts[0], texts[1]), settings.detect, settings.power, plan.alpha, settings.seed
    )
    return ceil(units * task.moments.segments / task.moments.units)


def _error(settings: Settings, task: ComparisonTask, first: int, second: int) -> float:
    """Return the standard error of the difference of two systems; for new runs if the test is about these."""
    if settings.test == "hierarchical" and task.has_runs(first, second):
        return task.estimate(first, second).error
    return task.moments.error(task.effects_of_systems[first] - task.effects_of_systems[second]).value


def _differences(task: ComparisonTask, rows: UnitStatistics) -> Iterator[NDArray[np.float64]]:
    """Yield the differences of the sentence scores of each pair, given the statistics of segments."""
    scorer = task.metric.scorer()
    scores = [
        np.mean([scorer.values_of_segments(rows.of_text(text)) for text in texts], axis=0) for texts in task.texts
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
        systems = (replace(result, **of_one) for result, of_one in zip(part.systems, ranks, strict=True))
        found.append(replace(part, systems=tuple(systems), pairs=tuple(pairs)))
    return found
