"""The JSON Schema of variant files, for editors and other programs that check them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from bleukit.bleu.hookspecs import COMPONENT_HOOKS, VARIANT
from bleukit.bleu.variant import MAX_ORDER, Variant
from bleukit.framework.creating import options_of
from bleukit.framework.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bleukit.framework.registry import Registered, Registry


def variant_schema(registry: Registry) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a variant's YAML file.

    What is registered is an example, because plugins of the variant may bring others; the options of the components
    are described.
    """
    variant = msgspec.json.schema(Variant, schema_hook=lambda _: {"anyOf": _choices({})})["$defs"]["Variant"]
    properties = {
        "variant": {"type": "string", "description": "the named variant to start from"},
        **variant["properties"],
    }
    for key, schema in properties.items():
        schema.pop("default", None)  # what a file leaves out comes from the variant it starts from
        if key in (*COMPONENT_HOOKS, VARIANT):
            known = registry.of_kind(key)
            schema["examples"] = sorted(known)
            if key != VARIANT:
                schema["anyOf"] = _choices(known)
    described = properties["weights"].pop("description")
    number = {"type": "integer", "minimum": 1, "maximum": MAX_ORDER}
    properties["weights"] = {"description": described, "anyOf": [properties["weights"], number]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "BLEU variant",
        "description": "One BLEU variant, as bleukit reads it from a YAML file",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _choices(known: Mapping[str, Registered]) -> list[dict[str, Any]]:
    """Return the JSON Schemas of what chooses a component: its name, or a mapping of its name and options."""
    unknown = {"type": "string", "not": {"enum": sorted(known)}}
    choices: list[dict[str, Any]] = [
        {"type": "string"},
        {"type": "object", "properties": {"name": unknown}, "required": ["name"]},
    ]
    for name in sorted(known):
        try:
            accepted = options_of(known[name].value)
        except PluginError:  # its module does not import: to choose it is an error that says so
            continue
        options = {option: _schema(parameter.annotation) for option, parameter in accepted.by_name.items()}
        mapping = {
            "type": "object",
            "properties": {"name": {"const": name}, **options},
            "required": ["name", *accepted.required],
            "additionalProperties": accepted.takes_any,
        }
        choices.append(mapping)
    return choices


def _schema(annotation: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type; for a type that is not plain data, the one that accepts anything."""
    try:
        schema = msgspec.json.schema(annotation, schema_hook=lambda _: {})
    except Exception:  # noqa: BLE001 - an annotation may be anything, as in bleukit.framework.creating
        return {}
    return {} if "$defs" in schema else schema
