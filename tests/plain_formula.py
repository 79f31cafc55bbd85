"""A variant's score, computed once more from its components and the formula: one segment at a time, with exact sums.

It calls each component as a plugin author writes it, on one segment or one unit, and no batch method.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import compress

import bleukit


@dataclass(frozen=True)
class Row:
    """The statistics of a segment or, summed, of several; ``last`` is the last of these."""

    segments: int
    hypothesis_length: int
    reference_length: Fraction
    reference_tokens: int
    fewest_references: int
    most_references: int
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    sentence_scores: Fraction
    last: "Row | None" = None


def count(bleu, hypotheses, references):
    """Return the row of each segment."""
    counter, policy = (bleu.components[kind].call for kind in ("counter", "reference_length"))
    return [_counted(bleu, counter, policy, *segment) for segment in zip(hypotheses, references, strict=True)]


def _counted(bleu, counter, policy, hypothesis, references):
    ours, *theirs = (tokens_of(bleu, text) for text in (hypothesis, *references))
    matches, totals = (tuple(map(int, side)) for side in counter(ours, theirs, bleu.max_order))
    lengths = [len(tokens) for tokens in theirs]
    effective = Fraction(float(policy(len(ours), lengths)))
    row = Row(1, len(ours), effective, sum(lengths), len(theirs), len(theirs), matches, totals, Fraction(0))
    if not bleu.variant.is_macro:
        return row
    return replace(row, sentence_scores=Fraction(score(bleu, row, "sentence")["value"] / bleu.variant.scale))


def tokens_of(bleu, text):
    """Return the tokens of a text, or those that are given, lowercased if the variant lowercases."""
    lowercase = bleu.variant.lowercase
    if not isinstance(text, str):
        return [lower(token, lowercase) for token in text]
    tokenizer = bleu.components["tokenizer"].call
    if lowercase and hasattr(tokenizer, "lowercasing"):
        return list(tokenizer.lowercasing(lowercase)(text))
    return list(tokenizer(lower(text, lowercase)))


def lower(text, lowercase):
    if lowercase == "ascii":
        return "".join(character.lower() if character.isascii() else character for character in text)
    return text.lower() if lowercase else text


def summed(rows):
    """Return the sum of rows; of the numbers of references, the fewest and the most."""
    merge = {"fewest_references": min, "most_references": max}
    sums = {name: merge.get(name, sum)([getattr(row, name) for row in rows]) for name in NUMBERS}
    sums |= {name: tuple(map(sum, zip(*(getattr(row, name) for row in rows), strict=True))) for name in PER_ORDER}
    return Row(**sums, last=rows[-1].last or rows[-1])


NUMBERS = ("segments", "hypothesis_length", "reference_length", "reference_tokens", "fewest_references")
NUMBERS += ("most_references", "sentence_scores")
PER_ORDER = ("matches", "totals")


def score(bleu, row, level):
    """Return the fields of the score of a row, but for the signature."""
    at_sentence = level == "sentence"
    variant = bleu.sentence_variant if at_sentence else bleu.variant
    components = bleu.sentence_components if at_sentence else bleu.components
    smoothing, penalty = (components[kind].call for kind in ("smoothing", "brevity_penalty"))
    orders = len(variant.weights)
    last = _counts(row.last or row, bleu.max_order)
    precisions = tuple(map(float, smoothing(replace(_counts(row, orders), last=last))))
    factor = float(penalty(row.hypothesis_length, float(row.reference_length)))
    value = variant.scale * factor * geometric_mean(variant, precisions)
    if not row.hypothesis_length and not row.reference_tokens:
        value = variant.empty_score
    if variant.is_macro and not at_sentence:
        more = variant.average == "macro-with-final-newline"
        total = row.sentence_scores + (more and Fraction(variant.empty_score) / variant.scale)
        value = float(variant.scale * total / (row.segments + more))
    return {
        "value": value,
        "precisions": precisions,
        "matches": row.matches[:orders],
        "totals": row.totals[:orders],
        "brevity_penalty": factor,
        "hypothesis_length": row.hypothesis_length,
        "reference_length": float(row.reference_length),
        "segments": row.segments,
        "variant": bleu.label,
    }


def _counts(row, orders):
    lengths = row.hypothesis_length, float(row.reference_length)
    return bleukit.plugin.Counts(row.matches[:orders], row.totals[:orders], *lengths, segments=row.segments)


def geometric_mean(variant, precisions):
    """Return Π p_n^w_n; an undefined order (NaN) counts as 0 or, with an effective order, is left out.

    The others then get its weight, each its share.
    """
    weights = list(variant.weights)
    if variant.normalize_weights:
        weights = [weight / math.fsum(variant.weights) for weight in weights]
    kept = [not (variant.effective_order and math.isnan(precision)) for precision in precisions]
    left = math.fsum(compress(weights, kept))
    if not left:
        return 0.0
    shares = [weight * math.fsum(weights) / left for weight in compress(weights, kept)]
    pairs = [(share, p) for share, p in zip(shares, compress(precisions, kept), strict=True) if share]
    return math.prod(0.0 if math.isnan(p) else p**share for share, p in pairs)
