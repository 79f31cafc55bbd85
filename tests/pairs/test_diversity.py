"""Samples of each source: how alike they are; and the intervals of numbers that depend on all texts together."""

import json
from itertools import permutations
from random import Random

import numpy as np
import pytest
import sacrebleu.metrics
from scipy import stats

import bleukit
from bleukit.pairs import jackknife

BLEU = bleukit.load()
WORDS = "the a cat dog sat on mat under it was quick brown fox".split()  # noqa: SIM905


def samples(sources, each=3, seed=1):
    chance = Random(seed)

    def source():
        text = chance.choices(WORDS, k=chance.randint(3, 12))
        return [" ".join(chance.choice([word, chance.choice(WORDS)]) for word in text) for _ in range(each)]

    return [source() for _ in range(sources)]


GROUPS = samples(12)


def test_pairwise_bleu_is_that_of_sacrebleu_on_all_ordered_pairs():
    pairs = [pair for group in GROUPS for pair in permutations(group, 2)]
    expected = sacrebleu.metrics.BLEU().corpus_score([one for one, _ in pairs], [[other for _, other in pairs]]).score
    assert BLEU.diversity(GROUPS).pairwise_bleu == pytest.approx(expected)


def test_self_bleu_of_sources_is_the_mean_of_theirs_with_the_interval_of_a_mean():
    found = BLEU.diversity(GROUPS)
    each = [float(BLEU.self_bleu(group)) for group in GROUPS]
    assert found.self_bleu == pytest.approx(np.mean(each))
    expected = stats.ttest_1samp(each, 0).confidence_interval(0.95)
    assert (found.self_bleu_interval.low, found.self_bleu_interval.high) == pytest.approx(expected, rel=1e-6)


def test_a_sample_may_be_a_list_of_no_tokens():
    assert BLEU.diversity([[["a", "b"], [], ["b"]]]).distinct[:2] == (2 / 3, 1)


def test_there_is_no_interval_of_few_sources():
    found = BLEU.diversity(GROUPS[:9])
    assert (found.self_bleu_interval, found.pairwise_bleu_interval, found.distinct_intervals[0]) == (None, None, None)


def test_token_lists_are_samples_too():
    tokens = [[text.split() for text in group] for group in GROUPS]
    assert BLEU.diversity(tokens).distinct == BLEU.diversity(GROUPS).distinct


@pytest.mark.parametrize(
    ("groups", "settings", "message"),
    [
        ([], {}, "groups: no source"),
        ([["a", "b"], ["c"]], {}, "groups[1]: two or more samples are needed, got 1"),
        (["a", "b"], {}, "groups[0]: expected "),
        (GROUPS, {"confidence_level": 95}, "confidence_level: expected a number between 0 and 1, got int 95"),
    ],
)
def test_wrong_arguments(groups, settings, message):
    with pytest.raises(bleukit.InputError) as raised:
        BLEU.diversity(groups, **settings)
    assert str(raised.value).startswith(message)


def test_the_jackknife_of_a_mean_is_the_interval_of_students_t():
    values = np.random.default_rng(1).normal(5, 2, 20)
    found = jackknife.interval(values.mean(), 20, lambda kept: values[kept].mean(), 0.9, seed=3)
    assert (found.low, found.high) == pytest.approx(stats.ttest_1samp(values, 0).confidence_interval(0.9), rel=1e-6)


TEXTS = [text for group in samples(70) for text in group]


def test_the_interval_of_self_bleu_leaves_groups_of_texts_out():
    order = list(range(210))
    Random(7).shuffle(order)
    values = [float(BLEU.self_bleu([TEXTS[at] for at in sorted(set(order) - set(order[g::20]))])) for g in range(20)]
    error = np.sqrt(19 / 20 * np.square(values - np.mean(values)).sum())
    found = BLEU.self_bleu(TEXTS, confidence_level=0.95, seed=7)
    width = stats.t.ppf(0.975, 19) * error
    assert (found.interval.low, found.interval.high) == pytest.approx((found.value - width, found.value + width))
    assert BLEU.self_bleu(TEXTS[:199], confidence_level=0.95).interval is None
    assert BLEU.self_bleu(TEXTS, confidence_level=0.95, scored=100).interval.low < found.value
    with pytest.raises(bleukit.InputError, match="no interval with the references 'later'"):
        BLEU.self_bleu(TEXTS, confidence_level=0.95, references="later")


def test_the_command_measures_samples(run, tmp_path):
    (tmp_path / "samples.txt").write_text("".join(f"{text}\n" for group in GROUPS for text in group))
    status, out, err = run("self-bleu", "-n", "3", "samples.txt")
    found = BLEU.diversity(GROUPS)
    assert (status, err) == (0, "")
    assert out.startswith(f"36 samples of 12 sources\nself-BLEU {found.self_bleu:.2f} (")
    assert f"\npairwise BLEU {found.pairwise_bleu:.2f} (" in out
    assert f"\ndistinct-2 {found.distinct[1]:.4f} (" in out
    [as_json] = json.loads(run("self-bleu", "-n", "3", "samples.txt", "--format", "json")[1])["files"]
    assert as_json == {"file": "samples.txt", **found.to_dict()}


def test_the_command_scores_each_line(run, tmp_path):
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    scores = BLEU.self_bleu_scores(TEXTS)
    status, out, err = run("self-bleu", "--level", "sentence", "texts.txt")
    assert (status, err) == (0, "")
    assert out.splitlines()[:-1] == [f"{number}\t{score:.2f}" for number, score in enumerate(scores, 1)]
    found = json.loads(run("self-bleu", "--level", "sentence", "--format", "json", "texts.txt")[1])
    assert found["files"] == [{"file": "texts.txt", "scores": scores.tolist()}]
    out = run("self-bleu", "--confidence", "texts.txt")[1]
    interval = BLEU.self_bleu(TEXTS, confidence_level=0.95).interval
    assert out.startswith(f"self-BLEU {scores.mean():.2f} ({interval.low:.2f}–{interval.high:.2f}) of 210 texts\n")
    out = run("self-bleu", "--confidence", "--first", "9", "texts.txt")[1]
    assert "\nnote: no interval of fewer than 200 lines\n" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-n", "4"], "texts.txt: has 210 lines, which are no groups of 4"),
        (["-n", "3", "--sample", "9"], "--samples cannot be combined with --sample"),
        (["-n", "3", "--level", "sentence"], "--samples cannot be combined with --level sentence"),
        (["--level", "sentence", "--confidence"], "--level sentence cannot be combined with --confidence"),
        (["-d", "texygen", "--references", "others"], "--definition cannot be combined with -V, -c, --references"),
    ],
)
def test_what_does_not_go_together(run, tmp_path, options, message):
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    status, out, err = run("self-bleu", "texts.txt", *options)
    assert (status, out) == (2, "")
    assert err.startswith(f"bleukit: error: {message}")
