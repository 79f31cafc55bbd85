"""The suite itself: its schema, and that it refuses what it should."""

import json
from importlib.metadata import version

import jsonschema
import pytest
import yaml
from bleukit_conformance import cases
from bleukit_conformance.runner import differences

import bleukit


@pytest.mark.skipif(
    version("msgspec").startswith("0.19"), reason="older releases order the parts of a schema otherwise"
)
def test_the_schema_shipped_is_that_of_the_cases():
    """To renew it: python -m bleukit_conformance.cases > conformance/schema.json."""
    assert json.loads((cases.FOLDER / "schema.json").read_text(encoding="utf-8")) == cases.json_schema()


@pytest.mark.parametrize("path", sorted(cases.FOLDER.glob("*.yaml")), ids=lambda path: path.name)
def test_every_file_of_cases_keeps_the_schema_for_any_reader(path):
    """Any YAML 1.2 reader sees the same data: only PyYAML's own loader turns "on" and "yes" into booleans."""
    data = bleukit.yaml_document.read(path).data
    jsonschema.validate(data, cases.json_schema())
    assert yaml.safe_load(yaml.safe_dump(data)) == data


def test_ids_are_unique_over_all_documents():
    ids = [case.id for document in cases.built_in() for case in document.cases]
    assert len(set(ids)) == len(ids)


def test_exceptions_name_variants_that_exist():
    known = set(bleukit.registry.installed().recipes)
    named = {name for d in cases.built_in() for case in d.cases for other in case.otherwise for name in other.variants}
    assert named <= known


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source: s\ndocument: d\ncases: []", "cases.yaml:3: cases: expected a list of length >= 1"),
        ("source: s", "cases.yaml:1: object missing required field `document`"),
        (
            "document: d\nsource: s\ncases:\n- id: A\n  says: x\n  expect: {}\n",
            r"cases.yaml:4: cases\[0\]: .*needs one input",
        ),
        ("document: d\nsource: s\ncases:\n- id: A\n  sais: x\n", r"cases.yaml:4: cases\[0\]: .*unknown field `sais`"),
        (
            "document: d\nsource: s\ncases:\n" + "- {id: A, says: x, hypothesis: a, references: [a], expect: {}}\n" * 2,
            r"cases.yaml:5: cases\[1\].id: two cases have the id 'A'",
        ),
    ],
)
def test_a_broken_file_of_cases_is_told_with_its_line(tmp_path, text, message):
    (tmp_path / "cases.yaml").write_text(text)
    with pytest.raises(bleukit.VariantError, match=message):
        cases.load(tmp_path / "cases.yaml")


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
        ({"error": "weights"}, "error: expected weights to be refused"),
    ],
)
def test_a_case_that_does_not_hold_fails(expect, difference):
    case = cases.Case(
        id="N2",
        says="0.75, with another expectation",
        hypothesis="this is a test",
        references=["this is small test"],
        recipe={"weights": [1, 0, 0, 0]},
        expect=cases.Expected(**expect),
    )
    (told,) = differences(case, "wikipedia")
    assert told.startswith(difference)


def test_tiny_scores_are_told_from_zero():
    case = next(case for document in cases.built_in() for case in document.cases if case.id == "M5")
    assert differences(case, "nltk") == []
    assert case.expected("nltk").score != case.expected("matlab").score
    without_exception = cases.Case(id="M5", says="", hypothesis=["a"], references=[["a"]], expect=case.expect)
    assert differences(without_exception, "nltk") != []
