"""What the functions that take a variant take: a name, a file or a Variant, and no interface of another library."""

from fractions import Fraction

import pytest

import bleukit
from bleukit.compat import nltk, sacrebleu

SYSTEMS = {"first": ["the cat sat on the mat", "a dog"] * 6, "second": ["the cat sat on mats", "a dog"] * 6}
REFERENCES = ["the cat sat on a mat", "a dog"] * 6

CALLS = [
    lambda variant: bleukit.compare(variant, SYSTEMS, REFERENCES, samples=20),
    lambda variant: bleukit.report(variant, SYSTEMS, REFERENCES),
    lambda variant: bleukit.explain(variant, "nltk", SYSTEMS["first"], REFERENCES),
    lambda variant: bleukit.explain("nltk", variant, SYSTEMS["first"], REFERENCES),
    bleukit.load,
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("variant", ["sacrebleu", bleukit.load("sacrebleu").variant])
def test_names_and_variants(call, variant):
    assert call(variant)


@pytest.mark.parametrize("call", CALLS[:-1])
def test_what_is_loaded(call):
    assert call(bleukit.load("sacrebleu"))


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "wrong",
    [sacrebleu, nltk, sacrebleu.BLEU, sacrebleu.BLEU(), bleukit.Bleu, 4, Fraction(1, 2), b"sacrebleu", ["nltk"]],
)
def test_anything_else_is_refused(call, wrong):
    with pytest.raises(
        bleukit.InputTypeError, match="expected a variant's name, the path of a YAML file or a Variant"
    ) as found:
        call(wrong)
    assert "\n" not in str(found.value)
    assert f"got {type(wrong).__name__} " in str(found.value)


@pytest.mark.parametrize("function", [bleukit.compare, bleukit.report])
@pytest.mark.parametrize("systems", [list(SYSTEMS.values()), sacrebleu, 4, None, "first"])
def test_systems_are_named(function, systems):
    with pytest.raises(bleukit.InputTypeError, match="systems: expected"):
        function("sacrebleu", systems, REFERENCES)
