"""The process in which plugins run: it loads them, and does one job after the other.

A request is the name of a function of :class:`_Worker`, its arguments, whether its calls are logged, and what a new
process is given. The messages are what the function yields, and at last what came of it.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import tempfile
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import msgspec
from bleukit.conformance.contract.calls import Watch, in_short
from bleukit.conformance.judging.combinations import CombinationRunner, Result, name_of
from bleukit.conformance.judging.laws import judge_law
from bleukit.conformance.judging.named_variants import run_for_variant
from bleukit.conformance.judging.observing import load_for, observe_loaded
from bleukit.conformance.judging.runner import CaseOutcome, judge, run_case
from bleukit.conformance.report import said
from bleukit.conformance.running.jobs import Called, Done, Given, Started
from bleukit.conformance.running.processes import STARTING, limit_this_process

import bleukit
from bleukit.bleu.hookspecs import COMPONENT_HOOKS, VARIANT
from bleukit.framework import creating, errors, registry
from bleukit.framework.creating import options_of
from bleukit.framework.errors import BleukitError, VariantError, one_line
from bleukit.framework.options import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bleukit.conformance.contract.repeating import Finding
    from bleukit.conformance.judging.cases import Case
    from bleukit.conformance.judging.combinations import Choice, Share

    from bleukit import Bleu


class Unusable(NamedTuple):
    """Why something cannot be created; ``needs`` are the options that a component needs and is not given."""

    error: BleukitError
    needs: str = ""


class Survey(msgspec.Struct, frozen=True):
    """What is installed: the ``names`` of each kind of component, and of variants, each with its distribution.

    ``unusable`` says why a component or a variant cannot be used, by kind and name. ``needing`` are components that
    need options, as a named variant gives them. ``of_variants`` are the components of variants, by kind.
    """

    names: dict[str, dict[str, str]]
    unusable: dict[tuple[str, str], Unusable]
    needing: dict[tuple[str, str], Any]
    of_variants: dict[str, dict[str, Any]]
    warnings: list[str]


def main(parent: int) -> None:
    """Do jobs from standard input, with messages to standard output, until there are no more."""
    limit_this_process(parent)
    requests, messages = (os.fdopen(os.dup(number), mode) for number, mode in ((0, "rb"), (1, "wb")))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    printed = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
    os.dup2(printed.fileno(), 1)  # what a plugin prints must not mix with the messages
    with suppress(EOFError, BrokenPipeError):  # nobody asks any more
        _Worker(messages, printed).work(requests)


class _Worker:
    """Does one job after the other, once the plugins are loaded."""

    def __init__(self, messages: IO[bytes], printed: IO[bytes]) -> None:
        self._messages = messages
        self._printed = printed
        self._seen = 0
        self._process = os.getpid()
        self._has_started = self._logs = False

    def work(self, requests: IO[bytes]) -> None:
        """Do jobs until there are no more. Raises EOFError or BrokenPipeError then."""
        while True:
            name, arguments, self._logs, given = pickle.load(requests)  # noqa: S301 - the suite itself sends it
            self._has_started = False
            try:
                if given is not None:
                    self._load(given)
                for message in getattr(self, name)(*arguments):
                    self.send(message)
                done = Done()
            except (BrokenPipeError, EOFError):
                raise
            except BleukitError as error:
                public = _public(error)
                done = Done(problem=f"{type(public).__name__}: {public}", error=public)
            except BaseException as error:  # noqa: BLE001 - a plugin may raise anything
                done = Done(problem=f"it raises {one_line(error)}")
            _end_after(0)
            self.send(done)

    def send(self, message: Any) -> None:
        """Send a message; a copy of the process, which a component has forked, ends instead."""
        self._end_copy()
        self._messages.write(pickle.dumps(message))
        self._messages.flush()

    def note(self, what: str, arguments: Any = None) -> None:
        """Note which call begins; with the first one, the time of the job does."""
        self._start()
        self._begin(what, arguments, self._given.call)

    def _start(self) -> None:
        if not self._has_started:
            self._has_started = True
            self.send(Started())

    def _begin(self, what: str, arguments: Any = None, seconds: float = STARTING) -> None:
        """Note what begins, and how many seconds it may take."""
        self._end_copy()
        if self._logs:
            self.send(Called(what if arguments is None else f"{what}, called with {in_short(arguments)}", seconds))
        else:
            _end_after(seconds)

    def _end_copy(self) -> None:
        if os.getpid() != self._process:
            os._exit(0)

    def _load(self, given: Given) -> None:
        self._given = given
        self._begin("the import of plugins")
        self._plugins = registry.also_installed(given.plugins)  # which are there as long as this is kept
        self._plugins.__enter__()
        if given.folder:
            os.chdir(given.folder)

    def printed(self) -> str:
        """Return what was printed to standard output since the last time."""
        with suppress(Exception):  # whatever a plugin put in its place
            sys.stdout.flush()
        self._printed.seek(self._seen)
        text = self._printed.read()
        self._seen += len(text)  # where the next one writes, too
        return text.decode("utf-8", "replace")

    def survey(self, files: Sequence[str], broken: Mapping[tuple[str, str], str]) -> Iterator[Any]:
        """Yield the kind and the name of all that is about to be created; last, what is installed, as a Survey.

        The variants of some ``files`` are among it. What is ``broken``, and why, is not created.
        """
        installed = registry.installed()
        unusable = {pair: Unusable(errors.PluginError(problem)) for pair, problem in broken.items()}
        needing: dict[tuple[str, str], Choice] = {}
        for kind in COMPONENT_HOOKS:
            known = installed.of_kind(kind)
            for name in sorted(known.keys() - {own for other, own in broken if other == kind}):
                yield kind, name
                self._begin(f"the creation of the {said(kind, name)}")
                with _noting(unusable, kind, name, known[name].value):
                    creating.create(installed, kind, Component(name))
        of_variants: dict[str, dict[str, Any]] = {}
        for name in dict.fromkeys([*sorted(installed.of_kind(VARIANT)), *files]):
            if (VARIANT, name) in broken:
                continue
            yield VARIANT, name
            self._begin(f"the creation of the {said(VARIANT, name)}")
            with _noting(unusable, VARIANT, name):
                variant = bleukit.load(name).variant
                of_variants[name] = {kind: getattr(variant, kind).to_yaml() for kind in COMPONENT_HOOKS}
                given = {(kind, name_of(choice)): choice for kind, choice in of_variants[name].items()}
                needing |= {pair: choice for pair, choice in given.items() if pair in unusable.keys() - broken.keys()}
        self.printed()  # which is said of a component when its contract is tried
        registered = {kind: installed.of_kind(kind) for kind in (*COMPONENT_HOOKS, VARIANT)}
        names = {
            kind: {name: own[name].plugin.distribution for name in sorted(own)} for kind, own in registered.items()
        }
        yield Survey(names, unusable, needing, of_variants, installed.warnings())

    @cached_property
    def cases(self) -> list[Case]:
        """All cases."""
        return pickle.loads(self._given.cases)  # type: ignore[no-any-return]  # noqa: S301 - the suite itself sends them

    @cached_property
    def combined(self) -> CombinationRunner:
        """What runs cases for combinations of components."""
        return CombinationRunner(self.cases)

    def run_share(self, share: Share) -> Iterator[list[Result]]:
        """Yield the results of some combinations."""
        self._start()
        yield list(self.combined.run(share, lambda case: self._begin(f"the case {case}")))

    def run_variant(self, source: str) -> Iterator[list[Result]]:
        """Yield the results of all cases for a named variant, or for the variant in a file."""
        self._start()
        results = []
        loaded: dict[str, Bleu] = {}  # by the keys of the cases, of which many have the same
        for number, case in enumerate(self.cases):
            if case.subject in {"", source} or case.law:
                self._begin(f"the case {case.id}")
                results.append(Result(number, self._outcome(case, source, loaded), {}))
        yield results

    def _outcome(self, case: Case, source: str, loaded: dict[str, Bleu]) -> CaseOutcome:
        keys = repr(case.set)
        try:
            if case.law:
                return judge_law(case, source)
            if case.subject:
                return run_for_variant(case, source)
            loaded[keys] = loaded.get(keys) or load_for(case, source)
            return judge(case, observe_loaded(case, loaded[keys]))
        except VariantError as error:  # which a case may expect
            return CaseOutcome.failing(case.id, str(error)) if case.subject else run_case(case, source)

    def try_contract(self, kind: str, choice: Choice, examples: int, observes: bool) -> Iterator[Finding | Any]:
        """Yield what a component does otherwise than its contract or the documents; last, the samples."""
        self._begin(f"the creation of the {said(kind, name_of(choice))}")
        from bleukit.conformance.contract import checks

        yield from checks.findings(kind, choice, Watch(self.note, self.printed), examples, observes=observes)

    def try_again(self, kind: str, choice: Choice, samples: Any) -> Iterator[Finding]:
        """Yield what comes out otherwise in this process than in another one."""
        from bleukit.conformance.contract import repeating

        yield from repeating.again(kind, choice, Watch(self.note, self.printed), samples)

    def compare(self, kind: str, choice: Choice, with_choice: Choice, examples: int) -> Iterator[str]:
        """Yield the first difference between two components, or two variants, if there is one."""
        from bleukit.conformance.contract import equivalence

        yield from equivalence.first_difference(kind, choice, with_choice, self.cases, examples, self.note)


@contextmanager
def _noting(
    unusable: dict[tuple[str, str], Unusable], kind: str, name: str, factory: Callable[..., Any] | None = None
) -> Iterator[None]:
    """Note the error of bleukit that is raised within, by kind and name."""
    try:
        yield
    except BleukitError as error:
        needs = options_of(factory).required if factory and type(error) is VariantError else ()
        unusable[kind, name] = Unusable(_public(error), " and ".join(f"`{option}`" for option in needs))


def _public(error: BleukitError) -> BleukitError:
    """Return the error as one of the first class of it that every process knows: a plugin may derive its own."""
    kind = next(kind for kind in type(error).__mro__ if kind.__module__ == errors.__name__)
    public: BleukitError = kind(str(error))
    return public


def _end_after(seconds: float) -> None:
    """Have the system end this process after some seconds, unless this is called before; 0 for never.

    Windows cannot: the job then ends when its whole time is over.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)
