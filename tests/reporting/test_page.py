"""The page in a real browser: its numbers against Python's, its own BLEU under the conformance cases, its use."""

import csv
import functools
import io
import json
import math
import operator
import re
import sys
import types
from collections import Counter
from urllib.parse import quote, urlencode
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from bleukit.conformance.formula import PLAIN_VARIANT
from bleukit.conformance.implementations import asking
from bleukit.conformance.judging import cases
from chromium import CHROMIUM, NO_CHROMIUM
from msgspec.structs import replace
from reported import HOSTILE, corpus

import bleukit
import bleukit.plugin
from bleukit.framework import registry
from bleukit.reporting.report import _variant

pytest_plugins = ["browser"]
pytest.importorskip("playwright.sync_api", reason="needs the dependency group page: tox -e browser")
axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="needs the dependency group page: tox -e browser"
)
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM)]

VIEWPORT = {"width": 1440, "height": 900}
ALMOST = {"rel": 1e-9, "abs": 1e-9}
ABOUT = "document.getElementById('about').textContent"
VIEWS = ("#", "#view=segments&segment=20", "#view=ngrams", "#view=charts", "#view=variant&tokenizer=intl")


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    return saved_report(bleukit.load(), tmp_path_factory.mktemp("page"))


def saved_report(bleu, folder):
    systems, references, source, documents = corpus()
    labels = ["short" if segment % 3 else "long" for segment in range(len(source))]
    page = bleukit.report(
        bleu, systems, references, source=source, documents=documents, labels=labels, title="Three systems"
    )
    path = folder / "report.html"
    page.save(path)
    return path.as_uri()


@pytest.fixture(scope="session", params=[{}, {"average": "macro-with-final-newline", "smoothing": "add-k"}], ids=str)
def scored(request, tmp_path_factory):
    """A Bleu and its report: by the default variant, and by one that averages sentence scores."""
    bleu = bleukit.load(**request.param)
    return bleu, saved_report(bleu, tmp_path_factory.mktemp("scored"))


@pytest.fixture(scope="session")
def shared(browser):
    """A tab for a page of each test; to load a page in a new one takes twice as long."""
    context = browser.new_context(viewport=VIEWPORT)
    yield context.new_page()
    context.close()


@pytest.fixture
def opened(browser, report, shared):
    """Open the page with a fragment; whatever it prints or asks the network for fails the test."""
    contexts, listeners, faults = [], [], []

    def opened(fragment="#", file=report, *, report=True, **context):
        if context or listeners:
            contexts.append(browser.new_context(**{"viewport": VIEWPORT, **context}))
            tab = contexts[-1].new_page()
        else:
            tab = shared
        # A worker is the page's own, too: it is made in the page, at an address that begins with blob:null.
        own = (file, "blob:null/")
        for event, listener in (
            ("console", lambda message: faults.append(message.text)),
            ("pageerror", lambda error: faults.append(error.stack)),
            ("request", lambda request: None if request.url.startswith(own) else faults.append(request.url)),
        ):
            tab.on(event, listener)
            listeners.append((tab, event, listener))
        tab.goto(file + fragment)
        if report:
            settled(tab)
        return tab

    yield opened
    for tab, event, listener in listeners:
        tab.remove_listener(event, listener)
    for context in contexts:
        context.close()
    shared.goto("about:blank")
    shared.emulate_media(media="null")
    assert faults == []


def until(tab, condition):
    """Wait until an expression is true; Playwright's own way evaluates strings in the page, which refuses that."""
    for _ in range(500):
        if tab.evaluate(condition):
            return
        tab.wait_for_timeout(10)
    raise AssertionError(f"never true: {condition}")


def settled(tab):
    until(tab, "Boolean(bleukit.app?.links.length && !bleukit.app.working)")
    tab.evaluate("bleukit.app.settled.then(() => null)")


def shows(tab, segment):
    until(tab, f"document.querySelector('.detail h2')?.textContent.startsWith('Segment {segment}')")


def ordered(tab):
    return tab.evaluate("Array.from(bleukit.app.ordered, (segment) => segment + 1)")


# Its numbers


def test_it_computes_what_python_computes_for_every_variant_it_knows(opened):
    systems, references, _, _ = corpus()
    tab = opened()
    known = tab.evaluate("bleukit.components")
    tab.evaluate("(texts) => (globalThis.texts = texts)", [[*systems.values()], references])
    scored = "([variant, one]) => texts[0].map((hypotheses) => bleukit.corpus(variant, hypotheses, texts[1], one))"
    compared = 0
    overrides = [{}, {"lowercase": True, "reference_length": "average", "weights": [0.5, 0.3, 0.1]}]
    overrides += [{"effective_order": True, "smoothing": {"name": "floor", "value": 0.2}, "scale": 1}]
    overrides += [{"average": "macro", "smoothing": "ignite-smooth1"}]
    for name, variant in bleukit.variants().items():
        if unknown(known, variant):
            continue
        for keys in overrides:
            bleu = bleukit.load(name, **keys)
            found = tab.evaluate(scored, [_variant(level) for level in (bleu.variant, bleu.sentence_variant)])
            for hypotheses, page in zip(systems.values(), found, strict=True):
                score = bleu.corpus(hypotheses, references)
                assert page["value"] == pytest.approx(score.value, **ALMOST), (name, keys)
                assert page["matches"] == list(score.matches), (name, keys)
                assert page["precisions"] == pytest.approx(list(score.precisions), nan_ok=True, **ALMOST)
                compared += 1
    assert compared >= 350


def unknown(known, variant):
    """Return the keys of a variant that the page does not know, given the options of the components that it knows."""
    choices = {kind: getattr(variant, kind) for kind in known}
    keys = {"join_documents": variant.join_documents}
    for kind, choice in choices.items():
        keys[kind] = choice.name not in known[kind] or not {*choice.options} <= {*known[kind][choice.name]}
    return [key for key, is_unknown in keys.items() if is_unknown]


class ThePage:
    """The page's own BLEU as an implementation under the conformance cases."""

    def __init__(self, tab):
        self.tab = tab
        self.known = tab.evaluate("bleukit.components")

    def __call__(self, variant, hypotheses, references):
        levels = [bleukit.load(variant).variant, bleukit.load(variant).sentence_variant]
        given = [self.variant(levels[0]), hypotheses, references, self.variant(levels[1])]
        return self.reported(variant, self.tab.evaluate("(text) => bleukit.corpus(...text)", given))

    def from_counts(self, variant, counts):
        given = {"matches": counts.matches, "totals": counts.totals, "length": counts.hypothesis_length}
        given |= {"reference": counts.reference_length, "tokens": counts.reference_length}
        whole = self.variant(bleukit.load(variant).variant)
        return self.reported(variant, self.tab.evaluate("(given) => bleukit.score(...given)", [whole, given]))

    def variant(self, variant):
        for key in unknown(self.known, variant):
            raise bleukit.CannotExpressError(f"{key}: {getattr(variant, key)}")
        return _variant(variant)

    def reported(self, variant, found):
        return bleukit.plugin.Reported(
            found.get("words"),
            found["matches"],
            found["totals"],
            found["precisions"],
            found["length"],
            found["reference"],
            found["penalty"],
            found["value"] / variant.scale,
        )


def test_its_own_bleu_passes_the_conformance_cases(opened, monkeypatch):
    page = ThePage(opened())
    module = types.ModuleType("the_page")
    module.bleukit_implementations = bleukit.plugin.hookimpl(lambda: {"page": lambda: page})
    monkeypatch.setitem(sys.modules, "the_page", module)
    documents = cases.suite_documents()
    known = [name for name, variant in bleukit.variants().items() if not unknown(page.known, variant)]
    of_variants = [replace(each, cases=[c for c in each.cases if c.variant] or each.cases[:1]) for each in documents]
    with registry.also_installed(["the_page"]):
        found = asking.ask_implementations(documents, ["page"], [PLAIN_VARIANT])
        others = asking.ask_implementations(of_variants, ["page"], known)
    answers = [*found.answers, *others.answers]
    differing = [answer for answer in answers if answer.verdict == "differs"]
    assert [(answer.variant, answer.case, answer.differences) for answer in differing] == []
    assert sum(answer.verdict == "passed" for answer in answers) >= 400
    causes = {answer.cannot_express.split(":")[0] for answer in answers if answer.cannot_express}
    assert causes <= {"tokenizer", "counter", "smoothing", "reference_length", "result"}


def test_scores_of_systems_and_sentences_are_those_of_python(opened):
    systems, references, _, _ = corpus()
    bleu, tab = bleukit.load(), opened()
    for number, hypotheses in enumerate(systems.values()):
        found = tab.evaluate(f"[bleukit.app.model.score({number}), [...bleukit.app.model.sentences({number})]]")
        assert found[0]["value"] == bleu.corpus(hypotheses, references).value
        assert found[1] == pytest.approx(bleu.sentences(hypotheses, references).tolist(), **ALMOST)


def influences_by(bleu, systems, references, labels):
    """The influence of each label on the difference of the first two systems, as `bleukit compare --by` has it."""
    settings = {"samples": 1, "interval_samples": 0, "baseline": [*systems][1]}
    found = bleukit.compare(bleu, systems, references, by=labels, **settings)
    return {group.group: group.pairs[0].influence for group in found.groups}


@pytest.mark.parametrize("kind", ["segment", "label", "document"])
def test_influences_are_those_of_compare(opened, scored, kind):
    systems, references, _, documents = corpus()
    bleu, file = scored
    numbers = range(len(references))
    labels = {"label": ["short" if n % 3 else "long" for n in numbers], "document": documents}.get(kind, [*numbers])
    expected = influences_by(bleu, {name: systems[name] for name in ("one", "three")}, references, labels)
    tab = opened(f"#view=overview&a=1&b=3&group={'document' if kind == 'segment' else kind}", file)
    if kind == "segment":
        assert tab.evaluate("[...bleukit.app.influence()]") == pytest.approx([*expected.values()], **ALMOST)
        return
    for label, influence in expected.items():
        shown = tab.inner_text(f"tr:has(a:text-is('{label}')) >> td >> nth=6").replace("\u2212", "-")
        assert float(shown) == pytest.approx(influence, abs=0.0051)


@pytest.mark.parametrize(
    ("fragment", "chosen", "test"),
    [
        ("&a=1&b=3&label=1", lambda segment: segment % 3 == 0, "permutation"),
        ("&a=1&b=2&document=3", lambda segment: segment // 5 == 2, "permutation"),
        ("&a=1&b=3&label=2", lambda segment: segment % 3, "delta"),
    ],
)
def test_a_filtered_subset_is_compared_as_python_compares_it(opened, scored, fragment, chosen, test):
    systems, references, _, _ = corpus()
    bleu, file = scored
    tab = opened(f"#view=segments{fragment}", file)
    found = tab.evaluate("bleukit.app.found")
    kept = [segment for segment in range(len(references)) if chosen(segment)]
    names = list(systems)
    pair = [names[tab.evaluate(f"bleukit.app.{side}")] for side in "ab"]
    texts = {name: [systems[name][segment] for segment in kept] for name in pair}
    subset = [references[segment] for segment in kept]
    result = bleukit.compare(bleu, texts, subset, test=test, baseline=pair[1]).pairs[0]
    by_delta = bleukit.compare(bleu, texts, subset, test="delta", baseline=pair[1]).pairs[0]
    assert (found["test"] == "exact") == result.exact == (test == "permutation")
    assert found["segments"] == len(kept)
    assert found["difference"] == pytest.approx(result.difference, **ALMOST)
    assert found["p"] == pytest.approx(result.p_value, **ALMOST)
    interval = by_delta.interval
    ends = [None, None] if interval is None else pytest.approx([interval.low, interval.high], **ALMOST)
    assert [found["low"], found["high"]] == ends


CHANGES = [
    {"lowercase": True},
    {"smoothing": {"name": "floor", "value": 0.3}},
    {"smoothing": {"name": "nltk-method1", "epsilon": 1e-6}},
    {"smoothing": "none"},
    {"tokenizer": "intl", "reference_length": "average"},
    {"weights": [0.5, 0.3, 0.1], "counter": "unclipped"},
    {"effective_order": False, "scale": 100},
    {"weights": 6, "lowercase": "ascii", "scale": 1},
    {"average": "macro", "smoothing": {"name": "add-one", "first": 0.5}},
    {"average": "macro-with-final-newline", "scale": 100, "lowercase": True},
    {"average": "micro", "smoothing": {"name": "e2e-metrics", "added": 0.2}},
]


def state_of(keys):
    """What the reader chooses for the keys of a variant, as it stands in the address."""

    def written(key, value):
        if isinstance(value, dict):
            return ";".join([value["name"], *(f"{k}={v}" for k, v in value.items() if k != "name")])
        if isinstance(value, list):
            return " ".join(map(str, value))
        return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)

    return {key: written(key, value) for key, value in keys.items()}


UNLIKE = ("sacrebleu", "nltk", "fairseq", "b-norm", "coco", "sockeye", "dotnet-bleu")
"""Variants that differ in the counter, in what a mean is of, in sentences, in the penalty, in the orders that count.

The last has a tokenizer that the page does not know. What every variant gives is tested above, without its report.
"""


def reports_of(variants, opened, folder, fragment, *arguments, **options):
    """Yield the number and the name of each variant, and the tab, which shows its report."""
    tab = None
    for number, name in enumerate(variants):
        path = folder / f"{name}.html"
        bleukit.report(name, *arguments, **options).save(path)
        if tab is None:
            tab = opened(path.name + fragment, f"{folder.as_uri()}/")
        else:
            tab.goto(path.as_uri() + fragment)
            settled(tab)
        yield number, name, tab


def test_sentence_scores_and_signatures_follow_changes(opened, tmp_path):
    """Each variant as it is, and with every change that the page can count."""
    systems, references, _, _ = corpus()
    none = dict.fromkeys({key for keys in CHANGES for key in keys}, "")
    compared = 0
    for _, name, tab in reports_of(UNLIKE, opened, tmp_path, "", {"one": systems["one"]}, references):
        for keys in [{}, *CHANGES]:
            tab.evaluate("(state) => bleukit.app.choose(state)", none | state_of(keys))
            settled(tab)
            if tab.evaluate("bleukit.app.missing.length > 0"):
                continue
            changed = bleukit.load(name, **keys)
            expected = changed.corpus(systems["one"], references)
            found = tab.evaluate("[bleukit.app.model.score(0).value, [...bleukit.app.model.sentences(0)]]")
            assert found[0] == pytest.approx(expected.value, nan_ok=True, **ALMOST), (name, keys)
            sentences = changed.sentences(systems["one"], references).tolist()
            assert found[1] == pytest.approx(sentences, nan_ok=True, **ALMOST), (name, keys)
            assert tab.evaluate("document.getElementById('signature').textContent") == expected.signature
            compared += 1
    assert compared >= 60


@pytest.mark.parametrize("name", ["fairseq", "fairseq-exact"])
def test_sentence_scores_of_fairseq_without_case_are_those_of_python(opened, tmp_path, name):
    systems, references, _, _ = corpus()
    path = tmp_path / "fairseq.html"
    bleukit.report(name, {"one": systems["one"], "two": systems["three"]}, references).save(path)
    tab = opened("#view=overview&lowercase=yes", path.as_uri())
    bleu = bleukit.load(name, lowercase=True)
    for number, system in enumerate(("one", "three")):
        found = tab.evaluate(f"[...bleukit.app.model.sentences({number})]")
        assert found == pytest.approx(bleu.sentences(systems[system], references).tolist(), **ALMOST)
    assert "smoothing add-k" in tab.inner_text("dl.variant")
    assert f"variant:{name} (modified)" in tab.inner_text("#signature")


def at_most_one_match(hypothesis, references, max_order):
    """A counter that the page does not know."""
    matches, totals = bleukit.plugin.ngrams.count(hypothesis, references, max_order)
    return [min(number, 1) for number in matches], totals


def test_a_change_that_the_page_cannot_count_is_said_and_changes_nothing(opened, tmp_path):
    systems, references, _, _ = corpus()
    path = tmp_path / "counter.html"
    bleu = bleukit.load(counter=at_most_one_match)
    bleukit.report(bleu, {"one": systems["one"]}, references).save(path)
    tab = opened("#lowercase=yes", path.as_uri())
    assert "cannot count with what was chosen" in tab.inner_text(".banner")
    assert tab.inner_text("#signature") == bleu.corpus(systems["one"], references).signature
    found = tab.evaluate("[...bleukit.app.model.sentences(0)]")
    assert found == pytest.approx(bleu.sentences(systems["one"], references).tolist(), **ALMOST)


def test_what_the_page_cannot_count_again_is_not_offered_before_another_counter_is_chosen(opened, tmp_path):
    systems, references, _, _ = corpus()
    path = tmp_path / "counter.html"
    bleukit.report(bleukit.load(counter=at_most_one_match), {"one": systems["one"]}, references).save(path)
    tab = opened("#view=variant", path.as_uri())
    kinds = ("tokenizer", "lowercase", "reference_length")
    assert all(tab.is_disabled(f"#{kind}") for kind in kinds)
    assert tab.is_enabled("#smoothing")
    tab.select_option("#counter", "fairseq")
    settled(tab)
    assert all(tab.is_enabled(f"#{kind}") for kind in kinds)


EDITS = {("one", 19): "another output of «quite» other words .", ("one", 30): "ÄRGER it's", ("three", 19): ""}


def with_edits(systems, edits=EDITS):
    """Systems with other outputs, and the edits as they stand in the address."""
    edited = {name: list(outputs) for name, outputs in systems.items()}
    for (name, segment), text in edits.items():
        edited[name][segment] = text
    places = list(systems)
    written = json.dumps([[segment + 1, places.index(name) + 1, text] for (name, segment), text in edits.items()])
    return edited, written


@pytest.mark.parametrize("keys", [{}, {"lowercase": True, "smoothing": "add-one"}, {"average": "macro"}])
def test_edits_add_up_in_every_figure(opened, keys):
    systems, references, _, _ = corpus()
    edited, written = with_edits(systems)
    fragment = urlencode(
        {"view": "segments", "a": 1, "b": 3, "segment": 20, "edits": written, "group": "document", **state_of(keys)}
    )
    tab = opened(f"#{fragment}")
    bleu = bleukit.load(**keys)
    for number, outputs in enumerate(edited.values()):
        found = tab.evaluate(f"[bleukit.app.model.score({number}).value, [...bleukit.app.model.sentences({number})]]")
        assert found[0] == pytest.approx(bleu.corpus(outputs, references).value, **ALMOST)
        assert found[1] == pytest.approx(bleu.sentences(outputs, references).tolist(), **ALMOST)
    one, three = (bleu.corpus(edited[name], references).value for name in ("one", "three"))
    assert tab.evaluate("bleukit.app.found.difference") == pytest.approx(one - three, **ALMOST)
    both = {name: edited[name] for name in ("one", "three")}
    influence = influences_by(bleu, both, references, [*range(len(references))])
    assert tab.evaluate("bleukit.app.influence()[19]") == pytest.approx(influence["19"], **ALMOST)
    first = bleu.sentence(edited["one"][19], references[19]).value
    digits = 1 if bleu.variant.scale == 100 else 3
    assert tab.inner_text("#row-20 > :nth-child(3)") == f"{first:.{digits}f}"
    assert f"the corpus {one:.4f}" in tab.inner_text(".text.a .outcome")
    assert "3 outputs were edited" in tab.inner_text(".banner")
    assert "an edited output is not what the system wrote" in tab.inner_text("#band")
    tab.click("#to-overview")
    settled(tab)
    assert f"{one:.2f}" in tab.inner_text("#app table >> nth=0")
    assert f"{three:.2f}" in tab.inner_text("#app table >> nth=0")
    members = [number for number in range(len(references)) if number // 5 == 2]
    part = bleu.corpus([edited["one"][n] for n in members], [references[n] for n in members]).value
    row = tab.inner_text("tr:has(a:text-is('document 2'))")
    assert f"{part:.2f}" in row
    tab.click("#unedit")
    settled(tab)
    assert tab.evaluate("bleukit.app.model === bleukit.app.unedited")


def test_subsets_and_edits_score_as_in_python(opened, tmp_path):
    """Each variant as it is, and with one change; on some segments, whose outputs are then edited."""
    systems, references, _, _ = corpus(24)
    systems = {name: systems[name] for name in ("one", "three")}
    kept = [segment for segment in range(24) if segment % 3]
    edited, written = with_edits(
        systems, {("one", 13): "another «quite» different output", ("three", 22): "İstanbul 10-20"}
    )
    none = dict.fromkeys({key for keys in CHANGES for key in keys}, "")
    compared = edits = 0
    labels = ["kept" if segment in kept else "left out" for segment in range(24)]
    reports = reports_of(UNLIKE, opened, tmp_path, "#view=segments", systems, references, labels=labels)
    for number, name, tab in reports:
        place = tab.evaluate("bleukit.app.data.groups.label.indexOf('kept') + 1")
        for keys in ({}, CHANGES[number % len(CHANGES)]):
            for texts, of_edits in ((systems, ""), (edited, written)):
                state = none | state_of(keys) | {"label": f"{place}", "edits": of_edits}
                tab.evaluate("(state) => bleukit.app.choose(state)", state)
                settled(tab)
                can_edit = tab.evaluate("bleukit.app.unedited.canEdit")
                found = tab.evaluate("bleukit.app.found")
                if tab.evaluate("bleukit.app.missing.length > 0") or found is None or (of_edits and not can_edit):
                    continue
                bleu = bleukit.load(name, **keys)
                chosen = {each: [outputs[n] for n in kept] for each, outputs in texts.items()}
                subset = [references[n] for n in kept]
                expected = [bleu.corpus(outputs, subset).value for outputs in chosen.values()]
                assert [found["first"], found["second"]] == pytest.approx(expected, nan_ok=True, **ALMOST), (name, keys)
                if of_edits:
                    assert [found[key] for key in ("p", "low", "high")] == [None] * 3
                    edits += 1
                    continue
                pair = bleukit.compare(bleu, chosen, subset, baseline="three").pairs[0]
                assert found["p"] == pytest.approx(pair.p_value, **ALMOST), (name, keys)
                compared += 1
    assert compared >= 10
    assert edits >= 8


def test_the_ngrams_and_the_search_follow_edits(opened):
    systems, _, _, _ = corpus()
    _, written = with_edits(systems, {("one", 19): "zebra zebra"})
    tab = opened("#" + urlencode({"view": "segments", "in": "a", "q": "zebra", "edits": written}))
    assert ordered(tab) == [20]
    assert "✎" in tab.inner_text("#row-20")
    tab.evaluate("bleukit.app.choose({q: '', edits: ''})")
    settled(tab)
    tab.evaluate("bleukit.app.choose({q: 'zebra'})")
    settled(tab)
    assert ordered(tab) == []


def test_a_pair_has_one_difference_and_one_p_value_in_every_view(opened):
    systems, references, _, documents = corpus()
    tab = opened("#a=3&b=1")
    pairs = bleukit.compare(bleukit.load(), systems, references, documents=documents).pairs
    pair = next(pair for pair in pairs if {pair.first, pair.second} == {"one", "three"})
    assert pair.adjusted_p_value != pair.p_value
    sign = 1 if pair.first == "three" else -1
    difference = f"{sign * pair.difference:+.2f}".replace("-", "−")
    p_value = "< 0.001" if pair.adjusted_p_value < 0.001 else f"{pair.adjusted_p_value:.4f}"
    row = tab.inner_text("tr:has([aria-current=true])").split("\t")
    assert [row[1], row[3]] == [difference, p_value]
    which = "below" if difference[0] == "−" else "above"
    assert f"three is {difference[1:]} points of BLEU {which} one." in tab.inner_text(".lead")
    assert "adjusted p" in tab.inner_text("[aria-labelledby=pairs] thead")
    assert "adjusted for 3 pairs by the method of Holm" in tab.inner_text("[aria-labelledby=pairs]")
    tab.click("#to-segments")
    settled(tab)
    band = tab.inner_text("#band")
    assert difference in band
    assert f"adjusted p\n{p_value}\n" in band
    assert "adjusted for 3 pairs by the method of Holm" in band
    found = tab.evaluate("bleukit.app.found")
    interval = pair.interval if sign > 0 else types.SimpleNamespace(low=-pair.interval.high, high=-pair.interval.low)
    assert [found["low"], found["high"]] == pytest.approx([interval.low, interval.high])


@pytest.mark.parametrize(
    ("fragment", "has_p"),
    [
        ("&document=3", True),
        ("&label=2", True),
        ("&q=mat&in=source", True),
        ("&q=mat&in=references", True),
        ("&q=mat", False),
        ("&q=mat&in=a", False),
        ("&show=b", False),
        ("&show=different", False),
        ("&min=20", False),
        ("&max=90&of=b", False),
        ("&gram=cat", False),
    ],
)
def test_segments_that_were_chosen_by_their_outcome_have_no_p_value(opened, fragment, has_p):
    tab = opened(f"#view=segments&a=1&b=3{fragment}")
    found = tab.evaluate("bleukit.app.found")
    assert 0 < found["segments"] < 60
    has_interval = has_p and found["segments"] >= 10
    assert [found[key] is not None for key in ("p", "low", "high")] == [has_p, has_interval, has_interval]
    band = tab.inner_text("#band")
    assert ("\np\n" in band) == has_p
    assert ("chosen by their outputs or scores" in band) != has_p


# Its use


def test_segments_are_sorted_and_filtered(opened):
    systems, references, _, _ = corpus()
    tab = opened("#view=segments&a=1&b=3")
    influence = tab.evaluate("[...bleukit.app.model.influence(0, 2)]")
    assert ordered(tab) == sorted(range(1, 61), key=lambda segment: (-abs(influence[segment - 1]), segment))
    tab.click("#sort-number")
    settled(tab)
    assert ordered(tab) == list(range(60, 0, -1))
    tab.fill("#q", "ΣΊΣΥΦΟΣ")
    settled(tab)
    has = [
        any("σίσυφοσ" in t.lower().replace("ς", "σ") for t in (systems["one"][n], systems["three"][n], *references[n]))
        for n in range(60)
    ]
    in_source = tab.evaluate("Array.from(bleukit.app.model.all, (n) => bleukit.app.model.texts.at(n).source)")
    expected = [n + 1 for n in range(60) if has[n] or "σίσυφοσ" in in_source[n].lower().replace("ς", "σ")]
    assert ordered(tab)[::-1] == expected
    assert "of 60 segments" in tab.inner_text("#band")
    assert "with the words ΣΊΣΥΦΟΣ in all texts" in tab.inner_text("#band")
    tab.select_option("#regex", label="regular expression")
    tab.fill("#q", "(")
    settled(tab)
    assert "regular expression is wrong" in tab.inner_text("#band")
    tab.click("#clear")
    tab.select_option("#show", "identical")
    settled(tab)
    assert ordered(tab)[::-1][: len(HOSTILE)] == list(range(1, len(HOSTILE) + 1))
    tab.select_option("#show", "a")
    tab.click("summary")
    tab.fill("#min", "101")
    settled(tab)
    assert "no segment" in tab.inner_text("#band")


def test_what_hurts_one_system_most_is_one_click_away(opened):
    tab = opened("#view=segments&a=1&b=3")
    influence = tab.evaluate("[...bleukit.app.influence()]")
    for button, sign in (("#order-b", -1), ("#order-a", 1)):
        tab.click(button)
        settled(tab)
        assert ordered(tab) == sorted(range(1, 61), key=lambda segment: (sign * influence[segment - 1], segment))
        assert tab.get_attribute(button, "aria-pressed") == "true"


@pytest.mark.parametrize(
    ("column", "key"),
    [
        ("number", "(n) => n"),
        ("influence", "(n) => bleukit.app.influence()[n]"),
        ("a", "(n) => bleukit.app.model.sentences(0)[n]"),
        ("b", "(n) => bleukit.app.model.sentences(2)[n]"),
        ("difference", "(n) => bleukit.app.model.sentences(0)[n] - bleukit.app.model.sentences(2)[n]"),
        ("length", "(n) => bleukit.app.model.rows[0].length[n]"),
    ],
)
def test_the_head_of_a_column_sorts_by_it(opened, column, key):
    tab = opened("#view=segments&a=1&b=3&sort=number&down=0")
    values = tab.evaluate(f"Array.from(bleukit.app.model.all, {key})")
    for said, sign in (("descending", -1), ("ascending", 1)):
        tab.click(f"#sort-{column}")
        settled(tab)
        assert ordered(tab) == sorted(range(1, 61), key=lambda segment: (sign * values[segment - 1], segment))
        assert tab.get_attribute(f".head .{column}", "aria-sort") == said


def test_the_list_shows_both_outputs_and_in_which_words_they_differ(opened, tmp_path):
    path = tmp_path / "words.html"
    same = " ".join(f"same{number}" for number in range(100))
    one, two = ["the cat sat there", "猫が好きです", same], ["the dog sat", "犬が好きです", f"{same} end"]
    systems = {"one": one, "two": two}
    bleukit.report(bleukit.load(), systems, ["the cat sat", "猫が好きだ", same]).save(path)
    tab = opened("#view=segments&sort=number&down=0", path.as_uri())
    marks = "[...document.querySelectorAll('#row-%d mark')].map((mark) => [mark.className, mark.textContent])"
    assert tab.inner_text("#row-1 .outputs").split("\n") == ["A", "the cat sat there", "B", "the dog sat"]
    assert tab.evaluate(marks % 1) == [["a", "cat"], ["a", "there"], ["b", "dog"]]
    assert tab.evaluate(marks % 2) == [["a", "猫"], ["b", "犬"]]
    assert tab.evaluate(marks % 3) == [["b", "end"]]
    assert tab.inner_text("#row-3 .outputs").count("… ") == 2  # the words before the difference are left out
    tab.click("#row-1")
    shows(tab, 1)
    only = "[...document.querySelectorAll('.text .only-%s')].map((token) => token.textContent)"
    assert tab.evaluate(only % "a") == ["cat", "there"]
    assert tab.evaluate(only % "b") == ["dog"]


def test_the_chosen_row_stays_in_view_when_the_list_gets_narrow(opened):
    tab = opened("#view=segments&a=1&b=3")
    tab.evaluate("document.getElementById('list').scrollTop = 1e6")
    last = ordered(tab)[-1]
    wide = tab.locator(f"#row-{last}").bounding_box()
    tab.click(f"#row-{last}")
    settled(tab)
    shows(tab, last)
    row, box = tab.locator(f"#row-{last}").bounding_box(), tab.locator("#list").bounding_box()
    assert row["width"] < wide["width"]
    assert row["height"] > wide["height"]
    assert box["y"] <= row["y"]
    assert row["y"] + row["height"] <= box["y"] + box["height"] + 1


def test_a_view_is_restored_from_its_address_and_by_the_back_button(opened, report):
    tab = opened("#view=segments&a=3&b=1&sort=length&down=0&label=2&segment=9")
    before = ordered(tab)
    assert tab.input_value("#a") == "3"
    assert tab.inner_text(".detail h2") == "Segment 9"
    tab.click("#to-ngrams")
    tab.click("#to-overview")
    settled(tab)
    again = opened("#" + tab.url.partition("#")[2])
    assert again.title() == "Overview – Three systems"
    tab.go_back()
    tab.go_back()
    settled(tab)
    assert tab.inner_text(".detail h2") == "Segment 9"
    assert ordered(tab) == before


def test_the_page_works_in_the_frame_of_a_notebook(browser, tmp_path):
    notebook = tmp_path / "notebook.html"
    shown = bleukit.report(bleukit.load(), {"one": ["a b c d"], "two": ["a b c x"]}, ["a b c d"])._repr_html_()
    notebook.write_text(f"<!doctype html><title>Notebook</title>{shown}", encoding="utf-8")
    tab = browser.new_page()
    faults = []
    tab.on("pageerror", lambda error: faults.append(error.stack))
    tab.goto(notebook.as_uri())
    frame = tab.frames[1]
    frame.click("#to-segments")
    frame.wait_for_selector("#row-1")
    frame.click("#row-1")
    frame.wait_for_selector(".text.a .token")
    assert frame.inner_text(".detail h2") == "Segment 1"
    assert (tab.url, faults) == (notebook.as_uri(), [])
    tab.close()


def test_hostile_text_is_shown_as_text(opened):
    tab = opened("#view=segments&segment=1")
    shown = tab.inner_text(".detail .text >> nth=1")
    assert "script" in shown
    for number, text in enumerate(HOSTILE, 1):
        tab.evaluate(f"bleukit.app.choose({{segment: '{number}'}})")
        shows(tab, number)
        tokens = tab.evaluate("[...document.querySelectorAll('.text.a .token')].map((token) => token.textContent)")
        expected = bleukit.load().tokenize(text)[: len(tokens)]
        assert len(tokens) == min(600, len(bleukit.load().tokenize(text)))  # the rest is there when it is asked for
        assert [t for t in expected if t.isascii() and t.isprintable()] == [t for t in tokens if t.isascii()]
    tab.evaluate("bleukit.app.choose({segment: '3'})")
    shows(tab, 3)
    shown = tab.inner_text(".detail .text.a .tokens")
    assert all(sign in shown for sign in ("⟨U+D800⟩", "⟨U+202E⟩", "⟨U+0000⟩", "⟨U+001B⟩"))
    assert tab.title() == "Segments – Three systems"


def test_a_long_line_and_twenty_systems(opened, tmp_path):
    path = tmp_path / "long.html"
    line = " ".join(["word"] * 50_000)
    systems = {f"system {number}": [line if number < 2 else "word", f"a b c {number}"] for number in range(20)}
    bleukit.report(bleukit.load(), systems, [line, "a b c 7"]).save(path)
    tab = opened("#a=1&b=3", file=path.as_uri())
    assert tab.evaluate("document.querySelectorAll('.matrix tbody tr').length") == 20
    tab.evaluate("bleukit.app.choose({view: 'segments', segment: '1'})")
    shows(tab, 1)
    assert tab.evaluate("document.querySelectorAll('.text.a .token').length") == 600
    tab.click(".text.a button.more")
    assert tab.evaluate("document.querySelectorAll('.text.a .token').length") == 6000


def test_clipped_tokens_are_marked_and_explained(browser, tmp_path, opened):
    path = tmp_path / "clipped.html"
    systems = {"a": ["the the the cat sat"], "b": ["a cat sat here"]}
    bleukit.report(bleukit.load(), systems, [["the cat sat on the mat", "one cat"]]).save(path)
    tab = opened("#view=segments&segment=1", file=path.as_uri())
    classes = tab.evaluate("[...document.querySelectorAll('.text.a .token')].map((token) => token.classList[1])")
    assert classes == ["m1", "clipped", "m3", "m3", "m3"]
    tab.focus(".text.a .token >> nth=0")
    assert "the 1-gram, 3 × in A, 2 and 0 in the references, clipped to 2" in tab.evaluate(ABOUT)
    for _ in range(3):
        tab.keyboard.press("ArrowRight")
    assert tab.evaluate(ABOUT).startswith("the cat sat 3-gram")
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate(ABOUT).startswith("the cat 2-gram")
    assert tab.evaluate("document.querySelectorAll('.references .pointed').length") >= 2


def test_a_clipped_token_that_only_one_output_has_can_be_read_in_the_dark(tmp_path, opened):
    path = tmp_path / "clipped.html"
    systems = {"a": ["the the the cat sat on the mat"], "b": ["cat sat on mat"]}
    bleukit.report(bleukit.load(), systems, [["the cat sat on the mat"]]).save(path)
    tab = opened("#view=segments&segment=1", file=path.as_uri(), color_scheme="dark")
    assert tab.query_selector(".text.a .token.clipped.only-a")
    found = axe.Axe().run(tab).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []


def test_an_output_is_edited_and_the_scores_follow(opened):
    systems, references, _, _ = corpus()
    tab = opened("#view=segments&a=1&b=3&segment=20")
    tab.click("#toggle-a")
    tab.fill("#edit-a", "another output of «quite» other words .")
    edited = [*systems["one"][:19], "another output of «quite» other words .", *systems["one"][20:]]
    bleu = bleukit.load()
    shown = tab.inner_text(".text.a .outcome")
    assert f"{bleu.sentence(edited[19], references[19]).value:.1f} as a sentence" in shown
    assert f"the corpus {bleu.corpus(edited, references).value:.4f}" in shown


@pytest.mark.parametrize(
    ("fragment", "keys"),
    [
        ("&tokenizer=intl&lowercase=yes", {"tokenizer": "intl", "lowercase": True}),
        ("&smoothing=add-k;k=2&effective_order=yes", {"smoothing": {"name": "add-k", "k": 2}, "effective_order": True}),
        (
            "&weights=0.5+0.5&scale=1&reference_length=average",
            {"weights": [0.5, 0.5], "scale": 1, "reference_length": "average"},
        ),
        ("&weights=6&counter=unclipped", {"weights": 6, "counter": "unclipped"}),
    ],
)
def test_variants_are_switched(opened, fragment, keys):
    systems, references, _, _ = corpus()
    bleu, tab = bleukit.load(**keys), opened(f"#view=variant{fragment}")
    for number, hypotheses in enumerate(systems.values()):
        found = tab.evaluate(f"bleukit.app.model.score({number}).value")
        assert found == pytest.approx(bleu.corpus(hypotheses, references).value, **ALMOST)
    tab.click("#original")
    settled(tab)
    assert tab.evaluate("bleukit.app.model === bleukit.app.original")


def test_each_named_variant_of_the_menu_scores_as_in_python(opened):
    systems, references, _, _ = corpus()
    tab = opened("#view=variant")
    names = tab.eval_on_selector_all("#named option", "options => options.map((option) => option.value)")
    for name in filter(None, names):
        tab.select_option("#named", name)
        settled(tab)
        found = tab.evaluate("bleukit.app.model.score(0).value")
        expected = bleukit.load(name).corpus(systems["one"], references)
        assert found == pytest.approx(expected.value, nan_ok=True, **ALMOST), name
    assert {"nltk", "wikipedia", "multi-bleu", "sacrebleu"} <= set(names)
    assert len(names) > 40


def test_a_variant_that_the_page_does_not_know_stays_as_python_computed_it(opened, tmp_path):
    systems, references, source, _ = corpus()
    bleu = bleukit.load("nltk", smoothing="nltk-method7", tokenizer="matlab")
    path = tmp_path / "unknown.html"
    bleukit.report(bleu, systems, references, source=source).save(path)
    tab = opened("#view=segments&segment=20", file=path.as_uri())
    assert "does not know this variant's tokenizer and smoothing" in tab.inner_text("#band")
    tokens = tab.evaluate("[...document.querySelectorAll('.text.a .token')].map((token) => token.textContent)")
    assert tokens == list(bleu.tokenize(systems["one"][19]))
    tab.click("#to-variant")
    assert "figures stay as they are in the report" in tab.inner_text(".note")
    tab.select_option("#tokenizer", "13a")
    tab.select_option("#smoothing", "exp")
    settled(tab)
    expected = bleukit.load("nltk", smoothing="exp", tokenizer="13a").corpus(systems["one"], references).value
    assert tab.evaluate("bleukit.app.model.score(0).value") == pytest.approx(expected, **ALMOST)


def occurrences(bleu, gram, texts):
    """How often an n-gram occurs in each text."""
    tokens = [list(bleu.tokenize(text)) for text in texts]
    return [sum(each[i : i + len(gram)] == gram for i in range(len(each))) for each in tokens]


def counted_matches(bleu, gram, hypotheses, references):
    """How often an n-gram matches in each segment, and how often the reference that has most of it has it."""
    most = [max(occurrences(bleu, gram, group)) for group in references]
    own = occurrences(bleu, gram, hypotheses)
    return [min(each, bound) for each, bound in zip(own, most, strict=True)], most


def listed_ngrams(tab, side):
    """The rows of a table of n-grams: the n-gram, and what stands in the other columns."""
    until(tab, "document.querySelectorAll('.halves table').length > 0")
    tables = "[...document.querySelectorAll('.halves table')][%d].tBodies[0].rows"
    rows = tab.evaluate(f"[...{tables % side}].map((row) => [...row.cells].map((cell) => cell.textContent))")
    numbers = [[float(row[n].replace("−", "-").replace(",", "")) for n in (1, 3, 4, 5)] for row in rows]
    return [(row[0].split(" "), *found) for row, found in zip(rows, numbers, strict=True)]


def score_with(bleu, hypotheses, references, changes):
    """The score if n-grams matched more, or less, in each segment: changes by order."""
    summing = bleukit.load(smoothing=bleu.variant.smoothing.name)
    rows = summing.statistics(hypotheses, references)
    columns = {name: getattr(rows, name) for name in rows.COLUMNS}
    columns["matches"] = columns["matches"].copy()
    for order, change in changes:
        columns["matches"][:, order - 1] += change
    changed = bleukit.Statistics(4, {name: column.ravel().tolist() for name, column in columns.items()})
    if bleu.variant.average == "micro":
        return summing.score(changed).value
    return summing.score_columns(changed, level="sentence").value.sum() / (len(changed) + 1)


def parts(words, longest):
    """The n-grams of a phrase, the shortest first; of a single n-gram, itself."""
    return [words[i : i + n] for n in range(1, 5) for i in range(len(words) - n + 1)] if longest else [words]


@pytest.mark.parametrize("longest", [True, False])
def test_ngrams_are_ranked_by_what_they_do_to_the_difference(opened, scored, longest):
    """Those that overlap, and change in the same segments as often, are one row, with the effect of all of them."""
    systems, references, _, _ = corpus()
    bleu, file = scored
    tab = opened(f"#view=ngrams&a=1&b=3{'' if longest else '&order=3'}", file)
    pair = systems["one"], systems["three"]
    whole = bleu.corpus(pair[0], references).value - bleu.corpus(pair[1], references).value
    for side, sign in ((0, 1), (1, -1)):
        rows = listed_ngrams(tab, side)
        effects = [effect for _, effect, *_ in rows]
        assert effects == sorted(effects, key=lambda effect: -abs(effect))
        assert all(sign * effect >= 0 for effect in effects)
        for words, effect, *numbers in rows[:2] + rows[-2:]:
            changes = [], []
            for gram in parts(words, longest):
                matches = [np.array(counted_matches(bleu, gram, texts, references)[0]) for texts in pair]
                differ = matches[0] != matches[1]
                if numbers == [matches[0][differ].sum(), matches[1][differ].sum(), differ.sum()]:
                    for change, own in zip(changes, matches, strict=True):
                        change.append((len(gram), -own * differ))
            assert changes[0][-1][0] == (min(len(words), 4) if longest else 3)
            left = [score_with(bleu, texts, references, each) for texts, each in zip(pair, changes, strict=True)]
            assert effect == pytest.approx(whole - (left[0] - left[1]), abs=1e-4)


def test_an_ngram_leads_to_the_segments_in_which_its_matches_differ(opened):
    systems, references, _, _ = corpus()
    tab = opened("#view=ngrams&a=1&b=3&order=1&segment=7", viewport={"width": 360, "height": 700})
    gram, *_ = listed_ngrams(tab, 0)[0]
    tab.click(".halves tbody a")
    settled(tab)
    assert tab.is_visible("#list")  # not the segment that was chosen before
    ours, theirs = (counted_matches(bleukit.load(), gram, systems[name], references)[0] for name in ("one", "three"))
    expected = [n for n, (one, other) in enumerate(zip(ours, theirs, strict=True), 1) if one != other]
    assert sorted(ordered(tab)) == expected
    assert f"in which the matches of {' '.join(gram)} differ" in tab.inner_text("#band")
    tab.click(f"#row-{expected[0]}")
    shows(tab, expected[0])
    marked = tab.evaluate("[...document.querySelectorAll('.detail .searched')].map((token) => token.textContent)")
    texts = [systems["one"][expected[0] - 1], systems["three"][expected[0] - 1], *references[expected[0] - 1]]
    assert marked == gram * sum(occurrences(bleukit.load(), gram, texts))


@pytest.mark.parametrize("fragment", ["&a=1&b=3", "&a=3&b=3"])
def test_ngrams_of_references_that_a_system_misses(opened, scored, fragment):
    systems, references, _, _ = corpus()
    bleu, file = scored
    tab = opened(f"#view=ngrams&grams=missed&order=2{fragment}", file)
    names = list(systems)
    for side in range(1 if "a=3" in fragment else 2):
        texts = systems[names[tab.evaluate(f"bleukit.app.{'ab'[side]}")]]
        for gram, worth, *numbers in listed_ngrams(tab, side)[:2]:
            own, most = (np.array(each) for each in counted_matches(bleu, gram, texts, references))
            misses = own < most
            assert numbers == [most[misses].sum(), (most - own).sum(), misses.sum()]
            rows = bleu.statistics(texts, references)
            possible = rows.totals[:, 1] - rows.matches[:, 1]  # a segment cannot match more than it has
            score = score_with(bleu, texts, references, [(2, np.minimum(most - own, possible))])
            assert worth == pytest.approx(score - bleu.corpus(texts, references).value, abs=1e-4)
    gram, *_ = listed_ngrams(tab, 0)[0]
    tab.click(".halves tbody a")
    settled(tab)
    own, most = counted_matches(bleu, gram, systems[names[tab.evaluate("bleukit.app.a")]], references)
    assert sorted(ordered(tab)) == [n for n in range(1, 61) if own[n - 1] < most[n - 1]]


def test_every_bar_has_a_scale_and_is_as_long_as_it_says(opened):
    bars = """[...document.querySelectorAll('.view:not([hidden]) svg.bar')].map((bar) => {
      const whole = bar.closest('table, .list');
      const ticks = [...whole.querySelectorAll('svg.scale .tick')].map((tick) => {
        const { x, width } = tick.getBoundingClientRect();
        return [Number(tick.textContent.replace('−', '-')), x + width / 2];
      });
      const rect = bar.querySelector('rect');
      const box = rect?.getBoundingClientRect();
      const cells = [...bar.closest('tr, .row').children].map((cell) => cell.textContent);
      return { ticks, cells, width: rect ? (rect.classList.contains('a') ? 1 : -1) * box.width : null };
    })"""
    tab = opened("#a=1&b=3&group=document")
    for fragment in (None, "segments", "ngrams"):
        if fragment:
            tab.click(f"#to-{fragment}")
            settled(tab)
            until(tab, "document.querySelectorAll('.view:not([hidden]) svg.bar').length > 0")
        found = tab.evaluate(bars)
        assert found
        assert all(len(bar["ticks"]) >= 2 for bar in found)
        if fragment == "ngrams":
            (_, zero), (most, end) = found[0]["ticks"][1:]
            effect = float(found[0]["cells"][1])
            assert found[0]["width"] == pytest.approx(effect / most * (end - zero), abs=1)


def test_filtered_segments_are_exported(opened):
    systems, _, _, documents = corpus()
    tab = opened("#view=segments&a=1&b=3&sort=number&down=0")
    with tab.expect_download() as download:
        tab.click("#export-tsv")
    text = download.value.path().read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [row["segment"] for row in rows] == [str(number) for number in range(1, 61)]
    assert rows[10]["output of one"] == systems["one"][10]
    assert rows[10]["document"] == documents[10]
    with tab.expect_download() as download:
        tab.click("#export-json")
    found = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert [record["output of three"] for record in found["segments"]] == systems["three"]
    assert math.isclose(found["comparison"]["difference"], tab.evaluate("bleukit.app.found.difference"))


def test_an_explanation_and_an_identification_are_shown(opened, tmp_path):
    hypotheses, references = (
        ["The cat sat. On a mat!", "it <b>rains</b>"],
        ["The cat sat on the mat!", "it <b>rains</b>"],
    )
    explanation = bleukit.explain("nltk", "sacrebleu", hypotheses, references)
    found = bleukit.identify(f"{bleukit.load().corpus(hypotheses, references).value:.6f}", hypotheses, references)
    nothing = bleukit.identify("99.123", hypotheses, references)
    for number, (result, texts) in enumerate(
        [
            (explanation, [f"{part.points:+.4f}".replace("-", "−") for part in explanation.parts if part.points]),
            (found, ["sacrebleu", str(found.answers[0].value)]),
            (nothing, ["nothing plausible", nothing.closest.first.words]),
        ]
    ):
        path = tmp_path / f"{number}.html"
        bleukit.page(result).save(path)
        tab = opened("", path.as_uri(), report=False, viewport={"width": 360, "height": 700}, color_scheme="dark")
        shown = tab.inner_text("main")
        assert all(text in shown for text in texts)
        heights = tab.evaluate("[...document.querySelectorAll('article.moved')].map((article) => article.offsetHeight)")
        assert len(heights) == (len(explanation.segments) if result is explanation else 0)
        assert all(height > 100 for height in heights)
        assert axe.Axe().run(tab).response["violations"] == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360


def test_everything_is_reached_by_keyboard(opened):
    tab = opened("#view=segments")
    for _ in range(60):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.id") == "list":
            break
    tab.keyboard.press("ArrowDown")
    settled(tab)
    first, second = ordered(tab)[:2]
    assert tab.inner_text(".detail h2") == f"Segment {first}"
    tab.keyboard.press("ArrowDown")
    settled(tab)
    shows(tab, second)
    assert tab.evaluate("document.activeElement.id") == "list"
    tab.keyboard.press("End")
    settled(tab)
    assert tab.evaluate("bleukit.app.segment + 1") == ordered(tab)[-1]
    assert (
        tab.evaluate("document.getElementById('list').getAttribute('aria-activedescendant')")
        == f"row-{ordered(tab)[-1]}"
    )


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (360, "dark")])
def test_every_view_is_accessible_and_fits_the_screen(opened, scheme, width):
    for fragment in (*VIEWS, "#view=segments"):
        tab = opened(fragment, viewport={"width": width, "height": 800}, color_scheme=scheme)
        if "ngrams" in fragment:
            tab.wait_for_selector(".halves")
        tab.wait_for_timeout(50)
        if scheme == "light" or fragment in VIEWS[:2]:  # each view, and the other colours in two of them
            found = axe.Axe().run(tab).response["violations"]
            assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_nothing_that_is_clicked_or_typed_into_is_printed(opened):
    controls = "nav, button, select, input, textarea, form, summary"
    for fragment in VIEWS:
        tab = opened(fragment + ("&" if len(fragment) > 1 else "") + "a=1&b=3")
        if "ngrams" in fragment:
            tab.wait_for_selector(".halves")
        assert tab.locator(controls).filter(visible=True).count() > 0
        tab.emulate_media(media="print")
        assert tab.locator(controls).filter(visible=True).count() == 0
        assert tab.locator(".printed").inner_text() == "A is one, B is three"
        assert tab.inner_text("main").strip()


def test_without_javascript_the_page_shows_the_scores(opened, tmp_path):
    systems, references, _, _ = corpus()
    bleu = bleukit.load()
    comparison = bleukit.compare(bleu, systems, references)
    path = tmp_path / "scores.html"
    bleukit.report(bleu, systems, references, title="A <b>title</b>").save(path)
    tab = opened("", path.as_uri(), report=False, java_script_enabled=False, viewport={"width": 360, "height": 700})
    shown = tab.inner_text("noscript")
    assert tab.inner_text("h1") == "A <b>title</b>"
    assert comparison.verdict in shown
    assert comparison.signature in shown
    for name, outputs in systems.items():
        score = bleu.corpus(outputs, references)
        assert f"{name}\t{score.value:.2f}\t" in shown
    for pair in comparison.pairs:
        p_value = "<0.0001" if pair.adjusted_p_value < 0.0001 else f"{pair.adjusted_p_value:.4f}"
        row = f"{pair.first}\t{pair.second}\t{pair.difference:+.2f}\t"
        assert row in shown
        assert p_value in shown[shown.index(row) :].splitlines()[0]
    path = tmp_path / "explained.html"
    explanation = bleukit.explain("nltk", "sacrebleu", systems["one"], references)
    bleukit.page(explanation).save(path)
    tab = opened("", path.as_uri(), report=False, java_script_enabled=False)
    assert str(explanation).split() == tab.inner_text("pre").split()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tables_scroll_on_a_narrow_screen(opened, scheme):
    tab = opened("#a=1&b=3&group=document", viewport={"width": 360, "height": 700}, color_scheme=scheme)
    regions = tab.evaluate(
        "[...document.querySelectorAll('.view:not([hidden]) .scroll')].map((each) => "
        "[each.scrollWidth, each.clientWidth, getComputedStyle(each).overflowX, each.tabIndex])"
    )
    assert any(inner > outer for inner, outer, *_ in regions)
    assert all((overflow, focus) == ("auto", 0) for *_, overflow, focus in regions)


def test_no_view_speaks_of_how_it_was_made(opened):
    tab = opened("#a=1&b=3&segment=20")
    for view in ("overview", "segments", "ngrams", "charts", "variant"):
        tab.click(f"#to-{view}")
        settled(tab)
        shown = tab.inner_text("main")
        assert shown
        assert not re.findall(r"(?i)\b(python|javascript|numpy|undefined|null|nan)\b", shown)


# Its charts


def charted(tab, name):
    """The numbers of a chart: of each row, the name and the numbers in it."""
    until(tab, f"document.querySelector('#chart-{name} table') !== null")
    rows = f"[...document.querySelector('#chart-{name} table').tBodies[0].rows]"
    found = tab.evaluate(f"{rows}.map((row) => [...row.cells].map((cell) => cell.textContent))")
    return {name: cells for name, *cells in found}


def test_histograms_count_what_python_computes(opened):
    systems, references, _, _ = corpus()
    bleu, tab = bleukit.load(), opened("#view=charts&a=1&b=3")
    pair = [systems[name] for name in ("one", "three")]
    scores = [bleu.sentences(texts, references) for texts in pair]
    lengths = [bleu.statistics(texts, references).hypothesis_length for texts in pair]
    differences = scores[0] - scores[1]
    for name, columns in (
        ("length", lengths),
        ("sentence-score", scores),
        ("difference-of-sentence-scores", [differences[differences != 0]]),
    ):
        rows = charted(tab, name)
        for place, values in enumerate(columns):
            assert sum(int(cells[place]) for cells in rows.values()) == len(values)
            for edges, cells in rows.items():
                low, high = [*map(float, edges.replace("or more", "to inf").split(" to "))]
                is_last = edges == list(rows)[-1]
                within = (values >= low) & ((values <= high) if is_last else (values < high))
                assert int(cells[place]) == within.sum(), (name, edges)


def test_parts_that_are_tested_in_two_ways_have_one_note(opened, tmp_path):
    references = [f"the cat sat on mat {number} today" for number in range(33)]
    systems = {"one": references, "two": [text.replace("sat", "lay") for text in references]}
    path = tmp_path / "parts.html"
    bleukit.report("sacrebleu", systems, references, documents=["large"] * 30 + ["small"] * 3).save(path)
    notes = opened("#group=document", path.as_uri()).locator("section[aria-labelledby=parts] p.quiet").all_inner_texts()
    assert len(notes) == 1
    assert notes[0].startswith("p is exact if few segments of a part differ; all other p-values")


def test_scores_of_parts_are_charted_for_the_segments_that_pass_the_filters(opened):
    systems, references, _, documents = corpus()
    bleu, tab = bleukit.load(), opened("#view=charts&a=1&b=3&label=1")
    rows = charted(tab, "score-by-document")
    assert rows.keys() == set(documents)
    for document, cells in rows.items():
        kept = [n for n in range(60) if documents[n] == document and n % 3 == 0]
        for name, score in zip(("one", "three"), (cells[0], cells[-1]), strict=True):
            expected = bleu.corpus([systems[name][n] for n in kept], [references[n] for n in kept]).value
            assert score == f"{expected:.2f}"
    assert charted(tab, "score-by-length")


def test_words_are_charted_by_their_frequency_in_the_references(opened):
    systems, references, _, _ = corpus()
    bleu, tab = bleukit.load(), opened("#view=charts&a=1&b=3")
    tokens = [[Counter(bleu.tokenize(text)) for text in group] for group in references]
    frequency = sum((each for group in tokens for each in group), Counter())
    most = [functools.reduce(operator.or_, group) for group in tokens]
    words = [word for word, times in frequency.items() if 11 <= times <= 100]
    total = sum(counts[word] for counts in most for word in words)
    expected = []
    for name in ("one", "three"):
        own = [Counter(bleu.tokenize(text)) & counts for text, counts in zip(systems[name], most, strict=True)]
        expected.append(f"{100 * sum(counts[word] for counts in own for word in words) / total:.1f}")
    assert charted(tab, "words-by-frequency")["11 to 100 times"] == expected


def test_charts_are_saved_as_they_are_seen(opened):
    tab = opened("#view=charts&a=1&b=3", color_scheme="dark")
    until(tab, "document.querySelectorAll('svg.chart').length === 7")
    for number in range(7):
        figure = tab.locator("figure").nth(number)
        assert len(figure.locator("svg.chart .tick text").all()) >= 4
        saved = {}
        for kind in ("SVG", "PNG"):
            with tab.expect_download() as download:
                figure.get_by_role("button", name=f"as {kind}").click()
            assert download.value.suggested_filename.endswith(kind.lower())
            saved[kind] = download.value.path().read_bytes()
        svg = ET.fromstring(saved["SVG"])
        assert svg.tag == "{http://www.w3.org/2000/svg}svg"
        assert b"var(" not in saved["SVG"]
        assert svg.find(".//*[@fill]") is not None
        size = [int.from_bytes(saved["PNG"][start : start + 4], "big") for start in (16, 20)]
        assert saved["PNG"].startswith(b"\x89PNG\r\n")
        assert size == [3 * int(svg.get(side)) for side in ("width", "height")]


# What it is given


@pytest.mark.parametrize("where", ["typed", "in the address"])
def test_a_regular_expression_cannot_freeze_the_page(opened, tmp_path, where):
    path = tmp_path / "slow.html"
    bleukit.report(bleukit.load(), {"one": ["a" * 60 + "!"], "two": ["b"]}, ["a b"]).save(path)
    bad = "(a+)+$"
    tab = opened(
        "#view=segments" + (f"&regex=1&q={quote(bad)}" if where != "typed" else ""), path.as_uri(), report=False
    )
    if where == "typed":
        settled(tab)
        tab.evaluate("bleukit.app.choose({regex: '1'})")
        tab.fill("#q", bad)
    assert tab.evaluate("1 + 1") == 2  # the page answers meanwhile
    until(tab, "document.getElementById('band')?.textContent.includes('takes longer than 2 seconds')")
    tab.fill("#q", "^b")
    settled(tab)
    assert ordered(tab) == [1]


def test_a_regular_expression_finds_what_python_finds(opened):
    systems, references, source, _ = corpus()
    tab = opened(
        "#" + urlencode({"view": "segments", "sort": "number", "down": 0, "regex": 1, "q": r"\bmat\.|[0-9]{2}-"})
    )
    groups = zip(source, references, systems["one"], systems["two </b>"], strict=True)
    pattern = re.compile(r"\bmat\.|[0-9]{2}-", re.IGNORECASE)
    texts = [[of_source, *group, *outputs] for of_source, group, *outputs in groups]
    assert ordered(tab) == [n for n, group in enumerate(texts, 1) if any(map(pattern.search, group))]


@pytest.mark.parametrize(
    "fragment",
    [
        "view=constructor",
        "view=toString",
        "sort=constructor",
        "show=x",
        "lowercase=constructor",
        "edits=1",
        "edits=[[1]]",
        "edits=[[1,99,%22x%22]]",
        "smoothing=floor;value=x",
        "scale=7",
        "min=x",
    ],
)
def test_an_address_with_what_cannot_be_chosen_shows_the_report(opened, fragment):
    tab = opened(f"#{fragment}")
    assert "Systems" in tab.inner_text("main")
    tab.click("#to-segments")
    settled(tab)
    assert len(ordered(tab)) == 60
    changed = fragment.startswith("smoothing")
    assert tab.evaluate("bleukit.app.model === bleukit.app.original") != changed


def test_systems_may_be_called_as_columns_of_the_export(opened, tmp_path):
    names = ["source", "reference 1", "segment", "score of source", "output of source"]
    systems = {name: [f"output {number}", "a b c"] for number, name in enumerate(names)}
    path = tmp_path / "names.html"
    bleukit.report(bleukit.load(), systems, ["d e", "a b c"], source=["the source", "x"]).save(path)
    for other in range(2, len(names) + 1):
        tab = opened(f"#view=segments&a=1&b={other}&sort=number&down=0", path.as_uri())
        with tab.expect_download() as download:
            tab.click("#export-tsv")
        text = download.value.path().read_text(encoding="utf-8")
        head, first = (line.split("\t") for line in text.splitlines()[:2])
        assert len(set(head)) == len(head) == 9
        row = dict(zip(head, first, strict=True))
        assert [row[key] for key in ("segment", "source", "reference 1")] == ["1", "the source", "d e"]
        assert row["output of source"] == "output 0"
        assert row[f"output of {names[other - 1]}"] == f"output {other - 1}"


@pytest.mark.parametrize(
    ("text", "rightmost"),
    [("שלום עולם טוב", "שלום"), ("مرحبا بالعالم الكبير", "مرحبا"), ("he said שלום עולם today", "today")],
)
def test_words_stand_in_the_order_of_their_script(opened, tmp_path, text, rightmost):
    path = tmp_path / "rtl.html"
    bleukit.report(bleukit.load(tokenizer="none"), {"one": [text], "two": [text]}, [text]).save(path)
    tab = opened("#view=segments&segment=1", path.as_uri())
    lefts = "[...document.querySelectorAll('%s .token')].map((t) => [t.getBoundingClientRect().left, t.textContent])"
    for place in (".text.a", ".references"):
        found = tab.evaluate(lefts % place)
        by_left = [word for _, word in sorted(found)]
        assert by_left[-1] == rightmost
        if "said" in text:
            assert by_left == ["he", "said", "עולם", "שלום", "today"]
        else:
            assert by_left == text.split()[::-1]
