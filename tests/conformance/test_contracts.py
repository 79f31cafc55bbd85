"""Components with a mistake are reported with the reason and a small example, and never end the run."""

import re
from importlib.metadata import entry_points

import pytest
from bleukit.conformance.certifying import LOADS, Selection, certify
from bleukit.conformance.contracts import checking
from bleukit.conformance.judging import cases
from bleukit.conformance.processes import parent
from bleukit.conformance.processes.bench import Bench
from bleukit.conformance.reports import reporting

pytestmark = pytest.mark.slow

OTHERS = [entry.name for entry in entry_points(group="bleukit")]  # plugins, which take time to load
ELSEWHERE = "gives the same with another hash seed"
AGAIN = "gives the same result again"
KEEPS = "keeps every character"
ACCEPTS = "accepts its input"
PLAIN = "counts as the plain definition"
LENGTHS = "grows by as much as all lengths grow"
ORDERS = "gives an order the same however many orders there are"
MATCHES = "gives the matches by the totals if every order has a match"

TOKENIZERS = {
    "drops the last token": KEEPS,
    "sorts": KEEPS,
    "handles only ASCII": KEEPS,
    "loses the order": KEEPS,
    "caches by id": KEEPS,
    "loops on some text": ACCEPTS,
    "leaks": "keeps its memory within bounds",
    "depends on the locale": ELSEWHERE,
    "depends on the encoding": ELSEWHERE,
    "depends on the folder": ELSEWHERE,
    "depends on the hash seed": ELSEWHERE,
    "depends on the call before": AGAIN,
    "depends on chance": AGAIN,
    "goes wrong in batches over 8": "gives in a batch",
    "goes wrong in batches over 8,192": "gives in a batch",
    "changes a batch": "gives in a batch",
    "goes wrong after 200,000 calls": AGAIN,
    "goes wrong after 200,000 texts in batches": AGAIN,
    "returns one list again and again": "gives results that stay",
    "is not safe from threads": "gives the same from several threads",
    "does not pickle": "pickles",
    "writes to all streams": ACCEPTS,
    "is stateful": KEEPS,
    "raises on some scripts": ACCEPTS,
    "raises on long text": ACCEPTS,
    "raises what is no Exception": ACCEPTS,
    "returns the text": ACCEPTS,
    "returns numbers": ACCEPTS,
    "returns what is endless": ACCEPTS,
    "crashes": ACCEPTS,
    "ends the process": ACCEPTS,
    "raises SystemExit": ACCEPTS,
    "asks for all memory": ACCEPTS,
    "eats memory": ACCEPTS,
    "forks": ACCEPTS,
    "needs a file at home": ACCEPTS,
    "needs a file to be created": ACCEPTS,
    "exits when it is created": ACCEPTS,
    "forks when it is created": ACCEPTS,
    "declares that it rewrites and drops a word": "keeps the letters of plain words",
    "declares that it rewrites and handles only ASCII": "leaves something of every character",
    "declares that it rewrites and does not": "does what its attribute rewrites_text says",
}
COUNTERS = {
    "by a hash of 16 bits": PLAIN,
    "by NFKC": PLAIN,
    "by case": PLAIN,
    "of 12 characters": PLAIN,
    "of all but the 16th byte": PLAIN,
    "of 32 bytes": PLAIN,
    "of 255 bytes": PLAIN,
    "of 3 references": PLAIN,
    "of 4 references": PLAIN,
    "to order 6": PLAIN,
    "by the sum of long references": PLAIN,
    "of 65,536 positions": PLAIN,
    "unclipped to order 5": PLAIN,
    "changes the hypothesis": "leaves its input as it was",
    "by joining with spaces": PLAIN,
    "by the first reference": "is blind to the order of the references",
}
REFERENCE_LENGTHS = {
    "changes above 60": LENGTHS,
    "caps at 100": LENGTHS,
    "takes the first": "is blind to the order",
    "ignores the fifth": "is blind to the order",
    "drops empty references": LENGTHS,
    "adds one": ACCEPTS,
    "declares that it depends on the size and does not": "does what its attribute depends_on_size says",
}
SMOOTHINGS = {
    "is right for order 4 only": ORDERS,
    "looks at orders that others ask for": "looks no further than the order that it asks for",
    "is 1 for every order": MATCHES,
    "is wrong from the fifth order on": MATCHES,
    "is wrong over 100 words": MATCHES,
    "counts in 16 bits": "never gives less than the matches by the totals",
    "is negative": ACCEPTS,
    "is undefined of what is defined": ACCEPTS,
    "lacks an order": ACCEPTS,
    "exceeds one": "gives no precision above 1",
    "is 0 for every order": "never gives less than the matches by the totals",
    "refuses input": ACCEPTS,
    "warns in a batch": "gives in a batch",
    "declares that it ignores the reference length and does not": "does not read the reference length",
    **{
        f"declares {attribute}": f"does what its attribute {attribute} says"
        for attribute in (
            "exceeds_one",
            "lowers_precisions",
            "smooths_matches",
            "depends_on_orders",
            "refuses_input",
            "counted_order",
        )
    },
}
FAULTY = [
    pytest.param(kind, name, contract, id=f"{kind} {name}")
    for kind, contracts in (
        ("tokenizer", TOKENIZERS),
        ("counter", COUNTERS),
        ("reference_length", REFERENCE_LENGTHS),
        ("smoothing", SMOOTHINGS),
    )
    for name, contract in contracts.items()
]


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """One bench for all: whoever ends its process is followed by the next in a new one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parent, "SECONDS", 5.0)
        patch.setattr(checking, "SHRINKING", 0.2)
        patch.setattr(checking, "EXAMPLES", 50)
        with Bench(["faulty"], OTHERS, str(tmp_path_factory.mktemp("bleukit-elsewhere"))) as shared:
            yield shared


def checked(bench, kind, name):
    return next(checking.check_component(kind, re.sub("[ ,]+", "-", name), bench))


@pytest.mark.parametrize(("kind", "name", "contract"), FAULTY)
def test_a_faulty_component_is_refused_with_a_small_example(bench, monkeypatch, kind, name, contract):
    if "200,000" not in name and name != "leaks":
        monkeypatch.setattr(checking, "CALLS", 5_000)
    if name.startswith("loops"):
        monkeypatch.setattr(parent, "SECONDS", 2.0)
    breaches = checked(bench, kind, name).breaches
    shown = [breach.shown_by for breach in breaches if breach.contract.startswith(contract)]
    assert shown, breaches
    assert len(shown[0]) < 900


@pytest.mark.parametrize("name", ["prints", "forks and leaves"])
def test_what_a_component_may_do_is_no_mistake(bench, name):
    assert not checked(bench, "tokenizer", name).breaches


def test_a_component_that_forks_is_told_so(bench):
    (breach,) = checked(bench, "tokenizer", "forks").breaches
    assert "it forks, and the copy of the process returns from the call" in breach.shown_by


def certified(tokenizer, *plugins):
    """Certify a tokenizer, in a hurry, by one document."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parent, "SECONDS", 2.0 if "loops" in tokenizer else 5.0)
        patch.setattr(checking, "SHRINKING", 0.5)
        patch.setattr(checking, "EXAMPLES", 10)
        few = [document for document in cases.suite_documents() if document.document.startswith("Wikipedia")]
        return certify(Selection(few, [], {"tokenizer": tokenizer}, plugins, quick=True))


MISTAKES = {
    "ends-the-process": "it ends the process, with status 0",
    "crashes": "it ends the process, by SIGSEGV",
    "raises-SystemExit": "SystemExit: 0",
    "loops-on-some-text": "it gives no reply within 2 seconds",
    "writes-to-all-streams": "it writes to the stream of replies",
    "forks": "it forks, and the copy of the process returns from the call",
    "eats-memory": "MemoryError",
    "needs-a-file-at-home": "FileNotFoundError: ",
    "needs-a-file-to-be-created": "FileNotFoundError: ",
    "exits-when-it-is-created": "its creation: it ends the process, with status 3",
    "forks-when-it-is-created": "its creation: it forks, and the copy of the process returns from the call",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_a_row_of_the_report_with_its_reason(name):
    report = certified(name, "faulty")
    (breach,) = report.breaches
    assert (breach.kind, breach.name, breach.fatal, report.conforms) == ("tokenizer", name, True, False)
    assert MISTAKES[name] in breach.shown_by
    findings = reporting.of_suite(report)
    (row,) = next(table.rows for table in findings.tables if table.title == "Failures")
    assert row[0] == f"tokenizer {name}"
    assert MISTAKES[name] in row[2]
    assert findings.summary.endswith(", many calls, batches over 50, other surroundings")


def test_a_variant_that_cannot_be_created_is_a_row_of_the_report(tmp_path):
    """The other variants are run all the same."""
    (tmp_path / "own.yaml").write_text("variant: wikipedia\ntokenizer: exits-when-it-is-created\n")
    few = [document for document in cases.suite_documents() if document.document.startswith("A course")]
    report = certify(Selection(few, [tmp_path / "own.yaml", "wikipedia"], None, ["faulty"], quick=True))
    assert [(breach.kind, breach.name, breach.shown_by) for breach in report.breaches] == [
        ("variant", str(tmp_path / "own.yaml"), "its creation: it ends the process, with status 3")
    ]
    assert {result.variant for result in report.variants} == {"wikipedia"}


def test_a_component_that_dies_at_a_case_alone_is_blamed(tmp_path):
    """The text of the case is none of those that the contracts try."""
    (tmp_path / "plugin_own.py").write_text(PLUGIN.format("os._exit(0) if 'the cat is on' in text else text.split()"))
    report = certified("own", str(tmp_path / "plugin_own.py"))
    assert not report.breaches
    assert not report.conforms
    assert "it ends the process, with status 0" in report.failures[0].outcome.failures[0]


@pytest.mark.parametrize(
    ("does", "breaches"),
    [
        ("import atexit; atexit.register(os._exit, 0)", []),
        ("import atexit; atexit.register(os._exit, 3)", [("own", LOADS)]),
        ("os._exit(3)", [("own", LOADS)]),
        ("os.abort()", [("own", LOADS)]),
        ("raise SystemExit", []),
    ],
)
def test_an_installed_plugin_that_ends_the_process_is_named(tmp_path, monkeypatch, does, breaches):
    (tmp_path / "plugin_own.py").write_text(PLUGIN.format("text.split()") + does)
    info = tmp_path / "own-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[bleukit]\nown = plugin_own\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("BLEUKIT_DISABLE_PLUGINS", ",".join({*OTHERS} - {"wikipedia"}))
    report = certified("own" if "0" in does else "whitespace")
    assert [(breach.name, breach.contract) for breach in report.breaches] == breaches


PLUGIN = """
import os, bleukit

def tokenize(text): return {}

@bleukit.plugin.hookimpl
def bleukit_tokenizers(): return {{"own": lambda: tokenize}}

"""
