"""The harnesses in examples/: each runs if its tool is here, and what each implementation gets wrong is known."""

import os
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from bleukit.conformance.implementations import asking
from bleukit.conformance.judging import cases

HARNESSES = Path(__file__).parents[2] / "examples" / "harnesses"
SCRIPTS = os.environ.get("MOSES_SCRIPTS", "")
LIBBLEU = os.environ.get("LIBBLEU", "")
NODE_MODULES = os.environ.get("NODE_PATH", "")

pytestmark = [pytest.mark.example, pytest.mark.skipif(not HARNESSES.exists(), reason="not in a checkout")]
needs_scripts = pytest.mark.skipif(not SCRIPTS, reason="MOSES_SCRIPTS does not name the folder of the Perl scripts")


def tool(name):
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def asked(command, variant="wikipedia", names=()):
    """Return the answers of a harness, by case, and those of adapters; nothing may go wrong with its process."""
    words = [str(word) for word in command]
    comparison = asking.ask_implementations(cases.suite_documents(), names, [variant], [words], 30)
    (process,) = comparison.processes
    assert process.problems == []
    own = {answer.case: answer for answer in comparison.answers if answer.implementation == process.implementation}
    return own, {answer.case: answer for answer in comparison.answers if answer.implementation in names}


def differing(answers):
    return {(case, d.stage) for case, answer in answers.items() for d in answer.differences}


@pytest.mark.parametrize(
    "harness",
    ["nltk_harness.py", "page.mjs", "bleu_score.cjs", "multi_bleu.pl", "libbleu_harness.cpp", "java/Harness.java"],
)
def test_a_harness_is_short(harness):
    assert len((HARNESSES / harness).read_text("utf-8").splitlines()) < 80


def test_nltk_gives_the_same_through_a_harness_that_knows_nothing_of_bleukit(few_cases):
    own, adapter = asked([sys.executable, HARNESSES / "nltk_harness.py"], names=["nltk"])
    assert {case: answer.differences for case, answer in own.items()} == {
        case: answer.differences for case, answer in adapter.items()
    }
    assert {answer.implementation for answer in own.values()} == {"nltk (2)"}


def test_the_page_passes_every_case_that_it_knows():
    own, _ = asked([tool("node"), HARNESSES / "page.mjs"])
    assert differing(own) == set()
    assert sum(answer.verdict == "passed" for answer in own.values()) > 140
    assert {a.cannot_express.split(":")[0] for a in own.values()} == {"", "tokenizer", "smoothing"}


@pytest.mark.skipif(
    not Path(NODE_MODULES, "bleu-score").exists(), reason="NODE_PATH does not name a folder with bleu-score"
)
def test_bleu_score_splits_at_single_blanks():
    own, _ = asked([tool("node"), HARNESSES / "bleu_score.cjs"])
    assert differing(own) == {("W13-spaces", "score")}
    assert sum(answer.verdict == "passed" for answer in own.values()) >= 15


@needs_scripts
@pytest.mark.parametrize("script", ["multi-bleu", "multi-bleu-detok"])
def test_the_scripts_of_moses_pass_the_cases_of_their_variants(script):
    """All but 0/0, which they print as 0, and texts without any word, by whose length they divide."""
    own, _ = asked([tool("perl"), HARNESSES / "multi_bleu.pl", Path(SCRIPTS, f"{script}.perl")], script)
    kinds = {(d.stage, d.got) for answer in own.values() for d in answer.differences if d.stage != "precisions"}
    assert {stage for stage, _ in kinds} <= {"error", "brevity_penalty"}
    assert all("division by zero" in str(got) for stage, got in kinds if stage == "error")
    assert sum(answer.verdict == "passed" for answer in own.values()) >= 5


@needs_scripts
def test_the_scripts_of_moses_split_at_ascii_white_space():
    own, _ = asked([tool("perl"), HARNESSES / "multi_bleu.pl", Path(SCRIPTS, "multi-bleu.perl")])
    assert ("W13-spaces", "score") in differing(own)


@pytest.mark.skipif(not LIBBLEU, reason="LIBBLEU does not name the folder of fairseq's libbleu.cpp")
def test_libbleu_of_fairseq_counts_as_the_definition_does(tmp_path):
    headers = resources.files("nlohmann_json") / "include"
    source, program = HARNESSES / "libbleu_harness.cpp", tmp_path / "libbleu_harness"
    subprocess.run([tool("g++"), "-std=c++17", "-I", LIBBLEU, "-I", str(headers), source, "-o", program], check=True)
    own, _ = asked([program])
    assert differing(own) == set()
    assert sum(answer.verdict == "passed" for answer in own.values()) >= 31


def test_a_bleu_in_java_passes_every_case_that_it_knows(tmp_path):
    subprocess.run([tool("javac"), "-d", tmp_path, *(HARNESSES / "java").glob("*.java")], check=True)
    own, _ = asked([tool("java"), "-cp", tmp_path, "Harness"])
    assert differing(own) == set()
    assert sum(answer.verdict == "passed" for answer in own.values()) >= 76
