"""From what is registered under a name, and options, to a component that is ready to be called.

The options are the keyword arguments of the component's factory, checked against its signature and annotations.
"""

from __future__ import annotations

import inspect
import sys
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.framework.errors import (
    BleukitError,
    NotInstalledError,
    PluginError,
    VariantError,
    near_misses,
    one_line,
    reported_as,
)
from bleukit.framework.options import UNNAMED, Component, checked
from bleukit.framework.registry import Plugin, Registered, factory_of, fingerprint, kind_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bleukit.framework.errors import Key
    from bleukit.framework.protocols import Factory
    from bleukit.framework.registry import Registry


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


def create_all(registry: Registry, choices: Mapping[str, Component]) -> dict[str, LoadedComponent]:
    """Create the components that a variant chooses, by kind. Raises as :func:`create`."""
    return {kind: create(registry, kind, choice) for kind, choice in choices.items()}


def create(registry: Registry, kind: str, choice: Component) -> LoadedComponent:
    """Create the component that a variant chooses.

    Raises VariantError for an unknown name or a wrong option, its subclass NotInstalledError for what is not installed,
    PluginError if the factory fails.
    """
    registered = _chosen(registry, kind, choice)
    missing = how_to_install(registered.value)
    if missing:
        raise NotInstalledError(f"{choice.name!r} needs what is not installed: {missing}", (kind,))
    options, own = bind(registered.value, {} if choice.python_object is not None else choice.options, kind, choice.name)

    def reported(error: BaseException) -> BaseException:
        if isinstance(error, BleukitError):
            return error
        if isinstance(error, ValueError | TypeError):
            reason = str(error) or one_line(error)
            reason += _perhaps_itself(registered.value, kind) if isinstance(error, TypeError) else ""
            return VariantError(f"{choice.name!r} does not accept its options: {reason}", (kind,))
        return PluginError(f"{kind} {choice.name!r} of {registered.plugin} cannot be created: {one_line(error)}")

    with reported_as(reported):
        component = registered.value(**options)
    if not callable(component):
        raise PluginError(
            f"{kind} {choice.name!r} of {registered.plugin} is not callable but {component!r:.60}: a plugin "
            f"registers a factory, which returns the {kind_in_words(kind)}"
        )
    if choice.python_object is not None:
        return LoadedComponent(kind, choice, choice.options, component, registered.plugin)
    return LoadedComponent(kind, Component(choice.name, own), options, component, registered.plugin)


def _chosen(registry: Registry, kind: str, choice: Component) -> Registered:
    """Return what is registered under the name of a choice, or stands for its Python object."""
    python_object = choice.python_object
    if python_object is None:
        if choice.name == UNNAMED:
            raise VariantError("was a Python object that has no name: pass it to bleukit.load again", (kind,))
        return registry.find(kind, choice.name, (kind,))
    module = "" if choice.name == UNNAMED else getattr(python_object, "__module__", None) or "builtins"
    plugin = Plugin(choice.name, module, version=fingerprint(sys.modules.get(module)))
    return Registered(plugin, factory_of(python_object))


def all_without_defaults(registry: Registry, choices: Mapping[str, Component]) -> dict[str, Component]:
    """Return choices by kind without the options that are the default. Raises as :func:`without_defaults`."""
    return {kind: without_defaults(registry, kind, choice) for kind, choice in choices.items()}


def without_defaults(registry: Registry, kind: str, choice: Component) -> Component:
    """Return a choice without the options that are the default. Raises VariantError as :func:`create` does."""
    if choice.python_object is not None:
        return choice
    registered = registry.find(kind, choice.name, (kind,))
    return Component(choice.name, bind(registered.value, choice.options, kind, choice.name)[1])


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


class Options(NamedTuple):
    """The options of a factory by name, with their types as annotations; ``takes_any`` says that it takes any other."""

    by_name: Mapping[str, inspect.Parameter]
    takes_any: bool

    @property
    def required(self) -> list[str]:
        """The options that have no default."""
        return [name for name, option in self.by_name.items() if option.default is option.empty]


@lru_cache(maxsize=1024)
def options_of(factory: Callable[..., Any]) -> Options:
    """Return the options that a factory takes."""
    is_plain = type(factory) is type and {factory.__init__, factory.__new__} == {object.__init__, object.__new__}  # type: ignore[misc]
    try:  # inspect takes long to find that object takes none
        parameters = [] if is_plain else [*inspect.signature(factory).parameters.values()]
    except (TypeError, ValueError):  # built-in callables without a signature take no options
        parameters = []
    dataclass_fields = fields(factory) if is_dataclass(factory) else ()
    made = {field.name: field.default_factory() for field in dataclass_fields if field.default_factory is not MISSING}
    by_name = {
        p.name: p.replace(annotation=_type(p.annotation, factory), default=made.get(p.name, p.default))
        for p in parameters
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    }
    return Options(by_name, takes_any=any(p.kind is p.VAR_KEYWORD for p in parameters))


def bind(
    factory: Callable[..., Any], chosen: Mapping[str, Any], kind: str, name: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return all options a factory is called with, defaults included, and those of them that are not defaults.

    Raises VariantError, with the key under ``kind``, for an option that is unknown, missing or of the wrong type.
    """
    accepted = options_of(factory)
    converted = {}
    for option, value in chosen.items():
        if option in accepted.by_name:
            converted[option] = _converted(value, accepted.by_name[option].annotation, (kind, option))
        elif accepted.takes_any:
            converted[option] = value
        else:
            known = near_misses(option, [*accepted.by_name]) if accepted.by_name else f"{name!r} takes no options"
            raise VariantError(f"unknown option; {known}", (kind, option))
    missing = next((option for option in accepted.required if option not in converted), None)
    if missing:
        needs = f"{name!r} needs the option {missing!r} ({accepted.by_name[missing]})"
        raise VariantError(needs + _perhaps_itself(factory, kind), (kind,))
    defaults = {o.name: o.default for o in accepted.by_name.values() if o.default is not o.empty}
    own = {option: value for option, value in converted.items() if option not in defaults or value != defaults[option]}
    return {**defaults, **converted}, own


def _perhaps_itself(factory: Callable[..., Any], kind: str) -> str:
    """Say what to do if a function was registered that is the component, not its factory; empty if it is a class."""
    if isinstance(factory, type):
        return ""
    itself = f"if what is registered is the {kind_in_words(kind)} itself"
    return f"; {itself}, the plugin must register a factory that returns it, as `lambda: str.split` does"


def _type(annotation: Any, factory: Callable[..., Any]) -> Any:
    """Return the type that an annotation is; the annotation itself if only type checkers know what it names."""
    if isinstance(annotation, str):
        names = vars(sys.modules.get(factory.__module__, sys.modules[__name__]))
        with suppress(Exception):
            return eval(annotation, dict(names))  # noqa: S307 - the plugin's own annotation, as typing.get_type_hints does
    return annotation


def _converted(value: Any, annotation: Any, key: Key) -> Any:
    """Convert the value of an option to its type. Raises VariantError, with the key, if it does not fit."""
    try:
        return value if annotation is inspect.Parameter.empty else checked(value, annotation, key)
    except VariantError:
        raise
    except Exception:  # noqa: BLE001 - an annotation beyond plain data: the factory must check the value itself
        return value
