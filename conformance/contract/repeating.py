"""Whether a component gives the same again: for the same input, in the same process or in another one.

This is asked in processes that generate no input, and do not import what does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.conformance.contract.calls import BrokenError, Caller, Watch, in_short

from bleukit.framework import creating, registry
from bleukit.framework.options import Component

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleukit.conformance.contract.inputs import Arguments
    from bleukit.conformance.judging.combinations import Choice


class Finding(NamedTuple):
    """What a component does otherwise than a ``rule`` says, ``shown`` by the smallest example.

    It ``fails`` if it must not do so; else that is only observed.
    """

    rule: str
    shown: str
    fails: bool = True


def again(kind: str, choice: Choice, watch: Watch, samples: Sequence[tuple[Arguments, Any]]) -> Iterator[Finding]:
    """Yield a finding if a component gives another result here than in another process."""
    component = creating.create(registry.installed(), kind, Component.from_yaml(choice))
    rule = "gives the same in another process, with another hash seed, locale and folder"
    yield from differences(rule, Caller(component, watch), samples)


def differences(
    rule: str, call: Callable[[Arguments], Any], samples: Sequence[tuple[Arguments, Any]]
) -> Iterator[Finding]:
    """Yield a finding about the shortest input of which the result is another one."""
    found = []
    for arguments, result in samples:
        other = outcome(call, arguments)
        if isinstance(other, BrokenError):
            found.append((arguments, f"it {other}"))
        elif repr(other) != repr(result):
            found.append((arguments, f"{in_short(result)}, then {in_short(other)}"))
    if found:
        arguments, problem = min(found, key=lambda one: len(repr(one[0])))
        yield Finding(rule, f"{in_short(arguments)}: {problem}")


def outcome(call: Callable[[Arguments], Any], arguments: Arguments) -> Any:
    """Return the result of a call, or the BrokenError that it raises."""
    try:
        return call(arguments)
    except BrokenError as error:
        return error
