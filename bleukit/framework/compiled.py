"""Compiled parts: built if a C compiler is available, otherwise plain Python does the same."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

Function = TypeVar("Function", bound="Callable[..., Any]")


class Compiled:
    """A component: a function on one segment, and the compiled function that does the same for many.

    ``batch`` is None if there is no compiled function. ``distributions`` are those of
    :mod:`bleukit.framework.hookspecs`.
    """

    def __init__(
        self, one: Callable[..., Any], batch: Callable[..., Any] | None, distributions: tuple[str, ...] = ()
    ) -> None:
        self.one = one
        self.batch = batch
        self.distributions = distributions
        self.__doc__ = one.__doc__

    def __call__(self, *arguments: Any) -> Any:
        """Call the component on one segment."""
        return self.one(*arguments)

    def __getattr__(self, name: str) -> Any:
        """Return what the function promises, by :func:`bleukit.plugin.promises`."""
        if name.startswith("_") or name == "one":  # which a copy lacks while it is made
            raise AttributeError(name)
        return getattr(self.one, name)


class CompiledModule:
    """A compiled module that may be absent, because it was built without a C compiler.

    ``name`` is its full name. Use one of these per compiled module, next to the plain Python that explains it::

        _compiled = bleukit.plugin.CompiledModule("my_package.tokenizers_compiled")

        def letters(text):
            return list(text)

        component = _compiled.twin(letters)  # `letters` on one text, `_compiled.letters` on many
    """

    declared: ClassVar[dict[str, CompiledModule]] = {}
    """The first of each name: running a module's Python a second time does not change the record."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module: ModuleType | None = None
        self.declared.setdefault(name, self)
        try:
            self.module = import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name and not str(error.name).endswith("_compiled"):  # or one that it needs
                raise

    def replaces(self, function: Function) -> Function:
        """Return the compiled function of the same name, or ``function`` itself if there is none; a decorator."""
        replacement: Function = getattr(self.module, function.__name__, function)
        return replacement

    def twin(self, one: Callable[..., Any], batch: Callable[..., Any] | None = None, *distributions: str) -> Compiled:
        """Return a component: ``one`` on one segment, and on many a compiled function.

        This is ``batch``, a function that calls the module, or by default the module's function with the
        name of ``one``. Without the module the component has no batch method.
        """
        if self.module is None:
            return Compiled(one, None, distributions)
        return Compiled(one, batch or getattr(self.module, one.__name__), distributions)
