"""The threads behind :mod:`bleukit.counting.threads`, if there are several."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from operator import itemgetter
from threading import Event
from typing import TYPE_CHECKING, Generic, TypeVar

from bleukit.counting.interrupted_work import InterruptedWorkError, interruption

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Executor

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

STEP = 0.1
"""Seconds to wait at a time, because on Windows an interrupt ends no wait."""

AHEAD = 2
"""Items to read for each thread before the next result is waited for, so that no thread waits for reading."""


def results_in_order(function: Callable[[ItemT], ResultT], items: Sequence[ItemT], threads: int) -> list[ResultT]:
    """Return the results of a function for each item; see :func:`bleukit.counting.threads.map_in_order`."""
    interrupted = interruption.get()
    pending = deque(enumerate(items))
    results: dict[int, ResultT] = {}
    errors: list[tuple[int, Exception]] = []

    def work() -> None:
        while pending:
            try:
                number, item = pending.popleft()
            except IndexError:  # another thread has just taken the last
                return
            try:
                results[number] = function(item)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is raised below
                pending.clear()  # all items before this one have been taken, so that no earlier error is missed
                errors.append((number, error))

    # The calling thread only waits: an interrupt in the middle of an import, such as a component makes when it is first
    # called, would leave the import's lock to the other threads, for ever.
    ended = Event()
    with ThreadPoolExecutor(threads, initializer=interruption.set, initargs=(ended,)) as pool:
        try:
            workers = [pool.submit(work) for _ in range(threads)]
            while wait(workers, timeout=STEP).not_done:
                if interrupted.is_set():
                    raise InterruptedWorkError
        finally:
            ended.set()
            pending.clear()
    for worker in workers:
        worker.result()  # raises a BaseException
    if errors:
        raise min(errors, key=itemgetter(0))[1]
    return [results[number] for number in range(len(items))]


def results_while_reading(calls: Iterable[Callable[[int], ResultT]], threads: int) -> Iterator[ResultT]:
    """Yield the results of calls, each given a number of threads: one; see :mod:`bleukit.counting.threads`."""
    interrupted = Event()
    with ThreadPoolExecutor(threads - 1, initializer=interruption.set, initargs=(interrupted,)) as pool:
        shared = _Shared[ResultT](pool)
        try:
            for call in calls:
                shared.submit(call)
                if len(shared) == threads * AHEAD:
                    yield shared.next_result()
            while len(shared):
                yield shared.next_result()
        finally:
            interrupted.set()
            shared.drop_calls()


class _Shared(Generic[ResultT]):
    """Calls that the threads of a pool and the calling thread share, and their results in order."""

    def __init__(self, pool: Executor) -> None:
        self._pool = pool
        self._calls: deque[tuple[Callable[[int], ResultT], Future[ResultT]]] = deque()
        self._results: deque[Future[ResultT]] = deque()
        self._has_begun = False

    def __len__(self) -> int:
        """Return the number of results that have not been returned."""
        return len(self._results)

    def submit(self, call: Callable[[int], ResultT]) -> None:
        self._results.append(Future())
        self._calls.append((call, self._results[-1]))
        self._pool.submit(self._make_call)

    def next_result(self) -> ResultT:
        """Return the next result; until it is there, make calls, or wait. The first is only waited for."""
        while not self._results[0].done():
            if not (self._has_begun and self._make_call()):
                wait([self._results[0]], timeout=STEP)
        self._has_begun = True
        return self._results.popleft().result()

    def _make_call(self) -> bool:
        """Make the next call, unless other threads have made all, and return whether there was one."""
        try:
            call, future = self._calls.popleft()
        except IndexError:
            return False
        try:
            future.set_result(call(1))
        except BaseException as error:
            future.set_exception(error)
            if not isinstance(error, Exception):
                raise
        return True

    def drop_calls(self) -> None:
        self._calls.clear()
