"""The page of the keys of a variant, from their JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.loading import registry
from bleukit.loading.manager import COMPONENT_HOOKS, VARIANT
from bleukit.loading.variant_schema import variant_schema

if TYPE_CHECKING:
    from _extension.pages import Pages


def write(pages: Pages) -> None:
    """Write the page."""
    offered = registry.installed().registered
    known = {kind: offered[kind] for kind in (*COMPONENT_HOOKS, VARIANT)}
    pages.write("reference/variant-keys.md", "keys.md", properties=variant_schema(known)["properties"])
