"""What is registered under which name, and by which plugin."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleukit.errors import PluginError, UnknownNameError, VariantError, near_misses
from bleukit.loading import manager
from bleukit.loading.manager import HOOKS, VARIANT, Plugin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bleukit.loading.manager import Candidate, Offer
    from bleukit.yaml_document import YamlDocument

DISABLE = "BLEUKIT_DISABLE_PLUGINS"
"""Environment variable: ``1`` keeps out all plugins but bleukit's own; or names, comma-separated, to keep out."""

UNTRUSTED_FILES = "BLEUKIT_UNTRUSTED_FILES"
"""Environment variable: ``1`` lets no variant file import a module."""


@dataclass(frozen=True)
class Registered:
    """What a plugin put under a name: a factory; a Variant, or the path of its YAML file."""

    plugin: Plugin
    value: Any

    @cached_property
    def document(self) -> YamlDocument:
        """The variant file, read when it is first needed. Raises VariantError if it cannot be read."""
        from bleukit import yaml_document  # PyYAML is heavy, and the default variant does not need it

        return yaml_document.read_yaml(self.value)


class Registry:
    """What some plugins offer, by kind (a key of HOOKS) and by name. Immutable.

    ``disabled`` are the plugins that DISABLE keeps out, ``unknown_disabled`` the names in it that no plugin has. A
    registry of the built-in plugins alone, ``is_partial``, raises UnknownNameError for modules of other plugins, too.
    """

    def __init__(
        self,
        plugins: tuple[Plugin, ...] = (),
        registered: Mapping[str, Mapping[str, Registered]] | None = None,
        *,
        disabled: tuple[Plugin, ...] = (),
        unknown_disabled: tuple[str, ...] = (),
        is_partial: bool = False,
    ) -> None:
        self.plugins = plugins
        self.registered = registered or {kind: {} for kind in HOOKS}
        self.disabled = disabled
        self.unknown_disabled = unknown_disabled
        self.is_partial = is_partial

    @classmethod
    def discover(cls, *, built_in_only: bool = False) -> Registry:
        """Return the built-in plugins, and those of the installed distributions.

        A plugin that does not import or breaks a hook's contract is kept out, with its ``problem``. Raises PluginError
        if two plugins claim one name.
        """
        candidates = [*manager.built_in_plugins(), *(() if built_in_only else manager.installed_plugins())]
        candidates.sort(key=lambda candidate: candidate.plugin.name)
        plugins = [candidate.plugin for candidate in candidates]
        setting = os.environ.get(DISABLE, "").strip()
        if setting == "1":
            names = {plugin.name for plugin in plugins if not plugin.is_built_in}
        else:
            names = {name.strip() for name in setting.split(",")} - {""}
        registry = cls(
            disabled=tuple(plugin for plugin in plugins if plugin.name in names),
            unknown_disabled=tuple(sorted(names - {plugin.name for plugin in plugins})),
            is_partial=built_in_only,
        )
        for candidate in candidates:
            if candidate.plugin not in registry.disabled:
                registry = registry._with_plugin(candidate)
        return registry

    def with_modules(
        self, modules: Iterable[str], folder: str | os.PathLike[str] = "", *, of_file: bool = False
    ) -> Registry:
        """Return this registry with the plugins of further modules.

        A module is named as in an import statement, and found where Python looks, else in ``folder``; or it is the path
        of a file, ``my_plugin.py``, from ``folder``. ``of_file`` says that a variant file names the modules. Raises
        VariantError for a module that does not import, breaks a hook's contract, or is not to be imported.
        """
        registry = self
        are_refused = of_file and os.environ.get(UNTRUSTED_FILES, "").strip() not in {"", "0"}
        for number, module in enumerate(modules):
            path = Path(folder, module)
            if module.endswith(".py") and not path.exists():
                raise VariantError(f"{path}: no such file", ("plugins", number))
            if are_refused and registry._known(module) is None and not registry.is_partial:
                trusted = "if you trust the module, name it by --plugin, or install it"
                raise VariantError(
                    f"{module!r} is not imported: variant files are untrusted; {trusted}", ("plugins", number)
                )
            registry, plugin = registry._with_module(module, Path(folder))
            if plugin.problem:
                raise VariantError(f"{plugin} {plugin.problem}", ("plugins", number))
        return registry

    @property
    def variants(self) -> Mapping[str, Registered]:
        """The named variants."""
        return self.registered[VARIANT]

    @property
    def warnings(self) -> list[str]:
        """What a user should know: which plugins could not be used, and which names in DISABLE no plugin has."""
        broken = [f"{plugin} is left out: it {plugin.problem}" for plugin in self.plugins if plugin.problem]
        known = [plugin.name for plugin in (*self.plugins, *self.disabled)]
        unknown = [f"{name!r}; {near_misses(name, known)}" for name in self.unknown_disabled]
        return [*broken, *(f"{DISABLE} names no plugin: {which}" for which in unknown)]

    def find(self, kind: str, name: str, key: tuple[str, ...]) -> Registered:
        """Return what is registered under a name. Raises VariantError, about ``key``, with the near misses."""
        known = self.registered[kind]
        if name in known:
            return known[name]
        problems = [f"unknown {kind.replace('_', ' ')} {name!r:.60}", near_misses(name, list(known))]
        problems += [f"{plugin} is not loaded: it {plugin.problem}" for plugin in self.plugins if plugin.problem]
        if self.disabled:
            problems.append(f"{DISABLE} keeps out {', '.join(map(str, self.disabled))}")
        raise UnknownNameError("; ".join(problems), key)

    def _with(self, **changed: Any) -> Registry:
        """Return this registry with other attributes."""
        return Registry(**{**vars(self), **changed})

    def _known(self, module: str) -> Plugin | None:
        """Return the plugin of a module, named or the path of a file, if it is in this registry."""
        name = Path(module).stem if module.endswith(".py") else module
        return next((known for known in self.plugins if known.module == name), None)

    def _with_module(self, module: str, folder: Path) -> tuple[Registry, Plugin]:
        """Return this registry with the plugin of a module, and the plugin."""
        known = self._known(module)
        is_file = module.endswith(".py")
        if is_file:
            module, folder = (folder / module).stem, (folder / module).parent
        if known is None and self.is_partial:
            raise UnknownNameError(f"{module!r} is no built-in plugin", ("plugins",))
        if known is None:
            registry = self._with_plugin(manager.of_module(module, folder))
            return registry, registry.plugins[-1]
        if is_file and not known.problem:
            manager.import_from(module, folder)  # it must be this file
        return self, known

    def _with_plugin(self, candidate: Candidate) -> Registry:
        """Return this registry with one plugin more; whatever is wrong with it becomes its ``problem``."""
        try:
            offer = manager.manager().register(candidate)
        except PluginError as error:
            return self._with(plugins=(*self.plugins, candidate.plugin._replace(problem=str(error))))
        joined = {kind: _joined(kind, self.registered[kind], offer, candidate.plugin) for kind in HOOKS}
        return self._with(plugins=(*self.plugins, candidate.plugin), registered=joined)


def _joined(kind: str, known: Mapping[str, Registered], offer: Offer, plugin: Plugin) -> dict[str, Registered]:
    for name in offer[kind]:
        if name in known:
            raise PluginError(
                f"two plugins register the {kind.replace('_', ' ')} {name!r}: {known[name].plugin} and {plugin}; "
                f"uninstall one, keep an installed one out with {DISABLE}=NAME, or drop it from `plugins`"
            )
    return {**known, **{name: Registered(plugin, value) for name, value in offer[kind].items()}}


def installed() -> Registry:
    """Return what :meth:`Registry.discover` finds, once a process, and the modules of :func:`also_installed`."""
    return _extended[-1] if _extended else _all()


def built_in() -> Registry:
    """Return the built-in plugins alone, or what is installed if there are modules of :func:`also_installed`.

    Most variants need no others, and to look for those takes as long as to score a small corpus.
    """
    return _extended[-1] if _extended else _built_in()


def warnings() -> list[str]:
    """Return what a user should know of plugins, if other plugins than the built-in ones were looked for or named."""
    is_looked_for = _extended or _all.cache_info().currsize or os.environ.get(DISABLE, "1") != "1"
    return installed().warnings if is_looked_for else []


@cache
def _all() -> Registry:
    return Registry.discover()


@cache
def _built_in() -> Registry:
    return Registry.discover(built_in_only=True)


_extended: list[Registry] = []


@contextmanager
def untrusted_files() -> Iterator[None]:
    """Let no variant file import a module within this context, in the whole process and those that it starts."""
    before = os.environ.get(UNTRUSTED_FILES)
    os.environ[UNTRUSTED_FILES] = "1"
    try:
        yield
    finally:
        os.environ.pop(UNTRUSTED_FILES)
        if before is not None:
            os.environ[UNTRUSTED_FILES] = before


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
