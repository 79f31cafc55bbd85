"""The processes in which components are tried, and which are used again for the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.conformance.processes import parent
from bleukit.conformance.processes.parent import Child

if TYPE_CHECKING:
    from collections.abc import Sequence


class Bench:
    """The processes in which some components are tried, one after the other: those of one distribution.

    ``plugins`` and ``disabled`` are as for :class:`Child`, ``folder`` is the current folder elsewhere.
    """

    def __init__(
        self, plugins: Sequence[str] = (), disabled: Sequence[str] = (), folder: str = "", *, quick: bool = False
    ) -> None:
        self.quick = quick
        self._plugins = plugins, disabled
        self._surroundings = {"here": parent.HERE, "elsewhere": parent.elsewhere(folder)}
        self._children: dict[str, Child] = {}

    def __enter__(self) -> Bench:  # noqa: PYI034 - Self is not in Python 3.10
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes by force."""
        for child in self._children.values():
            child.kill()
        self._children = {}

    def child(self, where: str = "here") -> Child:
        """Return the process in some surroundings: here or elsewhere."""
        if where not in self._children:
            self._children[where] = Child(self._surroundings[where], *self._plugins)
        return self._children[where]

    def drop(self, where: str = "here") -> None:
        """End a process by force; the next one is new."""
        self._children.pop(where).kill()

    def end(self) -> str:
        """Let the processes end; return what is wrong with how they do."""
        wrong = [child.end() for child in self._children.values()]
        self.close()
        return next(filter(None, wrong), "")
