"""Other libraries under the suite: the real packages, and libraries made up to be right, wrong, broken or absent."""

import functools
import json
import re
import sys

import pytest
from bleukit.built_in.implementations import libraries
from bleukit.conformance.implementations import asking
from bleukit.conformance.implementations.records import VERDICTS, Difference
from bleukit.conformance.judging import cases

import bleukit
from bleukit.framework import registry

MADE_UP = """
import bleukit

class Right:
    '''bleukit itself, as if it were another library.'''
    def __call__(self, variant, hypotheses, references):
        bleu = bleukit.load(variant)
        tokens = bleu.tokenize(hypotheses[0]) if isinstance(hypotheses[0], str) else None
        return self.told(bleu.corpus(hypotheses, references), variant, tokens)

    def from_counts(self, variant, counts):
        sums = bleukit.Statistics.of_segments(
            len(counts.matches), [counts.hypothesis_length], [counts.reference_length], [counts.reference_length], [1],
            counts.matches, counts.totals)
        return self.told(bleukit.load(variant).score(sums), variant, None)

    def told(self, score, variant, tokens):
        return bleukit.plugin.Reported(tokens, score.matches, score.totals, score.precisions, score.hypothesis_length,
                                score.reference_length, score.brevity_penalty, score.value / variant.scale)

class Wrong:
    def __call__(self, variant, hypotheses, references): return bleukit.plugin.Reported(matches=[9], score=0.123)

class Panic(BaseException): pass

class Raising:
    def __call__(self, variant, hypotheses, references): raise Panic("no\\nway")

class Unwilling:
    def __call__(self, variant, hypotheses, references):
        raise bleukit.CannotExpressError(f"counter: {variant.counter.name}")

class Silent:
    def __call__(self, variant, hypotheses, references): return bleukit.plugin.Reported()

class Absent:
    distributions = ("nowhere-to-be-found", "nltk", "nor-this")
    def __init__(self): raise AssertionError("it is not created where it is not installed")

class Broken:
    def __init__(self): raise ImportError("libfoo.so: no such file")

class Careless:
    def __call__(self, variant, hypotheses, references): return 0.5

@bleukit.plugin.hookimpl
def bleukit_implementations():
    return {"right": Right, "wrong": Wrong, "raising": Raising, "unwilling": Unwilling, "silent": Silent,
            "absent": Absent, "broken": Broken, "careless": Careless}
"""


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """Register the made-up libraries, as a variant's module would be."""
    (tmp_path / "plugin_made_up.py").write_text(MADE_UP, encoding="utf-8")
    with_them = registry.installed().with_modules(["plugin_made_up"], tmp_path)
    sys.modules.pop("plugin_made_up")
    monkeypatch.setattr(registry, "installed", lambda: with_them)


def ask(name, variant="wikipedia", documents=None):
    """Ask one library; returns the answers by case."""
    comparison = asking.ask_implementations(documents or cases.suite_documents(), [name], [variant])
    return {answer.case: answer for answer in comparison.answers}


@pytest.fixture(scope="module")
def answers():
    """Ask a real library, once for all tests."""
    return functools.cache(ask)


def one_case(**keys):
    case = cases.Case(id="X", says="x", **keys)
    return [cases.CaseDocument("own", "own", [case])]


PAIR = {"hypothesis": ["a", "b", "c", "d"], "references": [["a", "x", "c", "y"]]}


def test_nltk_gives_what_the_variant_of_its_name_must_give(answers):
    """The documents' cases, so that the variant is held to the real package case by case."""
    verdicts = [answer.verdict for answer in answers("nltk", "nltk").values()]
    assert "differs" not in verdicts
    assert verdicts.count("passed") > 40


def test_nltk_reports_the_score_of_several_segments():
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    hypotheses, references = [[*"abcde"], [*"abx"]], [[[*"abcdf"], [*"xbc"]], [[*"aby"]]]
    reported = libraries.Nltk()(bleukit.load("nltk").variant, hypotheses, references)
    assert reported.score == bleu_score.corpus_bleu(references, hypotheses) > 0


def test_sacrebleu_gives_what_the_variant_of_its_name_must_give_but_shows_0_for_an_undefined_precision(answers):
    found = answers("sacrebleu", "sacrebleu")
    differences = [difference for answer in found.values() for difference in answer.differences]
    assert {difference.stage for difference in differences} <= {"precisions"}
    assert all("nan" in difference.expected for difference in differences)
    assert sum(answer.verdict == "passed" for answer in found.values()) > 30


@pytest.mark.parametrize("library", ["ignite", "keras-hub", "parlai"])
def test_a_library_for_training_gives_what_its_variants_must_give(library):
    pytest.importorskip(library.replace("-", "_"))
    variants = [name for name in bleukit.variants() if name.startswith(library)]
    found = asking.ask_implementations(cases.suite_documents(), [library], variants).answers
    assert [(each.variant, each.case, each.differences) for each in found if each.verdict == "differs"] == []
    for variant in variants:
        assert sum(each.verdict == "passed" for each in found if each.variant == variant) > 10


def test_nltk_is_seen_to_put_a_tiny_number_for_the_plain_definitions_zero(answers):
    (difference,) = answers("nltk")["D2"].differences
    assert (difference.stage, difference.expected) == ("score", 0)
    assert 0 < difference.got < 1e-200


@pytest.mark.parametrize(
    ("library", "case", "reason"),
    [
        ("nltk", "W1", "counter: unclipped"),
        ("nltk", "L5-average", "reference_length: average"),
        ("nltk", "M7", "lowercase: True"),
        ("nltk", "L1", "input: counts in place of segments"),
        ("sacrebleu", "N2", "weights: unequal ones"),
        ("sacrebleu", "L5-shortest", "reference_length: shortest"),
    ],
)
def test_what_a_library_has_no_parameter_for_it_cannot_express(answers, library, case, reason):
    assert answers(library)[case].cannot_express == reason


def test_sacrebleu_takes_counts(answers):
    answer = answers("sacrebleu")["L1"]
    assert (answer.verdict, answer.compared) == ("passed", ("precisions", "brevity_penalty", "score"))


@pytest.mark.parametrize(
    ("library", "smoothing"),
    [
        ("sacrebleu", {"name": "floor", "value": 0.5}),
        ("nltk", {"name": "nltk-method1", "epsilon": 0.5}),
    ],
)
def test_options_of_a_smoothing_reach_the_library(library, smoothing):
    """Half a match for none: the fourth root of 1/2, 1/6, 1/4 and 1/2 multiplied is 0.319472."""
    expect = cases.Expected(score="0.319472")
    stated = cases.Otherwise({"smoothing": [smoothing["name"]]}, "half a match", expect)
    documents = one_case(**PAIR, set={"smoothing": smoothing}, expect=expect, otherwise=[stated])
    assert ask(library, documents=documents)["X"].verdict == "passed"


def test_a_tokenizer_of_its_own_reaches_sacrebleu(answers):
    answer = answers("sacrebleu", "sacrebleu")["M1-text"]
    assert {"tokens", "score"} <= set(answer.compared)
    assert answer.verdict == "passed"
    assert answers("nltk", "sacrebleu")["M1-text"].cannot_express


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("counter", "unclipped"),
        ("reference_length", "longest"),
        ("smoothing", "exp"),
        ("lowercase", True),
        ("effective_order", True),
        ("empty_score", 0.5),
    ],
)
def test_every_key_that_departs_from_the_plain_definition_must_be_accepted(key, value):
    variant = bleukit.load("wikipedia", **{key: value}).variant
    with pytest.raises(bleukit.CannotExpressError, match=f"^{key}: {value}$"):
        libraries.require_expressible(variant)
    libraries.require_expressible(variant, **{key: [value]})


@pytest.mark.parametrize("tokens", [["a b"], [""], ["a", "\u2003"]])
def test_tokens_that_white_space_would_tell_otherwise_are_not_handed_over_as_text(tokens):
    with pytest.raises(bleukit.CannotExpressError, match="tokens: "):
        libraries.spaced(tokens)


@pytest.mark.parametrize("variant", ["wikipedia", "coco-bleu-1", "mteval-v13a"])
def test_a_right_library_passes_every_case(made_up, variant):
    """Of variants with four orders and with one, and of one that lowercases."""
    answers = ask("right", variant)
    assert {answer.verdict for answer in answers.values()} == {"passed"}
    assert len(answers) > 60


def test_a_wrong_library_differs_at_each_stage_that_it_reports(made_up):
    differences = ask("wrong")["N1-modified"].differences
    assert differences == (Difference("matches", [2], [9]), Difference("score", "2/7", 0.123))


def test_what_a_library_raises_is_a_difference(made_up):
    answers = [answer for answer in ask("raising").values() if not answer.cannot_express]
    assert {answer.differences for answer in answers} == {(Difference("error", None, "Panic: no way"),)}


def test_a_library_that_reports_nothing_has_not_passed(made_up):
    verdicts = {answer.verdict for answer in ask("silent").values()}
    assert verdicts == {"cannot express"}


def test_a_case_that_says_nothing_for_a_variant_is_asked_of_nobody(made_up, tmp_path):
    (tmp_path / "char.yaml").write_text("variant: wikipedia\ntokenizer: char\n")
    comparison = asking.ask_implementations(cases.suite_documents(), ["right"], [tmp_path / "char.yaml"])
    left_out = {case.case: case.because for case in comparison.left_out}
    assert left_out["M1-text"] == "tokenizer: it splits the text otherwise, as the case says"
    assert left_out["M6-nan"].startswith("weights: the variant is refused")
    assert {answer.verdict for answer in comparison.answers} == {"passed"}
    assert left_out.keys().isdisjoint(answer.case for answer in comparison.answers)


ONE = ("conform", "implementations")


def test_the_command_prints_the_matrix_and_ends_well_though_libraries_differ(made_up, run):
    status, out, err = run(*ONE, "wrong", "nltk")
    assert (status, err) == (0, "")
    assert re.search(r"document +wrong +nltk \d", out)
    assert re.search(r"N2 .* wrong +matches: expected \[3, 1, 0, 0\], got \[9\]", out)
    assert re.search(r"counter: unclipped +[1-9]\d*\s*\n", out)


def test_every_format_tells_the_same(few_cases, made_up, run):
    data = json.loads(run(*ONE, "wrong", "--format", "json")[1])
    last = run(*ONE, "wrong", "--format", "markdown")[1].splitlines()[-1]
    counts = [data["counts"].get(verdict, 0) for verdict in VERDICTS]
    assert last == "{} passed, {} differ, {} cannot be expressed".format(*counts)


def test_variants_and_cases_can_be_chosen(few_cases, run, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.yaml").write_text(
        "document: Mine\nsource: me\ncases:\n- {id: X1, says: x, hypothesis: [a], references: [[a]], "
        "set: {weights: [1]}, expect: {score: 1}}\n"
    )
    status, out, _ = run(*ONE, "nltk", "--variant", "nltk", "--cases", "own", "--format", "markdown")
    assert status == 0
    assert "asked for the variant nltk" in out
    assert "| Mine | 1 / 0 / 0 |" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent"], "'absent' needs what is not installed: pip install nowhere-to-be-found nor-this"),
        (["broken"], "'broken' of plugin 'plugin_made_up' cannot be created: ImportError: libfoo.so: no such file"),
        (["careless"], "'careless' returns 0.5, not bleukit.plugin.Reported"),
        (["nltc"], "unknown implementation 'nltc'; did you mean 'nltk'"),
        (["nltk", "--variant", "nltc"], "unknown variant 'nltc'"),
        (["nltk", "--tokenizer", "char"], "No such option '--tokenizer'"),
        ([], "name an implementation, or give --command"),
    ],
)
def test_what_cannot_be_asked_is_reported_in_one_line(few_cases, made_up, run, arguments, message):
    status, out, err = run(*ONE, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_all_leaves_out_what_is_not_installed_and_says_how_to_install_it(few_cases, made_up, run, monkeypatch):
    known = registry.installed().of_kind("implementation")
    left = {name: known[name] for name in ("absent", "right")}
    monkeypatch.setattr(registry.Registry, "of_kind", lambda *_: left)
    status, out, err = run(*ONE, "all")
    assert status == 0
    assert re.search(r"document +right\s*\n", out)
    wanted = "the implementation 'absent' is left out: it needs: pip install nowhere-to-be-found nor-this\n"
    assert err == f"bleukit: warning: {wanted}"


def test_all_of_none_is_no_report(few_cases, made_up, run, monkeypatch):
    monkeypatch.setattr(registry.Registry, "of_kind", lambda *_: {})
    status, out, err = run(*ONE, "all")
    assert (status, out, err) == (2, "", "bleukit: error: no implementation is installed\n")


def test_plugins_lists_implementations_and_what_they_need(made_up, run):
    out = run("plugins")[1]
    assert re.search(r"implementation +right, wrong, raising", out)
    assert "absent (needs: pip install nowhere-to-be-found nor-this)" in out
