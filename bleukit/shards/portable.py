"""Metrics that are used in another process, on another machine or on another day, and must count there as here."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from msgspec import structs

from bleukit.bleu.bleu import Bleu, load
from bleukit.framework import registry
from bleukit.framework.errors import BleukitError, InputError
from bleukit.framework.signature import signature_fields
from bleukit.metrics.loading import load_metric

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bleukit.bleu.variant import Variant
    from bleukit.framework.metric import AnyMetric
    from bleukit.framework.registry import Plugin


@dataclass(frozen=True)
class PortableVariant:
    """A variant of BLEU as data, or another metric: its ``name`` and ``options``; and the signature.

    ``plugins`` are those that the components of the variant come from, other than bleukit's own. ``variant`` names no
    ``plugins``, even if it was read from a file that does: whoever loads it names the modules that are imported.
    """

    variant: Variant | None
    signature: str
    plugins: tuple[Plugin, ...] = ()
    name: str = ""
    options: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        if self.variant:
            object.__setattr__(self, "variant", structs.replace(self.variant, plugins=()))

    @classmethod
    def of(cls, chosen: AnyMetric) -> PortableVariant:
        """Return a metric as data. Raises InputError if a component of it is a Python object."""
        if not isinstance(chosen, Bleu):
            other: Any = chosen
            return cls(None, other.signature, name=other.KIND, options=tuple(asdict(other).items()))
        components = [*chosen.components.values(), *chosen.sentence_components.values()]
        for component in components:
            if component.choice.python_object is not None:
                raise InputError(
                    f"{component.name} is a Python object; only what a plugin registers can be used elsewhere"
                )
        plugins = dict.fromkeys(component.plugin for component in components if not component.plugin.is_built_in)
        return cls(chosen.variant, chosen.signature, tuple(plugins))

    def load(self, modules: Iterable[str] = ()) -> Any:
        """Return the metric. Raises InputError if it cannot be loaded here, or has another signature here.

        The components of a variant come from installed plugins and from ``modules``, named as in an import statement or
        by the path of a file. No other module is imported, whatever ``plugins`` says.
        """
        what = "variant" if self.variant else "metric"
        try:
            with registry.also_installed(modules):
                loaded = load(self.variant) if self.variant else load_metric(self.name, **dict(self.options))
        except BleukitError as error:
            raise InputError(f"the {what} cannot be loaded: {error}{self._needed()}") from error
        if loaded.signature != self.signature:
            raise InputError(f"the {what} is another one here: {difference(self.signature, loaded.signature)}")
        return loaded

    def _needed(self) -> str:
        if not self.plugins:
            return ""
        named = " and ".join(map(str, self.plugins))
        return f"; it needs {named}: install it, or name its module (--plugin, or `modules` in Python)"


def difference(there: str, here: str) -> str:
    """Say which fields of two signatures differ."""
    theirs, ours = map(signature_fields, (there, here))
    return "; ".join(
        f"{key} is {ours.get(key, 'missing')}, not {theirs.get(key, 'missing')}"
        for key in dict.fromkeys([*theirs, *ours])
        if theirs.get(key) != ours.get(key)
    )
