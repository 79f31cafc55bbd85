"""Finds plugins, resolves names, and remembers where each component came from."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from functools import cache, cached_property, partial
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import pluggy

from bleukit import hookspecs
from bleukit.errors import (
    NAME,
    BleukitError,
    NotInstalledError,
    PluginError,
    VariantError,
    near_misses,
    one_line,
    reported_as,
)
from bleukit.known_document import KnownDocument
from bleukit.loading import built_in, entry_points

if TYPE_CHECKING:
    from pathlib import Path

    from bleukit.hookspecs import Factory
    from bleukit.offers import SelfBleuDefinition
    from bleukit.variant import Component, Variant
    from bleukit.yaml_document import Document

COMPONENT_HOOKS = {
    "tokenizer": "bleukit_tokenizers",
    "counter": "bleukit_ngram_counters",
    "reference_length": "bleukit_reference_lengths",
    "smoothing": "bleukit_smoothings",
}
"""The kinds of components, each the name of a field of a variant, and the hook that collects their factories."""

IMPLEMENTATION = "implementation"
SIGNATURE = "signature"
SELF_BLEU = "self_bleu_definition"
FACTORY_HOOKS = {
    **COMPONENT_HOOKS,
    IMPLEMENTATION: "bleukit_implementations",
    SIGNATURE: "bleukit_signatures",
    SELF_BLEU: "bleukit_self_bleu_definitions",
}
"""All hooks that collect factories: of components, other libraries' BLEU, other tools' signatures, and self-BLEU."""

_ARGUMENTS = {"tokenizer": 1, "counter": 3, "reference_length": 2, "smoothing": 1, IMPLEMENTATION: 3, SIGNATURE: 1}
"""The number of arguments of what a factory creates."""

DISABLE = "BLEUKIT_DISABLE_PLUGINS"
"""Environment variable: ``1`` keeps out all plugins but bleukit's own; or names, comma-separated, to keep out."""


class Plugin(NamedTuple):
    """Where components come from; ``problem`` says why a plugin could not be used.

    ``is_given`` says that it stands for a Python object that a caller passes as a component.
    """

    name: str
    module: str
    distribution: str = ""
    version: str = ""
    problem: str = ""
    is_given: bool = False

    @property
    def is_built_in(self) -> bool:
        """Whether it is one of bleukit's own."""
        return self.distribution == hookspecs.PROJECT

    def __str__(self) -> str:
        origin = f" of {self.distribution} {self.version}" if self.distribution else ""
        return f"plugin {self.name!r}{origin}"


class Registered:
    """What a plugin put under a name: a component's factory; a Variant, or the YAML document of one.

    ``load`` returns it, and may import the plugin, if that is one of bleukit's own.
    """

    def __init__(self, plugin: Plugin, load: Callable[[], Any]) -> None:
        self.plugin = plugin
        self._load = load

    @cached_property
    def value(self) -> Any:
        """What is registered. Raises PluginError if the plugin does not load after all."""
        return self._load()


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

    def __str__(self) -> str:
        return f"{self.kind} {self.name!r} ({self.plugin})"


class Registry:
    """All plugins that were found, and what each registered. Immutable.

    ``components`` maps each kind (a key of FACTORY_HOOKS) to the names registered for it, ``variants`` a variant's name
    to its Variant or YAML document. ``disabled`` are the plugins that DISABLE keeps out, ``unknown_disabled`` the names
    in it that no plugin has.
    """

    def __init__(
        self,
        plugins: tuple[Plugin, ...] = (),
        components: Mapping[str, Mapping[str, Registered]] | None = None,
        variants: Mapping[str, Registered] = MappingProxyType({}),
        *,
        disabled: tuple[Plugin, ...] = (),
        unknown_disabled: tuple[str, ...] = (),
    ) -> None:
        self.plugins = plugins
        self.components = components or {kind: {} for kind in FACTORY_HOOKS}
        self.variants = variants
        self.disabled = disabled
        self.unknown_disabled = unknown_disabled

    @classmethod
    def discover(cls) -> Registry:
        """Return the plugins of the installed distributions, found by their entry points.

        A plugin that does not import or breaks a hook's contract is kept out, with its ``problem``. Raises PluginError
        if two plugins claim one name.
        """
        setting = os.environ.get(DISABLE, "").strip()
        found = [
            (Plugin(entry.name, entry.value, entry.distribution, entry.version), entry.load)
            for entry in entry_points.of_group(hookspecs.PROJECT)
        ]
        found.sort(key=lambda pair: pair[0].name)
        if setting == "1":
            names = {plugin.name for plugin, _ in found if not plugin.is_built_in}
        else:
            names = {name.strip() for name in setting.split(",")} - {""}
        registry = cls(
            disabled=tuple(plugin for plugin, _ in found if plugin.name in names),
            unknown_disabled=tuple(sorted(names - {plugin.name for plugin, _ in found})),
        )
        for plugin, load in found:
            if plugin not in registry.disabled:
                is_known = plugin.is_built_in and plugin.module in built_in.PLUGINS
                registry = (registry._with_built_in if is_known else registry._with_plugin)(plugin, load)
        return registry

    def with_modules(self, modules: Iterable[str], folder: str | PathLike[str] = "") -> Registry:
        """Return this registry with the plugins of further modules.

        A module is named as in an import statement, and found where Python looks, else in ``folder``; or it is the path
        of a file, ``my_plugin.py``, from ``folder``. Raises VariantError for a module that does not import or breaks a
        hook's contract: it was asked for by name.
        """
        registry = self
        for number, module in enumerate(modules):
            from pathlib import Path  # which takes long to import

            path = Path(folder, module)
            if module.endswith(".py") and not path.exists():
                raise VariantError(f"{path}: no such file", ("plugins", number))
            registry, plugin = registry._with_module(module, Path(folder))
            if plugin.problem:
                raise VariantError(f"{plugin} {plugin.problem}", ("plugins", number))
        return registry

    def with_callable(self, kind: str, given: Callable[..., Any]) -> tuple[Registry, str]:
        """Return this registry with a component that a caller passes, and the name that it has there.

        ``given`` is the component, or a class whose instances without arguments are. Its version is unknown.
        """
        named = given if hasattr(given, "__qualname__") else type(given)
        module, qualified = getattr(named, "__module__", None) or "builtins", re.sub(r"[^\w.]+", "", named.__qualname__)
        name = re.sub(r"[^A-Za-z0-9._+-]", "-", f"{module}.{qualified}").lstrip("._-+")
        factory: Factory = given if isinstance(given, type) else lambda: given
        plugin = Plugin(name, module, is_given=True)
        components = {**self.components, kind: {**self.components[kind], name: Registered(plugin, lambda: factory)}}
        return self._with(components=components), name

    @property
    def warnings(self) -> list[str]:
        """What a user should know: which plugins could not be used, and which names in DISABLE no plugin has."""
        broken = [f"{plugin} is left out: it {plugin.problem}" for plugin in self.plugins if plugin.problem]
        known = [plugin.name for plugin in (*self.plugins, *self.disabled)]
        unknown = [f"{name!r}; {near_misses(name, known)}" for name in self.unknown_disabled]
        return [*broken, *(f"{DISABLE} names no plugin: {which}" for which in unknown)]

    def create(self, kind: str, choice: Component) -> LoadedComponent:
        """Create the component that a variant chooses.

        Raises VariantError for an unknown name or a wrong option, its subclass NotInstalledError for what is not
        installed, PluginError if the factory fails.
        """
        from bleukit.loading.options import bind

        registered = self._find(self.components[kind], choice.name, kind, (kind,))
        missing = how_to_install(registered.value)
        if missing:
            raise NotInstalledError(f"{choice.name!r} needs what is not installed: {missing}", (kind,))
        _check_factory(registered, kind, choice)
        options, own = bind(registered.value, choice.options, kind)

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
                f"registers a factory, which returns the {kind.replace('_', ' ')}"
            )
        return LoadedComponent(kind, type(choice)(choice.name, own), options, component, registered.plugin)

    def shortest(self, kind: str, choice: Component) -> Component:
        """Return a choice without the options that are the default. Raises VariantError as :meth:`create` does."""
        from bleukit.loading.options import bind

        registered = self._find(self.components[kind], choice.name, kind, (kind,))
        return type(choice)(choice.name, bind(registered.value, choice.options, kind)[1])

    def variant(self, name: str) -> Variant | Document | KnownDocument:
        """Return the variant registered under ``name``. Raises VariantError with the near misses."""
        variant: Variant | Document | KnownDocument = self._find(self.variants, name, "variant", ("variant",)).value
        return variant

    def self_bleu(self, name: str) -> SelfBleuDefinition:
        """Return the definition of self-BLEU of this name. Raises VariantError with the near misses."""
        from bleukit.offers import SelfBleuDefinition

        registered = self._find(self.components[SELF_BLEU], name, SELF_BLEU, ("definition",))
        with reported_as(lambda error: PluginError(f"{name!r} of {registered.plugin} fails: {one_line(error)}")):
            definition = registered.value()
        if not isinstance(definition, SelfBleuDefinition):
            raise PluginError(f"{name!r} of {registered.plugin} is no SelfBleuDefinition but {definition!r:.60}")
        return definition

    def _find(self, known: Mapping[str, Registered], name: str, kind: str, key: tuple[str, ...]) -> Registered:
        if name in known:
            return known[name]
        problems = [f"unknown {kind.replace('_', ' ')} {name!r:.60}", near_misses(name, list(known))]
        problems += [f"{plugin} is not loaded: it {plugin.problem}" for plugin in self.plugins if plugin.problem]
        if self.disabled:
            problems.append(f"{DISABLE} keeps out {', '.join(map(str, self.disabled))}")
        if not any(plugin.is_built_in for plugin in (*self.plugins, *self.disabled)):
            problems.append("bleukit is not installed, only imported: run 'pip install .' in its folder")
        raise VariantError("; ".join(problems), key)

    def _with(self, **changed: Any) -> Registry:
        """Return this registry with other attributes."""
        return Registry(**{**vars(self), **changed})

    def _with_module(self, module: str, folder: Path) -> tuple[Registry, Plugin]:
        """Return this registry with the plugin of a module, and the plugin."""
        is_file = module.endswith(".py")
        if is_file:
            module, folder = (folder / module).stem, (folder / module).parent
        known = next((known for known in self.plugins if known.module == module), None)
        if known is None:
            registry = self._with_plugin(_plugin_of_module(module), partial(_import, module, folder))
            return registry, registry.plugins[-1]
        if is_file and not known.problem:
            _import(module, folder)  # it must be this file
        return self, known

    def _with_plugin(self, plugin: Plugin, load: Callable[[], object]) -> Registry:
        """Return this registry with one plugin more; whatever is wrong with it becomes its ``problem``."""
        try:
            hooks = loaded(load, plugin.name)
            components, variants = offered_components(hooks), offered_variants(hooks)
        except PluginError as error:
            return self._with(plugins=(*self.plugins, plugin._replace(problem=str(error))))
        offered = {
            kind: {name: _returning(value) for name, value in named.items()} for kind, named in components.items()
        }
        return self._with_offered(plugin, offered, {name: _returning(value) for name, value in variants.items()})

    def _with_built_in(self, plugin: Plugin, load: Callable[[], object]) -> Registry:
        """Return this registry with one of bleukit's own plugins more, which is imported when it is needed."""
        components, variants = built_in.PLUGINS[plugin.module]

        @cache
        def offered(hook: str) -> dict[str, Any]:
            try:
                with _loading():
                    function = getattr(load(), hook)  # by its name: the table was written after pluggy had checked it
                return _components({hook: function}, hook)
            except PluginError as error:
                raise PluginError(f"{plugin} is not loaded: it {error}") from error

        def factory(kind: str, name: str) -> Any:
            return offered(FACTORY_HOOKS[kind])[name]

        factories = {
            kind: {name: partial(factory, kind, name) for name in components.get(kind, ())} for kind in FACTORY_HOOKS
        }
        documents = {name: partial(_document, plugin, *variant) for name, variant in variants.items()}
        return self._with_offered(plugin, factories, documents)

    def _with_offered(
        self,
        plugin: Plugin,
        components: Mapping[str, Mapping[str, Callable[[], Any]]],
        variants: Mapping[str, Callable[[], Any]],
    ) -> Registry:
        return self._with(
            plugins=(*self.plugins, plugin),
            components={kind: _joined(kind, self.components[kind], components[kind], plugin) for kind in FACTORY_HOOKS},
            variants=_joined("variant", self.variants, variants, plugin),
        )


def installed() -> Registry:
    """Return what :meth:`Registry.discover` finds, once a process, and the modules of :func:`also_installed`."""
    return _extended[-1] if _extended else _discovered()


def looked_for() -> Registry | None:
    """Return what is installed if anything was looked for in this process; load no plugin."""
    return installed() if _extended or _discovered.cache_info().currsize else None


@cache
def _discovered() -> Registry:
    return Registry.discover()


_extended: list[Registry] = []


@contextmanager
def also_installed(modules: Iterable[str]) -> Iterator[None]:
    """Count the plugins of further modules as installed within this context, in the whole process.

    Raises VariantError as :meth:`Registry.with_modules` does; paths are from the current folder.
    """
    _extended.append(installed().with_modules(modules))
    try:
        yield
    finally:
        _extended.pop()


@cache
def version_of(distribution: str) -> str:
    """Return the version of a distribution, empty if it is not installed; looked up once per process."""
    from importlib import metadata

    return next((found.version for found in metadata.distributions(name=distribution)), "")


def versions(factory: Factory) -> dict[str, str]:
    """Return the names in a factory's ``distributions``, each with its version, empty if it is not installed."""
    return {name: version_of(name) for name in getattr(factory, "distributions", ())}


def how_to_install(factory: Factory) -> str:
    """Return the command that installs what a factory needs, empty if all of it is installed."""
    absent = [distribution for distribution, version in versions(factory).items() if not version]
    return f"pip install {' '.join(absent)}" if absent else ""


def _check_factory(registered: Registered, kind: str, choice: Component) -> None:
    """Raise VariantError for a function that takes what the component takes, so that it may be the component itself."""
    from bleukit.loading.options import required

    factory = registered.value
    by_position, by_name = required(factory)
    parameters = [*by_position, *by_name]
    if isinstance(factory, type) or len(parameters) != _ARGUMENTS[kind] or choice.options.keys() & set(parameters):
        return
    name = getattr(factory, "__qualname__", type(factory).__qualname__)
    name = name if name.replace(".", "").isidentifier() else "this function"
    example = "" if " " in name else f", `lambda: {name}`"
    it_is = f"{name} is the {kind.replace('_', ' ')} itself, not a factory"
    if not by_position:
        it_is = f"{choice.name!r} needs the option {' and '.join(map(repr, by_name))}; or, if {it_is}"
    raise VariantError(f"{it_is}: {registered.plugin} must register a factory that returns it{example}", (kind,))


def loaded(load: Callable[[], object], name: str) -> dict[str, Callable[[], object]]:
    """Import a plugin and return its hooks. Raises PluginError if it does not load."""
    with _loading():
        return _hooks(load(), name)


@contextmanager
def _loading() -> Iterator[None]:
    """Raise PluginError for what a plugin raises; what it prints goes to standard error, not between the scores."""
    with redirect_stdout(sys.stderr), reported_as(lambda error: PluginError(f"does not load: {one_line(error)}")):
        yield


def offered_components(hooks: Mapping[str, Callable[[], object]]) -> dict[str, dict[str, Any]]:
    """Return the factories of a plugin by kind. Raises PluginError if they break a hook's contract."""
    with reported_as(lambda error: PluginError(f"breaks a hook's contract: {one_line(error)}")):
        return {kind: _components(hooks, hook) for kind, hook in FACTORY_HOOKS.items()}


def _returning(value: Any) -> Callable[[], Any]:
    return lambda: value


def _document(plugin: Plugin, file: str, keys: Mapping[str, Any]) -> KnownDocument:
    """Return the variant of a built-in plugin, in a file beside its module."""

    def path() -> str:
        from pathlib import Path

        found = importlib.import_module(plugin.module).__file__ or ""
        return str(Path(found).with_name(file))

    return KnownDocument(path, dict(keys))


def _hooks(module: object, name: str) -> dict[str, Callable[[], object]]:
    """Let pluggy find and check the hook implementations of one plugin."""
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.register(module, name)
    manager.check_pending()
    callers = manager.get_hookcallers(module)
    if not callers:
        raise PluginError("it implements no hook of bleukit; see bleukit.hookspecs")
    return {caller.name: caller.get_hookimpls()[0].function for caller in callers}


def _components(hooks: Mapping[str, Callable[[], object]], hook: str) -> dict[str, Any]:
    offered = hooks[hook]() if hook in hooks else {}
    if not isinstance(offered, Mapping):
        raise PluginError(f"{hook} returns {offered!r:.60}, not a mapping of names to factories")
    for name, factory in offered.items():
        _checked_name(name, hook)
        if not callable(factory):
            raise PluginError(f"{hook} returns {factory!r:.60} under {name!r}, not a factory: it cannot be called")
    return dict(offered)


def offered_variants(hooks: Mapping[str, Callable[[], object]]) -> dict[str, Any]:
    """Return the variants of a plugin. Raises PluginError if they break the hook's contract."""
    with reported_as(lambda error: PluginError(f"breaks a hook's contract: {one_line(error)}")):
        return _variants(hooks)


def _variants(hooks: Mapping[str, Callable[[], object]]) -> dict[str, Any]:
    from bleukit import yaml_document
    from bleukit.variant import Variant

    offered = hooks["bleukit_variants"]() if "bleukit_variants" in hooks else ()
    if not isinstance(offered, Iterable) or isinstance(offered, str | bytes | Mapping):
        raise PluginError(f"bleukit_variants returns {offered!r:.60}, not a list of variants")
    variants: dict[str, Any] = {}
    for variant in offered:
        if isinstance(variant, PathLike):
            document = yaml_document.read(variant)
            name = document.data.get("name") if isinstance(document.data, dict) else None
            value: Any = document
        elif isinstance(variant, Variant):
            name, value = variant.name, variant
        else:
            raise PluginError(
                f"bleukit_variants returns {variant!r:.60}, neither a Variant nor the path of a YAML file"
            )
        name = _checked_name(name, "bleukit_variants")
        if name in variants:
            raise PluginError(f"bleukit_variants returns two variants {name!r}")
        variants[name] = value
    return variants


def _checked_name(name: object, hook: str) -> str:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise PluginError(f"{hook} returns the name {name!r:.60}; names are letters, digits and ._+-")
    return name


def _joined(
    kind: str, known: Mapping[str, Registered], offered: Mapping[str, Callable[[], Any]], plugin: Plugin
) -> dict[str, Registered]:
    for name in offered:
        if name in known:
            raise PluginError(
                f"two plugins register the {kind.replace('_', ' ')} {name!r}: {known[name].plugin} and {plugin}; "
                f"uninstall one, keep an installed one out with {DISABLE}=NAME, or drop it from `plugins`"
            )
    return {**known, **{name: Registered(plugin, load) for name, load in offered.items()}}


def _plugin_of_module(module: str) -> Plugin:
    from importlib import metadata

    top = module.partition(".")[0]
    distribution = next(iter(metadata.packages_distributions().get(top, ())), "")
    return Plugin(module, module, distribution, metadata.version(distribution) if distribution else "")


def _import(module: str, folder: Path) -> object:
    from pathlib import Path

    path = str(folder.resolve())
    sys.path.append(path)
    try:
        found = importlib.import_module(module)
    finally:
        sys.path.remove(path)
    stem = Path(path, *module.split("."))
    for beside in (stem.with_suffix(".py"), stem / "__init__.py"):
        if beside.exists() and not beside.samefile(found.__file__ or os.devnull):
            raise PluginError(f"{beside} has the name of another module, {found.__file__}; rename it")
    return found
