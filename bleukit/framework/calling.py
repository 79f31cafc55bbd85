"""Calls a component on many units: its batch method if it has one, else one by one.

What it raises is reported with its name, so that a fault of a plugin does not look like one of bleukit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.framework.errors import InputError, PluginError, one_line, quantity, reported_as

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bleukit.framework.creating import LoadedComponent


def segment_number(first: int) -> Callable[[int], str]:
    """Return a function that says which segment a number means; ``first`` is the number of segments before."""
    return lambda number: f"for segment {first + number + 1}, counted from 1"


def one_by_one(component: LoadedComponent, calls: Iterable[tuple[Any, ...]], where: Callable[[int], str]) -> list[Any]:
    """Return one result per unit."""
    results: list[Any] = []
    with reported_as(lambda error: blamed(component, error, where(len(results)))):
        for arguments in calls:
            results.append(component.call(*arguments))  # noqa: PERF401 - so that an error knows its unit
    return results


def in_batch(component: LoadedComponent, *arguments: Any) -> Any:
    """Return what the batch method gives for all units."""
    with reported_as(lambda error: blamed(component, error, "in its batch method")):
        return component.call.batch(*arguments)  # type: ignore[attr-defined]


def blamed(component: LoadedComponent, error: BaseException, where: str) -> InputError | PluginError:
    """Return an error that names the component; InputError if the component found the input at fault."""
    if isinstance(error, InputError):  # the input is at fault, not the component
        return InputError(f"{component.kind} {component.name!r} {error} {where}".rstrip(), (component.kind,))
    return PluginError(f"{component} fails with {one_line(error)}, {where}".rstrip(", "))


def require_each(component: LoadedComponent, results: Sequence[Any], units: int) -> None:
    """Raise PluginError unless there is a result for each unit."""
    if len(results) != units:
        raise PluginError(f"{component} returns {quantity(len(results), 'result')} for a batch of {units}")


def as_list(values: Any) -> list[Any]:
    """Return the items of an array or a sequence."""
    return values.tolist() if hasattr(values, "tolist") else list(values)
