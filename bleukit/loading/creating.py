"""From what is registered under a name to a component, ready to be called."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.errors import BleukitError, NotInstalledError, PluginError, VariantError, one_line, reported_as
from bleukit.loading.manager import SELF_BLEU, Plugin
from bleukit.loading.options import bind
from bleukit.loading.registry import Registered, in_words
from bleukit.offers import SelfBleuDefinition
from bleukit.variant import UNNAMED, Component

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bleukit.loading.registry import Registry
    from bleukit.protocols import Factory


class LoadedComponent(NamedTuple):
    """A component, ready to be called: how a variant chooses it at its shortest, all its options, and its origin."""

    kind: str
    choice: Component
    options: Mapping[str, Any]
    call: Callable[..., Any]
    plugin: Plugin

    @property
    def name(self) -> str:
        """The name it is registered under."""
        return self.choice.name

    @property
    def batch(self) -> Callable[..., Any] | None:
        """The method that does the same for many segments, or None if the component has none."""
        return getattr(self.call, "batch", None)

    def promise(self, name: str) -> Any:
        """Return the value of a promise (see :mod:`bleukit.plugin`), None if the component does not make it."""
        return getattr(self.call, name, None)

    def __str__(self) -> str:
        if self.choice.python_object is not None:
            return f"{self.kind} {self.choice.python_object!r:.60}, given in Python,"
        return f"{self.kind} {self.name!r} ({self.plugin})"


def create(registry: Registry, kind: str, choice: Component) -> LoadedComponent:
    """Create the component that a variant chooses.

    Raises VariantError for an unknown name or a wrong option, its subclass NotInstalledError for what is not installed,
    PluginError if the factory fails.
    """
    registered = _registered(registry, kind, choice)
    missing = how_to_install(registered.value)
    if missing:
        raise NotInstalledError(f"{choice.name!r} needs what is not installed: {missing}", (kind,))
    options, own = bind(registered.value, {} if choice.python_object is not None else choice.options, kind, choice.name)

    def reported(error: BaseException) -> BaseException:
        if isinstance(error, BleukitError):
            return error
        if isinstance(error, ValueError | TypeError):
            reason = str(error) or one_line(error)
            return VariantError(f"{choice.name!r} does not accept its options: {reason}", (kind,))
        return PluginError(f"{kind} {choice.name!r} of {registered.plugin} cannot be created: {one_line(error)}")

    with reported_as(reported):
        component = registered.value(**options)
    if not callable(component):
        raise PluginError(
            f"{kind} {choice.name!r} of {registered.plugin} is not callable but {component!r:.60}: a plugin "
            f"registers a factory, which returns the {in_words(kind)}"
        )
    if choice.python_object is not None:
        return LoadedComponent(kind, choice, choice.options, component, registered.plugin)
    return LoadedComponent(kind, Component(choice.name, own), options, component, registered.plugin)


def _registered(registry: Registry, kind: str, choice: Component) -> Registered:
    """Return what is registered under the name of a choice, or stands for its Python object."""
    python_object = choice.python_object
    if python_object is None:
        if choice.name == UNNAMED:
            raise VariantError("was a Python object that has no name: pass it to bleukit.load again", (kind,))
        return registry.find(kind, choice.name, (kind,))
    module = "" if choice.name == UNNAMED else getattr(python_object, "__module__", None) or "builtins"
    factory = python_object if isinstance(python_object, type) else lambda: python_object
    return Registered(Plugin(choice.name, module), factory)


def without_defaults(registry: Registry, kind: str, choice: Component) -> Component:
    """Return a choice without the options that are the default. Raises VariantError as :func:`create` does."""
    if choice.python_object is not None:
        return choice
    registered = registry.find(kind, choice.name, (kind,))
    return Component(choice.name, bind(registered.value, choice.options, kind, choice.name)[1])


def self_bleu_definition(registry: Registry, name: str) -> SelfBleuDefinition:
    """Return the definition of self-BLEU of this name. Raises VariantError with the near misses."""
    registered = registry.find(SELF_BLEU, name, ("definition",))
    with reported_as(lambda error: PluginError(f"{name!r} of {registered.plugin} fails: {one_line(error)}")):
        definition = registered.value()
    if not isinstance(definition, SelfBleuDefinition):
        raise PluginError(f"{name!r} of {registered.plugin} is no SelfBleuDefinition but {definition!r:.60}")
    return definition


@cache
def version_of(distribution: str) -> str:
    """Return the version of a distribution, empty if it is not installed; looked up once per process."""
    from importlib import metadata  # heavy, and needed for components that have distributions alone

    return next((found.version for found in metadata.distributions(name=distribution)), "")


def versions(factory: Factory) -> dict[str, str]:
    """Return the names in a factory's ``distributions``, each with its version, empty if it is not installed."""
    return {name: version_of(name) for name in getattr(factory, "distributions", ())}


def how_to_install(factory: Factory) -> str:
    """Return the command that installs what a factory needs, empty if all of it is installed."""
    absent = [distribution for distribution, version in versions(factory).items() if not version]
    return f"pip install {' '.join(absent)}" if absent else ""
