"""Which statistics a text can have: lengths, totals and matches bound one another.

Let ``N(n)`` be the number of n-grams in some segments. A segment of ``l`` tokens has ``max(0, l - n + 1)``, so that the
differences ``N(n) - N(n + 1)`` are the numbers of segments with at least n tokens, and these do not grow with n.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise, zip_longest
from operator import gt, lt, sub
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.errors import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bleukit.additive import AdditiveStatistics
    from bleukit.loading.creating import LoadedComponent
    from bleukit.metric import Level
    from bleukit.metrics.segment_metric import SegmentMetric
    from bleukit.statistics import Statistics


COUNTING = ("counter", "reference_length")
"""The kinds of components that bound what statistics can be."""


class _Row(NamedTuple):
    """A row of statistics, with the columns that say something of one another."""

    segments: int
    hypothesis_length: int
    reference_length: float
    reference_tokens: int
    fewest_references: int
    most_references: int
    matches: tuple[int, ...]
    totals: tuple[int, ...]


def problems(statistics: Any, level: Level, counting: SegmentMetric | Mapping[str, LoadedComponent]) -> Iterator[str]:
    """Yield, for each row, why no text has these statistics; an empty string if one may.

    ``counting`` is a metric beside BLEU, or the components of BLEU of the kinds ``COUNTING``. The totals and matches of
    a counter that does not promise ``clipped`` may be any.
    """
    if not isinstance(counting, Mapping):
        yield from _problems_by(counting, statistics, level)
        return
    last = statistics.last_segments
    for row, of_last in zip_longest(_rows(statistics), _rows(last) if last else ()):
        problem = _problem(row, level, counting)
        yield problem or (_problem_of_last(row, of_last, counting) if of_last else "")


def _problems_by(metric: SegmentMetric, statistics: AdditiveStatistics, level: Level) -> Iterator[str]:
    columns = (statistics.column(name) for name in ("segments", "fewest_references", "most_references"))
    wrong: list[bool] = metric.impossible(statistics.summed_rows()).any(axis=1).tolist()  # type: ignore[assignment]
    for segments, fewest, most, is_wrong in zip(*columns, wrong, strict=True):
        yield _problem_of_segments(segments, fewest, most, level) or ("counts of no text" if is_wrong else "")


def _rows(statistics: Statistics) -> Iterator[_Row]:
    order = statistics.max_order
    columns = []
    for name in _Row._fields:
        values = statistics.column(name).tolist()
        is_flat = name not in {"matches", "totals"}
        columns.append(values if is_flat else list(zip(*(values[n::order] for n in range(order)), strict=True)))
    return map(_Row._make, zip(*columns, strict=True))


def _problem(row: _Row, level: Level, components: Mapping[str, LoadedComponent]) -> str:
    """Say why no text has these statistics; empty if one may have them."""
    problem = _problem_of_segments(row.segments, row.fewest_references, row.most_references, level)
    if problem:
        return problem
    is_other = row.most_references == 1 and row.reference_length != float(row.reference_tokens)
    if is_other and _returns_single(components["reference_length"].call, row):
        return f"reference_length {row.reference_length}, and {row.reference_tokens} tokens in single references"
    return _problem_of_counts(row, components)


def _problem_of_segments(segments: int, fewest: int, most: int, level: Level) -> str:
    """Say why no row sums so many segments, with so many references each; empty if one may."""
    if segments < 1 or (level == "sentence" and segments > 1):
        return f"sums {segments} segments, at level {level}"
    if not 1 <= fewest <= most or (segments == 1 and fewest < most):
        return f"{fewest} to {most} references a segment, in {quantity(segments, 'segment')}"
    return ""


def _returns_single(policy: Callable[..., Any], row: _Row) -> bool:
    """Return whether the effective length of a single reference is its own, for hypotheses of any length."""
    length = row.hypothesis_length
    sizes = (1, row.reference_tokens // row.segments, row.reference_tokens)
    return all(policy(tried, [own]) == own for own in sizes for tried in (0, length, length + own + 1))


def _problem_of_counts(row: _Row, components: Mapping[str, LoadedComponent]) -> str:
    """Say why no text has these totals and matches; empty if one may have them."""
    counter = components["counter"]
    if not counter.promise("clipped"):
        return ""
    least = counter.promise("least_total") or 0
    most = _most_matches(row.segments, row.hypothesis_length, row.reference_tokens, row.totals, least)
    if most is None or any(map(gt, row.matches, most)):
        of_text = f"of {quantity(row.hypothesis_length, 'token')} in {quantity(row.segments, 'segment')}"
        if most is None:
            return f"totals {list(row.totals)}, which no text has {of_text}"
        of_text += f" and {row.reference_tokens} in references"
        return f"matches {list(row.matches)}, {of_text} at most {list(most)}"
    if row.most_references == 1 and any(map(lt, row.matches, row.matches[1:])):
        return f"matches {list(row.matches)}, more than of the order below, with a single reference"
    return ""


@lru_cache(1 << 16)  # many segments are of equal lengths
def _most_matches(
    segments: int, hypothesis_length: int, reference_tokens: int, totals: tuple[int, ...], least: int
) -> tuple[int, ...] | None:
    """Return how many matches of each order there can be; None if no text has these totals.

    A total is the sum of max(l - n + 1, least), which is N(n + least) + least for each segment. Below order 1, N is
    continued as l - n + 1.
    """
    from_lengths = {0: hypothesis_length + segments, 1: hypothesis_length}
    from_totals = {n + least: total - least * segments for n, total in enumerate(totals, 1)}
    if any(from_totals.get(order, number) != number for order, number in from_lengths.items()):
        return None
    known = dict(sorted((from_totals | from_lengths).items()))
    # Of each order and the next one that is known: how far it is, and how much N falls.
    steps = [(right - left, above - below) for (left, above), (right, below) in pairwise(known.items())]
    fall_slower = all(fall * before <= fell * step for (before, fell), (step, fall) in pairwise(steps))
    (first_step, first_fall), (last_step, last_fall) = steps[0], steps[-1]
    last = [*known.values()][-1]
    ends = first_fall <= first_step * segments and last_fall >= (last_step if last > 0 else 0) and last >= 0
    if not (fall_slower and ends):
        return None
    most = []
    for n in range(1, len(totals) + 1):
        of_hypothesis = max(0, hypothesis_length - n + 1)  # if one segment has all tokens
        of_references = max(0, reference_tokens - n + 1)
        most.append(min(of_references, of_hypothesis, *(known[order] for order in known if 1 <= order <= n)))
    return tuple(most)


def _problem_of_last(row: _Row, last: _Row, components: Mapping[str, LoadedComponent]) -> str:
    """Say why this is not the last segment of what a row sums; empty if it may be."""
    problem = _problem(last, "sentence", components)
    others = row._replace(
        segments=row.segments - last.segments,
        hypothesis_length=row.hypothesis_length - last.hypothesis_length,
        reference_tokens=row.reference_tokens - last.reference_tokens,
        matches=tuple(map(sub, row.matches, last.matches)),
        totals=tuple(map(sub, row.totals, last.totals)),
    )
    if not problem and min(others.hypothesis_length, others.reference_tokens, *others.matches) < 0:
        problem = "it has more than the row"
    problem = problem or _problem_of_counts(others, components)
    return f"its last segment: {problem}" if problem else ""
