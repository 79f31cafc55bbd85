"""From a name, a YAML file or a Variant to a recipe whose components are ready; every mistake is told by its place."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from msgspec import structs

from bleukit.errors import InputTypeError, VariantError, shown
from bleukit.loading.registry import HOOKS
from bleukit.recipes import yaml_document
from bleukit.recipes.variant import Variant, check_keys, checked, from_keys

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bleukit.loading.registry import LoadedComponent, Plugin, Registry
    from bleukit.recipes.yaml_document import Document


@cache
def default() -> str:
    """Return the name of the recipe used where none is given, and under every file that names no ``variant``."""
    name: str = yaml_document.read(Path(__file__).with_name("default.yaml")).data["variant"]
    return name


class Loaded(NamedTuple):
    """A variant whose components are created.

    ``label`` is its name, and says where it is not what that name means; ``origin`` is the plugin that registered it.
    """

    variant: Variant
    components: Mapping[str, LoadedComponent]
    label: str
    origin: Plugin | None


def load(source: str | PathLike[str] | Variant | None, registry: Registry, overrides: Mapping[str, Any]) -> Loaded:
    """Return the variant that ``source`` stands for, with ``overrides`` applied and its components created.

    ``source`` is a recipe's name, the path of a YAML file (a str that ends in .yaml or .yml or holds a path separator,
    or a path object), a Variant, or None for the default. Raises VariantError with file, line and key of what is wrong,
    a plugin that it names and that does not load included; PluginError where two plugins claim one name, or a factory
    fails.
    """
    if "variant" in overrides:
        raise VariantError("cannot be overridden: it is where the recipe starts from", ("variant",))
    document = yaml_document.read(source) if _is_path(source) else None
    try:
        given: dict[str, Any]
        if isinstance(source, Variant):
            given = source.keys()
        elif document:
            given = {"variant": default()} | _keys_of(document)
        else:
            given = {"variant": default() if source is None else source}
        given |= overrides
        folder = Path(document.source).parent if document else Path()
        registry = registry.with_modules(checked(given.get("plugins", ()), tuple[str, ...], ("plugins",)), folder)
        variant = _convert(given, registry)
        registry = registry.with_modules(variant.plugins, folder)  # those of the recipe it starts from, too
        components = {kind: registry.create(kind, getattr(variant, kind)) for kind in HOOKS}
        variant = structs.replace(variant, **{kind: component.choice for kind, component in components.items()})
    except VariantError as error:
        raise _located(error, document, overrides) from error
    registered = registry.recipes.get(variant.name)
    if registered and variant != _shortest(named(variant.name, registry), registry):
        return Loaded(variant, components, modified(variant.name), registered.plugin)
    return Loaded(variant, components, variant.name or "unnamed", registered.plugin if registered else None)


def _shortest(variant: Variant, registry: Registry) -> Variant:
    """Return a recipe without the options that are the default; as it is where it chooses what nobody registered."""
    with suppress(VariantError):
        choices = {kind: registry.shortest(kind, getattr(variant, kind)) for kind in HOOKS}
        return structs.replace(variant, **choices)
    return variant


def modified(name: str) -> str:
    """Return what a score says of a recipe that was changed."""
    return f"{name or 'unnamed'} (modified)"


def named(name: str, registry: Registry, above: tuple[str, ...] = ()) -> Variant:
    """Return the recipe registered under ``name``. Raises VariantError with the near misses, or for a broken recipe.

    ``above`` holds the recipes that start from this one.
    """
    if name in above:
        raise VariantError(f"the recipes {' → '.join((*above, name))} start from each other", ("variant",))
    recipe = registry.recipe(name)
    if isinstance(recipe, Variant):
        try:
            return from_keys(recipe.keys())
        except VariantError as error:
            raise VariantError(
                error.problem, error.key, f"recipe {name!r} of {registry.recipes[name].plugin}"
            ) from error
    try:
        given = _keys_of(recipe)
        return _convert(given, registry, (*above, name))
    except VariantError as error:
        raise _located(error, recipe, {}) from error


def _is_path(source: object) -> TypeGuard[str | PathLike[str]]:
    if isinstance(source, str):
        return source.endswith((".yaml", ".yml")) or "/" in source or os.sep in source
    if source is None or isinstance(source, PathLike | Variant):
        return isinstance(source, PathLike)
    raise InputTypeError(f"expected a recipe's name, the path of a YAML file or a Variant, got {shown(source)}")


def _keys_of(document: Document) -> dict[str, Any]:
    data = {} if document.data is None else document.data
    if not isinstance(data, dict):
        raise VariantError(f"expected keys such as `variant: nltk`, got {shown(data)}")
    return data


def _convert(given: Mapping[str, Any], registry: Registry, above: tuple[str, ...] = ()) -> Variant:
    """Lay the keys of a recipe over those of the recipe it starts from."""
    check_keys(given)
    recipe = dict(given)
    if "variant" in recipe:
        start = named(checked(recipe.pop("variant"), str, ("variant",)), registry, above)
        own = checked(recipe.get("plugins", ()), tuple[str, ...], ("plugins",))
        plugins = dict.fromkeys((*start.plugins, *own))  # those of its start are needed for what it does not override
        recipe = start.keys() | recipe | {"plugins": tuple(plugins)}
    return from_keys(recipe)


def _located(error: VariantError, document: Document | None, overrides: Mapping[str, Any]) -> VariantError:
    """Add file and line to an error, where the value at fault stands in the file."""
    if document is None or error.where or (error.key and error.key[0] in overrides):
        return error
    return type(error)(error.problem, error.key, document.where(error.key))
