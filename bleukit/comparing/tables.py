"""A comparison as tables, in Markdown or LaTeX, or as CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.comparing.results import GroupResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleukit.comparing.results import Comparison, Interval, PairResult, SystemResult

LONGEST = 20
"""The number of groups that a table shows; all others are summed up."""

_LATEX = {**{sign: f"\\{sign}" for sign in "&%$#_{}"}, "\\": r"\textbackslash{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\n": " ",
    "–": "--",
    "±": r"$\pm$",
    "<": "$<$",
    ">": "$>$",
}


class ResultColumn(NamedTuple):
    """The head of a column, which may have two lines, and whether it holds numbers, which are right-aligned."""

    head: str
    is_number: bool = True


class ResultTable(NamedTuple):
    """A table whose cells are text; the title may be empty."""

    title: str
    columns: Sequence[ResultColumn]
    rows: Sequence[Sequence[str]]

    @property
    def numbers(self) -> list[int]:
        """The indices of the columns that hold numbers."""
        return [place for place, column in enumerate(self.columns) if column.is_number]


def tables(comparison: Comparison, digits: int = 2, longest: int | None = LONGEST) -> Iterator[ResultTable]:
    """Yield the tables of a comparison: the systems, the pairs and, for each pair, the groups.

    Scores have ``digits`` decimals. At most ``longest`` groups are shown, all if it is None.
    """
    yield _of_systems(comparison, digits)
    yield _of_pairs(comparison, digits)
    for number in range(len(comparison.pairs) if comparison.groups else 0):
        yield _of_groups(comparison, number, digits, longest)


def planning(comparison: Comparison, digits: int = 2) -> list[str]:
    """Return a sentence on the difference that test sets like this one can detect; nothing if it is not known."""
    detectable = sorted(pair.detectable_difference for pair in comparison.pairs if pair.detectable_difference)
    if not detectable:
        return []
    least, most = (f"{value:.{digits}f}" for value in (detectable[0], detectable[-1]))
    size = least if least == most else f"{least} to {most}, depending on the pair,"
    alpha = f"{1 - comparison.confidence_level:.4g}"
    return [f"a difference of {size} is significant in 80 % of test sets like this one (p < {alpha}, unadjusted)"]


def _of_systems(comparison: Comparison, digits: int) -> ResultTable:
    systems = comparison.systems
    columns = [
        ResultColumn("rank"),
        ResultColumn("range"),
        ResultColumn("system", is_number=False),
        ResultColumn("BLEU"),
    ]
    cells: list[Callable[[SystemResult], str]] = [
        lambda system: str(system.rank),
        lambda system: _range(system.best_rank, system.worst_rank),
        lambda system: system.system,
        lambda system: _with_interval(system.score, system.interval, digits),
    ]
    if any(system.mean is not None for system in systems):
        columns.append(ResultColumn("mean"))
        cells.append(lambda system: f"{system.mean:.{digits}f} ± {system.half_width:.{digits}f}")
    if any(len(system.runs) > 1 for system in systems):
        columns += [
            ResultColumn("runs"),
            ResultColumn("s.d. of\nruns"),
            ResultColumn(f"s.d. by\n{comparison.resample_by}s"),
        ]
        cells += [
            lambda system: str(len(system.runs)),
            lambda system: _number(system.run_deviation, digits),
            lambda system: _number(system.segment_deviation, digits),
        ]
    columns.append(ResultColumn("cluster"))
    cells.append(lambda system: str(system.cluster))
    return ResultTable("", columns, [[cell(system) for cell in cells] for system in systems])


def _of_pairs(comparison: Comparison, digits: int) -> ResultTable:
    pairs = comparison.pairs
    adjusts = comparison.correction != "none" and len(pairs) > 1
    columns = [
        ResultColumn("system", is_number=False),
        ResultColumn("against", is_number=False),
        ResultColumn("difference"),
        ResultColumn("p"),
    ]
    cells: list[Callable[[PairResult], str]] = [
        lambda pair: pair.first,
        lambda pair: pair.second,
        lambda pair: _with_interval(pair.difference, pair.interval, digits, "+"),
        lambda pair: _p_value(pair.p_value),
    ]
    if adjusts:
        columns.append(ResultColumn("adjusted\np"))
        cells.append(lambda pair: _p_value(pair.adjusted_p_value))
    if any(pair.segments_needed for pair in pairs):
        columns.append(ResultColumn("segments\nneeded"))
        cells.append(lambda pair: f"{pair.segments_needed:,}" if pair.segments_needed else "–")
    return ResultTable("", columns, [[cell(pair) for cell in cells] for pair in pairs])


def _of_groups(comparison: Comparison, number: int, digits: int, longest: int | None) -> ResultTable:
    whole = comparison.pairs[number]
    names = whole.first, whole.second
    groups = [(group, group.pairs[number]) for group in comparison.groups]
    if comparison.grouped_by != "length":
        groups.sort(key=lambda group_and_pair: -abs(group_and_pair[1].influence or 0))
    rows = []
    for group, pair in groups[:longest]:
        scores = {system.system: f"{system.score:.{digits}f}" for system in group.systems}
        rows.append(
            [
                group.group,
                f"{group.segments:,}",
                *(scores[name] for name in names),
                _with_interval(pair.difference, pair.interval, digits, "+"),
                _p_value(pair.p_value),
                f"{pair.influence:+.{digits}f}",
            ]
        )
    others = groups[longest:] if longest is not None else []
    if others:
        segments, influence = sum(group.segments for group, _ in others), sum(pair.influence or 0 for _, pair in others)
        rows.append([f"{len(others)} others", f"{segments:,}", "", "", "", "", f"{influence:+.{digits}f}"])
    heads = ["segments", "system", "against", "difference", "p", "influence"]
    columns = [ResultColumn(comparison.grouped_by or "", is_number=False), *map(ResultColumn, heads)]
    title = f"{whole.first} against {whole.second}: {whole.difference:+.{digits}f}, by {comparison.grouped_by}"
    return ResultTable(title, columns, rows)


def _with_interval(value: float, interval: Interval | None, digits: int, sign: str = "") -> str:
    """Return a number, followed by half the width of its interval if there is one."""
    shown = f"{value:{sign}.{digits}f}"
    return shown if interval is None else f"{shown} ± {(interval.high - interval.low) / 2:.{digits}f}"


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _p_value(value: float | None) -> str:
    if value is None:
        return "–"
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def table_as_markdown(table: ResultTable) -> str:
    """Return a table in Markdown."""

    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |".replace("\n", " ")

    rule = ["---:" if column.is_number else "---" for column in table.columns]
    lines = [line([column.head for column in table.columns]), line(rule), *map(line, table.rows)]
    return "\n".join([f"**{table.title}**", "", *lines] if table.title else lines)


def table_as_latex(table: ResultTable) -> str:
    """Return a table in LaTeX; it needs the package booktabs."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join("".join(_LATEX.get(sign, sign) for sign in cell) for cell in cells) + r" \\"

    kinds = "".join("r" if column.is_number else "l" for column in table.columns)
    head = line([column.head for column in table.columns])
    title = [f"% {table.title}"] if table.title else []
    body = [r"\toprule", head, r"\midrule", *map(line, table.rows), r"\bottomrule"]
    return "\n".join([*title, rf"\begin{{tabular}}{{{kinds}}}", *body, r"\end{tabular}"])


def records(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Yield one flat record per system and per pair, for the whole and for each group, all with the same keys."""
    whole = GroupResult("", comparison.segments, comparison.systems, comparison.pairs)
    collected = []
    for part in (whole, *comparison.groups):
        for kind, results in (("system", part.systems), ("pair", part.pairs)):
            for result in results:
                fields = {"record": kind, "group": part.group, "segments": part.segments, **result.to_dict()}
                interval = fields.pop("interval") or {}
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


def as_csv(comparison: Comparison) -> str:
    """Return the records as CSV; values that do not apply are empty."""
    output = io.StringIO()
    rows = list(records(comparison))
    writer = csv.DictWriter(output, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return output.getvalue().rstrip("\n")
