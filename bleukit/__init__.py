"""Every BLEU by name: see ``bleukit.load`` for scoring, ``bleukit.hookspecs`` for writing plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from bleukit.compiled import Compiled, CompiledModule
    from bleukit.errors import (
        BleukitError,
        CannotExpressError,
        InputError,
        InputTypeError,
        NotInstalledError,
        PluginError,
        VariantError,
    )
    from bleukit.hookspecs import Counts, CountsTable, ReadSignature, Reported, hookimpl
    from bleukit.inspecting.explaining import explain
    from bleukit.inspecting.identifying import identify
    from bleukit.metric import Bleu, load
    from bleukit.recipes.variant import Component, Variant
    from bleukit.scoring import Score
    from bleukit.statistics import Statistics

__all__ = [
    "Bleu",
    "BleukitError",
    "CannotExpressError",
    "Compiled",
    "CompiledModule",
    "Component",
    "Counts",
    "CountsTable",
    "InputError",
    "InputTypeError",
    "NotInstalledError",
    "PluginError",
    "ReadSignature",
    "Reported",
    "Score",
    "Statistics",
    "Variant",
    "VariantError",
    "explain",
    "hookimpl",
    "identify",
    "load",
]

_HOMES = {
    "errors": (
        "BleukitError",
        "CannotExpressError",
        "InputError",
        "InputTypeError",
        "NotInstalledError",
        "PluginError",
        "VariantError",
    ),
    "compiled": ("Compiled", "CompiledModule"),
    "hookspecs": ("Counts", "CountsTable", "ReadSignature", "Reported", "hookimpl"),
    "inspecting.explaining": ("explain",),
    "inspecting.identifying": ("identify",),
    "metric": ("Bleu", "load"),
    "scoring": ("Score",),
    "statistics": ("Statistics",),
    "recipes.variant": ("Component", "Variant"),
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: a plugin needs `hookimpl`, not numpy."""
    import importlib

    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"bleukit.{home}"), name)
    raise AttributeError(f"module 'bleukit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
