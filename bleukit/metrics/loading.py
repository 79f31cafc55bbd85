"""Metrics by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bleukit.errors import InputTypeError, VariantError, near_misses, shown
from bleukit.loading.creating import bind
from bleukit.metric import load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bleukit.metric import Bleu
    from bleukit.metrics.segment_metric import SegmentMetric

BLEU = "bleu"

METRICS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "chrf": ("bleukit.metrics.chrf:Chrf", {}),
    "chrf++": ("bleukit.metrics.chrf:Chrf", {"word_order": 2}),
    "ter": ("bleukit.metrics.ter:Ter", {}),
}
"""The metrics beside BLEU: where the class of each is, and its options."""


def load_metric(name: str, /, **options: Any) -> SegmentMetric | Bleu:
    """Return a metric, ready to score: "bleu", "chrf", "chrf++" or "ter".

    :class:`bleukit.Metric` describes what all can do. "bleu" is what :func:`bleukit.load` returns by default, and its
    options are keys of a variant. The others are those of sacreBLEU, to the last bit: for the options see
    :class:`bleukit.Chrf` and :class:`bleukit.Ter`. Raises VariantError for an unknown name, and for an option that is
    unknown or has a wrong value.
    """
    if not isinstance(name, str):
        raise InputTypeError(f"name: expected the name of a metric, got {shown(name)}")
    if name == BLEU:
        return load(**options)
    if name not in METRICS:
        raise VariantError(f"unknown metric {name!r}; {near_misses(name, [BLEU, *METRICS])}")
    place, own = METRICS[name]
    module, _, kind = place.partition(":")
    made: type[SegmentMetric] = getattr(import_module(module), kind)
    bound, _ = bind(made, {**own, **options}, name, name)
    return made(**bound)
