"""Work shared between threads, each taking the next piece as soon as it is free."""

from __future__ import annotations

from collections import deque
from contextvars import ContextVar
from functools import partial
from itertools import chain, islice
from threading import Event
from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

STEP = 0.1
"""Seconds to wait at a time, because on Windows an interrupt ends no wait."""

AHEAD = 2
"""Items to read for each thread before the next result is waited for, so that no thread waits for reading."""

_interruption: ContextVar[Event] = ContextVar("interruption", default=Event())  # noqa: B039 - it is never set
"""The event that is set if nobody wants the results of this thread any more."""


class InterruptedWorkError(Exception):
    """Ends work whose results nobody wants; who waits for them has been interrupted, and does not see it."""


def while_wanted(items: Iterable[ItemT]) -> Iterator[ItemT]:
    """Yield items as long as somebody wants their results. Raises InterruptedWorkError after that."""
    interrupted = _interruption.get()
    for item in items:
        if interrupted.is_set():
            raise InterruptedWorkError
        yield item


def map_in_order(function: Callable[[ItemT], ResultT], items: Sequence[ItemT], threads: int) -> Iterable[ResultT]:
    """Return what the function gives for each item, in order; of errors the first, by the items' order, is raised.

    An error, or an interrupt of the calling thread, ends the work as soon as each thread is done with its item. The
    calling thread only waits: an interrupt in the middle of an import, such as a component makes when it is first
    called, would leave the import's lock to the other threads, for ever.
    """
    if threads == 1:
        return map(function, while_wanted(items))
    with _Calls[ResultT](threads) as calls:
        for item in items:
            calls.add(partial(function, item))
        for _ in range(threads):
            calls.pool.submit(calls.make_all)
        return [calls.next_result() for _ in items]


def map_while_reading(
    function: Callable[[ItemT, int], ResultT], items: Iterable[ItemT], threads: int
) -> Iterator[ResultT]:
    """Yield what the function gives for each item, in order; it works while the calling thread takes the next items.

    It is given the number of threads that it may use itself: one, because several items are worked on at a time, or all
    if there is but one item. With one thread nothing overlaps. Of errors the first, by the items' order, is raised.

    The calling thread works too if enough is read ahead, but for the first items. If it left all work to others, there
    would be a thread more than asked for, and one that has to pause for it may hold the interpreter's lock.
    """
    calls = _calls(function, items)
    first = list(islice(calls, 2)) if threads > 1 else []
    if len(first) < 2:
        yield from (call(threads) for call in chain(first, calls))
        return
    with _Calls[ResultT](threads - 1) as shared:
        for call in chain(first, calls):
            shared.add(partial(call, 1))
            shared.pool.submit(shared.make_next)
            if len(shared.results) == threads * AHEAD:
                yield shared.next_result(helps=True)
        while shared.results:
            yield shared.next_result(helps=True)


def _calls(function: Callable[[ItemT, int], ResultT], items: Iterable[ItemT]) -> Iterator[Callable[[int], ResultT]]:
    """Yield the call for each item; for an error in taking one what raises it, after those of the items before."""
    try:
        for item in items:
            yield partial(function, item)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised in its turn
        yield partial(_raise, error)


def _raise(error: Exception, _threads: int) -> NoReturn:
    raise error


class _Calls(Generic[ResultT]):
    """Calls that the threads of a pool make, and their results in order; when it is left, no other call is begun."""

    def __init__(self, threads: int) -> None:
        from concurrent.futures import ThreadPoolExecutor  # heavy, and short text needs one thread

        self.results: deque[Future[ResultT]] = deque()
        self._waiting: deque[tuple[Callable[[], ResultT], Future[ResultT]]] = deque()
        self._has_begun = False
        self._interrupted, self._ended = _interruption.get(), Event()
        self.pool = ThreadPoolExecutor(threads, initializer=_interruption.set, initargs=(self._ended,))

    def __enter__(self) -> _Calls[ResultT]:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._waiting.clear()
        self.pool.shutdown()

    def add(self, call: Callable[[], ResultT]) -> None:
        from concurrent.futures import Future

        self.results.append(Future())
        self._waiting.append((call, self.results[-1]))

    def make_all(self) -> None:
        while self.make_next():
            pass

    def make_next(self) -> bool:
        """Make the next call, unless other threads have made all, and return whether there was one."""
        try:
            call, future = self._waiting.popleft()
        except IndexError:
            return False
        try:
            future.set_result(call())
        except BaseException as error:
            self._waiting.clear()  # all calls before this one have been taken, so that no earlier error is missed
            future.set_exception(error)
            if not isinstance(error, Exception):
                raise
        return True

    def next_result(self, *, helps: bool = False) -> ResultT:
        """Return the next result. Until it is there, make calls, if the calling thread ``helps``, or wait.

        It only waits for the first.
        """
        from concurrent.futures import wait

        while not self.results[0].done():
            if self._interrupted.is_set():
                raise InterruptedWorkError
            if not (helps and self._has_begun and self.make_next()):
                wait([self.results[0]], timeout=STEP)
        self._has_begun = True
        return self.results.popleft().result()
