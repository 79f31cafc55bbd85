"""Runs a case for a variant or a metric: as it is, held to what its document or the original program says.

Nothing is left open here. The variant must give every stage that the case states, whichever way the text takes into it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.conformance.judging.observing import key_at_fault, statistics_of_counts
from bleukit.conformance.judging.runner import CaseOutcome, Stage, agrees

import bleukit
from bleukit import load_metric
from bleukit.bleu.bleu import bleu_from
from bleukit.pairs.self_bleu import self_bleu, self_bleu_definition

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bleukit.conformance.judging.cases import Case, SelfBleuGiven

    from bleukit import Bleu, SelfBleu, Variant

STAGES = ("matches", "totals", "precisions", "hypothesis_length", "reference_length", "brevity_penalty")
OF_METRICS = ("edits", "reference_length", "hypothesis_ngrams", "reference_ngrams", "matches")
"""The same of metrics beside BLEU."""


def run_for_variant(case: Case, source: str | Path | Variant) -> CaseOutcome:
    """Run a case for a variant, or a metric, against that, with the keys or options that the case sets."""
    try:
        bleu: Any = load_metric(case.metric, **case.set) if case.metric else bleu_from(source, case.set)
    except bleukit.VariantError as error:
        if key_at_fault(error) == case.expect.error:
            return CaseOutcome(case.id, (Stage("error", "agrees"),))
        return CaseOutcome.failing(case.id, f"the variant is refused: {error}")
    if case.expect.error:
        return CaseOutcome.failing(case.id, f"{case.expect.error}: expected to be refused, but it is accepted")
    try:
        failures = list(stage_differences(case, bleu))
    except bleukit.InputError as error:
        failures = [f"it refuses the input: {error}"]
    if failures:
        return CaseOutcome.failing(case.id, *failures)
    return CaseOutcome(case.id, tuple(Stage(name, "agrees") for name in case.expect.stated))


def stage_differences(case: Case, bleu: Any) -> Iterator[str]:
    """Yield each stage at which a variant gives something else than the case states, as soon as it is known."""
    expect = case.expect
    if case.self_bleu:
        yield from _difference("score", expect.score, self_bleu_of_case(case.self_bleu, bleu, case.set).value)
        return
    hypotheses, references, documents = _input(case, bleu)
    if expect.tokens is not None:
        yield from _difference("tokens", expect.tokens, list(bleu.tokenize(hypotheses[0])))
    if expect.other_tokens is not None:
        others = [list(bleu.tokenize(text)) for text in case.texts[1:] if isinstance(text, str)]
        yield from _difference("other_tokens", expect.other_tokens, others)
    rows = statistics_of_counts(case.counts) if case.counts else bleu.statistics(hypotheses, references)
    for level in case.levels:
        score = bleu.score(rows, level=level)
        for stage in OF_METRICS if case.metric else STAGES:
            got = score.sums.get(stage) if case.metric else getattr(score, stage)
            yield from _difference(stage, getattr(expect, stage), list(got) if isinstance(got, tuple) else got, level)
        yield from _difference("score", expect.score, score.value, level)
        fields = dict(field.split(":", 1) for field in score.signature.split("|"))
        for name, stated in (expect.signature or {}).items():
            yield from _difference(f"signature, {name}", stated, fields.get(name, ""), level)
    if expect.sentences is not None:
        alone = [bleu.sentence(*pair).value for pair in zip(hypotheses, references, strict=True)]
        yield from _difference("sentences", expect.sentences, alone)
    if expect.documents is not None:
        by_document = rows.by_document(documents)
        values = {str(name): bleu.score(rows).value for name, rows in by_document.items()}
        yield from _difference("documents", [*expect.documents], [*values])
        for name, value in values.items():
            yield from _difference(f"document {name}", expect.documents.get(name), value)


def self_bleu_of_case(given: SelfBleuGiven, bleu: Bleu, keys: Mapping[str, Any]) -> SelfBleu:
    """Return the self-BLEU of texts by a definition whose keys, and those given, are laid over a variant."""
    definition = self_bleu_definition(given.definition)
    own = {key: value for key, value in definition.keys.items() if key != "variant"}
    return self_bleu(given.texts, bleu_from(bleu.variant, {**own, **keys}), **definition.policy)


def _difference(stage: str, expected: Any, got: Any, level: str = "") -> Iterator[str]:
    if expected is not None and not agrees(expected, got):
        where = " of the sentence" if level == "sentence" else ""
        yield f"{stage}{where}: expected {expected}, got {got}"


def _input(case: Case, bleu: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """Return hypotheses, references and documents, which a variant may score as one segment each."""
    hypotheses, references = [pair.hypothesis for pair in case.pairs], [pair.references for pair in case.pairs]
    documents = case.documents * case.times
    if documents and bleu.joins_documents:
        return bleukit.join_documents(hypotheses, references, documents)
    return hypotheses, references, documents
