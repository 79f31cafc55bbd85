"""Runs one case against one variant, and says at which stage what differs."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import bleukit
from bleukit.statistics import Statistics, row

if TYPE_CHECKING:
    from bleukit_conformance.cases import Case, CountsGiven, Number

    from bleukit import Bleu, Score


def differences(case: Case, variant: str) -> list[str]:
    """Return what a variant gives otherwise than the case expects, stage by stage; empty where it conforms."""
    expected = case.expected(variant)
    try:
        bleu = bleukit.load(variant, **case.recipe)
    except bleukit.VariantError as error:
        refused = str(error.key[0]) if error.key else ""
        return [] if refused == expected.error else [f"error: expected {expected.error}, got {error}"]
    if expected.error:
        return [f"error: expected {expected.error} to be refused, got a BLEU that scores"]
    score = _score(case, bleu)
    got: dict[str, Any] = {
        "matches": list(score.matches),
        "totals": list(score.totals),
        "precisions": list(score.precisions),
        "hypothesis_length": score.hypothesis_length,
        "reference_length": score.reference_length,
        "brevity_penalty": score.brevity_penalty,
        "score": score.value / bleu.variant.scale,
    }
    if expected.tokens is not None:
        text = case.pairs[0].hypothesis
        got["tokens"] = list(bleu.tokenize(text)) if isinstance(text, str) else text
    return [
        f"{stage}: expected {wanted}, got {got[stage]}"
        for stage in expected.__struct_fields__
        if (wanted := getattr(expected, stage)) is not None and not _agrees(wanted, got[stage])
    ]


def _score(case: Case, bleu: Bleu) -> Score:
    if case.counts:
        return bleu.score(_statistics(case.counts))
    hypotheses = [pair.hypothesis for pair in case.pairs]
    return bleu.corpus(hypotheses, [pair.references for pair in case.pairs])


def _statistics(counts: CountsGiven) -> Statistics:
    segment = row(
        hypothesis_length=counts.hypothesis_length,
        reference_length=counts.reference_length,
        reference_tokens=counts.reference_length,
        references=1,
        matches=counts.matches,
        totals=counts.totals,
    )
    return Statistics(len(counts.matches), segment)


def _agrees(wanted: Any, got: Any) -> bool:
    if isinstance(wanted, list):
        return len(wanted) == len(got) and all(map(_agrees, wanted, got))
    if isinstance(got, str):
        return bool(wanted == got)
    return _number_agrees(wanted, got)


def _number_agrees(wanted: Number, got: float) -> bool:
    """Fractions and whole numbers agree to 1e-9 of their size; decimals to half a unit of the last digit written."""
    written = str(wanted)
    if written == "nan":
        return math.isnan(got)
    decimals = len(written.partition(".")[2]) if "e" not in written else 0
    within = 0.5 * 10**-decimals if decimals else 0.0
    return math.isclose(float(Fraction(written)), got, rel_tol=1e-9, abs_tol=within)
