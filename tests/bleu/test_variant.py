"""A variant's YAML: what is accepted, and every possible mistake reported with file, line and key."""

import functools
import json
import pickle
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from multiprocessing import get_context

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleukit
from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.bleu.loader import OF_SCORING, named
from bleukit.bleu.signature import read_signature
from bleukit.bleu.variant import DESCRIPTIVE_KEYS, from_keys
from bleukit.bleu.variant_schema import variant_schema
from bleukit.framework import yaml_document
from bleukit.framework.errors import NAME
from bleukit.framework.options import Component
from bleukit.framework.registry import Registry, installed

pytestmark = pytest.mark.oldest

BILLION_LAUGHS = "a: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(
    f"{name}: &{name} [{','.join(['*' + below] * 9)}]\n" for below, name in zip("abcdef", "bcdefg", strict=True)
)


def load_text(tmp_path, text):
    path = tmp_path / "variant.yaml"
    path.write_text(text, encoding="utf-8")
    return bleukit.load(path)


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("variant: nltk\ntokeniser: 13a", ":2: tokeniser", "unknown key; did you mean 'tokenizer'"),
        ("variant: nltc", ":1: variant", "unknown variant 'nltc', and no program of this name is known; did you mean "),
        ("variant: [nltk]", ":1: variant", "expected text, got a list"),
        ("tokenizer: 13b", ":1: tokenizer", "unknown tokenizer '13b'; did you mean '13a'?"),
        ("counter: clip", ":1: counter", "unknown counter 'clip'; did you mean 'clipped'"),
        ("reference_length: close", ":1: reference_length", "unknown reference length 'close'; did you mean 'closest'"),
        ("smoothing:", ":1: smoothing", "expected a name, or a mapping with `name` and options"),
        ("smoothing: {k: 1}", ":1: smoothing", "expected a name, or a mapping"),
        ("smoothing:\n  name: add-k\n  kk: 1", ":3: smoothing.kk", "unknown option; did you mean 'k'? known: k"),
        ("smoothing:\n  name: add-k\n  k: one", ":3: smoothing.k", "expected a number, got text"),
        ("smoothing: {name: add-k, k: -1}", ":1: smoothing", "k must be a finite number of at least 0, got -1"),
        ("smoothing: {name: exp, k: 1}", ":1: smoothing.k", "unknown option; 'exp' takes no options"),
        ("weights: 0.25", ":1: weights", "expected a list, got a number"),
        ("weights: []", ":1: weights", "length >= 1"),
        ("weights:\n- 0.5\n- -0.5", ":3: weights[1]", "expected a number >= 0.0"),
        ("weights: [0.5, .inf]", ":1: weights[1]", "expected a finite number of at least 0, got float inf"),
        ("weights: [.nan]", ":1: weights[0]", "expected a number >= 0.0"),
        ("weights: [0, 0]", ":1: weights", "at least one weight must be above 0"),
        (f"weights: {[1] * 101}", ":1: weights", "length <= 100"),
        ("weights: !!set {0.3, 0.7}", ":1: weights", "which has no order"),
        ("variant:", ":1: variant", "expected text, got nothing"),
        ("weights: ['0.5']", ":1: weights[0]", "expected a number, got text"),
        ("weights: [true]", ":1: weights[0]", "expected a number, got true or false"),
        ("weights: [1e308, 1e308]", ":1: weights", "their sum is no finite number"),
        ("name: 'a|b'", ":1: name", "expected letters, digits and ._+-"),
        ("lowercase: 1", ":1: lowercase", "expected true, false or ascii, got int 1"),
        ("lowercase: yes", ":1: lowercase", "expected true, false or ascii, got str 'yes'"),
        ("normalize_weights: null", ":1: normalize_weights", "expected true or false, got nothing"),
        ("effective_order: []", ":1: effective_order", "expected true or false, got a list"),
        ("scale: 10", ":1: scale", "expected 1 or 100, got int 10"),
        ("empty_score: 101", ":1: empty_score", "expected 0 to 100 (the scale), or .nan, got float 101.0"),
        ("empty_score: none", ":1: empty_score", "expected a number, got text"),
        ("plugins: my_tokenizer", ":1: plugins", "expected a list, got text"),
        ("plugins:\n  - 1", ":2: plugins[0]", "expected text, got a whole number"),
        ("- variant", ":1", "expected keys such as `variant: nltk`, got list"),
        ("nltk", ":1", "expected keys such as `variant: nltk`, got str 'nltk'"),
        ("variant: nltk\nvariant: matlab", ":2: variant", "is given twice"),
        ("a: {b: [1, 2}", ":1", "is not valid YAML"),
        ("variant: nltk\n\tscale: 1", ":2", "is not valid YAML"),
        ("variant: !!python/object:os.system {}", ":1", "is not valid YAML: could not determine a constructor"),
        ("scale: !!int x", "", "is not what its tag says"),
        ("scale: !!bool x", "", "is not what its tag says"),
        ("? [a]\n: b", ":1", "is not valid YAML: found unhashable key"),
        ("--- 1\n--- 2", ":2", "is not valid YAML: but found another document"),
        ("a: &a [*a]", ":1: a[0]", "alias refers to itself"),
        ("a: " + "[" * 100 + "]" * 100, ":1", "is nested deeper than 64 levels"),
        (BILLION_LAUGHS, "", "holds more than 100000 values"),
        ("a: '" + "x" * (1 << 20) + "'", "", "is larger than 1048576 bytes"),
    ],
)  # fmt: skip
def test_mistakes_are_reported_with_file_line_and_key(tmp_path, text, where, problem):
    with pytest.raises(bleukit.VariantError) as error:
        load_text(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path / 'variant.yaml'}{where}")
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(bleukit.VariantError, match="nothing.yaml: cannot be read: No such file"):
        bleukit.load(tmp_path / "nothing.yaml")
    with pytest.raises(bleukit.VariantError, match="cannot be read: Is a directory"):
        bleukit.load(tmp_path)
    (tmp_path / "binary.yaml").write_bytes(b"variant: nltk\nname: \xff")
    with pytest.raises(bleukit.VariantError, match="binary.yaml:2: is not UTF-8 at byte 21"):
        bleukit.load(tmp_path / "binary.yaml")


def test_a_file_that_names_no_variant_starts_from_the_default_one(tmp_path):
    assert load_text(tmp_path, "scale: 100").variant == bleukit.load().variant == bleukit.load("sacrebleu").variant


def test_keys_override_the_variant_they_start_from(tmp_path):
    loaded = load_text(tmp_path, "variant: nltk\nsmoothing: {name: add-k, k: 2}\nweights: [0.5, 0.5]").variant
    assert loaded == bleukit.load("nltk", smoothing={"name": "add-k", "k": 2}, weights=[0.5, 0.5]).variant
    assert loaded != bleukit.load("nltk").variant


@pytest.mark.parametrize("text", ["\x85", "a\u2028b", "\u2029 c"])
def test_line_separators_of_unicode_survive_yaml(tmp_path, text):
    written = bleukit.load(description=text).variant.to_yaml()
    assert load_text(tmp_path, written).variant.description == text


def test_words_of_yaml_1_1_are_text(tmp_path):
    assert load_text(tmp_path, "variant: nltk\nname: on").variant.name == "on"
    assert load_text(tmp_path, "smoothing: {name: floor, value: 1e-3}").variant.smoothing.options == {"value": 1e-3}


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "name": st.from_regex(NAME, fullmatch=True)
            | st.sampled_from(["", "1e3", "08", "0.5e1", "on", "null", "13a"]),
            "description": st.text(),
            "used_by": st.text(),
            "tokenizer": st.sampled_from(["13a", "char", "intl", "matlab", "none", "whitespace", "zh"]),
            "counter": st.sampled_from(["clipped", "nltk", {"name": "unclipped"}]),
            "reference_length": st.sampled_from(sorted(installed().of_kind("reference_length"))),
            "smoothing": st.sampled_from(["none", {"name": "add-k", "k": 2}, {"name": "floor", "value": 1e-9}]),
            "weights": st.lists(st.floats(0, 1e300), min_size=1).filter(any),
            "normalize_weights": st.booleans(),
            "lowercase": st.booleans(),
            "effective_order": st.booleans(),
            "empty_score": st.floats(0, 1) | st.just(float("nan")),
            "scale": st.sampled_from([1, 100]),
        },
    )
)
def test_a_variant_prints_as_yaml_that_loads_to_an_equal_variant(tmp_path_factory, overrides):
    variant = bleukit.load("sacrebleu", **overrides).variant
    again = load_text(tmp_path_factory.mktemp("variant"), variant.to_yaml()).variant
    assert again == variant
    assert hash(again) == hash(variant)
    assert [getattr(again, key) for key in DESCRIPTIVE_KEYS] == [getattr(variant, key) for key in DESCRIPTIVE_KEYS]
    assert pickle.loads(pickle.dumps(variant)) == variant


@pytest.mark.parametrize("name", sorted(installed().of_kind("variant")))
def test_every_named_variant_is_complete_and_documented(name):
    variant = named(name, installed())
    assert variant.description
    assert variant.source
    jsonschema.validate(
        {key: getattr(variant, key) for key in ("name", "scale", "lowercase")}, variant_schema(Registry())
    )
    try:
        bleu = bleukit.load(variant)
    except bleukit.NotInstalledError as error:
        pytest.skip(str(error))
    perfect = bleu.corpus(["a b c d e"], ["a b c d e"]).value
    if bleu.variant.smoothing.name == "nltk-method5":
        return  # that of B-CC, which exceeds 1
    assert perfect == pytest.approx(variant.scale, rel=1e-7)  # some programs add a billionth or less to every count


def test_json_schema_accepts_and_refuses_what_loading_does():
    schema = variant_schema(Registry())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    good = {"variant": "nltk", "smoothing": {"name": "add-k", "k": 1}, "weights": [1, 0], "scale": 100, "plugins": []}
    assert not list(validator.iter_errors(good))
    for key, value in [
        ("weight", [1]),
        ("weights", [-1]),
        ("weights", []),
        ("scale", 5),
        ("lowercase", "no"),
        ("counter", {}),
    ]:
        assert list(validator.iter_errors({key: value})), key
    assert set(COMPONENT_HOOKS) < set(schema["properties"])
    json.dumps(schema)


@pytest.mark.parametrize(
    ("key", "choice", "right"),
    [
        ("smoothing", "add-k", True),
        ("smoothing", {"name": "add-k"}, True),
        ("smoothing", {"name": "add-k", "k": 2}, True),
        ("smoothing", {"name": "add-k", "k": "two"}, False),
        ("smoothing", {"name": "add-k", "kk": 2}, False),
        ("tokenizer", {"name": "spm", "model": "a.model"}, True),
        ("tokenizer", {"name": "spm"}, False),
        ("tokenizer", {"name": "of-a-plugin-to-load", "any": 1}, True),
    ],
)
def test_the_json_schema_knows_the_options_of_components(key, choice, right):
    schema = variant_schema(installed())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert jsonschema.Draft202012Validator(schema).is_valid({key: choice}) is right


@pytest.mark.parametrize("source", [7, ["nltk"], b"nltk"])
def test_what_cannot_be_a_source_is_refused(source):
    with pytest.raises(bleukit.InputTypeError, match="expected a variant's name, the path of a YAML file or a Variant"):
        bleukit.load(source)


def test_overrides_are_reported_by_their_key_alone():
    with pytest.raises(bleukit.VariantError, match=r"^weights\[1\]: expected a number, got text"):
        bleukit.load("nltk", weights=[1, "2"])
    with pytest.raises(bleukit.VariantError, match="^variant: cannot be overridden"):
        bleukit.load("nltk", variant="matlab")
    with pytest.raises(bleukit.VariantError, match="^wieghts: unknown key; did you mean 'weights'"):
        bleukit.load("nltk", wieghts=[1])


def test_a_variant_built_in_python_scores_and_tells_its_name():
    variant = bleukit.Variant(
        name="mine",
        tokenizer=bleukit.Component("whitespace"),
        counter=bleukit.Component("clipped"),
        reference_length=bleukit.Component("shortest"),
        smoothing=bleukit.Component("add-k", {"k": 0.5}),
    )
    score = bleukit.load(variant).sentence("a b c", "a b d")
    assert score.variant == "mine"
    assert "smoothing:add-k(k=0.5)" in score.signature


def test_errors_pickle():
    error = bleukit.VariantError("is wrong", ("weights", 0), "variant.yaml:3")
    assert str(pickle.loads(pickle.dumps(error))) == str(error) == "variant.yaml:3: weights[0]: is wrong"


@pytest.mark.parametrize(
    ("smoothing", "weights", "key"), [("nltk-method6", [1], "smoothing"), ("nltk-method5", [5000] * 4, "weights")]
)
def test_an_error_of_input_names_the_key_of_the_variant_that_refuses_it(smoothing, weights, key):
    bleu = bleukit.load("nltk", smoothing=smoothing, weights=weights)
    with pytest.raises(bleukit.InputError) as error:
        bleu.sentence("a b c d e f", "a b c d e f")
    assert pickle.loads(pickle.dumps(error.value)).key == (key,)


def test_a_variant_that_spells_out_a_default_is_itself():
    assert bleukit.load("torchmetrics-smooth").label == "torchmetrics-smooth"
    assert bleukit.load("torchmetrics", smoothing={"name": "torchmetrics", "smooth": False}).label == "torchmetrics"
    assert bleukit.load("torchmetrics", smoothing={"name": "torchmetrics", "smooth": True}).label.endswith("(modified)")


def test_a_variant_says_what_is_otherwise_at_sentence_level():
    bleu = bleukit.load("sacrebleu")
    assert bleu.sentence("the cat sat", "the cat sat").value == 100
    assert bleu.sentences(["the cat sat"], ["the cat sat"]).tolist() == [100]
    assert bleu.corpus(["the cat sat"], ["the cat sat"]).value == 0
    assert "effective_order:yes" in bleu.sentence("a", "a").signature
    assert bleu.sentence("a", "a").variant == "sacrebleu"


def test_an_override_holds_at_all_levels(tmp_path):
    overridden = bleukit.load("sacrebleu", effective_order=False)
    assert overridden.sentence("the cat sat", "the cat sat").value == 0
    assert overridden.label == "sacrebleu (modified)"
    variant = load_text(tmp_path, "variant: sacrebleu\nsentence: {smoothing: add-k}\nsmoothing: floor")
    assert variant.sentence("a b", "a b").value == pytest.approx(100)
    assert "smoothing:add-k(k=1.0)" in variant.sentence("a b", "a b").signature
    assert "effective_order:no" in variant.sentence("a b", "a b").signature
    assert "smoothing:floor(value=0.1)" in variant.corpus(["a b"], ["a b"]).signature


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ("{tokenizer: 13a}", "sentence.tokenizer: cannot differ at sentence level"),
        ("{weights: [-1]}", r"sentence.weights\[0\]: expected a number >= 0"),
        ("{smoothing: exq}", "did you mean 'exp'"),
        ("effective_order", "sentence: expected a mapping"),
    ],
)
def test_mistakes_at_sentence_level(tmp_path, sentence, problem):
    with pytest.raises(bleukit.VariantError, match=problem):
        load_text(tmp_path, f"variant: sacrebleu\nsentence: {sentence}")


def test_numbers_of_other_libraries_are_numbers():
    ours = bleukit.load("nltk", weights=[0.5, 0.5], scale=100, smoothing={"name": "add-k", "k": 0.5})
    smoothing = {"name": "add-k", "k": Decimal("0.5")}
    for scale in (np.int64(100), np.float64(100), 100.0, Decimal(100)):
        theirs = bleukit.load("nltk", weights=np.array([0.5, 0.5], np.float32), scale=scale, smoothing=smoothing)
        assert theirs.variant == ours.variant
        assert theirs.signature == ours.signature


def test_a_number_of_weights_stands_for_equal_ones(tmp_path):
    assert bleukit.load("nltk", weights=4).label == "nltk"
    assert load_text(tmp_path, "weights: 2").variant.weights == (0.5, 0.5)
    with pytest.raises(bleukit.VariantError, match="a number of equal weights up to 100, got 0"):
        bleukit.load(weights=0)


def letters(text):
    return list(text)


@dataclass(frozen=True)
class Longest:
    def __call__(self, hypothesis_length, reference_lengths):
        return max(reference_lengths)


@pytest.mark.parametrize("longest", [Longest, Longest()])
def test_a_component_may_be_a_callable(longest):
    bleu = bleukit.load("wikipedia", tokenizer=letters, reference_length=longest)
    assert bleu.tokenize("ab c") == ["a", "b", " ", "c"]
    assert bleu.sentence("abcd", ["abcd", "abcdef"]).reference_length == 6
    assert "tokenizer:test_variant.letters|" in bleu.signature
    assert "|reference_length:test_variant.Longest|" in bleu.signature
    assert re.search(r"\|with:test_variant sha256:[0-9a-f]{16}\|", bleu.signature)


@dataclass(frozen=True)
class Apart:
    mark: str

    def __call__(self, text):
        return text.split(self.mark)

    def split(self, text):
        return self(text)


class Recording:
    def __call__(self, text):
        return text.split()


UNNAMED = {
    "a lambda": lambda: lambda text: text.split(),
    "a bound method": lambda: Recording().__call__,
    "a partial": lambda: functools.partial(str.split, sep="-"),
    "an instance": Recording,
}


@pytest.mark.parametrize("made", UNNAMED.values(), ids=UNNAMED)
def test_an_object_that_no_name_leads_to_is_called_unnamed_and_counts_with_itself_alone(made):
    tokenizer = made()
    one, same, other = (bleukit.load("nltk", tokenizer=each) for each in (tokenizer, tokenizer, made()))
    assert "|tokenizer:given-in-Python|" in one.signature
    assert one.variant == same.variant != other.variant
    total = one.accumulator().update(["a b"], ["a b"])
    total.merge(same.accumulator().update(["a"], ["b"]))
    with pytest.raises(bleukit.InputError, match="given-in-Python.*, by different Python objects"):
        total.merge(other.accumulator().update(["a c"], ["a c"]))
    assert total.compute().segments == 2
    assert other.score(one.statistics(["a"], ["a"])).variant == "nltk (modified)"
    assert tokenizer is one.components["tokenizer"].call


def test_objects_whose_arrays_cannot_be_compared_are_different_components():
    @dataclass
    class Weighted:
        weights: np.ndarray

        def __call__(self, text):
            return text.split()

    one, other = (bleukit.load("nltk", tokenizer=Weighted(np.ones(2))) for _ in range(2))
    assert one.variant == one.variant != other.variant
    assert one.signature == other.signature


def test_components_of_every_kind_are_told_apart():
    for kind in COMPONENT_HOOKS:
        one, other = (bleukit.load("nltk", **{kind: made}) for made in (lambda *_: [], lambda *_: []))
        assert f"|{kind}:given-in-Python|" in f"|{one.signature}|"
        assert one.variant != other.variant
        assert (one.counted_by != other.counted_by) == (kind not in OF_SCORING)
    below = [bleukit.load("nltk", sentence={"smoothing": smoothing}) for smoothing in (lambda _: [1], lambda _: [0])]
    assert below[0].variant != below[1].variant
    assert below[0].sentence_components["smoothing"].call is not below[1].sentence_components["smoothing"].call


def test_the_fields_of_a_frozen_dataclass_are_its_options():
    one, same, other = (bleukit.load("nltk", tokenizer=Apart(mark)) for mark in "--+")
    assert '|tokenizer:test_variant.Apart(mark="-")|' in one.signature
    assert one.counted_by == same.counted_by != other.counted_by
    assert one.counted_by != bleukit.load("nltk", tokenizer=Apart("-").split).counted_by


def test_what_was_passed_in_python_cannot_be_read_from_a_file(tmp_path):
    variant = bleukit.load("nltk", tokenizer=lambda text: [text]).variant
    with pytest.raises(bleukit.VariantError, match="tokenizer: was a Python object that has no name: pass it"):
        load_text(tmp_path, variant.to_yaml())


def statistics_of(bleu):
    return bleu.statistics(["a-b"], ["a-b"])


def test_a_component_that_python_can_pickle_is_used_in_other_processes():
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for tokenizer in (letters, Recording, Apart("-"), str.split):
            bleu = bleukit.load("nltk", tokenizer=tokenizer)
            there = pool.submit(statistics_of, bleu).result()
            assert there == statistics_of(bleu)
            assert len(there + statistics_of(bleu)) == 2
        with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
            pool.submit(statistics_of, bleukit.load(tokenizer=lambda text: text.split())).result()


def test_facts_belong_to_the_variant_that_states_them():
    assert "WMT" in bleukit.load("sacrebleu").variant.used_by
    assert bleukit.load("sacrebleu-zh").variant.used_by == ""
    assert bleukit.load("sacrebleu", scale=1).variant.description == ""


PLAIN = ("whitespace", "clipped", "closest", "none", "standard")


def test_a_variant_that_names_components_alone_is_the_papers_bleu_4():
    """Papineni et al. 2002, section 2.3: N = 4, w_n = 1/N, from 0 to 1."""
    components = {kind: Component(name) for kind, name in zip(COMPONENT_HOOKS, PLAIN, strict=True)}
    variant = from_keys(components)
    assert (variant.weights, variant.scale, variant.lowercase, variant.effective_order) == (
        (1 / 4,) * 4,
        1,
        False,
        False,
    )


def test_a_variant_is_taken_by_name_by_file_and_as_a_bleu_alike(tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text("variant: nltk\nname: nltk\n")
    hypotheses, references = ["a b c d", "a b d c"], ["a b c d", "a b c d"]
    systems = {"one": hypotheses, "two": references}
    bleu = bleukit.load("nltk")
    for variant in ("nltk", file, str(file), bleu.variant, bleu):
        compared = bleukit.compare(variant, systems, references, samples=9)
        assert compared == bleukit.compare(bleu, systems, references, samples=9)
        assert bleukit.report(variant, systems, references).html == bleukit.report(bleu, systems, references).html
        explained = bleukit.explain(variant, "sacrebleu", hypotheses, references)
        assert explained == bleukit.explain(bleu, "sacrebleu", hypotheses, references)
    with pytest.raises(bleukit.InputTypeError, match="expected a variant's name, the path of a YAML file or a Variant"):
        bleukit.compare(7, systems, references)


SCALARS = {
    **{text: float(text) for text in ("1e+3", "1e3", "-1E-3", ".5", "5.", "-0.0", "1.5e2", "+2.", "5e-324", "1.0e+16")},
    **{text: int(text) for text in ("0", "-1", "+2", "12345678901234567890")},
    **{text: text.lower() == "true" for text in ("true", "True", "TRUE", "false", "False", "FALSE")},
    **{text: text for text in ("yes", "on", "n", "1_000", "1:30", "2001-01-01", "tRUE", "1e", "e5", "1.2.3")},
    **dict.fromkeys(("~", "null", "Null", "NULL", "")),
    ".inf": float("inf"),
}


@pytest.mark.parametrize(("text", "value"), SCALARS.items())
def test_a_plain_scalar_is_what_the_core_schema_of_yaml_says(text, value):
    assert repr(yaml_document.parse(f"key: {text}", "a variant").data["key"]) == repr(value)


HARD_TEXTS = ("5e3", ".5", "0x1", "yes", "~", "", " ", "|", '",(', "\\u007c", "&\x85<", "\u2028", ": #", "é\n'", "👍\0")


@pytest.mark.parametrize("text", HARD_TEXTS)
def test_an_option_of_any_text_is_written_and_read_back(text):
    bleu = bleukit.load(tokenizer={"name": "mteval", "blanks": text})
    assert from_keys(yaml_document.parse(bleu.variant.to_yaml(), "a variant").data) == bleu.variant
    assert read_signature(bleu.signature).variant.tokenizer.options["blanks"] == text


@pytest.mark.parametrize("name", sorted(installed().of_kind("variant")))
def test_a_named_variant_is_written_as_yaml_and_read_back(name):
    variant = bleukit.variants()[name]
    assert from_keys(yaml_document.parse(variant.to_yaml(), "a variant").data) == variant
