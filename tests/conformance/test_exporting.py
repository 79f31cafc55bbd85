"""The cases as JSON: a runner that shares no code with ours gives the same verdicts."""

import json
import os
import subprocess
import sys
import threading
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from bleukit.conformance.implementations import asking, exporting, protocol, serving
from bleukit.conformance.judging import cases
from jsonschema import Draft202012Validator

import bleukit

pytestmark = pytest.mark.slow

RUNNER = Path(__file__).parents[2] / "examples" / "harnesses" / "run_cases.py"
VARIANT = "wikipedia"


@pytest.fixture(scope="module")
def documents():
    return cases.documents_by_name()


def written(folder, documents, variant):
    for path, data in exporting.exported_files(documents, [variant]):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def exported(tmp_path_factory, documents):
    return written(tmp_path_factory.mktemp("cases"), documents, VARIANT)


@pytest.fixture(scope="module")
def of_multi_bleu(tmp_path_factory, documents):
    """The cases of one document: scores to 100, with two decimals."""
    return written(tmp_path_factory.mktemp("cases"), {"multi-bleu": documents["multi-bleu"]}, "multi-bleu")


@pytest.fixture(scope="module")
def runner():
    if not RUNNER.exists():
        pytest.skip("not in a checkout")
    module = module_from_spec(spec := spec_from_file_location("run_cases", RUNNER))
    spec.loader.exec_module(module)
    return module


def verdicts(runner, asked, name):
    """Let the runner ask an implementation that is served from another thread."""
    (requests, to), (of, answers) = os.pipe(), os.pipe()

    def serve():
        with os.fdopen(requests, "rb") as reading, os.fdopen(answers, "wb") as writing:
            serving.serve(name, reading, writing)

    thread = threading.Thread(target=serve)
    thread.start()
    with os.fdopen(to, "w", encoding="utf-8") as writing, os.fdopen(of, encoding="utf-8") as reading:
        found = runner.verdicts(asked, writing, reading)
    thread.join()
    return found


def test_another_runner_gives_the_same_verdicts(exported, runner, documents):
    names = ["bleukit", "nltk", "sacrebleu"]
    ours = asking.ask_implementations([*documents.values()], names, ["wikipedia"]).answers
    asked = list(runner.tests(exported, "wikipedia"))
    for name in names:
        found = verdicts(runner, asked, name)
        assert found == {answer.case: answer.verdict for answer in ours if answer.implementation == name}
        assert len(found) > 150


def test_bleukit_passes_every_case_that_is_exported_for_a_variant(of_multi_bleu, runner):
    found = verdicts(runner, list(runner.tests(of_multi_bleu, "multi-bleu")), "bleukit")
    assert set(found.values()) == {"passed"}
    assert len(found) >= 5


def test_files_keep_to_their_schemas(exported):
    schemas = {path.stem: json.loads(path.read_text("utf-8")) for path in (exported / "schemas").iterdir()}
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    index = json.loads((exported / "index.json").read_text("utf-8"))
    Draft202012Validator(schemas["index"]).validate(index)
    assert set(index["variants"]) == {VARIANT}
    assert {f"cases/{path.name}" for path in (exported / "cases").iterdir()} == set(index["files"])
    for file in index["files"]:
        document = json.loads((exported / file).read_text("utf-8"))
        Draft202012Validator(schemas["cases"]).validate(document)
    del document["cases"][0]["segments"]
    assert not Draft202012Validator(schemas["cases"]).is_valid(document)


def test_every_case_is_exported_or_left_out_with_the_reason(exported, runner, documents):
    index = json.loads((exported / "index.json").read_text("utf-8"))
    there = [case["id"] for _, case, _ in runner.tests(exported, VARIANT)]
    left_out = [case for each in index["left_out"] for case in each["cases"]]
    known = [case.id for document in documents.values() for case in document.cases if case.variant in {"", VARIANT}]
    assert sorted(there + left_out) == sorted(known)


def test_what_is_stated_is_exported_as_numbers(exported, of_multi_bleu):
    """By hand: 2/7, exact; 0.7825 as printed, good to its last digit; a score of 56.31 on the scale 100."""
    test = cases_of(exported, "wikipedia")["N1-modified"]["tests"][0]
    assert test["expect"]["score"] == {"value": 2 / 7, "tolerance": 2 / 7 * 1e-9}
    printed = cases_of(of_multi_bleu, "multi-bleu")["B1"]["tests"][0]["expect"]
    assert printed["score"]["value"] == pytest.approx(0.5631, rel=1e-15)
    assert printed["score"]["tolerance"] == pytest.approx(0.00005, rel=1e-15)
    assert printed["precisions"][0] == {"value": 0.967, "tolerance": 0.0005}
    assert printed["hypothesis_length"] == 30


def cases_of(folder, variant):
    documents = [json.loads(path.read_text("utf-8")) for path in (folder / "cases").iterdir()]
    return {
        case["id"]: case
        for document in documents
        for case in document["cases"]
        if any(variant in test["variants"] for test in case["tests"])
    }


def test_no_request_is_longer_than_the_page_for_harnesses_says(documents):
    variant = protocol.asked_of(bleukit.load(VARIANT).variant)
    of_cases = [case for document in documents.values() for case in document.cases if case.pairs]
    requests = [protocol.CaseRequest(1, id=case.id, variant=variant, **protocol.input_of(case)) for case in of_cases]
    assert max(map(len, map(protocol.encode, requests))) < 25_000
    assert "The longest request has 25 kB." in " ".join(exporting.README.read_text("utf-8").split())


def test_an_export_is_reproducible_byte_for_byte(exported, tmp_path):
    """In a process of its own, with another hash seed, and without compiled parts."""
    command = [sys.executable, "-m", "bleukit", "conform", "export", "again", "-V", VARIANT]
    environment = {**os.environ, "PYTHONHASHSEED": "7", "BLEUKIT_COMPILED": "0"}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    assert contents(tmp_path / "again") == contents(exported)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_variants_that_need_an_extra_are_exported_only_if_they_are_asked_for():
    own = exporting.bleukits_own()
    assert own[0] == "wikipedia"
    assert {"matlab", "sacrebleu", "sacrebleu-zh", "mteval-v14"} < set(own)
    assert own.count("wikipedia") == 1
    assert not {"sacrebleu-ja", "sacrebleu-ko", "sacrebleu-flores200"} & set(own)


def test_cases_of_ones_own_are_exported_too(run, tmp_path, monkeypatch):
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite" / "nltk.yaml").write_bytes((cases.FOLDER / "concept-note.yaml").read_bytes())
    monkeypatch.setattr(cases, "FOLDER", tmp_path / "suite")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "nltk.yaml").write_text(
        "document: Mine\nsource: me\ncases:\n- {id: X1, says: x, hypothesis: [a], references: [[a]], "
        "set: {weights: [1]}, expect: {score: 1}}\n"
    )
    assert run("conform", "export", "out", "-V", "wikipedia", "--cases", "own") == (0, "", "")
    document = json.loads((tmp_path / "out" / "cases" / "nltk-2.json").read_text("utf-8"))
    assert [case["id"] for case in document["cases"]] == ["X1"]
    status, out, err = run("conform", "export", "out")
    assert (status, out, err) == (
        2,
        "",
        "bleukit: error: out: expected a new or empty folder; see 'bleukit conform export --help'\n",
    )
