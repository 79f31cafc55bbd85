"""The names of systems that are compared, in results and in tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.cli.printing import encodable, short_names
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Container, Sequence


def distinct(systems: Sequence[str]) -> Sequence[str]:
    """Return the names of systems. Raises InputError if a system is given twice."""
    twice = next((name for place, name in enumerate(systems) if name in systems[:place]), None)
    if twice is not None:
        raise InputError(f"the system {twice!r} is given twice")
    return systems


def names_shown(names: Sequence[str], runs: Container[str]) -> dict[str, str]:
    """Return the names of systems in tables: of files, the parts in which their names differ."""
    files = [name for name in names if name not in runs]
    shown = dict(zip(names, names, strict=True)) | dict(zip(files, short_names(files), strict=True))
    if len(set(shown.values())) < len(names) or "" in shown.values():
        shown = dict(zip(names, names, strict=True))
    return {name: encodable(short) for name, short in shown.items()}
