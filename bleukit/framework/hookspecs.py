"""The hooks for what metrics share, and the marks of all hooks; :mod:`bleukit.plugin` is the manual."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bleukit.framework.protocols import Factory

PROJECT = "bleukit"
"""The name of the pluggy project and of the entry-point group."""

BUILT_IN = f"{PROJECT}.built_in"
"""The package of the built-in plugins, a package each."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function as the implementation of the hook of the same name."""


@hookspec
def bleukit_tokenizers() -> Mapping[str, Factory]:  # type: ignore[empty-body]
    """Return the tokenizers of this plugin: name to factory of a :class:`~bleukit.plugin.Tokenizer`.

    A class, or a component without options, may be given by its place, ``"module:name"``, which is imported when the
    component is created; so it may in all hooks that return factories. Names are letters, digits and ``._+-``. One that
    another plugin has registered, too, cannot be used: to choose it is an error that names both plugins. A name of
    bleukit's own keeps its meaning.
    """


TOKENIZER = "tokenizer"
"""The kind of what :func:`bleukit_tokenizers` returns."""
