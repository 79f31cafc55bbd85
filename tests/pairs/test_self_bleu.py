"""Self-BLEU: by any variant, and by published definitions, in Python and as a command."""

import json
import sys
from dataclasses import dataclass
from random import Random
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from strategies import tokens
from uncompiled import uncompiled

import bleukit
from bleukit.bleu import ngrams
from bleukit.framework import registry
from bleukit.pairs.diversity import Diversity
from bleukit.pairs.self_bleu import SelfBleu

BLEU = bleukit.load()
SEGMENTS = ["the cat sat on the mat", "the cat sat", "the the the", "", "a cat sat on a mat today", "x", "the cat sat"]


def others(texts, place):
    return texts[:place] + texts[place + 1 :]


METHOD1, METHOD4 = SmoothingFunction().method1, SmoothingFunction().method4


def nltk_mean(pairs, orders=4, smoothing=METHOD1):
    weights = [1 / orders] * orders
    return np.mean([sentence_bleu(references, text, weights, smoothing) for text, references in pairs])


def texygen(lists):
    return nltk_mean([(text, others(lists[:500], place)) for place, text in enumerate(lists[:500])], 3)


def itself(lists):
    return nltk_mean([(text, lists) for text in lists], 3)


def fast_bleu(lists):
    return nltk_mean([(text, others(lists, place)) for place, text in enumerate(lists)])


def diffuseq(lists):
    pairs = [(text, [later]) for place, text in enumerate(lists) for later in lists[place + 1 :]]
    return nltk_mean(pairs, smoothing=METHOD4)


@pytest.mark.parametrize(
    ("name", "by_nltk"),
    [
        ("texygen", texygen),
        ("texygen-itself", itself),
        ("fast-bleu", fast_bleu),
        ("degen", fast_bleu),
        ("diffuseq", diffuseq),
    ],
)
@settings(max_examples=15)
@given(lists=st.lists(tokens, min_size=2, max_size=7))
def test_published_definitions_are_those_of_nltk(name, by_nltk, lists):
    assert bleukit.self_bleu(lists, name).value == pytest.approx(by_nltk(lists), abs=1e-12)


def generated(number):
    chance = Random(3)
    return [chance.choices("abcdefg", k=chance.randint(0, 9)) for _ in range(number)]


def test_texygen_takes_the_first_500():
    lists = generated(510)
    assert bleukit.self_bleu(lists, "texygen") == bleukit.self_bleu(lists[:500], "texygen")
    assert bleukit.self_bleu(lists, "texygen").texts == 500
    assert bleukit.self_bleu(lists, "texygen", first=3, references="all") == (
        bleukit.self_bleu(lists[:3], "texygen-itself", first=3)
    )


def test_keys_of_a_variant_override_a_definition():
    lists = generated(9)
    found = bleukit.self_bleu(lists, "fast-bleu", weights=2)
    expected = nltk_mean([(text, others(lists, place)) for place, text in enumerate(lists)], 2)
    assert found.value == pytest.approx(expected)
    assert bleukit.self_bleu(lists, bleukit.load("nltk", smoothing="nltk-method1"), weights=2) == found
    own = bleukit.plugin.SelfBleuDefinition("here", {"variant": "sacrebleu"}, references="all")
    assert bleukit.self_bleu(["a b", "c"], own).value == pytest.approx(100)


@dataclass(frozen=True)
class OneByOne:
    """A counter that knows single segments only, and finds a match more with each reference."""

    def __call__(self, hypothesis, references, max_order):
        totals = ngrams.count(hypothesis, [], max_order)[1]
        return [min(len(references), total) for total in totals], totals


@pytest.mark.parametrize("references", ["others", "all"])
def test_a_counter_that_knows_single_segments_only(references):
    bleu = bleukit.load("wikipedia", counter=OneByOne())
    lists = [text.split() for text in SEGMENTS]
    among = {"others": others, "all": lambda texts, _: texts}[references]
    scores = [bleu.sentence(text, among(lists, place)).value for place, text in enumerate(lists)]
    assert bleukit.self_bleu(lists, bleu, references=references).value == pytest.approx(np.mean(scores))


@pytest.mark.parametrize("references", ["others", "all"])
def test_a_policy_that_does_not_promise_to_be_independent_of_the_order(references):
    bleu = bleukit.load("wikipedia", reference_length=lambda _, lengths: lengths[0], weights=1)
    texts_ = ["a a a", "a b", "a a", "a c d e", "a f"]
    among = {"others": others, "all": lambda texts, _: texts}[references]
    scores = [bleu.sentence(text, among(texts_, place)).value for place, text in enumerate(texts_)]
    assert bleukit.self_bleu(texts_, bleu, references=references).value == pytest.approx(np.mean(scores))


def test_definitions_of_plugins(monkeypatch):
    definitions = {"broken": lambda: 1 / 0, "number": lambda: 1, "own": lambda: OWN}
    plugin = ModuleType("definitions_of_a_test")
    plugin.bleukit_self_bleu_definitions = bleukit.plugin.hookimpl(lambda: definitions)
    plugin.bleukit_self_bleu_definitions.__name__ = "bleukit_self_bleu_definitions"
    monkeypatch.setitem(sys.modules, "definitions_of_a_test", plugin)
    with registry.also_installed(["definitions_of_a_test"]):
        assert bleukit.self_bleu(["a", "a"], "own").value == 1
        for name, message in [("broken", "fails: ZeroDivisionError"), ("number", "is no SelfBleuDefinition but 1")]:
            with pytest.raises(bleukit.PluginError, match=message):
                bleukit.self_bleu(["a", "b"], name)
    with pytest.raises(bleukit.VariantError, match=r"unknown self bleu definition 'texigen'; did you mean 'texygen'"):
        bleukit.self_bleu(["a", "b"], "texigen")


OWN = bleukit.plugin.SelfBleuDefinition("here", {"variant": "wikipedia", "weights": 1})


@pytest.mark.parametrize("form", [ngrams, uncompiled("bleukit.bleu.ngrams")], ids=["compiled", "plain"])
@settings(max_examples=30)
@given(st.lists(tokens, max_size=7), st.booleans(), st.integers(0, 1))
def test_texts_are_counted_against_all_others(form, lists, clip, least):
    counted = form.count_others(lists, 4, clip=clip, least_total=least)
    matches, totals = (np.asarray(side).tolist() for side in counted)
    others = [lists[:place] + lists[place + 1 :] for place in range(len(lists))]
    plain = [ngrams.count(*pair, 4, clip=clip, least_total=least) for pair in zip(lists, others, strict=True)]
    assert list(zip(matches, totals, strict=True)) == [tuple(map(list, each)) for each in plain]


def test_a_sample_is_repeatable():
    found = bleukit.self_bleu(SEGMENTS, BLEU, sample=3, seed=5)
    assert (found.texts, found.seed, found) == (3, 5, bleukit.self_bleu(SEGMENTS, BLEU, sample=3, seed=5))
    assert bleukit.self_bleu(SEGMENTS, BLEU, sample=99) == bleukit.self_bleu(SEGMENTS, BLEU)
    assert bleukit.self_bleu(SEGMENTS, BLEU, sample=3) == bleukit.self_bleu(SEGMENTS, BLEU, sample=3, seed=0)


@pytest.mark.parametrize(
    ("texts_", "options", "message"),
    [
        (["a"], {}, "texts: self-BLEU needs two or more, got 1"),
        ("ab", {}, "texts: expected a sequence of str, or of token lists"),
        (["a", None], {}, r"texts[1]: expected a str"),
        (["a", "b"], {"sample": 1}, "sample: expected at least 2, got 1"),
        (["a", "b"], {"seed": "x"}, "seed: expected a whole number, got str 'x'"),
        (["a", "b"], {"first": 1}, "first: expected at least 2, got 1"),
        (
            ["a", "b"],
            {"references": "itself"},
            "references: expected one of 'others', 'all', 'later', got str 'itself'",
        ),
    ],
)
def test_wrong_arguments_of_self_bleu(texts_, options, message):
    with pytest.raises(bleukit.InputError) as raised:
        bleukit.self_bleu(texts_, BLEU, **options)
    assert str(raised.value).startswith(message)


def test_a_definition_is_a_name_or_a_definition():
    with pytest.raises(
        bleukit.InputTypeError, match="definition: expected a name, a SelfBleuDefinition or a Bleu, got int 7"
    ):
        bleukit.self_bleu(["a", "b"], 7)


def test_self_bleu_of_files(run, tmp_path):
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in SEGMENTS))
    value = bleukit.self_bleu(SEGMENTS, BLEU).value
    status, out, err = run("self-bleu", "texts.txt")
    assert (status, err, out.splitlines()[0]) == (0, "", f"self-BLEU {value:.2f} of 7 texts")
    [found] = json.loads(run("self-bleu", "texts.txt", "--format", "json")[1])["files"]
    assert (found["file"], found["value"], found["texts"]) == ("texts.txt", value, 7)
    assert "sampled with seed 1" in run("self-bleu", "texts.txt", "--sample", "3", "--seed", "1")[1]
    (tmp_path / "one.txt").write_text("a\n")
    assert run("self-bleu", "one.txt") == (2, "", "bleukit: error: one.txt: self-BLEU needs two or more texts, got 1\n")


def test_self_bleu_by_a_definition(run, tmp_path):
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in SEGMENTS))
    value = bleukit.self_bleu(SEGMENTS, "texygen", weights=2).value
    status, out, err = run("self-bleu", "-d", "texygen", "--set", "weights=2", "texts.txt")
    assert (status, err, out.splitlines()[0]) == (0, "", f"self-BLEU {value:.4f} of 7 texts")
    assert "|self_bleu:references=others,first=500" in out.replace("\n", "")
    value = bleukit.self_bleu(SEGMENTS, BLEU, references="later", first=5).value
    out = run("self-bleu", "--references", "later", "--first", "5", "texts.txt")[1]
    assert out.startswith(f"self-BLEU {value:.2f} of 5 texts")
    status, _, err = run("self-bleu", "-d", "texygen", "-V", "nltk", "texts.txt")
    assert (status, "--definition cannot be combined with -V" in err) == (2, True)


@pytest.mark.parametrize("references", ["others", "all", "later"])
def test_a_sample_of_all_texts_is_none_and_a_smaller_one_keeps_their_order(references):
    texts = [
        " ".join(text[: len(text) // 2 + place]) for place, text in enumerate(["abcdefgh", "abxdefg", "xbcde"] * 3)
    ]
    whole = bleukit.self_bleu(texts, BLEU, references=references)
    assert bleukit.self_bleu(texts, BLEU, references=references, sample=len(texts), seed=3) == whole
    for seed in range(4):
        found = bleukit.self_bleu(texts, BLEU, references=references, sample=4, seed=seed)
        places = sorted(Random(seed).sample(range(len(texts)), 4))
        alone = bleukit.self_bleu([texts[place] for place in places], BLEU, references=references)
        assert (found.value, found.texts, found.seed) == (alone.value, 4, seed)
        assert found.signature == f"{BLEU.signature}|self_bleu:references={references},sample=4,seed={seed}"
        assert bleukit.self_bleu(texts, BLEU, references=references, sample=4, seed=seed, first=3).value == (
            bleukit.self_bleu([texts[place] for place in places[:3]], BLEU, references=references).value
        )


def test_results_read_well():
    assert str(SelfBleu(12.34567, 1100, 3, "")) == "self-BLEU 12.3457 of 1,100 texts, sampled with seed 3"
    assert str(SelfBleu(12.34567, 2, None, "")) == "self-BLEU 12.3457 of 2 texts"
    assert str(Diversity(1.23456, 22.34567, (0.123456, 0.5), 1001, 2002, "")).splitlines() == [
        "2,002 samples of 1,001 sources",
        "self-BLEU 1.2346",
        "pairwise BLEU 22.3457",
        "distinct-1 0.1235",
        "distinct-2 0.5000",
    ]


@pytest.mark.parametrize("name", ["sample", "first", "seed"])
@pytest.mark.parametrize("number", [True, 2.0, "2"])
def test_numbers_are_whole(name, number):
    with pytest.raises(bleukit.InputTypeError, match=f"^{name}: expected a whole number, got "):
        bleukit.self_bleu(["a", "b"], BLEU, **{name: number})
