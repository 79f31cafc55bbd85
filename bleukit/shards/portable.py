"""Variants that are used in another process, on another machine or on another day, and must count there as here."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from msgspec import structs

from bleukit import metric
from bleukit.errors import BleukitError, InputError
from bleukit.loading import registry
from bleukit.metrics.loading import load_metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bleukit.accumulator import Metric
    from bleukit.loading.manager import Plugin
    from bleukit.metric import Bleu
    from bleukit.metrics.segment_metric import SegmentMetric
    from bleukit.variant import Variant


@dataclass(frozen=True)
class PortableVariant:
    """A variant, its signature, and the plugins that its components come from, other than bleukit's own.

    ``variant`` names no ``plugins``, even if it was read from a file that does: whoever loads it names the modules that
    are imported.
    """

    variant: Variant
    signature: str
    plugins: tuple[Plugin, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "variant", structs.replace(self.variant, plugins=()))

    @classmethod
    def of(cls, bleu: Bleu) -> PortableVariant:
        """Return the variant of a Bleu.

        Raises InputError if a component of it is a Python object.
        """
        components = [*bleu.components.values(), *bleu.sentence_components.values()]
        plugins = dict.fromkeys(component.plugin for component in components)
        for component in components:
            if component.choice.python_object is not None:
                raise InputError(
                    f"{component.name} is a Python object; only what a plugin registers can be used elsewhere"
                )
        needed = tuple(plugin for plugin in plugins if not plugin.is_built_in)
        return cls(bleu.variant, bleu.signature, needed)

    def load(self, modules: Iterable[str] = ()) -> Bleu:
        """Return the Bleu. Raises InputError if it cannot be loaded here, or has another signature here.

        Its components come from installed plugins and from ``modules``, named as in an import statement or by the path
        of a file. No other module is imported, whatever ``plugins`` says.
        """
        try:
            with registry.also_installed(modules):
                bleu = metric.load(self.variant)
        except BleukitError as error:
            raise InputError(f"the variant cannot be loaded: {error}{self._needed()}") from error
        if bleu.signature != self.signature:
            raise InputError(f"the variant is another one here: {difference(self.signature, bleu.signature)}")
        return bleu

    def _needed(self) -> str:
        if not self.plugins:
            return ""
        named = " and ".join(map(str, self.plugins))
        return f"; it needs {named}: install it, or name its module (--plugin, or `modules` in Python)"


@dataclass(frozen=True)
class PortableMetric:
    """A metric beside BLEU, by its name and its options, and its signature."""

    name: str
    options: Mapping[str, Any]
    signature: str

    @classmethod
    def of(cls, metric: SegmentMetric) -> PortableMetric:
        """Return a metric as data."""
        return cls(metric.KIND, asdict(metric), metric.signature)  # type: ignore[call-overload]

    def load(self, modules: Iterable[str] = ()) -> SegmentMetric:  # noqa: ARG002 - no plugin has a part in it
        """Return the metric. Raises InputError if it cannot be loaded here, or has another signature here."""
        try:
            loaded: Any = load_metric(self.name, **self.options)
        except BleukitError as error:
            raise InputError(f"the metric cannot be loaded: {error}") from error
        if loaded.signature != self.signature:
            raise InputError(f"the metric is another one here: {difference(self.signature, loaded.signature)}")
        metric_: SegmentMetric = loaded
        return metric_


def portable(metric_: Metric) -> PortableVariant | PortableMetric:
    """Return a metric as what can be loaded elsewhere. Raises InputError as :meth:`PortableVariant.of`."""
    return PortableVariant.of(metric_) if isinstance(metric_, metric.Bleu) else PortableMetric.of(metric_)  # type: ignore[arg-type]


def difference(there: str, here: str) -> str:
    """Say which fields of two signatures differ."""
    fields = [dict(field.partition(":")[::2] for field in signature.split("|")) for signature in (there, here)]
    theirs, ours = fields
    return "; ".join(
        f"{key} is {ours.get(key, 'missing')}, not {theirs.get(key, 'missing')}"
        for key in dict.fromkeys([*theirs, *ours])
        if theirs.get(key) != ours.get(key)
    )
