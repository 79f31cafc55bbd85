"""A component's options: the keyword arguments of its factory, checked against its signature and annotations.

:func:`variant_schema` describes them, and the other keys of a variant file, to programs that check such files.
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import msgspec

from bleukit.errors import PluginError, VariantError, in_words, near_misses, shown
from bleukit.variant import MAX_ORDER, Variant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bleukit.loading.registry import Registered


@dataclass(frozen=True)
class Parameters:
    """The parameters of a factory: ``by_position``, those given by position only, and the options, with their types.

    ``default_values`` and ``default_factories`` are those of options that have a default; ``takes_any`` says that any
    other option is accepted, too, and ``required`` are the options that have no default.
    """

    by_position: tuple[str, ...]
    options: dict[str, inspect.Parameter]
    types: dict[str, Any]
    default_values: dict[str, Any]
    default_factories: dict[str, Callable[[], Any]]
    takes_any: bool
    required: tuple[str, ...] = ()

    @classmethod
    @lru_cache(maxsize=1024)
    def of(cls, factory: Callable[..., Any]) -> Parameters:
        """Return the parameters of a factory."""
        if type(factory) is type and {factory.__init__, factory.__new__} == {object.__init__, object.__new__}:  # type: ignore[misc]
            return cls((), {}, {}, {}, {}, takes_any=False)  # inspect takes long to find that object takes none
        try:
            parameters = inspect.signature(factory).parameters.values()
        except (TypeError, ValueError):  # built-in callables without a signature take no options
            return cls((), {}, {}, {}, {}, takes_any=False)
        options = {p.name: p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
        defaults = {name: p.default for name, p in options.items() if p.default is not p.empty}
        factories = {
            field.name: field.default_factory
            for field in (fields(factory) if is_dataclass(factory) else ())
            if field.default_factory is not MISSING and field.name in defaults
        }
        return cls(
            tuple(p.name for p in parameters if p.kind is p.POSITIONAL_ONLY and p.default is p.empty),
            options,
            {name: _type(parameter, factory) for name, parameter in options.items()},
            defaults,
            factories,
            takes_any=any(p.kind is p.VAR_KEYWORD for p in parameters),
            required=tuple(name for name in options if name not in defaults),
        )

    def defaults(self) -> dict[str, Any]:
        """Return the defaults, those that a factory makes made anew."""
        return self.default_values | {name: make() for name, make in self.default_factories.items()}


def bind(
    factory: Callable[..., Any], chosen: Mapping[str, Any], kind: str, name: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return all options a factory is called with, defaults included, and those of them that are not defaults.

    Raises VariantError, with the key under ``kind``, for an option that is unknown, missing or of the wrong type, and
    for a function that is no factory of a component but the component itself.
    """
    accepted = Parameters.of(factory)
    converted = {}
    for option, value in chosen.items():
        if option in accepted.options:
            converted[option] = _converted(value, accepted.types[option], (kind, option))
        elif accepted.takes_any:
            converted[option] = value
        else:
            known = near_misses(option, list(accepted.options)) if accepted.options else f"{name!r} takes no options"
            raise VariantError(f"unknown option; {known}", (kind, option))
    missing = [option for option in accepted.required if option not in converted]
    if accepted.by_position or missing:
        needs = f"{name!r} needs the option {missing[0]!r} ({accepted.options[missing[0]]})" if missing else ""
        raise VariantError("; ".join(filter(None, (needs, _perhaps_itself(factory, accepted, kind)))), (kind,))
    defaults = accepted.defaults()
    own = {option: value for option, value in converted.items() if option not in defaults or value != defaults[option]}
    return defaults | converted, own


def _perhaps_itself(factory: Callable[..., Any], accepted: Parameters, kind: str) -> str:
    """Say what to do if a function was registered that is the component, not its factory; empty if it is a class."""
    if isinstance(factory, type):
        return ""
    name = getattr(factory, "__qualname__", type(factory).__qualname__)
    name = name if name.replace(".", "").isidentifier() else "this function"
    example = "" if " " in name else f", `lambda: {name}`"
    itself = f"{name} is the {kind.replace('_', ' ')} itself, not a factory: the plugin must register"
    return f"{'' if accepted.by_position else 'or, if '}{itself} a factory that returns it{example}"


def _type(parameter: inspect.Parameter, factory: Callable[..., Any]) -> Any:
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


def variant_schema(known: Mapping[str, Mapping[str, Registered]]) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a variant's YAML file.

    ``known`` are the components of each kind, and the variants under ``variant``. Names are examples, because plugins
    of the variant may bring others; the options of a component that is known are described.
    """
    variant = msgspec.json.schema(Variant, schema_hook=lambda _: {"anyOf": _choices({})})["$defs"]["Variant"]
    properties = {
        "variant": {"type": "string", "description": "the named variant to start from"},
        **variant["properties"],
    }
    for key, schema in properties.items():
        schema.pop("default", None)  # what a file leaves out comes from the variant it starts from
        if key in known:
            schema["examples"] = sorted(known[key])
            if "anyOf" in schema:
                schema["anyOf"] = _choices(known[key])
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
            mapping = _options_schema(known[name].value)
        except PluginError:  # its module does not import: to choose it is an error that says so
            continue
        mapping["properties"] = {"name": {"const": name}, **mapping["properties"]}
        mapping["required"] = ["name", *mapping["required"]]
        choices.append(mapping)
    return choices


def _options_schema(factory: Callable[..., Any]) -> dict[str, Any]:
    """Return the JSON Schema of the mapping of a factory's options."""
    accepted = Parameters.of(factory)
    return {
        "type": "object",
        "properties": {name: _schema(annotation) for name, annotation in accepted.types.items()},
        "required": list(accepted.required),
        "additionalProperties": accepted.takes_any,
    }


def _schema(annotation: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type; for a type that is not plain data, the one that accepts anything."""
    try:
        schema = msgspec.json.schema(annotation, schema_hook=lambda _: {})
    except Exception:  # noqa: BLE001 - an annotation may be anything, as in _converted
        return {}
    return {} if "$defs" in schema else schema
