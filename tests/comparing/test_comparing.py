"""Comparing systems: against scipy, against plain enumeration, and what must hold for all input."""

import random
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

import bleukit
from bleukit.comparing import (
    hierarchical,
    influence,
    intervals,
    loops,
    power,
    ranking,
    resampling,
    significance,
    students_t,
    tables,
    unit_statistics,
    words,
)
from bleukit.comparing.influence import influences
from bleukit.comparing.unit_statistics import scores_of_sums

pytestmark = pytest.mark.oldest

WORDS = "the a cat dog sat on mat under it was quick brown fox jumps over lazy river".split()  # noqa: SIM905
BLEU = bleukit.load()


def generated(segments, noises, seed=1):
    """Return systems, each with so much noise, and their references."""
    chance = random.Random(seed)

    def changed(tokens, noise):
        return " ".join(chance.choice(WORDS) if chance.random() < noise else token for token in tokens)

    references = [[chance.choice(WORDS) for _ in range(chance.randint(4, 25))] for _ in range(segments)]
    systems = {f"noise{noise}": [changed(tokens, noise) for tokens in references] for noise in noises}
    return systems, [" ".join(tokens) for tokens in references]


def difference(first, second):
    return BLEU.score(first).value - BLEU.score(second).value


def statistics(systems, references):
    return {name: BLEU.statistics(texts, references) for name, texts in systems.items()}


# Histograms


@pytest.mark.parametrize("variant", ["sacrebleu", "nltk", "parlai-bleu-4"])
def test_a_histogram_is_that_of_the_differences_of_sentence_scores(variant):
    bleu = bleukit.load(variant)
    systems, references = generated(40, [0.2, 0.4])
    systems["noise0.4"][:5] = systems["noise0.2"][:5]
    found = bleukit.compare(bleu, systems, references, samples=1, interval_samples=0, histograms=True)
    [pair] = found.pairs
    differences = bleu.sentences(systems[pair.first], references) - bleu.sentences(systems[pair.second], references)
    scale = bleu.variant.scale
    edges = (np.arange(42) - 20.5) * scale / 20
    assert pair.histogram.width == scale / 20
    assert list(pair.histogram.counts) == np.histogram(differences, edges)[0].tolist()
    assert pair.histogram.first_better == (differences > 1e-9).sum()
    assert pair.histogram.second_better == (differences < -1e-9).sum()
    assert bleukit.compare(bleu, systems, references, samples=1, interval_samples=0).pairs[0].histogram is None


# Tests


@pytest.mark.oldest
def test_permutation_is_exact_if_few_segments_differ():
    systems, references = generated(9, [0.3, 0.5])
    first, second = statistics(systems, references).values()
    both = first + second

    def statistic(chosen, others):
        return abs(difference(both[chosen], both[others]))

    expected = stats.permutation_test(
        (np.arange(9), np.arange(9, 18)),
        statistic,
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=False,
        alternative="greater",
    )
    pair = bleukit.compare(BLEU, systems, references).pairs[0]
    assert pair.exact
    assert pair.p_value == expected.pvalue


@pytest.mark.parametrize(("changes", "tried"), [(1, True), (9, True), (10, False)])
def test_all_swaps_of_few_differing_segments_are_tried(monkeypatch, changes, tried):
    assert significance.ENUMERATED == 20  # which takes long
    monkeypatch.setattr(significance, "ENUMERATED", 9)
    monkeypatch.setattr(significance, "UNITS_HELD", 5)
    systems, references = generated(30, [0.3])
    (first,) = systems.values()
    second = [f"{line} cat" for line in first[:changes]] + first[changes:]
    found = bleukit.compare(BLEU, {"a": first, "b": second}, references, samples=99, interval_samples=0)
    assert found.pairs[0].exact == tried


@pytest.mark.oldest
@pytest.mark.parametrize("seed", [1, 2])
def test_permutation_bootstrap_and_delta_agree(seed):
    systems, references = generated(600, [0.3, 0.32], seed)
    found = {}
    for test in ("permutation", "bootstrap", "delta"):
        samples = {"permutation": {"interval_samples": 4_000}, "bootstrap": {"samples": 4_000}}.get(test, {})
        found[test] = bleukit.compare(BLEU, systems, references, test=test, **samples).pairs[0]
    within = 0.25 * found["delta"].standard_error
    for pair in found.values():
        assert pair.p_value == pytest.approx(found["delta"].p_value, abs=0.05)
        assert pair.interval.low == pytest.approx(found["delta"].interval.low, abs=within)
        assert pair.interval.high == pytest.approx(found["delta"].interval.high, abs=within)


@pytest.mark.oldest
def test_intervals_are_those_of_scipy():
    systems, references = generated(150, [0.3, 0.4])
    first, second = statistics(systems, references).values()

    def statistic(chosen, axis):
        values = [BLEU.score_columns(side.resampled(indices=np.atleast_2d(chosen))).value for side in (first, second)]
        return (values[0] - values[1]).reshape(chosen.shape[:-1])

    expected = stats.bootstrap((np.arange(150),), statistic, method="percentile", n_resamples=4_000, rng=1)
    pair = bleukit.compare(BLEU, systems, references, samples=1, interval_samples=20_000).pairs[0]
    assert pair.interval.low == pytest.approx(expected.confidence_interval.low, abs=0.15)
    assert pair.interval.high == pytest.approx(expected.confidence_interval.high, abs=0.15)
    assert pair.standard_error == pytest.approx(expected.standard_error, rel=0.05)


@pytest.mark.oldest
@pytest.mark.parametrize("variant", ["sacrebleu", "nltk", "matlab", "coco", "torchmetrics-smooth"])
def test_the_standard_error_is_that_of_the_jackknife(variant):
    bleu = bleukit.load(variant)
    systems, references = generated(300, [0.3, 0.35])
    first, second = (bleu.statistics(texts, references) for texts in systems.values())
    left_out = 1 - np.eye(300, dtype=int)
    values = bleu.score_columns(first.resampled(left_out)).value - bleu.score_columns(second.resampled(left_out)).value
    expected = np.sqrt(299 / 300 * np.square(values - np.mean(values)).sum())
    pair = bleukit.compare(bleu, systems, references, test="delta").pairs[0]
    assert pair.standard_error == pytest.approx(expected, rel=0.01)


def test_the_detectable_difference_has_its_power():
    systems, references = generated(300, [0.3, 0.35])
    pair = bleukit.compare(BLEU, systems, references, test="delta", detect=0.5).pairs[0]
    deviations = pair.detectable_difference / pair.standard_error
    assert stats.norm.sf(stats.norm.isf(0.025) - deviations) == pytest.approx(0.8, abs=1e-6)
    assert pair.segments_needed == np.ceil(300 * (pair.detectable_difference / 0.5) ** 2)


def test_power_is_that_which_is_asked_for_after_the_correction():
    systems, references = generated(300, [0.3, 0.35, 0.4])
    pair = bleukit.compare(BLEU, systems, references, test="delta", detect=0.5, power=0.9).pairs[0]
    deviations = pair.detectable_difference / pair.standard_error
    assert stats.norm.sf(stats.norm.isf(0.05 / 3 / 2) - deviations) == pytest.approx(0.9, abs=1e-6)
    assert pair.segments_needed == np.ceil(300 * (pair.detectable_difference / 0.5) ** 2)


def test_many_units_are_simulated_as_the_delta_method_says():
    systems, references = generated(300, [0.3, 0.35])
    rows = statistics(systems, references).values()
    first, second = (unit_statistics.statistics_matrix(each) for each in rows)
    simulated = power.simulated_units(partial(scores_of_sums, BLEU), (first, second), 4.0, 0.8, 0.05, 1)
    needed = bleukit.compare(BLEU, systems, references, test="delta", detect=4).pairs[0].segments_needed
    assert simulated == pytest.approx(needed, rel=0.2)


@pytest.mark.parametrize(("settings", "alpha"), [({}, 0.05), ({"power": 0.5, "pairs": 5}, 0.01)])
def test_scores_of_segments_say_how_many_are_needed(settings, alpha):
    chance = np.random.default_rng(1)
    first, second = chance.normal(30, 9, 4_000), chance.normal(30, 12, 4_000)
    needed = bleukit.segments_needed(first, second, 2.0, **settings)
    drawn = chance.choice(first - second - np.mean(first - second), (4_000, needed)) + 2.0
    found = stats.ttest_1samp(drawn, 0, axis=1).pvalue < alpha
    assert found.mean() == pytest.approx(settings.get("power", 0.8), abs=0.03)


def test_scores_of_which_few_differ_are_simulated():
    first = np.array([30.0, 40.0, 50.0, 60.0, 20.0] * 6)
    second = first + np.array([1.0, -2.0, 4.0, -3.0] + [0.0] * 26)
    by_errors = (second - first).var(ddof=1) * ((stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) / 0.5) ** 2
    assert bleukit.segments_needed(first, second, 0.5) == pytest.approx(by_errors, rel=0.25)


@pytest.mark.parametrize(
    ("first", "second", "settings", "message"),
    [
        ([1.0, 2.0], [1.0], {}, "first has 2 scores, second has 1: each segment needs one of both"),
        ([1.0, np.nan], [1.0, 2.0], {}, "first: expected one finite score for each segment"),
        ("ab", [1.0], {}, "first: expected scores of segments, got str 'ab'"),
        ([1.0, 2.0], [1.0, 3.0], {}, "scores of two or more segments must differ"),
        ([1.0, 2.0], [2.0, 3.0], {"power": 1}, "power: expected a number between 0 and 1, got int 1"),
        ([1.0, 2.0], [2.0, 3.0], {"pairs": 0}, "pairs: expected "),
    ],
)
def test_scores_that_say_nothing_are_refused(first, second, settings, message):
    with pytest.raises(bleukit.InputError) as raised:
        bleukit.segments_needed(first, second, 1.0, **settings)
    assert str(raised.value).startswith(message)


def test_a_simulation_says_how_many_segments_are_needed_if_few_differ():
    systems, references = generated(9, [0.3, 0.5])
    small, large = (bleukit.compare(BLEU, systems, references, detect=detect) for detect in (2, 20))
    assert small.pairs[0].detectable_difference is None
    assert small.pairs[0].segments_needed > 10 * large.pairs[0].segments_needed > 0
    assert words.planning(large)[-1] == (
        f"{large.pairs[0].segments_needed} segments like these are needed to find a difference of 20 significant in "
        "80 % of cases (p < 0.05)"
    )


# Several runs


@pytest.mark.oldest
def test_runs_are_shuffled_among_both_systems():
    systems, references = generated(3, [0.3, 0.5, 0.4])
    first, second, third = statistics(systems, references).values()
    texts = [first, second, third]  # two runs of one system, one of the other

    def mean_difference(orders):
        placed = [
            bleukit.Statistics.concatenate([texts[order[place]][segment] for segment, order in enumerate(orders)])
            for place in range(3)
        ]
        scores = [BLEU.score(text).value for text in placed]
        return (scores[0] + scores[1]) / 2 - scores[2]

    observed = abs(mean_difference([(0, 1, 2)] * 3))
    reached = [abs(mean_difference(orders)) >= observed - 1e-9 for orders in product(permutations(range(3)), repeat=3)]
    given_ = {"twice": bleukit.Runs(first, second), "once": third}
    pair = bleukit.compare(BLEU, given_, test="multeval", samples=20_000).pairs[0]
    assert pair.p_value == pytest.approx(np.mean(reached), abs=0.015)


def test_without_units_the_hierarchical_test_is_the_t_test_of_runs():
    runs = [np.array([30.1, 30.9, 31.4]), np.array([31.0, 32.2, 32.0, 31.7])]
    found = hierarchical.estimate(runs, np.zeros((7, 7)), 1_000)
    assert found.p_value == pytest.approx(stats.ttest_ind(*runs).pvalue)
    alone = hierarchical.estimate(runs[:1], np.zeros((3, 3)), 999).interval_of_score(0.9)
    assert (alone.low, alone.high) == pytest.approx(stats.ttest_1samp(runs[0], 0).confidence_interval(0.9))


def test_the_interval_of_a_score_averages_the_quantiles_by_runs_and_by_units():
    by_runs, by_units = hierarchical.Variance(0.2, 2), hierarchical.Variance(0.6, 29)
    found = hierarchical.Estimate(30.0, by_runs, by_units).interval_of_score(0.95)
    quantile = (0.2 * stats.t.ppf(0.975, 2) + 0.6 * stats.t.ppf(0.975, 29)) / 0.8  # Cochran and Cox 1957
    assert (found.low, found.high) == pytest.approx((30 - 0.8**0.5 * quantile, 30 + 0.8**0.5 * quantile))


@pytest.mark.parametrize(("shared", "expected"), [(0.1, 0.1), (-0.03, -0.03), (-5, -0.0625)])
def test_the_variance_by_units_of_a_difference_may_be_a_little_negative(shared, expected):
    runs = [np.array([30.0, 31.0]), np.array([30.5, 31.5])]  # of which the variance of the difference is 0.5
    covariance = np.full((4, 4), 1.0) + shared / 2 * np.kron(np.eye(2), np.ones((2, 2)))
    found = hierarchical.estimate(runs, covariance, 29)
    assert found.by_units.value == pytest.approx(expected)
    assert found.error == pytest.approx((0.5 + expected) ** 0.5)
    with_runs_alone = found._replace(by_units=hierarchical.Variance(0, 29))
    assert (found.freedom == pytest.approx(with_runs_alone.freedom)) == (expected <= 0)


def test_the_score_of_two_runs_has_no_interval():
    systems, references = generated(30, [0.2, 0.25, 0.3, 0.35, 0.4])
    one, two, three, four, five = systems.values()
    runs = {"two": bleukit.Runs(one, two), "three": bleukit.Runs(three, four, five)}
    found = bleukit.compare(BLEU, runs, references)
    assert {each.system: each.interval is None for each in found.systems} == {"two": True, "three": False}
    assert found.pairs[0].interval is not None
    assert any(note.startswith("no interval of the score of two runs") for note in found.notes)


def test_of_equal_runs_the_hierarchical_test_is_that_of_units():
    systems, references = generated(60, [0.3, 0.35])
    first, second = statistics(systems, references).values()
    given_ = {"first": bleukit.Runs(first, first), "second": bleukit.Runs(second, second, second)}
    found = bleukit.compare(BLEU, given_).pairs[0]
    by_units = bleukit.compare(BLEU, {"first": first, "second": second}, test="delta").pairs[0]
    assert found.p_value == pytest.approx(by_units.p_value)
    assert (found.interval.low, found.standard_error) == pytest.approx((by_units.interval.low, by_units.standard_error))


@pytest.mark.parametrize("numbers", [(2, 2), (3, 1), (10, 10)])
def test_the_hierarchical_test_rejects_as_many_true_null_hypotheses_as_it_says(numbers):
    chance, units, rejected = np.random.default_rng(1), 50, 0
    for _ in range(1_000):
        segments = chance.normal(0, 4, (2, units)) + chance.normal(0, 4, units)  # of each system, and of both
        owners = np.repeat([0, 1], numbers)
        rows = segments[owners] + chance.normal(0, 1, (len(owners), 1)) + chance.normal(0, 6, (len(owners), units))
        scores = np.split(rows.mean(axis=1), [numbers[0]])
        rejected += hierarchical.estimate(scores, np.cov(rows) / units, units).p_value < 0.05
    assert 0.03 <= rejected / 1_000 <= 0.07


def test_several_runs_are_compared_as_evidence_about_new_runs():
    systems, references = generated(100, [0.3, 0.35, 0.4, 0.32])
    *runs, other = statistics(systems, references).values()
    several = bleukit.compare(BLEU, {"runs": bleukit.Runs(*runs), "other": other})
    assert several.test == "hierarchical"
    assert several.verdict.startswith("other and runs cannot be told apart on 100 segments with 1 to 3 runs each (p = ")
    assert several.verdict.endswith("Differences between runs are taken into account.")
    assert several.notes == ("other: a single run, taken to vary as the runs do that it is compared with",)
    assert several.pairs[0].detectable_difference is None
    these = bleukit.compare(BLEU, {"runs": bleukit.Runs(*runs), "other": other}, test="multeval", samples=100)
    assert these.verdict.endswith("This holds for these very runs: others might differ.")
    assert bleukit.compare(BLEU, {"run": runs[0], "other": other}, samples=100).test == "permutation"


def test_of_single_runs_alone_nothing_is_said_to_be_taken_for_granted():
    systems, references = generated(20, [0.3, 0.5])
    found = bleukit.compare(BLEU, systems, references, test="hierarchical", samples=99, interval_samples=99)
    assert not any("run" in note for note in found.notes)
    assert found.pairs[0].exact


def test_two_single_runs_beside_several_are_compared_as_they_are():
    systems, references = generated(60, [0.3, 0.35, 0.4, 0.32])
    one, two, *runs = statistics(systems, references).values()
    beside = bleukit.compare(BLEU, {"one": one, "two": two, "runs": bleukit.Runs(*runs)})
    alone = bleukit.compare(BLEU, {"one": one, "two": two})
    found = next(pair for pair in beside.pairs if {pair.first, pair.second} == {"one", "two"})
    assert (found.p_value, found.interval) == (alone.pairs[0].p_value, alone.pairs[0].interval)
    assert [each.interval for each in beside.systems if each.system != "runs"] == [
        each.interval for each in alone.systems
    ]


def test_deviations_among_runs_and_by_segments_are_reported_apart():
    systems, references = generated(200, [0.3, 0.35, 0.4, 0.5])
    *runs, other = statistics(systems, references).values()
    found = bleukit.compare(BLEU, {"runs": bleukit.Runs(*runs), "other": other}).systems[0]
    alone = [bleukit.compare(BLEU, {"run": run, "other": other}, test="delta").systems[0] for run in runs]
    scores = [BLEU.score(run).value for run in runs]
    assert found.runs == tuple(scores)
    assert found.score == pytest.approx(np.mean(scores))
    assert found.run_deviation == pytest.approx(np.std(scores, ddof=1))
    assert found.segment_deviation == pytest.approx(np.mean([run.segment_deviation for run in alone]))


# Many comparisons

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=6)


@given(P_VALUES)
@settings(max_examples=40)
def test_holm_is_the_closed_test_of_bonferroni(p_values):
    numbers = range(len(p_values))
    subsets = [chosen for size in range(1, len(p_values) + 1) for chosen in combinations(numbers, size)]
    expected = [
        max(min(1, len(chosen) * min(p_values[each] for each in chosen)) for chosen in subsets if number in chosen)
        for number in numbers
    ]
    assert ranking.holm(p_values) == pytest.approx(expected)


@given(P_VALUES)
def test_benjamini_hochberg_is_that_of_scipy(p_values):
    assert ranking.benjamini_hochberg(p_values) == pytest.approx(stats.false_discovery_control(p_values))


def test_ranks_and_clusters():
    significant = {(0, 1): False, (0, 2): True, (0, 3): True, (1, 2): False, (1, 3): True, (2, 3): True}
    places = ranking.ranked([30, 29, 28, 20], significant)
    assert [(each["best_rank"], each["worst_rank"]) for each in places] == [(1, 2), (1, 3), (2, 3), (4, 4)]
    assert [each["cluster"] for each in places] == [1, 1, 1, 2]
    assert [each["rank"] for each in ranking.ranked([30, 30, 28], {})] == [1, 1, 3]


def test_pairs_that_were_not_tested_are_no_ties():
    systems, references = generated(60, [0.1, 0.3, 0.9])
    everything = bleukit.compare(BLEU, systems, references, samples=200)
    assert [system.cluster for system in everything.systems] == [1, 2, 3]
    found = bleukit.compare(BLEU, systems, references, samples=200, baseline="noise0.3")
    assert [system.rank for system in found.systems] == [1, 2, 3]
    assert {(each.best_rank, each.worst_rank, each.cluster) for each in found.systems} == {(None, None, None)}
    assert "cluster" not in str([table.heads for table in tables.tables(found)])
    two = {name: systems[name] for name in ("noise0.3", "noise0.9")}
    assert [each.cluster for each in bleukit.compare(BLEU, two, references, baseline="noise0.3").systems] == [1, 2]


def test_a_p_value_equal_to_alpha_is_not_significant():
    for level in [number / 1000 for number in range(1, 1000)]:
        alpha = Fraction(1) - Fraction(str(level))
        assert not any(ranking.is_significant(float(alpha / number) * number, level) for number in range(1, 50))
        assert ranking.is_significant(float(alpha) * 0.99999, level)


@pytest.mark.parametrize("segments", [2, 5, 6, 9])
def test_no_difference_is_called_detectable_if_few_segments_differ(segments):
    systems, references = generated(segments, [0.3, 0.5])
    assert systems["noise0.3"] != systems["noise0.5"]
    same = references + ["the quick brown fox"] * 30
    for lines in ([], ["the quick brown fox"] * 30):  # few segments, and many of which few differ
        texts = {name: own + lines for name, own in systems.items()}
        found = bleukit.compare(BLEU, texts, same[: segments + len(lines)], samples=99, interval_samples=99)
        assert found.pairs[0].detectable_difference is None
        assert not any("like this one detects" in line for line in words.planning(found))


@pytest.mark.parametrize("test", ["permutation", "bootstrap", "delta"])
@pytest.mark.parametrize(("segments", "withheld"), [(2, True), (9, True), (10, False)])
def test_intervals_of_few_units_are_withheld(segments, withheld, test):
    systems, references = generated(segments, [0.3, 0.9])
    found = bleukit.compare(BLEU, systems, references, test=test)
    assert [each.interval is None for each in found.systems + found.pairs] == [withheld] * 3
    assert any(note.startswith(f"no intervals: {segments} segments are too few") for note in found.notes) == withheld


@pytest.mark.parametrize("test", ["permutation", "bootstrap", "delta"])
def test_the_interval_of_a_difference_is_withheld_if_few_units_differ(test):
    systems, references = generated(40, [0.9])
    (texts,) = systems.values()
    for changed in (9, 10):
        other = {"a": texts, "b": references[:changed] + texts[changed:]}
        found = bleukit.compare(BLEU, other, references, test=test)
        assert [each.interval is None for each in found.systems + found.pairs] == [False, False, changed == 9]
        assert ("no interval of a difference if fewer than 10 segments differ" in found.notes) == (changed == 9)


@given(st.floats(1, 12_000), st.floats(0, 100), st.floats(0.5, 0.999))
def test_students_t_is_that_of_scipy(freedom, t, level):
    assert students_t.two_sided_p(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), abs=3e-5)
    assert students_t.quantile(level, freedom) == pytest.approx(stats.t.ppf((1 + level) / 2, freedom), rel=1e-3)


@given(st.floats(0.01, 99.99), st.floats(0, 1e6, allow_subnormal=False), st.floats(9, 100), st.floats(0.5, 0.999))
def test_the_interval_of_a_logit_is_that_of_scipy(score, error, freedom, level):
    found = intervals.logit(score, error, freedom, level, 100)
    share = score / 100
    deviation = error / 100 / (share * (1 - share))
    ends = special.expit(stats.t.interval(level, freedom, special.logit(share), deviation)) if error else share
    assert [found.low, found.high] == pytest.approx(100 * ends * np.ones(2), rel=1e-3, abs=1e-12)
    assert 0 <= found.low <= score * (1 + 1e-12)
    assert score * (1 - 1e-12) <= found.high <= 100


def test_the_delta_method_gives_no_interval_beyond_the_scale():
    systems, references = generated(12, [0.02, 0.9])
    good, bad = bleukit.compare(BLEU, systems, references, test="delta").systems
    assert 0 < bad.interval.low < bad.score < bad.interval.high
    assert good.interval.low < good.score < good.interval.high < 100
    assert good.score - good.interval.low > good.interval.high - good.score


def test_intervals_of_many_units_are_the_percentiles():
    def spread(units):
        return intervals.Spread.of(np.array([units]), np.ones(1))

    assert intervals.expanded(0.95, spread(20_000)) == pytest.approx(stats.norm.ppf(0.975), rel=1e-4)
    assert intervals.expanded_p_value(0.0321, spread(20_000)) == pytest.approx(0.0321, rel=1e-3)
    few = intervals.expanded(0.95, spread(12))
    assert few == pytest.approx(stats.t.ppf(0.975, 11) * np.sqrt(12 / 11))
    assert intervals.expanded_p_value(2 * stats.norm.sf(few), spread(12)) == pytest.approx(0.05)


def test_resamples_that_rounding_alone_tells_from_the_score_are_ties():
    values, spread = np.append(np.linspace(30, 50, 201), np.full(50, 40.0)), intervals.Spread(1.0, 100.0)
    exact, rounded = (
        intervals.bca(scores, 40.0, np.array([-1.0, 0.5, 0.5]), spread, 0.95)
        for scores in (values, values * (1 - 1e-15))
    )
    assert (rounded.low, rounded.high) == pytest.approx((exact.low, exact.high), rel=1e-13)


def test_the_interval_of_a_score_is_that_of_scipy_by_bca():
    systems, references = generated(150, [0.6])
    ((name, rows),) = statistics(systems, references).items()

    def score(chosen, axis):
        return BLEU.score_columns(rows.resampled(indices=np.atleast_2d(chosen))).value.reshape(chosen.shape[:-1])

    expected = stats.bootstrap((np.arange(150),), score, method="BCa", n_resamples=4_000, rng=1).confidence_interval
    found = bleukit.compare(BLEU, {name: rows}, interval_samples=20_000).systems[0].interval
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.2)


@pytest.mark.parametrize(
    ("systems", "correction", "samples", "expected"),
    [
        (2, "holm", 18, "with 18 samples, no p-value can be below 0.053; more samples are needed"),
        (2, "holm", 19, "with 19 samples, no p-value can be below 0.05; more samples are needed"),
        (2, "none", 20, None),
        (3, "holm", 59, "with 59 samples, no adjusted p-value of 3 pairs can be below 0.05; more samples are needed"),
        (3, "holm", 60, None),
        (3, "bh", 59, None),
        (3, "none", 59, None),
        (3, "bh", 19, "with 19 samples, no adjusted p-value of 3 pairs can be below 0.05; more samples are needed"),
        (3, "none", 19, "with 19 samples, no p-value of 3 pairs can be below 0.05; more samples are needed"),
    ],
)
def test_too_few_samples_for_the_level_and_the_correction_are_noted(systems, correction, samples, expected):
    texts, references = generated(60, [0.1, 0.5, 0.9][:systems])
    found = bleukit.compare(BLEU, texts, references, samples=samples, interval_samples=0, correction=correction)
    assert [*found.notes] == [expected] * (expected is not None)
    significant = [ranking.is_significant(pair.adjusted_p_value, 0.95) for pair in found.pairs]
    assert any(significant) == (expected is None)


def test_exact_p_values_need_no_samples():
    systems, references = generated(12, [0.3, 0.5])
    assert bleukit.compare(BLEU, systems, references, samples=2).notes == ()


# Documents and groups


@pytest.mark.oldest
@pytest.mark.parametrize(
    ("documents", "settings", "unit", "note"),
    [
        (12, {}, "document", "whole documents are resampled, because the segments of a document are not independent"),
        (12, {"resample_by": "document"}, "document", "whole documents are resampled, as asked: 12 documents are kno"),
        (12, {"resample_by": "segment"}, "segment", "segments are resampled, although 12 documents are known: if the "),
        (1, {}, "segment", "segments are resampled: 1 document is known, and the result holds for it alone"),
        (12, {"test": "sacrebleu-bs"}, "segment", "segments are resampled, although 12 documents are known: if the "),
    ],
)
def test_documents_that_are_known_are_resampled(documents, settings, unit, note):
    systems, references = generated(60, [0.3, 0.5])
    labels = [segment % documents for segment in range(60)]
    found = bleukit.compare(BLEU, systems, references, documents=labels, **settings)
    assert found.resample_by == unit
    assert found.notes[0].startswith(note)


def test_resampling_documents_is_resampling_their_sums():
    systems, references = generated(60, [0.3, 0.5])
    documents = [segment % 12 for segment in range(60)]
    whole = bleukit.compare(BLEU, systems, references, documents=documents, resample_by="document")
    sums = {name: each.by_document(documents) for name, each in statistics(systems, references).items()}
    of_sums = bleukit.compare(BLEU, sums)
    assert whole.systems == of_sums.systems
    assert whole.pairs == of_sums.pairs
    assert (whole.units, whole.segments) == (12, 60)


@pytest.mark.parametrize("groups", [1, 4, 30])
def test_influences_add_up_to_the_difference(groups):
    systems, references = generated(60, [0.3, 0.5])
    labels = [f"label {segment % groups}" for segment in range(60)]
    found = bleukit.compare(BLEU, systems, references, by=labels, samples=10, interval_samples=39)
    assert [group.segments for group in found.groups] == [60 // groups] * groups
    shares = [group.pairs[0].influence for group in found.groups]
    assert sum(shares) == pytest.approx(found.pairs[0].difference, abs=1e-9)


def test_an_influence_is_a_shapley_value():
    systems, references = generated(12, [0.3, 0.5])
    sides = [each.by_document([0, 1, 2, 3] * 3) for each in statistics(systems, references).values()]
    expected = np.zeros(4)
    for order in permutations(range(4)):
        mixed = list(sides[1])
        for part in order:
            before = BLEU.score(bleukit.Statistics.concatenate(mixed)).value
            mixed[part] = sides[0][part]
            expected[part] += (BLEU.score(bleukit.Statistics.concatenate(mixed)).value - before) / factorial(4)
    first, second = ([unit_statistics.statistics_matrix(side).astype(float)] for side in sides)
    assert influences(BLEU, first, second) == pytest.approx(expected)


@pytest.mark.parametrize("parts", [2, 5, 6, 11])
def test_influences_on_the_opposite_difference_are_the_opposite(parts):
    """Also of some orders, because each is taken backwards, too."""
    systems, references = generated(22, [0.3, 0.5])
    documents = [number % parts for number in range(22)]
    sides = [each.by_document(documents) for each in statistics(systems, references).values()]
    first, second = ([unit_statistics.statistics_matrix(side).astype(float)] for side in sides)
    assert influences(BLEU, first, second) == pytest.approx(-influences(BLEU, second, first), abs=1e-11)


def test_some_orders_of_more_parts_are_enough(monkeypatch):
    systems, references = generated(24, [0.3, 0.5])
    sides = [each.by_document([*range(6)] * 4) for each in statistics(systems, references).values()]
    first, second = ([unit_statistics.statistics_matrix(side).astype(float)] for side in sides)
    some = influences(BLEU, first, second)
    monkeypatch.setattr(influence, "FEW", 6)
    assert some == pytest.approx(influences(BLEU, first, second), abs=0.02 * abs(some).max())


def test_lengths_are_those_of_the_references():
    references = ["word " * length for length in (3, 10, 11, 100)]
    found = bleukit.compare(BLEU, {"a": references, "b": ["word"] * 4}, references, by="length")
    assert [group.group for group in found.groups] == ["0-10", "11-20", "over 80"]
    assert [group.segments for group in found.groups] == [2, 1, 1]


# The same figures everywhere


def test_random_numbers_are_made_of_raw_words():
    raw = np.random.PCG64(np.random.SeedSequence(7, spawn_key=(resampling.RANDOMIZATION,))).random_raw(6).tolist()
    expected = b"".join(word.to_bytes(8, "little") for word in raw[:4])
    assert resampling.RandomBits(7, resampling.RANDOMIZATION).bits(2, 100).tobytes() == expected
    halves = [half for word in raw[:4] for half in (word & 0xFFFFFFFF, word >> 32)]
    expected = [[half * 30 >> 32 for half in sample] for sample in (halves[:3], halves[4:7])]
    assert resampling.RandomBits(7, resampling.RANDOMIZATION).indices(2, 3, 30).tolist() == expected


@given(st.data())
def test_sums_of_chosen_rows(data):
    number, columns, samples = (data.draw(st.integers(1, most)) for most in (600, 20, 5))
    chance = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    matrix = chance.integers(-(2**20), 2**20, (number, columns)).astype(np.int32)
    chosen = chance.integers(0, 256, (samples, -(-number // 8)), dtype=np.uint8)
    sums = np.ones((columns, samples), np.int64)
    loops.sums_of_chosen(chosen, matrix, sums)
    bits = [f"{int.from_bytes(sample.tobytes(), 'big'):0{8 * len(sample)}b}"[:number] for sample in chosen]
    plain = matrix.tolist()
    expected = [
        [1 + sum(row[column] for row, bit in zip(plain, sample, strict=True) if bit == "1") for sample in bits]
        for column in range(columns)
    ]
    assert sums.tolist() == expected


@pytest.mark.oldest
def test_blocks_do_not_show_in_the_figures(monkeypatch):
    systems, references = generated(100, [0.3, 0.5])
    tests = ["permutation", "bootstrap", "sacrebleu-bs", "sacrebleu-ar"]
    whole = [bleukit.compare(BLEU, systems, references, test=test, samples=100) for test in tests]
    for name in ("WEIGHTS", "DRAWN", "BITS", "FEWEST_SAMPLES"):
        monkeypatch.setattr(resampling, name, 7)
    monkeypatch.setattr(unit_statistics, "BLOCK", 30)
    assert [bleukit.compare(BLEU, systems, references, test=test, samples=100) for test in tests] == whole


def test_a_pair_is_compared_alike_whatever_else_is_compared():
    systems, references = generated(100, [0.3, 0.5, 0.4, 0.45])
    of_all = bleukit.compare(BLEU, systems, references, samples=500).pairs
    for pair in of_all:
        names = {name: systems[name] for name in (pair.second, pair.first)}
        alone = bleukit.compare(BLEU, names, references, samples=500).pairs[0]
        assert (alone.p_value, alone.interval, alone.standard_error) == (
            pair.p_value,
            pair.interval,
            pytest.approx(pair.standard_error),
        )


@given(
    st.integers(1, 5),
    st.lists(st.lists(st.integers(-(2**30), 2**30), min_size=3, max_size=3), min_size=1, max_size=40),
)
def test_products_of_whole_numbers_are_exact(largest, matrix):
    weights = [[(row * sample) % (largest + 1) for row in range(len(matrix))] for sample in range(4)]
    expected = [[sum(w * row[c] for w, row in zip(each, matrix, strict=True)) for c in range(3)] for each in weights]
    for kind in (np.float32, np.float64):
        small = [[value if kind is np.float64 else value % 2**20 for value in row] for row in matrix]
        expected = [[sum(w * row[c] for w, row in zip(each, small, strict=True)) for c in range(3)] for each in weights]
        assert unit_statistics.exact_product(np.array(weights, np.float32), np.array(small, kind)).tolist() == expected


def test_moments_of_parts_add_up():
    systems, references = generated(90, [0.3, 0.5, 0.4])
    *runs, other = statistics(systems, references).values()
    whole = bleukit.compare(BLEU, {"runs": bleukit.Runs(*runs), "other": other}, test="delta")
    parts = [
        bleukit.Moments.of({"runs": bleukit.Runs(*(run[part] for run in runs)), "other": other[part]})
        for part in (slice(0, 30), slice(30, 31), slice(31, None))
    ]
    together = bleukit.compare(BLEU, parts[0] + (parts[1] + parts[2]), test="delta")
    for ours, theirs in zip(whole.systems + whole.pairs, together.systems + together.pairs, strict=True):
        assert (ours.interval.low, ours.interval.high) == pytest.approx((theirs.interval.low, theirs.interval.high))
    assert whole.pairs[0].p_value == pytest.approx(together.pairs[0].p_value)
    assert [each.score for each in whole.systems] == [each.score for each in together.systems]


def test_moments_know_in_how_many_segments_systems_differ():
    systems, references = generated(40, [0.9])
    (texts,) = systems.values()
    for changed in (9, 10):
        both = statistics({"a": texts, "b": references[:changed] + texts[changed:]}, references)
        parts = [
            bleukit.Moments.of({name: rows[part] for name, rows in both.items()}) for part in (slice(5), slice(5, 40))
        ]
        pair = bleukit.compare(BLEU, parts[0] + parts[1], test="delta").pairs[0]
        assert (pair.differing_units, pair.interval is None) == (changed, changed == 9)


def test_average_reference_lengths_are_summed_as_by_score():
    bleu = bleukit.load(reference_length="average", smoothing="floor")
    systems, references = generated(50, [0.3, 0.5])
    several = [[reference, reference[:-5], "a b"] for reference in references]
    found = bleukit.compare(bleu, systems, several)
    assert {each.system: each.score for each in found.systems} == {
        name: bleu.corpus(texts, several).value for name, texts in systems.items()
    }


# What is degenerate

DIFFERENT = ["a quick brown fox jumps over the dog", "it was lazy and sat on the mat", "the cat was under a mat"]
SAME = ["a quick brown fox jumps over the dog", "it was lazy and sat on a mat", "the cat was under a mat"]


@pytest.mark.parametrize("test", ["permutation", "bootstrap", "delta"])
def test_identical_outputs_are_never_different(test):
    systems, references = generated(100, [0.4])
    (texts,) = systems.values()
    found = bleukit.compare(BLEU, {"a": texts, "b": list(texts)}, references, test=test)
    assert (found.pairs[0].difference, found.pairs[0].p_value) == (0, 1)
    assert [(each.best_rank, each.worst_rank, each.cluster) for each in found.systems] == [(1, 2, 1)] * 2


@given(st.permutations(range(30)))
@settings(max_examples=20)
def test_the_same_rows_in_another_order_are_never_different(order):
    systems, references = generated(30, [0.4])
    (rows_,) = statistics(systems, references).values()
    tokens = bleukit.Statistics(
        rows_.max_order,
        {name: getattr(rows_, name).ravel() for name in rows_.COLUMNS if name != "reference_tokens"}
        | {"reference_tokens": [9] * 30},
    )
    other = {"a": tokens, "b": tokens[list(order)]}
    for test, samples in (
        ("permutation", {"samples": 100, "interval_samples": 0}),
        ("bootstrap", {"samples": 100}),
        ("delta", {}),
    ):
        found = bleukit.compare(BLEU, other, test=test, **samples)
        assert found.pairs[0].p_value == 1


def test_one_differing_segment_shows_nothing():
    systems, references = generated(200, [0.4])
    (texts,) = systems.values()
    pair = bleukit.compare(BLEU, {"a": texts, "b": ["", *texts[1:]]}, references).pairs[0]
    assert (pair.p_value, pair.exact) == (1, True)


def test_the_bootstrap_of_one_differing_segment_shows_nothing():
    _, references = generated(200, [0.4])
    systems = {"a": references, "b": ["", *references[1:]]}
    assert bleukit.compare(BLEU, systems, references, test="bootstrap").pairs[0].p_value == 1


def test_pairs_of_which_few_segments_differ_are_named_and_counted():
    _, references = generated(30, [0.3])
    systems = {name: [*references[:place], "x", *references[place + 1 :]] for place, name in enumerate("ABCD")}
    found = bleukit.compare(BLEU, systems, references, test="bootstrap", samples=99)
    pairs = [f"{pair.first} and {pair.second}" for pair in found.pairs]
    (note,) = (note for note in found.notes if "differ between" in note)
    assert f"differ between {', '.join(pairs[:3])} and 3 more pairs; for so few" in note


def test_one_segment_has_no_interval():
    found = bleukit.compare(BLEU, {"a": ["a b c d e"], "b": ["a b x d e"]}, ["a b c d e"])
    assert [each.interval for each in found.systems + found.pairs] == [None] * 3
    assert (found.pairs[0].p_value, found.pairs[0].standard_error) == (1, None)
    assert found.notes == ("one segment cannot be resampled, so there are no intervals",)


def test_one_document_has_no_interval():
    systems, references = generated(30, [0.3, 0.5])
    found = bleukit.compare(BLEU, systems, references, documents=["only"] * 30, resample_by="document")
    assert (found.pairs[0].p_value, found.pairs[0].interval) == (1, None)


@pytest.mark.parametrize("test", ["bootstrap", "delta"])
def test_one_unit_is_refused_by_tests_that_need_several(test):
    with pytest.raises(bleukit.InputError, match=f"^test: '{test}' needs 2 or more segments, there is 1$"):
        bleukit.compare(BLEU, {"a": ["a b c d"], "b": ["a b c"]}, ["a b c d"], test=test)


def test_scores_of_0_do_not_differ():
    for test in ("permutation", "bootstrap", "delta"):
        found = bleukit.compare(BLEU, {"a": ["x y"] * 30, "b": ["z"] * 30}, ["a b c d"] * 30, test=test)
        assert (found.pairs[0].difference, found.pairs[0].p_value) == (0, 1)


def test_a_score_that_is_nan_is_refused():
    matlab = bleukit.load("matlab")
    with pytest.raises(bleukit.InputError, match=r"^a has no score \(NaN\) and cannot be compared$"):
        bleukit.compare(matlab, {"a": ["", ""], "b": ["", ""]}, ["", ""])
    with pytest.raises(bleukit.InputError, match=r"no score \(NaN\): a resample has no token at all"):
        bleukit.compare(matlab, {"a": ["a", *[""] * 9], "b": ["b", *[""] * 9]}, ["a", *[""] * 9])


@pytest.mark.parametrize("smoothing", ["nltk-method5", "nltk-method6", "nltk-method7"])
def test_a_smoothing_that_looks_at_the_last_segment_is_refused(smoothing):
    systems, references = generated(30, [0.3, 0.5])
    with pytest.raises(bleukit.InputError, match=f"'{smoothing}' looks at the last segment of a text"):
        bleukit.compare(bleukit.load("nltk", smoothing=smoothing), systems, references)


@pytest.mark.parametrize("smoothing", ["ignite-smooth1", "ignite-nltk_smooth2"])
def test_a_smoothing_that_does_not_need_the_last_segment_is_compared(smoothing):
    bleu = bleukit.load(smoothing=smoothing)
    systems = {"one": ["a b c d e"] * 12, "two": ["a b c d f"] * 12}
    pair = bleukit.compare(bleu, systems, ["a b c d e"] * 12).pairs[0]
    assert pair.p_value == 2**-11  # of all swaps, only none and all reach the difference


ROWS = BLEU.statistics(["a b", "c d"], ["a b", "c e"])


@pytest.mark.parametrize(
    ("systems", "settings", "message"),
    [
        ({}, {}, "no system to compare"),
        ([ROWS, ROWS], {}, "systems: expected a mapping of names to systems, got list"),
        ({"a": ROWS, "b": ROWS[:1]}, {}, "a has 2 segments, b has 1: all need the same"),
        ({"a": ["x"], "b": ROWS}, {}, "references: missing; only Statistics can be compared without them"),
        (
            {"a": ROWS, "b": BLEU.statistics(["a b", "c d"], ["a b", "c e f"])},
            {},
            "the references of segment 2 ",
        ),
        (
            {"a": ROWS, "b": bleukit.load("nltk").statistics(["a", "c"], ["a b", "c e"])},
            {},
            "a and b were ",
        ),
        ({"a": ROWS, "b": ROWS}, {"baseline": "c"}, "baseline: unknown system 'c'; known: a, b"),
        ({"a": ROWS, "b": ROWS}, {"test": "t-test"}, "test: expected permutation, hierarchical, multeval, bootstrap, "),
        ({"a": ROWS, "b": ROWS}, {"samples": 0}, "samples: expected a whole number of at least 1, got int 0"),
        (
            {"a": ROWS, "b": ROWS},
            {"interval_samples": 38},
            "interval_samples: intervals of level 0.95 need at least 39 resamples, 2 / (1 - 0.95) - 1, got 38; 0 gives",
        ),
        (
            {"a": ROWS, "b": ROWS},
            {"interval_samples": 198, "confidence_level": 0.99},
            "interval_samples: intervals of ",
        ),
        (
            {"a": ROWS, "b": ROWS},
            {"confidence_level": 0.999},
            "interval_samples: intervals of level 0.999 need at least",
        ),
        (
            {"a": ROWS, "b": ROWS},
            {"test": "bootstrap", "samples": 38},
            "samples: intervals of level 0.95 need at least 39 resamples, 2 / (1 - 0.95) - 1, got 38",
        ),
        ({"a": ROWS, "b": ROWS}, {"test": "delta", "samples": 9}, "samples: not used by the test 'delta'"),
        ({"a": ROWS, "b": ROWS}, {"confidence_level": 95}, "confidence_level: expected a number between 0 and 1, got"),
        ({"a": ROWS, "b": ROWS}, {"power": 1}, "power: expected a number between 0 and 1, got int 1"),
        ({"a": ROWS, "b": ROWS}, {"detect": -1}, "detect: expected a difference above 0, got int -1"),
        ({"a": ROWS, "b": ROWS}, {"resample_by": "document"}, "resample_by: the document of each segment is not known"),
        ({"a": ROWS, "b": ROWS}, {"documents": ["x"]}, "documents: 1 labels for 2 segments; each needs one"),
        ({"a": ROWS, "b": ROWS}, {"by": "domain"}, "by: expected 'document', 'length' or a label for each segment"),
        ({"a": ROWS, "b": ROWS}, {"test": "sacrebleu-bs", "seed": 0}, "seed: sacreBLEU treats 0 as no seed"),
        (
            {"a": bleukit.Runs(ROWS, ROWS), "b": ROWS},
            {"test": "permutation"},
            "test: 'permutation' is for systems with one run each; for several runs there are hierarchical, multeval, ",
        ),
        ({"a": bleukit.Runs(ROWS, ROWS), "b": ROWS}, {}, "test: 'hierarchical' needs 10 or more segments, there are 2"),
        (bleukit.Moments.of({"a": ROWS, "b": ROWS}), {}, "test: moments can be compared only by 'delta'"),
    ],
)
def test_what_cannot_be_compared_is_refused(systems, settings, message):
    with pytest.raises(bleukit.InputError) as raised:
        bleukit.compare(BLEU, systems, **settings)
    assert str(raised.value).startswith(message)


def test_an_error_names_the_system():
    with pytest.raises(bleukit.InputTypeError, match=r"^systems\['b'\]: hypotheses\[1\]: expected a str"):
        bleukit.compare(BLEU, {"a": ["x", "y"], "b": ["x", None]}, ["x", "y"])
