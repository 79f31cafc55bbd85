"""Calls a component in every way in which it can be called, and copies what it returns to plain data.

This runs in the process of the component. Inputs come as packed plain data, so that each call gets new objects.
"""

from __future__ import annotations

import math
import operator
import pickle
import time
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import cycle, islice, pairwise
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

import numpy as np
from bleukit.conformance.definitions import PLAIN_VARIANT, plain_precisions
from bleukit.conformance.processes.parent import Reply

import bleukit
from bleukit.counting import components
from bleukit.counting.packed import Grouped, grouped, packed
from bleukit.errors import one_line, shown
from bleukit.loading import creating, registry
from bleukit.loading.options import Parameters
from bleukit.protocols import Counts, CountsTable

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bleukit.loading.creating import LoadedComponent

THREADS = 4
DISTINCT = 20
"""Up to so many items compact sequences are compared with lists."""
KNOWN = 200
"""Of so many calls one is on input that came before."""


class SelfDescription(NamedTuple):
    """What a component says of itself: its options, what it declares, and in which ways it can be called."""

    kind: str
    name: str
    options: Mapping[str, Any]
    other_options: Sequence[tuple[str, Any]]
    declared: Sequence[str]
    promised: Sequence[str]
    values: Mapping[str, Any]
    batch: bool
    lowercasing: bool
    counted_order: bool


def other_options(factory: Callable[..., Any], options: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return options with other values than these, by the annotations of a factory; it may refuse some of them."""
    types = Parameters.of(factory).types
    return [
        (name, other)
        for name, value in options.items()
        for other in _other_values(types.get(name), value)
        if other != value
    ]


def _other_values(annotation: Any, value: Any) -> Sequence[Any]:
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value * 2, value + 1, 0, 1000]
    return [value * 2, value / 16, value * (1 + 1e-9), 1.0625, 123.456, 0.0] if isinstance(value, float) else []


class _WrongTypeError(Exception):
    """A component returns what is no number, text, or sequence of these; the message says what."""


def call_once(component: LoadedComponent) -> None:
    """Call the component on something plain, whatever comes of it."""
    with suppress(BaseException):
        component.call(*_NEW[component.kind](0))


def named_with(component: LoadedComponent) -> list[str]:
    """Return the distributions that the signature of the plain variant names if it has the component."""
    keys: dict[str, Any] = {component.kind: component.choice}
    signature = bleukit.load(PLAIN_VARIANT, **keys).signature
    fields = dict(field.split(":", 1) for field in signature.split("|"))
    return [version.split(" ")[0] for version in fields.get("with", "").split(",") if version]


def one_by_one(component: LoadedComponent, way: str, inputs: Sequence[bytes]) -> Iterator[Reply]:
    """Yield the reply to each input; then the number of the first result that is no longer what it was, -1 for none.

    ``way`` is one of ``WAYS``.
    """
    try:
        component = WAYS[way](component)
    except Exception as error:  # noqa: BLE001 - pickle raises all kinds
        yield from [Reply.of("raised", one_line(error))] * len(inputs)
        inputs = []
    kept = []
    for packed_input in inputs:
        reply, result = _called(component, packed_input)
        kept.append((reply, result))
        yield reply
    results = ((n, reply, result) for n, (reply, result) in enumerate(kept) if reply.tag == "result")
    yield Reply.of("changed", next((n for n, reply, result in results if _copied(component, result) != reply), -1))


def from_threads(component: LoadedComponent, inputs: Sequence[bytes]) -> list[Reply]:
    """Return the reply to each input, called from several threads at once."""
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(lambda packed_input: _called(component, packed_input)[0], inputs))


def in_batch(component: LoadedComponent, inputs: Sequence[bytes], size: int = 0, compact: bool = False) -> list[Reply]:
    """Return the reply to each input, all of them in one batch; ``compact`` gives buffers instead of lists.

    A batch of a larger ``size`` has the inputs again and again. If the whole batch is wrong, there is one reply.
    """
    size = size or len(inputs)
    columns = _columns(component.kind, inputs, size)
    try:
        results = _BATCHES[component.kind](component.batch, columns, compact)
        if columns != _columns(component.kind, inputs, size):
            return [Reply.of("changed", "its batch method changes its input")]
        if len(results) != size:
            return [Reply.of("wrong", f"it returns {len(results)} results for a batch of {size}")]
        known: dict[Reply, Reply] = {}  # so that equal replies are sent once
        return [known.setdefault(reply, reply) for reply in (_copied(component, result) for result in results)]
    except BaseException as error:  # noqa: BLE001 - whatever it raises is a reply
        return [_failed(component, error)]


def of_text(component: LoadedComponent, segments: Sequence[tuple[Any, Any]], max_order: int) -> list[Any]:
    """Return what a counter counts in the segments of one text, one by one."""
    call: Any = component.call
    counter = call.for_text()
    return [_pair(counter(*segment, max_order)) for segment in segments]


def soak(component: LoadedComponent, inputs: Sequence[bytes], times: int, seconds: float) -> dict[str, Any]:
    """Call a component so many times: on input that never came before, and now and then on input that did.

    If it has a batch method, or makes a counter for each text that has one, that is called, as bleukit does. Returns
    how many calls were made in time; which input had another result than at first, and both; and by how many bytes the
    memory grew at least in each fifth of the calls, from the third on.
    """
    first = [_called(component, packed_input)[0] for packed_input in inputs]
    end = time.monotonic() + seconds
    memory: list[int] = []
    for made in range(0, times, KNOWN):
        number = made // KNOWN % len(inputs)
        for_text = components.for_text(component)
        (_call_one_by_one if for_text.batch is None else _call_together)(for_text, made)
        known = inputs[number]
        reply = _called(component, known)[0] if component.batch is None else in_batch(component, [known])[0]
        if reply != first[number]:
            return {"calls": made, "input": number, "first": first[number], "then": reply}
        if time.monotonic() > end:
            return {"calls": made}
        if made * 5 // times >= len(memory):
            memory.append(_memory())
    memory.append(_memory())
    return {"calls": times, "grown": min(after - before for before, after in pairwise(memory[2:]))}


def _call_one_by_one(component: LoadedComponent, start: int) -> None:
    call, new = component.call, _NEW[component.kind]
    for number in range(start, start + KNOWN):
        try:  # noqa: SIM105 - faster than suppress
            call(*new(number))
        except ValueError:  # noqa: PERF203 - a smoothing may refuse it
            pass


def _call_together(component: LoadedComponent, start: int) -> None:
    new, batch = _NEW[component.kind], component.batch
    assert batch is not None  # noqa: S101 - it is asked for
    if component.kind == "smoothing":
        batch(_new_counts(start))
        return
    columns = map(list, zip(*(new(number) for number in range(start, start + KNOWN)), strict=True))
    if component.kind == "counter":
        hypotheses, references, orders = columns
        batch(hypotheses, references, orders[0])
    elif component.kind == "brevity_penalty":
        batch(*map(np.asarray, columns))
    else:
        batch(*columns)


def _new_counts(start: int) -> CountsTable:
    """Return the counts of KNOWN units, as ``_NEW`` makes them."""
    numbers = np.arange(start, start + KNOWN)
    side = np.repeat(numbers[:, np.newaxis], 4, axis=1)
    units = CountsTable(side + 1, side + 2, numbers + 5, (numbers + 5).astype(np.float64))
    return replace(units, last_segment=units)


def anew(component: LoadedComponent) -> LoadedComponent:
    """Return another component, made in the same way."""
    return creating.create(registry.installed(), component.kind, component.choice)


def pickled(component: LoadedComponent) -> LoadedComponent:
    """Return the component after it was pickled."""
    return component._replace(call=pickle.loads(pickle.dumps(component.call)))  # noqa: S301 - it was pickled here


def lowercasing(component: LoadedComponent) -> LoadedComponent:
    """Return the tokenizer that lowercases."""
    call: Any = component.call
    return component._replace(call=call.lowercasing(True))


def explained(component: LoadedComponent) -> LoadedComponent:
    """Return what works out the steps by which the component says that it computes; a smoothing's may be empty."""
    call: Any = component.call

    def of_counts(counts: Counts) -> list[float]:
        plain = plain_precisions(counts.matches, counts.totals)
        steps = call.steps(counts) if hasattr(call, "steps") else [""] * len(plain)
        return [_worked_out(step) if step else p for step, p in zip(steps, plain, strict=True)]

    def of_lengths(length: int, reference_length: float) -> float:
        return _worked_out(call.steps(length, reference_length), c=length, r=reference_length)

    return component._replace(call=of_counts if component.kind == "smoothing" else of_lengths)


def _worked_out(step: str, **names: float) -> float:
    """Return what is before the words of a step; NaN if it divides by zero, or has two forms that differ."""
    formula = step.partition(", ")[0].replace("^", "**").replace("×", "*")
    known: dict[str, Any] = {**names, "ln": math.log, "exp": math.exp}
    try:
        first, *others = (float(eval(form, known)) for form in formula.split(" = "))  # noqa: S307
    except ZeroDivisionError:
        return math.nan
    return first if all(math.isclose(first, other, rel_tol=1e-3) for other in others) else math.nan


WAYS: dict[str, Callable[[LoadedComponent], LoadedComponent]] = {
    "as it is": lambda component: component,
    "anew": anew,
    "pickled": pickled,
    "lowercasing": lowercasing,
    "explained": explained,
}


def _called(component: LoadedComponent, packed_input: bytes) -> tuple[Reply, Any]:
    """Return the reply to an input, and the result itself."""
    arguments = _arguments(component.kind, packed_input)
    try:
        result = component.call(*arguments)
    except BaseException as error:  # noqa: BLE001 - whatever it raises is a reply
        return _failed(component, error), None
    if arguments != _arguments(component.kind, packed_input):
        return Reply.of("changed", "it changes its input"), None
    return _copied(component, result), result


def _copied(component: LoadedComponent, result: Any) -> Reply:
    try:
        return Reply.of("result", _PLAIN[component.kind](result))
    except _WrongTypeError as error:
        return Reply.of("wrong", f"it returns {error}")
    except BaseException as error:  # noqa: BLE001 - reading a result may run code of the plugin
        return Reply.of("wrong", f"it returns {type(result).__name__}, and reading that raises {one_line(error)}")


def _failed(component: LoadedComponent, error: BaseException) -> Reply:
    refuses = isinstance(error, ValueError) and getattr(component.call, "refuses_input", False)
    return Reply.of("refused" if refuses else "raised", one_line(error))


def _arguments(kind: str, packed_input: bytes) -> tuple[Any, ...]:
    arguments: tuple[Any, ...] = pickle.loads(packed_input)  # noqa: S301 - the suite itself packed it
    return (_counts(*arguments),) if kind == "smoothing" else arguments


def _counts(matches: Any, totals: Any, length: int, reference_length: float, last: Any) -> Counts:
    return Counts(matches, totals, length, reference_length, None if last is None else _counts(*last))


_NEW: dict[str, Callable[[int], tuple[Any, ...]]] = {
    "tokenizer": lambda number: (str(number),),
    "counter": lambda number: ([str(number)], [[str(number)]], 1),
    "reference_length": lambda number: (number, [number + 1]),
    "smoothing": lambda number: (Counts([number + 1] * 4, [number + 2] * 4, number + 5, number + 5.0),),
    "brevity_penalty": lambda number: (number, number + 1.5),
}
"""Makes an input, by kind, that differs from those of all other numbers; short, because calls are many."""


def _columns(kind: str, inputs: Sequence[bytes], size: int = 0) -> list[list[Any]]:
    """Return the arguments of many calls, argument by argument; of ``size`` calls, with the inputs again and again."""
    columns = zip(*(_arguments(kind, packed_input) for packed_input in inputs), strict=True)
    return [list(islice(cycle(column), size or len(inputs))) for column in columns]


def require_alike(compact: Any, plain: list[Any]) -> None:
    """Raise ValueError unless a short compact sequence is read as a list is: by items, from both ends, and in parts."""
    size = len(plain)
    if size > DISTINCT:
        return
    parts = [slice(None), slice(1, -1), slice(-2, None), slice(None, None, -2), slice(2, 1), slice(1, size + 2)]
    reads: list[Callable[[Any], Any]] = [len, list, *map(operator.itemgetter, (*parts, *range(-size, size)))]
    if isinstance(compact, Grouped):
        reads.append(lambda of: list(of.lengths()) if of is compact else list(map(len, of)))
        reads += [partial(_part, start, stop) for start, stop in ((0, 2), (1, size), (2, 1))]
    for read in reads:
        one, other = _in_lists(read(compact)), _in_lists(read(plain))
        if one != other:
            raise ValueError(f"{shown(plain)}, compact, is read as {shown(one)}, expected {shown(other)}")
    for place in (size, -size - 1):
        with suppress(IndexError):
            raise ValueError(f"{shown(plain)}, compact, has {shown(compact[place])} at {place}")


def _part(start: int, stop: int, of: Any) -> Any:
    return of.part(start, stop) if isinstance(of, Grouped) else of[start:stop]


def _in_lists(value: Any) -> Any:
    return value if isinstance(value, str | int) else list(map(_in_lists, value))


def _batch_of_texts(batch: Any, columns: list[Any], _: bool) -> list[Any]:
    return list(batch(columns[0]))


def _batch_of_tokens(batch: Any, columns: list[Any], compact: bool) -> list[Any]:
    hypotheses, references, orders = columns
    if compact:
        groups = grouped(references)
        hypotheses, references = packed(hypotheses), Grouped(packed(groups.items), groups.ends)
        require_alike(hypotheses, columns[0])
        require_alike(references, columns[1])
    matches, totals = batch(hypotheses, references, orders[0])
    return list(zip(_as_list(matches), _as_list(totals), strict=True))


def _batch_of_lengths(batch: Any, columns: list[Any], compact: bool) -> list[Any]:
    lengths, references = columns
    if compact:
        groups = grouped(references)
        lengths, references = array("q", lengths), Grouped(array("q", groups.items), groups.ends)
        require_alike(references, columns[1])
        if references.sums().tolist() != list(map(sum, columns[1])):
            raise ValueError(f"the sums of {shown(columns[1])} are {shown(references.sums())}")
    return _as_list(batch(lengths, references))


def _batch_of_counts(batch: Any, columns: list[Any], _: bool) -> list[Any]:
    units: list[Counts] = columns[0]
    return _as_list(batch(replace(_table(units), last_segment=_table([unit.last_segment or unit for unit in units]))))


def _batch_of_sums(batch: Any, columns: list[Any], _: bool) -> list[Any]:
    lengths, references = columns
    return _as_list(batch(np.array(lengths, np.int64), np.array(references, np.float64)))


def _table(units: list[Counts]) -> CountsTable:
    columns = (
        np.array([unit.matches for unit in units], np.int64),
        np.array([unit.totals for unit in units], np.int64),
        np.array([unit.hypothesis_length for unit in units], np.int64),
        np.array([unit.reference_length for unit in units], np.float64),
    )
    for column in columns:
        column.flags.writeable = False
    return CountsTable(*columns)


_BATCHES = {
    "tokenizer": _batch_of_texts,
    "counter": _batch_of_tokens,
    "reference_length": _batch_of_lengths,
    "smoothing": _batch_of_counts,
    "brevity_penalty": _batch_of_sums,
}


def _as_list(values: Any) -> list[Any]:
    return values.tolist() if hasattr(values, "tolist") else list(values)


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise _WrongTypeError(f"a token that is no str but {shown(value)}")
    return str(value)


def _number(value: Any) -> Any:
    if type(value) is int:
        return value
    if isinstance(value, Integral):
        return operator.index(value)
    if isinstance(value, Real):
        return math.nan if math.isnan(value) else float(value)  # NaN has more forms than one
    raise _WrongTypeError(shown(value))


def _sequence(value: Any, item: Callable[[Any], Any]) -> list[Any]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise _WrongTypeError(shown(value))
    return list(map(item, value))


def _pair(value: Any) -> tuple[list[Any], ...]:
    if not isinstance(value, Sequence) or len(value) != 2:
        raise _WrongTypeError(shown(value))
    return tuple(_sequence(side.tolist() if hasattr(side, "tolist") else side, operator.index) for side in value)


_PLAIN: dict[str, Callable[[Any], Any]] = {
    "tokenizer": lambda tokens: _sequence(tokens, _string),
    "counter": _pair,
    "reference_length": lambda length: float(_number(length)),
    "smoothing": lambda precisions: _sequence(precisions, _number),
    "brevity_penalty": lambda factor: float(_number(factor)),
}


def _memory() -> int:
    """Return how many bytes the process has in memory; the most that it ever had if the system knows no more."""
    if resource is None:
        return 0
    with suppress(OSError):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
