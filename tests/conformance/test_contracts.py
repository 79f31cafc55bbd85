"""Components that are wrong, each in one way, are refused with the reason and a small example."""

import re
from importlib.metadata import entry_points

import pytest
from bleukit.conformance.certifying import Asked, certify
from bleukit.conformance.contracts import rules
from bleukit.conformance.judging import cases
from bleukit.conformance.processes import parent
from bleukit.conformance.reports import reporting

pytestmark = pytest.mark.slow

OTHERS = [entry.name for entry in entry_points(group="bleukit")]  # plugins, which take time to load
SECRET = [str(path) for path in cases.FOLDER.glob("*.yaml")]
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
    "depends on the home": ELSEWHERE,
    "depends on the folder": ELSEWHERE,
    "depends on the hour": ELSEWHERE,
    "depends on the hour of UTC": ELSEWHERE,
    "depends on the month": ELSEWHERE,
    "depends on the hash seed": ELSEWHERE,
    "depends on the call before": AGAIN,
    "depends on chance": AGAIN,
    "reads the case files": "opens no file of cases",
    "replaces a part of bleukit": "replaces no part of bleukit",
    "goes wrong in batches over 8": "gives in a batch",
    "goes wrong in batches over 8,192": "gives in a batch",
    "changes a batch": "gives in a batch",
    "goes wrong after 200,000 calls": AGAIN,
    "goes wrong after 200,000 texts in batches": AGAIN,
    "returns strings of its own": ACCEPTS,
    "returns a sequence that changes": ACCEPTS,
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
    "takes all memory": ACCEPTS,
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
    "declares that it grows and does not": "never gives less if an order has more matches",
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
DISHONEST = [
    pytest.param(kind, name, contract, id=f"{kind} {name}")
    for kind, found in (
        ("tokenizer", TOKENIZERS),
        ("counter", COUNTERS),
        ("reference_length", REFERENCE_LENGTHS),
        ("smoothing", SMOOTHINGS),
    )
    for name, contract in found.items()
]


@pytest.fixture(scope="module")
def bench():
    """One bench for all: whoever ends its process is followed by the next in a new one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parent, "SECONDS", 5.0)
        patch.setattr(rules, "SHRINKING", 0.2)
        patch.setattr(rules, "EXAMPLES", 50)
        with rules.Bench(["dishonest"], OTHERS, SECRET) as shared:
            yield shared


def checked(bench, kind, name):
    return rules.check(kind, re.sub("[ ,]+", "-", name), bench=bench)


@pytest.mark.parametrize(("kind", "name", "contract"), DISHONEST)
def test_a_dishonest_component_is_refused_with_a_small_example(bench, monkeypatch, kind, name, contract):
    if "200,000" not in name and name != "leaks":
        monkeypatch.setattr(rules, "CALLS", 5_000)
    if name.startswith("loops"):
        monkeypatch.setattr(parent, "SECONDS", 2.0)
    breaches = checked(bench, kind, name).breaches
    shown = [breach.shown_by for breach in breaches if breach.contract.startswith(contract)]
    assert shown, breaches
    assert len(shown[0]) < 900


def test_what_a_component_prints_is_no_reply(bench):
    assert not checked(bench, "tokenizer", "prints").breaches


PLAIN = {"counter": "clipped", "reference_length": "closest", "smoothing": "none"}


def certified(tokenizer, *plugins):
    """Certify a tokenizer, in a hurry, by one document."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parent, "SECONDS", 2.0 if "loops" in tokenizer else 5.0)
        patch.setattr(rules, "SHRINKING", 0.5)
        patch.setattr(rules, "EXAMPLES", 10)
        few = [document for document in cases.built_in() if document.document.startswith("Wikipedia")]
        return certify(Asked(few, [], {"tokenizer": tokenizer, **PLAIN}, plugins, quick=True))


@pytest.mark.parametrize("name", ["ends-the-process", "loops-on-some-text"])
def test_a_component_that_ends_its_process_or_hangs_is_reported(name):
    report = certified(name, "dishonest")
    (breach,) = report.breaches
    assert reporting.of_suite(report).summary.endswith(", many calls, batches over 50, other surroundings")
    assert (breach.kind, breach.name, breach.fatal, report.conforms) == ("tokenizer", name, True, False)


def test_a_component_that_dies_at_a_case_alone_is_blamed(tmp_path):
    """The text of the case is none of those that the contracts try."""
    (tmp_path / "plugin_own.py").write_text(PLUGIN.format("os._exit(0) if 'the cat is on' in text else text.split()"))
    report = certified("own", str(tmp_path / "plugin_own.py"))
    assert not report.breaches
    assert not report.conforms
    assert "it ends the process, with status 0" in report.failures[0].outcome.failures[0]


@pytest.mark.parametrize(
    ("does", "contract"),
    [
        ("import bleukit.scoring; bleukit.scoring.brevity_penalty = None", "lets bleukit be when it is loaded"),
        ("import atexit; atexit.register(os._exit, 0)", ""),
        ("import atexit; atexit.register(os._exit, 3)", "lets bleukit be when it is loaded"),
    ],
)
def test_an_installed_plugin_that_meddles_is_named(tmp_path, monkeypatch, does, contract):
    (tmp_path / "plugin_own.py").write_text(PLUGIN.format("text.split()") + does)
    info = tmp_path / "own-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[bleukit]\nown = plugin_own\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("BLEUKIT_DISABLE_PLUGINS", ",".join({*OTHERS} - {"wikipedia"}))
    report = certified("whitespace" if "loaded" in contract else "own")
    assert [(breach.name, breach.contract) for breach in report.breaches] == ([("own", contract)] if contract else [])


PLUGIN = """
import os, bleukit

def tokenize(text): return {}

@bleukit.plugin.hookimpl
def bleukit_tokenizers(): return {{"own": lambda: tokenize}}

"""
