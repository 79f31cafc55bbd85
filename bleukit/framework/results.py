"""What all results have in common: they are values, they become plain data, and they read well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import TYPE_CHECKING, Any

from bleukit.framework.plain import plain, without_nan

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class Result:
    """Base of results, which are frozen dataclasses with ``eq=False``.

    Two results are equal if they are of one class and all their fields are equal; NaN equals NaN.
    """

    def to_dict(self: DataclassInstance) -> dict[str, Any]:
        """Return the fields as plain data: dicts, lists, str, numbers, bool, None."""
        return {field.name: plain(getattr(self, field.name)) for field in fields(self)}

    def to_json(self) -> str:
        """Return :meth:`to_dict` as JSON on one line, in ASCII; NaN is null."""
        import json  # as html below, not needed to print a score

        return json.dumps(without_nan(self.to_dict()), allow_nan=False)  # type: ignore[misc]

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"

    def _identity(self: DataclassInstance) -> str:
        return repr([_comparable(getattr(self, field.name)) for field in fields(self)])  # in which NaN equals NaN

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._identity() == other._identity()  # type: ignore[misc]

    def __hash__(self) -> int:
        return hash(self._identity())  # type: ignore[misc]


class MetricScore(Result):
    """Base of the scores of all metrics, which compare, round and calculate as their values do.

    ``value`` is in the scale of the metric, ``segments`` is the number of segments, and ``signature`` holds everything
    needed to reproduce the number.
    """

    value: float
    segments: int
    signature: str

    def __new__(cls, *values: Any, **_: Any) -> Any:
        """Return a new score; of a number alone a float, because statistics.mean calls the class of its items."""
        return float(values[0]) if len(values) == 1 and isinstance(values[0], Real) else super().__new__(cls)

    def __dir__(self: DataclassInstance) -> list[str]:
        return sorted({*object.__dir__(self), *(field.name for field in fields(self))})

    def __float__(self) -> float:
        return self.value

    def as_integer_ratio(self) -> tuple[int, int]:
        """Return the value as a ratio of two whole numbers, as float does."""
        return self.value.as_integer_ratio()

    def __add__(self, other: Any) -> Any:
        return self.value + _number(other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self.value - _number(other)

    def __rsub__(self, other: Any) -> Any:
        return _number(other) - self.value

    def __mul__(self, other: Any) -> Any:
        return self.value * _number(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self.value / _number(other)

    def __rtruediv__(self, other: Any) -> Any:
        return _number(other) / self.value

    def __round__(self, ndigits: int | None = None) -> float:
        return round(self.value, ndigits)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __eq__(self, other: object) -> bool:
        return self.value == _number(other)

    def __lt__(self, other: MetricScore | float) -> bool:
        return self.value < _number(other)

    def __le__(self, other: MetricScore | float) -> bool:
        return self.value <= _number(other)

    def __gt__(self, other: MetricScore | float) -> bool:
        return self.value > _number(other)

    def __ge__(self, other: MetricScore | float) -> bool:
        return self.value >= _number(other)

    def __hash__(self) -> int:
        return hash(self.value)


def _number(other: Any) -> float:
    """Return what a value is compared with; Python refuses what is no number."""
    number: float = other.value if isinstance(other, MetricScore) else other
    return number


@dataclass(frozen=True, eq=False)
class Interval(Result):
    """A confidence interval: its ends, in the scale of the variant, and its confidence level (0 to 1)."""

    low: float
    high: float
    level: float

    def ends(self, digits: int, sign: str = "") -> str:
        """Return both ends with so many decimals: "61.20–64.35"; with the sign "+", "-0.25 to +1.31"."""
        return (" to " if sign else "–").join(f"{end:{sign}.{digits}f}" for end in (self.low, self.high))


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table for notebooks; the cells are text."""
    from html import escape

    def line(tag: str, cells: Iterable[str]) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"

    body = "".join(line("td", row) for row in rows)
    return f"<table><thead>{line('th', head)}</thead><tbody>{body}</tbody></table>"


def _comparable(value: Any) -> Any:
    """Return a field with the results in it as what makes them equal, because their own representation is short."""
    if isinstance(value, Result):
        return type(value).__name__, value._identity()  # type: ignore[misc]  # noqa: SLF001 - its own kind
    if isinstance(value, Mapping):
        return {key: _comparable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_comparable(item) for item in value]
    return value
