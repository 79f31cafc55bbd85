"""Runs a component over many segments: its batch method where it has one, else one by one.

What a component returns is checked, and what it raises is told with its name: a plugin's fault must not look like ours,
and must not become a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.errors import BleukitError, PluginError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bleukit.hookspecs import Counts
    from bleukit.inputs import Text
    from bleukit.registry import LoadedComponent


def tokenize(tokenizer: LoadedComponent, texts: Sequence[Text]) -> Sequence[Sequence[str]]:
    """Return the tokens of each text. Raises PluginError where the tokenizer fails or returns no sequence of tokens."""
    tokens: Sequence[Sequence[str]] = _run(tokenizer, (texts,), ((text,) for text in texts))
    for index, kind in enumerate(map(type, tokens)):
        if kind is not list and (issubclass(kind, str) or not issubclass(kind, Sequence)):
            returned = f"a {kind.__name__}, not a sequence of tokens"
            raise PluginError(f"{tokenizer} returns {returned}, for the text {texts[index]!r:.60}")
    return tokens


def count(
    counter: LoadedComponent,
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    max_order: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return matches and totals, each of shape (segments, max_order)."""
    calls = ((*pair, max_order) for pair in zip(hypotheses, references, strict=True))
    results = _run(counter, (hypotheses, references, max_order), calls)
    matches, totals = results if counter.batch else zip(*results, strict=True)
    shape = (len(hypotheses), max_order)
    matches, totals = _array(counter, matches, np.int64, shape), _array(counter, totals, np.int64, shape)
    if (matches < 0).any() or (matches > totals).any():
        segment = int(np.flatnonzero(((matches < 0) | (matches > totals)).any(axis=1))[0])
        counted = f"matches {matches[segment].tolist()} of totals {totals[segment].tolist()}"
        raise PluginError(f"{counter} counts {counted} for the hypothesis {hypotheses[segment]!r:.60}")
    return matches, totals


def reference_lengths(
    policy: LoadedComponent, hypothesis_lengths: Sequence[int], lengths: Sequence[Sequence[int]]
) -> NDArray[np.float64]:
    """Return the effective reference length of each segment."""
    results = _run(policy, (hypothesis_lengths, lengths), zip(hypothesis_lengths, lengths, strict=True))
    effective = _array(policy, results, np.float64, (len(lengths),))
    if not (np.isfinite(effective) & (effective >= 0)).all():
        segment = int(np.flatnonzero(~(np.isfinite(effective) & (effective >= 0)))[0])
        raise PluginError(f"{policy} returns {effective[segment]} for references of lengths {list(lengths[segment])}")
    return effective


def precisions(smoothing: LoadedComponent, counts: Sequence[Counts]) -> NDArray[np.float64]:
    """Return the precisions of each unit, of shape (units, orders)."""
    results = _run(smoothing, (counts,), ((unit,) for unit in counts))
    return _array(smoothing, results, np.float64, (len(counts), len(counts[0].matches)))


def _run(component: LoadedComponent, batch: tuple[Any, ...], calls: Iterable[tuple[Any, ...]]) -> Any:
    results: list[Any] = []
    try:
        if component.batch:
            return component.batch(*batch)
        for arguments in calls:
            results.append(component.call(*arguments))  # noqa: PERF401 - its length tells which call failed
    except BleukitError as error:
        where = f", segment {len(results)}" if len(batch[0]) > 1 and not component.batch else ""
        raise type(error)(f"{component.kind} {component.name!r}{where}: {error}") from error
    except Exception as error:
        raise PluginError(f"{component} fails with {type(error).__name__}: {error}") from error
    return results


def _array(component: LoadedComponent, results: Any, kind: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    try:
        array = np.asarray(results if hasattr(results, "dtype") else list(results)).astype(kind, casting="same_kind")
        return array.reshape(shape) if array.size == 0 else _shaped(array, shape)
    except (TypeError, ValueError) as error:
        raise PluginError(f"{component} returns numbers of the wrong kind or shape: {error}") from error


def _shaped(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    if array.shape != shape:
        raise ValueError(f"expected shape {shape}, got {array.shape}")
    return array
