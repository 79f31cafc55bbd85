"""Smoothings whose options make them those of several programs."""

import math

import pytest

import bleukit
from bleukit.loading import creating, registry
from bleukit.plugin import Counts
from bleukit.variant import Component

COUNTS = Counts([1, 0, 0], [2, 1, 0], 2, 3.0)


def smoothing(name, **options):
    return creating.create(registry.installed(), "smoothing", Component(name, options)).call


@pytest.mark.parametrize(
    ("name", "options", "precisions", "steps"),
    [
        ("add-one", {}, [2 / 3, 1 / 2, 1], ["(1 + 1)/(2 + 1)", "(0 + 1)/(1 + 1)", "(0 + 1)/(0 + 1)"]),
        ("add-one", {"first": 0.0}, [1 / 2, 1 / 2, 1], ["", "(0 + 1)/(1 + 1)", "(0 + 1)/(0 + 1)"]),
        ("coco", {"matches": 0.5, "totals": 1.0}, [1.5 / 3, 0.5 / 2, 0.5], None),
        ("ignite-smooth1", {}, [1 / 2, 0.1, 0.1], ["", "0.1/1", "0.1/1"]),
        ("ignite-nltk_smooth2", {}, [1 / 2, 1 / 2, 1 / 2], ["", "(0 + 1)/(1 + 1)", "(0 + 1)/(1 + 1)"]),
    ],
)
def test_precisions_and_steps(name, options, precisions, steps):
    component = smoothing(name, **options)
    assert component(COUNTS) == pytest.approx(precisions)
    assert steps is None or component.steps(COUNTS) == steps


def test_nothing_is_added_to_no_unigram():
    assert math.isnan(smoothing("add-one", first=0.0)(Counts([0, 0], [0, 0], 0, 1.0))[0])


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ({"name": "add-one", "first": -1}, "first must be a finite number of at least 0, got -1"),
        ({"name": "coco", "matches": 2.0, "totals": 1.0}, "expected 0 < matches <= totals"),
    ],
)
def test_wrong_options_are_refused(choice, problem):
    with pytest.raises(bleukit.VariantError, match=problem):
        bleukit.load("evaluate", smoothing=choice)
