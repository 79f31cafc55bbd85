"""Several test sets in one comparison: each alone, all together, and the p-values of both as one family."""

import random

import numpy as np
import pytest
from scipy import stats

import bleukit
from bleukit.comparing import intervals

WORDS = "the a cat dog sat on mat under it was quick brown fox jumps over lazy river".split()  # noqa: SIM905
BLEU = bleukit.load()
SIZES = {"news": 90, "web": 30}
SETS = [name for name, size in SIZES.items() for _ in range(size)]
DOCUMENTS = [number // 3 for size in SIZES.values() for number in range(size)]


@pytest.fixture(scope="module")
def texts():
    """Three systems, of which the second is worse than the first on the web, and their references."""
    chance = random.Random(1)
    references = [[chance.choice(WORDS) for _ in range(chance.randint(4, 20))] for _ in SETS]

    def system(**noise):
        return [
            " ".join(chance.choice(WORDS) if chance.random() < noise[name] else token for token in tokens)
            for name, tokens in zip(SETS, references, strict=True)
        ]

    systems = {"A": system(news=0.2, web=0.2), "B": system(news=0.2, web=0.5), "C": system(news=0.6, web=0.6)}
    return systems, [" ".join(tokens) for tokens in references]


def compared(texts, **settings):
    systems, references = texts
    test = settings.get("test", "permutation")
    fewer = {"delta": {}, "bootstrap": {"samples": 99}, "sacrebleu-bs": {}}.get(
        test, {"samples": 399, "interval_samples": 99}
    )
    return bleukit.compare(BLEU, systems, references, **{"test_sets": SETS, **fewer, **settings})


def of_set(texts, name):
    systems, references = texts
    chosen = slice(0, SIZES["news"]) if name == "news" else slice(SIZES["news"], None)
    return {system: lines[chosen] for system, lines in systems.items()}, references[chosen]


def family(comparison):
    return [*comparison.pairs, *(pair for group in comparison.groups for pair in group.pairs)]


@pytest.mark.parametrize("settings", [{}, {"test": "bootstrap"}, {"test": "delta"}, {"documents": DOCUMENTS}])
def test_each_test_set_is_compared_as_if_it_were_alone(texts, settings):
    found = compared(texts, **settings)
    assert (found.grouped_by, [group.group for group in found.groups]) == ("test set", ["news", "web"])
    for group in found.groups:
        documents = [one for one, name in zip(DOCUMENTS, SETS, strict=True) if name == group.group]
        with_documents = {"documents": documents} if "documents" in settings else {}
        alone = compared(of_set(texts, group.group), **{**settings, **with_documents, "test_sets": None})
        order = {system.system: system for system in alone.systems}
        for system in group.systems:
            assert (system.score, system.interval.low) == (
                order[system.system].score,
                order[system.system].interval.low,
            )
        expected = {frozenset((pair.first, pair.second)): pair.p_value for pair in alone.pairs}
        assert {frozenset((pair.first, pair.second)): pair.p_value for pair in group.pairs} == expected


def test_all_p_values_are_adjusted_as_one_family(texts):
    found = compared(texts, correction="bh")
    expected = stats.false_discovery_control([pair.p_value for pair in family(found)])
    assert [pair.adjusted_p_value for pair in family(found)] == pytest.approx(expected)
    assert any("9 p-values are adjusted together" in note for note in found.notes)


def test_ranks_follow_from_the_p_values_of_the_family(texts):
    found = compared(texts)
    news, web = ({system.system: system.cluster for system in group.systems} for group in found.groups)
    assert news == {"A": 1, "B": 1, "C": 2}
    assert web["A"] < web["B"]


def freedom(units):
    return intervals.Spread.of(np.array([units + 1]), np.ones(1))


def test_intervals_of_all_are_those_of_scipy_with_each_test_set_resampled_alone(texts):
    systems, references = texts
    first, second = (BLEU.statistics(systems[name], references) for name in "AB")

    def statistic(news, web, axis):
        chosen = np.concatenate([np.atleast_2d(news), np.atleast_2d(web)], axis=1)
        one, other = (BLEU.score_columns(side.resampled(indices=chosen)).value for side in (first, second))
        return (one - other).reshape(news.shape[:-1])

    parts = np.arange(SIZES["news"]), np.arange(SIZES["news"], len(SETS))
    expected = stats.bootstrap(parts, statistic, method="percentile", n_resamples=2_000, rng=1)
    two = {name: systems[name] for name in "AB"}
    pair = compared((two, references), samples=1, interval_samples=4_000).pairs[0]
    interval, wider = expected.confidence_interval, intervals.expanded(0.95, freedom(29)) / 1.96
    for end, of_scipy in ((pair.interval.low, interval.low), (pair.interval.high, interval.high)):
        assert abs(end - pair.difference) == pytest.approx(abs(of_scipy - pair.difference) * wider, rel=0.06)
    assert pair.standard_error == pytest.approx(expected.standard_error, rel=0.05)


def test_the_degrees_of_freedom_are_those_of_welch():
    chance = np.random.default_rng(1)
    parts = [chance.normal(0, scale, size) for scale, size in ((1, 8), (3, 20))]
    sizes = np.array(list(map(len, parts)))
    squares = np.array([np.square(part - part.mean()).sum() / len(part) ** 2 for part in parts])
    expected = stats.ttest_ind(*parts, equal_var=False).df
    assert intervals.Spread.of(sizes, squares).freedom == pytest.approx(expected)


def test_documents_of_one_name_in_two_test_sets_are_two(texts):
    assert set(DOCUMENTS[:90]) > set(DOCUMENTS[90:])
    assert compared(texts, documents=DOCUMENTS).units == 40


def test_one_test_set_is_none(texts):
    assert compared(texts, test_sets=["news"] * 120).to_dict() == compared(texts, test_sets=None).to_dict()


def test_there_is_no_interval_of_all_if_a_test_set_is_one_document(texts):
    documents = [*DOCUMENTS[:90], *["speech"] * 30]
    found = compared(texts, documents=documents)
    assert all(result.interval is None for result in [*found.systems, *found.pairs])
    assert "no intervals of all test sets together: web has one document, which cannot be resampled" in found.notes
    with pytest.raises(bleukit.InputError, match="'bootstrap' needs 2 or more documents of each test set, web has 1"):
        compared(texts, documents=documents, test="bootstrap")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"test_sets": SETS[1:]}, "test_sets: 119 labels for 120 segments; each needs one"),
        ({"by": "length"}, "by: not possible with test sets, by which the comparison is broken down"),
        ({"test": "sacrebleu-bs"}, "test: 'sacrebleu-bs' compares one test set at a time"),
    ],
)
def test_what_does_not_go_with_test_sets_is_refused(texts, settings, message):
    with pytest.raises(bleukit.InputError, match=message):
        compared(texts, **settings)


def test_moments_do_not_know_test_sets(texts):
    systems, references = texts
    moments = bleukit.Moments.of({name: BLEU.statistics(lines, references) for name, lines in systems.items()})
    with pytest.raises(bleukit.InputError, match="moments cannot be compared"):
        bleukit.compare(BLEU, moments, test="delta", test_sets=SETS)


def test_a_notebook_and_text_show_each_test_set(texts):
    found = compared(texts)
    assert found._repr_html_().count("<td>web</td>") == 3
    assert str(found).count("\nweb ") == 3
    assert "|strata:2 test sets|" in found.procedure


@pytest.mark.parametrize(
    ("noise", "expected"),
    [
        ({"news": 0.6, "web": 0.6}, "Each test set alone shows the same."),
        ({"news": 0.2, "web": 0.2}, "Each test set alone shows the same."),
        ({"news": 0.2, "web": 0.6}, "On news alone: A and B cannot be told apart (adjusted p = 0."),
        ({"news": 0.6, "web": 0.0}, "On web alone: B is better than A (adjusted p = 0."),
    ],
)
def test_the_verdict_says_what_each_test_set_shows(texts, noise, expected):
    systems, references = texts
    chance = random.Random(5)

    def changed(tokens, name):
        return " ".join(chance.choice(WORDS) if chance.random() < noise[name] else token for token in tokens)

    other = [changed(line.split(), name) for line, name in zip(references, SETS, strict=True)]
    said = compared(({"A": systems["A"], "B": other}, references)).verdict
    assert expected in said
    assert ("Each test set" in said) != ("On web alone" in said)


def test_of_many_pairs_the_verdict_says_how_many_differ_and_which_in_the_opposite_order(texts):
    systems, references = texts
    mixed = [*references[:90], *["nothing"] * 30]
    said = compared(({**systems, "D": mixed}, references)).verdict
    assert "On news alone, 5 of 6 pairs differ. On web alone, " in said
    assert "in the opposite order: A is better than D, B is better than D and C is better than D." in said


def test_the_verdict_names_test_sets_that_are_too_small_to_be_tested(texts):
    systems, references = texts
    runs = {"A": bleukit.Runs(systems["A"], systems["B"]), "C": systems["C"]}
    labels = [*SETS[:-5], *["tiny"] * 5]
    said = bleukit.compare(BLEU, runs, references, test_sets=labels, samples=99, interval_samples=0).verdict
    assert "On news alone: " in said
    assert said.endswith(" On tiny alone, nothing can be tested.")


def test_the_verdict_begins_with_all_test_sets_together(texts):
    systems, references = texts
    said = compared(({name: systems[name] for name in "AB"}, references)).verdict
    assert said.startswith("A is better than B on 120 segments from 2 test sets (adjusted p ")
    assert "On news alone: " in said
    assert "On web alone: A is better than B (adjusted p " in said
