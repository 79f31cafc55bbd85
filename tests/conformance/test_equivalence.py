"""``--as``: whether a component or a variant gives the same as another one."""

import pytest
from bleukit.conformance.contract.checks import plain_counts
from bleukit.conformance.contract.equivalence import first_difference
from bleukit.conformance.judging import cases

import bleukit

FEW = cases.load_document(cases.FOLDER / "wikipedia.yaml").cases


def differences(kind, choice, other, examples=40):
    return list(first_difference(kind, choice, other, FEW, examples, lambda *_: None))


@pytest.mark.parametrize(
    ("kind", "choice", "other"),
    [
        ("tokenizer", lambda text: text.split(), "whitespace"),
        ("counter", lambda hypothesis, references, n: plain_counts(hypothesis, references, n, least_total=1), "nltk"),
        ("reference_length", lambda _, lengths: min(lengths), "shortest"),
        ("reference_length", lambda _, lengths: sum(lengths) / len(lengths), "average"),
        ("smoothing", {"name": "floor", "value": 0.1}, "floor"),
        ("smoothing", {"name": "add-k", "k": 1}, {"name": "add-k", "k": 1.0}),
        ("variant", "wikipedia", "wikipedia"),
    ],
)
def test_a_true_claim_has_no_difference(kind, choice, other):
    assert differences(kind, choice, other) == []


def shortest_of_two(_, lengths):
    return min(lengths[:2])


@pytest.mark.parametrize(
    ("kind", "choice", "other", "shown"),
    [
        ("tokenizer", "char", "whitespace", "', '"),
        ("tokenizer", lambda text: text.split(" "), "whitespace", "[''], but [] of whitespace"),
        ("tokenizer", lambda text: text.replace("\u2028", " \u2028").split(), "13a", "of 13a"),
        ("counter", "unclipped", "clipped", "of clipped"),
        ("counter", "clipped", "nltk", "([0], [0]), but ([0], [1]) of nltk"),
        ("reference_length", shortest_of_two, "shortest", "of shortest"),
        ("reference_length", "shortest", "closest", "of closest"),
        ("smoothing", {"name": "floor", "value": 0.2}, "floor", "of floor"),
        ("smoothing", "exp", "none", "of none"),
        ("brevity_penalty", lambda c, r: min(1.0, c / r) if r else 1.0, "standard", "of standard"),
        ("variant", "nltk", "wikipedia", "of wikipedia"),
        ("variant", "sacrebleu", "multi-bleu", "of multi-bleu"),
    ],
)
def test_a_false_claim_is_refuted_by_the_first_difference(kind, choice, other, shown):
    (difference,) = differences(kind, choice, other)
    assert shown in difference
    assert len(difference) < 500


def test_a_difference_for_one_character_is_found():
    """It is neither generated, as far as one can know, nor in a case."""
    (difference,) = differences("tokenizer", lambda text: text.replace("\u0e2f", "").split(), "whitespace", 5)
    assert difference == "'\u0e2f': [], but ['\u0e2f'] of whitespace"


@pytest.mark.parametrize(
    ("kind", "other", "message"),
    [
        ("tokenizer", "13b", "unknown tokenizer '13b'; did you mean '13a'"),
        ("smoothing", {"name": "floor", "values": 1}, "values"),
        ("variant", {"name": "nltk"}, "expected the name of a variant"),
    ],
)
def test_what_is_nothing_to_conform_to_is_an_error(kind, other, message):
    choice = {"tokenizer": "char", "smoothing": "exp", "variant": "nltk"}[kind]
    with pytest.raises(bleukit.VariantError, match=message):
        differences(kind, choice, other)
