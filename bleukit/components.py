"""Runs a component over many segments: its batch method where it has one, else one by one.

What a component returns is checked, and what it raises is told with its name: a plugin's fault must not look like ours,
and must not become a number. All functions raise PluginError for that; ``first`` is the number of segments before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any

from bleukit.errors import InputError, PluginError, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bleukit.hookspecs import Counts
    from bleukit.inputs import Text
    from bleukit.registry import LoadedComponent


def tokenize(tokenizer: LoadedComponent, texts: Sequence[Text]) -> Sequence[Sequence[str]]:
    """Return the tokens of each text."""

    def where(text: int) -> str:
        return f"for the text {texts[text]!r:.60}"

    results = _run(tokenizer, (texts,), ((text,) for text in texts), len(texts), where)
    for number, tokens in enumerate(results):
        kind = type(tokens)
        if kind is not list and (issubclass(kind, str | bytes) or not issubclass(kind, Sequence)):
            raise PluginError(f"{tokenizer} returns a {kind.__name__}, not a sequence of tokens, {where(number)}")
        if not set(map(type, tokens)) <= {str} and not all(isinstance(token, str) for token in tokens):
            raise PluginError(f"{tokenizer} returns tokens that are no str, {tokens!r:.60}, {where(number)}")
    return results


def count(
    counter: LoadedComponent,
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    max_order: int,
    first: int = 0,
) -> list[tuple[list[int], list[int]]]:
    """Return (matches, totals) of each segment, each of max_order ints."""
    where = _segment(first)
    calls = ((*pair, max_order) for pair in zip(hypotheses, references, strict=True))
    results = _run(counter, (hypotheses, references, max_order), calls, len(hypotheses), where)
    counts = []
    for number, result in enumerate(results):
        try:
            matches, totals = (list(map(index, side)) for side in result)
        except (TypeError, ValueError) as error:
            raise PluginError(
                f"{counter} returns {result!r:.80}, not two lists of whole numbers, {where(number)}"
            ) from error
        bounded = all(0 <= match <= total for match, total in zip(matches, totals))  # noqa: B905 - lengths come next
        if not bounded or len(matches) != max_order or len(totals) != max_order:
            counted = f"matches {matches!r:.80} of totals {totals!r:.80} up to order {max_order}"
            raise PluginError(f"{counter} counts {counted}, {where(number)}")
        counts.append((matches, totals))
    return counts


def reference_lengths(
    policy: LoadedComponent, hypothesis_lengths: Sequence[int], lengths: Sequence[Sequence[int]], first: int = 0
) -> list[float]:
    """Return the effective reference length of each segment."""
    where = _segment(first)
    calls = zip(hypothesis_lengths, lengths, strict=True)
    results = _run(policy, (hypothesis_lengths, lengths), calls, len(lengths), where)
    effective = []
    for number, result in enumerate(results):
        length = _float(result)
        if not 0 <= length < math.inf:
            given = f"for references of lengths {list(lengths[number])!r:.60}"
            raise PluginError(f"{policy} returns {result!r:.60}, no length, {given}, {where(number)}")
        effective.append(length)
    return effective


def precisions(smoothing: LoadedComponent, counts: Sequence[Counts]) -> list[tuple[float, ...]]:
    """Return the precisions of each unit, one an order."""
    where = _segment(0) if len(counts) > 1 else lambda _: ""
    results = _run(smoothing, (counts,), ((unit,) for unit in counts), len(counts), where)
    smoothed = []
    for number, (unit, result) in enumerate(zip(counts, results, strict=True)):
        values = tuple(map(_float, result)) if isinstance(result, Sequence) else ()
        if len(values) != len(unit.matches) or not all(0 <= p < math.inf or p is UNDEFINED for p in values):
            wanted = f"{len(unit.matches)} precisions, for matches {list(unit.matches)} of {list(unit.totals)}"
            raise PluginError(f"{smoothing} returns {result!r:.80}, not {wanted} {where(number)}".rstrip())
        smoothed.append(values)
    return smoothed


def counted_order(smoothing: LoadedComponent, max_order: int) -> int:
    """Return up to which n-gram order to count: as far as there are weights, or as the smoothing asks for."""
    asked = getattr(smoothing.call, "counted_order", None)
    if asked is None:
        return max_order
    try:
        return max(max_order, index(asked(max_order)))
    except (Exception, SystemExit) as error:
        raise PluginError(f"{smoothing} fails with {one_line(error)}, in its counted_order") from error


UNDEFINED = math.nan


def _float(value: object) -> float:
    """Return a number as float, NaN always as the one object UNDEFINED; -1 for what is no number of a float's size."""
    try:
        number = float(value) if isinstance(value, Real) else -1.0
    except OverflowError:
        return -1.0
    return UNDEFINED if math.isnan(number) else number


def _segment(first: int) -> Callable[[int], str]:
    return lambda number: f"for segment {first + number + 1}, counted from 1"


def _run(
    component: LoadedComponent,
    batch: tuple[Any, ...],
    calls: Iterable[tuple[Any, ...]],
    units: int,
    where: Callable[[int], str],
) -> list[Any]:
    """Return one result a unit."""
    results: list[Any] = []
    try:
        if component.batch:
            results = _unpacked(component.batch(*batch), component.kind)
        else:
            for arguments in calls:
                results.append(component.call(*arguments))
    except (Exception, SystemExit) as error:
        unit = where(len(results)) if not component.batch else "in its batch method"
        if isinstance(error, InputError):  # the input is at fault, not the component
            raise InputError(f"{component.kind} {component.name!r} {error} {unit}".rstrip()) from error
        raise PluginError(f"{component} fails with {one_line(error)}, {unit}".rstrip(", ")) from error
    if len(results) != units:
        raise PluginError(f"{component} returns {len(results)} results for a batch of {units}")
    return results


def _unpacked(results: Any, kind: str) -> list[Any]:
    """Make one result a unit of what a batch method returns: arrays, or sequences; of a counter two of them."""
    if kind == "counter":
        matches, totals = results
        return list(zip(_as_list(matches), _as_list(totals), strict=True))
    return _as_list(results)


def _as_list(values: Any) -> list[Any]:
    return values.tolist() if hasattr(values, "tolist") else list(values)
