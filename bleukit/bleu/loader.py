"""From a name, a YAML file or a Variant to a variant whose components are ready; errors name file, line and key."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from msgspec import structs

from bleukit.bleu import names
from bleukit.bleu.hookspecs import COMPONENT_HOOKS, VARIANT
from bleukit.bleu.variant import DESCRIPTIVE_KEYS, Variant, check_keys, from_keys
from bleukit.framework import creating, yaml_document
from bleukit.framework.errors import InputTypeError, VariantError, shown
from bleukit.framework.options import checked
from bleukit.framework.plain import plain
from bleukit.framework.registry import Registered, installed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.registry import Plugin, Registry
    from bleukit.framework.yaml_document import YamlDocument


DEFAULT = "sacrebleu"
"""The variant that is used if none is given, and where a file without ``variant`` starts."""

MODIFIED = " (modified)"
"""Follows the name of a variant in which something was changed."""


OF_SCORING = ("smoothing", "brevity_penalty")
"""The kinds of components that turn sums into a score, which may differ at sentence level."""


class Loaded(NamedTuple):
    """A variant whose components are created.

    ``label`` is its name, and says if it is not what that name means; ``origin`` is the plugin that registered it.
    ``called`` is the name of a program by which the variant was chosen.
    ``sentence`` is what scores single segments, None if the variant makes no difference there.
    """

    variant: Variant
    components: Mapping[str, LoadedComponent]
    label: str
    origin: Plugin | None
    called: str = ""
    sentence: Loaded | None = None

    @property
    def at_sentence_level(self) -> Loaded:
        """The variant for single segments; it counts as this one does."""
        return self.sentence or self


def load_variant(
    source: str | PathLike[str] | Variant | None, overrides: Mapping[str, Any], called: str = ""
) -> Loaded:
    """Return the variant that ``source`` stands for, with ``overrides`` applied and its components created.

    ``source`` is a variant's name, the path of a YAML file (a str that ends in .yaml or .yml or holds a path separator,
    or a path object), a Variant, or None for the default. An override holds at all levels. ``called`` is the name of
    the program by which a Variant was chosen. Raises VariantError with file, line and key of what is wrong, which
    includes a plugin that the variant names and that does not load, and a name that two plugins register; PluginError
    if a factory fails.
    """
    if "variant" in overrides:
        raise VariantError("cannot be overridden: it names the variant to start from", ("variant",))
    document = yaml_document.read_yaml(source) if _is_path(source) else None
    try:
        given: dict[str, Any]
        if isinstance(source, Variant):
            given = source.fields()
        elif document:
            given = {"variant": DEFAULT} | _keys_of(document)
        else:
            given = {"variant": DEFAULT if source is None else source}
        folder = Path(document.source).parent if document else ""
        registry = installed().with_modules(_plugins(overrides), folder)
        registry = registry.with_modules(_plugins(given), folder, of_file=document is not None)
        check_keys(overrides)
        variant = from_keys(laid_over(_with_start(given, registry), overrides))
        registry = registry.with_modules(variant.plugins, folder)  # those of the variant it starts from, too
        variant, components = _created(variant, registry, COMPONENT_HOOKS)
        there = variant.at_sentence_level()
        sentence, sentence_components = _created(there, registry, OF_SCORING) if variant.sentence else (variant, {})
    except VariantError as error:
        if document is None or (error.key and error.key[0] in overrides):
            raise
        raise document.located(error) from error
    if isinstance(source, str) and not document and source != variant.name:
        called = source
    registered = registry.get(VARIANT, variant.name) if variant.name else None
    is_as_named = not overrides and given.keys() == {"variant"}
    is_modified = registered is not None and not is_as_named and _is_modified(variant, registry)
    label = f"{variant.name or 'unnamed'}{MODIFIED if is_modified else ''}"
    loaded = Loaded(variant, components, label, registered.plugin if registered else None, called)
    if not variant.sentence:
        return loaded
    return loaded._replace(sentence=loaded._replace(variant=sentence, components={**components, **sentence_components}))


def _is_modified(variant: Variant, registry: Registry) -> bool:
    """Return whether a variant is neither what its name means, nor what that is for single segments."""
    known = _levels_of_name(variant.name, registry)
    return levels(variant, registry) not in (known, (known[1], known[1]))


def _created(variant: Variant, registry: Registry, kinds: Iterable[str]) -> tuple[Variant, dict[str, LoadedComponent]]:
    """Return the variant with its choices of components of some kinds at their shortest, and these components."""
    components = creating.create_all(registry, {kind: getattr(variant, kind) for kind in kinds})
    return structs.replace(variant, **{kind: component.choice for kind, component in components.items()}), components


@lru_cache(maxsize=256)
def _levels_of_name(name: str, registry: Registry) -> tuple[Variant, Variant]:
    return levels(named(name, registry), registry)


def levels(variant: Variant, registry: Registry) -> tuple[Variant, Variant]:
    """Return what a variant is for a corpus, and for single segments, each as :func:`without_defaults` puts it."""
    for_corpus = without_defaults(structs.replace(variant, sentence={}), registry)
    return for_corpus, without_defaults(variant.at_sentence_level(), registry) if variant.sentence else for_corpus


def without_defaults(variant: Variant, registry: Registry) -> Variant:
    """Return a variant without the options that are the default, its weights normalised if it says so.

    If it chooses what nobody registered, all options are kept.
    """
    if variant.normalize_weights:
        variant = structs.replace(variant, weights=variant.weights_used, normalize_weights=False)
    with suppress(VariantError):
        choices = {kind: getattr(variant, kind) for kind in COMPONENT_HOOKS}
        return structs.replace(variant, **creating.all_without_defaults(registry, choices))
    return variant


def _plugins(keys: Mapping[str, Any]) -> tuple[str, ...]:
    plugins: tuple[str, ...] = checked(keys.get("plugins", ()), tuple[str, ...], ("plugins",))
    return plugins


def laid_over(variant: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Lay keys over those of a variant: the given keys hold at all levels, and plugins are added.

    If the scale changes, the score of empty texts stays the same share of it, unless a key gives that, too.
    """
    if not keys:
        return dict(variant)
    # A description is true of the variant that states it, not of one that starts from it.
    inherited = {key: value for key, value in variant.items() if key == "name" or key not in DESCRIPTIVE_KEYS}
    sentence = variant.get("sentence")
    if isinstance(sentence, Mapping):
        inherited["sentence"] = {key: value for key, value in sentence.items() if key not in keys}
    scales = [plain(level.get("scale", 1)) for level in (variant, keys)]
    if "scale" in keys and scales in ([1, 100], [100, 1]):
        for level in (inherited, inherited.get("sentence")):
            if isinstance(level, dict) and isinstance(level.get("empty_score"), int | float):
                level["empty_score"] *= scales[1] / scales[0]
    plugins = tuple(dict.fromkeys([*_plugins(variant), *_plugins(keys)]))
    return {**inherited, **keys, "plugins": plugins}


def _with_start(given: Mapping[str, Any], registry: Registry, above: tuple[str, ...] = ()) -> dict[str, Any]:
    """Lay the keys of a variant over those of the variant it starts from."""
    check_keys(given)
    own = {key: value for key, value in given.items() if key != "variant"}
    if "variant" not in given:
        return own
    start = named(checked(given["variant"], str, ("variant",)), registry, above)
    return laid_over(start.fields(), own)


@lru_cache(maxsize=256)
def named(name: str, registry: Registry, above: tuple[str, ...] = ()) -> Variant:
    """Return the variant registered under ``name`` in any spelling, else what a program of this name computes.

    Spellings differ in case, and in blanks, hyphens and underscores.

    Raises VariantError with the near misses, with the choices for a name of several meanings, or for a broken variant.
    ``above`` holds the variants that start from this one.
    """
    if not registry.get("variant", name):
        name = names.spelled(name, registry.of_kind(VARIANT)) or names.variant_of(name) or name
    if name in above:
        raise VariantError(f"the variants {' → '.join((*above, name))} start from each other", ("variant",))
    registered = registry.find("variant", name, ("variant",))
    document = _document_of(registered)
    try:
        keys = _keys_of(document)
        if (keys.get("name") or name) != name:
            problem = f"expected {name!r}, under which {registered.plugin} registers it"
            raise VariantError(problem, ("name",))  # noqa: TRY301 - located below, as all others
        return from_keys({**_with_start(keys, registry, (*above, name)), "name": name})
    except VariantError as error:
        raise document.located(error) from error


def _document_of(registered: Registered) -> YamlDocument:
    if isinstance(registered.offered, Variant):
        return yaml_document.YamlDocument(f"a variant of {registered.plugin}", registered.offered.fields(), {})
    return yaml_document.read_yaml(registered.offered)


def _is_path(source: object) -> TypeGuard[str | PathLike[str]]:
    if isinstance(source, str):
        return source.endswith((".yaml", ".yml")) or "/" in source or os.sep in source
    if source is None or isinstance(source, PathLike | Variant):
        return isinstance(source, PathLike)
    raise InputTypeError(f"expected a variant's name, the path of a YAML file or a Variant, got {shown(source)}")


def _keys_of(document: YamlDocument) -> dict[str, Any]:
    if not isinstance(document.data, dict) or not document.data:
        got = f"got {shown(document.data)}" if document.data else "the file is empty"
        raise VariantError(f"expected keys such as `variant: nltk`, {got}")
    return document.data
