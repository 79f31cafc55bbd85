"""The keys of variants and their values, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.framework import yaml_document
from bleukit.framework.options import Component
from bleukit.framework.plain import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMES = {"lowercase": "case"}
_VALUES: dict[str, dict[Any, str]] = {
    "lowercase": {False: "kept", True: "ignored", "ascii": "of A to Z ignored"},
    "effective_order": {False: "no", True: "yes"},
}


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
