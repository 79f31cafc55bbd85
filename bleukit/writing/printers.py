"""Tables and paragraphs as text of any width, Markdown, LaTeX or HTML; columns of values as CSV or JSON lines.

Numbers, with their units and intervals, are never broken over lines.
"""

from __future__ import annotations

import csv
import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import msgspec

from bleukit.framework.results import html_table
from bleukit.writing.phrases import BREAK, NUMBER, terminal_columns, wrapped_lines
from bleukit.writing.table import Markdown, TextTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol, TypeAlias

    from bleukit.writing.table import TableHead

    class Writable(Protocol):
        """What text is written to."""

        def write(self, text: str, /) -> object:
            """Write text."""

    Part: TypeAlias = str | TextTable
    """A table, or paragraphs: one a line."""

LEAST = 8
"""The least width to which columns of texts are broken."""

PACKAGE = r"% needs \usepackage{booktabs}"
"""What a document in LaTeX needs for the tables."""

_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": "$<$", ">": "$>$", "±": r"$\pm$", "–": "--", "|": r"\textbar{}", "\n": " "}
)


def printed(form: str, parts: Iterable[Part], width: int | None = None, *, ruled: bool = False) -> str:
    """Return tables and paragraphs as "text" (see :func:`as_text`), "markdown" or "latex"."""
    if form == "text":
        return "\n\n".join(as_text(part, width, ruled=ruled) for part in parts)
    if form == "markdown":
        return "\n\n".join(map(as_markdown, parts))
    return "\n\n".join([PACKAGE, *map(as_latex, parts)])


def as_text(part: Part, width: int | None = None, *, ruled: bool = False) -> str:
    """Return a table with its title and notes, or paragraphs, as text of this width, None for any.

    If a table is too wide, texts are broken and columns are closer. Columns that still do not fit follow in a table
    below, beside the same first texts. If it is ``ruled``, a line is below its head.
    """
    if isinstance(part, str):
        return "\n".join(line for paragraph in part.split("\n") for line in wrapped_lines(paragraph, width))
    written = [as_text(part.title, width)] if part.title else []
    for table in _fitting(part, width):
        head, *rows = aligned(table, width)
        lines = "\n".join([head, *rows]).split("\n")
        rule = ["─" * max(map(terminal_columns, lines))] if ruled else []
        written.append("\n".join([head, *rule, *rows]))
    return "\n\n".join([*written, *([as_text("\n".join(part.notes), width)] if part.notes else [])])


def aligned(table: TextTable, width: int | None = None) -> list[str]:
    """Return the head of a table and its rows, each as aligned lines of text; heads of several lines end together."""
    between, widths = _layout(table, width)
    rows = [
        [_broken(cell, most, head) for cell, most, head in zip(row, widths, table.heads, strict=True)]
        for row in _cells(table)
    ]
    widths = [max(terminal_columns(line) for cell in column for line in cell) for column in zip(*rows, strict=True)]
    shown: list[str] = []
    for row in rows:
        step = 1 if shown else -1
        lines = zip_longest(*(cell[::step] for cell in row), fillvalue="")
        padded = [between.join(map(_padded, line, widths, table.heads)).rstrip() for line in lines]
        shown.append("\n".join(padded[::step]))
    return shown


def _cells(table: TextTable) -> list[Sequence[str]]:
    return [[head.text for head in table.heads], *table.rows]


def _padded(text: str, width: int, head: TableHead) -> str:
    blanks = " " * (width - terminal_columns(text))
    return blanks + text if head.is_number else text + blanks


def _layout(table: TextTable, width: int | None) -> tuple[str, list[int]]:
    """Return what is between columns, and their widths: texts, the widest ones first, are broken if they have to."""
    columns = [[line for cell in column for line in cell.split("\n")] for column in zip(*_cells(table), strict=True)]
    widths = [max(map(terminal_columns, column)) for column in columns]
    least = [*widths]
    for place, head in enumerate(table.heads):
        if not head.is_number:
            words = (word.strip() for line in columns[place] for word in BREAK.split(line))
            numbers = [terminal_columns(word) for word in words if NUMBER.match(word)]
            least[place] = max([min(LEAST, widths[place]), *numbers])
    for between in ("  ", " "):
        if width is None or _total(between, least) <= width:
            for _ in range(0 if width is None else _total(between, widths) - width):
                widths[max(range(len(widths)), key=lambda n: (widths[n] > least[n], widths[n]))] -= 1
            return between, widths
    return "  ", least


def _total(between: str, widths: Sequence[int]) -> int:
    return sum(widths) + len(between) * (len(widths) - 1)


def _broken(cell: str, width: int, head: TableHead) -> list[str]:
    """Return a cell in lines: texts of at most this width, broken between words if possible; no number is broken."""
    if head.is_number:
        return cell.split("\n")
    lines = as_text(cell, width).split("\n")
    if all(terminal_columns(line) <= width for line in lines):
        return lines
    from rich.cells import chop_cells

    return [part for line in lines for part in ([line] if NUMBER.match(line) else chop_cells(line, width))]


def _fitting(table: TextTable, width: int | None) -> list[TextTable]:
    """Return a table or, if it does not fit into the width, some with its first texts and a part of what is else."""
    between, widths = _layout(table, width)
    if width is None or _total(between, widths) <= width:
        return [table]
    texts = [place for place, head in enumerate(table.heads) if not head.is_number]
    texts = [place for number, place in enumerate(texts) if place == texts[0] + number]  # those that stand together
    groups = [[*texts]]
    for place in (place for place in range(len(widths)) if place not in texts):
        if len(groups[-1]) > len(texts) and _total(between, [widths[n] for n in (*groups[-1], place)]) > width:
            groups.append([*texts])
        groups[-1].append(place)
    return [
        TextTable([table.heads[n] for n in sorted(group)], [[row[n] for n in sorted(group)] for row in table.rows])
        for group in groups
    ]


def as_markdown(part: Part) -> str:
    """Return a table in Markdown, or paragraphs."""
    if isinstance(part, str):
        return part.replace("\n", "\n\n")
    rule = ["---:" if head.is_number else "---" for head in part.heads]
    cells = [[head.line for head in part.heads], *part.rows]
    head, *rows = (f"| {' | '.join(map(_markdown_cell, row))} |" for row in cells)
    title = [f"### {in_markdown(part.title)}", ""] if part.title else []
    lines = [*title, head, f"| {' | '.join(rule)} |", *rows]
    return "\n\n".join(["\n".join(lines), *part.notes])


def _markdown_cell(cell: str) -> str:
    return (cell.replace("|", r"\|") if isinstance(cell, Markdown) else in_markdown(cell)).replace("\n", " ")


def in_markdown(text: str) -> str:
    """Return text for Markdown, without characters that have a meaning there."""
    return re.sub(r"([\\`*_\[\]<>|$])", r"\\\1", text)


def as_latex(part: Part) -> str:
    r"""Return a table in LaTeX, which needs ``\usepackage{booktabs}``; paragraphs as comments."""
    if isinstance(part, str):
        return "\n".join(f"% {line}" for line in part.split("\n"))
    cells = [[head.line for head in part.heads], *part.rows]
    head, *rows = (" & ".join(map(in_latex, row)) + r" \\" for row in cells)
    kinds = "".join("r" if head.is_number else "l" for head in part.heads)
    lines = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*([f"% {part.title}"] if part.title else []), *lines, *(f"% {note}" for note in part.notes)])


def in_latex(text: str) -> str:
    """Return text for LaTeX, without characters that have a meaning there, on one line."""
    return text.translate(_LATEX)


def as_html(*parts: Part) -> str:
    """Return tables and paragraphs for notebooks."""
    from html import escape  # which no text needs

    written = []
    for part in parts:
        if isinstance(part, str):
            written += [f"<p>{escape(line)}</p>" for line in part.split("\n")]
        else:
            written += [as_html(part.title)] if part.title else []
            written.append(html_table([head.text for head in part.heads], part.rows))
            written += map(as_html, part.notes)
    return "".join(written)


def write_csv(pieces: Iterable[Mapping[str, Sequence[Any]]], stream: Writable) -> None:
    """Write the columns of a table as CSV, some rows at a time; None is an empty cell.

    Spreadsheets take all texts for text: what begins as a formula gets an apostrophe before it.
    """
    writer = csv.writer(stream, lineterminator="\n")
    for number, columns in enumerate(pieces):
        if number == 0:
            writer.writerow(map(harmless, columns))
        writer.writerows(zip(*([harmless(value) for value in values] for values in columns.values()), strict=True))


def harmless(value: Any) -> Any:
    """Return a value as a cell that spreadsheets do not take for a formula, see :func:`write_csv`."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def write_json_lines(pieces: Iterable[Mapping[str, Sequence[Any]]], stream: Writable) -> None:
    """Write the columns of a table as JSON lines, some rows at a time; NaN and None are null."""
    for columns in pieces:
        fields = {f"field_{number}": name for number, name in enumerate(columns)}  # names may be no identifiers
        row = msgspec.defstruct("Row", [*fields], rename=fields)
        stream.write(msgspec.json.Encoder().encode_lines(list(map(row, *columns.values()))).decode())
