"""Work shared between threads, each taking the next piece as soon as it is free."""

from __future__ import annotations

from collections import deque
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextvars import ContextVar
from functools import partial
from itertools import chain, islice
from operator import itemgetter
from threading import Event
from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Executor

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

STEP = 0.1
"""Seconds to wait at a time, because on Windows an interrupt ends no wait."""

AHEAD = 2
"""Items to read for each thread before the next result is waited for, so that no thread waits for reading."""

_interrupted: ContextVar[Event] = ContextVar("interrupted", default=Event())  # noqa: B039 - it is never set
"""Set if nobody wants the results of a thread any more."""


def map_in_order(function: Callable[[ItemT], ResultT], items: Sequence[ItemT], threads: int) -> Iterable[ResultT]:
    """Return what the function gives for each item, in order; of errors the first, by the items' order, is raised.

    An error, or an interrupt of the calling thread, ends the work as soon as each thread is done with its item.
    """
    interrupted = _interrupted.get()
    if threads == 1:
        return map(function, _wanted(items, interrupted))
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
    with ThreadPoolExecutor(threads) as pool:
        try:
            workers = [pool.submit(work) for _ in range(threads)]
            while wait(workers, timeout=STEP).not_done:
                if interrupted.is_set():
                    raise CancelledError
        finally:
            pending.clear()
    for worker in workers:
        worker.result()  # raises a BaseException
    if errors:
        raise min(errors, key=itemgetter(0))[1]
    return [results[number] for number in range(len(items))]


def _wanted(items: Iterable[ItemT], interrupted: Event) -> Iterator[ItemT]:
    """Yield items as long as somebody wants their results."""
    for item in items:
        if interrupted.is_set():
            raise CancelledError
        yield item


def map_while_reading(
    function: Callable[[ItemT, int], ResultT], items: Iterable[ItemT], threads: int
) -> Iterator[ResultT]:
    """Yield what the function gives for each item, in order; it works while the calling thread takes the next items.

    It is given the number of threads that it may use itself: one, because several items are worked on at a time, or all
    if there is but one item. With one thread nothing overlaps. Of errors the first, by the items' order, is raised.

    The calling thread works too if enough is read ahead. If it left all work to others, there would be a thread more
    than asked for, and one that has to pause for it may hold the interpreter's lock.
    """
    calls = _calls(function, items)
    first = list(islice(calls, 2)) if threads > 1 else []
    if len(first) < 2:
        yield from (call(threads) for call in chain(first, calls))
        return
    interrupted = Event()
    with ThreadPoolExecutor(threads - 1, initializer=_interrupted.set, initargs=(interrupted,)) as pool:
        shared = _Shared[ResultT](pool)
        try:
            for call in chain(first, calls):
                shared.submit(call)
                if len(shared) == threads * AHEAD:
                    yield shared.next_result()
            while len(shared):
                yield shared.next_result()
        finally:
            interrupted.set()
            shared.drop_calls()


def _calls(function: Callable[[ItemT, int], ResultT], items: Iterable[ItemT]) -> Iterator[Callable[[int], ResultT]]:
    """Yield the call for each item; for an error in taking one what raises it, after those of the items before."""
    try:
        for item in items:
            yield partial(function, item)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised in its turn
        yield partial(_raise, error)


def _raise(error: Exception, _threads: int) -> NoReturn:
    raise error


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
        """Return the next result; until it is there, make calls, or wait. The first is only waited for: see mapped."""
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
