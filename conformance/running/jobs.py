"""Jobs that are done in processes with plugins: one that crashes, hangs or exits there is reported, the run goes on.

:mod:`.worker` is the other side.
"""

from __future__ import annotations

import math
import os
import pickle
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.conformance.running.processes import STARTING, Process

from bleukit.framework.python_process import python_command
from bleukit.framework.registry import DISABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType

    from bleukit.conformance.judging.cases import Case

    from bleukit.framework.errors import BleukitError

CALL = 10.0
"""How many seconds one call of a component may take."""

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


class Job(NamedTuple):
    """A request: the name of what a worker does, and its arguments.

    A job that is ``alone`` gets a process that has done nothing, and does nothing afterwards. ``elsewhere`` says that
    it is done in other surroundings, ``tag`` is for the caller.

    A job with which its process ends is done once more, with its calls logged, to name the last one: ``ended`` says how
    it did the first time.
    """

    request: str
    arguments: tuple[Any, ...] = ()
    alone: bool = False
    elsewhere: bool = False
    tag: Any = None
    ended: str = ""


class Given(NamedTuple):
    """What a process is given with its first job: modules to load as plugins, all cases, and a folder to go to.

    ``call`` is how many seconds a call may take.
    """

    plugins: Sequence[str]
    cases: bytes
    folder: str
    call: float


class Started(NamedTuple):
    """The message of a job that all is loaded and created, so that its time begins."""


class Called(NamedTuple):
    """The message of a job with its calls logged: what is called next, and how many seconds that may take."""

    call: str
    seconds: float


class Done(NamedTuple):
    """What came of a job: its messages, and a ``problem`` if it was not done."""

    messages: Sequence[Any] = ()
    problem: str = ""
    error: BleukitError | None = None
    """The error of bleukit that the problem is."""
    has_ended: bool = False
    """Whether the problem is that the process has ended or hangs."""


class Pool:
    """Processes, of which some are at work at the same time. ``plugins`` are modules to load beside those installed.

    ``folder`` is an empty folder. ``cases`` are all cases.
    """

    def __init__(self, size: int, folder: str, plugins: Sequence[str], cases: Sequence[Case]) -> None:
        self._size, self._folder, self._plugins = size, folder, plugins
        self._disabled: Sequence[str] = ()
        self._cases = pickle.dumps(cases)
        self._threads = ThreadPoolExecutor(size)
        self._idle: dict[bool, list[Process]] = {False: [], True: []}
        self._processes: set[Process] = set()
        self._waiting: deque[Job] = deque()

    def __enter__(self) -> Pool:  # noqa: PYI034 - Self is not in Python 3.10
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.disable(())
        self._threads.shutdown()

    def disable(self, names: Sequence[str]) -> None:
        """Leave out plugins from now on, and no others: end all processes."""
        self._disabled = names
        for process in self._processes:
            process.kill()
        self._processes.clear()
        for idle in self._idle.values():
            idle.clear()

    def add(self, *jobs: Job) -> None:
        """Have more jobs done before those that wait."""
        self._waiting.extendleft(reversed(jobs))

    def run(
        self, jobs: Iterable[Job], is_left_out: Callable[[Job], bool] = lambda _: False
    ) -> Iterator[tuple[Job, Done]]:
        """Yield what comes of each job, but for those that are to be left out when it is their turn."""
        self._waiting.extend(jobs)
        running: dict[Future[Done], tuple[Process, Job]] = {}
        while self._waiting or running:
            while self._waiting and len(running) < self._size:
                job = self._waiting.popleft()
                if not is_left_out(job):
                    process, given = self._process(job)
                    running[self._threads.submit(_done, process, job, given)] = process, job
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                process, job = running.pop(future)
                done = future.result()
                if done.problem or job.alone:
                    self._processes.remove(process)
                    process.kill()
                else:
                    self._idle[job.elsewhere].append(process)
                if done.has_ended and not job.ended:
                    self._waiting.appendleft(job._replace(ended=done.problem))
                else:
                    yield job, done._replace(problem=done.problem or job.ended)

    def end(self) -> Iterator[str]:
        """Let the processes that wait for work end by themselves; yield what is wrong with how they do."""
        for process in [*self._idle[False], *self._idle[True]]:
            if problem := process.end(b"", ENDING):
                yield f"after the last job, {problem}"

    def _process(self, job: Job) -> tuple[Process, Given | None]:
        """Return a process for a job, and what it is given if it is a new one."""
        if self._idle[job.elsewhere] and not job.alone:
            return self._idle[job.elsewhere].pop(), None
        environment = {**os.environ, **(ELSEWHERE if job.elsewhere else {})}
        if environment.get(DISABLE, "").strip() != "1":  # which disables all of them
            environment[DISABLE] = ",".join(filter(None, [environment.get(DISABLE, ""), *self._disabled]))
        command = python_command(f"from {__package__}.worker import main; main({os.getpid()})")
        process = Process(command, pickle.load, environment)
        self._processes.add(process)
        return process, Given(self._plugins, self._cases, self._folder if job.elsewhere else "", CALL)


def _done(process: Process, job: Job, given: Given | None) -> Done:
    """Have a process do a job."""
    messages: list[Any] = []
    call, seconds, end = "", STARTING, math.inf
    request = pickle.dumps((job.request, job.arguments, bool(job.ended), given))
    try:
        while True:
            left = end - monotonic()
            message = process.exchange(request, min(seconds, left))
            request = b""
            if isinstance(message, Done):
                return message._replace(messages=messages)
            if isinstance(message, Started):
                seconds, end = math.inf, monotonic() + TOTAL
            elif isinstance(message, Called):
                call, seconds = f", at {message.call}", message.seconds
            else:
                messages.append(message)
    except TimeoutError:
        in_all = f"it takes longer than {TOTAL:g} seconds in all"
        problem = f"it gives nothing within {seconds:g} seconds" if seconds < left else in_all
    except EOFError as error:
        problem = str(error)
    return Done(messages, f"{problem}{call}", has_ended=True)
