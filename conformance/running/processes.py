"""Processes in which plugins run: one that crashes, hangs or exits there is reported, and the run goes on.

A :class:`Job` is a request to a process, which answers with any number of messages. :class:`Pool` has several jobs done
at a time. :mod:`.worker` is the other side.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.framework.python_process import python_command
from bleukit.framework.registry import DISABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

CALL = 10.0
"""How many seconds one call of a component may take."""

STARTING = 60.0
"""How many seconds a process may take to load the plugins, and a component to be created."""

TOTAL = 60.0
"""How many seconds the contract of one component, or the cases of one variant, may take."""

ENDING = 10.0
"""How many seconds a process may take to end."""

ELSEWHERE = {
    "PYTHONHASHSEED": "4242",
    "LANG": "tr_TR.ISO-8859-9",
    "LC_ALL": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
}
"""Other surroundings, on which no result may depend: another hash seed, locale and encoding."""

_START = "from bleukit.conformance.running.worker import main; main(sys.argv[1], int(sys.argv[2]))"


class Given(NamedTuple):
    """What a process is given first: modules to load as plugins, the file of the cases, and a folder to go to."""

    plugins: Sequence[str] = ()
    cases: str = ""
    folder: str = ""


class Job(NamedTuple):
    """A request: the name of what a worker does, and its arguments.

    A job that is ``alone`` gets a process that has done nothing, and does nothing afterwards. ``elsewhere`` says that
    it is done in other surroundings, ``tag`` is for the caller. ``call`` is how many seconds there may be between its
    messages, if not CALL, and ``total`` how many it may take in all.
    """

    request: str
    arguments: tuple[Any, ...] = ()
    alone: bool = False
    elsewhere: bool = False
    call: float | None = None
    total: float = TOTAL
    tag: Any = None


class Ended(NamedTuple):
    """How a job ended: ``problem`` is empty if it was done, else it says what became of the process, and at what."""

    problem: str = ""
    is_error: bool = False
    """Whether the job raised an error of bleukit, which the problem is, and the process goes on."""


class Pool:
    """Workers, of which some are at work at the same time. ``plugins`` are modules to load beside those installed.

    ``disabled`` are names of plugins to leave out. ``folder`` is an empty folder that it may write to. ``cases`` are
    all cases, as plain data, which a process reads if it needs them.
    """

    def __init__(
        self,
        size: int,
        folder: str,
        plugins: Sequence[str] = (),
        disabled: Sequence[str] = (),
        cases: Sequence[Any] = (),
    ) -> None:
        self._size, self._folder, self._plugins, self._disabled = size, Path(folder), plugins, disabled
        self._cases = self._folder / "cases"
        self._cases.write_bytes(pickle.dumps(cases))
        self._messages: queue.SimpleQueue[tuple[_Worker, Any]] = queue.SimpleQueue()
        self._idle: dict[bool, list[_Worker]] = {False: [], True: []}
        self._all: list[_Worker] = []
        self._waiting: deque[Job] = deque()

    def __enter__(self) -> Pool:  # noqa: PYI034 - Self is not in Python 3.10
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        for worker in self._all:
            worker.kill()

    def add(self, *jobs: Job) -> None:
        """Have more jobs done before those that wait."""
        self._waiting.extendleft(reversed(jobs))

    def run(
        self, jobs: Iterable[Job], is_left_out: Callable[[Job], bool] = lambda _: False
    ) -> Iterator[tuple[Job, Any]]:
        """Yield each message of a job, and at its end an :class:`Ended`, but for jobs to leave out at their turn."""
        self._waiting.extend(jobs)
        running: dict[_Worker, _Running] = {}
        while self._waiting or running:
            while self._waiting and len(running) < self._size:
                job = self._waiting.popleft()
                if is_left_out(job):
                    continue
                worker = self._worker(job)
                running[worker] = _Running(job, monotonic())
                worker.send((job.request, job.arguments))
            with suppress(queue.Empty):
                worker, message = self._messages.get(timeout=0.1)
                if worker in running:
                    yield from self._received(worker, message, running)
            # A message that waits is heard first: on a busy machine it may have waited long.
            for worker, state in list(running.items()) if self._messages.empty() else ():
                if problem := state.late():
                    worker.kill()
                    del running[worker]
                    yield state.job, Ended(f"{problem}{worker.last_call()}")

    def end(self) -> Iterator[str]:
        """Let the processes that wait for work end by themselves; yield what is wrong with how they do."""
        for worker in [*self._idle[False], *self._idle[True]]:
            if problem := worker.end():
                yield problem

    def _received(self, worker: _Worker, message: Any, running: dict[_Worker, _Running]) -> Iterator[tuple[Job, Any]]:
        job = running[worker].job
        if message is None:
            del running[worker]
            yield job, Ended(f"{worker.ended_with()}{worker.last_call()}")
            return
        running[worker].heard()
        if isinstance(message, Ended):
            del running[worker]
            if job.alone:
                worker.kill()
            else:
                self._idle[job.elsewhere].append(worker)
        if message is not ALIVE and message != ALIVE:
            yield job, message

    def _worker(self, job: Job) -> _Worker:
        if self._idle[job.elsewhere] and not job.alone:
            return self._idle[job.elsewhere].pop()
        place = self._folder / f"call-{os.getpid()}-{id(self)}-{len(self._all)}"
        environment = {**os.environ, **(ELSEWHERE if job.elsewhere else {})}
        if environment.get(DISABLE, "").strip() != "1":  # which disables all of them
            environment[DISABLE] = ",".join(filter(None, [environment.get(DISABLE, ""), *self._disabled]))
        worker = _Worker(environment, place, self._messages)
        self._all.append(worker)
        worker.send(Given(self._plugins, str(self._cases), str(self._folder) if job.elsewhere else ""))
        return worker


ALIVE = "alive"
"""The message of a process that it is still at work."""


class _Running:
    """A job that is being done, and since when."""

    def __init__(self, job: Job, start: float) -> None:
        self.job = job
        self._start = self._heard = start
        self._first = True

    def heard(self) -> None:
        self._heard = monotonic()
        if self._first:  # what was done before is loading, which does not count
            self._first, self._start = False, self._heard

    def late(self) -> str:
        """Return what takes too long, empty if nothing does."""
        silent = STARTING if self._first else self.job.call or CALL
        if monotonic() > self._heard + silent:
            return f"it gives nothing within {silent:g} seconds"
        if monotonic() > self._start + self.job.total:
            return f"it takes longer than {self.job.total:g} seconds in all"
        return ""


class _Worker:
    """A process; all that it starts ends with it, except for daemons."""

    def __init__(
        self, environment: Mapping[str, str], place: Path, messages: queue.SimpleQueue[tuple[_Worker, Any]]
    ) -> None:
        place.write_bytes(bytes(LONGEST_CALL))
        self._place = place
        self._process = subprocess.Popen(  # noqa: S603 - this Python itself
            [*python_command(_START), str(place), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        threading.Thread(target=self._read, args=(messages,), daemon=True).start()

    def send(self, data: Any) -> None:
        """Send a request; if nobody reads it, the next message says why."""
        assert self._process.stdin  # noqa: S101 - it is a pipe
        with suppress(OSError, ValueError):
            pickle.dump(data, self._process.stdin)
            self._process.stdin.flush()

    def last_call(self) -> str:
        """Return the last call that the process noted, to be put behind what became of it."""
        call = self._place.read_bytes().partition(b"\0")[0].decode("utf-8", "replace")
        return f", at {call}" if call else ""

    def kill(self) -> None:
        """End the process and all that it started."""
        kill_with_children(self._process)
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                with suppress(OSError):
                    stream.close()

    def end(self) -> str:
        """Let the process end by itself; return what is wrong with how it ends."""
        assert self._process.stdin  # noqa: S101 - it is a pipe
        self._process.stdin.close()
        try:
            status = self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            return f"its process does not end within {ENDING:g} seconds"
        finally:
            self.kill()
        return ended_with_status(status) if status else ""

    def ended_with(self) -> str:
        """Say how the process ended."""
        try:
            return ended_with_status(self._process.wait(ENDING))
        except subprocess.TimeoutExpired:
            return "it closes the stream of messages"
        finally:
            self.kill()

    def _read(self, messages: queue.SimpleQueue[tuple[_Worker, Any]]) -> None:
        """Hand on messages as they come, and None at their end."""
        assert self._process.stdout  # noqa: S101 - it is a pipe
        with suppress(Exception):  # bytes that are no message can raise anything
            while True:
                messages.put((self, pickle.load(self._process.stdout)))  # noqa: S301 - plugins are trusted
        messages.put((self, None))


LONGEST_CALL = 2000
"""How many bytes of a call are noted."""


def kill_with_children(process: subprocess.Popen[bytes]) -> None:
    """End a process that leads a session of its own, and all that it started."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def ended_with_status(status: int) -> str:
    """Say how a process ended."""
    if status >= 0:
        return f"it ends the process, with status {status}"
    try:
        return f"it ends the process, by {signal.Signals(-status).name}"
    except ValueError:
        return f"it ends the process, by signal {-status}"
