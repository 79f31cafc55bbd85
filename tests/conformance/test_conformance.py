"""The suite itself: its schema, and that it refuses what it should."""

import json
import re
import sys
from xml.etree import ElementTree as ET

import jsonschema
import msgspec
import pytest
import yaml
from bleukit.conformance import suite
from bleukit.conformance.judging import cases, coverage, named_variants
from bleukit.conformance.judging.runner import agrees, run_case
from bleukit.conformance.judging.written import written_differences as held_to_the_score
from bleukit.conformance.reports import reporting

import bleukit
from bleukit.cli import printing
from bleukit.cli.conform.changes import usable_variants
from bleukit.cli.conform.shared import print_findings
from bleukit.variant import Variant

CASE = "document: d\nsource: s\ncases:\n- {id: A, says: x, hypothesis: [a], references: [[a]], "


def test_the_schema_of_the_cases_is_a_schema_and_describes_each_key(run):
    status, out, _ = run("conform", "schema")
    jsonschema.Draft202012Validator.check_schema(json.loads(out))
    assert (status, json.loads(out)) == (0, cases.cases_schema())


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(cases.FOLDER.glob("*.yaml")), ids=lambda path: path.name)
def test_every_file_of_cases_keeps_the_schema_for_any_reader(path):
    """Readers of YAML 1.1, as PyYAML's own, see the same data: they turn a bare on or no into a boolean."""
    data = bleukit.yaml_document.read_yaml(path).data
    jsonschema.validate(data, cases.cases_schema())
    assert json.dumps(yaml.safe_load(path.read_text(encoding="utf-8"))) == json.dumps(data)


def test_ids_are_unique_over_all_documents():
    ids = [case.id for document in cases.suite_documents() for case in document.cases]
    assert len(set(ids)) == len(ids)


def test_exceptions_name_components_that_exist():
    known = {kind: set(names) for kind, names in bleukit.loading.registry.installed().registered.items()}
    for document in cases.suite_documents():
        for case in document.cases:
            for key, values in ((key, values) for other in case.otherwise for key, values in other.when.items()):
                assert key in Variant.__struct_fields__, case.id
                assert isinstance(values, cases.Excluded) or set(values) <= known[key], case.id


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
            CASE + "expect: {}, otherwise: [{when: {smoothing: {excluded: [matlab]}}, because: b, expect: {}}]}",
            r"cases\[0\].otherwise\[0\].when: a component declares no 'matlab'",
        ),
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


@pytest.mark.parametrize("choice", ["char", {"name": "char"}])
def test_a_case_that_chooses_a_component_is_run_in_the_combinations_with_it_alone(choice):
    case = cases.Case("X1", "says", cases.Expected(), hypothesis="a", references=["a"], set={"tokenizer": choice})
    others = {"counter": "clipped", "reference_length": "closest", "smoothing": "none"}
    document = cases.CaseDocument("d", "s", [case])
    ran = [len(suite.conform([document], (), {"tokenizer": t, **others}).combinations) for t in ("char", "13a")]
    assert ran == [1, 0]


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
    report = suite.conform([cases.CaseDocument("d", "s", [case])], ["nltk", "wikipedia"], None)
    assert [result.variant for result in report.variants] == ["nltk"]
    return list(report.variants[0].outcome.failures)


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


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"variant": "nltc"}, "no variant 'nltc' is registered"),
        ({"set": {"tokenizer": "tokenise"}}, "it leaves everything open"),
        ({}, None),
    ],
)
def test_a_case_that_applies_to_nothing_fails(keys, why):
    case = cases.Case("X", "says", cases.Expected(), hypothesis=["a"], references=[["a"]], **keys)
    documents = [cases.CaseDocument("d", "s", [case])]
    one = {"tokenizer": "none", "counter": "clipped", "reference_length": "closest", "smoothing": "none"}
    report = suite.conform(documents, [], one)
    failures = [result.outcome.failures for result in suite.about_nothing(documents, report, {"wikipedia"})]
    assert failures == ([] if why is None else [(f"the case applies to nothing: {why}",)])


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
    outcome = run_case(case_of("N1-modified"), bleukit.load("wikipedia", tokenizer="own"))
    assert {stage.name: stage.state for stage in outcome.stages} == {
        "tokens": "agrees",
        **dict.fromkeys(["matches", "totals", "precisions", "score"], "unstated"),
    }


FAULTS = {
    "counts without clipping": (
        "ngram_counters",
        "counter",
        "lambda h, r, n: ([len(h)] + [0] * (n - 1), [max(0, len(h) - i) for i in range(n)])",
        "W2",
    ),
    "the longer of two equally close": (
        "reference_lengths",
        "reference_length",
        "lambda c, lengths: min(lengths, key=lambda r: (abs(r - c), -r))",
        None,
    ),
    "drops the last token": ("tokenizers", "tokenizer", "lambda text: text.split()[:-1]", None),
    "a smoothing that forgets an order": (
        "smoothings",
        "smoothing",
        "lambda counts: [m / max(t, 1) for m, t in zip(counts.matches, counts.totals)][:-1] + [1.0]",
        None,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_component_is_seen(tmp_path, monkeypatch, fault):
    """A fault fails, or at least never agrees with what the documents say."""
    hook, kind, call, fails = FAULTS[fault]
    (tmp_path / "plugin_faulty.py").write_text(
        f"import bleukit\n\n@bleukit.plugin.hookimpl\ndef bleukit_{hook}(): return {{'faulty': lambda: {call}}}\n"
    )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "variant.yaml").write_text(f"variant: wikipedia\nplugins: [plugin_faulty]\n{kind}: faulty\n")
    chosen = [[case for case in document.cases if case.id in {"W2", "D1"}] for document in cases.suite_documents()]
    few = [cases.CaseDocument("d", "s", found) for found in chosen if found]
    report = suite.conform(few, [tmp_path / "variant.yaml"], None)
    sys.modules.pop("plugin_faulty", None)
    states = {result.outcome.case: result.outcome.state for result in report.variants}
    assert set(states.values()) & {"fails", "unstated"}
    assert fails is None or states[fails] == "fails"


def test_what_cases_of_ones_own_leave_open_is_their_own_business():
    case = cases.Case("X1", "nothing of characters", cases.Expected(tokens=["ab"]), hypothesis="ab", references=["ab"])
    only = {"tokenizer": "char", "counter": "clipped", "reference_length": "closest", "smoothing": "none"}
    report = suite.conform([cases.CaseDocument("d", "s", [case])], (), only)
    assert coverage.of_components(report.combinations)["tokenizer", "char"] == {"unstated": 1}
    assert report.conforms


ONE_COUNTER = ("--counter", "clipped", "--reference-length", "closest", "--smoothing", "exp")
NARROW = ("--tokenizer", "char", "--brevity-penalty", "standard", *ONE_COUNTER)


def test_conform_prints_a_matrix_and_its_verdict(few_cases, run):
    status, out, err = run("conform", "--quick", "--variant", "nltk", *NARROW)
    assert (status, err) == (0, "")
    assert "Named variants against the documents" in out
    of_all_variants = sum(not case.variant for document in cases.suite_documents() for case in document.cases)
    assert f"1 combinations x {of_all_variants} cases: " in out
    assert " stages checked: " in out
    assert " 0 fail;" in out
    assert "; certified: 5 of 6 variants and components; sound: variant nltk;" in out


@pytest.mark.parametrize(
    ("written", "instead", "wrong"),
    [
        ("hypothesis length 16", "hypothesis length 21", "the hypothesis length 16"),
        ("reference length 21", "reference length 20", "the reference length 21"),
        ("BLEU 0.6764", "BLEU 0.6765", "the score 0.676"),
        (", 2 segments", ", 3 segments", "the number of segments 2"),
        ("|references:1-2", "|references:2", "references is 2"),
        ("|weights:0.5,0.3", "|weights:0.5,0.30001", "weights is"),
        ("|counter:nltk", "|counter:clipped", "counter is clipped"),
        ("|case:mixed", "|case:lower", "case is lower"),
    ],
)
def test_what_a_score_is_written_as_is_held_to_it(written, instead, wrong):
    case = cases.Case(
        "X1",
        "says",
        cases.Expected(),
        variant="nltk",
        segments=[
            cases.Pair("a b c d e f g h", ["a b c d e f g h i j k"]),
            cases.Pair("a b c x e f g h", ["a", "a b c d e f g h i j"]),
        ],
        set={"weights": [0.5, 0.3]},
    )
    bleu = bleukit.load("nltk", **case.set)
    score = bleu.corpus([pair.hypothesis for pair in case.pairs], [pair.references for pair in case.pairs])
    assert not list(held_to_the_score(case, bleu, score, "corpus"))

    class Otherwise(bleukit.Score):
        def __str__(self):
            return str(score).replace(written, instead)

    other = Otherwise(**{**score.__getstate__(), "signature": score.signature.replace(written, instead)})
    (found,) = held_to_the_score(case, bleu, other, "corpus")
    assert wrong in found


def test_a_case_that_a_variant_refuses_fails():
    pair = cases.Pair(["a"], [["a"]])
    keys = {"smoothing": "nltk-method6"}
    case = cases.Case("X1", "says", cases.Expected(score=1), variant="nltk", segments=[pair], set=keys)
    (failure,) = named_variants.run_for_variant(case, "nltk").failures
    assert failure.startswith("it refuses the input: smoothing 'nltk-method6' needs a matching trigram")


def test_what_cannot_be_used_is_named_as_not_installed():
    """Such as a variant whose model is not there."""
    told = reporting.of_suite(suite.Report(not_run=[("variant sacrebleu-flores200", "it needs its model")]))
    assert "; not installed: variant sacrebleu-flores200" in told.summary
    assert told.tables[-1].rows == [["variant sacrebleu-flores200", "it needs its model"]]
    assert told.data["not_run"] == {"variant sacrebleu-flores200": "it needs its model"}


def test_a_matrix_of_many_variants_fits_a_terminal(terminal):
    variants = usable_variants()
    one_case_each = [
        msgspec.structs.replace(document, cases=document.cases[:1]) for document in cases.suite_documents()
    ]
    told = reporting.of_suite(suite.conform(one_case_each, variants))
    for table in told.tables:
        printing.console().print(printing.table(table.columns, table.rows, table.title))
    first_words = [line.split()[0] for line in terminal().splitlines() if line.strip()]
    assert set(variants) <= set(first_words)
    assert "✓" in terminal()


def test_a_matrix_of_many_variants_marks_what_fails():
    case = cases.Case("X1", "says", cases.Expected(score="1/2"), hypothesis=["a"] * 4, references=[["a"] * 4])
    document = cases.CaseDocument("d", "s", [case])
    names = ["nltk", "matlab", "sacrebleu", "wikipedia", "coco"]
    matrix = reporting.of_suite(suite.conform([document], names, None)).tables[1]
    assert matrix.rows == [[name, "–1" if name == "coco" else "✗1"] for name in names]


def test_a_report_speaks_every_format(few_cases, capsys):
    report = suite.conform(cases.suite_documents(), ["nltk"])

    def printed(output):
        print_findings(reporting.of_suite(report), output)
        return capsys.readouterr().out

    data = json.loads(printed("json"))
    assert (data["conforms"], {variant["verdict"] for variant in data["variants"]}) == (True, {"sound"})
    root = ET.fromstring(printed("junit"))
    cases_of_nltk = [
        case for document in cases.suite_documents() for case in document.cases if case.variant in {"", "nltk"}
    ]
    assert (root.get("failures"), root.get("tests")) == ("0", str(len(cases_of_nltk)))
    assert re.search(r"\| MATLAB documentation, .* \| \d+ agree, \d+ deviate as stated \|\n", printed("markdown"))


def test_conform_runs_cases_of_ones_own(few_cases, run, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.yaml").write_text(
        "document: Mine\nsource: me\ncases:\n- {id: X1, says: x, hypothesis: [a], references: [[a]], "
        "set: {weights: [1]}, expect: {score: 1/2}}\n"
    )
    status, out, _ = run("conform", "--quick", "--variant", "wikipedia", "--cases", "own")
    assert status == 1
    assert "Mine" in out
    assert "score: expected 1/2, got 1.0" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variant", "nltc"], "unknown variant 'nltc'; did you mean 'nltk'"),
        (["--tokenizer", "13b"], "unknown tokenizer '13b'; did you mean '13a'"),
        (["--cases", "nowhere"], "nowhere: holds no file of cases"),
        (["--config", "nowhere.yaml"], "nowhere.yaml: cannot be read"),
    ],
)
def test_conform_tells_bad_usage_from_a_verdict(few_cases, run, arguments, message):
    status, out, err = run("conform", *arguments)
    assert (status, out) == (2, "")
    assert message in err


def test_variants_that_need_what_is_not_installed_are_reported_and_left_out(monkeypatch, capsys):
    monkeypatch.setattr("bleukit.loading.creating.version_of", lambda _: "")
    usable = usable_variants()
    assert "sacrebleu" in usable
    assert "sacrebleu-ja" not in usable
    told = "'sacrebleu-ja' is left out: 'ja-mecab' needs what is not installed: pip install mecab-python3 ipadic"
    assert f"bleukit: warning: the variant {told}\n" in capsys.readouterr().err


SUPPORT = "import bleukit"


@pytest.fixture
def with_component(tmp_path, monkeypatch):
    """Return a function that registers a component, made by code that calls it so, under the name own."""

    def register(hook, code):
        (tmp_path / "plugin_own.py").write_text(
            f"{SUPPORT}\n{code}\n\n@bleukit.plugin.hookimpl\ndef {hook}(): return {{'own': lambda: component}}\n"
        )
        with_it = bleukit.loading.registry.installed().with_modules(["plugin_own"], tmp_path)
        sys.modules.pop("plugin_own")
        monkeypatch.setattr(bleukit.loading.registry, "installed", lambda: with_it)

    return register


@pytest.fixture
def with_tokenizer(with_component):
    return lambda code: with_component("bleukit_tokenizers", f"component = {code}")
