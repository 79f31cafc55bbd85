"""Calls a component on many segments: its batch method if it has one, else one by one.

What a component returns is checked, and what it raises is reported with its name, so that a fault of a plugin neither
looks like one of bleukit nor becomes a number. All functions raise PluginError for that; ``first`` is the number of
segments before.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any

from bleukit.framework.calling import as_list, blamed, in_batch, one_by_one, require_each, segment_number
from bleukit.framework.errors import PluginError, one_line, reported_as
from bleukit.framework.loops import are_lengths, bounded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bleukit.bleu.protocols import Counts, CountsTable
    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.packed import Grouped


def count_segments(
    counter: LoadedComponent,
    hypotheses: Sequence[Sequence[str]],
    references: Grouped[Sequence[str]],
    max_order: int,
    first: int = 0,
) -> tuple[array[int], array[int]]:
    """Return matches and totals: max_order of each per segment, one segment after the other."""
    where = segment_number(first)
    if counter.batch is not None:
        sides = in_batch(counter, hypotheses, references, max_order)
        if not isinstance(sides, tuple) or len(sides) != 2:
            raise PluginError(f"{counter} returns {sides!r:.60} for a batch, not (matches, totals)")
        as_arrays = [_flat(side, "q", (len(hypotheses), max_order)) for side in sides]
        if as_arrays[0] and as_arrays[1] and bounded(as_arrays[0], as_arrays[1]):
            return as_arrays[0], as_arrays[1]
        as_lists = list(map(as_list, sides))
        for side in as_lists:
            require_each(counter, side, len(hypotheses))
        results = list(zip(*as_lists, strict=True))
    else:
        calls = ((*pair, max_order) for pair in zip(hypotheses, references, strict=True))
        results = one_by_one(counter, calls, where)
    flat = array("q"), array("q")
    for number, result in enumerate(results):
        try:
            matches, totals = (list(map(index, side)) for side in result)
        except (TypeError, ValueError) as error:
            raise PluginError(
                f"{counter} returns {result!r:.80}, not two lists of whole numbers, {where(number)}"
            ) from error
        pairs = zip(matches, totals)  # noqa: B905 - lengths come next
        right = all(0 <= match <= total < 2**63 for match, total in pairs)
        if len(matches) != max_order or len(totals) != max_order or not right:
            counted = f"matches {matches!r:.80} of totals {totals!r:.80} up to order {max_order}"
            raise PluginError(f"{counter} counts {counted}, {where(number)}")
        flat[0].extend(matches)
        flat[1].extend(totals)
    return flat


def reference_lengths(
    policy: LoadedComponent, hypothesis_lengths: Sequence[int], lengths: Grouped[int], first: int = 0
) -> array[float]:
    """Return the effective reference length of each segment."""
    where = segment_number(first)
    if policy.batch:
        results = in_batch(policy, hypothesis_lengths, lengths)
        effective = _flat(results, "d", (len(lengths),))
        if effective and are_lengths(effective):
            return effective
        results = as_list(results)
    else:
        results = one_by_one(policy, zip(hypothesis_lengths, lengths, strict=True), where)
    require_each(policy, results, len(lengths))
    effective = array("d")
    for number, result in enumerate(results):
        length = _float(result)
        if not 0 <= length < math.inf:
            those = f"for references of lengths {list(lengths[number])!r:.60}"
            raise PluginError(f"{policy} returns {result!r:.60}, which is not a length, {those}, {where(number)}")
        effective.append(length)
    return effective


def precisions(smoothing: LoadedComponent, counts: Sequence[Counts]) -> list[tuple[float, ...]]:
    """Return the precisions of each unit, one an order."""
    where = segment_number(0) if len(counts) > 1 else lambda _: ""
    results = one_by_one(smoothing, ((unit,) for unit in counts), where)
    smoothed = []
    for number, (unit, result) in enumerate(zip(counts, results, strict=True)):
        values = tuple(map(_float, result)) if isinstance(result, Sequence) else ()
        if len(values) != len(unit.matches) or not all(0 <= p < math.inf or p is UNDEFINED for p in values):
            wanted = f"{len(unit.matches)} precisions, for matches {list(unit.matches)} of {list(unit.totals)}"
            raise PluginError(f"{smoothing} returns {result!r:.80}, not {wanted} {where(number)}".rstrip())
        smoothed.append(values)
    return smoothed


def precisions_of_rows(smoothing: LoadedComponent, table: CountsTable) -> NDArray[np.float64]:
    """Return the precisions of each row: shape (rows, orders)."""
    import numpy as np

    if smoothing.batch and len(table.matches) > 1:  # of one row, arrays take longer
        result = np.asarray(in_batch(smoothing, table))
        is_of_shape = result.dtype.kind == "f" and result.shape == table.matches.shape
        if is_of_shape and not ((result < 0) | np.isinf(result)).any():
            return result.astype(np.float64, copy=False)
    # One by one, to find the segment for which a component goes wrong.
    return np.array(precisions(smoothing, table.rows()), np.float64).reshape(table.matches.shape)


def brevity_penalties(penalty: LoadedComponent, lengths: Sequence[tuple[int, float]]) -> list[float]:
    """Return the factor of each unit, given its summed lengths: of the hypothesis, and the effective reference's."""
    results: list[Any] = []
    with reported_as(lambda error: blamed(penalty, error, _for_lengths(*lengths[len(results)]))):
        for pair in lengths:
            results.append(penalty.call(*pair))  # noqa: PERF401 - so that an error knows its unit
    for place, result in enumerate(results):
        if type(result) is not float or not 0 <= result < math.inf:
            results[place] = _float(result)
            if not 0 <= results[place] < math.inf:
                where = _for_lengths(*lengths[place])
                raise PluginError(f"{penalty} returns {result!r:.60}, not a factor of at least 0, {where}")
    return results


def brevity_penalties_of_rows(
    penalty: LoadedComponent, hypothesis_lengths: NDArray[np.int64], reference_lengths: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the factor of each row: shape (rows,)."""
    import numpy as np

    if penalty.batch:
        result = np.asarray(in_batch(penalty, hypothesis_lengths, reference_lengths))
        is_of_shape = result.dtype.kind == "f" and result.shape == hypothesis_lengths.shape
        if is_of_shape and ((result >= 0) & np.isfinite(result)).all():
            return result.astype(np.float64, copy=False)
    lengths = zip(hypothesis_lengths.tolist(), reference_lengths.tolist(), strict=True)
    return np.array(brevity_penalties(penalty, list(lengths)), np.float64)


def _for_lengths(hypothesis_length: int, reference_length: float) -> str:
    return f"for {hypothesis_length} tokens and a reference length of {reference_length:.10g}"


def counted_order(smoothing: LoadedComponent, max_order: int) -> int:
    """Return up to which n-gram order to count: as far as there are weights, or as the smoothing asks for."""
    asked = getattr(smoothing.call, "counted_order", None)
    if asked is None:
        return max_order
    with reported_as(lambda error: PluginError(f"{smoothing} fails with {one_line(error)}, in its counted_order")):
        return max(max_order, index(asked(max_order)))


UNDEFINED = math.nan


def _float(value: object) -> float:
    """Return a number as float, NaN always as the one object UNDEFINED; -1 if it is no number, or too large."""
    if type(value) is float and value == value:  # noqa: PLR0124 - not NaN: most are, and asking for Real takes long
        return value
    try:
        number = float(value) if isinstance(value, Real) else -1.0
    except OverflowError:
        return -1.0
    return UNDEFINED if math.isnan(number) else number


def _flat(values: Any, typecode: str, shape: tuple[int, ...]) -> array[Any] | None:
    """Return the numbers of a buffer of this shape, row by row; None for anything else."""
    try:
        view = memoryview(values)
    except TypeError:
        return None
    same_numbers = view.itemsize == 8 and view.format in ("d" if typecode == "d" else "ql")
    if not same_numbers or view.shape != shape or not view.c_contiguous:
        return None
    flat = array(typecode)
    flat.frombytes(view.cast("B"))
    return flat
