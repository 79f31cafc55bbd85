"""Compare systems: from texts or statistics to a :class:`Comparison`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, inf, isnan, nan
from numbers import Real
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.comparing import power as planning
from bleukit.comparing.agreement import agreement, is_studied
from bleukit.comparing.gathering import Gathered, Moments, Names, Runs, runs_by_system
from bleukit.comparing.influence import influences
from bleukit.comparing.labels import DOCUMENT, LABEL, SEGMENT, Labels, labels_of_groups
from bleukit.comparing.ranking import CORRECTIONS, is_significant, ranked
from bleukit.comparing.results import FEWEST, Comparison, GroupResult, PairResult, SystemResult, caution
from bleukit.comparing.scores_of_sums import require_no_last_segment
from bleukit.comparing.second_moments import SecondMoments
from bleukit.comparing.significance import ENUMERATED, TESTS, ComparisonTask, SignificanceTest
from bleukit.errors import InputError, InputTypeError, near_misses, shown
from bleukit.inspecting.phrases import listed, numbered
from bleukit.metric import bleu_of
from bleukit.statistics import Statistics
from bleukit.text.arguments import SegmentPairs, check_whole_number

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from bleukit.comparing.resampling import Track
    from bleukit.comparing.unit_statistics import UnitStatistics
    from bleukit.metric import Bleu, Prepared, VariantLike
    from bleukit.protocols import References, Text
    from bleukit.scoring import Score
    from bleukit.text.layouts import Layout

SEED = 12345

PERMUTATION, HIERARCHICAL = "permutation", "hierarchical"
"""The default tests: of single runs, and of several."""


@dataclass(frozen=True)
class Settings:
    """The settings of a comparison, which :func:`compare` describes. Raises InputError for invalid ones."""

    baseline: str | None = None
    test: str | None = None
    samples: int | None = None
    interval_samples: int | None = None
    seed: int = SEED
    confidence_level: float = 0.95
    correction: str = "holm"
    resample_by: str | None = None
    detect: float | None = None
    power: float = 0.8

    def __post_init__(self) -> None:
        for key, known in (("test", TESTS), ("correction", CORRECTIONS), ("resample_by", (SEGMENT, DOCUMENT))):
            value = getattr(self, key)
            if value is not None and value not in known:
                raise InputError(f"{key}: expected {', '.join(known)}; got {shown(value)}")
        for key, least in (("samples", 1), ("interval_samples", 0), ("seed", 0)):
            value = getattr(self, key)
            if value is not None:
                object.__setattr__(self, key, check_whole_number(value, key, least))
            if value is not None and key != "seed" and getattr(self.chosen, key) is None:
                raise InputError(f"{key}: not used by the test {self.test!r}")
        for key, most, expected in (
            ("confidence_level", 1, "a number between 0 and 1"),
            ("power", 1, "a number between 0 and 1"),
            ("detect", inf, "a difference above 0"),
        ):
            value = getattr(self, key)
            if value is None and key == "detect":
                continue
            number = float(value) if isinstance(value, Real) else nan
            if not 0 < number < most:
                raise InputError(f"{key}: expected {expected}, got {shown(value)}")
            object.__setattr__(self, key, number)
        if self.is_of_sacrebleu and self.confidence_level != 0.95:
            raise InputError(f"confidence_level: sacreBLEU supports only 0.95, got {self.confidence_level}")

    @property
    def chosen(self) -> SignificanceTest:
        """The test that is set, else that of single runs."""
        return TESTS[self.test or PERMUTATION]

    @property
    def is_of_sacrebleu(self) -> bool:
        """Whether the test is one of sacreBLEU's."""
        return self.test is not None and self.test.startswith("sacrebleu-")

    def for_runs(self, runs: int) -> Settings:
        """Return the settings with a test: as set, else that of systems with so many runs at most.

        Raises InputError if the test is only for single runs.
        """
        test = self.test or (HIERARCHICAL if runs > 1 else PERMUTATION)
        if runs > 1 and not TESTS[test].runs:
            others = listed([name for name, each in TESTS.items() if each.runs])
            raise InputError(f"test: {test!r} is for systems with one run each; for several runs there are {others}")
        return replace(self, test=test)

    def unit(self, documents: Labels | None) -> str:
        """Return what is resampled: as set, else documents if two or more are known, else segments.

        Raises InputError if documents are set, but not known.
        """
        if self.resample_by == DOCUMENT and documents is None:
            raise InputError("resample_by: the document of each segment is not known")
        if self.resample_by is not None:
            return self.resample_by
        by_segment = documents is None or len(documents.names) < 2 or self.is_of_sacrebleu
        return SEGMENT if by_segment else DOCUMENT

    def number(self, key: str) -> int | None:
        """Return ``samples`` or ``interval_samples`` as set, else the default of the test, which may be None."""
        value: int | None = getattr(self, key)
        default: int | None = getattr(self.chosen, key)
        return default if value is None else value


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
    resample_by: str | None = None,
    by: str | Sequence[Hashable] | None = None,
    detect: float | None = None,
    power: float = 0.8,
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

    ``by`` breaks the comparison down by ``"document"``, by ``"length"`` (of the references), or by a label for each
    segment. ``detect`` is a difference in the scale of the variant; each pair then gives the number of segments that
    are needed to detect it: to find it significant, after the correction, in the share ``power`` of test sets.

    Raises InputError for what cannot be compared: systems with different segments or references, a smoothing that
    depends on the last segment, a score that is NaN.
    """
    settings = Settings(
        baseline, test, samples, interval_samples, seed, confidence_level, correction, resample_by, detect, power
    )
    bleu = bleu_of(bleu)
    if isinstance(systems, Moments):
        return compared(bleu, systems, settings, documents, by)
    return compared(bleu, _gathered(bleu, systems, references, references_by, threads), settings, documents, by)


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
) -> Comparison:
    """Compare systems whose statistics were gathered; for the other parameters see :func:`compare`."""
    settings = settings.for_runs(max(map(len, gathered.names.texts)))
    scores = _scores(bleu, gathered)
    of_documents = None if documents is None else Labels.of("documents", documents, gathered.segments)
    unit = settings.unit(of_documents)
    values = [score.value for score in scores]
    references = gathered.totals[0].most_references
    studied = is_studied(bleu.variant, int(references.max(initial=0)))
    comparing = _Comparing(bleu, settings, unit, gathered.names, values, track, is_studied=studied)
    groups: Iterable[GroupResult] = ()
    if isinstance(gathered, Moments):
        if documents is not None or by is not None:
            raise InputError("moments cannot be compared by document or by groups of segments")
        task = comparing.task(None, gathered.second)
    else:
        rows = gathered.rows()
        of_groups = labels_of_groups(by, gathered.lengths, of_documents, len(rows))
        groups = comparing.groups(rows, of_groups, of_documents if by != DOCUMENT else None) if of_groups else ()
        units = comparing.units(rows, of_documents)
        task = comparing.task(units, SecondMoments.of(units))
    if task.moments.units < settings.chosen.fewest:
        there = f"there {'is' if task.moments.units == 1 else 'are'} {task.moments.units}"
        raise InputError(f"test: {settings.test!r} needs {settings.chosen.fewest} or more {unit}s, {there}")
    grouped_by = by if by is None or isinstance(by, str) else LABEL
    systems, pairs = comparing.results(task, values)
    return Comparison(
        systems=systems,
        pairs=pairs,
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
        groups=tuple(groups),
        notes=tuple(comparing.notes(task, pairs, of_documents, grouped_by)),
        signature=scores[0].signature,
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

    def units(self, rows: UnitStatistics, documents: Labels | None) -> UnitStatistics:
        """Return the units to resample: the segments themselves, or their documents."""
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
        """Yield the results of each group of segments, with its influence on the differences of the whole."""
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
                systems, pairs = self.results(task, None, [float(share[number]) for share in shares])
            except InputError as error:
                raise InputError(f"{name}: {error}") from error
            yield GroupResult(name, task.moments.segments, systems, pairs)

    def results(
        self, task: ComparisonTask, values: Sequence[float] | None = None, shares: Sequence[float] | None = None
    ) -> tuple[tuple[SystemResult, ...], tuple[PairResult, ...]]:
        """Return the results of the systems and pairs.

        ``values`` are the scores of the texts if they are known; ``shares`` are the influences of a group on each pair.
        """
        settings = self._settings
        several = task.moments.units > 1
        enough = task.moments.units >= settings.chosen.fewest
        outcome = settings.chosen.run(task) if enough else task.without_result()
        adjusted = _adjusted(outcome.p_values, settings.correction)
        significant = {
            pair: is_significant(p, settings.confidence_level)
            for pair, p in zip(self._pairs, adjusted, strict=True)
            if p is not None
        }
        if values is None:
            values = task.values.tolist()
        scores = [fmean(values[text] for text in texts) for texts in task.texts]
        standings = ranked(scores, significant)
        systems, pairs = [], []
        for system in self._order:
            runs, interval = tuple(values[text] for text in task.texts[system]), outcome.systems[system]
            errors = [task.moments.standard_error(task.effects[text]) for text in task.texts[system] if several]
            systems.append(
                SystemResult(
                    system=self._names.systems[system],
                    score=scores[system],
                    interval=interval,
                    **standings[system]._asdict(),
                    segment_deviation=fmean(errors) if errors else None,
                    run_deviation=stdev(runs) if len(runs) > 1 else None,
                    runs=runs,
                    mean=outcome.means[system] if outcome.means else None,
                    half_width=(interval.high - interval.low) / 2 if outcome.means and interval else None,
                )
            )
        alpha = (1 - settings.confidence_level) / (max(1, len(self._pairs)) if settings.correction != "none" else 1)
        for number, (first, second) in enumerate(self._pairs):
            error = self._error(task, first, second) if several else None
            differing = None if task.rows is None else task.differing(task.rows, number)
            enough = (task.moments.units if differing is None else differing) >= FEWEST
            known = error and enough and not task.has_runs(first, second)
            detectable = error * planning.quantile(settings.power, alpha) if error and known else None
            pairs.append(
                PairResult(
                    first=self._names.systems[first],
                    second=self._names.systems[second],
                    difference=scores[first] - scores[second],
                    interval=outcome.differences[number],
                    p_value=outcome.p_values[number],
                    adjusted_p_value=adjusted[number],
                    exact=outcome.exact[number],
                    differing_units=differing,
                    standard_error=error,
                    detectable_difference=detectable,
                    segments_needed=self._segments_needed(task, number, detectable, alpha) if several else None,
                    agreement=agreement(scores[first] - scores[second]) if self._is_studied and not shares else None,
                    influence=shares[number] if shares else None,
                )
            )
        return tuple(systems), tuple(pairs)

    def _segments_needed(self, task: ComparisonTask, pair: int, detectable: float | None, alpha: float) -> int | None:
        """Return the number of segments at which the difference to detect is significant at ``alpha``, if it is known.

        It follows from the detectable difference or, if only few units differ, from a simulation.
        """
        detect, settings = self._settings.detect, self._settings
        if detect is None:
            return None
        if detectable is not None:
            return ceil(task.moments.segments * (detectable / detect) ** 2)
        systems = self._pairs[pair]
        if task.rows is None or task.has_runs(*systems) or task.differing(task.rows, pair) < 2:
            return None
        first, second = (task.rows.matrix[:, task.rows.places[task.texts[system][0]]] for system in systems)
        units = planning.simulated_units(self._bleu, (first, second), detect, settings.power, alpha, settings.seed)
        return ceil(units * task.moments.segments / task.moments.units)

    def _error(self, task: ComparisonTask, first: int, second: int) -> float:
        """Return the standard error of the difference of two systems; for new runs if the test is about these."""
        if self._settings.test == HIERARCHICAL and task.has_runs(first, second):
            return task.estimate(first, second).error
        return task.moments.standard_error(task.effects_of_systems[first] - task.effects_of_systems[second])

    def _single_runs(self, task: ComparisonTask) -> str:
        """Return what is taken for granted of systems with one run beside others with several; empty if nothing is."""
        single = [name for system, name in enumerate(self._names.systems) if not task.has_runs(system)]
        if not single or len(single) == len(self._names.systems) or self._settings.test != HIERARCHICAL:
            return ""
        alone = "; two single runs are compared as they are, and new ones can differ" if len(single) > 1 else ""
        return f"{listed(single)}: a single run, taken to vary as the runs do that it is compared with{alone}"

    def notes(
        self, task: ComparisonTask, pairs: Sequence[PairResult], documents: Labels | None, grouped_by: str | None
    ) -> Iterator[str]:
        """Yield remarks that are needed to interpret the results."""
        settings = self._settings
        if documents is not None:
            yield _choice(len(documents.names), self._unit, asked=settings.resample_by is not None)
        if remark := self._single_runs(task):
            yield remark
        if grouped_by is not None:
            resampled = "; within a document, segments are resampled" if grouped_by == DOCUMENT else ""
            yield f"the p-values of a group are not adjusted for the number of groups{resampled}"
        if warning := caution(task.moments.units, self._unit):
            yield warning
        elif any(pair.differing_units is not None and pair.differing_units < FEWEST for pair in pairs):
            yield f"no interval of a difference if fewer than {FEWEST} {self._unit}s differ"
        sampled = len(pairs) - sum(pair.exact for pair in pairs)
        least = (sampled if settings.correction == "holm" else 1) / (task.samples + 1)
        if task.samples and sampled and not is_significant(least, settings.confidence_level):
            of_pairs = f" of {sampled:,} pairs" if sampled > 1 else ""
            adjusted = "adjusted " if settings.correction != "none" and sampled > 1 else ""
            yield (
                f"with {task.samples:,} samples, no {adjusted}p-value{of_pairs} can be below {min(least, 1):.2g}; "
                "more samples are needed"
            )
        if settings.chosen.warning:
            yield f"{settings.test} is only for reproducing results: {settings.chosen.warning}"
        if task.rows is not None and settings.test in ("bootstrap", "delta"):
            few = [f"{pair.first} and {pair.second}" for pair in pairs if (pair.differing_units or 0) <= ENUMERATED]
            if few:
                listed = ", ".join(few[:3]) + (f" and {len(few) - 3} more pairs" if len(few) > 3 else "")
                yield (
                    f"at most {ENUMERATED} {self._unit}s differ between {listed}; for so few, the test "
                    f"'permutation' is exact, and {settings.test!r} is not reliable"
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


def _adjusted(p_values: Sequence[float | None], correction: str) -> list[float | None]:
    """Return the p-values adjusted for multiple comparisons; None stays None."""
    adjusted = iter(CORRECTIONS[correction]([p for p in p_values if p is not None]))
    return [None if p is None else next(adjusted) for p in p_values]
