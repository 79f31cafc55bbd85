"""The plugin manager: one of pluggy's, which holds the hook specifications and every plugin.

Built-in plugins are named in one tuple, third parties' are found by their entry points; all are registered alike, and
all hooks are called through the manager. The hooks are historic: pluggy calls a plugin's hooks while it registers that
plugin, however late that is. So it is known which plugin offers what, and a plugin that fails does not stop the others.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cache, partial
from os import PathLike
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import pluggy

from bleukit import hookspecs
from bleukit.errors import NAME, PluginError, one_line, reported_as
from bleukit.variant import Variant
from bleukit.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

BUILT_IN = (
    "bleukit.built_in.allennlp",
    "bleukit.built_in.coco",
    "bleukit.built_in.code2seq",
    "bleukit.built_in.codexglue",
    "bleukit.built_in.commit_messages",
    "bleukit.built_in.dialogpt",
    "bleukit.built_in.doc2doc",
    "bleukit.built_in.dotnet",
    "bleukit.built_in.e2e_metrics",
    "bleukit.built_in.evaluate",
    "bleukit.built_in.fairseq",
    "bleukit.built_in.ignite",
    "bleukit.built_in.implementations",
    "bleukit.built_in.marian",
    "bleukit.built_in.matlab",
    "bleukit.built_in.moses",
    "bleukit.built_in.multeval",
    "bleukit.built_in.nltk",
    "bleukit.built_in.paper",
    "bleukit.built_in.parlai",
    "bleukit.built_in.sacrebleu",
    "bleukit.built_in.sockeye",
    "bleukit.built_in.tensorflow",
    "bleukit.built_in.torchmetrics",
    "bleukit.built_in.torchtext",
    "bleukit.built_in.wikipedia",
)
"""The modules of the built-in plugins."""

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

Offer: TypeAlias = "Mapping[str, Mapping[str, Any]]"
"""What a plugin offers: by kind, and by name, a factory; a Variant, or the path of its YAML file."""


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

    def __str__(self) -> str:
        origin = f" of {self.distribution} {self.version}" if self.distribution else ""
        return f"plugin {self.name!r}{origin}"


class Candidate(NamedTuple):
    """A plugin that may be registered; ``load`` imports it."""

    plugin: Plugin
    load: Callable[[], object]


class _PluginManager(pluggy.PluginManager):
    """Refuses wrappers by name; pluggy does not say why a historic hook cannot have any."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        options = super().parse_hookimpl_opts(plugin, name)
        if options and (options["wrapper"] or options["hookwrapper"]):
            raise PluginError(
                f"{options['specname'] or name} is implemented as a wrapper, which would change what other plugins "
                "offer without a word in the signature; return a mapping of what this plugin itself offers"
            )
        return options


class Manager:
    """Registers plugins with pluggy, and returns what each of them offers."""

    def __init__(self) -> None:
        self._pluggy = _PluginManager(hookspecs.PROJECT)
        self._pluggy.add_hookspecs(hookspecs)
        self._offers: dict[int, tuple[object, Offer]] = {}  # by the identity of the plugin, which it keeps alive
        self._returned: list[tuple[str, object]] = []  # by the hooks of the plugin that is being registered
        self._begun: list[str] = []  # the plugins that are being registered, each by a hook of the one before
        self._lock = RLock()
        for hook in HOOKS.values():
            getattr(self._pluggy.hook, hook).call_historic(result_callback=partial(self._add_returned, hook))

    def _add_returned(self, hook: str, returned: object) -> None:
        self._returned.append((hook, returned))

    def register(self, candidate: Candidate) -> Offer:
        """Import a plugin, register it, and return what it offers; once for each module.

        Raises PluginError if it does not load, or breaks a hook's contract.
        """
        with self._lock:
            if candidate.plugin.module in self._begun:
                raise PluginError("loads, in one of its hooks, a variant or component that needs the plugin itself")
            with _reported("does not load"):
                plugin = candidate.load()
            if id(plugin) not in self._offers:
                self._offers[id(plugin)] = plugin, self._register(plugin, candidate.plugin.module)
            return self._offers[id(plugin)][1]

    def _register(self, plugin: object, name: str) -> Offer:
        if self._pluggy.has_plugin(name):  # a module of this name that was imported anew
            self._pluggy.unregister(name=name)
        of_another, self._returned = self._returned, []  # of a plugin whose hook loads this one
        self._begun.append(name)
        try:
            with _reported("breaks a hook's contract"):
                self._pluggy.register(plugin, name)
            with _reported("does not load"):
                self._pluggy.check_pending()
            callers = self._pluggy.get_hookcallers(plugin) or ()
            hooks = [hook.name for hook in callers for one in hook.get_hookimpls() if one.plugin is plugin]
            return _checked_offer(hooks, self._returned)
        except PluginError:
            if self._pluggy.has_plugin(name):  # some versions of pluggy register what they then refuse
                self._pluggy.unregister(name=name)
            raise
        finally:
            self._begun.pop()
            self._returned = of_another


@cache
def manager() -> Manager:
    """Return the plugin manager of this process."""
    return Manager()


def built_in_plugins() -> list[Candidate]:
    """Return the built-in plugins."""
    return [
        Candidate(
            Plugin(module.rpartition(".")[2], module, hookspecs.PROJECT, __version__),
            partial(importlib.import_module, module),
        )
        for module in BUILT_IN
    ]


def installed_plugins() -> list[Candidate]:
    """Return the plugins of the installed distributions, by their entry points."""
    from importlib import metadata  # heavy, and needed for other plugins than the built-in ones alone

    return [
        Candidate(Plugin(entry.name, entry.value, entry.dist.name, entry.dist.version), entry.load)
        for entry in metadata.entry_points(group=hookspecs.PROJECT)
        if entry.dist
    ]


def of_module(module: str, folder: Path) -> Candidate:
    """Return the plugin of a module, which is found where Python looks, else in a folder."""
    from importlib import metadata

    top = module.partition(".")[0]
    distribution = next(iter(metadata.packages_distributions().get(top, ())), "")
    version = metadata.version(distribution) if distribution else ""
    return Candidate(Plugin(module, module, distribution, version), partial(import_from, module, folder))


def import_from(module: str, folder: Path) -> object:
    """Import a module, found where Python looks, else in a folder.

    Raises PluginError if the folder has a module of this name, and Python finds another one.
    """
    path = str(folder.resolve())
    sys.path.append(path)
    try:
        imported = importlib.import_module(module)
    finally:
        sys.path.remove(path)
    stem = Path(path, *module.split("."))
    for beside in (stem.with_suffix(".py"), stem / "__init__.py"):
        if beside.exists() and not beside.samefile(imported.__file__ or os.devnull):
            raise PluginError(f"{beside} has the name of another module, {imported.__file__}; rename it")
    return imported


@contextmanager
def _reported(problem: str) -> Iterator[None]:
    """Raise PluginError for what a plugin raises; what it prints goes to standard error, not between the scores."""

    def error_of(error: BaseException) -> PluginError:
        # pluggy itself refuses a function that does not fit the specification of its hook
        what = "does not load" if isinstance(error, pluggy.PluginValidationError) else problem
        return PluginError(f"{what}: {one_line(error)}")

    with redirect_stdout(sys.stderr), reported_as(error_of):
        yield


def _checked_offer(implemented: Sequence[str], returned: Sequence[tuple[str, object]]) -> Offer:
    """Return what a plugin offers. Raises PluginError if it is nothing, or not what the contract of a hook says.

    ``implemented`` names the hooks that the plugin implements, ``returned`` holds what they return, unless that is
    None, which pluggy leaves out.
    """
    if not implemented:
        raise PluginError("does not load: it implements no hook of bleukit; see bleukit.plugin")
    with _reported("breaks a hook's contract"):
        for hook in implemented:
            if implemented.count(hook) > 1:
                raise PluginError(f"it implements {hook} {implemented.count(hook)} times")
        by_hook = dict(returned)
        return {kind: _checked(hook, by_hook.get(hook)) if hook in implemented else {} for kind, hook in HOOKS.items()}


def _checked(hook: str, offered: object) -> Mapping[str, Any]:
    """Return what a hook returns, by name. Raises PluginError if that is not what its contract says."""
    what = "variants" if hook == HOOKS[VARIANT] else "factories"
    if not isinstance(offered, Mapping):
        raise PluginError(f"{hook} returns {offered!r:.60}, not a mapping of names to {what}")
    for name, value in offered.items():
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise PluginError(f"{hook} returns the name {name!r:.60}; names are letters, digits and ._+-")
        if what == "variants":
            _check_variant(hook, name, value)
        elif not callable(value):
            raise PluginError(f"{hook} returns {value!r:.60} under {name!r}, not a factory: it cannot be called")
    return dict(offered)


def _check_variant(hook: str, name: str, value: object) -> None:
    if not isinstance(value, Variant | PathLike):
        raise PluginError(
            f"{hook} returns {value!r:.60} under {name!r}, neither a Variant nor the path of a variant file"
        )
    if isinstance(value, Variant) and value.name not in {"", name}:
        raise PluginError(f"{hook} returns the variant {value.name!r} under another name, {name!r}")
