"""The cases of all documents, against each variant, and how scores print: ``pytest --pyargs bleukit.conformance``."""

from __future__ import annotations

import pytest
from bleukit.conformance import suite
from bleukit.conformance.judging import cases

import bleukit

VARIANTS = ("matlab", "nltk", "sacrebleu", "wikipedia")
CASES = {case.id: case for document in cases.suite_documents() for case in document.cases}


@pytest.mark.parametrize("variant", VARIANTS)
def test_conforms(variant: str) -> None:
    report = suite.conform(cases.suite_documents(), [variant], None)
    assert len(report.variants) > 150
    assert [(result.outcome.case, result.outcome.failures) for result in report.failures] == []


def score_of(case: str, variant: str) -> bleukit.Score:
    pairs = CASES[case].pairs
    return bleukit.load(variant).corpus([pair.hypothesis for pair in pairs], [pair.references for pair in pairs])


def test_a_score_prints_what_it_is_made_of() -> None:
    """Of R1 sacreBLEU prints 48.53 82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)."""
    made_of = "82.4/50.0/45.5/37.5 %, brevity penalty 0.9429, hypothesis length 17, reference length 18, 3 segments"
    score = score_of("R1", "sacrebleu")
    assert str(score) == f"{score}" == f"BLEU 48.53 (precisions {made_of}, sacrebleu)"
    assert f"{score:.2f}" == f"{float(score):.2f}" == "48.53"


def test_a_score_prints_a_dash_for_an_order_without_n_grams() -> None:
    made_of = "100.0/100.0/100.0/– %, brevity penalty 0.7165, hypothesis length 3, reference length 4, 1 segment"
    assert str(score_of("D4", "wikipedia")) == f"BLEU 0.0000 (precisions {made_of}, wikipedia)"


def test_a_score_compares_as_its_value_does() -> None:
    """NaN, MATLAB's score of empty texts, equals nothing."""
    score = score_of("R1", "sacrebleu")
    assert score == score.value == score_of("R1", "sacrebleu")
    assert hash(score) == hash(score.value)
    assert score_of("R1", "nltk") < score != score_of("R1", "nltk")
    assert score_of("M4", "matlab") != score_of("M4", "matlab")
