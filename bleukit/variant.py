"""The recipe: which components, which weights, which rules make up one BLEU variant; its YAML, and its errors.

The keys of a recipe are the fields of :class:`Variant`, and ``variant``: the named recipe to start from.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias, TypeGuard

import msgspec
import yaml
from msgspec import Meta

from bleukit import yaml_document
from bleukit.errors import InputTypeError, Key, VariantError, near_misses
from bleukit.registry import HOOKS

if TYPE_CHECKING:
    from bleukit.registry import LoadedComponent, Registry
    from bleukit.yaml_document import Document

Weight: TypeAlias = Annotated[float, Meta(ge=0)]


class Component:
    """The choice of a component in a recipe: its registered name, and the options it is created with."""

    __slots__ = ("name", "options")

    def __init__(self, name: str, options: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self.options = dict(options or {})

    @classmethod
    def from_yaml(cls, value: Any) -> Component:
        """Read a name, or a mapping of ``name`` and options. Raises ValueError for anything else."""
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            return cls(value)
        if isinstance(value, Mapping) and isinstance(value.get("name"), str) and all(isinstance(k, str) for k in value):
            return cls(value["name"], {key: option for key, option in value.items() if key != "name"})
        raise ValueError(f"expected a name, or a mapping with `name` and options, got {_shown(value)}")

    def to_yaml(self) -> str | dict[str, Any]:
        """Return the shortest form that reads back as an equal choice."""
        return {"name": self.name, **self.options} if self.options else self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Component) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"Component({self.name!r}, {dict(sorted(self.options.items()))!r})"


class Variant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """One BLEU variant. Two variants are equal when they print the same YAML, their names aside."""

    name: Annotated[str, Meta(description="what the recipe is called")] = ""
    description: Annotated[str, Meta(description="what the recipe is, in one line")] = ""
    source: Annotated[str, Meta(description="where its definition comes from")] = ""
    tokenizer: Annotated[Component, Meta(description="text to tokens")]
    counter: Annotated[Component, Meta(description="tokens to matches and totals of each n-gram order")]
    reference_length: Annotated[Component, Meta(description="the effective reference length of a segment")]
    smoothing: Annotated[Component, Meta(description="counts to precisions")]
    weights: Annotated[
        tuple[Weight, ...],
        Meta(min_length=1, description="one weight an order; their number is the highest n-gram order"),
    ] = (0.25, 0.25, 0.25, 0.25)
    normalize_weights: Annotated[bool, Meta(description="divide the weights by their sum")] = False
    lowercase: Annotated[bool, Meta(description="lowercase the text before it is tokenized")] = False
    effective_order: Annotated[
        bool, Meta(description="undefined orders drop out and the remaining weights are renormalised")
    ] = False
    empty_score: Annotated[
        float, Meta(description="the score when hypothesis and references are all empty: 0 to scale, or .nan")
    ] = 0.0
    scale: Annotated[Literal[1, 100], Meta(description="the score of a perfect match")] = 1
    plugins: Annotated[
        tuple[str, ...],
        Meta(description="modules to load besides installed plugins; code, so only from whom you trust"),
    ] = ()

    def to_yaml(self) -> str:
        """Return the whole recipe as YAML; it loads to an equal variant."""
        recipe = {field: getattr(self, field) for field in self.__struct_fields__}
        for field, value in recipe.items():
            if isinstance(value, Component):
                recipe[field] = value.to_yaml()
            elif isinstance(value, tuple):
                recipe[field] = list(value)
        return yaml.safe_dump(recipe, sort_keys=False, default_flow_style=None, allow_unicode=True, width=1000)

    def _identity(self) -> tuple[str, ...]:
        about = ("name", "description", "source")
        return tuple(repr(getattr(self, field)) for field in self.__struct_fields__ if field not in about)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variant) and self._identity() == other._identity()

    def __ne__(self, other: object) -> bool:  # Struct brings one of its own, which would compare all fields
        return not self == other

    def __hash__(self) -> int:
        return hash(self._identity())


def default() -> str:
    """Return the name of the recipe used where none is given, and under every file that names no ``variant``."""
    name: str = yaml_document.read(Path(__file__).with_name("default.yaml")).data["variant"]
    return name


class Loaded(NamedTuple):
    """A variant whose components are created; ``label`` is its name, and says when it is not what that name means."""

    variant: Variant
    components: Mapping[str, LoadedComponent]
    label: str


def load(source: str | PathLike[str] | Variant | None, registry: Registry, overrides: Mapping[str, Any]) -> Loaded:
    """Return the variant that ``source`` stands for, with ``overrides`` applied and its components created.

    ``source`` is a recipe's name, the path of a YAML file (a str that ends in .yaml or .yml or holds a path separator,
    or a path object), a Variant, or None for the default. Raises VariantError with file, line and key of what is wrong,
    PluginError where a plugin that it names does not load.
    """
    if "variant" in overrides:
        raise VariantError("cannot be overridden: it is where the recipe starts from", ("variant",))
    document = yaml_document.read(source) if _is_path(source) else None
    try:
        if isinstance(source, Variant):
            given = _as_mapping(source)
        else:
            given = {"variant": default(), **_keys_of(document)} if document else {"variant": source or default()}
        given |= overrides
        _check_keys(given)
        folder = Path(document.source).parent if document else Path()
        registry = registry.with_modules(_checked(given.get("plugins", ()), tuple[str, ...], ("plugins",)), folder)
        variant = _convert(given, registry)
        components = {kind: registry.create(kind, getattr(variant, kind)) for kind in HOOKS}
    except VariantError as error:
        raise _located(error, document, overrides) from error
    modified = variant.name in registry.recipes and variant != named(variant.name, registry)
    label = (variant.name or "unnamed") + (" (modified)" if modified else "")
    return Loaded(variant, components, label)


def named(name: str, registry: Registry, above: tuple[str, ...] = ()) -> Variant:
    """Return the recipe registered under ``name``. Raises VariantError with the near misses, or for a broken recipe.

    ``above`` holds the recipes that start from this one.
    """
    if name in above:
        raise VariantError(f"the recipes {' → '.join((*above, name))} start from each other", ("variant",))
    recipe = registry.recipe(name)
    if isinstance(recipe, Variant):
        return recipe
    try:
        given = _keys_of(recipe)
        _check_keys(given)
        return _convert(given, registry, (*above, name))
    except VariantError as error:
        raise _located(error, recipe, {}) from error


def json_schema(registry: Registry) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a recipe's YAML file; the names of the registry's components as examples."""
    component = {
        "anyOf": [
            {"type": "string"},
            {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
        ]
    }
    recipe = msgspec.json.schema(Variant, schema_hook=lambda _: component)["$defs"]["Variant"]
    properties = {
        "variant": {"type": "string", "description": "the named recipe to start from"},
        **recipe["properties"],
    }
    for key, schema in properties.items():
        schema.pop("default", None)  # what a file leaves out comes from the recipe it starts from
        names = registry.recipes if key == "variant" else registry.components.get(key)
        if names:
            schema["examples"] = sorted(names)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "BLEU variant",
        "description": "One BLEU variant, as bleukit reads it from a YAML file",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _is_path(source: object) -> TypeGuard[str | PathLike[str]]:
    if isinstance(source, str):
        return source.endswith((".yaml", ".yml")) or "/" in source or os.sep in source
    if source is None or isinstance(source, PathLike | Variant):
        return isinstance(source, PathLike)
    raise InputTypeError(f"expected a recipe's name, the path of a YAML file or a Variant, got {_shown(source)}")


def _keys_of(document: Document) -> dict[str, Any]:
    data = {} if document.data is None else document.data
    if not isinstance(data, dict):
        raise VariantError(f"expected keys such as `variant: nltk`, got {_shown(data)}")
    return data


def _as_mapping(variant: Variant) -> dict[str, Any]:
    return {field: getattr(variant, field) for field in variant.__struct_fields__}


def _check_keys(given: Mapping[str, Any]) -> None:
    accepted = ["variant", *Variant.__struct_fields__]
    for key in given:
        if key not in accepted:
            raise VariantError(f"unknown key; {near_misses(str(key), accepted)}", (str(key),))


def _convert(given: Mapping[str, Any], registry: Registry, above: tuple[str, ...] = ()) -> Variant:
    """Lay the keys of a recipe over those of the recipe it starts from, and check all values."""
    recipe = dict(given)
    base = recipe.pop("variant", None)
    if base is not None:
        recipe = _as_mapping(named(_checked(base, str, ("variant",)), registry, above)) | recipe
    variant: Variant = _checked(recipe, Variant, ())
    for index, weight in enumerate(variant.weights):
        if not math.isfinite(weight):
            raise VariantError(f"expected a finite number of at least 0, got {_shown(weight)}", ("weights", index))
    if not any(variant.weights):
        raise VariantError("at least one weight must be above 0", ("weights",))
    if not (math.isnan(variant.empty_score) or 0 <= variant.empty_score <= variant.scale):
        expected = f"expected 0 to {variant.scale} (the scale), or .nan"
        raise VariantError(f"{expected}, got {_shown(variant.empty_score)}", ("empty_score",))
    return variant


def _checked(value: Any, expected: Any, key: Key) -> Any:
    """Convert plain data to a type, with an error for people where it does not fit."""
    try:
        return msgspec.convert(value, expected, dec_hook=lambda _, plain: Component.from_yaml(plain))
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        key = (*key, *(int(i) if i else name for name, i in re.findall(r"\.(\w+)|\[(\d+)\]", path)))
        problem = problem[:1].lower() + problem[1:]
        if problem.startswith("invalid enum value"):
            problem = problem.replace("invalid enum value", "expected 1 or 100, got")
        for name, meaning in _FOR_PEOPLE.items():
            problem = problem.replace(f"`{name}`", meaning)
        raise VariantError(problem, key) from error


_FOR_PEOPLE = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "nothing",
    "object": "a mapping",
    "str": "text",
}


def _located(error: VariantError, document: Document | None, overrides: Mapping[str, Any]) -> VariantError:
    """Add file and line to an error, where the value at fault stands in the file."""
    if document is None or error.where or (error.key and error.key[0] in overrides):
        return error
    return VariantError(error.problem, error.key, document.where(error.key))


def _shown(value: object) -> str:
    shown = repr(value)
    return f"{type(value).__name__} {shown if len(shown) <= 60 else shown[:57] + '...'}"
