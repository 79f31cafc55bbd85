"""How the threads of a pool learn that nobody wants their results any more."""

from __future__ import annotations

from contextvars import ContextVar
from threading import Event
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ItemT = TypeVar("ItemT")

interruption: ContextVar[Event] = ContextVar("interruption", default=Event())  # noqa: B039 - it is never set
"""The event that is set if nobody wants the results of this thread any more."""


class InterruptedWorkError(Exception):
    """Ends work whose results nobody wants; who waits for them has been interrupted, and does not see it."""


def while_wanted(items: Iterable[ItemT]) -> Iterator[ItemT]:
    """Yield items as long as somebody wants their results. Raises InterruptedWorkError after that."""
    event = interruption.get()
    for item in items:
        if event.is_set():
            raise InterruptedWorkError
        yield item
