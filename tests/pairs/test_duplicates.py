"""Near-duplicates: the pairs that comparing all pairs finds, in Python and as a command."""

import json
from collections import Counter
from itertools import chain, combinations, product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from strategies import tokens
from test_pairs import INSTALLED

import bleukit
from bleukit.counting import ngrams
from bleukit.pairs import duplicates
from bleukit.pairs.duplicates import Duplicate, DuplicateGroup, Duplicates

BLEU = bleukit.load()
WORDS = "a b c d e f".split()  # noqa: SIM905


def all_pairs(bleu, texts, threshold):
    scores = bleu.matrix(texts)
    higher = np.maximum(scores, scores.T)
    return [(i, j, higher[i, j]) for i, j in zip(*np.nonzero(np.triu(higher >= threshold, 1)), strict=True)]


def reached(bleu, texts, threshold, **options):
    """Return the pairs, and those of equal texts that reach the threshold, as if equal texts were no groups."""
    found = bleu.duplicates(texts, threshold, **options)
    assert found.pairs == sorted(found.pairs)
    assert found.equal == sorted(found.equal)
    group_of = {same[0]: same for same in found.equal}
    pairs = [
        (*sorted(pair), score)
        for first, second, score in found.pairs
        for pair in product(group_of.get(first, (first,)), group_of.get(second, (second,)))
    ]
    for same in found.equal:
        score = bleu.sentence(texts[same[0]], texts[same[0]]).value
        pairs += [(*pair, score) for pair in combinations(same, 2) if score >= threshold]
    return sorted(pairs)


def alike(seed, number):
    """Return texts of a few words, many of which differ little from another."""
    chance = Random(seed)
    texts = [chance.choices(WORDS, k=chance.choice([0, 1, 2, 3, 5, 9, 20])) for _ in range(number // 3 + 1)]
    while len(texts) < number:
        text = [word if chance.random() > 0.15 else chance.choice(WORDS) for word in chance.choice(texts)]
        texts.append(text[chance.choice([0, 0, 1]) :])
    return [" ".join(text) for text in texts]


@pytest.mark.parametrize("name", sorted(set(INSTALLED) - {"sacrebleu-flores200"}))
@settings(max_examples=6)
@given(seed=st.integers(0, 1 << 30), number=st.integers(0, 40), share=st.sampled_from([0.001, 0.1, 0.4, 0.6, 0.9, 1]))
def test_the_pairs_are_those_that_comparing_all_finds(name, seed, number, share):
    bleu = bleukit.load(name)
    threshold = share * bleu.variant.scale
    texts = alike(seed, number)
    assert reached(bleu, texts, threshold) == all_pairs(bleu, texts, threshold)


SMOOTHINGS = ["none", "floor", "add-k", "exp", "mteval", "coco", "add-one", *(f"nltk-method{n}" for n in range(6))]


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@settings(max_examples=4)
@given(
    seed=st.integers(0, 1 << 30),
    counter=st.sampled_from(["clipped", "unclipped", "nltk", "fairseq"]),
    policy=st.sampled_from(["closest", "average"]),
    weights=st.sampled_from([1, 2, 4, [0, 0, 1], [0.5, 0, 0, 0.5]]),
    share=st.sampled_from([0.001, 0.3, 0.7]),
)
def test_any_components(smoothing, seed, counter, policy, weights, share):
    keys = {"smoothing": smoothing, "counter": counter, "reference_length": policy, "weights": weights}
    bleu = bleukit.load("sacrebleu", **keys, effective_order=bool(seed % 2))
    texts = alike(seed, 30)
    assert reached(bleu, texts, share * 100) == all_pairs(bleu, texts, share * 100)


@settings(max_examples=4)
@given(seed=st.integers(0, 1 << 30))
def test_parts_and_threads_do_not_show(seed):
    texts = alike(seed, 16)
    with pytest.MonkeyPatch.context() as patched:
        for name in ("SCORED", "BOUNDED", "TILE", "EXPANDED"):
            patched.setattr(duplicates, name, 3)
        for bleu in (BLEU, bleukit.load("nltk", smoothing="nltk-method4")):
            assert reached(bleu, texts, 0.5, threads=2) == all_pairs(bleu, texts, 0.5)


@settings(max_examples=30)
@given(st.lists(tokens, max_size=7), st.integers(1, 5))
def test_texts_match_as_often_as_they_share_numbers(texts, max_order):
    found = [list(map(list, each)) for each in ngrams.shared(texts, max_order)]
    for order, numbers in enumerate(found):
        for one, other in combinations(range(len(texts)), 2):
            matches = ngrams.count(texts[one], [texts[other]], max_order)[0][order]
            assert len({*numbers[one]} & {*numbers[other]}) == matches
        assert numbers == [sorted({*each}) for each in numbers]
        having = Counter(chain.from_iterable(numbers))
        by_number = [having[number] for number in range(len(having))]
        assert by_number == sorted(by_number)
        assert all(number >= 2 for number in by_number)


def test_equal_texts():
    texts = ["a b", "x", "a b", "a  b", "x", "a b"]
    assert BLEU.duplicates(texts, 99) == ([(0, 3, pytest.approx(100))], [(0, 2, 5), (1, 4)])
    pairs = reached(BLEU, texts, 99)
    assert [tuple(each[:2]) for each in pairs] == [(0, 2), (0, 3), (0, 5), (1, 4), (2, 3), (2, 5), (3, 5)]
    assert BLEU.duplicates([["a"], ["a"], ["b"]], 50) == ([], [(0, 1)])


def test_equal_texts_are_one_group_however_many(run, tmp_path):
    assert BLEU.duplicates(["a b"] * 100_000, 50) == ([], [tuple(range(100_000))])
    (tmp_path / "equal.txt").write_text("a b\n" * 3000)
    status, out, err = run("duplicates", "--threshold", "50", "equal.txt")
    others = ",".join(map(str, range(2, 3001)))
    assert (status, out, err) == (0, f"1\t{others}\tequal\ta b\n", "")


@pytest.mark.parametrize(
    ("texts", "threshold", "message"),
    [
        ("ab", 1, "texts: expected a sequence of str, or of token lists"),
        (["a", 1], 1, "texts[1]: expected a str, got int 1"),
        (["a"], 0, "threshold: expected a number above 0, up to 100, got 0"),
        (["a"], 101, "threshold: expected a number above 0, up to 100, got 101"),
        (["a"], float("nan"), "threshold: expected a number above 0, up to 100, got nan"),
        (["a"], "x", "threshold: expected a number, got str 'x'"),
    ],
)
def test_wrong_arguments(texts, threshold, message):
    with pytest.raises(bleukit.InputError) as raised:
        BLEU.duplicates(texts, threshold)
    assert str(raised.value).startswith(message)


def test_a_pair_that_has_no_score():
    with pytest.raises(
        bleukit.InputError, match=r"^texts: a pair has no score: smoothing 'nltk-method6' needs a matching"
    ):
        bleukit.load("nltk", smoothing="nltk-method6").duplicates(["a b c d e", "a b x"], 0.5)


TEXTS = ["the cat sat on the mat", "a dog", "the cat sat on a mat", "the cat sat on the mat"]


def test_the_command(run, tmp_path):
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    found = BLEU.duplicates(TEXTS, 40)
    status, out, err = run("duplicates", "--threshold", "40", "texts.txt")
    assert (status, err) == (0, "")
    (pair,) = found.pairs
    assert [line.split("\t") for line in out.splitlines()] == [
        ["1", "3", f"{pair.score:.2f}", TEXTS[0], TEXTS[2]],
        ["1", "4", "equal", TEXTS[0]],
    ]
    printed = json.loads(run("duplicates", "-t", "40", "texts.txt", "--format", "json")[1])
    assert printed["pairs"] == [{"first": 1, "second": 3, "score": pair.score, "texts": [TEXTS[0], TEXTS[2]]}]
    assert printed["equal"] == [{"lines": [1, 4], "text": TEXTS[0]}]
    assert printed["signature"].startswith("variant:sacrebleu|")
    assert run("duplicates", "-t", "200", "texts.txt")[::2] == (
        2,
        "bleukit: error: threshold: expected a number above 0, up to 100, got 200.0\n",
    )
    (tmp_path / "lines.jsonl").write_text(json.dumps({"mt": "a\nb"}) + "\n" + json.dumps({"mt": "a\nb"}))
    status, _, err = run("duplicates", "-t", "9", "lines.jsonl")
    assert (status, err.count("\n"), "has several lines: print it by --format json" in err) == (2, 1, True)


def test_equal_texts_are_a_group_whatever_they_score():
    unsmoothed = bleukit.load("wikipedia")
    assert unsmoothed.sentence("a b", "a b").value == 0
    assert unsmoothed.duplicates(["a b"] * 2, 0.5) == ([], [(0, 1)])
    assert unsmoothed.duplicates(["a b c d"] * 2, 0.5) == ([], [(0, 1)])


@given(st.lists(st.sampled_from("abcdef"), max_size=12), st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11))))
def test_groups_are_the_connected_components(texts, chosen):
    places = {}
    for place, text in enumerate(texts):
        places.setdefault(text, []).append(place)
    firsts = [same[0] for same in places.values()]
    linked = [pair for pair in combinations(firsts, 2) if pair in chosen]
    equal = [tuple(same) for same in places.values() if len(same) > 1]
    joined = np.zeros((len(texts), len(texts)))
    for first, second in [*linked, *((same[0], other) for same in equal for other in same)]:
        joined[first, second] = 1
    _, labels = connected_components(joined, directed=False) if texts else (0, [])
    expected = [tuple(np.flatnonzero(labels == label).tolist()) for label in dict.fromkeys(labels)]
    found = Duplicates([Duplicate(*pair, 50.0) for pair in linked], equal).groups()
    assert [group.texts for group in found] == [texts for texts in expected if len(texts) > 1]


def test_the_representative_has_most_copies_or_is_most_like_the_others():
    pairs = [Duplicate(0, 2, 60.0), Duplicate(2, 5, 60.0), Duplicate(7, 8, 50.0)]
    found = Duplicates(pairs, [(5, 6)]).groups()
    assert found == [DuplicateGroup(5, (0, 2, 5, 6)), DuplicateGroup(7, (7, 8))]
    assert Duplicates(pairs, []).groups() == [DuplicateGroup(2, (0, 2, 5)), DuplicateGroup(7, (7, 8))]


def test_many_equal_lines_are_grouped_in_linear_time():
    texts = ["the cat sat on the mat"] * 20_000 + ["the cat sat on a mat"] * 10_000
    [group] = BLEU.duplicates(texts, 50).groups()
    assert (group.representative, len(group.texts)) == (0, 30_000)


def test_the_command_prints_groups(run, tmp_path):
    texts = ["the cat sat on the mat", "dogs bark", "the cat sat on a mat", "the cat sat on the mat"]
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in texts))
    assert run("duplicates", "-t", "50", "--groups", "texts.txt") == (0, "1\t3,4\tthe cat sat on the mat\n", "")
    found = json.loads(run("duplicates", "-t", "50", "--groups", "--format", "json", "texts.txt")[1])
    assert found["groups"] == [{"representative": 1, "lines": [1, 3, 4], "text": "the cat sat on the mat"}]
