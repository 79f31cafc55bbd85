"""What a variant counts and scores, in plain Python: one call of a component a segment, and sums of fractions.

All faster ways are held to this, which knows no batch, no thread, no file and no column of a buffer.
"""

import contextlib
import math
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import bleukit
from bleukit.plugin import Counts

CLOSE = 1e-12
"""Scores may differ by this share, because sums of floats are rounded."""


class Row(NamedTuple):
    """The statistics of a unit; ``last`` are the counts of its last segment, ``scores`` those of a macro variant."""

    segments: int
    hypothesis_length: int
    reference_length: Fraction
    reference_tokens: int
    fewest_references: int
    most_references: int
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    scores: Fraction
    last: Counts


@cache
def usable_variants():
    """Return the variants that do not join documents and can be used here, by name."""
    found = {}
    for name in bleukit.variants():
        with contextlib.suppress(bleukit.NotInstalledError):
            bleu = bleukit.load(name)
            if not bleu.variant.join_documents:
                found[name] = bleu
    return found


def plain_row(bleu, hypothesis, references):
    """Return the statistics of one segment of text, or of token lists."""
    own, *others = (bleu.tokenize(text) if isinstance(text, str) else text for text in (hypothesis, *references))
    lengths = list(map(len, others))
    matches, totals = bleu.components["counter"].call(list(own), list(map(list, others)), bleu.max_order)
    length = Fraction(bleu.components["reference_length"].call(len(own), lengths))
    counts = Counts(list(matches), list(totals), len(own), float(length))
    row = Row(1, len(own), length, sum(lengths), *[len(others)] * 2, tuple(matches), tuple(totals), Fraction(0), counts)
    return row._replace(scores=Fraction(_value(bleu.variant, bleu.components, row))) if bleu.variant.is_macro else row


def plain_sum(rows):
    """Return the statistics of several units as one."""
    return Row(
        sum(row.segments for row in rows),
        sum(row.hypothesis_length for row in rows),
        sum(row.reference_length for row in rows),
        sum(row.reference_tokens for row in rows),
        min(row.fewest_references for row in rows),
        max(row.most_references for row in rows),
        tuple(map(sum, zip(*(row.matches for row in rows), strict=True))),
        tuple(map(sum, zip(*(row.totals for row in rows), strict=True))),
        sum(row.scores for row in rows),
        rows[-1].last,
    )


def plain_documents(rows, names):
    """Return the names of the documents, in the order of their first segments, and the statistics of each."""
    groups = {}
    for name, row in zip(names, rows, strict=True):
        groups.setdefault(name, []).append(row)
    return list(groups), list(map(plain_sum, groups.values()))


def plain_score(bleu, row, level="corpus"):
    """Return the score of a unit."""
    if level == "sentence":
        return _value(bleu.sentence_variant, bleu.sentence_components, row)
    if not bleu.variant.is_macro:
        return _value(bleu.variant, bleu.components, row)
    scores, segments = row.scores, row.segments
    if bleu.variant.average == "macro-with-final-newline":
        scores, segments = scores + Fraction(bleu.variant.empty_score), segments + 1
    return float(scores / segments)


def _value(variant, components, row):
    """Return scale · BP · Π p ** w."""
    if row.hypothesis_length == row.reference_tokens == 0:
        return variant.empty_score
    orders = len(variant.weights)
    lengths = row.hypothesis_length, float(row.reference_length)
    counts = Counts(row.matches[:orders], row.totals[:orders], *lengths, row.last, row.segments)
    precisions = list(map(float, components["smoothing"].call(counts)))
    weights = list(variant.weights_used)
    if variant.effective_order:
        left = [0 if math.isnan(p) else w for w, p in zip(weights, precisions, strict=True)]
        weights = [w * math.fsum(weights) / math.fsum(left) for w in left] if any(left) else left
    weighed = [(w, p) for w, p in zip(weights, precisions, strict=True) if w]
    if not weighed or not all(p > 0 for _, p in weighed):
        return 0.0
    penalty = components["brevity_penalty"].call(row.hypothesis_length, float(row.reference_length))
    return variant.scale * penalty * math.exp(math.fsum(w * math.log(p) for w, p in weighed))


def require_rows(statistics, rows):
    """Fail unless statistics are these rows, the last segment of each included if it is kept."""
    assert len(statistics) == len(rows)
    for name in ("segments", "hypothesis_length", "reference_tokens", "fewest_references", "most_references"):
        assert statistics.column(name).tolist() == [getattr(row, name) for row in rows], name
    for name in ("matches", "totals"):
        assert getattr(statistics, name).tolist() == [list(getattr(row, name)) for row in rows], name
    lengths = [float(row.reference_length) for row in rows]
    assert all(map(close, statistics.reference_length.tolist(), lengths)), (statistics.reference_length, lengths)
    for found, row in zip(statistics.last_rows or (), rows, strict=statistics.last_rows is not None):
        [last], wanted = found.counts(found.max_order), row.last
        assert (list(last.matches), list(last.totals)) == (wanted.matches, wanted.totals)
        assert (last.hypothesis_length, last.reference_length) == (wanted.hypothesis_length, wanted.reference_length)


def close(one, other, least=0.0):
    """Return whether two numbers agree but for rounding; NaN agrees with NaN."""
    return math.isclose(one, other, rel_tol=CLOSE, abs_tol=least) or (math.isnan(one) and math.isnan(other))


def require_scores(bleu, found, wanted):
    """Fail unless scores are these but for rounding; macro variants may round each to 2**-60."""
    found, least = list(found), 1e-16 if bleu.variant.is_macro else 0.0
    assert len(found) == len(wanted)
    assert all(close(one, other, least) for one, other in zip(found, wanted, strict=True)), (found, wanted)
