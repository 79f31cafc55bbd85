"""Entry points of installed distributions, found without importing what none of them needs.

``importlib.metadata`` imports parsers of e-mail and of ZIP files, which takes longer than to score a small corpus. It
is left out if bleukit is the only distribution with entry points of the group, as a look at the folders shows.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, NamedTuple

from bleukit.hookspecs import PROJECT

if TYPE_CHECKING:
    from collections.abc import Callable

_FOLDERS = ("dist-info", "egg-info")
"""What the names of the folders of distributions end in."""


class EntryPoint(NamedTuple):
    """An entry point, and the name and version of its distribution, empty if they are not known."""

    name: str
    value: str
    distribution: str
    version: str
    load: Callable[[], object]


def of_group(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, as importlib.metadata finds them."""
    own = _of_bleukit_alone(group)
    return _of_all(group) if own is None else own


def _of_all(group: str) -> list[EntryPoint]:
    from importlib import metadata

    described: dict[int, tuple[str, str]] = {}  # reading it takes a while, and a distribution may have many
    found = []
    for entry in metadata.entry_points(group=group):
        distribution = entry.dist
        if id(distribution) not in described:
            known = distribution.metadata if distribution else {"Name": "", "Version": ""}
            described[id(distribution)] = known["Name"], known["Version"]
        found.append(EntryPoint(entry.name, entry.value, *described[id(distribution)], entry.load))
    return found


def _of_bleukit_alone(group: str) -> list[EntryPoint] | None:
    """Return the entry points of bleukit; None if others may have some, or if they cannot be read here."""
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    if finders != [PathFinder]:
        return None
    own: str | None = None
    try:
        for path in sys.path:
            if os.path.isfile(path):  # noqa: PTH113 - pathlib takes longer; a ZIP file may hold distributions
                return None
            for name in os.listdir(path or ".") if os.path.isdir(path or ".") else ():  # noqa: PTH112, PTH208
                distribution, _, kind = name.lower().rpartition(".")
                if kind not in _FOLDERS:
                    continue
                folder = os.path.join(path, name)  # noqa: PTH118
                if distribution.partition("-")[0] == PROJECT:
                    own = own or folder  # the first is the one that counts
                elif f"[{group}]" in _text(folder, "entry_points.txt").replace(" ", ""):
                    return None
        return None if own is None else _entries(own, group)
    except (OSError, ValueError):
        return None


def _text(folder: str, name: str) -> str:
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return ""


def _entries(folder: str, group: str) -> list[EntryPoint] | None:
    """Return the entry points in a folder; None if they are not the plain modules that bleukit's are."""
    head, _, _ = (_text(folder, "METADATA") or _text(folder, "PKG-INFO")).partition("\n\n")
    headers = (line.partition(": ") for line in head.split("\n"))
    described = {name: value for name, _, value in headers if name in {"Name", "Version"}}
    _, _, section = _text(folder, "entry_points.txt").partition(f"[{group}]\n")
    found = []
    for line in section.partition("\n[")[0].split("\n"):
        name, equals, value = map(str.strip, line.partition("="))
        if not name:
            continue
        if not equals or not value.isidentifier() or len(described) < 2:
            return None
        found.append(EntryPoint(name, value, described["Name"], described["Version"], partial(import_module, value)))
    return found or None
