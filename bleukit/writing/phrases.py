"""Plain text: differences with signs, lists as in a sentence, and lines that are as wide as a terminal."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBER = re.compile(r"[\[(<≤≥]*[-+]?\.?\d")
"""How a number begins, or several with signs between them."""

_SIGNED = r"[-+]?\.?\d"

BREAK = re.compile(
    rf"(?<! )(?= )(?!(?<=\d) (?:%|points\b|\({_SIGNED}|(?:to|±|/) {_SIGNED}))"
    rf"(?!(?:(?<=\d to)|(?<=\d [±/])|(?<= [<=≤≥])) {_SIGNED})"
)
"""Where a line can be broken: between words, but neither before the unit of a number nor within an interval."""

_SIGNATURE = re.compile(r" ?\S+\|[\w-]+:.*")
_FIELD = re.compile(r"(?<=\|)(?=[\w-]+:)")


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
    """Wrap text between words, and a signature at its end between fields; numbers stay with their units.

    ``first`` begins the first line, as many spaces all others; without it, other lines are indented if there is a
    signature. No width: one line.
    """
    text = re.sub(r"[\n\r\v\f]", " ", text.expandtabs())
    if width is None:
        return [(first + text).rstrip()]
    signature = _SIGNATURE.search(text)
    words = text[: signature.start()] if signature else text
    start, *others = [*BREAK.split(words), *(_FIELD.split(signature[0]) if signature else [])]
    indent = " " * (terminal_columns(first) or (2 if signature else 0))
    lines = [first + start]
    for piece in others:
        if lines[-1].strip() and terminal_columns(lines[-1]) + terminal_columns(piece) > width:
            lines.append(indent + piece.lstrip(" "))
        else:
            lines[-1] += piece
    return [line.rstrip() for line in lines]


def terminal_columns(text: str) -> int:
    """Return the width of a text in a terminal, where the characters of some scripts are two columns wide."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
