"""Pages for the results of :func:`bleukit.explain` and :func:`bleukit.identify`."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from bleukit.bleu.keys_in_words import key_name, value_name
from bleukit.explaining.explanation import Explanation
from bleukit.framework.errors import InputTypeError, shown
from bleukit.framework.version import __version__
from bleukit.identifying.identification import Identification
from bleukit.reporting.page import filled

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleukit.identifying.procedures import Procedure
    from bleukit.reporting.page import Page


def page(result: Explanation | Identification, *, command: Callable[[Procedure], str] | None = None) -> Page:
    """Return a page that shows the result of :func:`bleukit.explain` or :func:`bleukit.identify`.

    ``command``, if given, returns the command line of a procedure. Raises InputTypeError for
    other results.
    """
    if isinstance(result, Explanation):
        return filled(
            f"Why {result.first} and {result.second} differ", _of_explanation(result), without=_as_text(result)
        )
    if isinstance(result, Identification):
        return filled(
            f"How {result.figure} was computed", _of_identification(result, command), without=_as_text(result)
        )
    raise InputTypeError(f"result: expected what bleukit.explain or bleukit.identify returns, got {shown(result)}")


def _as_text(result: Explanation | Identification) -> str:
    return f"<pre>{escape(str(result))}</pre>"


def _of_explanation(explanation: Explanation) -> dict[str, Any]:
    parts = [
        {
            "key": key_name(part.key, [part.first, part.second]),
            "first": value_name(part.key, part.first),
            "second": value_name(part.key, part.second),
            "points": part.points,
        }
        for part in explanation.parts
    ]
    return {"kind": "explanation", "version": __version__, **explanation.to_dict(), "parts": parts}


def _of_identification(identification: Identification, command: Callable[[Procedure], str] | None) -> dict[str, Any]:
    data = identification.to_dict()
    for answer, plain in zip(identification.answers, data["answers"], strict=True):
        for found, same in zip(answer.same_score, plain["same_score"], strict=True):
            same["command"] = command(found) if command else None
    return {
        "kind": "identification",
        "version": __version__,
        **data,
        "summary": identification.summary,
        "notes": identification.notes(),
    }
