"""Calls a component in every way in which it can be called, and copies what it returns to plain data."""

from __future__ import annotations

import decimal
import math
import operator
import os
import random
import reprlib
import sys
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from bleukit.bleu.protocols import Counts, CountsTable
from bleukit.framework.errors import InputError, one_line, shown
from bleukit.framework.packed import Grouped, PackedTexts, grouped, packed

if TYPE_CHECKING:
    from bleukit.conformance.contract.inputs import Arguments
    from numpy.typing import NDArray

    from bleukit.framework.creating import LoadedComponent

Note: TypeAlias = Callable[..., object]
"""Takes what is called next, and with which arguments, if with any."""

SHOWN = 120
"""How many characters of a value are shown."""


class BrokenError(Exception):
    """A call of a component breaks its contract; the message says how."""


class Refusal(NamedTuple):
    """What stands for the result of a smoothing that refuses its input, as NLTK's method 6 does."""

    problem: str


class Watch(NamedTuple):
    """What sees to a component: ``note`` what is called next, and with what; return what was ``printed`` since."""

    note: Note
    printed: Callable[[], str]


class Caller:
    """A component, called with plain data."""

    def __init__(self, component: LoadedComponent, watch: Watch) -> None:
        self.component = component
        self.kind = component.kind
        self._watch = watch
        self._said = f"the {component.kind.replace('_', ' ')} {component.name}"
        self._last: tuple[Any, Any] | None = None

    def __call__(self, arguments: Arguments, call: Callable[..., Any] | None = None) -> Any:
        """Return the result as plain data, or a Refusal. Raises BrokenError if it is no result."""
        given = given_to(self.component, arguments)
        self._watch.note(self._said, arguments)
        try:
            result = (call or self.component.call)(*given)
        except InputError as error:
            if self.kind == "smoothing":
                return Refusal(str(error))
            raise BrokenError(f"raises {one_line(error)}") from error
        except BaseException as error:
            raise BrokenError(f"raises {one_line(error)}") from error
        if given != given_to(self.component, arguments):
            raise BrokenError("changes its arguments")
        return self._kept(result, plain_result(self.kind, result, arguments))

    def _kept(self, result: Any, plain: Any) -> Any:
        """Return a result as plain data, if the call has left the last result as it was."""
        last, self._last = self._last, (result, plain)
        if last is not None and (now := _PLAIN[self.kind](last[0])) != last[1]:
            raise BrokenError(f"changes what the call before returned, from {in_short(last[1])} to {in_short(now)}")
        return plain

    def watched(self, arguments: Arguments) -> Any:
        """Return the result. Raises BrokenError also if the call changes what does not belong to it, or prints."""
        before = Surroundings()
        result = self(arguments)
        if changed := before.changed():
            before.restore()  # so that it is seen again
            raise BrokenError(f"changes {changed}")
        if printed := self._watch.printed():
            raise BrokenError(f"prints {in_short(printed)} to standard output")
        return result

    def batch(self, inputs: Sequence[Arguments], *, compact: bool = False) -> list[Any]:
        """Return the results of some calls by the batch method; ``compact`` gives buffers in place of lists.

        Raises BrokenError if they are no results.
        """
        self._watch.note(f"the batch method of {self._said}", inputs)
        columns = _columns(self.component, inputs)
        # A str cannot change: the texts of a tokenizer, which may be long, need no second copy.
        kept = [[*texts] for texts in columns] if self.kind == "tokenizer" else _columns(self.component, inputs)
        try:
            results = _BATCHES[self.kind](self.component.batch, columns, compact)
        except BaseException as error:
            raise BrokenError(f"raises {one_line(error)}") from error
        if columns != kept:
            raise BrokenError("changes its arguments")
        if len(results) != len(inputs):
            raise BrokenError(f"returns {len(results)} results for {len(inputs)} inputs")
        return [plain_result(self.kind, result, own) for result, own in zip(results, inputs, strict=True)]


def plain_result(kind: str, result: Any, arguments: Arguments) -> Any:
    """Return a result as plain data. Raises BrokenError if it is not what a component of the kind returns."""
    try:
        plain = _PLAIN[kind](result)
    except BrokenError:
        raise
    except BaseException as error:
        raise BrokenError(f"returns {type(result).__name__}, and reading that raises {one_line(error)}") from error
    if wrong := _WRONG[kind](plain, arguments):
        raise BrokenError(f"returns {in_short(plain)}: {wrong}")
    return plain


_SHORT = reprlib.Repr()
_SHORT.maxlist = _SHORT.maxtuple = 12
_SHORT.maxstring = _SHORT.maxother = SHOWN


def in_short(value: Any) -> str:
    """Show a value; a long one in short."""
    text = _SHORT.repr(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


class Surroundings:
    """What a component must leave as it is, as it is now."""

    def __init__(self) -> None:
        self._folder = os.getcwd()  # noqa: PTH109 - faster
        self._random = random.getstate()
        self._decimal = decimal.getcontext().copy()
        self._recursion = sys.getrecursionlimit()
        self._environment = dict(os.environ)

    def changed(self) -> str:
        """Return what is not as it was, empty if nothing is."""
        if os.getcwd() != self._folder:  # noqa: PTH109
            return "the current folder"
        if random.getstate() != self._random:
            return "the state of random"
        if repr(decimal.getcontext()) != repr(self._decimal):
            return "the context of decimal"
        if sys.getrecursionlimit() != self._recursion:
            return "the recursion limit"
        variables = sorted({name for name, _ in os.environ.items() ^ self._environment.items()})
        return f"the environment variable {variables[0]}" if variables else ""

    def restore(self) -> None:
        """Make everything as it was."""
        os.chdir(self._folder)
        random.setstate(self._random)
        decimal.setcontext(self._decimal)
        sys.setrecursionlimit(self._recursion)
        os.environ.clear()
        os.environ.update(self._environment)


def given_to(component: LoadedComponent, arguments: Arguments) -> tuple[Any, ...]:
    """Return new objects for the arguments of a call; a smoothing sees the last segment only if it promises so."""
    kind = component.kind
    if kind == "smoothing":
        counts = counts_of(*arguments)
        return (counts if component.promise("needs_last_segment") else replace(counts, last=None),)
    if kind == "tokenizer":
        return (f"{arguments[0]} "[:-1],)  # a new one, so that no two calls are given the same object
    if kind == "counter":
        hypothesis, references, max_order = arguments
        return [*hypothesis], [[*reference] for reference in references], max_order
    return tuple([*own] if isinstance(own, list) else own for own in arguments)


def _columns(component: LoadedComponent, inputs: Sequence[Arguments]) -> list[list[Any]]:
    """Return new objects for the arguments of several calls: a list for each argument; there are three at most."""
    return [list(column) for column in zip(*(given_to(component, own) for own in inputs), strict=True)] or [[], [], []]


def counts_of(matches: Any, totals: Any, length: int, reference_length: float, last: Any) -> Counts:
    """Return counts, given as plain data."""
    return Counts([*matches], [*totals], length, reference_length, None if last is None else counts_of(*last))


def _tokens(value: Any) -> list[str]:
    if isinstance(value, list) and {*map(type, value)} <= {str}:  # as most are; there may be many
        return [*value]
    return _sequence(value, _string)


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise BrokenError(f"returns a token that is no str but {shown(value)}")
    return str(value)


def _number(value: Any) -> Any:
    if isinstance(value, Integral):
        return operator.index(value)
    if isinstance(value, Real):
        return math.nan if math.isnan(value) else float(value)  # NaN has more forms than one
    raise BrokenError(f"returns {shown(value)}, which is no number")


def _sequence(value: Any, item: Callable[[Any], Any]) -> list[Any]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise BrokenError(f"returns {shown(value)}, which is no sequence")
    return list(map(item, value))


def _pair(value: Any) -> tuple[list[Any], ...]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence) or len(value) != 2:
        raise BrokenError(f"returns {shown(value)}, not matches and totals")
    return tuple(_sequence(side.tolist() if hasattr(side, "tolist") else side, operator.index) for side in value)


_PLAIN: dict[str, Callable[[Any], Any]] = {
    "tokenizer": _tokens,
    "counter": _pair,
    "reference_length": lambda length: float(_number(length)),
    "smoothing": lambda precisions: [float(_number(precision)) for precision in _sequence(precisions, _number)],
    "brevity_penalty": lambda factor: float(_number(factor)),
}


def _wrong_counts(counted: tuple[list[int], list[int]], arguments: Arguments) -> str:
    matches, totals = counted
    if not len(matches) == len(totals) == arguments[2]:
        return f"expected {arguments[2]} matches and totals"
    possible = all(0 <= match <= total for match, total in zip(matches, totals, strict=True))
    return "" if possible else "matches are at least 0, and at most the totals"


def _wrong_precisions(precisions: list[float], arguments: Arguments) -> str:
    if len(precisions) != len(arguments[0]):
        return f"expected {len(arguments[0])} precisions"
    return next(filter(None, map(_wrong_number, precisions)), "")


def _wrong_number(number: float) -> str:
    return "" if math.isnan(number) or 0 <= number < math.inf else "expected finite numbers of at least 0, or NaN"


_WRONG: dict[str, Callable[[Any, Arguments], str]] = {
    "tokenizer": lambda *_: "",
    "counter": _wrong_counts,
    "reference_length": lambda length, _: "" if 0 <= length < math.inf else "a length is finite and at least 0",
    "smoothing": _wrong_precisions,
    "brevity_penalty": lambda factor, _: "" if 0 <= factor < math.inf else "a factor is finite and at least 0",
}
"""Says what is wrong with a result of the right type."""


def _batch_of_texts(batch: Any, columns: list[Any], compact: bool) -> list[Any]:
    texts = columns[0]
    return list(batch(packed_texts(texts) if compact else texts))


def packed_texts(texts: Sequence[str]) -> PackedTexts:
    """Return texts as they are in files: UTF-8 in one buffer."""
    encoded = [text.encode() for text in texts]
    ends = array("q")
    for text in encoded:
        ends.append(len(text) + (ends[-1] if ends else 0))
    return PackedTexts(b"".join(encoded), array("q", [0, *ends[:-1]]) if ends else array("q"), ends)


def _batch_of_tokens(batch: Any, columns: list[Any], compact: bool) -> list[Any]:
    hypotheses, references, orders = columns
    if compact:
        groups = grouped(references)
        hypotheses, references = packed(hypotheses), Grouped(packed(groups.items), groups.ends)
    matches, totals = batch(hypotheses, references, orders[0] if orders else 4)
    return list(zip(_as_list(matches), _as_list(totals), strict=True))


def _batch_of_lengths(batch: Any, columns: list[Any], compact: bool) -> list[Any]:
    lengths, references = columns[:2]
    if compact:
        groups = grouped(references)
        lengths, references = array("q", lengths), Grouped(array("q", groups.items), groups.ends)
    return _as_list(batch(lengths, references))


def _batch_of_counts(batch: Any, columns: list[Any], _: bool) -> list[Any]:
    units: list[Counts] = columns[0]
    lasts = [unit.last for unit in units if unit.last]
    return _as_list(batch(replace(_table(units), last=_table(lasts) if len(lasts) == len(units) else None)))


def _table(units: list[Counts]) -> CountsTable:
    orders = len(units[0].matches) if units else 4
    return CountsTable(
        _read_only(np.array([unit.matches for unit in units], np.int64).reshape(-1, orders)),
        _read_only(np.array([unit.totals for unit in units], np.int64).reshape(-1, orders)),
        _read_only(np.array([unit.hypothesis_length for unit in units], np.int64)),
        _read_only(np.array([unit.reference_length for unit in units], np.float64)),
    )


def _read_only(column: NDArray[Any]) -> NDArray[Any]:
    column.flags.writeable = False
    return column


def _batch_of_sums(batch: Any, columns: list[Any], _: bool) -> list[Any]:
    lengths, references = columns[:2]
    return _as_list(batch(_read_only(np.array(lengths, np.int64)), _read_only(np.array(references, np.float64))))


_BATCHES: dict[str, Callable[[Any, list[Any], bool], list[Any]]] = {
    "tokenizer": _batch_of_texts,
    "counter": _batch_of_tokens,
    "reference_length": _batch_of_lengths,
    "smoothing": _batch_of_counts,
    "brevity_penalty": _batch_of_sums,
}


def _as_list(values: Any) -> list[Any]:
    return values.tolist() if hasattr(values, "tolist") else list(values)


def is_utf_8(value: Any) -> bool:
    """Return whether UTF-8 can hold all texts of plain data: they have no surrogates."""
    if isinstance(value, str):
        with suppress(UnicodeEncodeError):
            return bool(value.encode()) or not value
        return False
    return not isinstance(value, list | tuple) or all(map(is_utf_8, value))
