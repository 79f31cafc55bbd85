"""Runs of the suite with plugins in processes of their own: whatever these do is a row of the report."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from bleukit.conformance.judging import cases
from bleukit.conformance.running import certifying, jobs
from bleukit.conformance.running.certifying import Selection, certify

from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.framework.creating import create
from bleukit.framework.errors import BleukitError
from bleukit.framework.options import Component
from bleukit.framework.registry import installed

pytestmark = pytest.mark.example

PLUGIN = '''
import ctypes, decimal, locale, os, random, sys, time
from pathlib import Path
from bleukit.plugin import hookimpl

def on_cat(does):
    """Return a tokenizer that does something if a text has a Japanese cat."""
    def tokenize(text):
        if "猫" in text:
            does(text)
        return text.split()
    return lambda: tokenize

def eats(_):
    kept = []
    while True:
        kept.append(bytes(1 << 28))

def exits_once(_):
    place = Path(__file__).with_suffix(".once")
    if not place.exists():
        place.touch()
        os._exit(5)

def characters_if(condition):
    return lambda: lambda text: list("".join(text.split())) if condition() else text.split()

@hookimpl
def bleukit_tokenizers():
    return {
        "honest": lambda: str.split,
        "hangs": on_cat(lambda _: time.sleep(60)),
        "exits": on_cat(lambda _: os._exit(3)),
        "exits-once": on_cat(exits_once),
        "ends-when-created": lambda: os._exit(4),
        "crashes": on_cat(lambda _: ctypes.string_at(0)),
        "eats-memory": on_cat(eats),
        "forks": on_cat(lambda _: os.fork()),
        "prints": on_cat(lambda _: print("hello")),
        "writes": on_cat(lambda _: os.write(1, b"junk")),
        "changes-folder": on_cat(lambda _: os.chdir("/")),
        "changes-environment": on_cat(lambda text: os.environ.update(LANG=text[:1] + str(time.time()))),
        "changes-random": on_cat(lambda _: random.random()),
        "changes-decimal": on_cat(lambda text: setattr(decimal.getcontext(), "prec", 7)),
        "changes-recursion": on_cat(lambda _: sys.setrecursionlimit(sys.getrecursionlimit() + 1)),
        "by-hash": characters_if(lambda: hash("a") % 2),
        "by-hash-of-words": lambda: lambda text: sorted(text.split(), key=hash),
        "by-locale": characters_if(lambda: "tr" in os.environ.get("LANG", "")),
        "by-folder": characters_if(lambda: "bleukit-" in os.getcwd()),
    }
'''

ELSEWHERE = "gives the same in another process, with another hash seed, locale and folder"
ENDS = "lets its process go on"
ACCEPTS = "accepts its input, and returns what it should"

ROWS = {
    "hangs": (ENDS, "it gives nothing within 3 seconds, at the tokenizer hangs, called with ("),
    "exits": (ENDS, "it ends the process, with status 3, at the tokenizer exits, called with ("),
    "exits-once": (ENDS, "it ends the process, with status 5"),  # with calls logged, it does not
    "ends-when-created": (
        "can be created",
        "it ends the process, with status 4, at the creation of the tokenizer ends-when-created",
    ),
    "crashes": (ENDS, "it ends the process, by SIGSEGV, at the tokenizer crashes, called with ("),
    "eats-memory": (ACCEPTS, "猫': it raises MemoryError"),
    "prints": (ACCEPTS, "猫': it prints 'hello\\n' to standard output"),
    "writes": (ACCEPTS, "猫': it prints 'junk' to standard output"),
    "changes-folder": (ACCEPTS, "猫': it changes the current folder"),
    "changes-environment": (ACCEPTS, "猫': it changes the environment variable LANG"),
    "changes-random": (ACCEPTS, "猫': it changes the state of random"),
    "changes-decimal": (ACCEPTS, "猫': it changes the context of decimal"),
    "changes-recursion": (ACCEPTS, "猫': it changes the recursion limit"),
    "by-hash-of-words": (ELSEWHERE, ", then ["),
    "by-locale": (ELSEWHERE, ", then ["),
    "by-folder": (ELSEWHERE, ", then ["),
}


def test_what_a_component_does_to_its_process_is_a_row_with_the_call_and_disturbs_no_other(tmp_path, monkeypatch):
    """One run of all components."""
    (tmp_path / "plugin_faulty.py").write_text(PLUGIN, encoding="utf-8")
    documents = {"wikipedia": cases.load_document(cases.FOLDER / "wikipedia.yaml")}
    monkeypatch.setattr(jobs, "CALL", 3.0)
    monkeypatch.setattr(certifying, "EXAMPLES", 40)
    monkeypatch.setenv("BLEUKIT_DISABLE_PLUGINS", "1")
    plugins = [str(tmp_path / "plugin_faulty.py")]
    report = certify(Selection(documents, names=[*ROWS, "forks", "honest"], plugins=plugins, quick=True))
    broken = {name: {b.rule: b.shown for b in report.subjects["tokenizer", name].broken} for name in ROWS}
    assert {name: own for name, own in broken.items() if ROWS[name][1] not in own.get(ROWS[name][0], "")} == {}
    assert {report.subjects["tokenizer", name].verdict for name in ROWS} == {"fails"}
    assert report.subjects["tokenizer", "honest"].verdict == "well-behaved"
    assert not report.conforms
    assert not report.problems


# What an author meets.

OWN = """
import os
from bleukit import Variant
from bleukit.plugin import hookimpl

class Needing:
    def __init__(self, lang: str):
        self.lang = lang

    def __call__(self, text):
        return text.split()

@hookimpl
def bleukit_tokenizers():
    return {"needing": Needing, "words": lambda: str.split}

if VARIANT:
    @hookimpl
    def bleukit_variants():
        needing = {"name": "needing", "lang": "th"}
        return {"thai": Variant(name="thai", tokenizer=needing, counter="clipped", reference_length="closest",
                                smoothing="none")}
"""

CASE = """
document: own
source: own
cases:
- {id: own-1, says: it splits, hypothesis: a b, references: [a b], set: {tokenizer: NAME}, expect: {tokens: [TOKENS]}}
"""


@pytest.fixture
def conform(run, tmp_path, monkeypatch, few_cases):
    """Run ``conform`` with a plugin of two tokenizers, and a variant of the one that needs an option or none."""
    monkeypatch.setenv("BLEUKIT_DISABLE_PLUGINS", "1")
    monkeypatch.setattr(certifying, "EXAMPLES", 5)
    (tmp_path / "cases").mkdir()

    def conform(*arguments, variant=False, case=""):
        (tmp_path / "own.py").write_text(OWN.replace("VARIANT", str(variant)))
        if case:
            (tmp_path / "cases" / "own.yaml").write_text(case)
            arguments += ("--cases", "cases")
        return run("conform", *arguments)

    return conform


PLUGIN_OF_OWN = ("--plugin", "own.py", "--quick")


@pytest.mark.usefixtures("few_cases")
def test_all_combinations_are_run_unless_something_is_named(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)  # without contracts
    monkeypatch.setenv("BLEUKIT_DISABLE_PLUGINS", "1")
    usable = dict.fromkeys(COMPONENT_HOOKS, 0)
    for kind in usable:
        for name in installed().of_kind(kind):
            with suppress(BleukitError):  # of components that need options, or what is not installed
                create(installed(), kind, Component(name))
                usable[kind] += 1
    _, out, _ = run("conform", "--format", "json")
    assert json.loads(out)["combinations"] == math.prod(usable.values()) > 10_000


def test_a_component_with_an_option_that_nobody_gives_is_not_tried_and_the_others_are(conform):
    status, out, err = conform(*PLUGIN_OF_OWN, "--certify", "needing", "--certify", "words")
    assert (status, err) == (1, "")
    assert "tokenizer needing: not tried: it needs `lang`: no variant gives it\n" in out
    assert "tokenizer words: well-behaved\n" in out
    assert out.startswith("With the components of `wikipedia`, words gives 2/7")


def test_a_figure_that_comes_out_is_written_as_the_document_has_it(run):
    _, out, _ = run("conform", "--certify", "longest", "--quick")  # the document of 2/7 says nothing of this length
    assert out.startswith("With the components of `wikipedia`, longest gives 2/7, 0.5411, 0.75")


@pytest.mark.parametrize(("tokens", "status"), [("a, b", 0), ("a b", 1)])
def test_its_own_case_is_run_if_a_variant_gives_the_option(conform, tokens, status):
    case = CASE.replace("NAME", "{name: needing, lang: th}").replace("TOKENS", tokens)
    found, out, _ = conform(*PLUGIN_OF_OWN, "--certify", "needing", variant=True, case=case)
    assert found == status
    assert ("tokenizer needing: fails\n" in out) == (status == 1)
    assert ("own-1" in out) == (status == 1)


@pytest.mark.parametrize(
    ("name", "because"),
    [
        ("{name: needing, lang: th}", "the tokenizer needing needs `lang`: no variant gives it"),
        ("wods", "no tokenizer wods is registered"),
    ],
)
def test_a_case_of_ones_own_that_is_not_run_is_an_error_that_names_it(conform, name, because):
    case = CASE.replace("NAME", name).replace("TOKENS", "a, b")
    status, out, _ = conform(*PLUGIN_OF_OWN, "--certify", "needing" if "needing" in name else "words", case=case)
    assert status == 1
    assert f"the case own-1 is not run: {because}" in " ".join(out.split())


def test_the_plugins_of_a_variant_file_are_loaded(conform, tmp_path):
    (tmp_path / "mine.yaml").write_text("variant: wikipedia\nplugins: [own.py]\ntokenizer: words\n")
    status, out, err = conform("-c", "mine.yaml")
    assert (status, err) == (0, "")
    assert "mine.yaml" in out


HALF = "lambda: lambda text: text.split() if text < chr(0x5000) else 1 / 0"
INSTALL = "contracts need hypothesis: pip install 'bleukit[conformance]'"


@pytest.fixture
def without_hypothesis(tmp_path):
    """Run Python where hypothesis cannot be imported, and a tokenizer raises on half of Unicode."""
    (tmp_path / "hypothesis.py").write_text("raise ModuleNotFoundError('hypothesis')\n")
    (tmp_path / "own.py").write_text(OWN.replace("VARIANT", "False").replace("lambda: str.split", HALF))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "BLEUKIT_DISABLE_PLUGINS": "1"}

    def run(*arguments):
        command = [sys.executable, "-m", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.mark.parametrize(
    "options", [["--certify", "words"], ["--certify", "clipped", "--as", "nltk", "--format", "json"]]
)
def test_without_hypothesis_nothing_is_certified(without_hypothesis, options):
    asked = without_hypothesis("bleukit", "conform", *PLUGIN_OF_OWN, *options)
    assert asked == (2, "", f"bleukit: error: {INSTALL}\n")


def test_without_hypothesis_the_cases_hold_and_every_format_says_that_contracts_are_not_tested(without_hypothesis):
    said = "cases hold; contracts not tested"
    for form in ("text", "markdown"):
        options = [*PLUGIN_OF_OWN, "--tokenizer", "words", "--format", form]
        status, out, err = without_hypothesis("bleukit", "conform", *options)
        assert (status, err) == (0, "")
        assert f"{said}: 1 component\n{INSTALL}\n" in out
        assert "well-behaved" not in out
    status, out, _ = without_hypothesis(
        "bleukit", "conform", *PLUGIN_OF_OWN, "--tokenizer", "words", "--format", "json"
    )
    data = json.loads(out)
    assert (status, data["verdict"], data["conforms"], data["left_out"]) == (0, said, None, [INSTALL])
    assert [subject["verdict"] for subject in data["subjects"]] == [said]


def test_without_hypothesis_pytest_adds_no_tests(without_hypothesis):
    status, _, err = without_hypothesis("pytest", "-p", "no:hypothesispytest", "--bleukit-conformance=13a")
    assert (status, err) == (4, f"ERROR: {INSTALL}\n\n")


@pytest.mark.parametrize(
    ("to", "status", "says"),
    [
        ("whitespace", 0, "tokenizer words: conforms to whitespace\n"),
        ("char", 1, "tokenizer words: does not conform to char: "),
        ("nltk", 2, "no tokenizer has the name 'nltk'"),
        ("{name: char, k: 1}", 2, "k"),
        ("[char", 2, "--as"),
    ],
)
def test_a_claim_to_conform_is_checked(conform, to, status, says):
    found, out, err = conform(*PLUGIN_OF_OWN, "--certify", "words", "--as", to)
    assert found == status
    assert says in (err if status == 2 else out)
    assert err.count("\n") == (status == 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--certify", "wods"], "no variant or component has the name 'wods'; did you mean 'words'"),
        (["--as", "char"], "--as names what --certify NAME must be the same as"),
        (["--certify", "words", "-V", "nltk"], "--certify chooses what is checked: give it alone"),
    ],
)
def test_a_wrong_command_is_told_in_one_line(conform, arguments, message):
    status, out, err = conform(*PLUGIN_OF_OWN, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("os._exit(3)", "it ends the process, with status 3, at the import of plugins"),
        ("os.abort()", "it ends the process, by SIGABRT, at the import of plugins"),
    ],
)
def test_a_plugin_that_ends_its_process_when_it_is_loaded_is_an_error(conform, tmp_path, does, says):
    (tmp_path / "ends.py").write_text(f"import os\n{does}\n")
    status, out, err = conform("--plugin", "ends.py", "--quick", "-V", "nltk")
    assert (status, out) == (2, "")
    assert says in err


def test_an_installed_plugin_that_ends_its_process_when_it_is_loaded_is_left_out(conform, tmp_path, monkeypatch):
    sound = "from bleukit.plugin import hookimpl\n@hookimpl\ndef bleukit_tokenizers():\n    return {}\n"
    for name, code in (("ends", "import os\nos._exit(3)\n"), ("sound", sound)):
        (tmp_path / f"plugin_{name}.py").write_text(code)
        (tmp_path / f"{name}-1.dist-info").mkdir()
        (tmp_path / f"{name}-1.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (tmp_path / f"{name}-1.dist-info" / "entry_points.txt").write_text(f"[bleukit]\n{name} = plugin_{name}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("BLEUKIT_DISABLE_PLUGINS")
    status, out, err = conform("--quick", "-V", "nltk")
    assert (status, err) == (1, "")
    assert "the plugin ends, when it is loaded: it ends the process, with status 3, at the import of" in " ".join(
        out.split()
    )
    assert "the plugin sound" not in out
    assert "well-behaved: 1 variant" in out


def children_of(process):
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False)
    return list(map(int, listed.stdout.split()))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends processes with their parent")
@pytest.mark.parametrize("seconds", [0.2, 2])  # so that they are just starting, or at work
def test_processes_end_with_their_parent_even_if_it_is_killed(tmp_path, seconds):
    (tmp_path / "plugin_faulty.py").write_text(PLUGIN, encoding="utf-8")
    command = [sys.executable, "-m", "bleukit", "conform", "--plugin", "plugin_faulty.py", "--certify", "hangs"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        end = time.monotonic() + 60
        while not (children := children_of(process.pid)) and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(seconds)
        children = children_of(process.pid) or children
        os.kill(process.pid, signal.SIGKILL)
    assert children
    while (left := [child for child in children if Path("/proc", str(child)).exists()]) and time.monotonic() < end:
        time.sleep(0.1)
    assert not left
