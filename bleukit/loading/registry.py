"""What is registered under which name, and by which plugin."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit import yaml_document
from bleukit.errors import PluginError, UnknownNameError, VariantError, near_misses, one_line, reported_as
from bleukit.loading import names
from bleukit.loading.manager import (
    COMPONENT_HOOKS,
    HOOKS,
    VARIANT,
    Plugin,
    fingerprint,
    found_plugins,
    imported,
    manager,
    plugin_of_module,
)
from bleukit.variant import Variant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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
            found = imported(self.offered)
        return found if isinstance(found, type) else lambda: found

    @cached_property
    def document(self) -> YamlDocument:
        """The variant, whose file is read when it is first needed. Raises VariantError if it cannot be read."""
        if isinstance(self.offered, Variant):
            return yaml_document.YamlDocument(f"a variant of {self.plugin}", self.offered.fields(), {})
        return yaml_document.read_yaml(self.offered)


class Clash(NamedTuple):
    """A name that two plugins register: the second cannot use it; nor can the first, unless it is bleukit's own."""

    kind: str
    name: str
    first: Plugin
    second: Plugin

    def __str__(self) -> str:
        what = f"the {in_words(self.kind)} {self.name!r}"
        if self.first.is_built_in:
            return f"{self.second} registers {what}, the name of one of bleukit's own: rename it"
        ways = f"uninstall one, or keep it out with {DISABLE}=NAME"
        return f"two plugins register {what}, so that neither is used: {self.first} and {self.second}; {ways}"


class Registry:
    """What plugins offer, by kind (a key of HOOKS) and by name.

    Plugins are imported in their order, until a name that is looked for is found: to import all, and to look for
    installed ones, takes as long as to score a small corpus. The attributes are of those imported so far:
    ``clashes`` are names that cannot be used, ``disabled`` the plugins that DISABLE keeps out. A plugin that does not
    import or breaks a hook's contract is one of ``plugins``, with its ``problem``, and offers nothing.
    """

    def __init__(self, plugins: Iterable[Plugin] = ()) -> None:
        self.plugins: tuple[Plugin, ...] = ()
        self.registered: Mapping[str, Mapping[str, Registered]] = {kind: {} for kind in HOOKS}
        self.clashes: tuple[Clash, ...] = ()
        self.disabled: tuple[Plugin, ...] = ()
        self._waiting = iter(plugins)

    def complete(self) -> Registry:
        """Import all plugins that are waiting, and return the registry itself."""
        while self._import_next():
            pass
        return self

    def _import_next(self) -> bool:
        """Import the next plugin, and return whether there is one.

        Those that are not built in are imported together, because two of them may register the same name.
        """
        with manager().lock:
            names, is_there = _names_to_keep_out(), False
            for plugin in self._waiting:
                is_there = True
                if plugin.name in names or ("1" in names and not plugin.is_built_in):
                    self.disabled += (plugin,)
                else:
                    self._add(plugin)
                if plugin.is_built_in:
                    break
            return is_there

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
        vars(registry).update(vars(self.complete()))
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

    @property
    def variants(self) -> Mapping[str, Registered]:
        """The named variants."""
        return self.registered[VARIANT]

    @property
    def warnings(self) -> list[str]:
        """What a user should know: plugins and names that cannot be used, and names in DISABLE that no plugin has."""
        broken = [f"{plugin} is left out: it {plugin.problem}" for plugin in self.plugins if plugin.problem]
        known = [plugin.name for plugin in (*self.plugins, *self.disabled)]
        unknown = sorted(_names_to_keep_out() - {"1", *known})
        misses = [f"{DISABLE} names no plugin: {name!r}; {near_misses(name, known)}" for name in unknown]
        return [*broken, *map(str, self.clashes), *misses]

    def get(self, kind: str, name: str) -> Registered | None:
        """Return what is registered under a name, None if there is nothing that can be used."""
        while name not in self.registered[kind] and self._import_next():
            pass
        return self.registered[kind].get(name)

    def variant_spelled(self, name: str) -> str | None:
        """Return the variant whose name differs from ``name`` in case, blanks, hyphens and underscores alone."""
        spelled = names.folded(name)
        return next((known for known in self.complete().variants if names.folded(known) == spelled), None)

    def find(self, kind: str, name: str, key: tuple[str, ...]) -> Registered:
        """Return what is registered under a name.

        Raises VariantError, about ``key``, for a name that two plugins register, and its subclass UnknownNameError,
        with the near misses, for one that none does.
        """
        found = self.get(kind, name)
        if found:
            return found
        clash = self._clash(kind, name)
        if clash:
            raise VariantError(str(clash), key)
        raise UnknownNameError("; ".join(self._why_unknown(kind, name)), key)

    def _why_unknown(self, kind: str, name: str) -> Iterator[str]:
        program = ", and no program of this name is known" if kind == VARIANT else ""
        yield f"unknown {in_words(kind)} {name!r:.60}{program}"
        known = [*self.registered[kind]]
        others = [other for other in COMPONENT_HOOKS if other != kind and name in self.registered[other]]
        if others:
            yield f"it is a {in_words(others[0])}: --set {others[0]}={name}, or `{others[0]}: {name}` in a variant file"
        elif any(name == plugin.name for plugin in self.plugins):
            yield "it is a plugin, and `bleukit plugins` lists what that provides"
        if kind == VARIANT:
            yield near_misses(name, known + names.written(), "`bleukit variants` lists all", cutoff=0.75)
        else:
            yield near_misses(name, known)
        yield from (f"{plugin} is not loaded: it {plugin.problem}" for plugin in self.plugins if plugin.problem)
        if self.disabled:
            yield f"{DISABLE} keeps out {', '.join(map(str, self.disabled))}"

    def _add(self, plugin: Plugin, folder: Path | None = None) -> Plugin:
        """Add a plugin to a registry that is being made; whatever is wrong with it becomes its ``problem``."""
        try:
            offer = manager().offer_of(plugin, folder)
        except PluginError as error:
            plugin = plugin._replace(problem=str(error))
            offer = []
        if not plugin.distribution:
            plugin = plugin._replace(version=fingerprint(sys.modules.get(plugin.module)))
        if plugin in self.plugins:
            return plugin
        registered = {kind: dict(names) for kind, names in self.registered.items()}
        for kind, name, offered in offer:
            known, clash = registered[kind], self._clash(kind, name)
            first = clash.first if clash else known[name].plugin if name in known else None
            if first is None:
                known[name] = Registered(plugin, offered)
                continue
            self.clashes += (Clash(kind, name, first, plugin),)
            if not first.is_built_in:
                known.pop(name, None)
        self.plugins, self.registered = (*self.plugins, plugin), registered
        return plugin

    def _clash(self, kind: str, name: str) -> Clash | None:
        return next((clash for clash in self.clashes if (clash.kind, clash.name) == (kind, name)), None)


def in_words(kind: str) -> str:
    """Return a kind as it is written in messages."""
    return kind.replace("_", " ")


def _names_to_keep_out() -> set[str]:
    return {name.strip() for name in os.environ.get(DISABLE, "").split(",")} - {""}


def lazy() -> Registry:
    """Return the registry of what is installed, one in a process, or of what :func:`also_installed` adds to that."""
    return _extended[-1] if _extended else _found()


def installed() -> Registry:
    """Return the registry of :func:`lazy`, complete."""
    return lazy().complete()


def warnings() -> list[str]:
    """Return what a user should know of the plugins that were imported so far; of all, if DISABLE names some."""
    return (installed() if _names_to_keep_out() - {"1"} else lazy()).warnings


@cache
def _found() -> Registry:
    return Registry(found_plugins())


_extended: list[Registry] = []


def are_files_untrusted() -> bool:
    """Return whether no variant file may import a module."""
    return os.environ.get(UNTRUSTED_FILES, "").strip() not in {"", "0"}


@contextmanager
def also_installed(modules: Iterable[str]) -> Iterator[None]:
    """Count the plugins of further modules as installed within this context, in the whole process.

    Raises VariantError as :meth:`Registry.with_modules` does; paths are from the current folder.
    """
    _extended.append(installed().with_modules(tuple(modules)))
    try:
        yield
    finally:
        _extended.pop()
