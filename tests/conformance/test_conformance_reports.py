"""What comes of asking implementations: as JSON with a schema, compared with an earlier one, a badge, and a page."""

import json
import re
from html.parser import HTMLParser

import msgspec
import pytest
from bleukit.conformance.implementations import asking, records
from bleukit.conformance.judging import cases
from bleukit.conformance.judging.coverage import CaseResult
from bleukit.conformance.judging.runner import run_case
from bleukit.conformance.reports import reporting
from bleukit.conformance.suite import Report
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


def written(record, **changes):
    return json.dumps(msgspec.to_builtins(msgspec.structs.replace(record, **changes)))


def test_a_record_keeps_to_its_schema_and_says_what_was_expected_and_reported(record):
    data = json.loads(written(record))
    Draft202012Validator(records.report_schema()).validate(data)
    assert data["counts"] == {"passed": 1, "differs": 2, "cannot express": 1}
    right, wrong, unable, broken = data["answers"]
    assert right["expected"] == {"matches": [2], "score": 1}
    assert wrong["reported"] == {"matches": [2], "score": "nan"}
    assert wrong["differences"] == [{"stage": "score", "expected": 1, "got": "nan"}]
    assert unable["cannot_express"] == "weights: one"
    assert broken["differences"] == [{"stage": "error", "expected": None, "got": "ValueError: oh & no"}]


def test_nothing_changes_from_a_record_to_itself(record):
    assert records.answer_changes(record, record) == []


def test_changes_are_what_became_of_each_case(record):
    first, second, third, fourth = record.answers
    worse = msgspec.structs.replace(first, verdict="no answer", no_answer="it ends")
    better = msgspec.structs.replace(second, verdict="passed", differences=())
    other = msgspec.structs.replace(fourth, case="X5")
    new = msgspec.structs.replace(
        record, answers=[worse, better, third, other], implementations={"made up": {"m": "8"}}
    )
    found = {change.case: change for change in records.answer_changes(record, new)}
    assert set(found) == {"X1", "X2", "X4", "X5"}
    assert [case for case, change in found.items() if change.is_worse] == ["X1"]
    text = reporting.markdown_report(reporting.of_changes(record, new))
    assert "| made up | 7 | 8 |" in text
    assert "| made up | wikipedia | X1 | passed | no answer: it ends |" in text
    assert "| made up | wikipedia | X2 | differs: score: expected 1, got nan | passed |" in text
    assert (
        "| made up | wikipedia | X4 | differs: error: expected nothing, got ValueError: oh & no | not asked |" in text
    )


def test_the_command_compares_two_files(record, run, tmp_path):
    (tmp_path / "old.json").write_text(written(record))
    (tmp_path / "new.json").write_text(written(record, answers=record.answers[:2]))
    status, out, err = run("conform", "compare", "old.json", "new.json", "--format", "json")
    assert (status, err) == (0, "")
    assert [change["case"] for change in json.loads(out)["changes"]] == ["X3", "X4"]
    (tmp_path / "new.json").write_text(written(record, answers=[]))
    status, out, _ = run("conform", "compare", "old.json", "new.json", "--format", "json")
    assert (status, json.loads(out)["worse"]) == (1, sum(answer.verdict == "passed" for answer in record.answers))
    worse = [msgspec.structs.replace(record.answers[0], verdict="differs"), *record.answers[1:]]
    (tmp_path / "new.json").write_text(written(record, answers=worse))
    assert run("conform", "compare", "old.json", "new.json")[0] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "bad.json: is no JSON: "),
        ("{}", "bad.json: object missing required field `format`; expected what"),
        ('{"format": 2}', "object missing required field"),
        (None, "bad.json: cannot be read: No such file"),
    ],
)
def test_what_is_no_record_is_reported_in_one_line(run, tmp_path, record, text, message):
    (tmp_path / "good.json").write_text(written(record))
    if text is not None:
        (tmp_path / "bad.json").write_text(text)
    status, out, err = run("conform", "compare", "good.json", "bad.json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_a_record_of_another_format_is_refused(record, tmp_path):
    (tmp_path / "later.json").write_text(written(record, format=2))
    with pytest.raises(bleukit.InputError, match="format: expected 1, got 2"):
        records.read_record(tmp_path / "later.json")


@pytest.mark.parametrize(
    ("counts", "message", "color"),
    [
        ({"passed": 9, "cannot express": 5}, "9 of 9 cases", "brightgreen"),
        ({"passed": 9, "differs": 1}, "9 of 10 cases", "yellow"),
        ({"passed": 9, "differs": 1, "no answer": 2}, "9 of 12 cases", "red"),
    ],
)
def test_a_badge_is_what_shields_takes(record, counts, message, color):
    badge = records.badge(msgspec.structs.replace(record, counts=counts))
    assert badge == {"schemaVersion": 1, "label": "BLEU conformance", "message": message, "color": color}


def test_a_badge_is_about_one_implementation(record):
    other = msgspec.structs.replace(record.answers[0], implementation="another")
    with pytest.raises(bleukit.InputError, match="one implementation"):
        records.badge(msgspec.structs.replace(record, answers=[*record.answers, other]))


@pytest.mark.parametrize("form", ["badge", "latex"])
def test_a_format_of_other_reports_is_refused_before_anything_is_run(run, form):
    status, out, err = run("conform", "--format", form)
    assert (status, out) == (2, "")
    assert f"'{form}' is not one of 'text', 'json', 'markdown', 'junit', 'html'" in err


class Reader(HTMLParser):
    """Collects the tags of a page, and its text."""

    def __init__(self, page):
        super().__init__()
        self.opened, self.closed, self.attributes, self.text = [], [], [], ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.opened.append(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        self.closed.append(tag)

    def handle_data(self, data):
        self.text += data


def read_page(findings):
    """Return a page, if it is well-formed, loads nothing, and its links lead to places on it."""
    page = Reader(findings.make_page())
    assert {"script", "link", "img", "b", "i"} & {*page.opened} <= {"b", "i"}
    for tag in ("table", "tr", "td", "details", "summary", "pre", "span", "div", "p", "code"):
        assert page.opened.count(tag) == page.closed.count(tag), tag
    hrefs = [value for name, value in page.attributes if name == "href"]
    assert {href[:1] for href in hrefs} == {"#"}
    ids = [value for name, value in page.attributes if name == "id"]
    assert len({*ids}) == len(ids)
    assert {href[1:] for href in hrefs} <= {*ids}
    return page


def test_the_page_is_one_file_that_shows_everything(comparison):
    page = read_page(reporting.of_implementations(comparison, [DOCUMENT]))
    assert page.opened.count("details") == 4
    for shown in (
        "A <document>",
        "here & there",
        "what <b>2</b> says",
        "Section 5 & 6",
        "the document prints 2; it is <i>1</i>",
        "made up 7",
        "made up: weights: one",
        "ValueError: oh & no",
        '"hypothesis":["a","<script>"]',
        "bleukit conform implementations 'made up' -V wikipedia --format html",
    ):
        assert shown in page.text, shown
    assert re.search(r"all✓ 1\s+✗ 2\s+– 1", page.text)


def test_the_page_of_variants_shows_what_came_of_each_case():
    (document,) = (known for known in cases.suite_documents() if known.document.startswith("MATLAB documentation, b"))
    of_cases = [case for case in document.cases if case.id in {"M1", "M5"}]
    document = msgspec.structs.replace(document, cases=of_cases)
    outcomes = [(variant, run_case(case, variant)) for variant in ("nltk", "wikipedia") for case in of_cases]
    results = [CaseResult(variant, {}, document.document, outcome) for variant, outcome in outcomes]
    page = read_page(reporting.of_suite(Report(variants=results), [document]))
    assert page.opened.count("details") == 2
    for shown in (
        document.source,
        "bleuEvaluationScore✓ 1  ~ 1✓ 2",
        "✓ agreesnltk, wikipedia",
        "~ deviatesnltkcounter, smo",
    ):
        assert shown in page.text.replace("\xa0", " "), shown
