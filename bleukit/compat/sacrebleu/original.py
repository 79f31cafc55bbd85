"""The names that sacreBLEU has and bleukit lacks are sacreBLEU's own, if it is installed."""

from __future__ import annotations

import logging
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

EXTRA = "pip install 'bleukit[sacrebleu]'"
"""The command that installs sacreBLEU."""

logger = logging.getLogger("sacrebleu")


def names_of(module: str) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module below ``bleukit.compat``: it looks names up in the module it stands for.

    It raises AttributeError for a name that sacreBLEU has not either, or if sacreBLEU is not installed.
    """
    return partial(_looked_up, module)


def imported(name: str) -> Any:
    """Return a module, or None if there is none of this name."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return None


def _looked_up(module: str, name: str) -> Any:
    unknown = f"module {module!r} has no attribute {name!r}"
    if name.startswith("__"):
        raise AttributeError(unknown)
    submodule = imported(f"{module}.{name}")
    if submodule is not None:
        return submodule
    name_of_original = module.removeprefix("bleukit.compat.")
    original = imported(name_of_original)
    if original is None:
        raise AttributeError(f"{unknown}; if it is sacreBLEU's own, it needs: {EXTRA}")
    value = vars(original)[name] if name in vars(original) else imported(f"{name_of_original}.{name}")
    if value is None:
        raise AttributeError(unknown)
    logger.info("%s.%s is sacreBLEU's own.", name_of_original, name)
    return value
