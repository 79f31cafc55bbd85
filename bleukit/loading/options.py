"""A component's options: the keyword arguments of its factory, checked against its signature and annotations."""

from __future__ import annotations

import inspect
import sys
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import msgspec

from bleukit.errors import VariantError, in_words, near_misses, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def bind(factory: Callable[..., Any], given: Mapping[str, Any], kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return all options a factory is called with, defaults included, and those of them that are not defaults.

    Raises VariantError, with the key under ``kind``, for an option that is unknown, missing or of the wrong type.
    """
    accepted, defaults, takes_any = _parameters(factory)
    chosen = {}
    for name, value in given.items():
        if name in accepted:
            chosen[name] = _converted(value, _annotation(accepted[name], factory), (kind, name))
        elif takes_any:
            chosen[name] = value
        else:
            raise VariantError(f"unknown option; {near_misses(name, list(accepted))}", (kind, name))
    options = defaults | chosen
    for name, parameter in accepted.items():
        if name not in options:
            raise VariantError(f"needs the option {name!r} ({parameter})", (kind,))
    own = {name: value for name, value in chosen.items() if name not in defaults or value != defaults[name]}
    return options, own


@lru_cache(maxsize=1024)
def required(factory: Callable[..., Any]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the parameters of a factory that have no default: those given by position only, and possible options."""
    parameters = [p for p in _signature(factory).parameters.values() if p.default is p.empty]
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    by_position = inspect.Parameter.POSITIONAL_ONLY
    return tuple(p.name for p in parameters if p.kind is by_position), tuple(
        p.name for p in parameters if p.kind in by_name
    )


def json_schema(factory: Callable[..., Any]) -> dict[str, Any]:
    """Return the JSON Schema of the mapping of a factory's options."""
    accepted, defaults, takes_any = _parameters(factory)
    return {
        "type": "object",
        "properties": {name: _schema(_annotation(parameter, factory)) for name, parameter in accepted.items()},
        "required": [name for name in accepted if name not in defaults],
        "additionalProperties": takes_any,
    }


def _schema(annotation: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type, of anything for one that is no plain data."""
    try:
        schema = msgspec.json.schema(annotation, schema_hook=lambda _: {})
    except Exception:  # noqa: BLE001 - an annotation may be anything, as in _converted
        return {}
    return {} if "$defs" in schema else schema


def _parameters(factory: Callable[..., Any]) -> tuple[dict[str, inspect.Parameter], dict[str, Any], bool]:
    """Return the options that a factory accepts, the defaults of those that have one, whether it takes any other."""
    accepted, defaults, made, takes_any = _declared(factory)
    return accepted, defaults | {name: make() for name, make in made.items()}, takes_any


@lru_cache(maxsize=1024)
def _declared(
    factory: Callable[..., Any],
) -> tuple[dict[str, inspect.Parameter], dict[str, Any], dict[str, Callable[[], Any]], bool]:
    """Return the options that a factory accepts, default values, what makes other defaults, if it takes any option."""
    signature = _signature(factory)
    accepted = {
        name: parameter
        for name, parameter in signature.parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in signature.parameters.values())
    defaults = {name: p.default for name, p in accepted.items() if p.default is not p.empty}
    made: dict[str, Callable[[], Any]] = {
        field.name: field.default_factory
        for field in (fields(factory) if is_dataclass(factory) else ())
        if field.default_factory is not MISSING and field.name in defaults
    }
    return accepted, defaults, made, takes_any


def _signature(factory: Callable[..., Any]) -> inspect.Signature:
    own = {"__init__", "__new__", "__signature__"}
    if type(factory) is type and not any(own & vars(kind).keys() for kind in factory.__mro__[:-1]):
        return inspect.Signature()  # which inspect finds, too, but by a parser: that takes milliseconds
    try:
        return inspect.signature(factory)
    except (TypeError, ValueError):  # built-in callables without a signature take no options
        return inspect.Signature()


def _annotation(parameter: inspect.Parameter, factory: Callable[..., Any]) -> Any:
    """Return the type of an option; Any if it is not annotated, or known to type checkers only."""
    annotation = parameter.annotation
    if isinstance(annotation, str):
        names = vars(sys.modules.get(factory.__module__, sys.modules[__name__]))
        try:
            return eval(annotation, dict(names))  # noqa: S307 - the plugin's own annotation, as typing.get_type_hints does
        except Exception:  # noqa: BLE001
            return Any
    return Any if annotation is parameter.empty else annotation


def _converted(value: Any, annotation: Any, key: tuple[str, str]) -> Any:
    try:
        return msgspec.convert(value, annotation, dec_hook=_by_constructor)
    except msgspec.ValidationError as error:
        problem, way = in_words(error)
        choices = get_args(annotation) if get_origin(annotation) is Literal else ()
        if isinstance(annotation, type) and issubclass(annotation, Enum):
            choices = tuple(member.value for member in annotation)
        if choices:
            problem = f"expected {' or '.join(map(repr, choices))}"
        got = "" if ", got " in problem else f", got {shown(value)}"
        raise VariantError(problem + got, (*key, *way)) from error
    except Exception:  # noqa: BLE001 - an annotation beyond plain data: the factory must check the value itself
        return value


def _by_constructor(kind: type, value: Any) -> Any:
    """Make what YAML cannot write, such as a path, from what it can."""
    return value if isinstance(value, kind) else kind(value)
