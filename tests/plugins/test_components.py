"""Counters, reference lengths, smoothings and brevity penalties give what the original programs give, or definitions.

Each is called on one unit, and on many by its batch method. NLTK's methods are compared with NLTK itself elsewhere.
"""

import math
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from strategies import token_lists, tokens

import bleukit
from bleukit.bleu.protocols import Counts, CountsTable
from bleukit.framework import creating, registry
from bleukit.framework.options import Component
from bleukit.framework.packed import PackedTokens


def component(kind, name, **options):
    return creating.create(registry.installed(), kind, Component(name, options)).call


COUNTERS = {
    "clipped": {},
    "unclipped": {"clip": False},
    "nltk": {"least": 1},
    "fairseq-exact": {"unknown": "<unk>"},
}


def counts_of(hypothesis, references, max_order, clip=True, least=0, unknown=None):
    """Papineni et al. 2002, section 2.1: each n-gram at most as often as in any single reference."""
    matches, totals = [], []
    for order in range(1, max_order + 1):
        ours, *theirs = (
            Counter(zip(*(text[start:] for start in range(order)), strict=False)) for text in (hypothesis, *references)
        )
        most = {ngram: max(other[ngram] for other in theirs) * (unknown not in ngram) for ngram in ours}
        matches.append(sum(min(n, most[ngram]) if clip else n * (most[ngram] > 0) for ngram, n in ours.items()))
        totals.append(max(least, len(hypothesis) - order + 1))
    return matches, totals


CYCLES = st.builds(lambda cycle, times: cycle * times, st.lists(st.sampled_from("abc"), max_size=4), st.integers(0, 9))
LISTS = st.one_of(
    tokens, token_lists, CYCLES, st.sampled_from([["a", "a a"], ["a a", "a"], ["", "a\0"], ["<unk>"] * 3])
)


@pytest.mark.parametrize("name", COUNTERS)
@given(st.lists(st.tuples(LISTS, st.lists(LISTS, min_size=1, max_size=10)), max_size=4), st.integers(1, 18))
def test_counters(name, segments, max_order):
    counter = component("counter", name)
    expected = [counts_of(*segment, max_order, **COUNTERS[name]) for segment in segments]
    assert [tuple(map(list, counter(*segment, max_order))) for segment in segments] == expected
    if segments and counter.batch is not None:
        sides = counter.batch(*map(list, zip(*segments, strict=True)), max_order)
        assert [np.asarray(side).tolist() for side in sides] == [list(side) for side in zip(*expected, strict=True)]


REFERENCE_LENGTHS = {
    "closest": lambda length, references: min(sorted(references), key=lambda other: abs(other - length)),
    "first-closest": lambda length, references: min(references, key=lambda other: abs(other - length)),
    "shortest": lambda _, references: min(references),
    "longest": lambda _, references: max(references),
    "average": lambda _, references: sum(references) / len(references),
}
LENGTHS = st.integers(0, 9) | st.sampled_from([2**bits + more for bits in (15, 16, 31, 32) for more in (-1, 0, 1)])


@pytest.mark.parametrize("name", REFERENCE_LENGTHS)
@given(st.lists(st.tuples(LENGTHS, st.lists(LENGTHS, min_size=1, max_size=12)), min_size=1))
def test_reference_lengths(name, segments):
    policy = component("reference_length", name)
    expected = [float(REFERENCE_LENGTHS[name](*segment)) for segment in segments]
    assert [float(policy(*segment)) for segment in segments] == expected
    if getattr(policy, "batch", None) is not None:
        assert list(policy.batch(*map(list, zip(*segments, strict=True)))) == expected


def names_and_components(kind):
    for name in registry.installed().of_kind(kind):
        with suppress(bleukit.BleukitError):  # of a model or a package that is not there
            yield name, creating.create(registry.installed(), kind, Component(name))


def test_what_is_so_is_promised():
    """Without a promise the core computes in a slower way, or refuses what could be computed."""
    for name, policy in names_and_components("reference_length"):
        independent = all(
            policy.call(length, list(other)) == policy.call(length, list(lengths))
            for length in range(4)
            for lengths in product(range(4), repeat=3)
            for other in permutations(lengths)
        )
        assert bool(policy.promise("order_independent")) == independent, name
    for name, smoothing in names_and_components("smoothing"):
        of_lengths = [Counts([3, 2, 1, 1], [5, 4, 3, 2], 5, length) for length in (1.0, 9.0)]
        one, other = (list(smoothing.call(replace(counts, last=counts))) for counts in of_lengths)
        assert bool(smoothing.promise("ignores_reference_length")) == (one == other), name
    for name, tokenizer in names_and_components("tokenizer"):
        if tokenizer.batch is not None:
            gives_packed = isinstance(tokenizer.batch(["a b"]), PackedTokens)
            assert bool(tokenizer.promise("reads_packed")) == gives_packed, name


UNITS = st.lists(st.tuples(LENGTHS, st.floats(0, 20) | LENGTHS.map(float)), min_size=1, max_size=9)
ADDED = st.floats(0, 9) | st.sampled_from([0.0, 1.0, 1e-15, 1e-9, 2.0**53])


def factor(c, r):
    """Papineni et al. 2002, section 2.3; 0 for a text of no token."""
    return math.exp(min(0.0, 1 - r / c)) if c else 0.0


@given(UNITS, st.tuples(ADDED, ADDED))
def test_brevity_penalties(units, added):
    longer = {"added_to_hypothesis": added[0], "added_to_reference": added[1]}
    for penalty, expected in (
        (component("brevity_penalty", "standard"), [factor(*unit) for unit in units]),
        (component("brevity_penalty", "none"), [1.0] * len(units)),
        (
            component("brevity_penalty", "added-lengths", **longer),
            [factor(c + added[0], r + added[1]) for c, r in units],
        ),
    ):
        assert [penalty(*unit) for unit in units] == expected
        if penalty.batch is not None:
            c, r = (np.array(column) for column in zip(*units, strict=True))
            assert penalty.batch(c.astype(np.int64), r.astype(np.float64)).tolist() == expected


def plain(matches, totals):
    return [match / total if total else math.nan for match, total in zip(matches, totals, strict=True)]


def halved(matches, totals):
    """mteval-v13a, ``sub bleu_score``: orders without a match have 1/2, 1/4, … of one; those without n-grams 1."""
    first, smoothed = 1.0, []
    for match, total in zip(matches, totals, strict=True):
        first /= 2 if total and not match else 1
        smoothed.append((match or first) / total if total else 1.0)
    return smoothed


def added(matches, totals, more):
    return plain(*([n + k for n, k in zip(side, more, strict=True)] for side in (matches, totals)))


def of_every_order(matches, totals, smooth):
    """TorchMetrics: 0 as soon as one order has no match; else one more from order 2 on, if ``smooth``."""
    if not all(matches):
        return [precision * 0 for precision in plain(matches, totals)]
    return added(matches, totals, [0] + [int(smooth)] * (len(matches) - 1))


def of_ignite(matches, totals, smoothed):
    totals = [max(1, total) for total in totals]
    return smoothed(matches, totals) if matches[0] else [0.0] * len(matches)


def by_sacrebleu(method, value=None):
    def smoothed(matches, totals, length):
        theirs = BLEU.compute_bleu(
            [*matches], [*totals], length, length, method, value, effective_order=False, max_ngram_order=len(matches)
        ).precisions
        undefined = [
            not total and not (value and method == "add-k" and n and any(matches)) for n, total in enumerate(totals)
        ]
        return [math.nan if nothing else p / 100 for p, nothing in zip(theirs, undefined, strict=True)]

    return smoothed


DEFINED = {
    "none": lambda m, t, _: plain(m, t),
    "matlab": lambda m, t, length: plain(m, t) if length >= len(m) else [p * 0 for p in plain(m, t)],
    "mteval": lambda m, t, _: halved(m, t),
    "exp": by_sacrebleu("exp"),
    "ignite-smooth1": lambda m, t, _: of_ignite(
        m, t, lambda m, t: [(n or 0.1) / of for n, of in zip(m, t, strict=True)]
    ),
    "ignite-nltk_smooth2": lambda m, t, _: of_ignite(m, t, lambda m, t: added(m, t, [0] + [1] * (len(m) - 1))),
    "add-one": lambda m, t, _: added(m, t, [1] * len(m)),
    "multiwoz": lambda m, t, _: [n / (of + 1e-7) + 1e-7 for n, of in zip(m, t, strict=True)],
    "paddlenlp": lambda m, t, _: [n / of if n else sys.float_info.min for n, of in zip(m, t, strict=True)],
    "coco": lambda m, t, _: [(n + 1e-15) / (of + 1e-9) for n, of in zip(m, t, strict=True)],
    "e2e-metrics": lambda m, _, length: [max(n, 1e-15) / max(length - order, 1e-9) for order, n in enumerate(m)],
    "torchmetrics": lambda m, t, _: of_every_order(m, t, False),
    "floor": by_sacrebleu("floor", 0.1),
    "add-k": by_sacrebleu("add-k", 1.0),
}
WITH_OPTIONS = [
    ("floor", {"value": 0.25}, by_sacrebleu("floor", 0.25)),
    ("floor", {"value": 0.0}, by_sacrebleu("floor", 0.0)),
    ("add-k", {"k": 2.5}, by_sacrebleu("add-k", 2.5)),
    ("add-k", {"k": 0.0}, by_sacrebleu("add-k", 0.0)),
    ("add-one", {"first": 0.0}, lambda m, t, _: added(m, t, [0] + [1] * (len(m) - 1))),
    (
        "coco",
        {"matches": 0.5, "totals": 1.0},
        lambda m, t, _: [(n + 0.5) / (of + 1) for n, of in zip(m, t, strict=True)],
    ),
    (
        "e2e-metrics",
        {"added": 0.5},
        lambda m, _, length: [(n + 0.5) / max(length - order + 0.5, 1e-9) for order, n in enumerate(m)],
    ),
    ("torchmetrics", {"smooth": True}, lambda m, t, _: of_every_order(m, t, True)),
]


@st.composite
def counts(draw, least_orders=1, most_orders=6):
    """Matches and totals as a text can have them: n-grams match less often than the ones they are made of."""
    number, length, segments = (
        draw(st.integers(least_orders, most_orders)),
        draw(st.integers(0, 12)),
        draw(st.integers(1, 3)),
    )
    totals = [max(0, length - order * segments) for order in range(number)]
    matches, most = [], length
    for total in totals:
        most = draw(st.integers(0, min(total, most)))
        matches.append(most)
    return matches, totals, length


ALL = [*((name, {}, of) for name, of in DEFINED.items()), *WITH_OPTIONS]


@pytest.mark.parametrize(("name", "options", "defined"), ALL, ids=[f"{name}{options}" for name, options, _ in ALL])
@given(counts())
def test_smoothings(name, options, defined, unit):
    got = component("smoothing", name, **options)(Counts(*unit, 5.0))
    assert got == pytest.approx(defined(*unit), rel=1e-12, abs=0, nan_ok=True)


def test_every_smoothing_is_compared():
    of_nltk = {f"nltk-method{number}" for number in range(8)}
    assert {*DEFINED, *of_nltk} == registry.installed().of_kind("smoothing").keys()


SMOOTHINGS = [*((name, {}) for name in sorted(registry.installed().of_kind("smoothing")))]
SMOOTHINGS += [*((name, options) for name, options, _ in WITH_OPTIONS), ("nltk-method4", {"k": 2.0})]
SMOOTHINGS += [("nltk-method1", {"epsilon": 0.5}), ("nltk-method6", {"alpha": 2.0}), ("nltk-method7", {"k": 2.0})]


@pytest.mark.parametrize(("name", "options"), SMOOTHINGS, ids=str)
@given(st.lists(counts(5, 5), min_size=1, max_size=5))
def test_a_batch_of_units_is_smoothed_as_each(name, options, units):
    smoothing = component("smoothing", name, **options)
    if getattr(smoothing, "batch", None) is None:
        return
    alone = [Counts(*unit, 5.0, Counts(*unit, 5.0)) for unit in units]
    try:
        expected = [list(smoothing(unit)) for unit in alone]
    except bleukit.InputError:
        return
    columns = (np.array(column) for column in zip(*units, strict=True))
    table = CountsTable(*columns, np.full(len(units), 5.0))
    table = CountsTable(*(getattr(table, name) for name in list(vars(table))[:4]), last=table)
    assert np.array_equal(smoothing.batch(table), expected, equal_nan=True)


@pytest.mark.parametrize(
    ("kind", "choice", "problem"),
    [
        ("smoothing", {"name": "add-one", "first": -1}, "first must be a finite number of at least 0, got -1"),
        ("smoothing", {"name": "coco", "matches": 2.0, "totals": 1.0}, "both finite; got matches 2.0, totals 1.0"),
        ("smoothing", {"name": "floor", "value": -1}, "value must be a finite number of at least 0, got -1"),
        ("smoothing", {"name": "add-k", "k": -0.5}, "k must be a finite number of at least 0, got -0.5"),
        (
            "smoothing",
            {"name": "e2e-metrics", "added": -1e-9},
            "added must be a finite number of at least 0, got -1e-09",
        ),
        *(
            (
                "smoothing",
                {"name": f"nltk-method{number}", option: value},
                f"{option} must be a finite number above 0, got {value}",
            )
            for number, option in ((1, "epsilon"), (4, "k"), (6, "alpha"), (7, "k"))
            for value in (0, -1)
        ),
    ],
)
def test_wrong_options_are_refused(kind, choice, problem):
    with pytest.raises(bleukit.VariantError, match=problem):
        bleukit.load("evaluate", **{kind: choice})
