"""The cases of all documents, against each variant, and how scores print: ``pytest --pyargs bleukit.conformance``."""

from __future__ import annotations

import pytest
from bleukit.conformance import suite
from bleukit.conformance.judging import cases

import bleukit

VARIANTS = ("matlab", "nltk", "sacrebleu", "wikipedia")
CASES = {case.id: case for document in cases.built_in() for case in document.cases}


@pytest.mark.parametrize("variant", VARIANTS)
def test_conforms(variant: str) -> None:
    report = suite.conform(cases.built_in(), [variant], None)
    assert len(report.variants) > 150
    assert [(result.outcome.case, result.outcome.failures) for result in report.failures] == []


def scored(case: str, variant: str) -> bleukit.Score:
    pairs = CASES[case].pairs
    return bleukit.load(variant).corpus([pair.hypothesis for pair in pairs], [pair.references for pair in pairs])


def test_a_score_prints_what_it_is_made_of() -> None:
    """Of R1 sacreBLEU prints 48.53 82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)."""
    made_of = "82.4/50.0/45.5/37.5 %, brevity penalty 0.9429, hypothesis length 17, reference length 18, 3 segments"
    score = scored("R1", "sacrebleu")
    assert str(score) == f"{score}" == f"BLEU 48.53 (precisions {made_of}, sacrebleu)"
    assert f"{score:.2f}" == f"{float(score):.2f}" == "48.53"


def test_a_score_prints_a_dash_for_an_order_without_n_grams() -> None:
    made_of = "100.0/100.0/100.0/– %, brevity penalty 0.7165, hypothesis length 3, reference length 4, 1 segment"
    assert str(scored("D4", "wikipedia")) == f"BLEU 0.0000 (precisions {made_of}, wikipedia)"


def test_scores_are_equal_where_all_that_they_are_made_of_is() -> None:
    """Also if that is NaN, as MATLAB's score of empty texts is."""
    empty = scored("M4", "matlab")
    assert empty == scored("M4", "matlab")
    assert hash(empty) == hash(scored("M4", "matlab"))
    for other in (scored("M4", "nltk"), scored("D4", "matlab"), empty.value, str(empty)):
        assert empty != other
        assert other != empty
