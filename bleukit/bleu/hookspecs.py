"""The hooks for what BLEU consists of, and for what else is of BLEU; :mod:`bleukit.plugin` is the manual."""

from __future__ import annotations

import sys
from os import PathLike
from typing import TYPE_CHECKING, Any

from bleukit.bleu import names
from bleukit.bleu.variant import Variant
from bleukit.framework.errors import near_misses
from bleukit.framework.hookspecs import TOKENIZER, hookspec
from bleukit.framework.registry import Kind, add_hooks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bleukit.bleu.protocols import SelfBleuDefinition
    from bleukit.framework.protocols import Factory


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
    TOKENIZER: "bleukit_tokenizers",
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


def _is_variant(value: Any) -> bool:
    return isinstance(value, Variant | PathLike)


def _near_variants(name: str, known: list[str]) -> str:
    return near_misses(name, [*known, *names.known()], "`bleukit variants` lists all", cutoff=0.75)


add_hooks(
    sys.modules[__name__],
    *(Kind(kind, hook, is_component=True) for kind, hook in COMPONENT_HOOKS.items() if kind != TOKENIZER),
    Kind(IMPLEMENTATION, "bleukit_implementations"),
    Kind(SIGNATURE, "bleukit_signatures"),
    Kind(SELF_BLEU, "bleukit_self_bleu_definitions"),
    Kind(
        VARIANT,
        "bleukit_variants",
        wanted="variants, or the pathlib.Path of a file",
        accepts=_is_variant,
        unknown=", and no program of this name is known",
        near=_near_variants,
    ),
)
