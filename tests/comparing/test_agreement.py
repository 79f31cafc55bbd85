"""How often people agreed with a difference: against the table of Kocmi et al. (2024) and their package."""

import pytest

import bleukit
from bleukit.comparing.agreement import agreement

TABLE_2 = {0.27: 50, 0.52: 55, 0.78: 60, 1.06: 65, 1.39: 70, 1.79: 75, 2.34: 80, 3.35: 85}
"""The differences in BLEU at which people agreed in so many of 100 pairs of systems."""


@pytest.mark.parametrize(("difference", "percent"), TABLE_2.items())
def test_agreement_is_that_of_the_paper(difference, percent):
    assert 100 * agreement(difference) == pytest.approx(percent, abs=0.15)
    assert agreement(-difference) == agreement(difference)


def test_agreement_is_that_of_mt_thresholds():
    assert agreement(1.0) == pytest.approx(0.63989, abs=5e-6)  # in the README of version 1.0.4


def compared(variant, references, **options):
    texts = ["the ferry leaves at noon today", "she reads the letter twice"] * 6
    others = ["the ferry goes at noon today", "she reads a letter twice"] * 6
    of_each = [[text] * references for text in texts]
    return bleukit.compare(bleukit.load(variant, **options), {"one": texts, "two": others}, of_each, by="length")


@pytest.mark.parametrize("variant", ["sacrebleu", "sacrebleu-zh"])
def test_the_scores_of_the_study_have_it(variant):
    found = compared(variant, 1)
    assert found.pairs[0].agreement == agreement(found.pairs[0].difference)
    assert {pair.agreement for group in found.groups for pair in group.pairs} == {None}


@pytest.mark.parametrize(
    ("variant", "references", "options"),
    [
        ("nltk", 1, {}),
        ("sacrebleu", 2, {}),
        ("sacrebleu", 1, {"lowercase": True}),
        ("sacrebleu", 1, {"smoothing": "floor"}),
        ("sacrebleu-intl", 1, {}),
        ("sacrebleu", 1, {"scale": 1}),
    ],
)
def test_other_scores_do_not(variant, references, options):
    assert compared(variant, references, **options).pairs[0].agreement is None
