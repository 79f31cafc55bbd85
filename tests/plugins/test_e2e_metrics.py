"""Totals below 0, as e2e-metrics sums them; its scores are in the conformance suite."""

import pytest

import bleukit

E2E = bleukit.load("e2e-metrics")


def test_short_segments_lower_the_totals_of_others():
    rows = E2E.statistics(["a b c d e", "a", ""], ["a b c d e", "b", ""])
    assert rows.totals.tolist() == [[5, 4, 3, 2], [1, 0, 0, 0], [1, 0, 0, 0]]
    score = E2E.score(rows)
    assert score.precisions == pytest.approx((6 / 7, 1, 3, 2e9))
    assert score.value > 1
    assert E2E.scorer().values_of_sums(rows.sum().summed_rows()).tolist() == [score.value]
