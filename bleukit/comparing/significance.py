"""The significance tests, by name: what each computes, its source, and when to use it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bleukit.bleu.scorer import MeanScorer, Scorer
from bleukit.comparing import hierarchical as estimates
from bleukit.comparing import intervals, resampling, students_t
from bleukit.comparing.intervals import TIES, Spread
from bleukit.comparing.resampling import BOOTSTRAP, RANDOMIZATION, STRATIFIED, RandomBits
from bleukit.comparing.settings import TESTS
from bleukit.comparing.unit_statistics import UnitStatistics, distinct_columns, required, scores_of_sums
from bleukit.comparing.units import ENUMERATED, FEWEST_UNITS
from bleukit.framework.errors import InputError
from bleukit.framework.results import Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bleukit.comparing.hierarchical import Estimate
    from bleukit.comparing.resampling import Track
    from bleukit.comparing.second_moments import SecondMoments
    from bleukit.comparing.settings import Settings
    from bleukit.framework.metric import AnyMetric

UNITS_HELD = 14
"""The number of these units whose permutations are held in memory at a time."""


@dataclass(frozen=True)
class ComparisonTask:
    """What a test compares: systems and pairs of them by a metric, with settings.

    ``systems`` maps the name of each system to the indices of its texts, one per run; ``pairs`` holds the indices of
    the two systems of each pair. ``rows`` is None if only the moments are known.
    """

    metric: AnyMetric
    settings: Settings
    systems: Mapping[str, Sequence[int]]
    pairs: Sequence[tuple[int, int]]
    rows: UnitStatistics | None
    moments: SecondMoments
    track: Track
    tests: int = 1
    """The number of p-values that are adjusted together."""

    @property
    def alpha(self) -> float:
        """The limit of the smallest p-value, as the correction has it."""
        alpha = 1 - self.settings.confidence_level
        return alpha / self.tests if self.settings.correction != "none" else alpha

    @property
    def samples(self) -> int:
        """The number of samples of the test."""
        return self.settings.samples or 0

    @property
    def interval_samples(self) -> int:
        """The number of resamples for the intervals if the test itself gives none."""
        return self.settings.interval_samples or 0

    @property
    def baseline(self) -> int:
        """The index of the baseline; without one, the first system."""
        return 0 if self.settings.baseline is None else [*self.systems].index(self.settings.baseline)

    @cached_property
    def texts(self) -> list[Sequence[int]]:
        """The indices of the texts of each system."""
        return [*self.systems.values()]

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The score of each text."""
        return scores_of_sums(self.metric, self.moments.sums[self.moments.places])

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The score of each system, the mean of its runs."""
        return self.means(self.values)

    @cached_property
    def effects(self) -> NDArray[np.float64]:
        """The gradient of the score of each text with respect to all columns, of shape (texts, columns)."""
        return self.moments.effects(self.metric)

    @cached_property
    def effects_of_systems(self) -> NDArray[np.float64]:
        """The gradient of the score of each system with respect to all columns, of shape (systems, columns)."""
        effects: NDArray[np.float64] = self.means(self.effects.T).T
        return effects

    def means(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean over the runs of each system, of shape (..., systems), for values of shape (..., texts)."""
        means: NDArray[np.float64] = np.stack([values[..., list(texts)].mean(axis=-1) for texts in self.texts], axis=-1)
        return means

    def reached(self, statistic: NDArray[np.float64], pair: int) -> int:
        """Return how many values of a statistic are at least as far from 0 as the difference of a pair."""
        first, second = self.pairs[pair]
        difference = abs(self.scores[first] - self.scores[second])
        return int(np.count_nonzero(np.abs(statistic) >= difference - TIES * self.metric.scale))

    def differing(self, pair: int) -> NDArray[np.intp]:
        """Return the number of units of each stratum in which any two texts of a pair differ.

        Of several runs whose moments alone are known, it is at least this number.
        """
        texts = [text for system in self.pairs[pair] for text in self.texts[system]]
        if self.rows is not None and len(texts) > 2:
            return self.rows.differing(texts)
        differing: NDArray[np.intp] = self.moments.differing[:, texts][:, :, texts].max(axis=(1, 2))
        return differing

    @cached_property
    def has_intervals(self) -> bool:
        """Whether there are enough units for intervals: in all, and in each stratum, as one unit has no variance."""
        return self.moments.units >= FEWEST_UNITS and int(self.moments.sizes.min()) > 1

    def has_runs(self, *systems: int) -> bool:
        """Return whether any of these systems has several runs."""
        return any(len(self.texts[system]) > 1 for system in systems)

    def estimate(self, *systems: int) -> Estimate:
        """Return the estimate for new runs and new units of the score of one system, or of the difference of two."""
        runs = [list(self.texts[system]) for system in systems]
        covariance = self.moments.covariance(self.effects[[text for texts in runs for text in texts]])
        mean, *other = (self.effects_of_systems[system] for system in systems)
        by_units = self.moments.error(mean - other[0] if other else mean).freedom
        return estimates.estimate([self.values[texts] for texts in runs], covariance, by_units)

    def without_intervals(self, p_values: Sequence[float | None] | None = None) -> TestOutcome:
        """Return the outcome with these p-values; by default without any, for too few units."""
        none = [None] * len(self.pairs)
        return TestOutcome(p_values or none, [None] * len(self.texts), none)


class TestOutcome(NamedTuple):
    """What a test returns: p-values of the pairs, and the intervals of the systems and of the differences, if any."""

    p_values: Sequence[float | None]
    systems: Sequence[Interval | None]
    differences: Sequence[Interval | None]
    exact: Collection[int] = ()
    """The pairs of which all permutations were tried."""
    means: Sequence[float] | None = None
    """The mean of the resampled scores of each system, if the test defines one."""


def permutation(task: ComparisonTask) -> TestOutcome:
    """Paired approximate randomization, two-sided; exact if at most ENUMERATED units differ.

    Both outputs are swapped in random units; the p-value counts how often the difference is at least as large as
    observed (Riezler and Maxwell 2005), as (c + 1) / (n + 1) (Phipson and Smyth 2010). Valid for any number of
    segments, any lengths and any variant if the units are independent, and exchangeable between systems that are
    equally good. Several runs are shuffled as MultEval shuffles them (Clark et al. 2011), which is the test
    ``multeval``: it is about these very runs.
    """
    rows = _rows(task)
    p_values = [math.nan] * len(task.pairs)
    exact, drawn = [], []
    for number in task.track(range(len(task.pairs)), len(task.pairs), "Pairs"):
        first, second = task.pairs[number]
        if len(task.texts[first]) > 1 or len(task.texts[second]) > 1:
            p_values[number] = _p_value_of_runs(task, rows, number)
            continue
        differences = rows.differences(task.texts[first][0], task.texts[second][0])
        differing = differences.any(axis=1)
        if differing.sum() <= ENUMERATED:
            p_values[number] = _exact_p_value(task, differences[differing], number)
            exact.append(number)
        else:
            drawn.append(number)
    bits = partial(RandomBits(task.settings.seed, RANDOMIZATION).bits, units=len(rows))
    for number, statistic in _randomized(task, rows, drawn, bits):
        p_values[number] = (task.reached(statistic, number) + 1) / (task.samples + 1)
    samples = task.interval_samples
    resampled = _resampled(task, rows, samples, _drawn(task, rows)) if samples and task.has_intervals else None
    return TestOutcome(p_values, *_intervals(task, rows, resampled), exact)


def hierarchical(task: ComparisonTask) -> TestOutcome:
    """Student's t for systems with several runs, as evidence about new runs and new units.

    The variance among runs, and that of the units which all runs share, are estimated apart (Obuchowski and Rockette
    1995; Hillis 2007), the second by the delta method. Two systems with one run each are tested by ``permutation``, and
    the score of one run has its interval by the bootstrap: they hold for these runs alone.
    """
    single = [number for number, pair in enumerate(task.pairs) if not task.has_runs(*pair)]
    is_single = not all(map(task.has_runs, range(len(task.texts))))
    samples = task.interval_samples if is_single else 0
    settings, level = replace(task.settings, interval_samples=samples), task.settings.confidence_level
    alone = permutation(replace(task, pairs=[task.pairs[number] for number in single], settings=settings))
    p_values: list[float | None] = [None] * len(task.pairs)
    differences: list[Interval | None] = [None] * len(task.pairs)
    for place, number in enumerate(single):
        p_values[number], differences[number] = alone.p_values[place], alone.differences[place]
    for number, (first, second) in enumerate(task.pairs):
        if number not in single:
            estimate = task.estimate(first, second)
            p_values[number], differences[number] = estimate.p_value, estimate.interval(level)
    systems = [
        task.estimate(system).interval_of_score(level) if task.has_runs(system) else interval
        for system, interval in enumerate(alone.systems)
    ]
    return TestOutcome(p_values, systems, differences, [single[place] for place in alone.exact])


def bootstrap(task: ComparisonTask) -> TestOutcome:
    """Paired bootstrap (Koehn 2004), two-sided, centred as by Riezler and Maxwell (2005).

    Units are drawn with replacement; the p-value counts how often the difference is at least as far from its mean as
    the observed difference is from 0, adjusted as :func:`intervals.expanded_p_value` describes.
    """
    rows = _rows(task)
    resampled = _resampled(task, rows, task.samples, _drawn(task, rows))
    terms = _linear_terms(task, rows)
    p_values = []
    for number, (first, second) in enumerate(task.pairs):
        differences, differing = resampled[:, first] - resampled[:, second], task.differing(number)
        p_value = (task.reached(differences - differences.mean(), number) + 1) / (task.samples + 1)
        spread = _spread(rows, terms[:, first] - terms[:, second], differing)
        p_values.append(intervals.expanded_p_value(p_value, spread) if differing.sum() > 1 else 1.0)
    return TestOutcome(p_values, *_intervals(task, rows, resampled))


def delta(task: ComparisonTask) -> TestOutcome:
    """Delta method: standard errors from second moments, without random numbers.

    Each score is approximated to first order in the sums of the rows, which are taken as normally distributed (Miller
    2024 for means), with Student's t for few units; intervals of scores are those of their logits, or of the logarithms
    of error rates. For corpora of any size, also counted in parts; not reliable if only few segments differ.
    """
    scores, effects = task.scores, task.effects_of_systems
    systems = [(float(score), *task.moments.error(effect)) for score, effect in zip(scores, effects, strict=True)]
    scale = task.metric.scale
    differences = [
        (float(scores[first] - scores[second]), *task.moments.error(effects[first] - effects[second]))
        for first, second in task.pairs
    ]
    p_values = []
    for difference, error, freedom in differences:
        same = abs(difference) <= TIES * scale
        p_values.append(1.0 if same else students_t.two_sided_p(difference / error, freedom) if error else 0.0)
    if not task.has_intervals:
        return task.without_intervals(p_values)
    highest = math.inf if task.metric.lower_is_better else scale
    level = task.settings.confidence_level
    intervals_of_scores = [intervals.logit(*each, level, highest) for each in systems]
    intervals_of_differences = [
        students_t.interval(*each, level) if task.differing(pair).sum() >= FEWEST_UNITS else None
        for pair, each in enumerate(differences)
    ]
    return TestOutcome(p_values, intervals_of_scores, intervals_of_differences)


def sacrebleu_bs(task: ComparisonTask) -> TestOutcome:
    """Compute what ``sacrebleu --paired-bs`` of version 2.6 does, which centres the absolute difference.

    As there, all systems share the same resamples.
    """
    rows = _rows(task)
    generator = _generator_of_sacrebleu(task)
    resampled = _chosen_by_sacrebleu(task, rows, generator, task.samples)
    p_values = []
    for first, second in task.pairs:
        distances = np.abs(resampled[:, second] - resampled[:, first])
        p_values.append(_p_value_of_sacrebleu(task, distances - distances.mean(), first, second))
    return _outcome_of_sacrebleu(task, p_values, resampled)


def sacrebleu_ar(task: ComparisonTask) -> TestOutcome:
    """Compute what ``sacrebleu --paired-ar`` of version 2.6 does, after MultEval, without counting ties.

    As there, each comparison restarts the random stream.
    """
    rows = _rows(task)
    generator = _generator_of_sacrebleu(task)

    def bits(number: int) -> NDArray[np.uint8]:
        return np.packbits(generator.integers(2, size=(number, len(rows)), dtype=bool), axis=1)

    p_values = [math.nan] * len(task.pairs)
    for number, statistic in _randomized(task, rows, range(len(task.pairs)), bits):
        p_values[number] = _p_value_of_sacrebleu(task, np.abs(statistic), *task.pairs[number])
    if not task.interval_samples:
        return _outcome_of_sacrebleu(task, p_values, None)
    resampled = _chosen_by_sacrebleu(task, rows, generator, task.interval_samples)
    first = _chosen_by_sacrebleu(task, rows, _generator_of_sacrebleu(task), task.interval_samples)
    resampled[:, task.baseline] = first[:, task.baseline]
    return _outcome_of_sacrebleu(task, p_values, resampled)


FUNCTIONS = {
    "permutation": permutation,
    "hierarchical": hierarchical,
    "multeval": permutation,
    "bootstrap": bootstrap,
    "delta": delta,
    "sacrebleu-bs": sacrebleu_bs,
    "sacrebleu-ar": sacrebleu_ar,
}
"""What computes each test."""


def outcome(task: ComparisonTask) -> TestOutcome:
    """Return the outcome of the test that is set; of fewer units than it needs, without p-values and intervals."""
    test = task.settings.test or ""
    return FUNCTIONS[test](task) if task.moments.units >= TESTS[test].fewest else task.without_intervals()


# Randomization


def _randomized(
    task: ComparisonTask, rows: UnitStatistics, numbers: Sequence[int], bits: Callable[[int], NDArray[np.uint8]]
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield the index of each pair with the differences of its scores in all trials; all pairs share the same swaps."""
    if not numbers:
        return
    pairs = [(task.texts[first][0], task.texts[second][0]) for first, second in (task.pairs[n] for n in numbers)]
    are_differences = len(pairs) < len(task.texts)  # else the sums of all texts are fewer
    matrix, places = rows.matrix, rows.places
    if are_differences:
        matrix, places = distinct_columns([rows.differences(*pair) for pair in pairs])
    sums = resampling.sums_of_swapped(matrix, task.samples, bits, task.track)
    totals = rows.sums()
    for number, (first, second) in enumerate(pairs):
        moved = _columns(sums, places[number] if are_differences else places[first])
        if not are_differences:
            moved = moved - _columns(sums, places[second])
        yield numbers[number], _difference(task, totals[first], totals[second], moved)


def _columns(sums: NDArray[np.float64], places: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return some columns of sums, each contiguous, because they are scored fastest so."""
    columns: NDArray[np.float64] = sums.T[places].T
    return columns


def _difference(
    task: ComparisonTask, first: NDArray[np.float64], second: NDArray[np.float64], moved: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the differences of two scores if only the difference ``moved`` is kept and all other units are swapped."""
    return scores_of_sums(task.metric, second + moved) - scores_of_sums(task.metric, first - moved)


def _exact_p_value(task: ComparisonTask, differing: NDArray[np.floating], pair: int) -> float:
    """Return the exact p-value over all swaps of the differing units; by symmetry, half of them suffice."""
    if not len(differing):
        return 1.0
    first, second = (task.moments.sums[task.moments.places[task.texts[system][0]]] for system in task.pairs[pair])
    few, others = differing[1:UNITS_HELD], differing[UNITS_HELD:]
    within = resampling.sums_of_subsets(few)
    reached = sum(
        task.reached(_difference(task, first, second, within + moved), pair)
        for moved in resampling.sums_of_subsets(others)
    )
    return reached / (len(within) << len(others))


def _p_value_of_runs(task: ComparisonTask, rows: UnitStatistics, pair: int) -> float:
    """Return the p-value of two systems with several runs; in each unit, the rows of all runs are shuffled."""
    first, second = (task.texts[system] for system in task.pairs[pair])
    matrices = [rows.matrix[:, rows.places[text]] for text in (*first, *second)]
    sums = resampling.sums_of_shuffled(matrices, task.samples, RandomBits(task.settings.seed, STRATIFIED), task.track)
    scores = np.stack([scores_of_sums(task.metric, sums[:, place]) for place in range(len(matrices))], axis=1)
    statistic = scores[:, : len(first)].mean(axis=1) - scores[:, len(first) :].mean(axis=1)
    return (task.reached(statistic, pair) + 1) / (task.samples + 1)


# Bootstrap


def _drawn(task: ComparisonTask, rows: UnitStatistics) -> Callable[[int], NDArray[np.int64]]:
    """Return what draws the units of a number of resamples: of each stratum as many as it has."""
    seed = task.settings.seed
    if rows.strata is None:
        return partial(RandomBits(seed, BOOTSTRAP).indices, units=len(rows), below=len(rows))
    streams = [(members, RandomBits(seed, BOOTSTRAP, stratum)) for stratum, members in enumerate(rows.members)]

    def indices(number: int) -> NDArray[np.int64]:
        drawn = [members[bits.indices(number, len(members), len(members))] for members, bits in streams]
        return np.concatenate(drawn, axis=1, dtype=np.int64)

    return indices


def _resampled(
    task: ComparisonTask,
    rows: UnitStatistics,
    samples: int,
    indices: Callable[[int], NDArray[np.int64]],
    score: Callable[[AnyMetric, NDArray[np.float64]], NDArray[np.float64]] = scores_of_sums,
) -> NDArray[np.float64]:
    sums = resampling.sums_of_resamples(rows.matrix, samples, indices, task.track)
    of_texts = (_columns(sums, places) for places in rows.places)
    scores = [score(task.metric, columns) for columns in of_texts]
    return task.means(np.stack(scores, axis=1))


def _intervals(
    task: ComparisonTask, rows: UnitStatistics, resampled: NDArray[np.float64] | None
) -> tuple[Sequence[Interval | None], Sequence[Interval | None]]:
    """Return the intervals of the systems and of the differences of the pairs, given resampled scores."""
    if resampled is None or not task.has_intervals:
        return [None] * len(task.texts), [None] * len(task.pairs)
    terms, level = _linear_terms(task, rows), task.settings.confidence_level
    systems = [
        intervals.bca(values, float(score), term, _spread(rows, term, task.moments.sizes), level)
        for values, score, term in zip(resampled.T, task.scores, terms.T, strict=True)
    ]
    differences: list[Interval | None] = []
    for pair, (first, second) in enumerate(task.pairs):
        differing = task.differing(pair)
        if differing.sum() < FEWEST_UNITS:
            differences.append(None)
            continue
        spread = _spread(rows, terms[:, first] - terms[:, second], differing)
        values = resampled[:, first] - resampled[:, second]
        differences.append(intervals.percentiles(values, spread, level))
    return systems, differences


def _linear_terms(task: ComparisonTask, rows: UnitStatistics) -> NDArray[np.float64]:
    """Return the linear term of each unit in the score of each system, of shape (units, systems)."""
    terms = np.empty((len(rows), len(task.texts)))
    for members in rows.members:
        matrix = rows.matrix[members]
        terms[members] = (matrix - matrix.mean(axis=0, dtype=np.float64)) @ task.effects_of_systems.T
    return terms


def _spread(rows: UnitStatistics, terms: NDArray[np.float64], units: NDArray[np.integer]) -> Spread:
    """Return how much resamples vary, given the linear term of each unit, and how many of each stratum count."""
    return Spread.of(units, np.array([np.square(terms[members]).sum() for members in rows.members]))


# sacreBLEU


def _generator_of_sacrebleu(task: ComparisonTask) -> np.random.Generator:
    if not task.settings.seed and task.pairs:
        raise InputError("seed: sacreBLEU treats 0 as no seed, so its results cannot be reproduced")
    return np.random.default_rng(task.settings.seed)


def _chosen_by_sacrebleu(
    task: ComparisonTask, rows: UnitStatistics, generator: np.random.Generator, samples: int
) -> NDArray[np.float64]:
    def indices(number: int) -> NDArray[np.int64]:
        return generator.choice(len(rows), size=(number, len(rows)), replace=True)

    return _resampled(task, rows, samples, indices, _scores_in_single_precision)


def _scores_in_single_precision(metric: AnyMetric, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the score of each sum as sacreBLEU 2.6 computes it with NumPy 2, of statistics of 32 bits.

    Of BLEU that rounds the precisions, in percent; what follows is computed by Python's floats. The mean of sentence
    scores, which sacreBLEU does not know, is not rounded.
    """
    scorer: Any = metric.scorer()
    if not isinstance(scorer, Scorer):
        return required(np.array(list(map(scorer.value, sums.astype(np.float32))), np.float32))
    if isinstance(scorer, MeanScorer):
        return scores_of_sums(metric, sums)
    counts, reference_tokens = scorer.counts_of_sums(sums)
    precisions = scorer.columns_of_counts(counts, reference_tokens).precisions
    rounded = (100 * precisions).astype(np.float32).astype(np.float64) / 100
    return required(scorer.columns_of_counts(counts, reference_tokens, rounded).value)


def _p_value_of_sacrebleu(task: ComparisonTask, statistic: NDArray[np.float64], first: int, second: int) -> float:
    difference = float(abs(task.scores[first] - task.scores[second]))  # with which NumPy compares in single precision
    return (int(np.count_nonzero(statistic > difference)) + 1) / (len(statistic) + 1)


def _outcome_of_sacrebleu(
    task: ComparisonTask, p_values: list[float], resampled: NDArray[np.float64] | None
) -> TestOutcome:
    """Return the outcome, with intervals as ``estimate_ci`` computes them: without n // 40 resamples at either end."""
    outcome = task.without_intervals(p_values)
    if resampled is None:
        return outcome
    ordered = np.sort(resampled, axis=0)
    left_out = len(ordered) // 40
    ends = zip(ordered[left_out], ordered[len(ordered) - left_out - 1], strict=True)
    systems = [Interval(float(low), float(high), 0.95) for low, high in ends]
    means = [float(np.ascontiguousarray(column).mean()) for column in ordered.T]  # whose sums are pairwise
    return outcome._replace(systems=systems, means=means)


def _rows(task: ComparisonTask) -> UnitStatistics:
    if task.rows is None:
        raise InputError("test: moments can be compared only by 'delta', because the other tests resample segments")
    return task.rows
