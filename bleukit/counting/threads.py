"""Work shared between threads, each taking the next piece as soon as it is free."""

from __future__ import annotations

from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, NoReturn, TypeVar

from bleukit.counting.interrupted_work import while_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


def map_in_order(function: Callable[[ItemT], ResultT], items: Sequence[ItemT], threads: int) -> Iterable[ResultT]:
    """Return what the function gives for each item, in order; of errors the first, by the items' order, is raised.

    An error, or an interrupt of the calling thread, ends the work as soon as each thread is done with its item.
    """
    if threads == 1:
        return map(function, while_wanted(items))
    from bleukit.counting import pools  # concurrent.futures is heavy, and short text needs one thread

    return pools.results_in_order(function, items, threads)


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
    from bleukit.counting import pools  # heavy, see map_in_order

    yield from pools.results_while_reading(chain(first, calls), threads)


def _calls(function: Callable[[ItemT, int], ResultT], items: Iterable[ItemT]) -> Iterator[Callable[[int], ResultT]]:
    """Yield the call for each item; for an error in taking one what raises it, after those of the items before."""
    try:
        for item in items:
            yield partial(function, item)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised in its turn
        yield partial(_raise, error)


def _raise(error: Exception, _threads: int) -> NoReturn:
    raise error
