"""What is registered under which name, and by which plugin."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit import yaml_document
from bleukit.errors import PluginError, UnknownNameError, VariantError, near_misses, one_line, reported_as
from bleukit.loading import names
from bleukit.loading.manager import (
    COMPONENT_HOOKS,
    HOOKS,
    LOCK,
    VARIANT,
    Plugin,
    fingerprint,
    found_plugins,
    imported,
    offer_of,
    plugin_of_module,
)
from bleukit.variant import Variant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bleukit.protocols import Factory
    from bleukit.yaml_document import YamlDocument

DISABLE = "BLEUKIT_DISABLE_PLUGINS"
"""Environment variable: ``1`` keeps out all plugins but bleukit's own; or names, comma-separated, to keep out."""

UNTRUSTED_FILES = "BLEUKIT_UNTRUSTED_FILES"
"""Environment variable: ``1`` lets no variant file import a module."""


@dataclass(frozen=True)
class Registered:
    """What a plugin put under a name: a factory, or its place; a Variant, or the path of its YAML file."""

    plugin: Plugin
    offered: Any

    @cached_property
    def value(self) -> Any:
        """The factory, imported when it is first needed. Raises PluginError if its module does not import."""
        if not isinstance(self.offered, str):
            return self.offered
        with reported_as(lambda error: PluginError(f"{self.plugin} lacks {self.offered}: {one_line(error)}")):
            return factory_of(imported(self.offered))

    @cached_property
    def document(self) -> YamlDocument:
        """The variant, whose file is read when it is first needed. Raises VariantError if it cannot be read."""
        if isinstance(self.offered, Variant):
            return yaml_document.YamlDocument(f"a variant of {self.plugin}", self.offered.fields(), {})
        return yaml_document.read_yaml(self.offered)


def factory_of(python_object: Any) -> Factory:
    """Return the factory that is meant by a Python object: a class is one; all else is the component itself."""
    return python_object if isinstance(python_object, type) else lambda: python_object


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
    """What plugins offer, by kind (a key of HOOKS) and by name.

    Plugins are imported in their order, until a name that is looked for is found: to import all, and to look for
    installed ones, takes as long as to score a small corpus. What asks for all names imports all. A plugin that does
    not import or breaks a hook's contract is one of ``plugins``, with its ``problem``, and offers nothing. ``disabled``
    are those, of the plugins looked at so far, that DISABLE keeps out.
    """

    def __init__(self, plugins: Iterable[Plugin] = ()) -> None:
        self._waiting = iter(plugins)
        self._plugins: list[Plugin] = []
        self.disabled: list[Plugin] = []
        self._offers: dict[str, dict[str, list[Registered]]] = {kind: {} for kind in HOOKS}

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
        clash = next((clash for clash in self.clashes if (clash.kind, clash.name) == (kind, name)), None)
        if clash:
            raise VariantError(str(clash), key)
        raise UnknownNameError("; ".join(self._why_unknown(kind, name)), key)

    def _why_unknown(self, kind: str, name: str) -> Iterator[str]:
        program = ", and no program of this name is known" if kind == VARIANT else ""
        yield f"unknown {kind_in_words(kind)} {name!r:.60}{program}"
        known = [*self.of_kind(kind)]
        other = next((other for other in COMPONENT_HOOKS if other != kind and self.get(other, name)), "")
        if other:
            yield f"it is a {kind_in_words(other)}: --set {other}={name}, or `{other}: {name}` in a variant file"
        elif any(name == plugin.name for plugin in self.plugins):
            yield "it is a plugin, and `bleukit plugins` lists what that provides"
        if kind == VARIANT:
            yield near_misses(name, [*known, *names.known()], "`bleukit variants` lists all", cutoff=0.75)
        else:
            yield near_misses(name, known)
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

    def _import(self, kind: str = VARIANT, name: str = "") -> None:
        """Import the plugins that wait, until a built-in one offers the name; all if there is none.

        Those that are not built in are imported together, because two of them may register the same name.
        """
        with LOCK:
            kept_out = _names_to_keep_out()
            for plugin in self._waiting:
                if plugin.name in kept_out or ("1" in kept_out and not plugin.is_built_in):
                    self.disabled.append(plugin)
                else:
                    self._add(plugin)
                if plugin.is_built_in and name in self._offers[kind]:
                    break

    def _add(self, plugin: Plugin, folder: Path | None = None) -> Plugin:
        """Import a plugin, and add what it offers; whatever is wrong with it becomes its ``problem``."""
        try:
            offer = offer_of(plugin, folder)
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
        self, modules: Sequence[str], folder: str | os.PathLike[str] = "", *, of_file: bool = False
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
        registry._offers = {k: {name: [*offers] for name, offers in of.items()} for k, of in self._offers.items()}
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
            plugin = self._add(plugin or plugin_of_module(name), folder)
        problems = [f"{plugin} {plugin.problem}"] if plugin.problem else []
        problems += [str(clash) for clash in self.clashes if clash.second == plugin and clash.first.is_built_in]
        if problems:
            named = (known for known in self.plugins if known.name == module != known.module)
            hint = (
                f"; it is the name of {known}, whose module is {known.module}: no need to list it" for known in named
            )
            raise VariantError(problems[0] + next(hint, ""), key)


def _usable(offers: Sequence[Registered]) -> Registered | None:
    """Return the one that can be used of what is registered under a name: the only one, or bleukit's own."""
    return offers[0] if offers and (len(offers) == 1 or offers[0].plugin.is_built_in) else None


def kind_in_words(kind: str) -> str:
    """Return a kind as it is written in messages."""
    return kind.replace("_", " ")


def _names_to_keep_out() -> set[str]:
    return {name.strip() for name in os.environ.get(DISABLE, "").split(",")} - {""}


_registries = [Registry(found_plugins())]
"""The registry of what is installed, and on it those that :func:`also_installed` adds to."""


def installed() -> Registry:
    """Return the registry of what is installed, one in a process, or of what :func:`also_installed` adds to that."""
    return _registries[-1]


def are_files_untrusted() -> bool:
    """Return whether no variant file may import a module."""
    return os.environ.get(UNTRUSTED_FILES, "").strip() not in {"", "0"}


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
