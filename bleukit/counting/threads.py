"""Work shared between threads, each taking the next piece as soon as it is free."""

from __future__ import annotations

from collections import deque
from contextvars import ContextVar
from itertools import chain, islice
from operator import itemgetter
from threading import Event
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")

STEP = 0.1
"""Seconds to wait at a time, because on Windows an interrupt ends no wait."""

WAITING = 2
"""Items that wait for a thread while the next is read, so that no thread waits for them."""

_interrupted: ContextVar[Event] = ContextVar("interrupted", default=Event())  # noqa: B039 - it is never set
"""Set if nobody wants the results of a thread any more."""


def mapped(function: Callable[[Item], Result], items: Sequence[Item], threads: int) -> Iterable[Result]:
    """Return what the function gives for each item, in order; of errors the first, by the items' order, is raised.

    An error, or an interrupt of the calling thread, ends the work as soon as each thread is done with its item.
    """
    interrupted = _interrupted.get()
    if threads == 1:
        return map(function, _wanted(items, interrupted))
    from concurrent.futures import CancelledError, ThreadPoolExecutor, wait

    pending = deque(enumerate(items))
    results: dict[int, Result] = {}
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


def _wanted(items: Iterable[Item], interrupted: Event) -> Iterator[Item]:
    """Yield items as long as somebody wants their results."""
    for item in items:
        if interrupted.is_set():
            from concurrent.futures import CancelledError

            raise CancelledError
        yield item


def while_reading(function: Callable[[Item, int], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """Yield what the function gives for each item, in order; it works while the calling thread takes the next items.

    It is given the number of threads that it may use itself: one, because several items are worked on at a time, or all
    if there is but one item. With one thread nothing overlaps. Of errors the first, by the items' order, is raised.
    """
    all_taken = _taken(items)
    first = list(islice(all_taken, 2)) if threads > 1 else []
    is_alone = len(first) < 2

    def result(taken: tuple[list[Item], Exception | None]) -> Result:
        at_most_one, error = taken
        if error:
            raise error
        [item] = at_most_one
        return function(item, threads if is_alone else 1)

    if is_alone:
        yield from map(result, chain(first, all_taken))
        return
    from concurrent.futures import ThreadPoolExecutor, wait

    interrupted = Event()
    pending: deque[Future[Result]] = deque()

    def next_result() -> Result:
        while not wait([pending[0]], timeout=STEP).done:
            pass
        return pending.popleft().result()

    with ThreadPoolExecutor(threads, initializer=_interrupted.set, initargs=(interrupted,)) as pool:
        try:
            for each in chain(first, all_taken):
                pending.append(pool.submit(result, each))
                if len(pending) == threads + WAITING:
                    yield next_result()
            while pending:
                yield next_result()
        finally:
            interrupted.set()
            for left in pending:
                left.cancel()


def _taken(items: Iterable[Item]) -> Iterator[tuple[list[Item], Exception | None]]:
    """Yield each item; in place of one an error in taking it, to be raised after those of the items before."""
    try:
        for item in items:
            yield [item], None
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised in its turn
        yield [], error
