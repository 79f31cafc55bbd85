"""A variant in a YAML file whose data are known already, so that YAML need not be imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleukit.errors import Key


class KnownDocument:
    """A YAML file whose data are known; ``path`` returns it, and it is read when the line of a value is asked for."""

    def __init__(self, path: Callable[[], str], data: dict[str, Any]) -> None:
        self._path = path
        self.data = data

    def where(self, key: Key) -> str:
        """Return ``file:line`` of the value at ``key``, or of the nearest thing around it."""
        from bleukit import yaml_document

        return yaml_document.read(self._path()).where(key)
