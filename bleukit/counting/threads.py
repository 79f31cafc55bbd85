"""Work shared between threads, each taking the next piece as soon as it is free."""

from __future__ import annotations

from collections import deque
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")


def mapped(function: Callable[[Item], Result], items: Sequence[Item], threads: int) -> Iterable[Result]:
    """Return what the function gives for each item, in order; of errors the first, by the items' order, is raised.

    An error, or an interrupt of the calling thread, ends the work as soon as each thread is done with its item.
    """
    if threads == 1:
        return map(function, items)
    from concurrent.futures import ThreadPoolExecutor, wait

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
            while wait(workers, timeout=0.1).not_done:  # in steps, because on Windows an interrupt ends no wait
                pass
        finally:
            pending.clear()
    for worker in workers:
        worker.result()  # raises a BaseException
    if errors:
        raise min(errors, key=itemgetter(0))[1]
    return [results[number] for number in range(len(items))]
