"""Metrics by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.bleu.bleu import load
from bleukit.bleu.signature import caveat, check_fields
from bleukit.framework.creating import bind
from bleukit.framework.errors import InputTypeError, VariantError, near_misses, shown
from bleukit.framework.hookspecs import PROJECT
from bleukit.framework.metric import Metric
from bleukit.framework.registry import imported
from bleukit.framework.signature import signature_fields

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bleukit.bleu.bleu import Bleu, VariantLike
    from bleukit.framework.metric import AnyMetric
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
    made, own = _class_of(name)
    bound, _ = bind(made, {**own, **options}, name, name)
    return made(**bound)


def metric_of(metric: VariantLike | AnyMetric) -> AnyMetric:
    """Return a metric as it is, that of a name beside BLEU, and for all else what :func:`bleukit.load` returns."""
    if isinstance(metric, str) and metric in METRICS:
        return load_metric(metric)
    return metric if isinstance(metric, Metric) else load(metric)


def _class_of(name: str) -> tuple[type[SegmentMetric], Mapping[str, Any]]:
    """Return the class of a metric beside BLEU, and the options that its name stands for."""
    if name not in METRICS:
        raise VariantError(f"unknown metric {name!r}; {near_misses(name, [BLEU, *METRICS])}")
    place, own = METRICS[name]
    return imported(place), own


class ReadMetric(NamedTuple):
    """What a signature says of a metric beside BLEU; the other fields are as in ReadSignature of bleukit.plugin."""

    metric: SegmentMetric
    references: int | None
    caveat: str
    any_references: bool
    comparison: Mapping[str, Any] = MappingProxyType({})


def read_metric(signature: str, chosen: Collection[str] = ()) -> ReadMetric | None:
    """Return what a signature says of a metric beside BLEU; None if it is of a BLEU.

    ``chosen`` are fields that are obeyed, and no caveat. Raises VariantError if it is of a metric, but not as this
    version writes it.
    """
    fields = signature_fields(signature)
    if "metric" not in fields:
        return None
    made, _ = _class_of(fields["metric"])
    check_fields(signature, ("metric", *made.WRITTEN))
    options: dict[str, Any] = {}
    for key, (option, *texts) in made.WRITTEN.items():
        written = fields.get(key, "")
        if written in texts or (not texts and written.isdecimal()):
            options[option] = bool(texts.index(written)) if texts else int(written)
    metric: Any = load_metric(fields["metric"], **options)
    wrong = next((key for key, value in metric.written_options.items() if fields.get(key) != value), None)
    if wrong or not {"references", PROJECT} <= fields.keys():
        raise VariantError(f"is of no metric here: {signature!r:.120}", (wrong,) if wrong else (), "signature")
    number = fields["references"]
    fixed = int(number) if number.isdecimal() else None
    return ReadMetric(metric, fixed, caveat(fields, chosen), number == "any")
