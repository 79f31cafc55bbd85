"""Tables in LaTeX that need no package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.inspecting.phrases import latex_escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleukit.comparing.tables import ResultTable

RULES = "".join(rf"\providecommand{{\{rule}}}{{\hline}}" for rule in ("toprule", "midrule", "bottomrule"))
"""What a table begins with, so that it needs no package."""

LAST_OF_LATIN, PUNCTUATION = 0x17F, "–…"
"""The last letter that pdfLaTeX can print without a package, and the other characters that tables hold."""


def packages(made: Sequence[ResultTable]) -> str:
    """Return what a document needs for some tables."""
    text = "".join(cell for table in made for row in table.rows for cell in row)
    needed = r"needs no package; \usepackage{booktabs} draws better lines"
    is_latin = all(ord(character) <= LAST_OF_LATIN or character in PUNCTUATION for character in text)
    return needed if is_latin else f"{needed}; characters of other scripts need LuaLaTeX or XeLaTeX, and a font"


def table_as_latex(table: ResultTable) -> str:
    """Return a table in LaTeX."""
    kinds = "".join("r" if place in table.numbers else "l" for place in range(len(table.heads)))
    body = [_line(map(latex_escaped, row)) for row in table.rows]
    lines = [r"\toprule", _line(map(_head, table.heads)), r"\midrule", *body, r"\bottomrule"]
    tabular = "\n".join([rf"\begin{{tabular}}{{{kinds}}}", *lines, r"\end{tabular}"])
    title = f"% {table.title}\n" if table.title else ""
    return f"{title}{RULES}\n{tabular}"


def _line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _head(head: str) -> str:
    lines = r" \\ ".join(map(latex_escaped, head.split("\n")))
    return rf"\shortstack{{{lines}}}" if "\n" in head else lines
