"""The tests, by name: what each computes, where it comes from, and when to use it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bleukit.comparing import resampling
from bleukit.comparing.results import Interval
from bleukit.comparing.rows import Rows, distinct
from bleukit.comparing.scores import scores
from bleukit.comparing.words import BOOTSTRAP, RANDOMIZATION, STRATIFIED, Words
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from bleukit.comparing.moments import SecondMoments
    from bleukit.comparing.resampling import Track
    from bleukit.metric import Bleu

TIES = 1e-12
"""By how much of the scale scores may differ and be the same: rounding alone makes less than 1e-14 of it."""

ENUMERATED = 20
"""Up to how many units that differ all their swaps are tried."""

HELD = 14
"""Of how many of these all swaps are held at a time."""


@dataclass(frozen=True)
class Task:
    """Systems, and the pairs of them to compare.

    ``texts`` holds the numbers of each system's texts, several if it was run several times; ``pairs`` the numbers of
    the two systems of each pair. ``rows`` is None if there are only their moments.
    """

    bleu: Bleu
    rows: Rows | None
    moments: SecondMoments
    texts: Sequence[Sequence[int]]
    pairs: Sequence[tuple[int, int]]
    baseline: int
    samples: int
    interval_samples: int
    seed: int
    level: float
    track: Track

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The score of each text."""
        return scores(self.bleu, self.moments.sums[self.moments.places])

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The score of each system, the mean of its runs."""
        return self.means(self.values)

    @cached_property
    def effects(self) -> NDArray[np.float64]:
        """By how much one more in each column changes the score of each text: shape (texts, columns)."""
        return self.moments.effects(self.bleu)

    @cached_property
    def of_systems(self) -> NDArray[np.float64]:
        """The same of each system."""
        effects: NDArray[np.float64] = self.means(self.effects.T).T
        return effects

    def standard_error(self, effects: NDArray[np.float64]) -> float:
        """Return the standard error of a number on which each column has such an effect."""
        return self.moments.standard_error(effects)

    def means(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of the runs of each system: of shape (..., texts), shape (..., systems)."""
        means: NDArray[np.float64] = np.stack([values[..., list(texts)].mean(axis=-1) for texts in self.texts], axis=-1)
        return means

    def reached(self, statistic: NDArray[np.float64], pair: int) -> int:
        """Return how many values of a statistic are as far from 0 as the difference of a pair, or farther."""
        first, second = self.pairs[pair]
        difference = abs(self.scores[first] - self.scores[second])
        return int(np.count_nonzero(np.abs(statistic) >= difference - TIES * self.bleu.variant.scale))

    def nothing(self) -> Outcome:
        """Return the outcome if nothing can be found out."""
        none = [None] * len(self.pairs)
        return Outcome(none, [None] * len(self.texts), none, [False] * len(self.pairs))


class Outcome(NamedTuple):
    """What a test found: p-values of the pairs; intervals, None if it makes none, of the systems and of differences."""

    p_values: Sequence[float | None]
    systems: Sequence[Interval | None]
    differences: Sequence[Interval | None]
    exact: Sequence[bool]
    """Whether all swaps of a pair were tried."""
    means: Sequence[float] | None = None
    """The mean of the resampled scores of each system, if the test defines it."""


@dataclass(frozen=True)
class Test:
    """A test: what it computes, what for, and after whom; how many samples it takes by default."""

    run: Callable[[Task], Outcome]
    summary: str
    use: str
    source: str
    of_several: bool
    """Whether it needs two units or more."""
    samples: int | None = None
    interval_samples: int | None = None
    """How many resamples the intervals take by default; None if they are not resampled apart."""


def permutation(task: Task) -> Outcome:
    """Swap what both systems have for a unit, at random; count how often the difference is as large as it is."""
    rows = _rows(task)
    found: dict[int, tuple[float, bool]] = {}
    drawn = []
    for number in task.track(range(len(task.pairs)), len(task.pairs), "Pairs"):
        first, second = task.pairs[number]
        if len(task.texts[first]) > 1 or len(task.texts[second]) > 1:
            found[number] = _of_runs(task, rows, number), False
            continue
        differences = rows.differences(task.texts[first][0], task.texts[second][0])
        differing = differences.any(axis=1)
        if differing.sum() <= ENUMERATED:
            found[number] = _enumerated(task, differences[differing], number), True
        else:
            drawn.append(number)
    bits = partial(Words(task.seed, RANDOMIZATION).bits, units=len(rows))
    for number, statistic in _randomized(task, rows, drawn, bits):
        found[number] = (task.reached(statistic, number) + 1) / (task.samples + 1), False
    in_order = [found[number] for number in range(len(task.pairs))]
    resampled = _bootstrapped(task, rows, task.interval_samples)
    return Outcome([p for p, _ in in_order], *_percentiles(task, resampled), [exact for _, exact in in_order])


def bootstrap(task: Task) -> Outcome:
    """Draw units with replacement; count how often the difference is as far from its mean as it is from 0."""
    rows = _rows(task)
    resampled = _resampled(task, rows, task.samples, _drawn(task, rows))
    p_values = []
    for number, (first, second) in enumerate(task.pairs):
        differences = resampled[:, first] - resampled[:, second]
        p_values.append((task.reached(differences - differences.mean(), number) + 1) / (task.samples + 1))
    return Outcome(p_values, *_percentiles(task, resampled), [False] * len(p_values))


def delta(task: Task) -> Outcome:
    """Take each score for what it is to first order in the sums of the rows, and these for normally distributed."""
    quantile = NormalDist().inv_cdf((1 + task.level) / 2)

    def around(value: float, error: float) -> Interval:
        return Interval(value - quantile * error, value + quantile * error, task.level)

    p_values, differences = [], []
    for first, second in task.pairs:
        difference = float(task.scores[first] - task.scores[second])
        error = task.standard_error(task.of_systems[first] - task.of_systems[second])
        same = abs(difference) <= TIES * task.bleu.variant.scale
        p_values.append(1.0 if same else math.erfc(abs(difference) / error / math.sqrt(2)) if error else 0.0)
        differences.append(around(difference, error))
    of_systems = zip(task.scores.tolist(), map(task.standard_error, task.of_systems), strict=True)
    systems = [around(score, error) for score, error in of_systems]
    return Outcome(p_values, systems, differences, [False] * len(p_values))


def sacrebleu_bs(task: Task) -> Outcome:
    """Compute what ``sacrebleu --paired-bs`` computes; all systems share their resamples there, too."""
    rows = _rows(task)
    generator = _generator_of_sacrebleu(task)
    resampled = _chosen_by_sacrebleu(task, rows, generator, task.samples)
    p_values = []
    for first, second in task.pairs:
        distances = np.abs(resampled[:, second] - resampled[:, first])
        p_values.append(_p_value_of_sacrebleu(task, distances - distances.mean(), first, second))
    return _outcome_of_sacrebleu(task, p_values, resampled)


def sacrebleu_ar(task: Task) -> Outcome:
    """Compute what ``sacrebleu --paired-ar`` computes; each comparison there restarts the random stream."""
    rows = _rows(task)
    generator = _generator_of_sacrebleu(task)

    bits = BitsOfSacrebleu(generator, task.samples, len(rows))
    p_values = [math.nan] * len(task.pairs)
    for number, statistic in _randomized(task, rows, range(len(task.pairs)), bits):
        p_values[number] = _p_value_of_sacrebleu(task, np.abs(statistic), *task.pairs[number])
    if not task.interval_samples:
        return _outcome_of_sacrebleu(task, p_values, None)
    resampled = _chosen_by_sacrebleu(task, rows, generator, task.interval_samples)
    of_baseline = _chosen_by_sacrebleu(task, rows, _generator_of_sacrebleu(task), task.interval_samples)
    resampled[:, task.baseline] = of_baseline[:, task.baseline]
    return _outcome_of_sacrebleu(task, p_values, resampled)


TESTS = {
    "permutation": Test(
        permutation,
        "paired approximate randomization, two-sided; all swaps are tried if at most 20 units differ",
        "the default: right whatever the number of segments, their lengths and the variant",
        "Riezler and Maxwell 2005; (c + 1) / (n + 1) after Phipson and Smyth 2010; several runs: Clark et al. 2011",
        of_several=False,
        samples=10_000,
        interval_samples=1_000,
    ),
    "bootstrap": Test(
        bootstrap,
        "paired bootstrap, two-sided, of the difference less its mean over the resamples",
        "to have test and intervals from the same resamples; for some hundred segments or more",
        "Koehn 2004; centred as Riezler and Maxwell 2005",
        of_several=True,
        samples=1_000,
    ),
    "delta": Test(
        delta,
        "delta method: standard errors from second moments, normal distribution; no random numbers",
        "at once, for corpora of any size, and in parts; not if only few segments differ",
        "Miller 2024 for means; here of the sums that BLEU is made of",
        of_several=True,
    ),
    "sacrebleu-bs": Test(
        sacrebleu_bs,
        "what sacreBLEU 2.6 computes by --paired-bs: it centres the absolute difference",
        "only to reproduce figures: rejects 11 to 12 % of true null hypotheses at 5 %, and identical outputs",
        "sacreBLEU 2.6, after Koehn 2004",
        of_several=False,
        samples=1_000,
    ),
    "sacrebleu-ar": Test(
        sacrebleu_ar,
        "what sacreBLEU 2.6 computes by --paired-ar: it counts no ties",
        "only to reproduce figures: rejects identical outputs, and outputs that differ in one segment",
        "sacreBLEU 2.6, after MultEval (Clark et al. 2011)",
        of_several=False,
        samples=10_000,
        interval_samples=0,
    ),
}
"""All tests by name."""


# Randomization


def _randomized(
    task: Task, rows: Rows, numbers: Sequence[int], bits: Callable[[int], NDArray[np.uint8]]
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield the numbers of pairs, each with the difference of its scores in every trial, of the same swaps."""
    if not numbers:
        return
    pairs = [(task.texts[first][0], task.texts[second][0]) for first, second in (task.pairs[n] for n in numbers)]
    of_pairs = len(pairs) < len(task.texts)  # the sums of few differences, or those of all texts, to be subtracted
    matrix, places = distinct([rows.differences(*pair) for pair in pairs]) if of_pairs else (rows.matrix, rows.places)
    sums = resampling.swapped(matrix, task.samples, bits, task.track)
    totals = rows.sums()
    for number, (first, second) in enumerate(pairs):
        moved = _columns(sums, places[number] if of_pairs else places[first])
        if not of_pairs:
            moved = moved - _columns(sums, places[second])
        yield numbers[number], _difference(task, totals[first], totals[second], moved)


def _columns(sums: NDArray[np.float64], places: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return some columns of sums, each in one piece of memory, as they are scored fastest."""
    columns: NDArray[np.float64] = sums.T[places].T
    return columns


def _difference(
    task: Task, first: NDArray[np.float64], second: NDArray[np.float64], moved: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the difference of the scores of two texts if what differs in some units, ``moved``, stays as it is."""
    return scores(task.bleu, second + moved) - scores(task.bleu, first - moved)


def _enumerated(task: Task, differing: NDArray[np.floating], pair: int) -> float:
    """Return the p-value over all swaps of the units that differ; half of them, because the others give the same."""
    if not len(differing):
        return 1.0
    first, second = (task.moments.sums[task.moments.places[task.texts[system][0]]] for system in task.pairs[pair])
    few, others = differing[1:HELD], differing[HELD:]
    within = resampling.choices(few)
    reached = sum(
        task.reached(_difference(task, first, second, within + moved), pair) for moved in resampling.choices(others)
    )
    return reached / (len(within) << len(others))


def _of_runs(task: Task, rows: Rows, pair: int) -> float:
    """Return the p-value of two systems of several runs: each unit's rows are shuffled among all runs of both."""
    first, second = (task.texts[system] for system in task.pairs[pair])
    matrices = [rows.matrix[:, rows.places[text]] for text in (*first, *second)]
    sums = resampling.shuffled(matrices, task.samples, Words(task.seed, STRATIFIED), task.track)
    each = np.stack([scores(task.bleu, sums[:, place]) for place in range(len(matrices))], axis=1)
    statistic = each[:, : len(first)].mean(axis=1) - each[:, len(first) :].mean(axis=1)
    return (task.reached(statistic, pair) + 1) / (task.samples + 1)


# Bootstrap


def _bootstrapped(task: Task, rows: Rows, samples: int) -> NDArray[np.float64] | None:
    """Return the score of each system in each resample, of shape (samples, systems); None if there can be none."""
    return _resampled(task, rows, samples, _drawn(task, rows)) if samples and len(rows) > 1 else None


def _drawn(task: Task, rows: Rows) -> Callable[[int], NDArray[np.int64]]:
    return partial(Words(task.seed, BOOTSTRAP).indices, units=len(rows), below=len(rows))


def _resampled(
    task: Task,
    rows: Rows,
    samples: int,
    indices: Callable[[int], NDArray[np.int64]],
    *,
    single_precision: bool = False,
) -> NDArray[np.float64]:
    sums = resampling.bootstrapped(rows.matrix, samples, indices, task.track)
    of_texts = (_columns(sums, places) for places in rows.places)
    each = [scores(task.bleu, columns, single_precision=single_precision) for columns in of_texts]
    return task.means(np.stack(each, axis=1))


def _percentiles(
    task: Task, resampled: NDArray[np.float64] | None
) -> tuple[Sequence[Interval | None], Sequence[Interval | None]]:
    """Return the intervals of the systems and of the pairs' differences: percentiles of what was resampled."""
    if resampled is None:
        return [None] * len(task.texts), [None] * len(task.pairs)
    tail = (1 - task.level) / 2

    def interval(values: NDArray[np.float64]) -> Interval:
        # A share p of n + 1 values, for of n it is a little too narrow (Davison and Hinkley 1997, section 5.2.1).
        low, high = np.quantile(values, [tail, 1 - tail], method="weibull")
        return Interval(float(low), float(high), task.level)

    differences = [interval(resampled[:, first] - resampled[:, second]) for first, second in task.pairs]
    return list(map(interval, resampled.T)), differences


# sacreBLEU


class BitsOfSacrebleu:
    """The swaps that sacreBLEU draws at once; here 32 rows at a time, which leaves no drawn bit unused."""

    def __init__(self, generator: np.random.Generator, samples: int, units: int) -> None:
        self._generator = generator
        self._left = samples
        self._drawn = np.empty((0, units), np.uint8)

    def __call__(self, number: int) -> NDArray[np.uint8]:
        """Return those of the next samples, eight a byte: shape (number, bytes)."""
        missing = number - len(self._drawn)
        if missing > 0:
            size = min(self._left, -(-missing // 32) * 32)
            self._left -= size
            more = self._generator.integers(2, size=(size, self._drawn.shape[1]), dtype=bool)
            self._drawn = np.concatenate([self._drawn, more.view(np.uint8)])
        bits, self._drawn = self._drawn[:number], self._drawn[number:]
        return np.packbits(bits, axis=1)


def _generator_of_sacrebleu(task: Task) -> np.random.Generator:
    if not task.seed and task.pairs:
        raise InputError("sacreBLEU takes the seed 0 for none at all: its figures cannot be reproduced")
    return np.random.default_rng(task.seed)


def _chosen_by_sacrebleu(task: Task, rows: Rows, generator: np.random.Generator, samples: int) -> NDArray[np.float64]:
    def indices(number: int) -> NDArray[np.int64]:
        return generator.choice(len(rows), size=(number, len(rows)), replace=True)

    return _resampled(task, rows, samples, indices, single_precision=True)


def _p_value_of_sacrebleu(task: Task, statistic: NDArray[np.float64], first: int, second: int) -> float:
    difference = abs(task.scores[first] - task.scores[second])
    return (int(np.count_nonzero(statistic > difference)) + 1) / (len(statistic) + 1)


def _outcome_of_sacrebleu(task: Task, p_values: list[float], resampled: NDArray[np.float64] | None) -> Outcome:
    """Return the outcome with ``estimate_ci``: the interval leaves out n // 40 resamples at either end."""
    none: list[Interval | None] = [None] * len(p_values)
    if resampled is None:
        return Outcome(p_values, [None] * len(task.texts), none, [False] * len(p_values))
    ordered = np.sort(resampled, axis=0)
    left_out = len(ordered) // 40
    ends = zip(ordered[left_out], ordered[len(ordered) - left_out - 1], strict=True)
    systems = [Interval(float(low), float(high), 0.95) for low, high in ends]
    return Outcome(p_values, systems, none, [False] * len(p_values), [float(mean) for mean in ordered.mean(axis=0)])


def _rows(task: Task) -> Rows:
    if task.rows is None:
        raise InputError("moments are compared by the test 'delta' alone: the others draw single segments")
    return task.rows
