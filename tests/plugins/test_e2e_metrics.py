"""Totals below 0, as e2e-metrics sums them; its scores are in the conformance suite."""

import numpy as np
import pytest

import bleukit

E2E = bleukit.load("e2e-metrics")


def test_totals_are_summed_as_they_come():
    rows = E2E.statistics(["a b c d e", "a", ""], ["a b c d e", "b", ""])
    assert rows.totals.tolist() == [[5, 4, 3, 2], [1, 0, -1, -2], [1, 0, -1, -2]]
    score = E2E.score(rows)
    assert score.precisions == pytest.approx((6 / 7, 1, 3, 2e9))
    assert score.value > 1


def test_statistics_with_such_totals_can_be_copied(tmp_path):
    rows = E2E.statistics(["a b c d e", "a"], ["a b c d e", "b"])
    columns = {name: rows.column(name).tolist() for name in bleukit.Statistics.COLUMNS}
    copied = bleukit.Statistics(rows.max_order, columns, None, rows.counted_by)
    assert E2E.score(copied) == E2E.score(rows)
    summed = {name: np.ravel(getattr(rows.sum(), name)).tolist() for name in bleukit.Statistics.COLUMNS}
    assert bleukit.Statistics(4, summed).totals.tolist() == [[6, 4, 2, 0]]


def test_other_smoothings_see_no_total_below_0():
    hypotheses, references = ["a b c d e", "a"] + [""] * 2, ["a b c d e", "a"] + [""] * 2
    bleu = bleukit.load("e2e-metrics", smoothing="none", weights=2)
    score = bleu.corpus(hypotheses, references)
    assert (score.totals, score.precisions) == ((8, 4), (1, 1))
    short = bleu.sentences(["a", "a b"], ["a", "a b"])
    assert short.tolist() == [0, 1]
    assert np.isnan(bleukit.load("e2e-metrics", smoothing="none").sentence("a", "a").precisions[1:]).all()
