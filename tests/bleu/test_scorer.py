"""The derivatives of scores by the sums of statistics."""

import numpy as np
import pytest

import bleukit
from bleukit.bleu.scorer import difference_quotients

pytestmark = pytest.mark.oldest


def test_the_difference_quotient_of_a_linear_score_is_its_slope_also_where_one_step_is_impossible():
    """The first sum cannot become less, and the second no more; no step of the last is possible."""
    slopes, sums = np.array([2.0, -1.0, 0.5, 3.0]), np.array([0.0, 3.0, 5.0, 7.0])
    found = difference_quotients(lambda rows: rows @ slopes, sums, lambda rows: (rows[:, 1] > 3) | (rows[:, 3] != 7))
    np.testing.assert_allclose(found, [2, -1, 0.5, 0], rtol=1e-12)


@pytest.mark.parametrize("scale", [1, 100])
def test_the_gradient_of_a_mean_is_that_of_the_quotient(scale):
    """Of scale · s/n, the derivatives are -scale · s/n² and scale/n."""
    scorer = bleukit.load("nltk", average="macro", scale=scale).scorer()
    np.testing.assert_allclose(scorer.gradient(np.array([4.0, 1.5])), [-scale * 1.5 / 16, scale / 4], rtol=1e-12)
