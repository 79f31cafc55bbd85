"""Tables in LaTeX that need no package, and fit the lines and pages of an article with letters of 10 points."""

from __future__ import annotations

import re
from itertools import dropwhile, product, takewhile
from math import ceil
from typing import TYPE_CHECKING

from bleukit.inspecting.phrases import latex_escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.comparing.tables import ResultTable

RULES = "".join(rf"\providecommand{{\{rule}}}{{\hline}}" for rule in ("toprule", "midrule", "bottomrule"))
"""What a table begins with, so that it needs no package."""

LAST_OF_LATIN, PUNCTUATION = 0x17F, "–…"
"""The last letter that pdfLaTeX can print without a package, and the other characters that tables hold."""

LINE, WIDEST, BETWEEN = 330, 110, 12
"""The width of a line, of the widest column of texts, and of the space between two columns, in points.

A line has 345 points, but widths of texts are estimated.
"""

PAGE = 40
"""The number of lines that fit on a page."""

SIZES = {"": 1, r"\small": 0.93, r"\footnotesize": 0.86}
"""The sizes of letters, and how wide they are."""


def packages(made: Sequence[ResultTable]) -> str:
    """Return what a document needs for some tables."""
    text = "".join(cell for table in made for row in table.rows for cell in row)
    needed = r"needs no package; \usepackage{booktabs} draws better lines"
    is_latin = all(ord(character) <= LAST_OF_LATIN or character in PUNCTUATION for character in text)
    return needed if is_latin else f"{needed}; characters of other scripts need LuaLaTeX or XeLaTeX, and a font"


def table_as_latex(table: ResultTable) -> str:
    """Return a table in LaTeX, in smaller letters or in parts if it does not fit on a line, or on a page.

    Each part repeats the columns that say what a row is about. Texts that are too wide for a column have several lines.
    """
    of_sizes = {size: _columns(table, scale) for size, scale in SIZES.items()}
    size = next((size for size, columns in of_sizes.items() if len(columns) == 1), [*SIZES][-1])
    parts = [_tabular(table, rows, places, SIZES[size]) for rows, places in product(_pages(table), of_sizes[size])]
    before, after = (f"{{{size}\n", "\n\\par}") if size else ("", "")
    title = f"% {table.title}\n" if table.title else ""
    return f"{title}{RULES}\n{before}" + "\n\n\\medskip\n".join(parts) + after


def _columns(table: ResultTable, scale: float) -> list[list[int]]:
    """Return the columns of each part, as many as fit on a line."""
    widths = [_width_of_column(table, place, scale) + BETWEEN for place in range(len(table.heads))]
    keys = _keys(table)
    parts: list[set[int]] = [set()]
    for place in range(len(table.heads)):
        if parts[-1] - keys and sum(widths[other] for other in {*parts[-1], *keys, place}) > LINE:
            parts.append(set())
        parts[-1].add(place)
    return [sorted(part | keys) for part in parts]


def _keys(table: ResultTable) -> set[int]:
    """Return the columns that say what a row is about: the first texts that follow one another."""
    from_texts = dropwhile(table.numbers.__contains__, range(len(table.heads)))
    return {*takewhile(lambda place: place not in table.numbers, from_texts)}


def _pages(table: ResultTable) -> list[list[Sequence[str]]]:
    """Return the rows of each page."""
    pages: list[list[Sequence[str]]] = [[]]
    lines = 0
    for row in table.rows:
        height = max(ceil(_width(cell) / WIDEST) for place, cell in enumerate(row) if place not in table.numbers)
        if lines + height > PAGE:
            pages.append([])
            lines = 0
        pages[-1].append(row)
        lines += height
    return pages


def _tabular(table: ResultTable, rows: Sequence[Sequence[str]], columns: Sequence[int], scale: float) -> str:
    def line(cells: Sequence[str]) -> str:
        return " & ".join(cells) + r" \\"

    def head(place: int) -> str:
        lines = r" \\ ".join(map(latex_escaped, table.heads[place].split("\n")))
        return rf"\shortstack{{{lines}}}" if "\n" in table.heads[place] else lines

    def cell(row: Sequence[str], place: int) -> str:
        text = latex_escaped(row[place])
        return re.sub(r"(\\_|(?<=\w)-(?=\w))", r"\1\\allowbreak ", text) if place in wrapped else text

    wrapped = [place for place in columns if _is_wrapped(table, place)]
    kinds = (
        "r" if place in table.numbers else f"p{{{scale * WIDEST:.0f}pt}}" if place in wrapped else "l"
        for place in columns
    )
    body = [line([cell(row, place) for place in columns]) for row in rows]
    lines = [r"\toprule", line([head(place) for place in columns]), r"\midrule", *body, r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{''.join(kinds)}}}", *lines, r"\end{tabular}"])


def _is_wrapped(table: ResultTable, place: int) -> bool:
    return place not in table.numbers and max(_width(row[place]) for row in table.rows) > WIDEST


def _width_of_column(table: ResultTable, place: int, scale: float) -> float:
    if _is_wrapped(table, place):
        return scale * WIDEST
    lines = [*table.heads[place].split("\n"), *(row[place] for row in table.rows)]
    return scale * max(map(_width, lines))


def _width(text: str) -> float:
    """Return about how wide a text is in Computer Modern, in points."""
    return sum(
        10 if ord(character) > LAST_OF_LATIN and character not in PUNCTUATION
        else 7.5 if character in "mw%+±" or character.isupper()
        else 3.5 if character in " .,:;-()|ijlt"
        else 5
        for character in text
    )  # fmt: skip
