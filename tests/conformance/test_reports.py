"""Reports: the headline figures and what fails, as text, Markdown and JSON; and what implementations answered."""

import json
from dataclasses import replace

import msgspec
import pytest
from bleukit.conformance import reporting
from bleukit.conformance.implementations import asking, records
from bleukit.conformance.judging import cases
from bleukit.conformance.judging.combinations import Result
from bleukit.conformance.judging.runner import Stage, run_case
from bleukit.conformance.report import Cause, Failing, Observed, Report, Subject
from jsonschema import Draft202012Validator

import bleukit

DOCUMENT = cases.CaseDocument(
    "A <document>",
    "here & there",
    [
        cases.Case(
            id=f"X{number}",
            says=f"what <b>{number}</b> says",
            section="Section 5 & 6",
            hypothesis=["a", "<script>"],
            references=[["a", "<script>"]],
            set={"weights": [1]},
            expect=cases.Expected(matches=[2], score=1),
            erratum=cases.Erratum("2", "it is <i>1</i>") if number == 2 else None,
        )
        for number in (1, 2, 3, 4)
    ],
)


class MadeUp:
    """Right, wrong, unable, and broken, one after the other."""

    def __init__(self):
        self.asked = 0

    def __call__(self, variant, hypotheses, references):
        self.asked += 1
        if self.asked == 3:
            raise bleukit.CannotExpressError("weights: one")
        if self.asked == 4:
            raise ValueError("oh & no")
        return bleukit.plugin.Reported(matches=[2], score=[1, float("nan")][self.asked - 1])


@pytest.fixture(scope="module")
def comparison():
    questions, left_out = asking.ask_about([DOCUMENT], ["wikipedia"])
    library = asking.Adapted("made up", MadeUp())
    answers = [asking._answer("made up", library, question) for question in questions]
    return asking.ImplementationRun({"made up": {"made-up": "7"}}, answers, left_out, questions)


@pytest.fixture(scope="module")
def record(comparison):
    return comparison.record


def test_a_record_keeps_to_its_schema_and_says_what_was_expected_and_reported(record):
    data = json.loads(json.dumps(msgspec.to_builtins(record)))
    Draft202012Validator(records.report_schema()).validate(data)
    assert data["counts"] == {"passed": 1, "differs": 2, "cannot express": 1}
    right, wrong, unable, broken = data["answers"]
    assert right["expected"] == {"matches": [2], "score": 1}
    assert wrong["reported"] == {"matches": [2], "score": "nan"}
    assert wrong["differences"] == [{"stage": "score", "expected": 1, "got": "nan"}]
    assert unable["cannot_express"] == "weights: one"
    assert broken["differences"] == [{"stage": "error", "expected": None, "got": "ValueError: oh & no"}]


# Reports of the suite.

HEADLINES = [
    (name, case) for name, document in cases.documents_by_name().items() for case in document.cases if case.headline
]


def report_of(*variants, **known):
    results = {
        name: [Result(at, run_case(case, name), {}) for at, (_, case) in enumerate(HEADLINES)] for name in variants
    }
    return Report(HEADLINES, results, **known)


def test_the_headline_figures_are_those_that_the_documents_are_known_for():
    """Each is found by the key of its case."""
    figures = {case.headline for _, case in HEADLINES}
    assert figures == {"2/7", "0.5411", "0.75", "0.7825", "0.8367"}
    assert {name for name, case in HEADLINES if case.headline in {"2/7", "0.5411", "0.75"}} == {
        "wikipedia",
        "lecture-note",
        "course-page",
    }


@pytest.fixture(scope="module")
def report():
    missing = {("variant", "sacrebleu-ja"): "'ja-mecab' needs what is not installed"}
    return report_of("nltk", "wikipedia", "evaluate-smooth", "dotnet-bleu", not_installed=missing)


def test_the_matrix_is_the_first_thing_in_text_and_fits_80_columns(report):
    lines = reporting.as_text(report).splitlines()
    assert lines[2].split() == ["variants", "2/7", "0.5411", "0.75", "0.7825", "0.8367"]
    (agreeing,) = (line.split() for line in lines if line.startswith("nltk, wikipedia"))
    assert agreeing.count("agrees") == 5
    assert any(
        line.split() == ["evaluate-smooth", "0.3750*", "0.6389*", "0.8000*", "0.8071*", "0.8528*"] for line in lines
    )
    assert "*  not covered: the document says nothing about such a component" in lines
    assert any(line.startswith("sacrebleu-ja") and "not installed" in line for line in lines)
    assert max(map(len, lines)) <= reporting.WIDTH


def test_the_matrix_is_the_first_thing_in_markdown_and_json(report):
    first, second, *_ = reporting.as_markdown(report).splitlines()
    assert first.startswith("| variants | wikipedia 2/7 |")
    assert second == "| --- | --- | --- | --- | --- | --- |"
    data = reporting.as_data(report)
    assert next(iter(data)) == "headline"
    (row,) = (row for row in data["headline"] if "wikipedia" in row["variants"])
    assert {figure: cell["state"] for figure, cell in row["figures"].items()} == dict.fromkeys(row["figures"], "agrees")
    json.dumps(data)


def test_a_deviation_is_a_note_of_the_matrix():
    """Made up: no installed variant deviates at a headline figure."""
    report = report_of("wikipedia")
    outcome = report.results["wikipedia"][0].outcome
    stages = (Stage("score", "deviates", "it counts otherwise", ("counter",)),)
    report.results["wikipedia"][0] = Result(0, replace(outcome, stages=stages, figure=0.12345), {})
    lines = reporting.as_text(report).splitlines()
    assert any("0.1235a" in line or "0.1234a" in line for line in lines)
    assert "a  it counts otherwise" in lines


def test_a_wrong_counter_takes_at_most_40_lines():
    """As many results fail as for a counter in all its combinations, at three stages."""
    report = report_of("wikipedia")
    report.combinations, report.combined["fails"] = 26_400, 9_970
    subject = Subject("counter", "clipped", "bleukit", failing=True, contract_tried=True)
    report.subjects["counter", "clipped"] = subject
    for stage in ("matches", "totals", "precisions"):
        failing = [
            Failing(f"X{number}", f"13a clipped {number}", f"{stage}: expected {'9' * number}")
            for number in range(1, 3000)
        ]
        report.failures[Cause("counter", "clipped", stage)] = failing
    text = reporting.as_text(report)
    assert not report.conforms
    assert len(text.splitlines()) <= 40
    assert (
        "fails: counter clipped, matches: 2,999 results, such as\n  X1 (13a clipped 1): matches: expected 9\n" in text
    )
    assert "--format json" in text
    assert [len(cause["results"]) for cause in reporting.as_data(report)["failures"]] == [2999] * 3


def test_many_causes_are_counted():
    report = report_of("wikipedia")
    for number in range(30):
        report.failures[Cause("variant", f"v{number}", "score")] = [Failing("X1", f"v{number}", "score: expected 1")]
    text = reporting.as_text(report)
    assert len(text.splitlines()) <= 45
    assert "30 causes" in text or "22 causes in all" in text


def test_a_report_of_one_component_begins_with_what_it_gives():
    subject = Subject("tokenizer", "thai", "own", contract_tried=True, checked=9)
    subject.gives += [("0.75", "0.75"), ("2/7", "2/7"), ("0.5411", "0.5000")]
    subject.observed.append(Observed("rewrites text", "'ﬁ': it becomes 'fi'"))
    subject.deviates += [Observed(f"X{number}", "it is so") for number in range(9)]
    report = Report(subjects={("tokenizer", "thai"): subject}, required=[("tokenizer", "thai")])
    assert reporting.as_text(report).splitlines() == [
        "With the components of `wikipedia`, thai gives 2/7, 0.5000 (for 0.5411) and",
        "0.75.",
        "",
        "tokenizer thai: well-behaved",
        "  observed  rewrites text: 'ﬁ': it becomes 'fi'",
        *(f"  deviates  X{number}: it is so" for number in range(5)),
        "  deviates  and 4 more cases, which --format json lists",
    ]
    assert report.conforms


@pytest.mark.parametrize(
    ("changes", "says", "conforms"),
    [
        ({}, "counter own: well-behaved", True),
        ({"failing": True}, "counter own: fails", False),
        ({"broken": [Observed("is deterministic", "1, then 2")]}, "  breaks    is deterministic: 1, then 2", False),
        (
            {"needs": "needs `k`: no variant gives it"},
            "counter own: not tried: it needs `k`: no variant gives it",
            False,
        ),
        ({"checked": 0, "contract_tried": False}, "counter own: not tried", False),
        ({"contract_tried": False}, "counter own: cases hold; contracts not tested", False),
        ({"conforms_to": "nltk", "compared": ""}, "counter own: conforms to nltk", True),
        (
            {"conforms_to": "nltk", "compared": "x: 1, but 2"},
            "counter own: does not conform to nltk: x: 1, but 2",
            False,
        ),
    ],
)
def test_a_verdict_is_said_and_decides(changes, says, conforms):
    subject = Subject("counter", "own", **{"checked": 9, "contract_tried": True, **changes})
    report = Report(subjects={("counter", "own"): subject}, required=[("counter", "own")])
    assert says in reporting.as_text(report).splitlines()
    assert report.conforms == conforms
