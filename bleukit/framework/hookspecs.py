"""The hooks of pluggy through which plugins offer what they have, by name; :mod:`bleukit.plugin` is the manual."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from os import PathLike

    from bleukit.bleu.variant import Variant
    from bleukit.framework.protocols import Factory, SelfBleuDefinition

PROJECT = "bleukit"
"""The name of the pluggy project and of the entry-point group."""

BUILT_IN = f"{PROJECT}.built_in"
"""The package of the built-in plugins, a package each."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function as the implementation of the hook of the same name."""


@hookspec
def bleukit_tokenizers() -> Mapping[str, Factory]:  # type: ignore[empty-body]
    """Return the tokenizers of this plugin: name to factory of a :class:`~bleukit.plugin.Tokenizer`.

    A class, or a component without options, may be given by its place, ``"module:name"``, which is imported when the
    component is created; so it may in all hooks that return factories. Names are letters, digits and ``._+-``. One that
    another plugin has registered, too, cannot be used: to choose it is an error that names both plugins. A name of
    bleukit's own keeps its meaning.
    """


@hookspec
def bleukit_ngram_counters() -> Mapping[str, Factory]:  # type: ignore[empty-body]
    """Return the n-gram counters of this plugin: name to factory of an :class:`~bleukit.plugin.NgramCounter`."""


@hookspec
def bleukit_reference_lengths() -> Mapping[str, Factory]:  # type: ignore[empty-body]
    """Return the reference-length policies of this plugin, by name.

    Each is a factory of a :class:`~bleukit.plugin.ReferenceLength`.
    """


@hookspec
def bleukit_smoothings() -> Mapping[str, Factory]:  # type: ignore[empty-body]
    """Return the smoothings of this plugin: name to factory of a :class:`~bleukit.plugin.Smoothing`."""


@hookspec
def bleukit_brevity_penalties() -> Mapping[str, Factory]:  # type: ignore[empty-body]
    """Return the brevity penalties of this plugin: name to factory of a :class:`~bleukit.plugin.BrevityPenalty`."""


@hookspec
def bleukit_implementations() -> Mapping[str, Factory]:  # type: ignore[empty-body]
    """Return the implementations of this plugin: name to factory of an :class:`~bleukit.plugin.Implementation`."""


@hookspec
def bleukit_signatures() -> Mapping[str, Factory]:  # type: ignore[empty-body]
    """Return the signatures of other tools that this plugin reads and writes: name to factory of a SignatureFormat."""


@hookspec
def bleukit_self_bleu_definitions() -> Mapping[str, Callable[[], SelfBleuDefinition]]:  # type: ignore[empty-body]
    """Return the definitions of self-BLEU of this plugin, by name.

    Each is a function that returns a :class:`~bleukit.plugin.SelfBleuDefinition`.
    """


@hookspec
def bleukit_variants() -> Mapping[str, Variant | PathLike[str]]:  # type: ignore[empty-body]
    """Return the variants of this plugin: name to :class:`bleukit.Variant`, or to the path of a variant file.

    A file is read when its variant is chosen.
    """


COMPONENT_HOOKS = {
    "tokenizer": "bleukit_tokenizers",
    "counter": "bleukit_ngram_counters",
    "reference_length": "bleukit_reference_lengths",
    "smoothing": "bleukit_smoothings",
    "brevity_penalty": "bleukit_brevity_penalties",
}
"""The kinds of components, each the name of a key of a variant, and the hook that collects their factories."""

IMPLEMENTATION = "implementation"
SIGNATURE = "signature"
SELF_BLEU = "self_bleu_definition"
VARIANT = "variant"
HOOKS = {
    **COMPONENT_HOOKS,
    IMPLEMENTATION: "bleukit_implementations",
    SIGNATURE: "bleukit_signatures",
    SELF_BLEU: "bleukit_self_bleu_definitions",
    VARIANT: "bleukit_variants",
}
"""All kinds of what plugins offer by name, and the hooks."""
