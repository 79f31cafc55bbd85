"""Honest components that do what none of ours does are certified with their own cases, and sound without."""

import json

import pytest

pytestmark = pytest.mark.slow

PLUGIN = '''
"""Honest, unusual components."""

import itertools
import math
import os
import re
from collections import Counter

from bleukit.plugin import hookimpl


def skip_grams(tokens, order):
    for start in range(len(tokens)):
        for others in itertools.combinations(range(start + 1, min(len(tokens), start + 3)), order - 1):
            yield tuple(tokens[place] for place in (start, *others))


class SkipGrams:
    """Counts n-grams with gaps of one token."""

    counts_otherwise = True

    def __call__(self, hypothesis, references, max_order):
        matches, totals = [], []
        for order in range(1, max_order + 1):
            ours = Counter(skip_grams(hypothesis, order))
            theirs = [Counter(skip_grams(reference, order)) for reference in references]
            matches.append(sum(min(n, max(other[gram] for other in theirs)) for gram, n in ours.items()))
            totals.append(sum(ours.values()))
        return matches, totals


class Words:
    """Counts words alone, as often for every order."""

    counts_otherwise = True

    def __call__(self, hypothesis, references, max_order):
        matches = max(sum((Counter(hypothesis) & Counter(reference)).values()) for reference in references)
        return [matches] * max_order, [len(hypothesis)] * max_order


class AllOrNothing:
    """Gives 0 as soon as one order has no match."""

    lowers_precisions = depends_on_orders = True

    def __call__(self, counts):
        precisions = [m / t if t else math.nan for m, t in zip(counts.matches, counts.totals)]
        return precisions if all(counts.matches) else [precision * 0 for precision in precisions]


def words(text):
    return [part for word in text.split() for part in re.split("([^0-9A-Za-z]+)", word) if part]


def utf_8(text):
    return text.encode().decode().split()


class Ends:
    """Ends its process."""

    def __call__(self, text):
        os._exit(3)


@hookimpl
def bleukit_tokenizers():
    return {"word-punct": lambda: words, "utf-8": lambda: utf_8, "ends": Ends}


@hookimpl
def bleukit_ngram_counters():
    return {"skip-grams": SkipGrams, "words": Words}


@hookimpl
def bleukit_smoothings():
    return {"all-or-nothing": AllOrNothing}


def ratio(hypothesis_length, reference_length):
    return min(1.0, hypothesis_length / reference_length) if reference_length else 1.0


@hookimpl
def bleukit_brevity_penalties():
    return {"ratio": lambda: ratio}
'''

CASES = """
document: own
source: own
cases:
- {id: O1, says: x, hypothesis: a-b c, references: [a b], set: {tokenizer: word-punct},
   expect: {tokens: [a, "-", b, c]}}
- {id: O6, says: x, hypothesis: a-b c, references: [a b], set: {tokenizer: utf-8}, expect: {tokens: [a-b, c]}}
- {id: O2, says: x, hypothesis: [a, b, c], references: [[a, x, c]], set: {counter: skip-grams, weights: [0.5, 0.5]},
   expect: {matches: [2, 1], totals: [3, 3]}}
- {id: O5, says: x, hypothesis: [a, b], references: [[b, c]], set: {counter: words, weights: [0.5, 0.5]},
   expect: {matches: [1, 1], totals: [2, 2]}}
- {id: O3, says: x, hypothesis: [a, b, c], references: [[a, x, c]], set: {smoothing: all-or-nothing, weights: [1, 1]},
   expect: {precisions: [0, 0]}}
- {id: O4, says: x, hypothesis: [a], references: [[a, b]], set: {brevity_penalty: ratio, weights: [1]},
   expect: {brevity_penalty: 0.5, score: 0.5}}
"""


@pytest.fixture
def certify(run, tmp_path, monkeypatch):
    """Certify what has a name, with cases or without, in a hurry; return the status, the report and the messages."""
    monkeypatch.setenv("BLEUKIT_DISABLE_PLUGINS", "1")
    (tmp_path / "honest.py").write_text(PLUGIN)
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "own.yaml").write_text(CASES)

    def certify(name, *options):
        arguments = ("--plugin", "honest.py", "--certify", name, "--quick", *options)
        status, out, err = run("conform", *arguments, "--format", "json")
        return status, json.loads(out) if out else {}, err

    return certify


@pytest.mark.parametrize("name", ["word-punct", "utf-8", "skip-grams", "words", "all-or-nothing", "ratio"])
def test_an_honest_component_is_certified_with_its_own_cases(certify, name):
    status, report, _ = certify(name, "--cases", "cases")
    assert [(own["name"], own["verdict"]) for own in report["components"]] == [(name, "certified")]
    assert (status, report["breaches"]) == (0, [])


def test_a_component_without_cases_is_sound_and_not_certified(certify, run):
    status, report, _ = certify("word-punct")
    assert [(own["name"], own["verdict"]) for own in report["components"]] == [("word-punct", "sound")]
    assert (status, report["breaches"]) == (1, [])
    _, text, _ = run("conform", "--plugin", "honest.py", "--certify", "word-punct", "--quick", "--format", "markdown")
    assert "| tokenizer word-punct | sound |" in text
    assert "set: {tokenizer: word-punct}, expect: {tokens: [" in text


def test_a_component_that_ends_its_process_fails_alone(certify):
    status, report, _ = certify("ends")
    assert status == 1
    assert [(breach["name"], breach["shown_by"]) for breach in report["breaches"]] == [
        ("ends", "its creation: it ends the process, with status 3")
    ]


def test_a_name_that_nobody_has_is_reported(certify):
    status, _, err = certify("word-punkt")
    assert (status, "no variant or component has the name 'word-punkt'; did you mean 'word-punct'" in err) == (2, True)
