"""The documents' formula, as plainly as can be: what the score of a case must follow from, whatever its components."""

from __future__ import annotations

import math
from itertools import compress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.bleu.variant import Variant

PLAIN_VARIANT = "wikipedia"
"""The variant of the plain definition, without anybody's peculiarities.

Implementations are asked for it if no other is named, and a component is first tried beside its components.
"""


def plain_lower(text: str, lowercase: bool | str) -> str:
    """Return a text in lower case: True by Unicode's full mappings, with the final sigma; "ascii" A to Z alone."""
    if lowercase == "ascii":
        return text.translate({upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)})
    return text.lower() if lowercase else text


def plain_precisions(matches: Sequence[float], totals: Sequence[float]) -> list[float]:
    """Return matches / totals, NaN if there is no n-gram (0/0)."""
    return [match / total if total else math.nan for match, total in zip(matches, totals, strict=True)]


def plain_brevity_penalty(hypothesis_length: int, reference_length: float) -> float:
    """Return 1, or exp(1 - r/c) for a shorter hypothesis (Papineni et al. 2002, section 2.3); 0 for an empty one."""
    return math.exp(min(0.0, 1 - reference_length / hypothesis_length)) if hypothesis_length else 0.0


def plain_score(variant: Variant, penalty: float, precisions: Sequence[float]) -> float:
    """Return BP · Π p_n^w_n, between 0 and 1; an order without n-grams (NaN) counts as 0.

    With an effective order it is left out, and the others get its weight, each its share.
    """
    weights = variant.weights
    if variant.normalize_weights:
        weights = tuple(weight / math.fsum(weights) for weight in weights)
    left = [not (variant.effective_order and math.isnan(p)) for p in precisions]
    weight_left = math.fsum(compress(weights, left))
    if not weight_left:
        return 0.0
    product = penalty
    for weight, precision in zip(compress(weights, left), compress(precisions, left), strict=True):
        if weight:
            product *= 0.0 if math.isnan(precision) else precision ** (weight * math.fsum(weights) / weight_left)
    return product


def alike(one: Any, other: Any, within: float = 1e-9) -> bool:
    """Return whether numbers, or sequences of them, agree to a part of their size, NaN with NaN; texts are equal."""
    if one == other:  # most are, and sequences are compared fast
        return True
    if isinstance(one, str):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(alike(a, b, within) for a, b in zip(one, other, strict=True))
    return math.isclose(one, other, rel_tol=within) or (math.isnan(one) and math.isnan(other))
