"""The process in which components run: it loads the plugins and answers requests.

:class:`~bleukit.conformance.processes.parent.Child` starts it. A request is the name of a method of ``_Server`` and its
arguments; the reply is what the method returns, or several replies, one after the other, if it is a generator.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

import msgspec
from bleukit.conformance.contracts import calls, code_points, made_tokenizers, trying
from bleukit.conformance.contracts.calls import SelfDescription
from bleukit.conformance.contracts.ways_of_files import NOT_INSTALLED
from bleukit.conformance.definitions import COUNTING, DECLARATIONS, PLAIN_VARIANT
from bleukit.conformance.judging import named_variants, runner, written
from bleukit.conformance.judging.cases import Case
from bleukit.conformance.judging.observing import Observer
from bleukit.conformance.judging.runner import CaseOutcome, Stage
from bleukit.conformance.processes.parent import DiedError, ErrorReply, cycles_seldom_looked_for

import bleukit
from bleukit import errors, yaml_document
from bleukit.compiled import CompiledModule
from bleukit.errors import BleukitError, VariantError, one_line
from bleukit.loading import creating, manager, registry
from bleukit.loading.loader import OF_SCORING
from bleukit.variant import Component

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit import Bleu

MEMORY = 4 << 30
"""How many bytes the process may allocate."""

GRACE = 0.5
"""For how many seconds a process that was forked waits for the copy before it replies."""

PROMISES = ("ignores_reference_length", "symmetric", "takes_totals_below_zero")
"""The attributes by which a smoothing or a counter declares what others may rely on."""

VALUES: dict[str, Callable[[Any], Any]] = {
    "clips": bool,
    "least_total": int,
    "unknown_tokens": lambda tokens: sorted(map(str, tokens)),
}
"""The attributes by which a counter declares how it counts."""


def main() -> None:
    """Answer requests from standard input on standard output until there are no more."""
    requests, replies = (os.fdopen(os.dup(number), mode) for number, mode in ((0, "rb"), (1, "wb")))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what a plugin prints must not mix with the replies
    sys.stdout = sys.stderr
    with cycles_seldom_looked_for(), suppress(EOFError, BrokenPipeError):  # nobody asks any more
        _Server(_Replies(replies), *pickle.load(requests)).answer(requests)  # noqa: S301 - the suite itself sends it


class _Replies:
    """The stream of replies. A component that forks must not let the copy of the process write there, too."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._process = os.getpid()
        self._forked = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_parent=self._wait_for_the_copy)

    def send(self, reply: Any) -> None:
        """Send a reply; in a copy of the process, end the original, and send why."""
        if self._forked:  # the copy may come to this point, too
            time.sleep(GRACE)
            self._forked = False
        is_a_copy = os.getpid() != self._process
        if is_a_copy:
            os.kill(self._process, signal.SIGKILL)
            reply = ErrorReply(DiedError, "it forks, and the copy of the process returns from the call")
        pickle.dump(reply, self._stream)
        self._stream.flush()
        if is_a_copy:
            os._exit(1)

    def _wait_for_the_copy(self) -> None:
        self._forked = True


def _public_type(error: BleukitError) -> type[Exception]:
    """Return the first class of an error that every process knows: a plugin may derive its own."""
    return next(kind for kind in type(error).__mro__ if kind.__module__ == errors.__name__)


class _Server:
    """Answers one request after the other, once the plugins are loaded."""

    def __init__(self, replies: _Replies, plugins: Sequence[str], folder: str) -> None:
        _limit_memory()
        self.replies = replies
        self.modules = plugins
        self.folder = folder
        self.is_loaded = False

    def answer(self, requests: IO[bytes]) -> None:
        """Answer requests until there are no more. Raises EOFError or BrokenPipeError then."""
        while True:
            name, arguments, together = pickle.load(requests)  # noqa: S301 - the suite itself sends it
            try:
                self._load()
                reply = getattr(self, name)(*arguments)
                while together and (parts := list(islice(reply, together))):
                    self.replies.send(parts)
                if not together:
                    self.replies.send(reply)
            except BrokenPipeError:
                raise
            except BleukitError as error:
                self.replies.send(ErrorReply(_public_type(error), str(error)))
            except BaseException as error:  # noqa: BLE001 - a plugin may raise anything
                self.replies.send(ErrorReply(DiedError, f"it raises {one_line(error)}"))

    def _load(self) -> None:
        if self.is_loaded:
            return
        self.plugins = registry.also_installed(self.modules)  # which are there as long as this is kept
        self.plugins.__enter__()
        self.registry = registry.installed()
        warnings.simplefilter("error", RuntimeWarning)  # numpy's of 0/0 and the like
        if self.folder:
            os.chdir(self.folder)
        self.is_loaded = True

    @cached_property
    def needing(self) -> dict[tuple[str, str], Component]:
        """The components that need options, by kind and name, with those of a named variant that has them."""
        needing: dict[tuple[str, str], Component] = {}
        for name in self.registry.variants:
            with suppress(BleukitError):
                variant = bleukit.load(name).variant
                chosen = [(kind, getattr(variant, kind)) for kind in manager.COMPONENT_HOOKS]
                needing |= {(kind, c.name): c for kind, c in chosen if c.options and self._needs_options(kind, c.name)}
        return needing

    def inventory(self) -> dict[str, Any]:
        """Return what is installed: plugins, components and their distributions, variants, compiled parts."""
        registered = self.registry.registered
        return {
            "plugins": [(plugin.name, plugin.distribution) for plugin in self.registry.plugins],
            "components": {
                kind: {name: registered[kind][name].plugin.distribution for name in sorted(registered[kind])}
                for kind in manager.COMPONENT_HOOKS
            },
            "variants": sorted(self.registry.variants),
            "plain": self._created(manager.VARIANT, PLAIN_VARIANT),
            "compiled": sorted(CompiledModule.declared),
            "without": NOT_INSTALLED,
            "warnings": self.registry.warnings,
        }

    def create_each(self, names: Sequence[tuple[str, str]]) -> Iterator[dict[str, str] | ErrorReply]:
        """Yield for each component, by kind and name, or variant, by name or path, the names of the components of it.

        Those of a variant are by kind; a component has none. If it cannot be created here, the error says why.
        """
        for kind, name in names:
            try:
                yield self._created(kind, name)
            except BleukitError as error:  # noqa: PERF203 - one after the other
                yield ErrorReply(_public_type(error), str(error))

    def create(self, kind: str, name: str, options: Mapping[str, Any]) -> SelfDescription:
        """Create the component that the next calls are about; return what it says of itself.

        It is called once, too, because it may load a model then.
        """
        try:
            self.component = creating.create(self.registry, kind, Component(name, options))
        except VariantError:
            if (kind, name) not in self.needing:
                raise
            options = {**self.needing[kind, name].options, **options}
            self.component = creating.create(self.registry, kind, Component(name, options))
        calls.call_once(self.component)
        call = self.component.call
        return SelfDescription(
            kind=kind,
            name=name,
            options={n: v for n, v in self.component.options.items() if isinstance(v, bool | int | float | str)},
            other_options=calls.other_options(self.registry.registered[kind][name].value, self.component.options),
            declared=[name for name in DECLARATIONS if getattr(call, name, False)],
            promised=[name for name in PROMISES if getattr(call, name, False)],
            values={
                name: plain(value)
                for name, plain in VALUES.items()
                if (value := getattr(call, name, COUNTING[name])) != COUNTING[name]
            },
            batch=self.component.batch is not None,
            lowercasing=hasattr(call, "lowercasing"),
            counted_order=hasattr(call, "counted_order"),
        )

    def call(self, way: str, *arguments: Any) -> Any:
        """Call the component in one of the ways of :mod:`.contracts.calls`, the name of a function there."""
        return getattr(calls, way)(self.component, *arguments)

    def tokenized_otherwise(self, quick: bool) -> str:
        """Return a text that the tokenizer splits otherwise than its document defines, and how."""
        made = made_tokenizers.MADE.get(self.component.name, str)
        return code_points.tokenized_otherwise(self.component, quick) or made()

    def counted_order(self, max_order: int) -> int:
        """Return up to which order the smoothing asks for counts of the last segment."""
        call: Any = self.component.call
        return int(call.counted_order(max_order))

    def round_trip(self) -> str:
        """Return what becomes of the component's options in YAML and in signatures, empty if they stay the same."""
        choice = Component(self.component.name, self.component.options)
        text = yaml_document.dump(choice.to_yaml())
        choice = Component.from_yaml(yaml_document.parse(text, choice.name).data)
        again = creating.create(self.registry, self.component.kind, choice).options
        if dict(again) != dict(self.component.options):
            return f"{self.component.options} become {again}"
        plain = bleukit.load(PLAIN_VARIANT)
        return next(written.signature_differences(self._beside_plain(), plain), "")

    def scored_otherwise(self) -> str:
        """Return what is wrong with scores by the plain variant with the component, empty if nothing is."""
        return trying.wrong_scores(self._beside_plain())

    def _beside_plain(self) -> Bleu:
        """Return the plain variant with the component, and its options."""
        keys: Any = {self.component.kind: Component(self.component.name, self.component.options)}
        return bleukit.load(PLAIN_VARIANT, **keys)

    def ways(self, source: str, before: Sequence[str], keys: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        """Yield each way to a number that is tried for a variant, the corpus, what is wrong; then three empty texts."""
        chosen = {
            key: self.needing[key, name] if self._needs_options(key, name) else name for key, name in keys.items()
        }
        yield from trying.broken(source, before, chosen)
        yield "", "", ""

    def take_cases(self, cases: Sequence[Any]) -> None:
        """Take all cases, as plain data, to run them by their numbers."""
        self.cases = [msgspec.convert(case, Case) for case in cases]
        self.observer = Observer(self.cases)
        self.outcomes: dict[object, int] = {}
        self.numbers: dict[tuple[str, tuple[Stage, ...]], int] = {}
        self.sent = 0

    def run_cases(self, tasks: Sequence[tuple[Any, int]]) -> Iterator[CaseOutcome | int]:
        """Yield the outcome of each case, by its number, for a variant.

        Combinations that count alike in a case, and score alike, share the outcome. Of outcomes that are equal all but
        the first come as its number among all that this process has sent.
        """
        for sent, (source, number) in enumerate(tasks, self.sent):
            case = self.cases[number]
            parts = sorted(case.conditions | {*OF_SCORING}) if isinstance(source, Mapping) else []
            like = number, *(source[kind] for kind in parts)
            counted = self.observer.counted_before(number, source) if parts else None
            try:
                if parts and counted is None:
                    counted = self.observer.counted(number, source)
                if (counted, like) in self.outcomes:
                    yield self.outcomes[counted, like]
                    continue
                if case.variant:
                    outcome = named_variants.run_for_variant(case, source)
                else:
                    outcome = runner.judge(case, self.observer.observe(number, source))
            except BleukitError as error:
                outcome = CaseOutcome.failing(case.id, str(error))
            first = self.numbers.setdefault((outcome.case, outcome.stages), sent)
            if counted is not None:
                self.outcomes[counted, like] = first
            yield outcome if first == sent else first
        self.sent += len(tasks)

    def _created(self, kind: str, name: str) -> dict[str, str]:
        """Create a component or a variant; return the names of the components of the latter, by kind."""
        if kind in manager.COMPONENT_HOOKS:
            creating.create(self.registry, kind, Component(name))
            return {}
        variant = bleukit.load(name).variant
        return {kind: getattr(variant, kind).name for kind in manager.COMPONENT_HOOKS}

    def _needs_options(self, kind: str, name: str) -> bool:
        try:
            self._created(kind, name)
        except BleukitError:
            return True
        return False


def _limit_memory() -> None:
    """Limit the memory of this process if the system can; a process that crashes leaves no core behind."""
    if resource is not None:
        for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
            _, hard = resource.getrlimit(what)
            if hard == resource.RLIM_INFINITY or most <= hard:
                resource.setrlimit(what, (most, hard))
