"""A comparison as tables, and these as Markdown, LaTeX or CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.comparing.results import GroupResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleukit.comparing.results import Comparison, Interval, PairResult, SystemResult

LONGEST = 20
"""How many groups a table shows; the others are summed."""

_LATEX = {**{sign: f"\\{sign}" for sign in "&%$#_{}"}, "\\": r"\textbackslash{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\n": " ",
    "–": "--",
    "±": r"$\pm$",
    "<": "$<$",
    ">": "$>$",
}


class Column(NamedTuple):
    """The head of a column, which may have two lines, and whether it holds numbers, which are aligned to the right."""

    head: str
    is_number: bool = True


class Table(NamedTuple):
    """A table of text."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]

    @property
    def numbers(self) -> list[int]:
        """Which columns hold numbers."""
        return [place for place, column in enumerate(self.columns) if column.is_number]


def tables(comparison: Comparison, digits: int = 2, longest: int | None = LONGEST) -> Iterator[Table]:
    """Yield the tables of a comparison: systems, pairs, and, for each pair, the groups.

    Scores have so many ``digits`` behind the point; of groups at most ``longest`` are shown, None for all.
    """
    yield _of_systems(comparison, digits)
    yield _of_pairs(comparison, digits)
    for number in range(len(comparison.pairs) if comparison.groups else 0):
        yield _of_groups(comparison, number, digits, longest)


def planning(comparison: Comparison, digits: int = 2) -> list[str]:
    """Return what to expect of test sets like this one, on one line, if anything is known."""
    found = sorted(pair.detectable_difference for pair in comparison.pairs if pair.detectable_difference)
    if not found:
        return []
    least, most = (f"{value:.{digits}f}" for value in (found[0], found[-1]))
    size = least if least == most else f"{least} to {most}, depending on the pair,"
    alpha = f"{1 - comparison.confidence_level:.4g}"
    return [f"a difference of {size} is significant in 80 % of test sets like this (p < {alpha}, unadjusted)"]


def _of_systems(comparison: Comparison, digits: int) -> Table:
    systems = comparison.systems
    columns = [Column("rank"), Column("range"), Column("system", is_number=False), Column("BLEU")]
    cells: list[Callable[[SystemResult], str]] = [
        lambda system: str(system.rank),
        lambda system: _range(system.best_rank, system.worst_rank),
        lambda system: system.system,
        lambda system: _with_interval(system.score, system.interval, digits),
    ]
    if any(system.mean is not None for system in systems):
        columns.append(Column("mean"))
        cells.append(lambda system: f"{system.mean:.{digits}f} ± {system.half_width:.{digits}f}")
    if any(len(system.runs) > 1 for system in systems):
        columns += [Column("runs"), Column("s.d. of\nruns"), Column(f"s.d. by\n{comparison.resample_by}s")]
        cells += [
            lambda system: str(len(system.runs)),
            lambda system: _number(system.run_deviation, digits),
            lambda system: _number(system.segment_deviation, digits),
        ]
    columns.append(Column("cluster"))
    cells.append(lambda system: str(system.cluster))
    return Table("", columns, [[cell(system) for cell in cells] for system in systems])


def _of_pairs(comparison: Comparison, digits: int) -> Table:
    pairs = comparison.pairs
    adjusts = comparison.correction != "none" and len(pairs) > 1
    columns = [Column("system", is_number=False), Column("against", is_number=False), Column("difference"), Column("p")]
    cells: list[Callable[[PairResult], str]] = [
        lambda pair: pair.first,
        lambda pair: pair.second,
        lambda pair: _with_interval(pair.difference, pair.interval, digits, "+"),
        lambda pair: _p_value(pair.p_value),
    ]
    if adjusts:
        columns.append(Column("adjusted\np"))
        cells.append(lambda pair: _p_value(pair.adjusted_p_value))
    if any(pair.segments_needed for pair in pairs):
        columns.append(Column("segments\nneeded"))
        cells.append(lambda pair: f"{pair.segments_needed:,}" if pair.segments_needed else "–")
    return Table("", columns, [[cell(pair) for cell in cells] for pair in pairs])


def _of_groups(comparison: Comparison, number: int, digits: int, longest: int | None) -> Table:
    whole = comparison.pairs[number]
    names = whole.first, whole.second
    found = [(group, group.pairs[number]) for group in comparison.groups]
    if comparison.grouped_by != "length":
        found.sort(key=lambda each: -abs(each[1].influence or 0))
    rows = []
    for group, pair in found[:longest]:
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
    others = found[longest:] if longest is not None else []
    if others:
        segments, influence = sum(group.segments for group, _ in others), sum(pair.influence or 0 for _, pair in others)
        rows.append([f"{len(others)} others", f"{segments:,}", "", "", "", "", f"{influence:+.{digits}f}"])
    heads = ["segments", "system", "against", "difference", "p", "influence"]
    columns = [Column(comparison.grouped_by or "", is_number=False), *map(Column, heads)]
    title = f"{whole.first} against {whole.second}: {whole.difference:+.{digits}f}, by {comparison.grouped_by}"
    return Table(title, columns, rows)


def _with_interval(value: float, interval: Interval | None, digits: int, sign: str = "") -> str:
    """Return a number with half the width of its interval."""
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


def as_markdown(table: Table) -> str:
    """Return a table in Markdown."""

    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |".replace("\n", " ")

    rule = ["---:" if column.is_number else "---" for column in table.columns]
    lines = [line([column.head for column in table.columns]), line(rule), *map(line, table.rows)]
    return "\n".join([f"**{table.title}**", "", *lines] if table.title else lines)


def as_latex(table: Table) -> str:
    """Return a table in LaTeX, with the rules of booktabs."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join("".join(_LATEX.get(sign, sign) for sign in cell) for cell in cells) + r" \\"

    kinds = "".join("r" if column.is_number else "l" for column in table.columns)
    head = line([column.head for column in table.columns])
    title = [f"% {table.title}"] if table.title else []
    body = [r"\toprule", head, r"\midrule", *map(line, table.rows), r"\bottomrule"]
    return "\n".join([*title, rf"\begin{{tabular}}{{{kinds}}}", *body, r"\end{tabular}"])


def records(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Yield one flat record a system and a pair, of the whole and of each group, all with the same keys."""
    whole = GroupResult("", comparison.segments, comparison.systems, comparison.pairs)
    found = []
    for part in (whole, *comparison.groups):
        for kind, results in (("system", part.systems), ("pair", part.pairs)):
            for result in results:
                fields = {"record": kind, "group": part.group, "segments": part.segments, **result.to_dict()}
                interval = fields.pop("interval") or {}
                fields |= {key: interval.get(key) for key in ("low", "high", "level")}
                if "runs" in fields:
                    fields["runs"] = " ".join(map(repr, fields["runs"]))
                found.append(fields)
    keys = list(dict.fromkeys(key for fields in found for key in fields))
    for fields in found:
        yield {key: fields.get(key) for key in keys} | {
            "procedure": comparison.procedure,
            "signature": comparison.signature,
        }


def as_csv(comparison: Comparison) -> str:
    """Return the records as CSV; what does not apply is empty."""
    import csv
    import io

    written = io.StringIO()
    rows = list(records(comparison))
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue().rstrip("\n")
