"""Pages of what :mod:`bleukit.inspecting` found: why two variants differ, which variants give a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.errors import InputTypeError, shown
from bleukit.inspecting.explaining import Explanation
from bleukit.inspecting.identifying import MOST_VALUES, Identification
from bleukit.inspecting.phrases import key_name, setting, value_name
from bleukit.reporting.page import filled
from bleukit.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleukit.inspecting.identifying import CandidateVariant, SameScore
    from bleukit.reporting.page import Page


def page(result: Explanation | Identification, *, command: Callable[[CandidateVariant], str] | None = None) -> Page:
    """Return a page that shows what :func:`bleukit.explain` or :func:`bleukit.identify` found.

    ``command`` returns the command line that scores with a candidate, if there is one to be shown.
    """
    if isinstance(result, Explanation):
        return filled(f"Why {result.first} and {result.second} differ", _of_explanation(result))
    if isinstance(result, Identification):
        return filled(f"Which variants give {result.figure.text}", _of_identification(result, command))
    raise InputTypeError(f"result: expected what bleukit.explain or bleukit.identify returns, got {shown(result)}")


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


def _of_identification(found: Identification, command: Callable[[CandidateVariant], str] | None) -> dict[str, Any]:
    def candidate(each: CandidateVariant) -> dict[str, Any]:
        return {"text": str(each), "variant": each.to_dict()["variant"], "command": command(each) if command else None}

    def group(each: SameScore) -> dict[str, Any]:
        return {
            "value": each.value,
            "scale": each.scale,
            "number": each.number,
            "named": list(map(candidate, each.named)),
            "mixtures": list(map(candidate, each.mixtures)),
            "possible": [setting(key, values) for key, values in each.possible.items() if len(values) <= MOST_VALUES],
        }

    return {
        "kind": "identification",
        "version": __version__,
        "figure": str(found.figure),
        "tried": found.tried,
        "found": found.found,
        "scores": found.scores,
        "decimals": found.decimals,
        "groups": list(map(group, found.groups)),
        "closest": {**candidate(found.closest), "value": found.closest.value},
        "left_out": dict(found.left_out),
    }
