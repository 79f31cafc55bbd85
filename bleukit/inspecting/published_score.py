"""A published score: the printed digits, and the range of numbers that round to them."""

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
"""The scales of scores: the score of a perfect match."""

EXACT = 1e-13
"""The relative difference up to which two numbers are equal, except for rounding errors."""

_NUMBER = re.compile(
    r"(?P<number>([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[-+]?[0-9]{1,3})?)\s*(?P<percent>%?)", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True, eq=False, repr=False)
class PublishedScore(Result):
    """A score as it was printed: the numbers from ``low`` to ``high``, which is not included, round to it.

    ``percent`` says that it was printed as a percentage; otherwise, a number up to 1 can also be a fraction.
    """

    text: str
    number: float
    low: float
    high: float
    percent: bool

    @classmethod
    def parse(cls, score: object) -> PublishedScore:
        """Parse a number from 0 to 100: 39.9 stands for 39.85 to 39.95. Raises InputError for anything else.

        A comma is a decimal point, because a score has no thousands; ``%`` marks points, 0 to 100.
        """
        if isinstance(score, Real | Decimal) and not isinstance(score, bool):
            text = str(score)
        else:
            text = score.strip() if isinstance(score, str) else ""
        match = _NUMBER.fullmatch(text)
        number = _decimal(match) if match else Decimal(-1)
        if match is None or not 0 <= number <= POINTS:
            raise InputError(
                f"score: expected a number from 0 to 100, such as 39.9, 0.399 or 39.9%, got {shown(score)}"
            )
        half = Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)
        low, high = max(number - half, Decimal(0)), number + half
        return cls(text, float(number), float(low), float(high), bool(match["percent"]))

    @property
    def decimals(self) -> int:
        """The number of decimals that were printed."""
        match = _NUMBER.fullmatch(self.text)
        assert match, "parse has matched it"  # noqa: S101
        return max(0, -int(_decimal(match).as_tuple().exponent))

    @property
    def scales(self) -> Sequence[int]:
        """The scales that the score may have; a fraction is at most 1."""
        return (POINTS,) if self.percent or self.number > 1 else SCALES

    def holds(self, values: NDArray[np.float64], scale: int) -> NDArray[np.bool_]:
        """Return which scores of a scale round to this score, up to rounding errors.

        A fraction without decimals is exactly 0 or 1.
        """
        exact = np.isclose(values, self.number, rtol=EXACT, atol=0)
        if scale == FRACTION and not self.decimals:
            return exact
        return exact | ((self.low <= values) & (values < self.high))

    def __str__(self) -> str:
        low, high = f"{self.low:.15g}", f"{self.high:.15g}"
        return self.text if low == high else f"{self.text} ({low} to {high})"

    def __repr__(self) -> str:
        return f"<PublishedScore {self}>"


def _decimal(match: re.Match[str]) -> Decimal:
    return Decimal(match["number"].replace(",", "."))
