"""Phrases about variants, and plain text in lines, for the results of identify and explain."""

from __future__ import annotations

import math
import sys
import textwrap
from typing import TYPE_CHECKING, Any

from bleukit.framework import yaml_document
from bleukit.framework.options import Component
from bleukit.framework.plain import plain

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

_NAMES = {"lowercase": "case"}
_VALUES: dict[str, dict[Any, str]] = {
    "lowercase": {False: "kept", True: "ignored", "ascii": "of A to Z ignored"},
    "effective_order": {False: "no", True: "yes"},
}


_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": "$<$", ">": "$>$", "±": r"$\pm$", "–": "--", "|": r"\textbar{}", "\n": " "}
)


def as_yaml(value: Any) -> str:
    """Return the value of a key on one line of YAML, as in a variant file or after --set."""
    return yaml_document.dump_inline(len(value) if isinstance(value, tuple) and is_uniform(value) else plain(value))


def is_uniform(weights: Sequence[float]) -> bool:
    """Return whether weights are equal and sum to 1, so that their number describes them."""
    return tuple(weights) == (1 / len(weights),) * len(weights)


def key_name(key: str, values: Sequence[Any]) -> str:
    """Return the name of a key in front of some of its values: "case", "n-grams up to"."""
    if key == "weights" and values and all(map(is_uniform, values)):
        return "n-grams up to"
    return _NAMES.get(key, key.replace("_", " "))


def value_name(key: str, value: Any) -> str:
    """Return the value of a key in words, and components as in signatures: "kept", "add-k(k=1.0)"."""
    if key in _VALUES:
        return _VALUES[key][value]
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Component) and value.options:
        options = ",".join(f"{name}={as_yaml(option)}" for name, option in value.options.items())
        return f"{value.name}({options})"
    return as_yaml(value)


def setting(key: str, value: Any) -> str:
    """Return a phrase for a key and its value: "tokenizer intl", "n-grams up to 4", "case ignored"."""
    if key == "effective_order":
        return "effective order" if value else "no effective order"
    return f"{key_name(key, [value])} {value_name(key, value)}"


def signed(points: float) -> str:
    """Return a difference in points with its sign: "+1.2345", "0" or "nan"."""
    if not points or math.isnan(points):
        return f"{points:g}"
    return f"{points:+.4f}"


def listed(items: Sequence[str], conjunction: str = "and") -> str:
    """Join items as in a sentence: "a, b and c"."""
    *before, last = items or [""]
    return f"{', '.join(before)} {conjunction} {last}" if before else last


def wrapped_lines(text: str, width: int | None, *, first: str = "") -> list[str]:
    """Wrap text between words; ``first`` begins the first line, as many spaces all others. No width: one line."""
    return textwrap.wrap(
        text,
        sys.maxsize if width is None else width,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]


def aligned_lines(rows: Sequence[Sequence[str]], numbers: Container[int] = (), between: str = "  ") -> list[str]:
    """Return the rows of a table as lines with aligned columns; those whose index is in ``numbers`` to the right.

    ``between`` stands between columns.
    """
    widths = [max(map(terminal_columns, cells)) for cells in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        blanks = [" " * (width - terminal_columns(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = [blanks[place] + cell if place in numbers else cell + blanks[place] for place, cell in enumerate(row)]
        lines.append(between.join(cells).rstrip())
    return lines


def terminal_columns(text: str) -> int:
    """Return the width of a text in a terminal, where the characters of some scripts are two columns wide."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def latex_escaped(text: str) -> str:
    """Return text for LaTeX, without characters that have a meaning there, on one line."""
    return text.translate(_LATEX)
