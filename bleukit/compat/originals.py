"""The packages that drop-ins stand on: which versions they need, and how their functions and names are taken over."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bleukit.framework.creating import version_of
from bleukit.framework.errors import NotInstalledError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

FunctionT = TypeVar("FunctionT")


def require(distribution: str, oldest: str, package: str) -> None:
    """Raise NotInstalledError if a distribution is missing or older; ``package`` is what pip installs then."""
    version = version_of(distribution)
    if _numbers(version) < _numbers(oldest):
        found = f"found {version}" if version else "which is not installed"
        raise NotInstalledError(f"this needs {distribution} {oldest} or later, {found}: pip install -U '{package}'")


def _numbers(version: str) -> list[int]:
    return list(map(int, re.findall(r"\d+", version)[:3]))


def names_of(original: ModuleType) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module that stands for another one: it looks up names and submodules there."""

    def looked_up(name: str) -> Any:
        if hasattr(original, "__path__") and not name.startswith("_"):
            with suppress(ModuleNotFoundError):
                return import_module(f"{original.__name__}.{name}")
        if name.startswith("__"):
            raise AttributeError(f"module has no attribute {name!r}")
        return getattr(original, name)

    return looked_up


def reading_names(function: FunctionT, names: dict[str, Any], module: str) -> FunctionT:
    """Return a function of another library as one of ``module``, which takes its global names from ``names``.

    It is added to ``names`` itself, for the functions that call it.
    """
    original: Any = function
    made = FunctionType(original.__code__, names, original.__name__, original.__defaults__, original.__closure__)
    made.__doc__, made.__module__, made.__qualname__ = original.__doc__, module, original.__qualname__
    made.__annotations__ = original.__annotations__
    names[original.__name__] = made
    return cast("FunctionT", made)
