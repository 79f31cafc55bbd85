"""Every BLEU by name: see :func:`bleukit.load` for scoring, :mod:`bleukit.plugin` for writing plugins."""

from __future__ import annotations

from bleukit import plugin
from bleukit.accumulator import Accumulator
from bleukit.comparing.comparison import compare
from bleukit.comparing.gathering import Moments, Runs
from bleukit.comparing.results import Comparison
from bleukit.errors import (
    BleukitError,
    CannotExpressError,
    InputError,
    InputTypeError,
    NotInstalledError,
    OutputError,
    PluginError,
    VariantError,
)
from bleukit.inspecting.explaining import Explanation, explain
from bleukit.inspecting.identifying import Identification, identify
from bleukit.installation import InstalledPlugin, compiled_parts, plugins, variants
from bleukit.metric import Bleu, Prepared, load, self_bleu
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
from bleukit.version import __version__

__all__ = [
    "Accumulator",
    "Bleu",
    "BleukitError",
    "CannotExpressError",
    "Choice",
    "Comparison",
    "Component",
    "Duplicate",
    "Explanation",
    "Identification",
    "InputError",
    "InputTypeError",
    "InstalledPlugin",
    "Moments",
    "NotInstalledError",
    "OutputError",
    "Page",
    "PluginError",
    "Prepared",
    "Runs",
    "Score",
    "SelfBleu",
    "Shard",
    "Statistics",
    "Variant",
    "VariantError",
    "__version__",
    "compare",
    "compiled_parts",
    "explain",
    "identify",
    "load",
    "page",
    "plugin",
    "plugins",
    "report",
    "self_bleu",
    "variants",
]
