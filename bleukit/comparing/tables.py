"""A comparison as tables, and as records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.comparing.units import DOCUMENT, LABEL
from bleukit.writing.table import table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bleukit.comparing.results import Comparison, GroupResult, PairResult, SystemResult
    from bleukit.framework.results import Interval
    from bleukit.writing.table import TextTable

SACREBLEU = "sacreBLEU's\nμ ± CI"
"""The head of what sacreBLEU prints: the mean of the resampled scores, and half the width of their interval."""

LONGEST = 20
"""The number of groups that a table shows; all others are summed up."""

PEOPLE = "people\nagree"

UNITS = {PEOPLE: "%"}

TEXT_HEADS = ("system", "against")
"""The heads of columns that hold text; all others hold numbers."""


def tables(comparison: Comparison, digits: int = 2) -> Iterator[TextTable]:
    """Yield the tables of a comparison: the systems, the pairs and, for each pair, the groups.

    Scores have ``digits`` decimals. At most LONGEST groups are shown, but all test sets.
    """
    yield _of_systems(comparison, digits)
    if comparison.pairs:
        yield _of_pairs(comparison, digits)
    for number in range(len(comparison.pairs) if comparison.groups else 0):
        yield _of_groups(comparison, number, digits)


def _of_systems(comparison: Comparison, digits: int) -> TextTable:
    systems = comparison.systems
    cells: dict[str, Callable[[SystemResult], str]] = {
        "rank": lambda system: str(system.rank),
        "range": lambda system: _range(system.best_rank, system.worst_rank),
        "system": lambda system: system.system,
        comparison.metric: lambda system: f"{system.score:.{digits}f}",
        _interval_head(comparison): lambda system: _ends(system.interval, digits),
    }
    if any(system.mean is not None for system in systems):
        cells[SACREBLEU] = lambda system: f"{system.mean:.{digits}f} ± {system.half_width:.{digits}f}"
    if any(len(system.runs) > 1 for system in systems):
        cells["runs"] = lambda system: str(len(system.runs))
        cells["s.d. of\nruns"] = lambda system: _number(system.run_deviation, digits)
        cells[f"s.d. by\n{comparison.resample_by}s"] = lambda system: _number(system.segment_deviation, digits)
    cells["cluster"] = lambda system: str(system.cluster or "")
    return _table(cells, systems)


def _of_pairs(comparison: Comparison, digits: int) -> TextTable:
    pairs = comparison.pairs
    cells: dict[str, Callable[[PairResult], str]] = {
        "system": lambda pair: pair.first,
        "against": lambda pair: pair.second,
        "difference": lambda pair: f"{pair.difference:+.{digits}f}",
        _interval_head(comparison): lambda pair: _ends(pair.interval, digits, "+"),
        "p": lambda pair: _p_value(pair.p_value),
    }
    if comparison.is_adjusted:
        cells["adjusted\np"] = lambda pair: _p_value(pair.adjusted_p_value)
    cells[PEOPLE] = lambda pair: "" if pair.agreement is None else f"{100 * pair.agreement:.0f}"
    if any(pair.segments_needed for pair in pairs):
        cells["segments\nneeded"] = lambda pair: f"{pair.segments_needed:,}" if pair.segments_needed else ""
    return _table(cells, pairs)


def _of_groups(comparison: Comparison, number: int, digits: int) -> TextTable:
    whole = comparison.pairs[number]
    groups = [(group, group.pairs[number]) for group in comparison.groups]
    cells: dict[str, Callable[[tuple[GroupResult, PairResult]], str]] = {
        comparison.grouped_by or "": lambda one: one[0].group,
        "segments": lambda one: f"{one[0].segments:,}",
        "system": lambda one: _score(one[0], whole.first, digits),
        "against": lambda one: _score(one[0], whole.second, digits),
        "difference": lambda one: f"{one[1].difference:+.{digits}f}",
    }
    if comparison.has_test_sets:
        cells[_interval_head(comparison)] = lambda one: _ends(one[1].interval, digits, "+")
        cells["adjusted\np" if comparison.is_adjusted else "p"] = lambda one: _p_value(one[1].adjusted_p_value)
    else:
        cells["p"] = lambda one: _p_value(one[1].p_value)
        cells["influence"] = lambda one: f"{one[1].influence:+.{digits}f}"
    if comparison.grouped_by in {DOCUMENT, LABEL}:
        groups.sort(key=lambda group_and_pair: -abs(group_and_pair[1].influence or 0))
    shown = len(groups) if comparison.has_test_sets else LONGEST
    rows = [[cell(one) for cell in cells.values()] for one in groups[:shown]]
    if others := groups[shown:]:
        segments, influence = sum(group.segments for group, _ in others), sum(pair.influence or 0 for _, pair in others)
        rows.append([f"{len(others)} others", f"{segments:,}", *[""] * 4, f"{influence:+.{digits}f}"])
    title = f"{whole.first} against {whole.second}: {whole.difference:+.{digits}f}, by {comparison.grouped_by}"
    return table_of(zip(cells, zip(*rows, strict=True), strict=True), {comparison.grouped_by or ""}, title=title)


def _score(group: GroupResult, system: str, digits: int) -> str:
    return next(f"{result.score:.{digits}f}" for result in group.systems if result.system == system)


def _table(cells: Mapping[str, Callable[[Any], str]], results: Sequence[Any]) -> TextTable:
    """Return a table with a row for each result, without the columns that are empty in all rows."""
    columns = {head: [cell(result) for result in results] for head, cell in cells.items()}
    columns = {head: column for head, column in columns.items() if any(column)}
    return table_of(columns.items(), TEXT_HEADS, units=UNITS)


def _interval_head(comparison: Comparison) -> str:
    return f"{100 * comparison.confidence_level:.6g} %\ninterval"


def _ends(interval: Interval | None, digits: int, sign: str = "") -> str:
    return "" if interval is None else interval.ends(digits, sign)


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _range(low: int | None, high: int | None) -> str:
    return str(low or "") if low == high else f"{low}–{high}"


def _p_value(value: float | None) -> str:
    if value is None:
        return ""
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def records(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Yield one flat record per system and per pair, for the whole and for each group, all with the same keys."""
    collected = []
    parts: list[Comparison | GroupResult] = [comparison, *comparison.groups]
    for part in parts:
        of_all = {"metric": comparison.metric, "group": getattr(part, "group", ""), "segments": part.segments}
        for kind, results in (("system", part.systems), ("pair", part.pairs)):
            for result in results:
                fields = {"record": kind, **of_all, **result.to_dict()}
                interval = fields.pop("interval") or {}
                fields.pop("histogram", None)  # many numbers, for plots
                fields |= {key: interval.get(key) for key in ("low", "high", "level")}
                if "runs" in fields:
                    fields["runs"] = " ".join(map(repr, fields["runs"]))
                collected.append(fields)
    keys = list(dict.fromkeys(key for fields in collected for key in fields))
    for fields in collected:
        yield {key: fields.get(key) for key in keys} | {
            "procedure": comparison.procedure,
            "signature": comparison.signature,
        }
