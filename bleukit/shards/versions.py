"""Versions of files of statistics: what was written by older versions of bleukit is read as what is written now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_NAME = "bleukit statistics "


def _from_1(header: dict[str, Any]) -> dict[str, Any]:
    """Version 1 called the variant a recipe for some time, when all variants had the standard brevity penalty."""
    if "recipe" not in header:
        return header
    variant = header["recipe"]
    signature = str(header.get("signature", ""))
    if "|brevity_penalty:" not in signature:
        signature = signature.replace("|weights:", "|brevity_penalty:standard|weights:")
    others = {key: value for key, value in header.items() if key != "recipe"}
    return {**others, "signature": signature, "variant": variant}


_UPGRADES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {"1": _from_1}
"""What makes a header of a version one of the next."""

FORMAT = f"{_NAME}{len(_UPGRADES) + 1}"


def upgraded(header: dict[str, Any]) -> dict[str, Any] | None:
    """Return a header of any version as one of today; None if its version is not known.

    Raises ValueError if it is no header of statistics.
    """
    name, _, version = str(header.get("format")).rpartition(" ")
    if f"{name} " != _NAME:
        raise ValueError(f"expected the key 'format' with {FORMAT!r}")
    while version in _UPGRADES:
        header = _UPGRADES[version](header)
        version = str(int(version) + 1)
    return {**header, "format": FORMAT} if f"{_NAME}{version}" == FORMAT else None
