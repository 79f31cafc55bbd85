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
from bleukit.writing.table import Markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol, TypeAlias

    from bleukit.writing.table import TableHead, TextTable

    class Writable(Protocol):
        """What text is written to."""

        def write(self, text: str, /) -> object:
            """Write text."""

    Part: TypeAlias = str | TextTable
    """A table, or paragraphs: one a line."""

BETWEEN = "  "
"""What is between columns, unless one blank is all that fits."""

LONGEST_NAME = 40
"""The width to which the names in the first column are broken between words."""

LEAST = 8
"""The least width to which other columns of texts are broken."""

PACKAGE = r"% needs \usepackage{booktabs}"
"""What a document in LaTeX needs for the tables."""

_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": "$<$", ">": "$>$", "±": r"$\pm$", "–": "--", "|": r"\textbar{}", "\n": " "}
)


def printed(form: str, parts: Iterable[Part], width: int | None = None, *, ruled: bool = False) -> str:
    """Return tables and paragraphs as "text", "markdown" or "latex"; in LaTeX, paragraphs are comments.

    Text is as wide as ``width``, None for any, and has a rule below the heads of tables if it is ``ruled``.
    """
    if form == "text":
        return "\n\n".join("\n".join(_text_lines(part, width, ruled=ruled)) for part in parts)
    if form == "markdown":
        return "\n\n".join(as_markdown(part) for part in parts)
    return "\n\n".join([PACKAGE, *(as_latex(part) for part in parts)])


def _text_lines(part: Part, width: int | None, *, ruled: bool) -> list[str]:
    if isinstance(part, str):
        return paragraphs(part, width)
    return text_lines(part, width, ruled=ruled)


def paragraphs(text: str, width: int | None) -> list[str]:
    """Return the lines of some paragraphs, one a line, that are wrapped."""
    return [line for paragraph in text.split("\n") for line in wrapped_lines(paragraph, width)]


def text_lines(table: TextTable, width: int | None = None, *, ruled: bool = False) -> list[str]:
    """Return a table as lines of text, with its title and its notes.

    If it is too wide, texts are broken, and columns are closer; names that still do not fit stand on lines of their
    own, and columns that do not fit follow as a table below, with the same names.
    """
    lines = [*wrapped_lines(table.title, width), ""] if table.title else []
    for number, part in enumerate(_fitting(table, width)):
        head, *rows = aligned(part, width)
        rule = ["─" * max(terminal_columns(line) for row in (head, *rows) for line in row.split("\n"))] if ruled else []
        lines += [*([""] if number else []), head, *rule, *rows]
    return [*lines, *(["", *paragraphs("\n".join(table.notes), width)] if table.notes else [])]


def aligned(table: TextTable, width: int | None = None) -> list[str]:
    """Return the head of a table and its rows, each as aligned lines of text."""
    between, widths = _layout(table, width)
    most = LONGEST_NAME if width is None else width - _total(between, [0, *widths[1:]])
    has_room = _keys(table.heads) > 1 or widths[0] <= most
    names, rows = [], []
    for row in _cells(table):
        lines = [
            cell.split("\n") if head.is_number else _broken(cell, of_column)
            for cell, of_column, head in zip(row, widths, table.heads, strict=True)
        ]
        names.append("" if has_room else "\n".join([*paragraphs(row[0], width), ""]))
        rows.append(lines if has_room else [[""], *lines[1:]])
    widths = [max(terminal_columns(line) for cell in column for line in cell) for column in zip(*rows, strict=True)]
    lines_of_rows = [_lines_of_row(row, widths, table.heads, above=place == 0) for place, row in enumerate(rows)]
    shown = ["\n".join(between.join(line).rstrip() for line in lines) for lines in lines_of_rows]
    return list(map("".join, zip(names, shown, strict=True)))


def _cells(table: TextTable) -> list[Sequence[str]]:
    return [[head.text for head in table.heads], *table.rows]


def _lines_of_row(
    cells: Sequence[Sequence[str]], widths: Sequence[int], heads: Sequence[TableHead], *, above: bool
) -> list[list[str]]:
    """Return the lines of a row whose cells have several, as aligned cells; lines are added below, or ``above``."""
    step = -1 if above else 1
    lines = []
    for parts in zip_longest(*(cell[::step] for cell in cells), fillvalue=""):
        blanks = (" " * (width - terminal_columns(part)) for part, width in zip(parts, widths, strict=True))
        lines.append(
            [
                blank + part if head.is_number else part + blank
                for blank, part, head in zip(blanks, parts, heads, strict=True)
            ]
        )
    return lines[::step]


def _keys(heads: Sequence[TableHead]) -> int:
    """Return how many of the first columns say what a row is about: those up to the first texts, and these."""
    text = next((place for place, head in enumerate(heads) if not head.is_number), 0)
    return next((place for place, head in enumerate(heads) if head.is_number and place > text), len(heads))


def _total(between: str, widths: Sequence[int]) -> int:
    return sum(widths) + len(between) * (len(widths) - 1)


def _layout(table: TextTable, width: int | None) -> tuple[str, list[int]]:
    """Return what is between columns, and their widths: with fewer blanks, and with texts that are broken, if needed.

    The names of a single first column are only broken between words, and are not wider than LONGEST_NAME.
    """
    columns = [[line for cell in column for line in cell.split("\n")] for column in zip(*_cells(table), strict=True)]
    widths = [max(map(terminal_columns, column)) for column in columns]
    least = [*widths]
    has_names = _keys(table.heads) == 1
    for place, head in enumerate(table.heads):
        if not head.is_number:
            is_name = has_names and place == 0
            words = [word.strip() for line in columns[place] for word in BREAK.split(line)]
            whole = [terminal_columns(word) for word in words if is_name or NUMBER.match(word)]
            least[place] = max([0 if is_name else min(LEAST, widths[place]), *whole])
    if has_names:
        widths[0] = min(widths[0], max(least[0], LONGEST_NAME))
    for between in (BETWEEN, " "):
        if width is None or _total(between, least) <= width:
            return between, _shrunk(widths, least, 0 if width is None else _total(between, widths) - width)
    return BETWEEN, least


def _shrunk(widths: Sequence[int], least: Sequence[int], excess: int) -> list[int]:
    """Return widths whose sum is smaller; the greatest ones are reduced."""
    widths = [*widths]
    for _ in range(excess):
        widest = max(range(len(widths)), key=lambda place: (widths[place] > least[place], widths[place]))
        widths[widest] -= 1
    return widths


def _broken(cell: str, width: int) -> list[str]:
    """Return a text in lines of at most this width, broken between words if possible; no number is broken."""
    lines = paragraphs(cell, width)
    if all(terminal_columns(line) <= width for line in lines):
        return lines
    from rich.cells import chop_cells

    return [part for line in lines for part in ([line] if NUMBER.match(line) else chop_cells(line, width))]


def _fitting(table: TextTable, width: int | None) -> list[TextTable]:
    """Return a table or, if it does not fit into the width, some, which share the columns that say what a row is about.

    If there is one such column, its names can stand on lines of their own.
    """
    keys = _keys(table.heads)
    between, widths = _layout(table, width)
    before = _total(between, widths[:keys])
    if width is None or _total(between, widths) <= width or (keys == 1 and _total(between, widths) - before <= width):
        return [table]
    if keys == 1 and before + len(between) + max(widths[1:]) > width:
        before = 0
    groups: list[list[int]] = []
    used = width
    for place in range(keys, len(widths)):
        needed = len(between) + widths[place]
        if not groups or used + needed > width:
            groups.append([*range(keys)])
            used = before
        groups[-1].append(place)
        used += needed
    return [
        table._replace(
            heads=[table.heads[place] for place in group], rows=[[row[place] for place in group] for row in table.rows]
        )
        for group in groups or [[*range(keys)]]
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
