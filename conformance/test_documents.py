"""The cases of all documents, against each variant, and how scores print: ``pytest --pyargs bleukit.conformance``."""

from __future__ import annotations

import pytest
from bleukit.conformance.judging import cases
from bleukit.conformance.judging.named_variants import run_for_variant
from bleukit.conformance.judging.runner import run_case

import bleukit

VARIANTS = ("matlab", "nltk", "sacrebleu", "wikipedia")
CASES = {case.id: case for document in cases.suite_documents() for case in document.cases}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", [case for case in CASES.values() if not case.subject], ids=lambda case: case.id)
def test_a_variant_gives_what_a_case_states(case: cases.Case, variant: str) -> None:
    assert not run_case(case, variant).failures


@pytest.mark.parametrize(
    "case", [case for case in CASES.values() if case.variant in VARIANTS or case.metric], ids=lambda case: case.id
)
def test_the_variant_or_metric_of_a_case_gives_what_it_states(case: cases.Case) -> None:
    assert not run_for_variant(case, case.subject).failures


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
