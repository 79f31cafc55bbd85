"""Samples of each source: how alike they are."""

import json
from itertools import permutations
from random import Random

import numpy as np
import pytest
import sacrebleu.metrics

import bleukit

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
    assert bleukit.diversity(BLEU, GROUPS).pairwise_bleu == pytest.approx(expected)


def test_pairs_are_counted_in_parts(monkeypatch):
    whole = bleukit.diversity(BLEU, GROUPS)
    monkeypatch.setattr("bleukit.pairs.diversity.PAIRS", 10)
    assert bleukit.diversity(BLEU, GROUPS, threads=2) == whole


def test_self_bleu_of_sources_is_the_mean_of_theirs():
    each = [float(bleukit.self_bleu(group, BLEU)) for group in GROUPS]
    assert bleukit.diversity(BLEU, GROUPS).self_bleu == pytest.approx(np.mean(each))


def test_distinct_ngrams_are_counted_as_by_li_et_al():
    found = bleukit.diversity(BLEU, [["a b a", "a c"], ["x y", "x y"]])
    assert found.distinct == pytest.approx(((3 / 5 + 2 / 4) / 2, (3 / 3 + 1 / 2) / 2, 1, np.nan), nan_ok=True)
    assert (found.sources, found.texts) == (2, 4)


def test_a_sample_may_be_a_list_of_no_tokens():
    assert bleukit.diversity(BLEU, [[["a", "b"], [], ["b"]]]).distinct[:2] == (2 / 3, 1)


def test_token_lists_are_samples_too():
    tokens = [[text.split() for text in group] for group in GROUPS]
    assert bleukit.diversity(BLEU, tokens).distinct == bleukit.diversity(BLEU, GROUPS).distinct


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([], "groups: no source"),
        ([["a", "b"], ["c"]], "groups[1]: two or more samples are needed, got 1"),
        (["a", "b"], "groups[0]: expected "),
    ],
)
def test_wrong_arguments(groups, message):
    with pytest.raises(bleukit.InputError) as raised:
        bleukit.diversity(BLEU, groups)
    assert str(raised.value).startswith(message)


TEXTS = [text for group in samples(70) for text in group]


def test_scores_of_texts_are_those_whose_mean_is_self_bleu():
    few = TEXTS[:9]
    scores = bleukit.self_bleu_scores(BLEU, few)
    assert scores.tolist() == [BLEU.sentence(text, few[:at] + few[at + 1 :]).value for at, text in enumerate(few)]
    assert (
        float(bleukit.self_bleu(few, BLEU, references="all"))
        == bleukit.self_bleu_scores(BLEU, few, references="all").mean()
    )
    with pytest.raises(bleukit.InputError, match="with 'later', pairs are scored"):
        bleukit.self_bleu_scores(BLEU, few, references="later")


def test_the_command_measures_samples(run, tmp_path):
    (tmp_path / "samples.txt").write_text("".join(f"{text}\n" for group in GROUPS for text in group))
    status, out, err = run("self-bleu", "-n", "3", "samples.txt")
    found = bleukit.diversity(BLEU, GROUPS)
    assert (status, err) == (0, "")
    assert out.startswith(f"36 samples of 12 sources\nself-BLEU {found.self_bleu:.2f}\n")
    assert f"\npairwise BLEU {found.pairwise_bleu:.2f}\n" in out
    assert f"\ndistinct-2 {found.distinct[1]:.4f}\n" in out
    [as_json] = json.loads(run("self-bleu", "-n", "3", "samples.txt", "--format", "json")[1])["files"]
    assert as_json == {"file": "samples.txt", **found.to_dict()}


def test_the_command_scores_each_line(run, tmp_path):
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    scores = bleukit.self_bleu_scores(BLEU, TEXTS)
    status, out, err = run("self-bleu", "--level", "sentence", "texts.txt")
    assert (status, err) == (0, "")
    assert out.splitlines()[:-1] == [f"{number}\t{score:.2f}" for number, score in enumerate(scores, 1)]
    found = json.loads(run("self-bleu", "--level", "sentence", "--format", "json", "texts.txt")[1])
    assert found["files"] == [{"file": "texts.txt", "scores": scores.tolist()}]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-n", "4"], "texts.txt: has 210 lines, which are no groups of 4"),
        (["-n", "3", "--sample", "9"], "--samples cannot be combined with --sample"),
        (["-n", "3", "--level", "sentence"], "--samples cannot be combined with --level sentence"),
        (["--level", "sentence", "--first", "9"], "--level sentence cannot be combined with --first"),
        (["-d", "texygen", "--references", "others"], "--definition cannot be combined with -V, -c, --references"),
    ],
)
def test_what_does_not_go_together(run, tmp_path, options, message):
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    status, out, err = run("self-bleu", "texts.txt", *options)
    assert (status, out) == (2, "")
    assert err.startswith(f"bleukit: error: {message}")
