"""Runs a component over many segments: its batch method where it has one, else one by one.

What a component returns is checked, and what it raises is told with its name: a plugin's fault must not look like ours,
and must not become a number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any

from bleukit.errors import BleukitError, PluginError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bleukit.hookspecs import Counts
    from bleukit.inputs import Text
    from bleukit.registry import LoadedComponent


def tokenize(tokenizer: LoadedComponent, texts: Sequence[Text]) -> Sequence[Sequence[str]]:
    """Return the tokens of each text."""
    tokens = _run(tokenizer, (texts,), ((text,) for text in texts), len(texts))
    for kind, text in zip(map(type, tokens), texts, strict=True):
        if kind is not list and (issubclass(kind, str | bytes) or not issubclass(kind, Sequence)):
            raise PluginError(f"{tokenizer} returns a {kind.__name__}, not a sequence of tokens, for {text!r:.60}")
    return tokens


def count(
    counter: LoadedComponent,
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    max_order: int,
) -> list[tuple[list[int], list[int]]]:
    """Return (matches, totals) of each segment, each of max_order ints."""
    calls = ((*pair, max_order) for pair in zip(hypotheses, references, strict=True))
    results = _run(counter, (hypotheses, references, max_order), calls, len(hypotheses))
    counts = []
    for hypothesis, result in zip(hypotheses, results, strict=True):
        try:
            matches, totals = (list(map(index, side)) for side in result)
        except (TypeError, ValueError) as error:
            raise PluginError(f"{counter} returns {result!r:.80}, not two lists of whole numbers") from error
        bounded = all(0 <= match <= total for match, total in zip(matches, totals))  # noqa: B905 - lengths come next
        if not bounded or len(matches) != max_order or len(totals) != max_order:
            counted = f"matches {matches} of totals {totals} up to order {max_order}"
            raise PluginError(f"{counter} counts {counted}, for the hypothesis {hypothesis!r:.60}")
        counts.append((matches, totals))
    return counts


def reference_lengths(
    policy: LoadedComponent, hypothesis_lengths: Sequence[int], lengths: Sequence[Sequence[int]]
) -> list[float]:
    """Return the effective reference length of each segment."""
    calls = zip(hypothesis_lengths, lengths, strict=True)
    effective = _run(policy, (hypothesis_lengths, lengths), calls, len(lengths))
    for length, given in zip(effective, lengths, strict=True):
        if not isinstance(length, Real) or not 0 <= float(length) < math.inf:
            raise PluginError(f"{policy} returns {length!r:.60}, no length, for references of lengths {list(given)}")
    return list(map(float, effective))


def precisions(smoothing: LoadedComponent, counts: Sequence[Counts]) -> list[tuple[float, ...]]:
    """Return the precisions of each unit, one an order."""
    results = _run(smoothing, (counts,), ((unit,) for unit in counts), len(counts))
    for unit, result in zip(counts, results, strict=True):
        if len(result) != len(unit.matches) or not all(isinstance(p, Real) and not float(p) < 0 for p in result):
            wanted = f"{len(unit.matches)} precisions"
            raise PluginError(f"{smoothing} returns {result!r:.80}, not {wanted}, for matches {list(unit.matches)}")
    return [tuple(map(float, result)) for result in results]


def _run(component: LoadedComponent, batch: tuple[Any, ...], calls: Iterable[tuple[Any, ...]], units: int) -> list[Any]:
    """Return one result a unit."""
    results: list[Any] = []
    try:
        if component.batch:
            results = _unpacked(component.batch(*batch), component.kind)
        else:
            for arguments in calls:
                results.append(component.call(*arguments))
    except BleukitError as error:
        where = f", segment {len(results)}" if units > 1 and not component.batch else ""
        raise type(error)(f"{component.kind} {component.name!r}{where}: {error}") from error
    except Exception as error:
        raise PluginError(f"{component} fails with {type(error).__name__}: {error}") from error
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
