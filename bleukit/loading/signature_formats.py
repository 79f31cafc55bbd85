"""Signatures, bleukit's own and those of other tools: read into a variant, and written for one, by plugins' formats."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bleukit.errors import CannotExpressError, PluginError, VariantError
from bleukit.loading import creating, registry
from bleukit.loading.manager import SIGNATURE
from bleukit.loading.signature import BleukitSignature
from bleukit.offers import ReadSignature
from bleukit.variant import Component

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleukit.loading.creating import LoadedComponent
    from bleukit.variant import Variant


def read_signature(signature: str) -> ReadSignature:
    """Return the variant that a signature describes, and how many references it is for.

    The line that a command prints, ``signature …``, is read, too. Raises VariantError if no known tool writes such
    signatures, or its format cannot read this one.
    """
    signature = re.sub(r"^#?\s*signature:?\s+", "", signature.strip())
    signature = re.sub(r"\|\s+", "|", signature)  # as a terminal may have broken it
    own = BleukitSignature()(signature)
    if own:
        return own
    for loaded in _formats():
        found = loaded.call(signature)
        if isinstance(found, ReadSignature):
            return found
        if found is not None:
            raise PluginError(f"{loaded} returns {found!r:.60}, not bleukit.plugin.ReadSignature")
    known = ", ".join(["bleukit", *registry.installed().registered[SIGNATURE]])
    raise VariantError(f"is of no known tool: {signature!r:.60}; known: {known}", where="signature")


def written_signatures(variant: Variant, references: int | None) -> dict[str, str]:
    """Return the signature that each tool would write which can express the variant, by the name of the tool.

    ``references`` is how many each segment has, None if that varies.
    """
    signatures = {}
    for loaded in _formats():
        try:
            signatures[loaded.name] = loaded.call.write(variant, references)  # type: ignore[attr-defined]
        except CannotExpressError:  # noqa: PERF203
            continue
    return signatures


def _formats() -> Iterator[LoadedComponent]:
    installed = registry.installed()
    return (creating.create(installed, SIGNATURE, Component(name)) for name in installed.registered[SIGNATURE])
