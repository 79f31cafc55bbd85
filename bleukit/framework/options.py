"""The choice of a component or a metric by its name, with options; and the check of values by their types."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum, EnumMeta
from functools import reduce
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin

import msgspec

from bleukit.framework.errors import NAME, Key, VariantError, in_words, shown
from bleukit.framework.plain import plain

UNNAMED = "given-in-Python"
"""The name of a component that is a Python object which no name leads to, such as a lambda."""


class Component:
    """The choice of a component in a variant: its registered name, and the options it is created with. Immutable.

    ``python_object`` is the component, or a class whose instances without arguments are, if it was passed in Python.
    Its name is then where Python finds it, UNNAMED if there is no such place.
    """

    __slots__ = ("_shown", "name", "options", "python_object")

    name: str
    options: Mapping[str, Any]
    python_object: Callable[..., Any] | None
    _shown: str

    def __init__(
        self, name: str, options: Mapping[str, Any] | None = None, python_object: Callable[..., Any] | None = None
    ) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "options", MappingProxyType(dict(options or {})))
        object.__setattr__(self, "python_object", python_object)
        object.__setattr__(self, "_shown", f"Component({name!r}, {dict(sorted(self.options.items()))!r})")

    @classmethod
    def of_python(cls, python_object: Callable[..., Any]) -> Component:
        """Return the choice of a component that was passed in Python."""
        options = _frozen_fields(python_object)
        name = _place(python_object if options is None else type(python_object))
        return cls(name, options, python_object) if name else cls(UNNAMED, {}, python_object)

    @classmethod
    def from_yaml(cls, value: Any) -> Component:
        """Read a name, or a mapping of ``name`` and options, or take a callable. Raises ValueError for others."""
        if isinstance(value, cls):
            return value
        if callable(value):
            return cls.of_python(value)
        if isinstance(value, str):
            return cls(value)
        if isinstance(value, Mapping) and isinstance(value.get("name"), str) and all(isinstance(k, str) for k in value):
            return cls(value["name"], {key: plain(option) for key, option in value.items() if key != "name"})
        raise ValueError(f"expected a name, or a mapping with `name` and options, got {shown(value)}")

    def to_yaml(self) -> str | dict[str, Any]:
        """Return the shortest form that reads back as an equal choice."""
        return {"name": self.name, **self.options} if self.options else self.name

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError(f"a Component is immutable: {attribute!r} cannot be set")

    def __reduce__(self) -> tuple[type[Component], tuple[Any, ...]]:
        return Component, (self.name, dict(self.options), self.python_object)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Component) or self._shown != other._shown:
            return False
        with suppress(ValueError):  # of fields that are arrays, which do not say whether they are equal
            return self.python_object is other.python_object or bool(self.python_object == other.python_object)
        return False

    def __hash__(self) -> int:
        return hash(self._shown)

    def __repr__(self) -> str:
        return self._shown if self.python_object is None else f"Component.of_python({self.python_object!r})"


def _place(python_object: Any) -> str:
    """Return ``module.name`` if Python finds the object there, in any process; else nothing."""
    module, name = (getattr(python_object, key, None) for key in ("__module__", "__qualname__"))
    module = module or "builtins"
    place = f"{module}.{name}"
    if module == "__main__" or not isinstance(name, str) or not NAME.fullmatch(place):
        return ""
    try:
        return place if reduce(getattr, name.split("."), sys.modules[module]) is python_object else ""
    except (KeyError, AttributeError):
        return ""


def _frozen_fields(python_object: object) -> dict[str, Any] | None:
    """Return the fields of a frozen dataclass if they are plain data, which tell it from others of its class."""
    if not is_dataclass(python_object) or isinstance(python_object, type):
        return None
    values = {field.name: getattr(python_object, field.name) for field in fields(python_object)}
    is_frozen: bool = python_object.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return values if is_frozen and all(type(value) in {bool, int, float, str} for value in values.values()) else None


def checked(value: Any, expected: Any, key: Key = (), choices: Mapping[Key, str] = MappingProxyType({})) -> Any:
    """Convert plain data to a type. Raises VariantError, with the key, if it does not fit.

    ``choices`` says what some keys accept, if their types do not say it well.
    """
    try:
        return msgspec.convert(value, expected, dec_hook=_made)
    except msgspec.ValidationError as error:
        problem, way = in_words(error)
        key = (*key, *way)
        for part in way:
            value = value[part]
        if key in choices:
            problem = f"expected {choices[key]}"
        elif listed := _choices(expected):
            problem = f"expected {' or '.join(map(repr, listed))}"
        elif "matching regex" in problem:
            problem = "expected letters, digits and ._+-, beginning with a letter or digit"
        got = "" if ", got " in problem or "missing" in problem else f", got {shown(value)}"
        raise VariantError(problem + got, key) from error


def _choices(expected: Any) -> list[Any]:
    """Return the values that a type lists, none if it lists no values."""
    if isinstance(expected, EnumMeta):
        members: list[Enum] = [*expected]
        return [member.value for member in members]
    return [*get_args(expected)] if get_origin(expected) is Literal else []


def _made(kind: type, value: Any) -> Any:
    """Make what YAML cannot write, such as a path, from what it can."""
    if kind is Component:
        return Component.from_yaml(value)
    return value if isinstance(value, kind) else kind(value)
