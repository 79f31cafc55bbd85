"""What is installed here: variants, plugins, compiled parts."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

from bleukit.bleu import loader
from bleukit.bleu.hookspecs import VARIANT
from bleukit.bleu.variant import Variant
from bleukit.framework import creating, registry
from bleukit.framework.compiled import CompiledModule
from bleukit.framework.errors import PluginError, VariantError
from bleukit.framework.registry import KINDS
from bleukit.framework.results import Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bleukit.framework.registry import Registered


@dataclass(frozen=True, eq=False)
class InstalledPlugin(Result):
    """A plugin, and what it provides.

    ``provides`` maps each kind ("tokenizer", "counter", "reference_length", "smoothing", "brevity_penalty", "variant",
    "implementation", "signature", "self_bleu_definition") to the names that the plugin registers; ``needs`` maps those
    that need what is not installed to the command that installs it. ``description`` is the first line of the module's
    docstring, up to a colon. ``problem`` says why the plugin could not be used, empty if it could; ``clashes`` holds
    what to do about each name that it registers and that cannot be used, because another plugin has registered it.
    """

    name: str
    description: str
    module: str
    distribution: str
    version: str
    provides: Mapping[str, tuple[str, ...]]
    needs: Mapping[str, Mapping[str, str]]
    problem: str = ""
    clashes: tuple[str, ...] = ()

    def __str__(self) -> str:
        origin = f"{self.distribution or self.module} {self.version or 'unknown'}"
        return f"{self.name} ({origin}){f': {self.description}' if self.description else ''}"


def variants() -> dict[str, Variant]:
    """Return the named variants, by name. Broken ones are left out; :func:`bleukit.load` reports why."""
    return {name: variant for name, variant in variants_or_errors().items() if isinstance(variant, Variant)}


def plugins() -> list[InstalledPlugin]:
    """Return the plugins that were found, including those that could not be used: first bleukit's own, by name."""
    installed = registry.installed()
    offered = {kind: installed.of_kind(kind) for kind in KINDS}
    offered[VARIANT] = dict(sorted(offered[VARIANT].items()))
    listed = []
    for plugin in sorted(installed.plugins, key=lambda plugin: (0, plugin.name) if plugin.is_built_in else (1, "")):
        own = {kind: {name: r for name, r in known.items() if r.plugin == plugin} for kind, known in offered.items()}
        needs = {
            kind: {name: command for name, r in known.items() if (command := _need(r))} for kind, known in own.items()
        }
        listed.append(
            InstalledPlugin(
                **plugin._asdict(),
                description=plugin.description,
                provides={kind: tuple(known) for kind, known in own.items() if known},
                needs={kind: commands for kind, commands in needs.items() if commands},
                clashes=tuple(str(clash) for clash in installed.clashes if plugin in (clash.first, clash.second)),
            )
        )
    return listed


def compiled_parts() -> dict[str, bool]:
    """Return the names of the compiled modules, including those of plugins, and whether each is installed.

    They are missing if bleukit, or the plugin, was installed without a C compiler. Plain Python then gives the same
    scores, many times slower.
    """
    # Modules declare theirs while they are imported, those of plugins included; some import numpy.
    from bleukit.bleu import (  # noqa: F401
        ngrams,
        scoring,
        segment_columns,
    )
    from bleukit.comparing import loops as _comparing  # noqa: F401
    from bleukit.framework import loops as columns  # noqa: F401
    from bleukit.metrics import chrf, edits  # noqa: F401
    from bleukit.pairs import loops as _pairs  # noqa: F401
    from bleukit.reading import files, tables  # noqa: F401

    for registered in (r for kind in KINDS for r in registry.installed().of_kind(kind).values()):
        _need(registered)
    return {name: compiled.module is not None for name, compiled in sorted(CompiledModule.declared.items())}


def _need(registered: Registered) -> str:
    """Return the command that installs what a factory needs, or why it cannot be imported; empty if it can be used."""
    try:
        return "" if isinstance(registered.offered, Variant | PathLike) else creating.how_to_install(registered.value)
    except PluginError as error:
        return str(error)


def variants_or_errors() -> dict[str, Variant | VariantError]:
    """Return all named variants by name, sorted, or what is wrong with a variant that is broken."""
    installed = registry.installed()
    listed: dict[str, Variant | VariantError] = {}
    for name in sorted(installed.of_kind(VARIANT)):
        try:
            listed[name] = loader.named(name, installed)
        except VariantError as error:  # noqa: PERF203 - the variant of one plugin must not hide those of the others
            listed[name] = error
    return listed
