"""The suite itself: its schema, how cases are judged, and what its reports say."""

import json
import sys
from collections import Counter
from itertools import product

import jsonschema
import msgspec
import pytest
import yaml
from bleukit.conformance import report, reporting
from bleukit.conformance.implementations.questions import ask_about
from bleukit.conformance.judging import cases, combinations, named_variants
from bleukit.conformance.judging.runner import agrees, run_case
from bleukit.conformance.running import certifying
from bleukit.conformance.writing import explaining

import bleukit
from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.bleu.variant import Variant
from bleukit.framework import registry

CASE = "document: d\nsource: s\ncases:\n- {id: A, says: x, hypothesis: [a], references: [[a]], "


def test_the_schema_of_the_cases_is_a_schema_and_describes_each_key(run):
    status, out, _ = run("conform", "schema")
    jsonschema.Draft202012Validator.check_schema(json.loads(out))
    assert (status, json.loads(out)) == (0, cases.cases_schema())


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(cases.FOLDER.glob("*.yaml")), ids=lambda path: path.name)
def test_every_file_of_cases_keeps_the_schema_for_any_reader(path):
    """Readers of YAML 1.1, as PyYAML's own, see the same data: they turn a bare on or no into a boolean."""
    data = bleukit.framework.yaml_document.read_yaml(path).data
    jsonschema.validate(data, cases.cases_schema())
    assert json.dumps(yaml.safe_load(path.read_text(encoding="utf-8"))) == json.dumps(data)


def test_ids_are_unique_over_all_documents():
    ids = [case.id for document in cases.suite_documents() for case in document.cases]
    assert len(set(ids)) == len(ids)


def test_exceptions_name_components_that_exist():
    known = {kind: set(registry.installed().of_kind(kind)) for kind in COMPONENT_HOOKS}
    for document in cases.suite_documents():
        for case in document.cases:
            for key, values in ((key, values) for other in case.otherwise for key, values in other.when.items()):
                assert key in Variant.__struct_fields__, case.id
                assert set(values) <= known[key], case.id


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source: s\ndocument: d\ncases: []", "cases.yaml:3: cases: expected a list of length >= 1"),
        (CASE + "expect: {score: x/2}}", r"cases.yaml:4: cases\[0\].expect: expected a fraction, .*got 'x/2'"),
        (CASE + "expect: {precisions: [1/0]}}", r"cases\[0\].expect: expected a fraction, .*got '1/0'"),
        (
            CASE + "expect: {}, otherwise: [{when: {tokeniser: [char]}, because: b, expect: {}}]}",
            r"cases\[0\].otherwise\[0\]: a condition is about components, not 'tokeniser'; did you mean 'tokenizer'",
        ),
        (
            CASE + "expect: {}, otherwise: [{when: {empty_score: ['0']}, because: b, expect: {}}]}",
            r"cases\[0\].otherwise\[0\]: a condition is about components, not 'empty_score'",
        ),
        (
            CASE + "variant: nltk, expect: {}, otherwise: [{when: {tokenizer: [char]}, because: b, expect: {}}]}",
            r"cases\[0\]: case A is for one variant, of which nothing holds otherwise",
        ),
        (
            "document: d\nsource: s\ncases:\n- {id: A, says: x, self_bleu: {definition: d, texts: [a, b]}, expect: {}}",
            r"cases\[0\]: case A is about self-BLEU: it needs a variant, and states the score alone",
        ),
        (CASE + "set: {plugins: [os]}, expect: {}}", r"case A names a file or a module: cases import nothing"),
        (CASE + "variant: sub/own.yaml, expect: {}}", r"case A names a file or a module: cases import nothing"),
        (CASE + "times: 2, expect: {}}", r"cases\[0\]: case A states what one variant returns: it needs the key"),
        (
            CASE + "variant: nltk, documents: [d, d], expect: {documents: {d: 1}}}",
            r"cases\[0\]: case A needs the document of each segment",
        ),
        (
            "document: d\nsource: s\ncases:\n- {id: A, says: x, hypothesis: a, references: [a], expect: {score: 1}}\n",
            r"cases\[0\]: case A gives text: it needs `expect.tokens`, or a tokenizer",
        ),
        (
            CASE + "expect: {score: 1}, headline: 2/7}",
            r"case A has a headline: it needs `expect.score: 2/7`, and no variant",
        ),
        (CASE + "headline: '0.9', expect: {score: 1}}", r"case A has a headline: it needs `expect.score: 0.9`"),
        ("source: s", "cases.yaml:1: object missing required field `document`"),
        (
            "document: d\nsource: s\ncases:\n- id: A\n  says: x\n  expect: {}\n",
            r"cases.yaml:4: cases\[0\]: .*needs one input",
        ),
        ("document: d\nsource: s\ncases:\n- id: A\n  sais: x\n", r"cases.yaml:4: cases\[0\]: .*unknown field `sais`"),
        (
            "document: d\nsource: s\ncases:\n"
            + "- {id: A, says: x, hypothesis: [a], references: [[a]], expect: {}}\n" * 2,
            r"cases.yaml:5: cases\[1\].id: two cases have the id 'A'",
        ),
    ],
)
def test_a_broken_file_of_cases_is_reported_with_its_line(tmp_path, text, message):
    (tmp_path / "cases.yaml").write_text(text)
    with pytest.raises(bleukit.VariantError, match=message):
        cases.load_document(tmp_path / "cases.yaml")


@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        ({"score": "0.76"}, "score: expected 0.76, got 0.75"),
        ({"score": "3/5"}, "score: expected 3/5"),
        ({"matches": [3]}, "matches: expected"),
        ({"precisions": ["3/4", "1/3", 0, "1/9"]}, "precisions: expected"),
        ({"brevity_penalty": "0.9"}, "brevity_penalty: expected"),
        ({"tokens": ["this", "is", "a", "test", "."]}, "tokens: expected"),
        ({"reference_length": 5}, "reference_length: expected"),
        ({"error": "weights"}, "weights: expected to be refused"),
    ],
)
def test_a_case_that_does_not_hold_fails(expect, difference):
    case = cases.Case(
        id="N2",
        says="0.75, with another expectation",
        hypothesis="this is a test",
        references=["this is small test"],
        set={"weights": [1, 0, 0, 0]},
        expect=cases.Expected(**{"tokens": ["this", "is", "a", "test"], **expect}),
        otherwise=[
            cases.Otherwise({"tokenizer": ["whitespace"], "smoothing": ["none"]}, "all is stated", cases.Expected())
        ],
    )
    outcome = run_case(case, "wikipedia")
    assert outcome.state == "fails"
    assert outcome.failures[0].startswith(difference)


def test_precisions_that_no_smoothing_changed_are_those_of_the_case():
    expected = cases.Expected(precisions=["1/3"])
    outcome = run_case(cases.Case("X1", "says", expected, hypothesis=["a"], references=[["a"]]), "wikipedia")
    assert outcome.failures == ("precisions: expected ['1/3'], got [1.0, nan, nan, nan]",)


@pytest.mark.parametrize(
    ("tokens", "failures"), [(["a", "b"], ()), (["a b"], ("tokens: expected ['a b'], got ['a', 'b']",))]
)
def test_a_case_that_chooses_a_tokenizer_holds_it_to_its_tokens(tokens, failures):
    case = cases.Case(
        id="X1",
        says="two tokens",
        hypothesis="a b",
        references=["a b"],
        set={"tokenizer": "whitespace"},
        expect=cases.Expected(tokens=tokens),
    )
    outcome = run_case(case, "sacrebleu")
    assert (outcome.failures, outcome.open) == (failures, ())


def case_of(name):
    return next(case for document in cases.suite_documents() for case in document.cases if case.id == name)


@pytest.mark.parametrize(
    ("wanted", "passes"), [("0.3", True), (0.3, False), ("1/3", True), (1 / 3, True), (0.333, False)]
)
def test_a_decimal_in_quotes_holds_to_its_digits_and_a_number_is_exact(wanted, passes):
    assert agrees(wanted, 1 / 3) == passes


def failures_of(expect, **keys):
    """Return what fails of a case for nltk, a perfect match unless the keys say otherwise."""
    given = {"hypothesis": ["a", "b", "c", "d"], "references": [["a", "b", "c", "d"], ["x"]], "variant": "nltk"}
    case = cases.Case("X", "says", cases.Expected(**expect), **(given | keys))
    return list(named_variants.run_for_variant(case, "nltk").failures)


@pytest.mark.parametrize(
    ("expect", "keys", "failures"),
    [
        ({"score": 1, "matches": [4, 3, 2, 1], "sentences": [1]}, {}, []),
        ({"score": "0.9"}, {"level": "corpus"}, ["score: expected 0.9, got 1.0"]),
        ({"score": "0.9"}, {"level": "sentence"}, ["score of the sentence: expected 0.9, got 1.0"]),
        ({"precisions": [1, 1]}, {"times": 2}, ["precisions: expected [1, 1], got [1.0, 1.0, 1.0, 1.0]"]),
        ({"sentences": [1, 1]}, {}, ["sentences: expected [1, 1], got [1.0]"]),
        ({"documents": {"d": 1}}, {"documents": ["d"]}, []),
        ({"documents": {"e": 1}}, {"documents": ["d"]}, ["documents: expected ['e'], got ['d']"]),
        ({"documents": {"d": 0}}, {"documents": ["d"]}, ["document d: expected 0, got 1.0"]),
        ({"score": 1}, {"set": {"weights": [2, 2]}}, []),
        ({"error": "weights"}, {"set": {"weights": []}}, []),
        ({"error": "weights"}, {}, ["weights: expected to be refused, but it is accepted"]),
        ({"hypothesis_length": 1_200}, {"times": 300}, []),
    ],
)
def test_a_case_for_a_variant_holds_that_variant_alone_to_each_stage(expect, keys, failures):
    assert failures_of(expect, **keys) == failures


def test_what_a_case_states_otherwise_than_the_document_deviates_and_says_why():
    """NLTK scores 1.2e-77 of what MATLAB's page says scores 0."""
    assert run_case(case_of("M5"), "wikipedia").state == "agrees"
    outcome = run_case(case_of("M5"), "nltk")
    assert outcome.state == "deviates"
    assert outcome.deviations[0].startswith("counter, smoothing: NLTK's total at order 4 is 1, and its precision the")


def test_tiny_scores_are_reported_from_zero():
    assert run_case(msgspec.structs.replace(case_of("M5"), otherwise=[]), "nltk").state not in {"agrees", "deviates"}


def test_a_tokenizer_that_splits_only_the_references_otherwise_is_not_held_to_the_score(with_tokenizer):
    """It keeps "the" whole, which is all there is in the hypothesis of N1, and splits "cat"."""
    with_tokenizer("lambda text: text.replace('cat', 'c a t').split()")
    outcome = run_case(case_of("N1-modified"), bleukit.load("wikipedia", tokenizer="own").variant)
    assert {stage.name: stage.state for stage in outcome.stages} == {
        "tokens": "agrees",
        **dict.fromkeys(["matches", "totals", "precisions", "score"], "unstated"),
    }


def test_a_case_that_a_variant_refuses_fails():
    pair = cases.Pair(["a"], [["a"]])
    keys = {"smoothing": "nltk-method6"}
    case = cases.Case("X1", "says", cases.Expected(score=1), variant="nltk", segments=[pair], set=keys)
    (failure,) = named_variants.run_for_variant(case, "nltk").failures
    assert failure.startswith("it refuses the input: smoothing 'nltk-method6' needs a matching trigram")


CASES = [case for document in cases.suite_documents() for case in document.cases]


def test_each_known_figure_is_the_headline_of_one_case():
    figures = {"2/7", "0.5411", "0.75", "0.7825", "0.8367"}
    assert sorted(case.headline for case in CASES if case.headline) == sorted(figures)


@pytest.mark.parametrize("choice", ["char", {"name": "char"}])
def test_a_case_that_chooses_a_component_is_run_in_the_combinations_with_it_alone(choice):
    case = cases.Case("X1", "says", cases.Expected(), hypothesis="a", references=["a"], set={"tokenizer": choice})
    grid = {"tokenizer": ["13a", "char"], "counter": ["clipped", "nltk"], "reference_length": ["closest"]}
    grid |= {"smoothing": ["exp", "none"], "brevity_penalty": ["none", "standard"]}
    runner = combinations.CombinationRunner([case])
    shares = combinations.shares_of(grid, [case], lambda *_: True)
    results = [result for share in shares for result in runner.run(share)]
    assert [result.components["tokenizer"] for result in results] == [["char"]] * len(results)
    assert sum(result.combinations for result in results) == 2 * 1 * 2 * 2


def test_every_combination_gives_what_it_gives_alone():
    """Combinations that count or score alike share their outcome."""
    grid = {"tokenizer": ["13a", "char"], "counter": ["clipped", "nltk", "unclipped"], "smoothing": ["exp", "matlab"]}
    grid |= {"reference_length": ["closest", "shortest"], "brevity_penalty": ["standard"]}
    few = [case for case in CASES if not case.subject][::7]
    runner = combinations.CombinationRunner(few)
    together, alone = Counter(), Counter()
    for share in combinations.shares_of(grid, few, lambda _, name: name != "char"):
        for result in runner.run(share):
            together[result.case, result.outcome.state, result.outcome.figure] += result.combinations
    for chosen in (dict(zip(grid, names, strict=True)) for names in product(*grid.values())):
        for number, case in enumerate(few):
            if all(combinations.name_of(case.set[kind]) == chosen[kind] for kind in grid.keys() & case.set):
                outcome = run_case(case, chosen)
                alone[number, outcome.state, outcome.figure] += 1
    assert together == alone


def test_conform_begins_with_the_headline_figures(run):
    status, out, err = run("conform", "--variant", "nltk", "--variant", "coco")
    assert (status, err) == (0, "")
    assert [line.split() for line in out.splitlines()[:5]] == [
        ["lecture-", "course-"],
        ["wikipedia", "note", "page", "matlab", "matlab"],
        ["variants", "2/7", "0.5411", "0.75", "0.7825", "0.8367"],
        ["coco", "0.2857*", "0.5411*", "0.7500*", "0.7825*", "0.8367*"],
        ["nltk", *["agrees"] * 5],
    ]
    assert max(map(len, out.splitlines())) <= 80
    _, out, _ = run("conform", "--variant", "nltk", "--format", "markdown")
    assert out.startswith("| variants | wikipedia 2/7 | lecture-note 0.5411 | course-page 0.75 |")
    _, out, _ = run("conform", "--variant", "nltk", "--format", "json")
    data = json.loads(out)
    assert next(iter(data)) == "headline"
    assert data["headline"][0]["variants"] == ["nltk"]
    assert data["headline"][0]["figures"]["2/7"]["state"] == "agrees"
    assert data["conforms"] is True


def test_conform_runs_cases_of_ones_own(run, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.yaml").write_text(
        "document: Mine\nsource: me\ncases:\n- {id: X1, says: x, hypothesis: [a], references: [[a]], "
        "set: {weights: [1]}, expect: {score: 1/2}}\n"
    )
    status, out, _ = run("conform", "--variant", "wikipedia", "--cases", "own")
    assert status == 1
    assert "X1 (wikipedia): score: expected 1/2, got 1.0" in out
    assert "fails: variant wikipedia" in out


def test_what_fails_is_grouped_by_its_cause_and_short():
    """One wrong counter fails thousands of cases."""
    failing = [report.Failing(case.id, "nltk", "matches: expected [2], got [7]") for case in CASES] * 10
    causes = {report.Cause("counter", "clipped", "matches"): failing}
    causes |= {report.Cause("variant", f"v{number}", "score"): failing[:3] for number in range(70)}
    text = reporting.as_text(report.Report(failures=causes))
    assert f"fails: counter clipped, matches: {len(failing):,} results, such as\n  " in text
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 80
    data = reporting.as_data(report.Report(failures=causes))
    assert len(data["failures"][0]["results"]) == len(failing)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variant", "nltc"], "unknown variant 'nltc', and no program of this name is known; did you mean 'nltk'"),
        (["--tokenizer", "13b"], "unknown tokenizer '13b'; did you mean '13a'"),
        (["--cases", "nowhere"], "nowhere: holds no file of cases"),
        (["--config", "nowhere.yaml"], "nowhere.yaml: cannot be read"),
        (["--certify", "13c"], "no variant or component has the name '13c'; did you mean '13a'"),
        (["--certify", "13a", "--as", "closest"], "--as: no tokenizer has the name 'closest'"),
        (["--as", "13a"], "--as names what --certify NAME must be the same as"),
    ],
)
def test_conform_tells_bad_usage_from_a_verdict(run, arguments, message):
    status, out, err = run("conform", *arguments)
    assert (status, out) == (2, "")
    assert message in err


SUPPORT = "import bleukit"


@pytest.fixture
def with_component(tmp_path, monkeypatch):
    """Return a function that registers a component, made by code that calls it so, under the name own."""

    def register(hook, code):
        (tmp_path / "plugin_own.py").write_text(
            f"{SUPPORT}\n{code}\n\n@bleukit.plugin.hookimpl\ndef {hook}(): return {{'own': lambda: component}}\n"
        )
        with_it = registry.installed().with_modules(["plugin_own"], tmp_path)
        sys.modules.pop("plugin_own")
        monkeypatch.setattr(registry, "_registries", [with_it])

    return register


@pytest.fixture
def with_tokenizer(with_component):
    return lambda code: with_component("bleukit_tokenizers", f"component = {code}")


def test_a_case_about_a_metric_is_held_to_it_and_to_nothing_else():
    text = "{id: %s, says: x, metric: ter, hypothesis: a, references: [b], expect: {edits: 1, score: %s}}"
    document = yaml.safe_load(f"document: d\nsource: s\ncases:\n- {text % ('right', 100)}\n- {text % ('wrong', 99)}")
    own = msgspec.convert(document, cases.CaseDocument)
    running = object.__new__(certifying._Run)
    running.selection, running.cases, running.report = certifying.Selection({}), own.cases, report.Report()
    running.says_something = set()
    running._run_metrics()
    failing = running.report.failures[report.Cause("metric", "ter", "score")][0]
    assert (failing.case, failing.because) == ("wrong", "score: expected 99, got 100.0")
    assert running.says_something == {"right", "wrong"}
    assert not any(ask_about([own], ["nltk"]))
    with pytest.raises(bleukit.InputError, match="right is about ter, and only scores of BLEU are worked out"):
        explaining.explain_case(own.cases[0], "nltk")
