"""The plugins, and what is registered under which name.

Built-in plugins are the packages in one folder, third parties' are found by their entry points. All are registered
alike with one manager of pluggy, and all hooks are called through it: those of one plugin at a time, when it is
registered. So it is known which plugin offers what, and a plugin that fails does not stop the others.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache, cached_property, partial, reduce
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import pluggy

from bleukit.framework import hookspecs
from bleukit.framework.errors import (
    NAME,
    BleukitError,
    PluginError,
    UnknownNameError,
    VariantError,
    near_misses,
    one_line,
    reported_as,
)
from bleukit.framework.hookspecs import BUILT_IN, PROJECT, TOKENIZER
from bleukit.framework.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike
    from types import ModuleType

    from bleukit.framework.protocols import Factory

FIRST = ("paper", "sacrebleu")
"""The plugins that are asked for a name before the others: the default variant needs no more."""

DISABLE = "BLEUKIT_DISABLE_PLUGINS"
"""Environment variable: ``1`` keeps out all plugins but bleukit's own; or names, comma-separated, to keep out."""

UNTRUSTED_FILES = "BLEUKIT_UNTRUSTED_FILES"
"""Environment variable: ``1`` lets no variant file import a module."""


class Plugin(NamedTuple):
    """Where components come from; ``problem`` says why a plugin could not be used."""

    name: str
    module: str
    distribution: str = ""
    version: str = ""
    problem: str = ""

    @property
    def is_built_in(self) -> bool:
        """Whether it is one of bleukit's own."""
        return self.distribution == PROJECT

    @property
    def description(self) -> str:
        """The first line of the docstring of its module, up to a colon, without its full stop."""
        module = sys.modules.get(self.module.partition(":")[0])
        line = (getattr(module, "__doc__", None) or "").strip().partition("\n")[0]
        return line.partition(": ")[0].replace("`", "").removesuffix(".")

    def __str__(self) -> str:
        origin = f" of {self.distribution} {self.version}" if self.distribution else ""
        return f"plugin {self.name!r}{origin}"


@dataclass(frozen=True)
class Registered:
    """What a plugin put under a name: a factory, or its place; for other kinds what their hooks say."""

    plugin: Plugin
    offered: Any

    @cached_property
    def value(self) -> Any:
        """The factory, imported when it is first needed. Raises PluginError if its module does not import."""
        if not isinstance(self.offered, str):
            return self.offered
        with reported_as(lambda error: PluginError(f"{self.plugin} lacks {self.offered}: {one_line(error)}")):
            return factory_of(imported(self.offered))


def factory_of(python_object: Any) -> Factory:
    """Return the factory that is meant by a Python object: a class is one; all else is the component itself."""
    return python_object if isinstance(python_object, type) else lambda: python_object


def _is_factory_or_place(value: Any) -> bool:
    return (callable(value) and isinstance(value, Hashable)) or (isinstance(value, str) and ":" in value)


class Kind(NamedTuple):
    """A kind of what plugins offer by name, and the hook that collects it.

    ``wanted`` says what the hook maps names to, and ``accepts`` whether a value is that. ``is_component`` says that a
    variant chooses it under the key of this name. ``unknown`` is added to what is said of an unknown name, ``near``
    returns what is accepted instead, given the name and those that are known.
    """

    name: str
    hook: str
    wanted: str = "factories, or places 'module:name'"
    accepts: Callable[[Any], bool] = _is_factory_or_place
    is_component: bool = False
    unknown: str = ""
    near: Callable[[str, list[str]], str] = near_misses

    def __str__(self) -> str:
        return kind_in_words(self.name)


KINDS: dict[str, Kind] = {}
"""All kinds, by name."""

_manager = pluggy.PluginManager(PROJECT)


def add_hooks(specifications: ModuleType, *kinds: Kind) -> None:
    """Add hooks, which a module specifies, with the kinds of what they return."""
    _manager.add_hookspecs(specifications)
    KINDS.update({kind.name: kind for kind in kinds})


add_hooks(hookspecs, Kind(TOKENIZER, "bleukit_tokenizers", is_component=True))


class Clash(NamedTuple):
    """A name that two plugins register: the second cannot use it; nor can the first, unless it is bleukit's own."""

    kind: str
    name: str
    first: Plugin
    second: Plugin

    def __str__(self) -> str:
        what = f"the {kind_in_words(self.kind)} {self.name!r}"
        if self.first.is_built_in:
            return f"{self.second} registers {what}, the name of one of bleukit's own: rename it"
        ways = f"uninstall one, or keep it out with {DISABLE}=NAME"
        return f"two plugins register {what}, so that neither is used: {self.first} and {self.second}; {ways}"


class Registry:
    """What plugins offer, by kind (a key of KINDS) and by name.

    Plugins are imported in their order, until a name that is looked for is found: to import all, and to look for
    installed ones, takes as long as to score a small corpus. What asks for all names imports all. A plugin that does
    not import or breaks a hook's contract is one of ``plugins``, with its ``problem``, and offers nothing. ``disabled``
    are those, of the plugins looked at so far, that DISABLE keeps out.
    """

    def __init__(self, plugins: Iterable[Plugin] = ()) -> None:
        self._waiting = iter(plugins)
        self._plugins: list[Plugin] = []
        self.disabled: list[Plugin] = []
        self._offers: dict[str, dict[str, list[Registered]]] = defaultdict(dict)

    @property
    def plugins(self) -> Sequence[Plugin]:
        """All plugins but the disabled ones."""
        self._import()
        return self._plugins

    @property
    def clashes(self) -> list[Clash]:
        """The names that two plugins register, of those imported so far."""
        return [
            Clash(kind, name, first.plugin, other.plugin)
            for kind, offers in self._offers.items()
            for name, (first, *others) in offers.items()
            for other in others
        ]

    def of_kind(self, kind: str) -> dict[str, Registered]:
        """Return what can be used of a kind, by name."""
        self._import()
        return {name: usable for name, offers in self._offers[kind].items() if (usable := _usable(offers))}

    def get(self, kind: str, name: str) -> Registered | None:
        """Return what is registered under a name, None if there is nothing that can be used."""
        if name not in self._offers[kind]:
            self._import(kind, name)
        return _usable(self._offers[kind].get(name, ()))

    def find(self, kind: str, name: str, key: tuple[str, ...]) -> Registered:
        """Return what is registered under a name.

        Raises VariantError, about ``key``, for a name that two plugins register, and its subclass UnknownNameError,
        with the near misses, for one that none does.
        """
        found = self.get(kind, name)
        if found:
            return found
        for clash in self.clashes:
            if (clash.kind, clash.name) == (kind, name):
                raise VariantError(str(clash), key)
        raise UnknownNameError("; ".join(self._why_unknown(kind, name)), key)

    def _why_unknown(self, kind: str, name: str) -> Iterator[str]:
        yield f"unknown {KINDS[kind]} {name!r:.60}{KINDS[kind].unknown}"
        known = [*self.of_kind(kind)]
        others = (other for other in KINDS.values() if other.is_component and other.name != kind)
        other = next((other for other in others if self.get(other.name, name)), None)
        if other:
            yield f"it is a {other}: --set {other.name}={name}, or `{other.name}: {name}` in a variant file"
        elif any(name == plugin.name for plugin in self.plugins):
            yield "it is a plugin, and `bleukit plugins` lists what that provides"
        yield KINDS[kind].near(name, known)
        yield from (f"{plugin} is not loaded: it {plugin.problem}" for plugin in self.plugins if plugin.problem)
        if self.disabled:
            yield f"{DISABLE} keeps out {', '.join(map(str, self.disabled))}"

    def warnings(self) -> list[str]:
        """Return what a user should know: plugins and names that cannot be used, and names in DISABLE of no plugin.

        It is about the plugins that were imported so far, about all if DISABLE names some.
        """
        kept_out = _names_to_keep_out() - {"1"}
        if kept_out:
            self._import()
        broken = [f"{plugin} is left out: it {plugin.problem}" for plugin in self._plugins if plugin.problem]
        known = [plugin.name for plugin in (*self._plugins, *self.disabled)]
        misses = [
            f"{DISABLE} names no plugin: {name!r}; {near_misses(name, known)}" for name in sorted(kept_out - {*known})
        ]
        return [*broken, *map(str, self.clashes), *misses]

    def _import(self, kind: str = "", name: str = "") -> None:
        """Import the plugins that wait, until a built-in one offers the name; all if there is none.

        Those that are not built in are imported together, because two of them may register the same name.
        """
        with _LOCK:
            kept_out = _names_to_keep_out()
            for plugin in self._waiting:
                if plugin.name in kept_out or ("1" in kept_out and not plugin.is_built_in):
                    self.disabled.append(plugin)
                else:
                    self._add(plugin)
                if plugin.is_built_in and name and name in self._offers[kind]:
                    break

    def _add(self, plugin: Plugin, folder: Path | None = None) -> Plugin:
        """Import a plugin, and add what it offers; whatever is wrong with it becomes its ``problem``."""
        try:
            offer = _offer_of(plugin, folder)
        except PluginError as error:
            plugin, offer = plugin._replace(problem=str(error)), []
        if not plugin.distribution:
            plugin = plugin._replace(version=fingerprint(sys.modules.get(plugin.module)))
        if plugin not in self._plugins:
            self._plugins.append(plugin)
            for kind, name, offered in offer:
                self._offers[kind].setdefault(name, []).append(Registered(plugin, offered))
        return plugin

    def with_modules(
        self, modules: Sequence[str], folder: str | PathLike[str] = "", *, of_file: bool = False
    ) -> Registry:
        """Return this registry with the plugins of further modules.

        A module is named as in an import statement, and found where Python looks, else in ``folder``; or it is the path
        of a file, ``my_plugin.py``, from ``folder``. ``of_file`` says that a variant file names the modules. Raises
        VariantError for a module that does not import, breaks a hook's contract, takes a name of bleukit's own, or is
        not to be imported.
        """
        if not modules:  # as of most variants
            return self
        registry = Registry()
        registry._plugins, registry.disabled = [*self.plugins], self.disabled
        for kind, offers in self._offers.items():
            registry._offers[kind] = {name: [*registered] for name, registered in offers.items()}
        for number, module in enumerate(modules):
            registry._add_module(module, Path(folder), ("plugins", number), of_file=of_file)
        return self if registry.plugins == self.plugins else registry

    def _add_module(self, module: str, folder: Path, key: tuple[str, int], *, of_file: bool) -> None:
        path, name = folder / module, module
        if path.suffix == ".py":
            if not path.exists():
                raise VariantError(f"{path}: no such file", key)
            folder, name = path.parent, path.stem
        plugin = next((plugin for plugin in self.plugins if plugin.module == name), None)
        if plugin is None and of_file and are_files_untrusted():
            trusted = "if you trust the module, name it by --plugin, or install it"
            raise VariantError(f"{module!r} is not imported: variant files are untrusted; {trusted}", key)
        if plugin is None or path.suffix == ".py":  # then it must be this file
            plugin = self._add(plugin or _plugin_of_module(name), folder)
        clash = next((clash for clash in self.clashes if clash.second == plugin and clash.first.is_built_in), None)
        if plugin.problem or clash:
            problem = f"{plugin} {plugin.problem}" if plugin.problem else str(clash)
            named = next((known for known in self.plugins if known.name == module != known.module), None)
            hint = f"; it is the name of {named}, whose module is {named.module}: no need to list it" if named else ""
            raise VariantError(problem + hint, key)


def _usable(offers: Sequence[Registered]) -> Registered | None:
    """Return the one that can be used of what is registered under a name: the only one, or bleukit's own."""
    return offers[0] if offers and (len(offers) == 1 or offers[0].plugin.is_built_in) else None


def kind_in_words(kind: str) -> str:
    """Return a kind as it is written in messages."""
    return kind.replace("_", " ")


def _names_to_keep_out() -> set[str]:
    return {name.strip() for name in os.environ.get(DISABLE, "").split(",")} - {""}


def are_files_untrusted() -> bool:
    """Return whether no variant file may import a module."""
    return os.environ.get(UNTRUSTED_FILES, "").strip() not in {"", "0"}


def found_plugins() -> Iterator[Plugin]:
    """Return the built-in plugins, then those of installed distributions, by their entry points, sorted by name."""
    for folder in import_module(BUILT_IN).__path__:
        names = [path.name for path in Path(folder).iterdir() if (path / "__init__.py").exists()]
        for name in sorted(names, key=lambda name: (name not in FIRST, name)):
            yield Plugin(name, f"{BUILT_IN}.{name}", PROJECT, __version__)
    from importlib import metadata  # heavy, and needed for other plugins than the built-in ones alone

    entries = metadata.entry_points(group=PROJECT)
    yield from sorted(
        Plugin(entry.name, entry.value, entry.dist.name, entry.dist.version) for entry in entries if entry.dist
    )


_registries = [Registry(found_plugins())]
"""The registry of what is installed, and on it those that :func:`also_installed` adds to."""


def installed() -> Registry:
    """Return the registry of what is installed, one in a process, or of what :func:`also_installed` adds to that."""
    return _registries[-1]


@contextmanager
def also_installed(modules: Iterable[str]) -> Iterator[None]:
    """Count the plugins of further modules as installed within this context, in the whole process.

    Raises VariantError as :meth:`Registry.with_modules` does; paths are from the current folder.
    """
    _registries.append(installed().with_modules(tuple(modules)))
    try:
        yield
    finally:
        _registries.pop()


def _plugin_of_module(module: str) -> Plugin:
    """Return the plugin of a module that is named."""
    from importlib import metadata

    distribution = next(iter(metadata.packages_distributions().get(module.partition(".")[0], ())), "")
    return Plugin(module, module, distribution, metadata.version(distribution) if distribution else "")


def _import_from(module: str, folder: Path) -> None:
    """Import a module, found where Python looks, else in a folder.

    Raises PluginError if there is none, or if the folder has a module of this name, and Python finds another one.
    """
    top, place = module.partition(".")[0], folder.resolve()
    if getattr(sys.modules.get(top, sys), "__spec__", None) is None:  # __main__, or made by hand: found nowhere
        return
    found, beside = find_spec(top), PathFinder.find_spec(top, [str(place)])
    if found is None and beside is None:
        raise PluginError(f"does not load: there is no module {top!r} where Python looks, and no {place / top}.py")
    if found is None:
        sys.path.append(str(place))
        try:
            import_module(module)
        finally:
            sys.path.remove(str(place))
    elif beside and beside.origin and not (found.origin and Path(beside.origin).samefile(found.origin)):
        other = found.origin or top
        raise PluginError(f"does not load: {beside.origin} has the name of another module, {other}; rename it")


@cache
def fingerprint(module: ModuleType | None) -> str:
    """Return what tells the code of a module from other code: of its file or, of a package, of all its Python files.

    It is empty if there is no file, and stays what it is if the file changes after the module was imported.
    """
    import hashlib  # heavy, and needed for modules of no distribution alone

    path = Path(getattr(module, "__file__", None) or "")
    files = sorted(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]
    try:
        return f"sha256:{hashlib.sha256(b''.join(file.read_bytes() for file in files)).hexdigest()[:16]}"
    except OSError:  # a module that is built in, or in an archive
        return ""


def imported(place: str) -> Any:
    """Return the module, or what is in it, at a place such as ``module:name``."""
    module, _, name = place.partition(":")
    return reduce(getattr, filter(None, name.split(".")), import_module(module))


_Offer: TypeAlias = "list[tuple[str, str, Any]]"
"""What a plugin offers: the kind, the name, and what its hook returns under that name."""

_LOCK = RLock()
"""Held while plugins are imported and registered."""

_offers: dict[object, _Offer] = {}
"""What the plugins that are registered offer."""


def _offer_of(plugin: Plugin, folder: Path | None) -> _Offer:
    """Import a plugin, also from a folder, register it, and return what it offers; once for each module.

    Raises PluginError if it does not load, or breaks a hook's contract. What it prints goes to standard error.
    """
    with _LOCK, redirect_stdout(sys.stderr):
        with reported_as(partial(_problem, "does not load")):
            if folder:
                _import_from(plugin.module, folder)
            loaded = imported(plugin.module)
        with reported_as(partial(_problem, "breaks a hook's contract")):
            if loaded not in _offers:
                _offers[loaded] = _register(loaded, plugin.module)
            return _offers[loaded]


def _register(loaded: object, module: str) -> _Offer:
    """Register a plugin with pluggy, and return what its hooks offer."""
    if _manager.is_registered(loaded):
        raise PluginError("loads, in one of its hooks, a variant or component that needs the plugin itself")
    if _manager.has_plugin(module):  # it was imported anew
        _manager.unregister(name=module)
    _manager.register(loaded, module)
    try:
        return [*_called(loaded)]
    except BaseException:
        _manager.unregister(loaded)
        raise


def _called(loaded: object) -> Iterator[tuple[str, str, Any]]:
    """Call the hooks of a plugin, and yield what they offer. Raises PluginError if one breaks its contract."""
    hooks, others = {kind.hook for kind in KINDS.values()}, _manager.get_plugins() - {loaded}
    callers = {caller.name: caller for caller in _manager.get_hookcallers(loaded) or ()}
    for name in {*dir(loaded)} & hooks - callers.keys():
        raise PluginError(f"does not load: {name} lacks @hookimpl")
    for hook, caller in callers.items():
        own = [found for found in caller.get_hookimpls() if found.plugin is loaded]
        if hook not in hooks and not all(found.optionalhook for found in own):
            raise PluginError(f"does not load: unknown hook {hook!r}; {near_misses(hook, [*hooks])}")
        if any(found.wrapper or found.hookwrapper for found in own):
            raise PluginError(
                f"breaks a hook's contract: {hook} is implemented as a wrapper, which would change what "
                "other plugins offer; return a mapping of what this plugin itself offers"
            )
    if not hooks & callers.keys():
        raise PluginError("does not load: it implements no hook of bleukit; see bleukit.plugin")
    for kind in KINDS.values():
        if kind.hook in callers:
            for returned in _manager.subset_hook_caller(kind.hook, others)() or [None]:  # pluggy leaves out None
                yield from ((kind.name, name, value) for name, value in _checked(kind, returned).items())


def _problem(what: str, error: BaseException) -> PluginError:
    """Return what is wrong with a plugin that raised an error, and in which line of which file."""
    where = ""
    traceback = None if isinstance(error, BleukitError) else error.__traceback__
    while traceback:
        frame = traceback.tb_frame
        if not frame.f_globals.get("__name__", "").startswith(("bleukit.framework", "importlib", "pluggy")):
            where = f" ({frame.f_code.co_filename}:{traceback.tb_lineno})"
        traceback = traceback.tb_next
    return error if isinstance(error, PluginError) else PluginError(f"{what}: {one_line(error)}{where}")


def _checked(kind: Kind, offered: object) -> Mapping[str, Any]:
    """Return what a hook returns, by name. Raises PluginError if that is not what its contract says."""
    returns = f"breaks a hook's contract: {kind.hook} returns"
    if not isinstance(offered, Mapping):
        raise PluginError(f"{returns} {offered!r:.60}, not a mapping of names to {kind.wanted}")
    for name, value in offered.items():
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise PluginError(f"{returns} the name {name!r:.60}; names are letters, digits and ._+-")
        if not kind.accepts(value):
            raise PluginError(f"{returns} {value!r:.60} under {name!r}; expected a mapping of names to {kind.wanted}")
    return offered
