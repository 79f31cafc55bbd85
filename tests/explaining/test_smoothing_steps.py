"""The steps in which smoothings say that they compute precisions: computed here, they give these precisions."""

import math
import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bleukit
from bleukit.bleu.protocols import Counts
from bleukit.explaining import derivation
from bleukit.framework import creating
from bleukit.framework.registry import installed

NAMES = sorted(set(installed().of_kind("smoothing")) - {"none"})


@st.composite
def counts(draw):
    length, least = draw(st.integers(0, 9)), draw(st.integers(0, 1))  # NLTK's counter has totals of at least 1
    totals = [max(least, length - order) for order in range(4)]
    matches = [draw(st.integers(0, length))]
    for total in totals[1:]:
        matches.append(draw(st.integers(0, min(total, max(0, matches[-1] - 1)))))
    return Counts(matches, totals, length, 5.0)


@pytest.mark.parametrize("name", NAMES)
@given(counts())
@example(Counts([1, 0, 0, 0], [1] * 4, 1, 5.0))  # the logarithm of one token is 0
def test_steps_give_the_precisions(name, unit):
    smoothing = creating.create(installed(), "smoothing", bleukit.Component(name)).call
    unit = replace(unit, last=unit)
    try:
        precisions = smoothing(unit)
    except bleukit.InputError:
        return
    for step, precision, match, total in zip(smoothing.steps(unit), precisions, unit.matches, unit.totals, strict=True):
        arithmetic = step.partition(",")[0].replace("^", "**").replace("×", "*")
        value = eval(arithmetic, {"ln": math.log}) if step else match / total if total else math.nan
        assert math.isnan(precision) or math.isclose(value, precision, rel_tol=1e-4)


@pytest.mark.parametrize(
    ("smoothing", "line"),
    [
        (
            "nltk-method0",
            "p3 = 0/3, smoothed by .*: 2.2250738585072014e-308, the smallest normal number, in place of 0",
        ),
        ("exp", r"p3 = 0/3, smoothed by .*: \(1/2\^1\)/3 = 0.166667"),
        (
            {"name": "add-one", "first": 0.1234567},
            r"p1 = 4/5, smoothed by .*: \(4 \+ 0.123457\)/\(5 \+ 0.123457\) = 0.80",
        ),
        ({"name": "add-k", "k": 2}, r"p2 = 2/4, smoothed by .*: \(2 \+ 2\)/\(4 \+ 2\) = 0.666667"),
    ],
)
def test_explain_prints_the_steps(smoothing, line):
    bleu = bleukit.load("nltk", smoothing=smoothing)
    steps = derivation.derive(bleu, [], bleu.corpus(["a b c d x"], ["a b e d x f"]))
    assert re.search(line, derivation.written(steps))
