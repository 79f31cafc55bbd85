"""Every BLEU by name: see ``bleukit.load`` for scoring, ``bleukit.hookspecs`` for writing plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.version import __version__

if TYPE_CHECKING:
    from bleukit.accumulator import Accumulator
    from bleukit.comparing.comparison import compare
    from bleukit.comparing.gathering import Moments, Runs
    from bleukit.comparing.results import Comparison
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
    from bleukit.hookspecs import Counts, CountsTable, declares, hookimpl
    from bleukit.inspecting.explaining import Explanation, explain
    from bleukit.inspecting.identifying import Identification, identify
    from bleukit.installation import InstalledPlugin, compiled_parts, plugins, variants
    from bleukit.metric import Bleu, Prepared, load, self_bleu
    from bleukit.offers import ReadSignature, Reported, SelfBleuDefinition
    from bleukit.pairs.decoding import Choice
    from bleukit.pairs.duplicates import Duplicate
    from bleukit.pairs.self_bleu import SelfBleu
    from bleukit.reporting.inspected import page
    from bleukit.reporting.page import Page
    from bleukit.reporting.report import report
    from bleukit.scoring import Score
    from bleukit.shards.shard import Shard
    from bleukit.statistics import Statistics
    from bleukit.variant import Component, Variant

__all__ = [
    "Accumulator",
    "Bleu",
    "BleukitError",
    "CannotExpressError",
    "Choice",
    "Comparison",
    "Compiled",
    "CompiledModule",
    "Component",
    "Counts",
    "CountsTable",
    "Duplicate",
    "Explanation",
    "Identification",
    "InputError",
    "InputTypeError",
    "InstalledPlugin",
    "Moments",
    "NotInstalledError",
    "Page",
    "PluginError",
    "Prepared",
    "ReadSignature",
    "Reported",
    "Runs",
    "Score",
    "SelfBleu",
    "SelfBleuDefinition",
    "Shard",
    "Statistics",
    "Variant",
    "VariantError",
    "__version__",
    "compare",
    "compiled_parts",
    "declares",
    "explain",
    "hookimpl",
    "identify",
    "load",
    "page",
    "plugins",
    "report",
    "self_bleu",
    "variants",
]

_HOMES = {
    "accumulator": ("Accumulator",),
    "errors": (
        "BleukitError",
        "CannotExpressError",
        "InputError",
        "InputTypeError",
        "NotInstalledError",
        "PluginError",
        "VariantError",
    ),
    "comparing.comparison": ("compare",),
    "comparing.gathering": ("Moments", "Runs"),
    "comparing.results": ("Comparison",),
    "compiled": ("Compiled", "CompiledModule"),
    "hookspecs": ("Counts", "CountsTable", "declares", "hookimpl"),
    "inspecting.explaining": ("Explanation", "explain"),
    "inspecting.identifying": ("Identification", "identify"),
    "installation": ("InstalledPlugin", "compiled_parts", "plugins", "variants"),
    "metric": ("Bleu", "Prepared", "load", "self_bleu"),
    "offers": ("ReadSignature", "Reported", "SelfBleuDefinition"),
    "pairs.decoding": ("Choice",),
    "pairs.duplicates": ("Duplicate",),
    "pairs.self_bleu": ("SelfBleu",),
    "reporting.inspected": ("page",),
    "reporting.page": ("Page",),
    "reporting.report": ("report",),
    "scoring": ("Score",),
    "shards.shard": ("Shard",),
    "statistics": ("Statistics",),
    "variant": ("Component", "Variant"),
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: a plugin needs `hookimpl`, not numpy."""
    import importlib

    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"bleukit.{home}"), name)
    raise AttributeError(f"module 'bleukit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
