"""The plugin manager: one of pluggy's, which holds the hook specifications and every plugin.

Built-in plugins are the packages in one folder, third parties' are found by their entry points; all are registered
alike, and all hooks are called through the manager. It calls those of one plugin at a time, when it registers that
plugin. So it is known which plugin offers what, and a plugin that fails does not stop the others.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from functools import cache, partial, reduce
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import pluggy

from bleukit import hookspecs
from bleukit.errors import NAME, BleukitError, PluginError, near_misses, one_line, reported_as
from bleukit.variant import Variant
from bleukit.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

BUILT_IN = "bleukit.built_in"
"""The package of the built-in plugins, a package each."""

FIRST = ("paper", "sacrebleu")
"""Those that are asked for a name before the others: the default variant needs no more."""

COMPONENT_HOOKS = {
    "tokenizer": "bleukit_tokenizers",
    "counter": "bleukit_ngram_counters",
    "reference_length": "bleukit_reference_lengths",
    "smoothing": "bleukit_smoothings",
    "brevity_penalty": "bleukit_brevity_penalties",
}
"""The kinds of components, each the name of a key of a variant, and the hook that collects their factories."""

IMPLEMENTATION = "implementation"
SIGNATURE = "signature"
SELF_BLEU = "self_bleu_definition"
VARIANT = "variant"
HOOKS = {
    **COMPONENT_HOOKS,
    IMPLEMENTATION: "bleukit_implementations",
    SIGNATURE: "bleukit_signatures",
    SELF_BLEU: "bleukit_self_bleu_definitions",
    VARIANT: "bleukit_variants",
}
"""All kinds of what plugins offer by name, and the hooks."""

Offer: TypeAlias = "list[tuple[str, str, Any]]"
"""What a plugin offers: the kind, the name, and what its hook returns under that name."""


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
        return self.distribution == hookspecs.PROJECT

    @property
    def description(self) -> str:
        """The first line of the docstring of its module, up to a colon, without its full stop."""
        module = sys.modules.get(self.module.partition(":")[0])
        line = (getattr(module, "__doc__", None) or "").strip().partition("\n")[0]
        return line.partition(": ")[0].replace("`", "").removesuffix(".")

    def __str__(self) -> str:
        origin = f" of {self.distribution} {self.version}" if self.distribution else ""
        return f"plugin {self.name!r}{origin}"


def found_plugins() -> Iterator[Plugin]:
    """Return the built-in plugins, then those of installed distributions, by their entry points, sorted by name."""
    for folder in import_module(BUILT_IN).__path__:
        names = [path.name for path in Path(folder).iterdir() if (path / "__init__.py").exists()]
        for name in sorted(names, key=lambda name: (name not in FIRST, name)):
            yield Plugin(name, f"{BUILT_IN}.{name}", hookspecs.PROJECT, __version__)
    from importlib import metadata  # heavy, and needed for other plugins than the built-in ones alone

    entries = metadata.entry_points(group=hookspecs.PROJECT)
    yield from sorted(
        Plugin(entry.name, entry.value, entry.dist.name, entry.dist.version) for entry in entries if entry.dist
    )


def plugin_of_module(module: str) -> Plugin:
    """Return the plugin of a module that is named."""
    from importlib import metadata

    distribution = next(iter(metadata.packages_distributions().get(module.partition(".")[0], ())), "")
    return Plugin(module, module, distribution, metadata.version(distribution) if distribution else "")


def import_from(module: str, folder: Path) -> None:
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


LOCK = RLock()
"""Held while plugins are imported and registered."""

_manager = pluggy.PluginManager(hookspecs.PROJECT)
_manager.add_hookspecs(hookspecs)

_offers: dict[object, Offer] = {}
"""What the plugins that are registered offer."""


def offer_of(plugin: Plugin, folder: Path | None = None) -> Offer:
    """Import a plugin, also from a folder, register it, and return what it offers; once for each module.

    Raises PluginError if it does not load, or breaks a hook's contract. What it prints goes to standard error.
    """
    with LOCK, redirect_stdout(sys.stderr):
        with reported_as(partial(_problem, "does not load")):
            if folder:
                import_from(plugin.module, folder)
            loaded = imported(plugin.module)
        with reported_as(partial(_problem, "breaks a hook's contract")):
            if loaded not in _offers:
                _offers[loaded] = _registered(loaded, plugin.module)
            return _offers[loaded]


def _registered(loaded: object, module: str) -> Offer:
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
    hooks, others = {*HOOKS.values()}, _manager.get_plugins() - {loaded}
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
    for kind, hook in HOOKS.items():
        if hook in callers:
            for returned in _manager.subset_hook_caller(hook, others)() or [None]:  # pluggy leaves out None
                yield from ((kind, name, value) for name, value in _checked(kind, returned).items())


def _problem(what: str, error: BaseException) -> PluginError:
    """Return what is wrong with a plugin that raised an error, and in which line of which file."""
    where = ""
    traceback = None if isinstance(error, BleukitError) else error.__traceback__
    while traceback:
        frame = traceback.tb_frame
        if not frame.f_globals.get("__name__", "").startswith(("bleukit.loading", "importlib", "pluggy")):
            where = f" ({frame.f_code.co_filename}:{traceback.tb_lineno})"
        traceback = traceback.tb_next
    return error if isinstance(error, PluginError) else PluginError(f"{what}: {one_line(error)}{where}")


def _checked(kind: str, offered: object) -> Mapping[str, Any]:
    """Return what a hook returns, by name. Raises PluginError if that is not what its contract says."""
    returns = f"breaks a hook's contract: {HOOKS[kind]} returns"
    wanted = "variants, or the pathlib.Path of a file" if kind == VARIANT else "factories, or places 'module:name'"
    if not isinstance(offered, Mapping):
        raise PluginError(f"{returns} {offered!r:.60}, not a mapping of names to {wanted}")
    for name, value in offered.items():
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise PluginError(f"{returns} the name {name!r:.60}; names are letters, digits and ._+-")
        is_place = isinstance(value, str) and ":" in value
        if not (isinstance(value, Variant | PathLike) if kind == VARIANT else callable(value) or is_place):
            raise PluginError(f"{returns} {value!r:.60} under {name!r}; expected a mapping of names to {wanted}")
    return offered
