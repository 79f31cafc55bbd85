"""The cases bind: they notice when a key of a named variant changes. ``bleukit conform changes`` does so for all."""

import json

import pytest
from bleukit.conformance.judging import cases
from bleukit.conformance.writing import changes

import bleukit
from bleukit.variant import DESCRIPTIVE_KEYS, Component, Variant

DOCUMENTS = cases.suite_documents()
WIKIPEDIA = bleukit.load("wikipedia").variant


@pytest.mark.parametrize("variant", ["fairseq"])
def test_every_change_of_a_variant_is_noticed(variant):
    found = list(changes.changes_of(DOCUMENTS, variant))
    assert [str(change) for change in found if not change.noticed_by and not change.without_effect] == []
    assert {change.key for change in found} == set(Variant.__struct_fields__) - {*DESCRIPTIVE_KEYS, "plugins"}


def test_every_named_variant_has_cases_of_its_own():
    held = {case.variant for document in DOCUMENTS for case in document.cases}
    known = set(bleukit.loading.registry.installed().variants)
    assert known <= held


def test_changes_that_no_case_notices_are_listed(run, tmp_path, monkeypatch):
    monkeypatch.setattr(cases, "documents_by_name", lambda _: {})
    status, out, _ = run("conform", "changes", "-V", "wikipedia", "--format", "json")
    printed = json.loads(out)
    assert (status, printed["noticed"]) == (1, 0)
    assert "wikipedia with counter: unclipped" in printed["unnoticed"]


def test_changes_are_of_named_variants(run):
    status, _, err = run("conform", "changes", "--tokenizer", "13a")
    assert (status, "No such option" in err) == (2, True)


def test_an_option_that_a_subcommand_would_ignore_is_refused(run):
    status, _, err = run("conform", "--tokenizer", "13a", "changes")
    assert (status, "--tokenizer must follow 'changes', if that has such an option" in err) == (2, True)


def changed(**keys):
    return changes.from_keys(WIKIPEDIA.fields() | keys)


def test_a_reason_for_no_effect_is_not_taken_on_trust(monkeypatch):
    """A change that is said to be without effect counts as unnoticed if a text shows otherwise."""
    wrong = changes.NoEffect("counter", Component("unclipped"), {}, "nobody repeats words")
    monkeypatch.setattr(changes, "NO_EFFECT", (wrong,))
    assert changes.without_effect(WIKIPEDIA, changed(counter="unclipped")) == "nobody repeats words"
    found = {str(change): change for change in changes.changes_of([], "wikipedia")}
    assert not found["wikipedia with counter: unclipped"].without_effect


@pytest.mark.parametrize(
    "keys",
    [
        {"tokenizer": "matlab"},
        {"tokenizer": "multi-bleu"},
        {"counter": "fairseq"},
        {"reference_length": "first-closest"},
        {"smoothing": "torchmetrics"},
        {"weights": (0.25, 0.25, 0.3, 0.2)},
        {"lowercase": "ascii"},
        {"effective_order": True},
        {"empty_score": 0.5},
        {"sentence": {"effective_order": True}},
    ],
)
def test_the_search_finds_a_text_that_a_changed_variant_scores_otherwise(keys):
    assert changes.witness(bleukit.load(WIKIPEDIA), bleukit.load(changed(**keys)))


def test_the_search_finds_none_if_there_is_none():
    assert not changes.witness(bleukit.load(WIKIPEDIA), bleukit.load(changed(normalize_weights=True)))
