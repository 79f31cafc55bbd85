"""bleukit.compat.nltk beside nltk.translate.bleu_score: the same numbers, types, warnings and errors."""

import fractions
import math
import pickle
import warnings
from collections import UserList, deque
from functools import partial
from importlib.metadata import version

import nltk.translate.bleu_score as theirs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleukit.compat import nltk as ours

PEER = f"the interface of nltk {version('nltk')}"

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
    if isinstance(value, fractions.Fraction):
        return fractions.Fraction, value.numerator, value.denominator
    return type(value), repr(value)


def agree(name, *arguments):
    assert outcome(partial(getattr(ours, name), *arguments)) == outcome(partial(getattr(theirs, name), *arguments))


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
    agree("corpus_bleu", references, hypotheses[more:])


@given(groups, texts, st.one_of(st.integers(-2, 6), st.sampled_from([None, "2"])))
def test_modified_precision(references, hypothesis, n):
    agree("modified_precision", references, hypothesis, n)


@given(groups, st.one_of(st.integers(0, 12), st.floats(), st.sampled_from([None, "2"])))
def test_closest_ref_length(references, length):
    agree("closest_ref_length", references, length)


@given(*[st.one_of(st.integers(-2, 9), st.floats(-1, 9), st.sampled_from([None, "2"]))] * 2)
def test_brevity_penalty(reference_length, length):
    agree("brevity_penalty", reference_length, length)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 9)), max_size=6), token_lists, methods, st.booleans())
def test_smoothing_functions_called_directly(terms, hypothesis, method, with_length):
    arguments = ([["a", "b"]], hypothesis, *([len(hypothesis)] if with_length else []))
    calls = [
        lambda m=m: method(m)([m.Fraction(*pair, _normalize=False) for pair in terms], *arguments)
        for m in (ours, theirs)
    ]
    assert as_float(calls[0]) == as_float(calls[1])


def as_float(call):
    """The outcome, with fractions as numbers: sums of them are reduced, or not, by the version of Python."""
    found, caught = outcome(call)
    if isinstance(found, list):
        found = [item[1] / item[2] if item[0] is fractions.Fraction else item for item in found]
    return found, caught


def test_the_parameters_are_those_of_nltk():
    import inspect

    for name in ours.__all__:
        if name not in ("Fraction", "SmoothingFunction"):
            mine, peers = (inspect.signature(getattr(m, name)).parameters for m in (ours, theirs))
            assert [(p.name, p.default) for p in mine.values()] == [(p.name, p.default) for p in peers.values()]


def test_references_that_can_be_read_once_are_used_up_as_in_nltk():
    def references():
        return (list(text) for text in ("abc", "abd"))

    for module in (ours, theirs):
        assert float(module.modified_precision(references(), list("abx"), 1)) == 2 / 3
        with pytest.raises(KeyError):
            module.sentence_bleu(references(), list("abx"))


def test_a_fraction_survives_pickling():
    fraction = ours.modified_precision([["a", "b"]], ["a", "b", "c", "d"], 1)
    copied = pickle.loads(pickle.dumps(fraction))
    assert (copied.numerator, copied.denominator) == (2, 4)
    assert copied == fraction == fractions.Fraction(1, 2)


def test_a_fraction_is_equal_to_the_float_of_its_value():
    assert ours.Fraction(2, 4) == 0.5 == ours.Fraction.from_float(0.5)


plain_tokens = st.lists(st.sampled_from([0, 1, 2, True, 1.0, 2.5, "1", "a", b"a", math.nan, ""]), max_size=9)


@given(st.lists(st.tuples(st.lists(plain_tokens, min_size=1, max_size=3), plain_tokens), min_size=1, max_size=3))
def test_tokens_of_plain_types_are_equal_as_in_python(pairs):
    references, hypotheses = map(list, zip(*pairs, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = [module.corpus_bleu(references, hypotheses) for module in (ours, theirs)]
    assert repr(scores[0]) == repr(scores[1])
