"""The brevity penalties: the paper's, the same of longer lengths, and none."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.bleu.signature import read_signature
from bleukit.explaining.derivation import derive, written

CHOICES = ["standard", {"name": "added-lengths", "added_to_hypothesis": 1, "added_to_reference": 1}, "none"]
SIGNED = "variant:{name}|references:1|tokenizer:13a|counter:clipped|reference_length:closest|case:mixed|smoothing:exp|"
REST = "weights:0.25,0.25,0.25,0.25|effective_order:no|empty_score:0|scale:100|bleukit:0.1.0"


def penalty_of(choice):
    return bleukit.load("wikipedia", brevity_penalty=choice).components["brevity_penalty"].call


def test_no_brevity_penalty_leaves_the_mean_of_the_precisions():
    score = bleukit.load("wikipedia", brevity_penalty="none").corpus(["a b c d"], ["a b c d e f"])
    assert (score.value, score.brevity_penalty) == (1, 1)


@pytest.mark.parametrize("added", [-1, math.inf, math.nan])
def test_lengths_to_add_are_finite_and_not_negative(added):
    with pytest.raises(bleukit.VariantError, match="added_to_reference must be a finite number of at least 0"):
        penalty_of({"name": "added-lengths", "added_to_hypothesis": 0, "added_to_reference": added})


def test_a_sentence_may_have_another_one():
    bleu = bleukit.load("wikipedia", sentence={"brevity_penalty": "none"})
    assert bleu.sentence("a b c d", "a b c d e").value == 1
    assert bleu.corpus(["a b c d"], ["a b c d e"]).value == math.exp(-1 / 4)


def test_a_signature_names_the_penalty():
    other = SIGNED.format(name="sacrebleu (modified)") + "brevity_penalty:none|" + REST
    assert bleukit.load(read_signature(other).variant).signature == other.replace("references:1", "references:any")
    with pytest.raises(bleukit.VariantError, match="lacks brevity_penalty"):
        read_signature(SIGNED.format(name="sacrebleu") + REST)


@pytest.mark.parametrize("returned", [-0.5, math.nan, math.inf, "1", None])
def test_what_is_no_factor_is_refused(returned):
    bleu = bleukit.load("wikipedia", brevity_penalty=lambda *_: returned)
    with pytest.raises(
        bleukit.PluginError, match="not a factor of at least 0, for 1 tokens and a reference length of 2"
    ):
        bleu.sentence("a", "a b")


@given(st.lists(st.text("ab ", max_size=9), min_size=1, max_size=4))
def test_a_matrix_has_the_scores_of_sentences(texts):
    for choice in CHOICES:
        bleu = bleukit.load("sacrebleu", brevity_penalty=choice)
        expected = [[bleu.sentence(one, other).value for other in texts] for one in texts]
        assert bleukit.matrix(bleu, texts, texts).tolist() == expected


@pytest.mark.parametrize(
    ("hypothesis", "choice", "step"),
    [
        ("a", "standard", "BP = exp(1 - r/c) = exp(1 - 2/1) = 0.367879"),
        ("a", CHOICES[1], "BP = exp(1 - (r + 1)/(c + 1)) = exp(1 - 3/2) = 0.606531"),
        ("a b", CHOICES[1], "BP = 1, because (c + 1) = 3 ≥ (r + 1) = 3"),
        ("", "standard", "BP = 0, because c = 0"),
        ("a", "none", "BP = 1, because the variant has no brevity penalty"),
    ],
)
def test_explain_says_how_it_is_computed(hypothesis, choice, step):
    bleu = bleukit.load("wikipedia", brevity_penalty=choice)
    steps = derive(bleu, [], bleu.corpus([hypothesis], ["a b"]))
    assert step in written(steps)


def test_lengths_are_explained_with_six_digits():
    penalty = penalty_of("standard")
    assert penalty.steps(1234567, 1234.5678) == "1, because c = 1.23457e+06 \u2265 r = 1234.57"
    assert penalty.steps(1000, 1234.5678) == "exp(1 - r/c) = exp(1 - 1234.57/1000)"
