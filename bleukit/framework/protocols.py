"""What plugins provide: the protocols of components and of all else, what they are given, and what they return.

A promise is an attribute of a component, absent by default, that lets the core compute another or a faster way. Without
it, the core takes the slow way, which is right for every component, or says which promise it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

Text: TypeAlias = str | Sequence[str]
"""One segment: text, or the list of its tokens."""

References: TypeAlias = Text | Sequence[Text]
"""The references of one segment: one, or a sequence of them."""


class Tokenizer(Protocol):
    """Text to tokens. It is deterministic, and never raises on any str.

    If a variant lowercases, it lowercases the text before. A tokenizer whose own definition lowercases elsewhere,
    say after it has replaced entities, offers ``lowercasing(lowercase) -> Tokenizer``, which returns the tokenizer that
    does so; ``lowercase`` is True, or "ascii" for A to Z alone (:func:`bleukit.plugin.lowered`). The base class
    :class:`bleukit.plugin.LowercasingTokenizer` offers it.

    A tokenizer that sets characters apart by their classes and those of their neighbours, as mteval's and many others
    do, can be data: :class:`bleukit.plugin.RuleTokenizer` has a compiled form of any such rules. If it lowercases by
    itself, its base class is :class:`bleukit.plugin.LowercasingRules`. The ``batch`` of another one, if it splits what
    stands between spaces alone, can be :func:`bleukit.plugin.tokenize_by_pieces`.

    Batch: ``batch(texts: Sequence[str]) -> Sequence[Sequence[str]]``, one sequence of tokens per text. A compiled one
    returns :class:`bleukit.plugin.PackedTokens`, which compiled counters read without a Python object a
    token; ``bleukit/framework/packed_compiled.pxd`` has what a tokenizer in Cython needs.

    Promise ``reads_packed``: ``batch`` takes :class:`bleukit.plugin.PackedTexts`, too, the UTF-8 of files and of
    Arrow's columns, which read as a sequence of str; ``pack_texts`` of that ``.pxd`` reads them without a Python object
    a text. All others are given a list of str.
    """

    def __call__(self, text: str, /) -> Sequence[str]:
        """Return the tokens of one text, in order."""
        ...


Factory: TypeAlias = Callable[..., Any]
"""Called with a component's options as keyword arguments, returns the component."""

Function = TypeVar("Function", bound=Callable[..., Any])


def promises(**values: Any) -> Callable[[Function], Function]:
    """Return a decorator that gives a function attributes, the promises that it makes as a component."""

    def promising(function: Function) -> Function:
        for name, value in values.items():
            setattr(function, name, value)
        return function

    return promising
