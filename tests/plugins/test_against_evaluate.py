"""The evaluate variants give what Hugging Face's own module gave, whose scores are recorded beside this file.

The package ``evaluate`` downloads the module when it is used, so the tests cannot run it; tools/record_evaluate.py can.
"""

import pytest
import recorded_evaluate
from recorded_evaluate import RECORDED, SCORES

import bleukit

PEER = "evaluate"
VARIANTS = [bleukit.load("evaluate"), bleukit.load("evaluate-smooth")]


def test_on_texts_that_end_in_hyphens_line_feeds_and_spaces(difference):
    for number, (corpus, recorded) in enumerate(zip(recorded_evaluate.corpora(), SCORES, strict=True)):
        score = VARIANTS[number % 2].corpus(*corpus, references_by="segment")
        if recorded == recorded_evaluate.RAISES:
            assert 0 in {score.hypothesis_length, score.reference_length}
        else:
            difference.check(score.value, float(recorded), 1e-12)


def test_the_recorded_corpora_are_those_that_are_generated():
    assert f"# corpora {recorded_evaluate.checksum()}" in RECORDED


@pytest.mark.parametrize(
    "text", ["a b-\n", "a-<skipped>\n", "a -\n<skip", "<skip-\n", "<skipped>-\n<skipped>y\n", "5.-\n"]
)
def test_texts_together_have_the_tokens_of_each(text):
    tokens = VARIANTS[0].tokenize_all([text, "a-b"])
    assert list(map(list, tokens)) == [VARIANTS[0].components["tokenizer"].call(text), ["a-b"]]


@pytest.mark.parametrize(
    ("variant", "hypothesis", "references", "score"),
    [
        ("evaluate", "a b c d", ["", "a b c d"], 1),
        ("evaluate", "a b c d", "", 0),
        ("evaluate-smooth", "a b c d", "", (1 / 5 * 1 / 4 * 1 / 3 * 1 / 2) ** 0.25),
        ("evaluate-smooth", "", "a b c d", 0),
        ("evaluate-smooth", "", ["", "a"], 0),
        ("evaluate-smooth", "", "", 0),
    ],
)
def test_where_the_original_divides_by_zero_the_formula_holds(variant, hypothesis, references, score):
    assert bleukit.load(variant).sentence(hypothesis, references).value == pytest.approx(score)
