"""The errors bleukit raises on purpose. Each message is one line, written for the person who reads it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
"""What the names of components and variants look like: they are written into signatures."""

FIRST_TO_LAST = " … "
"""Stands between the names of the first and the last of several files."""

Key: TypeAlias = tuple[str | int, ...]
"""The way to a value in a YAML file: ``("smoothing", "k")``, ``("weights", 2)``."""


class BleukitError(Exception):
    """Base of all errors that bleukit raises on purpose."""


class InputError(BleukitError, ValueError):
    """Hypotheses, references or a text file that cannot be scored.

    ``key`` is that of the variant whose value refuses them, ``("smoothing",)`` or ``("weights",)``; empty if no variant
    would take them.
    """

    def __init__(self, problem: str, key: Key = ()) -> None:
        self.key = key
        super().__init__(problem)


class InputTypeError(InputError, TypeError):
    """An argument, or one of its items, is of the wrong type."""


class OutputError(BleukitError):
    """Output that cannot be written, or not all of it."""


class CannotExpressError(BleukitError):
    """Another library's BLEU cannot express a variant; the message is the key and the value at fault."""


class PluginError(BleukitError):
    """A plugin does not load, or a component breaks its contract."""


class VariantError(BleukitError, ValueError):
    """A variant is wrong: an unknown key, a wrong type, a component that nobody registered.

    ``problem`` says what is wrong, ``key`` where in the variant, ``where`` in which file and line.
    """

    def __init__(self, problem: str, key: Key = (), where: str = "") -> None:
        self.problem = problem
        self.key = key
        self.where = where
        super().__init__(": ".join(filter(None, (where, key_path(key), problem))))

    def __reduce__(self) -> tuple[type[VariantError], tuple[str, Key, str]]:
        return type(self), (self.problem, self.key, self.where)


class UnknownNameError(VariantError):
    """A variant chooses a component, or starts from a variant, of a name that no plugin has registered."""


class NotInstalledError(VariantError):
    """A variant is right, but a component of it needs a package or a file that is not here; the problem says which."""


def key_path(key: Key) -> str:
    """Write a key as people do: ``smoothing.k``, ``weights[2]``."""
    path = ""
    for part in key:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path


def near_misses(name: str, known: list[str], listed_by: str = "", cutoff: float = 0.6) -> str:
    """Say what is accepted instead of ``name``, the likeliest first; the rest is what commands list, if they do.

    The likeliest are the shortest that have it as a part, such as ``keras-nlp`` for ``keras``, else the most alike.
    ``cutoff`` is the least ratio of difflib: the more names there are, the more are alike by chance.
    """
    import difflib  # takes long to import

    name = name.lower()
    longer = sorted((other for other in known if name and f"-{name}-" in f"-{other}-"), key=len)
    close = longer[:3] or difflib.get_close_matches(name, known, n=3, cutoff=cutoff)
    hint = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
    return hint + (listed_by or f"known: {', '.join(sorted(known)) or 'none'}")


def shown(value: object) -> str:
    """Show a value in a message: its type, and as much of it as fits."""
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def quantity(number: int, noun: str, plural: str = "") -> str:
    """Write how many there are of something: ``1 hypothesis``, ``2 hypotheses``."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def in_words(error: Exception) -> tuple[str, Key]:
    """Split msgspec's message ``Expected `int`, got `str` - at `$.a[1]``` into words for people, and the key.

    The key ends where msgspec does not say in which item of a mapping the value is.
    """
    problem, _, path = str(error).partition(" - at `$")
    known = path.partition("[...]")[0]
    key = tuple(int(index) if index else name for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", known))
    for name, meaning in _FOR_PEOPLE.items():
        problem = problem.replace(f"`{name}`", meaning)
    return problem[:1].lower() + problem[1:], key


_FOR_PEOPLE = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "nothing",
    "object": "a mapping",
    "str": "text",
}


class reported_as:  # noqa: N801 - used as a function
    """Run code of a plugin: raise what ``error_of`` makes of whatever it raises.

    A plugin may raise anything, even a BaseException; only an interrupt of the user passes. It is a class because
    every call of a component enters it, and a generator would take three times as long.
    """

    __slots__ = ("_error_of",)

    def __init__(self, error_of: Callable[[BaseException], BaseException]) -> None:
        self._error_of = error_of

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if error is not None and not isinstance(error, KeyboardInterrupt):
            raise self._error_of(error) from error


def one_line(error: BaseException) -> str:
    """Say what was raised, on one line: bleukit's own messages as they are, others with their type."""
    try:
        message = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - a plugin's error may not even know what to say
        message = ""
    return message if isinstance(error, BleukitError) else f"{type(error).__name__}: {message}".removesuffix(": ")
