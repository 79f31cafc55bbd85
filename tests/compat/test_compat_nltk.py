"""bleukit.compat.nltk beside nltk.translate.bleu_score: the same numbers, types, warnings and errors."""

import copy
import fractions
import inspect
import math
import warnings
from collections import UserList, deque
from functools import partial
from itertools import permutations

import nltk.translate.bleu_score as theirs
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleukit.compat import nltk as ours

words = st.one_of(st.sampled_from("abcde"), st.integers(0, 2), st.sampled_from([None, "", ("a",), "é", "\ud800"]))
token_lists = st.one_of(
    st.lists(st.sampled_from("abcde"), max_size=12),
    st.lists(st.sampled_from("abc"), max_size=8).map(tuple),
    st.text("ab ", max_size=8),
    st.lists(words, max_size=6),
    st.lists(words, max_size=6).map(deque),
    st.lists(st.sampled_from("abc"), max_size=8).map(UserList),
)
odd = st.sampled_from([None, 7, deque(), [["a"]], "", [], b"ab", {"a": 1}, [["a"], ["b"], ["c"]], 0.5])
texts = st.one_of(token_lists, token_lists, token_lists, token_lists, odd)
groups = st.one_of(*[st.lists(token_lists, min_size=1, max_size=3)] * 4, st.lists(texts, max_size=3), odd)
segments = st.lists(st.tuples(groups, texts), max_size=4)  # some without references
weights = st.sampled_from(
    [
        (0.25,) * 4,
        [0.25] * 4,
        (1,),
        (0.5, 0.5),
        (0, 1),
        (0.1, 0.2, 0.3, 0.4),
        (1 / 6,) * 6,
        [(0.5, 0.5), (0.25,) * 4],
        [(1,), (0.2,) * 5, (0.25,) * 4],
        [(1, 0, 0)],
        (-1, 2),
        (1e308, 1e308),
        (),
        [()],
        0.5,
        None,
        ("a", "b"),
        "ab",
        {0: (1, 0)},
        np.array([0.5, 0.5]),
        [np.array([0.5, 0.5]), (1,)],
        [fractions.Fraction(1, 2)] * 2,
    ]
)


def custom(p_n, references, hypothesis, hyp_len):
    """What NLTK passes decides the score."""
    assert all(isinstance(p, fractions.Fraction) for p in p_n)
    return [(p.numerator + len(references)) / (p.denominator + hyp_len + len(hypothesis)) for p in p_n]


def lazily(p_n, **_):
    return (p + 1 for p in p_n)


def zeros(p_n, *_, **__):
    return [0 for _ in p_n]


def wrong(p_n):
    return p_n


def of_method(number, options):
    return lambda module: getattr(module.SmoothingFunction(**options), f"method{number}")


methods = st.builds(
    of_method,
    st.integers(0, 7),
    st.sampled_from([{}, {"epsilon": 0.3, "alpha": 2, "k": 3.0}, {"epsilon": 0, "alpha": 0, "k": -1}, {"k": 0}]),
)
smoothings = st.one_of(methods, st.sampled_from([lambda _, f=f: f for f in (None, custom, lazily, zeros, wrong, 5)]))


def outcome(call):
    """What a call returns, with the type of each number, or which error it raises; and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = described(call())
        except Exception as error:  # noqa: BLE001 - whatever it is
            found = type(error)
    return found, [(warning.category, str(warning.message).split()) for warning in caught]


def described(value):
    if isinstance(value, list):
        return [described(item) for item in value]
    return type(value), repr(value)


@given(segments, weights, smoothings, st.booleans())
@example([], (1,), lambda _: None, False)
@example([([["a"]], "a b c d e f")], (0.25,) * 4, lambda _: None, False)
@example([([iter(["a"])], ["a"])], (1,), lambda _: None, False)
@example([([[]], [0])], (0.25,) * 4, lambda _: None, False)
@example([([], []), ([], ["a"])], (1,), lambda _: None, False)
def test_corpus_bleu(segments, weights, smoothing, auto_reweigh):
    references, hypotheses = [refs for refs, _ in segments], [hypothesis for _, hypothesis in segments]
    calls = [
        lambda m=m: m.corpus_bleu(references, hypotheses, weights, smoothing(m), auto_reweigh) for m in (ours, theirs)
    ]
    assert outcome(calls[0]) == outcome(calls[1])


@given(st.lists(token_lists, min_size=1, max_size=3), token_lists, weights, smoothings, st.booleans())
def test_sentence_bleu(references, hypothesis, weights, smoothing, auto_reweigh):
    calls = [
        lambda m=m: m.sentence_bleu(
            references, hypothesis, weights=weights, smoothing_function=smoothing(m), auto_reweigh=auto_reweigh
        )
        for m in (ours, theirs)
    ]
    assert outcome(calls[0]) == outcome(calls[1])


@given(segments, st.integers(0, 5))
def test_numbers_that_differ(segments, more):
    references, hypotheses = [refs for refs, _ in segments], [hypothesis for _, hypothesis in segments]
    calls = [partial(m.corpus_bleu, references, hypotheses[more:]) for m in (ours, theirs)]
    assert outcome(calls[0]) == outcome(calls[1])


def add_one(p_n, **_):
    """A smoothing of a user's own, which copies the fractions that it gets."""
    return [ours.Fraction(p.numerator + 1, p.denominator + 1) if p != 1 else abs(p) for p in copy.deepcopy(p_n)]


@given(segments)
def test_a_smoothing_of_ones_own_gets_fractions_of_nltk(segments):
    references, hypotheses = [refs for refs, _ in segments], [hypothesis for _, hypothesis in segments]
    calls = [lambda m=m: m.corpus_bleu(references, hypotheses, smoothing_function=add_one) for m in (ours, theirs)]
    assert outcome(calls[0]) == outcome(calls[1])


def test_all_but_the_counting_is_nltks_own():
    for name in ours.__all__:
        mine, peers = getattr(ours, name), getattr(theirs, name)
        assert mine is peers or name in {"corpus_bleu", "sentence_bleu"}
        if name != "Fraction":
            both = [inspect.signature(each).parameters.values() for each in (mine, peers)]
            assert len({tuple((p.name, p.default) for p in parameters) for parameters in both}) == 1


@pytest.mark.parametrize("segments", [ours.CHUNK - 1, ours.CHUNK, ours.CHUNK + 1, 2 * ours.CHUNK + 88])
def test_many_segments_are_counted_in_parts(segments):
    references = [[list("abcdefg"), list("bcd")]] * segments
    hypotheses = [list("abcdefx"), *[list("abxdefg")] * (segments - 1)]
    assert ours.corpus_bleu(references, hypotheses) == theirs.corpus_bleu(references, hypotheses)


def test_tokens_of_plain_types_are_counted_by_bleukit(monkeypatch):
    texts = [list("abcdefg"), tuple("abcdefg"), "abcdefg", [1, "a", 2.5, b"a", True, "b", 3]]
    calls = [
        lambda text=text, weights=weights, smooth=smooth: ours.corpus_bleu(
            [[text[1:], text]] * 2, [text, text[:-1]], weights, smooth
        )
        for text in texts
        for weights in ((0.25,) * 4, [(1,), (0.5, 0.5)])
        for smooth in (None, ours.SmoothingFunction().method1)
    ]
    with monkeypatch.context() as patched:
        patched.setattr(ours, "_summed", lambda *_: None)  # so that NLTK counts
        wanted = [call() for call in calls]
    monkeypatch.setattr(theirs, "corpus_bleu", None)
    assert [call() for call in calls] == wanted


class Near:
    """A token that equals the next one, too, so that equal ones cannot be written as the same character."""

    def __init__(self, place):
        self.place = place

    def __eq__(self, other):
        return isinstance(other, Near) and abs(self.place - other.place) <= 1

    def __hash__(self):
        return 0


def test_tokens_whose_equality_is_no_equivalence_are_left_to_nltk():
    for places in permutations(range(4)):
        tokens = list(map(Near, places))
        both = [module.corpus_bleu([[tokens[:3]]], [tokens[1:]], (1,)) for module in (ours, theirs)]
        assert both[0] == both[1], places


def test_what_is_left_to_nltk_is_left_with_all_options():
    references, hypothesis = [[*map(Near, (0, 3, 6, 9))]], [*map(Near, (0, 3, 9))]
    options = {
        "weights": [(0.25,) * 4, (0.5, 0.5)],
        "smoothing_function": theirs.SmoothingFunction().method1,
        "auto_reweigh": True,
    }
    without = [{name: option for name, option in options.items() if name != left} for left in options]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of orders without a match, where nothing is smoothed
        scores = [theirs.corpus_bleu([references], [hypothesis], **chosen) for chosen in (options, *without)]
    assert all(score != scores[0] for score in scores[1:])  # each option matters
    assert ours.corpus_bleu([references], [hypothesis], **options) == scores[0]


plain_tokens = st.lists(st.sampled_from([0, 1, 2, True, 1.0, 2.5, "1", "a", b"a", math.nan, ""]), max_size=9)


@given(st.lists(st.tuples(st.lists(plain_tokens, min_size=1, max_size=3), plain_tokens), min_size=1, max_size=3))
def test_tokens_of_plain_types_are_equal_as_in_python(pairs):
    references, hypotheses = map(list, zip(*pairs, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = [module.corpus_bleu(references, hypotheses) for module in (ours, theirs)]
    assert repr(scores[0]) == repr(scores[1])
