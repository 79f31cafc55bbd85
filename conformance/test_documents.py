"""Every case of every document, against each variant: ``pytest --pyargs bleukit_conformance``."""

from __future__ import annotations

import pytest
from bleukit_conformance import cases
from bleukit_conformance.runner import run

VARIANTS = ("matlab", "nltk", "sacrebleu", "wikipedia")
CASES = {case.id: case for document in cases.built_in() for case in document.cases}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", CASES)
def test_conforms(case: str, variant: str) -> None:
    outcome = run(CASES[case], variant)
    assert outcome.failures == outcome.open == ()
