"""What the process of a component watches, parts of bleukit that are replaced and files that are opened; its limits."""

from __future__ import annotations

import datetime as dt
import os
import sys
import time
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Parts: TypeAlias = "dict[str, tuple[Any, ...]]"
"""The functions, classes, methods and constants of bleukit by their full names, each with what makes it up."""

PACKAGES = ("bleukit", "bleukit.conformance")


def parts() -> Parts:
    """Return the parts of bleukit, and of this suite, that are imported."""
    found: Parts = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES:
            for own, value in list(vars(module).items()):
                if callable(value) or own.isupper():
                    found |= _part(f"{name}.{own}", value)
    return found


def replaced(before: Parts) -> list[str]:
    """Return the names of those parts that are not what they were before, alphabetically."""
    now = parts()
    return sorted(name for name, made_of in before.items() if not _same(made_of, now.get(name, ())))


def watch(files: Iterable[str]) -> set[str]:
    """Return a set that fills with those of some files that this process opens."""
    watched = {os.path.realpath(file) for file in files}
    opened: set[str] = set()

    def heard(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | bytes):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if path in watched:
                opened.add(path)

    sys.addaudithook(heard)
    return opened


def limit(memory: int) -> None:
    """Bound the memory of this process if the system can; a process that crashes leaves no core behind."""
    try:
        import resource
    except ImportError:
        return
    for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(what)
        if hard == resource.RLIM_INFINITY or most <= hard:
            resource.setrlimit(what, (most, hard))


class Clock:
    """How many seconds ``time`` and ``datetime`` are off; what asks the system itself still gets the right time."""

    off = 0

    @classmethod
    def install(cls) -> None:
        """Let them ask this clock from now on."""
        now, now_in_nanoseconds, form = time.time, time.time_ns, time.strftime
        time.time = lambda: now() + cls.off
        time.time_ns = lambda: now_in_nanoseconds() + cls.off * 10**9
        for name in ("gmtime", "localtime", "ctime"):
            setattr(time, name, _at_the_time_of_this_clock(getattr(time, name)))
        time.strftime = lambda *arguments: form(*arguments, *[time.localtime()][len(arguments) - 1 :])
        dt.datetime, dt.date = _Datetime, _Date  # type: ignore[misc]


def _part(name: str, value: Any, depth: int = 0) -> Parts:
    made_of: tuple[Any, ...] = (value,)
    if isinstance(value, FunctionType):
        made_of = (value, value.__code__, value.__defaults__, value.__kwdefaults__)
    found: Parts = {name: made_of}
    if isinstance(value, type) and value.__module__.partition(".")[0] in PACKAGES and not depth:
        for own, member in list(vars(value).items()):
            function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            if callable(function) or isinstance(function, property):
                found |= _part(f"{name}.{own}", function, depth + 1)
    return found


def _same(before: tuple[Any, ...], now: tuple[Any, ...]) -> bool:
    return len(before) == len(now) and all(one is other for one, other in zip(before, now, strict=True))


def _at_the_time_of_this_clock(function: Any) -> Any:
    return lambda seconds=None: function(time.time() if seconds is None else seconds)


class _Like(type):
    """Dates of the original class are instances of the one that stands for it."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.__mro__[1])


class _Datetime(dt.datetime, metaclass=_Like):
    """A datetime of this clock."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> Any:
        return cls.__mro__[1].now(tz) + dt.timedelta(seconds=Clock.off)  # type: ignore[attr-defined]

    @classmethod
    def utcnow(cls) -> Any:
        return cls.now(dt.timezone.utc).replace(tzinfo=None)

    @classmethod
    def today(cls) -> Any:
        return cls.now()


class _Date(dt.date, metaclass=_Like):
    """A date of this clock."""

    @classmethod
    def today(cls) -> Any:
        return _Datetime.now().date()
