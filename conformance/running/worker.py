"""The process in which plugins run: it loads them, and does one job after the other.

A request is the name of a function of :class:`_Worker` and its arguments; the messages are what that yields.
"""

from __future__ import annotations

import math
import mmap
import os
import pickle
import signal
import sys
import tempfile
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import msgspec
from bleukit.conformance.judging.cases import Case
from bleukit.conformance.judging.combinations import CombinationRunner, Result, name_of
from bleukit.conformance.judging.laws import judge_law
from bleukit.conformance.judging.named_variants import run_for_variant
from bleukit.conformance.judging.observing import load_for, observe_loaded
from bleukit.conformance.judging.runner import CaseOutcome, judge, run_case
from bleukit.conformance.running.processes import ALIVE, LONGEST_CALL, Ended, Given

import bleukit
from bleukit.bleu.hookspecs import COMPONENT_HOOKS, VARIANT
from bleukit.framework import creating, errors, registry
from bleukit.framework.creating import options_of
from bleukit.framework.errors import BleukitError, VariantError, one_line
from bleukit.framework.options import Component

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bleukit.conformance.contract.repeating import Finding
    from bleukit.conformance.judging.combinations import Choice, Share

    from bleukit import Bleu

MEMORY = 4 << 30
"""How many bytes the process may allocate."""

SIGN = 0.5
"""After how many seconds of silence the process says that it is alive."""

_KILLED_WITH_PARENT = 1  # PR_SET_PDEATHSIG, in prctl(2)


class Unusable(NamedTuple):
    """Why something cannot be created: the name of the error's class, and its message.

    ``needs`` are the options that a component needs and is not given.
    """

    error: str
    problem: str
    needs: str = ""


class Survey(msgspec.Struct, frozen=True):
    """What is installed: components by kind and name, and variants, each with its distribution.

    ``unusable`` says why a component or a variant cannot be used, by kind and name. ``needing`` are components that
    need options, as a named variant gives them. ``of_variants`` are the components of variants, by kind.
    """

    components: dict[str, dict[str, str]]
    variants: dict[str, str]
    unusable: dict[tuple[str, str], Unusable]
    needing: dict[tuple[str, str], Any]
    of_variants: dict[str, dict[str, Any]]
    warnings: list[str]


def main(place: str, parent: int) -> None:
    """Do jobs from standard input, with messages to standard output, until there are no more."""
    _end_with(parent)
    _limit_memory()
    requests, messages = (os.fdopen(os.dup(number), mode) for number, mode in ((0, "rb"), (1, "wb")))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    printed = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
    os.dup2(printed.fileno(), 1)  # what a plugin prints must not mix with the messages
    with open(place, "r+b") as file, suppress(EOFError, BrokenPipeError):  # noqa: PTH123 - nobody asks any more
        _Worker(messages, mmap.mmap(file.fileno(), LONGEST_CALL), printed, pickle.load(requests)).work(requests)  # noqa: S301


class _Worker:
    """Does one job after the other, once the plugins are loaded."""

    def __init__(self, messages: IO[bytes], place: mmap.mmap, printed: IO[bytes], given: Given) -> None:
        self._messages = messages
        self._place = place
        self._printed = printed
        self._given = given
        self._seen = 0
        self._process = os.getpid()
        self._said = monotonic()

    def work(self, requests: IO[bytes]) -> None:
        """Do jobs until there are no more. Raises EOFError or BrokenPipeError then."""
        plugins = None
        while True:
            name, arguments = pickle.load(requests)  # noqa: S301 - the suite itself sends it
            try:
                if plugins is None:
                    self._write("the import of plugins")
                    plugins = registry.also_installed(self._given.plugins)  # which are there as long as this is kept
                    plugins.__enter__()
                    if self._given.folder:
                        os.chdir(self._given.folder)
                self._said = -math.inf  # the first call is told at once: what comes before it is the start
                for message in getattr(self, name)(*arguments):
                    self.send(message)
                self.note("")
                self.send(Ended())
            except (BrokenPipeError, EOFError):
                raise
            except BleukitError as error:
                self.send(Ended(f"{_public_type(error)}: {error}", is_error=True))
            except BaseException as error:  # noqa: BLE001 - a plugin may raise anything
                self.send(Ended(f"it raises {one_line(error)}"))

    def send(self, message: Any) -> None:
        """Send a message; a copy of the process, which a component has forked, ends instead."""
        if os.getpid() != self._process:
            os._exit(0)
        self._said = monotonic()
        pickle.dump(message, self._messages)
        self._messages.flush()

    def note(self, call: str) -> None:
        """Note what is about to be called, which is known to others if the process ends; and say that it is alive."""
        self._write(call)
        if monotonic() > self._said + SIGN:
            self.send(ALIVE)

    def _write(self, call: str) -> None:
        data = call.encode("utf-8", "backslashreplace")[: LONGEST_CALL - 1]
        self._place[: len(data) + 1] = data + b"\0"

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
        unusable = {pair: Unusable("PluginError", problem) for pair, problem in broken.items()}
        needing: dict[tuple[str, str], Choice] = {}
        for kind in COMPONENT_HOOKS:
            known = installed.of_kind(kind)
            for name in sorted(known.keys() - {own for other, own in broken if other == kind}):
                yield kind, name
                with _noting(unusable, kind, name, known[name].value):
                    creating.create(installed, kind, Component(name))
        of_variants: dict[str, dict[str, Any]] = {}
        for name in dict.fromkeys([*sorted(installed.of_kind(VARIANT)), *files]):
            if (VARIANT, name) in broken:
                continue
            yield VARIANT, name
            with _noting(unusable, VARIANT, name):
                variant = bleukit.load(name).variant
                of_variants[name] = {kind: getattr(variant, kind).to_yaml() for kind in COMPONENT_HOOKS}
                given = {(kind, name_of(choice)): choice for kind, choice in of_variants[name].items()}
                needing |= {pair: choice for pair, choice in given.items() if pair in unusable.keys() - broken.keys()}
        self.printed()  # which is said of a component when its contract is tried
        components = {kind: _distributions(installed.of_kind(kind)) for kind in COMPONENT_HOOKS}
        variants = _distributions(installed.of_kind(VARIANT))
        yield Survey(components, variants, unusable, needing, of_variants, installed.warnings())

    @cached_property
    def cases(self) -> list[Case]:
        """All cases."""
        plain = pickle.loads(Path(self._given.cases).read_bytes())  # noqa: S301 - the suite itself has written it
        return [msgspec.convert(case, Case) for case in plain]

    @cached_property
    def combined(self) -> CombinationRunner:
        """What runs cases for combinations of components."""
        return CombinationRunner(self.cases)

    def run_share(self, share: Share) -> Iterator[list[Result]]:
        """Yield the results of some combinations."""
        yield list(self.combined.run(share, lambda case: self.note(f"the case {case}")))

    def run_variant(self, source: str) -> Iterator[list[Result]]:
        """Yield the results of all cases for a named variant, or for the variant in a file."""
        results = []
        loaded: dict[str, Bleu] = {}  # by the keys of the cases, of which many have the same
        for number, case in enumerate(self.cases):
            if case.subject in {"", source} or case.law:
                self.note(f"the case {case.id}")
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
        self._write(f"the creation of the {kind.replace('_', ' ')} {name_of(choice)}")
        from bleukit.conformance.contract import calls, checks

        yield from checks.findings(kind, choice, calls.Watch(self.note, self.printed), examples, observes=observes)

    def try_again(self, kind: str, choice: Choice, samples: Any) -> Iterator[Finding]:
        """Yield what comes out otherwise in this process than in another one."""
        from bleukit.conformance.contract import calls, repeating

        yield from repeating.again(kind, choice, calls.Watch(self.note, self.printed), samples)

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
        unusable[kind, name] = Unusable(
            _public_type(error), str(error), " and ".join(f"`{option}`" for option in needs)
        )


def _distributions(registered: Mapping[str, registry.Registered]) -> dict[str, str]:
    return {name: registered[name].plugin.distribution for name in sorted(registered)}


def _public_type(error: BleukitError) -> str:
    """Return the name of the first class of an error that every process knows: a plugin may derive its own."""
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == errors.__name__)


def _end_with(parent: int) -> None:
    """Have the system end this process with the one that started it, even if that is killed; Linux alone can."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_KILLED_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it was killed before
            sys.exit()


def _limit_memory() -> None:
    """Limit the memory of this process if the system can; a process that crashes leaves no core behind."""
    if resource is not None:
        for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
            _, hard = resource.getrlimit(what)
            if hard == resource.RLIM_INFINITY or most <= hard:
                resource.setrlimit(what, (most, hard))
