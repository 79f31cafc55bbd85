"""A published score: what was printed, and which numbers round to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from bleukit.errors import InputError, shown
from bleukit.results import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

POINTS, FRACTION = SCALES = 100, 1
"""The scales of a score: what a perfect match has."""

EXACT = 1e-13
"""Relative difference up to which two numbers are the same, but for the last digits of arithmetic."""

_NUMBER = re.compile(
    r"(?P<number>([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[-+]?[0-9]{1,3})?)\s*(?P<percent>%?)", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True, eq=False, repr=False)
class PublishedScore(Result):
    """A score as it was printed: the numbers from ``low`` up to, not including, ``high`` round to it.

    ``percent`` says that it is in points, 0 to 100; else a number up to 1 can also be a fraction.
    """

    text: str
    number: float
    low: float
    high: float
    percent: bool

    @classmethod
    def parse(cls, score: object) -> PublishedScore:
        """Read a number of 0 to 100: 39.9 stands for 39.85 to 39.95. Raises InputError for anything else.

        A comma is read as a decimal point, because a score has no thousands, and ``%`` as points.
        """
        if isinstance(score, Real | Decimal) and not isinstance(score, bool):
            text = str(score)
        else:
            text = score.strip() if isinstance(score, str) else ""
        read = _NUMBER.fullmatch(text)
        number = _decimal(read) if read else Decimal(-1)
        if read is None or not 0 <= number <= POINTS:
            raise InputError(f"score: expected a number of 0 to 100 such as 39.9, 0.399 or 39.9%, got {shown(score)}")
        half = Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)
        low, high = max(number - half, Decimal(0)), number + half
        return cls(text, float(number), float(low), float(high), bool(read["percent"]))

    @property
    def decimals(self) -> int:
        """How many decimals were printed."""
        read = _NUMBER.fullmatch(self.text)
        assert read, "parse has read it"  # noqa: S101
        return max(0, -int(_decimal(read).as_tuple().exponent))

    @property
    def scales(self) -> Sequence[int]:
        """The scales it can be in; a fraction is not above 1, and has decimals unless it is exactly 0 or 1."""
        return (POINTS,) if self.percent or self.number > 1 else SCALES

    def holds(self, values: NDArray[np.float64], scale: int) -> NDArray[np.bool_]:
        """Return which scores of one of the scales round to this figure; arithmetic's last digits do not count."""
        exact = np.isclose(values, self.number, rtol=EXACT, atol=0)
        if scale == FRACTION and not self.decimals:
            return exact
        return exact | ((self.low <= values) & (values < self.high))

    def __str__(self) -> str:
        low, high = f"{self.low:.15g}", f"{self.high:.15g}"
        return self.text if low == high else f"{self.text} ({low} to {high})"

    def __repr__(self) -> str:
        return f"<PublishedScore {self}>"


def _decimal(read: re.Match[str]) -> Decimal:
    return Decimal(read["number"].replace(",", "."))
