"""Pages for the results of :mod:`bleukit.inspecting`: explanations and identifications."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from bleukit.errors import InputTypeError, shown
from bleukit.inspecting.explaining import Explanation
from bleukit.inspecting.identifying import MOST_SCORES, MOST_VALUES, Identification
from bleukit.inspecting.phrases import key_name, setting, value_name
from bleukit.reporting.page import filled
from bleukit.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleukit.inspecting.identifying import CandidateVariant, SameScore
    from bleukit.reporting.page import Page


def page(result: Explanation | Identification, *, command: Callable[[CandidateVariant], str] | None = None) -> Page:
    """Return a page that shows the result of :func:`bleukit.explain` or :func:`bleukit.identify`.

    ``command``, if given, returns the command line that scores with a variant. Raises InputTypeError for other results.
    """
    if isinstance(result, Explanation):
        return filled(
            f"Why {result.first} and {result.second} differ", _of_explanation(result), without=_as_text(result)
        )
    if isinstance(result, Identification):
        return filled(
            f"Which variants give {result.figure.text}", _of_identification(result, command), without=_as_text(result)
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


def _of_identification(
    identification: Identification, command: Callable[[CandidateVariant], str] | None
) -> dict[str, Any]:
    def plain_candidate(variant: CandidateVariant) -> dict[str, Any]:
        return {
            "text": str(variant),
            "variant": variant.to_dict()["variant"],
            "command": command(variant) if command else None,
        }

    def plain_group(same: SameScore) -> dict[str, Any]:
        return {
            "value": same.value,
            "scale": same.scale,
            "number": len(same.named) + same.unnamed,  # equal variants have a name each
            "named": list(map(plain_candidate, same.named)),
            "mixtures": list(map(plain_candidate, same.mixtures)),
            "possible": [setting(key, values) for key, values in same.possible.items() if len(values) <= MOST_VALUES],
        }

    return {
        "kind": "identification",
        "version": __version__,
        "figure": str(identification.figure),
        "tried": identification.tried,
        "found": identification.found,
        "scores": identification.scores,
        "decimals": identification.decimals,
        "groups": list(map(plain_group, identification.groups)),
        "closest": {**plain_candidate(identification.closest), "value": identification.closest.value},
        "otherwise": [{"text": str(other), "value": other.value} for other in identification.otherwise[:MOST_SCORES]],
        "left_out": dict(identification.left_out),
    }
