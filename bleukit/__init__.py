"""Every BLEU by name: see ``bleukit.load`` for scoring, ``bleukit.hookspecs`` for writing plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from bleukit.errors import (
        BleukitError,
        CannotExpressError,
        InputError,
        InputTypeError,
        NotInstalledError,
        PluginError,
        VariantError,
    )
    from bleukit.explaining import explain
    from bleukit.hookspecs import Compiled, Counts, CountsTable, ReadSignature, Reported, hookimpl
    from bleukit.identifying import identify
    from bleukit.metric import Bleu, load
    from bleukit.scoring import Score
    from bleukit.statistics import Statistics
    from bleukit.variant import Component, Variant

__all__ = [
    "Bleu",
    "BleukitError",
    "CannotExpressError",
    "Compiled",
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
    "hookspecs": ("Compiled", "Counts", "CountsTable", "ReadSignature", "Reported", "hookimpl"),
    "explaining": ("explain",),
    "identifying": ("identify",),
    "metric": ("Bleu", "load"),
    "scoring": ("Score",),
    "statistics": ("Statistics",),
    "variant": ("Component", "Variant"),
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
