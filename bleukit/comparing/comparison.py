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

from bleukit.comparing import power as planning
from bleukit.comparing.adjusting import Results, judged
from bleukit.comparing.agreement import agreement, is_studied
from bleukit.comparing.gathering import Gathered, Moments, Names, Runs, runs_by_system
from bleukit.comparing.histograms import histogram_of
from bleukit.comparing.influence import influences
from bleukit.comparing.labels import Labels, labels_of_groups
from bleukit.comparing.remarks import Division, remarks
from bleukit.comparing.results import FEWEST, Comparison, GroupResult, PairResult, SystemResult
from bleukit.comparing.scores_of_sums import require_no_last_segment, scores_of_segments, scores_of_sums
from bleukit.comparing.second_moments import SecondMoments
from bleukit.comparing.settings import HIERARCHICAL, PERMUTATION, SEED, Settings
from bleukit.comparing.significance import FEWEST_OF_STRATUM, ComparisonTask
from bleukit.comparing.units import DOCUMENT, LABEL, TEST_SET
from bleukit.errors import InputError, InputTypeError, near_misses, shown
from bleukit.metric import bleu_of
from bleukit.statistics import Statistics
from bleukit.text.arguments import SegmentPairs

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from bleukit.comparing.resampling import Track
    from bleukit.comparing.unit_statistics import UnitStatistics
    from bleukit.metric import Bleu, Prepared, VariantLike
    from bleukit.protocols import References, Text
    from bleukit.scoring import Score
    from bleukit.text.layouts import Layout


def compare(  # noqa: PLR0913
    bleu: VariantLike,
    systems: Mapping[str, Sequence[Text] | Statistics | Runs] | Moments,
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

    ``bleu`` is what :func:`bleukit.load` takes, or returns: a variant's name, the path of its file, a Variant, a Bleu.
    ``systems`` maps names to hypotheses, to Statistics (one row per segment), or to :class:`bleukit.Runs` of either;
    ``references`` and ``references_by`` are those of :meth:`bleukit.Bleu.corpus`; they are not needed if all systems
    are given as Statistics. The test ``delta`` also accepts :class:`bleukit.Moments`.

    ``test`` is ``permutation``, ``hierarchical``, ``multeval``, ``bootstrap``, ``delta``, ``sacrebleu-bs`` or
    ``sacrebleu-ar``, which :mod:`bleukit.comparing.significance` describes; by default ``hierarchical`` if a system has
    several runs, else ``permutation``. ``samples`` is the number of permutations or resamples of the test;
    ``interval_samples`` is the number of resamples for the confidence intervals if the test does not resample itself.
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
    bleu = bleu_of(bleu)
    gathered = systems if isinstance(systems, Moments) else _gathered(bleu, systems, references, references_by, threads)
    return compared(bleu, gathered, settings, documents, by, test_sets=test_sets, histograms=histograms)


def _gathered(
    bleu: Bleu,
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
    prepared: Prepared | None = None
    statistics = []
    for name, of_one in runs.items():
        for run in of_one:
            if isinstance(run, Statistics):
                statistics.append(run)
                continue
            if references is None:
                raise InputError("references: missing; only Statistics can be compared without them")
            try:
                if prepared is None:  # tokenized once for all systems
                    pairs = SegmentPairs.of(run, references, references_by=references_by)
                    prepared = bleu.prepare(pairs.references, tokens=pairs.tokenized, threads=threads)
                statistics.append(prepared.statistics(run, threads=threads))
            except InputError as error:
                raise type(error)(f"systems[{name!r}]: {error}") from error
    gathered.add(statistics)
    return gathered


def untracked(items: Iterable[int], number: int, what: str) -> Iterable[int]:  # noqa: ARG001 - the signature of Track
    """Return the items as they are: the ``Track`` that shows no progress."""
    return items


def compared(  # noqa: PLR0913
    bleu: Bleu,
    gathered: Gathered | Moments,
    settings: Settings,
    documents: Sequence[Hashable] | None = None,
    by: str | Sequence[Hashable] | None = None,
    track: Track = untracked,
    test_sets: Sequence[Hashable] | None = None,
    *,
    histograms: bool = False,
) -> Comparison:
    """Compare systems whose statistics were gathered; for the other parameters see :func:`compare`."""
    settings = settings.for_runs(max(map(len, gathered.names.texts)))
    scores = _scores(bleu, gathered)
    of_sets = _test_sets(settings, test_sets, by, gathered.segments)
    of_documents = None if documents is None else Labels.of("documents", documents, gathered.segments)
    if of_documents and of_sets:
        of_documents = of_documents.within(of_sets)
    unit = settings.unit(of_documents)
    values = [score.value for score in scores]
    references = gathered.totals[0].most_references
    studied = is_studied(bleu.variant, int(references.max(initial=0)))
    comparing = _Comparing(
        bleu, settings, unit, gathered.names, values, track, is_studied=studied, tested=_tested(of_sets)
    )
    groups: Iterable[GroupResult] = ()
    if isinstance(gathered, Moments):
        if documents is not None or by is not None or of_sets is not None or histograms:
            raise InputError("moments cannot be compared by document or by groups of segments, and have no histograms")
        task = comparing.task(None, gathered.second)
    else:
        rows = gathered.rows()
        of_groups = of_sets or labels_of_groups(by, gathered.lengths, of_documents, len(rows))
        groups = comparing.groups(rows, of_groups, of_documents if by != DOCUMENT else None) if of_groups else ()
        units = comparing.units(rows, of_documents, of_sets)
        task = comparing.task(units, SecondMoments.of(units))
    _require_units(settings, unit, task.moments, of_sets)
    grouped_by = TEST_SET if of_sets else by if by is None or isinstance(by, str) else LABEL
    division = Division(unit, of_documents, of_sets, grouped_by)
    whole = comparing.results(task, values)
    if histograms:
        whole = comparing.with_histograms(whole, rows)
    if of_sets:
        whole, groups = comparing.judged_together(whole, list(groups))
    else:
        [whole], groups = comparing.judged([whole]), map(comparing.judged_alone, groups)
    groups = tuple(groups)
    tested = [*whole.pairs, *(pair for group in groups if of_sets for pair in group.pairs)]
    return Comparison(
        systems=whole.systems,
        pairs=whole.pairs,
        baseline=settings.baseline,
        test=settings.test or PERMUTATION,
        samples=settings.number("samples"),
        interval_samples=settings.number("interval_samples"),
        seed=settings.seed if settings.number("samples") else None,
        confidence_level=settings.confidence_level,
        correction=settings.correction,
        detect=settings.detect,
        power=settings.power,
        resample_by=unit,
        units=task.moments.units,
        segments=task.moments.segments,
        grouped_by=grouped_by,
        groups=groups,
        notes=tuple(remarks(settings, task, gathered.names.systems, tested, division)),
        signature=scores[0].signature,
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


def _tested(test_sets: Labels | None) -> int:
    """Return how often each pair is tested: on all segments, and on each test set if there are several."""
    return 1 + (len(test_sets.names) if test_sets else 0)


def _require_units(settings: Settings, unit: str, moments: SecondMoments, test_sets: Labels | None) -> None:
    """Raise InputError if there are fewer units than the test needs, in all or in a test set."""
    fewest = settings.chosen.fewest
    if moments.units < fewest:
        there = f"there {'is' if moments.units == 1 else 'are'} {moments.units}"
        raise InputError(f"test: {settings.test!r} needs {fewest} or more {unit}s, {there}")
    if test_sets and min(fewest, FEWEST_OF_STRATUM) > moments.sizes.min():
        name = test_sets.names[int(moments.sizes.argmin())]
        raise InputError(
            f"test: {settings.test!r} needs {FEWEST_OF_STRATUM} or more {unit}s of each test set, {name} has 1"
        )


def _scores(bleu: Bleu, gathered: Gathered | Moments) -> list[Score]:
    """Return the score of each text. Raises InputError if a text, or any resample, cannot be scored."""
    scores = [bleu.score(total) for total in gathered.totals]
    for name, score in zip(gathered.names.owners(), scores, strict=True):
        if isnan(score.value):
            raise InputError(f"{name} has no score (NaN) and cannot be compared")
    require_no_last_segment(bleu, gathered.totals[0].counts(len(bleu.variant.weights_used))[0])
    return scores


class _Comparing:
    """The comparison of systems: of all pairs in the order of their scores, or of each system with the baseline."""

    def __init__(  # noqa: PLR0913
        self,
        bleu: Bleu,
        settings: Settings,
        unit: str,
        names: Names,
        values: Sequence[float],
        track: Track,
        *,
        is_studied: bool,
        tested: int,
    ) -> None:
        self._bleu = bleu
        self._settings = settings
        self._unit = unit
        self._names = names
        self._track = track
        self._is_studied = is_studied
        scores = [fmean(values[text] for text in texts) for texts in names.texts]
        self._order = sorted(range(len(scores)), key=lambda system: -scores[system])
        self._baseline = 0
        self._pairs = list(combinations(self._order, 2))
        if settings.baseline is not None:
            if settings.baseline not in names.systems:
                hint = near_misses(str(settings.baseline), [*names.systems])
                raise InputError(f"baseline: unknown system {settings.baseline!r}; {hint}")
            self._baseline = names.systems.index(settings.baseline)
            self._pairs = [(system, self._baseline) for system in self._order if system != self._baseline]
        family = max(1, len(self._pairs)) * tested
        self._alpha = (1 - settings.confidence_level) / (family if settings.correction != "none" else 1)

    def units(self, rows: UnitStatistics, documents: Labels | None, test_sets: Labels | None = None) -> UnitStatistics:
        """Return the units to resample: the segments themselves, or their documents; test sets are strata."""
        if test_sets is not None:
            rows = replace(rows, strata=test_sets.numbers)
        if documents is None or self._unit != DOCUMENT:
            return rows
        return rows.by(documents.numbers, len(documents.names))

    def task(self, rows: UnitStatistics | None, moments: SecondMoments) -> ComparisonTask:
        """Return the task of testing all pairs on some units."""
        settings = self._settings
        return ComparisonTask(
            bleu=self._bleu,
            rows=rows,
            moments=moments,
            texts=self._names.texts,
            pairs=self._pairs,
            baseline=self._baseline,
            samples=settings.number("samples") or 0,
            interval_samples=settings.number("interval_samples") or 0,
            seed=settings.seed,
            level=settings.confidence_level,
            track=self._track,
        )

    def groups(self, rows: UnitStatistics, groups: Labels, documents: Labels | None) -> Iterator[GroupResult]:
        """Yield the results of each group of segments, not yet judged, with its influence on the whole differences."""
        parts = rows.by(groups.numbers, len(groups.names))
        of_texts = [parts.matrix[:, places].astype(np.float64) for places in parts.places]
        shares = []
        for pair in self._pairs:
            first, second = ([of_texts[text] for text in self._names.texts[system]] for system in pair)
            shares.append(influences(self._bleu, first, second, self._settings.seed))
        for number, name in enumerate(groups.names):
            chosen = groups.numbers == number
            units = self.units(rows[chosen], documents[chosen] if documents else None)
            task = self.task(units, SecondMoments.of(units))
            try:
                found = self.results(task, None, [float(share[number]) for share in shares])
            except InputError as error:
                raise InputError(f"{name}: {error}") from error
            yield GroupResult(name, task.moments.segments, *found)

    def with_histograms(self, whole: Results, rows: UnitStatistics) -> Results:
        """Return the results with the histogram of each pair, given the statistics of segments."""
        scores = [
            np.mean([scores_of_segments(self._bleu, rows.of_text(text)) for text in texts], axis=0)
            for texts in self._names.texts
        ]
        differences = (scores[first] - scores[second] for first, second in self._pairs)
        histograms = [histogram_of(each, self._bleu.variant.scale) for each in differences]
        pairs = zip(whole.pairs, histograms, strict=True)
        return whole._replace(pairs=tuple(replace(pair, histogram=histogram) for pair, histogram in pairs))

    def judged(self, family: Sequence[Results]) -> list[Results]:
        """Return results with adjusted p-values and standings."""
        return judged(family, self._settings.correction, self._settings.confidence_level)

    def judged_alone(self, group: GroupResult) -> GroupResult:
        """Return a group whose p-values are adjusted for its own pairs."""
        [found] = self.judged([Results(group.systems, group.pairs)])
        return replace(group, **found._asdict())

    def judged_together(self, whole: Results, groups: Sequence[GroupResult]) -> tuple[Results, list[GroupResult]]:
        """Return the whole and its groups, whose p-values are adjusted for all pairs of both."""
        whole, *found = self.judged([whole, *(Results(group.systems, group.pairs) for group in groups)])
        return whole, [replace(group, **each._asdict()) for group, each in zip(groups, found, strict=True)]

    def results(
        self, task: ComparisonTask, values: Sequence[float] | None = None, shares: Sequence[float] | None = None
    ) -> Results:
        """Return the results of the systems and pairs, not yet judged.

        ``values`` are the scores of the texts if they are known; ``shares`` are the influences of a group on each pair.
        """
        settings = self._settings
        several = task.moments.units > 1
        enough = task.moments.units >= settings.chosen.fewest
        outcome = settings.chosen.run(task) if enough else task.without_result()
        if values is None:
            values = task.values.tolist()
        scores = [fmean(values[text] for text in texts) for texts in task.texts]
        systems, pairs = [], []
        for system in self._order:
            runs, interval = tuple(values[text] for text in task.texts[system]), outcome.systems[system]
            errors = [task.moments.error(task.effects[text]).value for text in task.texts[system] if several]
            systems.append(
                SystemResult(
                    system=self._names.systems[system],
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
        for number, (first, second) in enumerate(self._pairs):
            error = self._error(task, first, second) if several else None
            differing = None if task.rows is None else int(task.differing(task.rows, number).sum())
            enough = (task.moments.units if differing is None else differing) >= FEWEST
            known = error and enough and not task.has_runs(first, second)
            detectable = error * planning.quantile(settings.power, self._alpha) if error and known else None
            pairs.append(
                PairResult(
                    first=self._names.systems[first],
                    second=self._names.systems[second],
                    difference=scores[first] - scores[second],
                    interval=outcome.differences[number],
                    p_value=outcome.p_values[number],
                    adjusted_p_value=None,
                    exact=outcome.exact[number],
                    differing_units=differing,
                    standard_error=error,
                    detectable_difference=detectable,
                    segments_needed=self._segments_needed(task, number, detectable) if several and not shares else None,
                    agreement=agreement(scores[first] - scores[second]) if self._is_studied and not shares else None,
                    influence=shares[number] if shares else None,
                )
            )
        return Results(tuple(systems), tuple(pairs))

    def _segments_needed(self, task: ComparisonTask, pair: int, detectable: float | None) -> int | None:
        """Return the number of segments at which the difference to detect is significant, if it is known.

        It follows from the detectable difference or, if only few units differ, from a simulation.
        """
        detect, settings = self._settings.detect, self._settings
        if detect is None:
            return None
        if detectable is not None:
            return ceil(task.moments.segments * (detectable / detect) ** 2)
        systems = self._pairs[pair]
        if task.rows is None or task.has_runs(*systems) or task.differing(task.rows, pair).sum() < 2:
            return None
        first, second = (task.rows.matrix[:, task.rows.places[task.texts[system][0]]] for system in systems)
        score = partial(scores_of_sums, self._bleu)
        units = planning.simulated_units(score, (first, second), detect, settings.power, self._alpha, settings.seed)
        return ceil(units * task.moments.segments / task.moments.units)

    def _error(self, task: ComparisonTask, first: int, second: int) -> float:
        """Return the standard error of the difference of two systems; for new runs if the test is about these."""
        if self._settings.test == HIERARCHICAL and task.has_runs(first, second):
            return task.estimate(first, second).error
        return task.moments.error(task.effects_of_systems[first] - task.effects_of_systems[second]).value
