"""Names of programs that compute a variant."""

import json
import pickle
import re
import shlex
from importlib.resources import files

import pytest

import bleukit
from bleukit.bleu import names
from bleukit.bleu.signature import read_signature
from bleukit.framework.hookspecs import BUILT_IN
from bleukit.framework.registry import also_installed, installed
from bleukit.identifying.identification import PROGRAMS

NAMES = names.known()
SQUIRREL = "the squirrel is eating the nut", ["a squirrel is eating a nut", "the squirrel is eating a tasty nut"]
CAT = "the cat is on the mat", ["there is a cat on the mat", "a cat is on the mat"]


@pytest.mark.parametrize("key", NAMES)
def test_a_name_leads_to_variants(key):
    variants = installed().of_kind("variant")
    assert not names.spelled(key, variants)
    for meaning in NAMES[key]:
        assert bool(meaning.variant) != bool(meaning.nearest)
        assert (meaning.variant or meaning.nearest) in variants
        assert bool(meaning.when) == (len(NAMES[key]) > 1)


@pytest.mark.parametrize(
    ("name", "overrides", "segments", "printed"),
    [
        ("torcheval", {}, [SQUIRREL], "0.53728497"),  # the examples of its docstring
        ("torcheval", {}, [SQUIRREL, CAT], "0.65341892"),
        ("bleuscore-js", {"smoothing": "add-one"}, [("Yellow, World!", ["Hello, World!"])], "0.668740304976422"),
    ],
)
def test_scores_that_programs_print_in_their_documentation(name, overrides, segments, printed):
    hypotheses, references = zip(*segments, strict=True)
    score = bleukit.load(name, **overrides).corpus(hypotheses, references)
    assert score.value == pytest.approx(float(printed), abs=6e-8 if name == "torcheval" else 1e-15)


@pytest.mark.parametrize(
    ("name", "when", "arguments"),  # those of sacrebleu.corpus_bleu in the source that the name states
    [
        ("opennmt-tf", "version 2", {"force": True}),
        ("t5", "", {"smooth_method": "exp", "smooth_value": 0.0, "lowercase": False, "tokenize": "intl"}),
    ],
)
def test_the_variant_of_a_name_scores_as_the_call_in_its_source(name, when, arguments):
    sacrebleu = pytest.importorskip("sacrebleu")
    (meaning,) = (each for each in NAMES[name] if each.when.startswith(when))
    hypotheses = [
        "The U.S.-based firm\u2019s share fell 1,5\u00a0% \u2013 \u00abfor now\u00bb.",
        "\u00bfHow much is 5\u20ac/day?",
    ]
    references = [
        "The U.S. firm\u2019s share dropped 1,5\u00a0% \u2013 \u00abfor now\u00bb.",
        "\u00bfHow much is 6\u20ac/day?",
    ]
    theirs = sacrebleu.corpus_bleu(hypotheses, [references], **arguments).score
    assert bleukit.load(meaning.variant).corpus(hypotheses, references).value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("name", ["torcheval", "TorchEval", " torcheval"])
def test_a_name_in_any_case_is_stated_with_its_variant(name):
    bleu = bleukit.load(name)
    called = name.replace(" ", "%20")
    assert bleu.signature.startswith(f"variant:tf-nmt-compute-bleu|called:{called}|")
    assert bleu.sentence(*CAT).signature.startswith(f"variant:tf-nmt-compute-bleu|called:{called}|references:2|")
    assert bleu.variant == bleukit.load("tf-nmt-compute-bleu").variant
    assert pickle.loads(pickle.dumps(bleu)).signature == bleu.signature


@pytest.mark.parametrize(
    ("spelled", "variant"),
    [
        ("NLTK", "nltk"),
        ("multibleu", "multi-bleu"),
        ("Multi BLEU", "multi-bleu"),
        ("Joey_NMT", "sacrebleu"),
        ("T5 X", "sacrebleu-intl"),
    ],
)
def test_a_name_is_found_in_any_spelling(spelled, variant):
    assert bleukit.load(spelled).label == variant
    assert bleukit.load(spelled).signature.startswith(f"variant:{variant}|called:")


def test_no_two_names_differ_in_their_spelling_alone():
    lines = (files(BUILT_IN) / names.FILE).read_text().splitlines()
    written = [line.split(":")[0] for line in lines if line[:1].isalnum()]
    assert len(written) == len(NAMES)


@pytest.mark.parametrize("key", NAMES)
def test_what_a_name_says_to_type_may_be_typed(run, tmp_path, key):
    text = tmp_path / "text"
    text.write_text("a b c d e\n")
    for meaning in NAMES[key]:
        for options in re.findall("`(-V [^`]+)`", f"{meaning.when} {meaning.text}"):
            status, _, problem = run("score", *shlex.split(options), "-r", text, text)
            assert status == 0 or "needs" in problem  # a model


def test_a_signature_with_a_name_is_read():
    score = bleukit.load("joeynmt").corpus(["a b c d"], ["a b c d"])
    assert read_signature(score.signature).variant == bleukit.load("sacrebleu").variant


def test_a_file_may_start_from_a_name(tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text("variant: torcheval\nlowercase: true")
    assert bleukit.load(file).label == "tf-nmt-compute-bleu (modified)"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("opennmt-py", r"'opennmt-py' means several things, .*: 'sacrebleu' \(since version 2.3\); 'multi-bleu' \("),
        (
            "helm",
            r"'helm' \(commit 039cb53\) is none of the variants, and 'nltk' is the nearest: bleu_1 and bleu_4 are",
        ),
        (
            "torchevall",
            r"unknown variant 'torchevall', and no program .*; did you mean 'torcheval'.*`bleukit variants` lists all$",
        ),
    ],
)
def test_a_name_that_leads_to_no_single_variant(name, message):
    with pytest.raises(bleukit.VariantError, match=f"^variant: {message}"):
        bleukit.load(name)


def test_a_plugins_variant_goes_before_a_name(plugin):
    module = plugin("""
        @hookimpl
        def bleukit_variants():
            return {"torcheval": bleukit.load("nltk", name="torcheval").variant}
    """)
    with also_installed([module]):
        assert bleukit.load("torcheval").label == "torcheval"


def test_the_command_prints_the_variant_of_a_name(run):
    of_name, of_variant = (run("variants", name)[1] for name in ("torcheval", "tf-nmt-compute-bleu"))
    assert re.fullmatch(
        "# torcheval \\(torcheval 0.0.7, .*: split at white space, .*\n" + re.escape(of_variant), of_name
    )
    assert "tf-nmt-compute-bleu" in run("variants", "torcheval", "tensorflow")[1]
    listed = json.loads(run("variants", "torcheval", "tensorflow", "--format", "json")[1])["variants"]
    assert [variant["names"][0] for variant in listed] == ["torcheval"]
    status, _, problem = run("variants", "nemo")
    assert status == 2
    assert "'nemo' means several things" in problem


def test_identify_names_the_programs_of_its_first_answer():
    hypotheses, references = ["It's late, isn't it? Yes, quite late."], [["It's late, isn't it? Yes, it's quite late."]]
    figure = f"{bleukit.load('joeynmt').corpus(hypotheses, references).value:.9f}"
    found = bleukit.identify(figure, hypotheses, references)
    assert found.answers[0].first.variant == "sacrebleu"
    (note,) = (note for note in found.notes() if note.startswith("sacrebleu is also what these programs compute"))
    assert ": joeynmt, opennmt-py, onmt, " in note
    assert note.endswith(f" and {len(names.names_of('sacrebleu')) - PROGRAMS} more.")
