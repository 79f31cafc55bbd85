"""Work shared between threads, each taking the next piece as soon as it is free."""

from __future__ import annotations

from collections import deque
from contextvars import ContextVar
from functools import partial
from itertools import chain, islice
from threading import Event
from typing import TYPE_CHECKING, NoReturn, TypeVar

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


def map_in_order(function: Callable[[ItemT], ResultT], items: Sequence[ItemT], threads: int) -> list[ResultT]:
    """Return what the function gives for each item, in order; of errors the first, by the items' order, is raised.

    An error, or an interrupt of the calling thread, ends the work as soon as each thread is done with its item. Beside
    other threads the calling one only waits: an interrupt in the middle of an import, such as a component makes when it
    is first called, would leave the import's lock to the other threads, for ever.
    """
    if threads == 1 or len(items) < 2:
        return list(map(function, while_wanted(items)))
    return list(_in_pool(function, items, threads, len(items)))


def map_while_reading(
    function: Callable[[ItemT, int], ResultT], items: Iterable[ItemT], threads: int
) -> Iterator[ResultT]:
    """Yield what the function gives for each item, in order; it works while the calling thread takes the next items.

    It is given the number of threads that it may use itself: one, because several items are worked on at a time, or all
    if there is but one item. With one thread nothing overlaps. Of errors the first, by the items' order, is raised.
    """
    calls = _calls(function, items)
    first = list(islice(calls, 2)) if threads > 1 else []
    if len(first) < 2:
        yield from (call(threads) for call in chain(first, calls))
        return
    yield from _in_pool(lambda call: call(1), chain(first, calls), threads, threads * AHEAD)


def _calls(function: Callable[[ItemT, int], ResultT], items: Iterable[ItemT]) -> Iterator[Callable[[int], ResultT]]:
    """Yield the call for each item; for an error in taking one what raises it, after those of the items before."""
    try:
        for item in items:
            yield partial(function, item)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised in its turn
        yield partial(_raise, error)


def _raise(error: Exception, _threads: int) -> NoReturn:
    raise error


def _in_pool(
    function: Callable[[ItemT], ResultT], items: Iterable[ItemT], threads: int, ahead: int
) -> Iterator[ResultT]:
    """Yield what the function gives for each item, in order, of which so many are taken ``ahead``."""
    from concurrent.futures import ThreadPoolExecutor, wait  # heavy, and short text needs one thread

    interrupted, ended = _interruption.get(), Event()

    def result() -> ResultT:
        while not results[0].done():
            if interrupted.is_set():
                raise InterruptedWorkError
            wait([results[0]], timeout=STEP)
        return results.popleft().result()

    pool = ThreadPoolExecutor(threads, initializer=_interruption.set, initargs=(ended,))
    results: deque[Future[ResultT]] = deque()
    try:
        for item in items:
            results.append(pool.submit(function, item))
            if len(results) == ahead:
                yield result()
        while results:
            yield result()
    finally:
        ended.set()
        pool.shutdown(cancel_futures=True)
