"""Which statistics a text can have: lengths bound totals and matches."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.bleu.statistics import Statistics
from bleukit.framework.errors import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.framework.additive import AdditiveStatistics
    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.metric import Level
    from bleukit.metrics.segment_metric import SegmentMetric


def problems(statistics: AdditiveStatistics, level: Level, counting: SegmentMetric | LoadedComponent) -> Iterator[str]:
    """Yield, for each row, why no text has these statistics; an empty string if one may.

    ``counting`` is a metric beside BLEU, or the n-gram counter of BLEU.
    """
    if not len(statistics):  # then nothing has shown that their order is not far too large
        return
    last = statistics.last_segments
    of_last = repeat("") if last is None else problems(last, "sentence", counting)
    names = ("segments", "fewest_references", "most_references")
    columns = [statistics.column(name) for name in names]
    for segments, fewest, most, of_counts, problem in zip(*columns, _of_counts(statistics, counting), of_last):  # noqa: B905 - some go on for ever
        if segments < 1 or (level == "sentence" and segments > 1):
            yield f"sums {segments} segments, at level {level}"
        elif not 1 <= fewest <= most or (segments == 1 and fewest < most):
            yield f"{fewest} to {most} references a segment, in {quantity(segments, 'segment')}"
        else:
            yield of_counts or (problem and f"its last segment: {problem}")


def _of_counts(statistics: AdditiveStatistics, counting: SegmentMetric | LoadedComponent) -> Sequence[str]:
    """Say of each row why no text has these counts."""
    if not isinstance(statistics, Statistics):
        wrong: Any = counting.impossible(statistics.summed_rows()).any(axis=1)  # type: ignore[union-attr]
        return ["counts of no text" if is_wrong else "" for is_wrong in wrong]
    found = [""] * len(statistics)
    for row in np.flatnonzero(_exceed_lengths(statistics, counting)):  # type: ignore[arg-type]
        counts = f"matches {statistics.matches[row].tolist()} of totals {statistics.totals[row].tolist()}"
        tokens = quantity(statistics.hypothesis_length[row], "token")
        segments = quantity(statistics.segments[row], "segment")
        of_references = f"{statistics.reference_tokens[row]} in references"
        found[row] = f"{counts}, which no text has of {tokens} in {segments} and {of_references}"
    return found


def _exceed_lengths(statistics: Statistics, counter: LoadedComponent) -> Sequence[bool]:
    """Return whether the totals or matches of each row cannot be, given its lengths; of ``clipped`` counts alone.

    The total of a segment of l tokens is max(l - n + 1, least). The sum for n is the least if all segments are equally
    long, and the most if one has all the tokens.
    """
    if not counter.promise("clipped"):
        return [False] * len(statistics)
    least, before = counter.promise("least_total") or 0, np.arange(statistics.max_order)
    columns = statistics.segments, statistics.hypothesis_length, statistics.reference_tokens
    segments, tokens, others = (column[:, None] for column in columns)
    fewest = np.maximum(tokens - before * segments, least * segments)
    most = np.maximum(tokens - before, least) + (segments - 1) * np.maximum(-before, least)
    ngrams = np.maximum(np.minimum(tokens, others) - before, 0)
    wrong = (statistics.totals < fewest) | (statistics.totals > most) | (statistics.matches > ngrams)
    exceed: list[bool] = wrong.any(axis=1).tolist()
    return exceed
