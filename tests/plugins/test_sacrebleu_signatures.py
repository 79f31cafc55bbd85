"""sacreBLEU's signatures: those that the real package writes are read, and written, as they are."""

import json
from importlib.util import find_spec

import pytest
from bleukit.built_in.sacrebleu import signatures
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

import bleukit
from bleukit.bleu.signature import read_signature, written_signatures

TOKENIZERS = ["13a", "none", "zh", "intl", "char"]
TOKENIZERS += [name for name, module in (("ja-mecab", "MeCab"), ("ko-mecab", "mecab_ko")) if find_spec(module)]
HYPOTHESES = ["The cat sat, on 1.5 mats.", "猫が座る。", "nothing"]
REFERENCES = [["the cat sat on 1.5 mats.", "猫は、座る。", "else"], ["The cat, sat on mats!", "猫が座った。", "there"]]

metrics = st.builds(
    BLEU,
    lowercase=st.booleans(),
    tokenize=st.sampled_from(TOKENIZERS),
    effective_order=st.booleans(),
    smooth_method=st.sampled_from(["exp", "none", "floor", "add-k"]),
    smooth_value=st.sampled_from([None, 0, 0.5, 2]),
    force=st.just(True),
)


def scored(metric, references):
    """Return the score and the signature object, which exists only then."""
    return metric.corpus_score(HYPOTHESES, REFERENCES[:references]).score, metric.get_signature()


@given(metrics, st.integers(1, 2), st.booleans())
def test_a_signature_of_the_real_package_scores_as_it_did(metric, references, short):
    score, signature = scored(metric, references)
    said = read_signature(signature.format(short=short))
    ours = bleukit.load(said.variant).corpus(HYPOTHESES, list(zip(*REFERENCES[:references], strict=True)))
    assert (said.references, said.caveat) == (references, "")
    assert ours.value == pytest.approx(score, abs=1e-9)


@given(metrics, st.integers(1, 2))
def test_what_is_written_is_what_the_real_package_writes(metric, references):
    _, signature = scored(metric, references)
    variant = read_signature(str(signature)).variant
    ours, theirs = written_signatures(variant, references)["sacrebleu"], str(signature)
    assert ours.rpartition("|")[0] == theirs.rpartition("|")[0]  # the version aside, which may be a newer one


def test_a_varying_number_of_references():
    metric = BLEU()
    metric.corpus_score(HYPOTHESES, [REFERENCES[0], [None, *REFERENCES[1][1:]]])
    said = read_signature(str(metric.get_signature()))
    assert said.references is None
    assert written_signatures(said.variant, None)["sacrebleu"].startswith("nrefs:var|")


@pytest.mark.parametrize(
    ("overrides", "expressible"),
    [
        ({}, True),
        ({"tokenizer": "whitespace"}, True),
        ({"tokenizer": "matlab"}, False),
        ({"smoothing": {"name": "floor", "value": 0.125}}, False),
        ({"smoothing": "nltk-method1"}, False),
        ({"weights": [0.5, 0.5]}, False),
        ({"counter": "unclipped"}, False),
        ({"reference_length": "shortest"}, False),
        ({"scale": 1}, False),
    ],
)
def test_only_what_sacrebleu_can_do_is_written(overrides, expressible):
    assert ("sacrebleu" in written_signatures(bleukit.load("sacrebleu", **overrides).variant, 1)) == expressible


KEYS = {
    "tokenizer": st.sampled_from(["13a", "whitespace", "intl", "matlab"]),
    "counter": st.sampled_from(["clipped", "unclipped"]),
    "reference_length": st.sampled_from(["closest", "longest"]),
    "lowercase": st.sampled_from([False, True, "ascii"]),
    "smoothing": st.sampled_from(["exp", "none", {"name": "add-k", "k": 0.25}, {"name": "floor", "value": 0.001}]),
    "brevity_penalty": st.sampled_from(["standard", "none"]),
    "average": st.sampled_from(["micro", "macro"]),
    "weights": st.sampled_from([(0.25,) * 4, (1.0,), (0.5,) * 4]),
    "normalize_weights": st.booleans(),
    "effective_order": st.booleans(),
    "empty_score": st.sampled_from([0, 1]),
    "scale": st.sampled_from([1, 100]),
    "join_documents": st.booleans(),
}


@given(st.fixed_dictionaries({}, optional=KEYS))
@example({})
@example({"empty_score": 1})
@example({"normalize_weights": False, "weights": (0.5,) * 4})
@example({"smoothing": {"name": "floor", "value": 0.001}})
def test_what_is_written_reads_back_as_the_same_score(overrides):
    variant = bleukit.load("sacrebleu", **overrides).variant
    written = written_signatures(variant, 1).get("sacrebleu")
    if written is None:
        assert overrides
        return
    read = read_signature(written).variant
    for key in KEYS.keys() - {"weights", "normalize_weights"}:
        assert repr(getattr(read, key)) == repr(getattr(variant, key))
    assert read.weights_used == variant.weights_used


def test_the_keys_are_those_of_the_real_package():
    metric = BLEU()
    scored(metric, 1)
    short = metric.get_signature()._abbr
    assert {**{short: full for full, short in short.items()}, "numrefs": "nrefs"} == signatures.FULL


@pytest.mark.parametrize(
    "signature",
    [
        "BLEU+case.lc+lang.en-de+numrefs.2+smooth.floor[0.50]+test.wmt14/full+tok.13a+version.1.5.1",
        "BLEU+c.lc+l.en-de+#.2+s.floor[0.50]+t.wmt14/full+tok.13a+v.1.5.1",
    ],
)
def test_the_form_of_version_1_is_read_and_its_difference_told(signature):
    said = read_signature(signature)
    assert said.variant == read_signature("nrefs:2|case:lc|eff:no|tok:13a|smooth:floor[0.50]|version:2.0.0").variant
    assert (said.references, "above 0 without any match" in said.caveat) == (2, True)


def test_what_says_which_files_and_tests_were_used_is_no_part_of_the_variant():
    plain = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    files = "nrefs:1|bs:1000|seed:12345|test:wmt22|lang:en-de|origlang:en|subset:news"
    said = read_signature(f"BLEU|{files}|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0")
    assert said.variant == read_signature(plain).variant
    assert said.comparison == {"test": "sacrebleu-bs", "samples": 1000, "seed": 12345}
    both = read_signature(plain.replace("nrefs:1", "nrefs:1|ar:500|bs:1000|seed:7"))
    assert both.comparison == {"test": "sacrebleu-ar", "samples": 500, "interval_samples": 1000, "seed": 7}
    without_seed = read_signature(plain.replace("nrefs:1", "nrefs:1|bs:1000"))
    assert without_seed.comparison == said.comparison  # sacreBLEU's default


GOOD = {"nrefs": "1", "case": "mixed", "eff": "no", "tok": "13a", "smooth": "exp", "version": "2.6.0"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nrefs": "0"}, "nrefs: expected a number of references or 'var', got '0'"),
        ({"case": "upper"}, "case: expected mixed or lc, got 'upper'"),
        ({"eff": "maybe"}, "eff: expected no or yes"),
        ({"tok": "13b"}, "tok: unknown tokenizer '13b'; did you mean '13a'"),
        ({"smooth": "exq"}, "smooth: expected exp, none, floor"),
        ({"smooth": "floor"}, "smooth: floor needs a value"),
        ({"smooth": "exp[0.10]"}, "smooth: exp has no value"),
        ({"version": "3.0.0"}, "version: expected 1.x or 2.x"),
        ({"version": "1.5.1"}, "keys and values joined by ':' are of version 2; got '1.5.1'"),
        ({"version": "newest"}, "version: expected 1.x or 2.x"),
        ({"smoot": "exp"}, "unknown key 'smoot'; did you mean 'smooth'"),
        ({"c": "mixed"}, "case: is given twice"),
        ({"eff": None, "version": None}, "lacks eff, version"),
        ({"eff": ""}, "expected a key and a value, got 'eff:'"),
    ],
)
def test_a_wrong_signature_is_one_clear_error(run, change, message):
    signature = "|".join(f"{key}:{value}" for key, value in {**GOOD, **change}.items() if value is not None)
    status, out, err = run("score", "--signature", signature, "-r", "reference", "hypothesis")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("bleukit: error: signature: ")
    assert message in err


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("BLEU+case.mixed+numrefs.1+smooth.exp+tok.intl+version.1.4.2", "before version 2 'intl'"),
        ("BLEU+case.mixed+numrefs.1+smooth.floor+tok.13a+version.1.4.2", "floor needs a value"),
        ("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0", "got 'chrF2'"),
        ("", "is of no known tool: ''; known: bleukit, sacrebleu"),
        ("variant:nltk|references:1|tokenizer:whitespace", "is of no known tool"),
    ],
)
def test_what_cannot_be_read_is_refused(signature, message):
    with pytest.raises(bleukit.VariantError, match=f"^signature: .*{message}"):
        read_signature(signature)


@pytest.mark.skipif("ja-mecab" not in TOKENIZERS, reason="an extra that is not installed")
def test_another_version_of_mecab_is_refused():
    with pytest.raises(bleukit.VariantError, match="expected ja-mecab-0.996-IPA, by the MeCab that is installed"):
        read_signature("nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.1-IPA|smooth:exp|version:2.6.0")


@pytest.fixture
def files(tmp_path):
    (tmp_path / "hypothesis").write_text("the cat sat on a mat\n")
    (tmp_path / "reference").write_text("The cat sat on the mat\n")


def test_the_command_line_reads_what_it_writes(run, files):
    signature = "nrefs:1|case:lc|eff:no|tok:intl|smooth:add-k[1.00]|version:2.6.0"
    status, out, err = run("score", "--signature", signature, "--format", "json", "-r", "reference", "hypothesis")
    assert (status, err) == (0, "")
    printed = json.loads(out)
    assert printed["signatures"] == {"sacrebleu": signature}
    expected = bleukit.load("sacrebleu", tokenizer="intl", lowercase=True, smoothing="add-k")
    assert printed["systems"][0]["score"] == expected.corpus(["the cat sat on a mat"], ["The cat sat on the mat"]).value


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-r", "reference", "-r", "reference"], "the signature is for 1 reference a segment, here each has 2"),
        (["-V", "nltk", "-r", "reference"], "cannot be combined with -V, -c or --set"),
    ],
)
def test_what_contradicts_the_signature_is_refused(run, files, arguments, message):
    signature = "|".join(f"{key}:{value}" for key, value in GOOD.items())
    status, out, err = run("score", "--signature", signature, *arguments, "hypothesis")
    assert (status, out) == (2, "")
    assert message in err


def test_a_varying_number_is_refused_for_files(run, files):
    signature = "|".join(f"{key}:{value}" for key, value in {**GOOD, "nrefs": "var"}.items())
    status, _, err = run("score", "--signature", signature, "-r", "reference", "hypothesis")
    assert status == 2
    assert "the signature is for a varying number of references a segment, here each has 1" in err
