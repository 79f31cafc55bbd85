"""The process in which components run: it loads the plugins, and answers requests.

Run by :class:`~bleukit.conformance.processes.parent.Child`. A request is the name of a function below and its
arguments, all plain data; the reply is what it returns, or several replies, one after the other, of what it yields.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec
from bleukit.conformance.contracts import calls, composition
from bleukit.conformance.judging import named_variants, observing
from bleukit.conformance.judging.cases import Case
from bleukit.conformance.processes import guards
from bleukit.conformance.processes.plain_data import UNCOLLECTED, receive, send

import bleukit
import bleukit.metric  # and with it all that a plugin could replace
from bleukit.errors import BleukitError, NotInstalledError
from bleukit.loading import creating, manager, registry
from bleukit.variant import Component

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


DECLARATIONS = (
    "counts_otherwise",
    "depends_on_order",
    "depends_on_orders",
    "depends_on_size",
    "drops_characters",
    "exceeds_one",
    "lowers_precisions",
    "refuses_input",
    "rewrites_text",
    "smooths_matches",
)
"""The attributes by which a component says that its own definition departs from a rule."""

PROMISES = ("grows_with_matches", "ignores_reference_length")
"""The attributes by which a smoothing says what others may rely on."""

VALUES: dict[str, Callable[[Any], Any]] = {
    "clips": bool,
    "least_total": int,
    "unknown_tokens": lambda tokens: sorted(map(str, tokens)),
}
"""The attributes by which a counter says how it counts."""


def main() -> None:
    """Answer requests from standard input on standard output until there are no more."""
    requests, replies = (os.fdopen(os.dup(number), mode) for number, mode in ((0, "rb"), (1, "wb")))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what a plugin prints must not mix with the replies
    sys.stdout = sys.stderr
    try:
        try:
            server: Any = _Server(**receive(requests))
        except BleukitError as error:  # a plugin that was asked for
            server = _Refusing(error)
        gc.freeze()  # what is loaded stays
        gc.set_threshold(UNCOLLECTED)
        while True:
            name, arguments = receive(requests)
            reply = getattr(server, name)(*arguments)
            for part in reply if isinstance(reply, Iterator) else (reply,):
                send(replies, part)
    except (EOFError, BrokenPipeError):  # nobody asks any more
        return


class _Refusing:
    """Answers each request with what is wrong."""

    def __init__(self, error: BleukitError) -> None:
        self.problem = _problem(error)

    def __getattr__(self, name: str) -> Any:
        return lambda *_: self.problem


class _Server:
    """Answers one request after the other."""

    def __init__(self, plugins: Sequence[str], secret: Sequence[str], clock: int, folder: str, memory: int) -> None:
        guards.limit(memory)
        if clock:
            guards.Clock.install()
            guards.Clock.off = clock
        self.opened = guards.watch(secret)
        self.parts = guards.parts()
        self.plugins = registry.also_installed(plugins)
        self.plugins.__enter__()
        self.registry = registry.installed()
        self.replaced_at_import = guards.replaced(self.parts)
        warnings.simplefilter("error", RuntimeWarning)  # numpy's of 0/0 and the like
        if folder:
            os.chdir(folder)

    def inventory(self) -> dict[str, Any]:
        """Return what is installed: plugins, components, variants; and which parts of bleukit the plugins replaced."""
        return {
            "plugins": [(p.name, str(p), p.distribution, p.problem) for p in self.registry.plugins],
            "components": {kind: self._components(kind) for kind in manager.COMPONENT_HOOKS},
            "variants": {name: self._problem_of_variant(name) for name in sorted(self.registry.variants)},
            "warnings": self.registry.warnings,
            "replaced": self.replaced_at_import,
            "opened": sorted(self.opened),
        }

    def create(self, kind: str, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """Create the component that the next calls are about; return what it says of itself, or why it cannot be.

        It is called once, too: it may load a model then.
        """
        try:
            self.component = creating.create(self.registry, kind, Component(name, options))
        except BleukitError as error:
            return _problem(error)
        calls.call_once(self.component)
        call = self.component.call
        return {
            "declared": [name for name in DECLARATIONS if getattr(call, name, False)],
            "promised": [name for name in PROMISES if getattr(call, name, False)],
            "values": {name: plain(getattr(call, name)) for name, plain in VALUES.items() if hasattr(call, name)},
            "batch": self.component.batch is not None,
            "pairs": hasattr(call, "pairs"),
            "others": hasattr(call, "others"),
            "symmetric": bool(getattr(call, "symmetric", False)),
            "lowercasing": hasattr(call, "lowercasing"),
            "counted_order": hasattr(call, "counted_order"),
            "options": {n: v for n, v in self.component.options.items() if isinstance(v, bool | int | float | str)},
            "plugin": str(self.component.plugin),
        }

    def call(self, way: str, inputs: Sequence[bytes]) -> Iterator[calls.Reply]:
        """Yield the reply to each input, and which result changed later."""
        return calls.one_by_one(self.component, way, inputs)

    def clock(self, seconds: int) -> None:
        """Put the clock ahead by so many seconds."""
        guards.Clock.off = seconds

    def threads(self, inputs: Sequence[bytes]) -> list[calls.Reply]:
        """Return the reply to each input, from several threads."""
        return calls.from_threads(self.component, inputs)

    def batch(self, inputs: Sequence[bytes], size: int, compact: bool) -> list[calls.Reply]:
        """Return the reply to each input in a batch of some size, which is made of these inputs."""
        return calls.in_batch(self.component, inputs, size, compact=compact)

    def pairs(self, inputs: Sequence[bytes]) -> list[calls.Reply]:
        """Return the reply to each hypothesis with each first reference."""
        return calls.of_pairs(self.component, inputs)

    def others(self, inputs: Sequence[bytes]) -> list[calls.Reply]:
        """Return the reply to each hypothesis with all others as its references."""
        return calls.of_others(self.component, inputs)

    def soak(self, inputs: Sequence[bytes], times: int, seconds: float) -> dict[str, Any]:
        """Call the component many times."""
        return calls.soak(self.component, inputs, times, seconds)

    def counted_order(self, max_order: int) -> int:
        """Return up to which order the smoothing asks for counts of the last segment."""
        call: Any = self.component.call
        return int(call.counted_order(max_order))

    def round_trip(self) -> str:
        """Return what becomes of the component's options in YAML, empty if they stay what they are."""
        from bleukit import yaml_document

        choice = Component(self.component.name, self.component.options)
        text = yaml_document.dump(choice.to_yaml())
        read = Component.from_yaml(yaml_document.parse(text, choice.name).data)
        again = creating.create(self.registry, self.component.kind, read).options
        return "" if dict(again) == dict(self.component.options) else f"{self.component.options} become {again}"

    def variant(self, source: str) -> dict[str, Any]:
        """Return the names of the components of a variant, by kind, or why it cannot be used."""
        try:
            variant = bleukit.load(source).variant
        except BleukitError as error:
            return _problem(error)
        return {"components": {kind: getattr(variant, kind).name for kind in manager.COMPONENT_HOOKS}}

    def broken(self, source: str) -> dict[str, str]:
        """Return which contracts a variant does not keep, each with what shows it."""
        return composition.broken(source)

    def know(self, inputs: Sequence[Any], cases: Mapping[int, Any]) -> None:
        """Take the inputs of all cases, and, of those for a variant, the cases, by their numbers."""
        self.observer = observing.Observer([observing.Input(*given) for given in inputs])
        self.named = {number: msgspec.convert(case, Case) for number, case in cases.items()}

    def cases(self, tasks: Sequence[tuple[Any, int]]) -> Iterator[Any]:
        """Yield what variants give for cases, by their numbers; of a case for a variant, what comes of it."""
        for source, number in tasks:
            if number in self.named:
                yield list(map(tuple, named_variants.run(self.named[number], source).stages))
            else:
                yield observing.to_plain(self.observer.observe(number, source))

    def integrity(self) -> dict[str, list[str]]:
        """Return which parts of bleukit are no longer what they were, and which files of cases were opened."""
        return {"replaced": guards.replaced(self.parts), "opened": sorted(self.opened)}

    def _components(self, kind: str) -> dict[str, dict[str, str]]:
        return {name: self._component(kind, name) for name in sorted(self.registry.registered[kind])}

    def _component(self, kind: str, name: str) -> dict[str, str]:
        plugin = self.registry.registered[kind][name].plugin
        described = {"plugin": str(plugin), "distribution": plugin.distribution, "problem": ""}
        try:
            creating.create(self.registry, kind, Component(name))
        except BleukitError as error:
            described["problem"] = str(error)
        return described

    def _problem_of_variant(self, name: str) -> str:
        return str(self.variant(name).get("problem", ""))


def _problem(error: BleukitError) -> dict[str, Any]:
    return {"problem": str(error), "not_installed": isinstance(error, NotInstalledError)}
