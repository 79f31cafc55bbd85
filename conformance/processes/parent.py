"""Child processes in which plugins run: a crash, a hang or an exit there is reported, and the run goes on."""

from __future__ import annotations

import gc
import json
import marshal
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.loading.registry import DISABLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType

    from bleukit.conformance.judging.runner import CaseOutcome

SECONDS = 20.0
"""How long a component may take for one call, a variant for one case, and a process to end."""

STARTING = 60.0
"""How long a process may take to load the plugins, and a component to be created and called for the first time."""

TOGETHER = 64
"""How many replies are sent together, where it can be found out afterwards at which one a process died."""

ALLOCATIONS = 100_000
"""After so many new objects Python looks for cycles: seldom, because that would take a seventh of the time."""

_START = """
import json, sys
sys.path[:], absent = json.loads(sys.argv[1])
sys.modules.update(dict.fromkeys(absent))
from bleukit.conformance.child import main
main()
"""


@dataclass(frozen=True)
class Surroundings:
    """What a process finds around it, and what no result may depend on.

    ``environment`` is laid over that of this process; ``folder`` is the current folder, that of this process if empty.
    ``absent`` are modules that cannot be imported.
    """

    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""
    absent: Sequence[str] = ()


HERE = Surroundings({"PYTHONHASHSEED": "0"})


def elsewhere(folder: str) -> Surroundings:
    """Return other surroundings: another hash seed, locale, encoding and current folder."""
    environment = {
        "PYTHONHASHSEED": "4242",
        "LANG": "tr_TR.ISO-8859-9",
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    }
    return Surroundings(environment, folder)


@contextmanager
def cycles_seldom_looked_for() -> Iterator[None]:
    """Let Python look for cycles only after many ALLOCATIONS."""
    before = gc.get_threshold()
    gc.set_threshold(ALLOCATIONS)
    try:
        yield
    finally:
        gc.set_threshold(*before)


class DiedError(Exception):
    """A process gave no reply; the message says why."""


class TooSlowError(DiedError):
    """A process gave no reply in time."""


class ErrorReply(NamedTuple):
    """A reply in place of a result: the error to raise in the process that asked."""

    error: type[Exception]
    message: str


class Reply(NamedTuple):
    """What came of one call: a ``result``; or why it is ``refused``, ``raised``, ``wrong``, or ``changed`` its input.

    What it holds is packed: lists of tokens are sent and compared as one text, and NaN is equal to NaN.
    """

    tag: str
    packed: bytes

    @classmethod
    def of(cls, tag: str, value: Any) -> Reply:
        """Pack a reply, whose value is plain data."""
        return cls(tag, marshal.dumps(value, 2))  # from version 3 on, equal values may be packed otherwise

    @property
    def value(self) -> Any:
        """The result, or why there is none."""
        return marshal.loads(self.packed)  # noqa: S302 - plugins are trusted


class Process:
    """A process that is written to and read from; all that it starts ends with it, except for daemons."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        *,
        keep_standard_error: bool = False,
    ) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - a program of our own, or one that the user names
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if keep_standard_error else None,
            env=environment,
            start_new_session=True,
        )
        _ALIVE.add(self)

    def kill(self) -> Any:
        """End the process and all that it started."""
        _ALIVE.discard(self)
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                with suppress(OSError):
                    stream.close()


class Child(Process):
    """A process that loads the plugins and answers requests, as :mod:`bleukit.conformance.child` defines them.

    ``plugins`` are modules to load in addition to the installed plugins, ``disabled`` the names of plugins to
    leave out. ``outcomes`` are those of all cases that it was asked to run.
    """

    def __init__(
        self, surroundings: Surroundings = HERE, plugins: Sequence[str] = (), disabled: Sequence[str] = ()
    ) -> None:
        environment = {**os.environ, **surroundings.environment}
        if environment.get(DISABLE, "").strip() != "1":  # which disables all of them
            environment[DISABLE] = ",".join(filter(None, [environment.get(DISABLE, ""), *disabled]))
        imports = json.dumps([sys.path, surroundings.absent])
        super().__init__([sys.executable, "-c", _START, imports], environment)
        self.outcomes: list[CaseOutcome] = []
        self._replies: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        self._send((list(plugins), surroundings.folder))

    def __enter__(self) -> Child:  # noqa: PYI034 - Self is not in Python 3.10
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.kill()

    def ask(self, name: str, *arguments: Any, seconds: float = 0) -> Any:
        """Return the reply to a request. Raises DiedError if there is none in time, or the error that it raises."""
        self._send((name, arguments, 0))
        return self._next(seconds or STARTING)

    def ask_for_each(self, name: str, *arguments: Any, seconds: float = 0, together: int = 1) -> Iterator[Any]:
        """Yield the replies to a request, without end: the caller knows how many come.

        So many are sent ``together``, and lost together if the process dies.
        """
        self._send((name, arguments, together))
        while True:
            yield from self._next(seconds or SECONDS)

    def end(self) -> str:
        """Let the process end by itself; return what is wrong with how it ends."""
        if self._process.stdin:
            self._process.stdin.close()
        try:
            status = self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            return f"its process does not end within {SECONDS:g} seconds"
        finally:
            self.kill()
        return ended_with(status) if status else ""

    def _send(self, data: Any) -> None:
        assert self._process.stdin  # noqa: S101 - it is a pipe
        with suppress(OSError, ValueError):  # the next reply says what became of it
            pickle.dump(data, self._process.stdin)
            self._process.stdin.flush()

    def _read(self) -> None:
        """Put replies into the queue as they come, and then why there are no more."""
        assert self._process.stdout  # noqa: S101 - it is a pipe
        problem = "end"
        try:
            while True:
                self._replies.put((pickle.load(self._process.stdout), ""))  # noqa: S301 - plugins are trusted
        except (EOFError, OSError):
            pass
        except Exception:  # noqa: BLE001 - bytes that are no reply can raise anything
            problem = "it writes to the stream of replies"
        self._replies.put((None, problem))

    def _next(self, seconds: float) -> Any:
        try:
            reply, problem = self._replies.get(timeout=seconds)
        except queue.Empty:
            self.kill()
            raise TooSlowError(f"it gives no reply within {seconds:g} seconds") from None
        if isinstance(reply, ErrorReply):
            if issubclass(reply.error, DiedError):
                self.kill()
            raise reply.error(reply.message)
        if not problem:
            return reply
        if problem == "end":
            try:
                problem = ended_with(self._process.wait(SECONDS))
            except subprocess.TimeoutExpired:
                problem = "it closes the stream of replies"
        self.kill()
        raise DiedError(problem)


_ALIVE: set[Process] = set()


def end_all() -> None:
    """End all processes that are left."""
    for process in list(_ALIVE):
        process.kill()


def ended_with(status: int) -> str:
    """Say how a process ended."""
    if status >= 0:
        return f"it ends the process, with status {status}"
    try:
        return f"it ends the process, by {signal.Signals(-status).name}"
    except ValueError:
        return f"it ends the process, by signal {-status}"
