"""A published score: the printed digits, and the range of numbers that round to them."""

from __future__ import annotations

import re
from decimal import Decimal
from math import isclose
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.framework.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


POINTS, FRACTION = SCALES = 100, 1
"""The scales of scores: the score of a perfect match."""

EXACT = 1e-13
"""The relative difference up to which two numbers are equal, except for rounding errors."""

LONGEST = 10_000
"""The characters that the line of a score may have."""

_NUMBER = re.compile(
    r"(?P<number>([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[-+]?[0-9]{1,3})?)\s*(?P<percent>%?)", re.IGNORECASE | re.ASCII
)


_PRINTED = {
    "precisions": re.compile(r"(?<![\d./])(\d+(?:\.\d*)?(?:/\d+(?:\.\d*)?)+)"),
    "brevity_penalty": re.compile(r"(?:BP|brevity penalty)\s*(?:[=:]\s*)?(\d\.?\d*)", re.IGNORECASE),
    "hypothesis_length": re.compile(r"(?:hyp_len|syslen|sys_len|hypothesis length)\s*(?:[=:]\s*)?(\d+)", re.IGNORECASE),
    "reference_length": re.compile(r"(?:ref_len|reflen|reference length)\s*(?:[=:]\s*)?(\d+)", re.IGNORECASE),
}
"""What programs print beside a score. No part of an expression can match what the next one does: that takes long."""

_SCORE = re.compile(r"(?:=|\"score\":|^BLEU4?:?)\s*([0-9]+[.,]?[0-9]*)", re.MULTILINE | re.IGNORECASE)
_METRIC = re.compile(r"(?<![^\W_])(?:(BLEU)|(chrF\d*(?:\+\+)?)|(TER))(?![A-Za-z])", re.IGNORECASE)
"""The names of metrics as programs print them before a score: of BLEU, chrF and TER."""

_SIGNATURE = re.compile(r"(?<![^\s\"=])[^\s\"=]*(?:\|[\w.+-]+:[^\s|\"]+){2,}")


class PublishedScore(NamedTuple):
    """A score as it was printed: the numbers from ``low`` to ``high``, which is not included, round to it.

    ``percent`` says that it was printed as a percentage; otherwise, a number up to 1 can also be a fraction. ``facts``
    holds what was printed beside it, as text: precisions, brevity penalty and lengths; ``signature`` a signature.
    """

    text: str
    number: float
    decimals: int
    low: float
    high: float
    percent: bool
    facts: Mapping[str, str]
    signature: str

    @classmethod
    def parse(cls, score: object) -> PublishedScore:
        """Parse a number from 0 to 100: 39.9 stands for 39.85 to 39.95. Raises InputError for anything else.

        A comma is a decimal point, because a score has no thousands; ``%`` marks points, 0 to 100. What sacreBLEU,
        multi-bleu.perl, fairseq or bleukit print is a score, too, with what they print beside it, unless it is a chrF
        or a TER.
        """
        text = score.strip() if isinstance(score, str) else ""
        if isinstance(score, Real | Decimal) and not isinstance(score, bool):
            text = str(score)
        if len(text) > LONGEST:
            raise InputError(f"score: expected a line of up to {LONGEST:,} characters, got {len(text):,}")
        facts: dict[str, str] = {}
        signature = None
        if not _NUMBER.fullmatch(text) and (printed := _SCORE.search(text)):
            _require_bleu(text[: printed.start(1)])
            facts = {name: found[1] for name, pattern in _PRINTED.items() if (found := pattern.search(text))}
            signature = _SIGNATURE.search(text)
            text = printed[1].rstrip(",")
        match = _NUMBER.fullmatch(text)
        number = Decimal(match["number"].replace(",", ".")) if match else Decimal(-1)
        if match is None or not 0 <= number <= POINTS:
            raise InputError(
                f"score: expected a number from 0 to 100, such as 39.9, 0.399 or 39.9%, got {shown(score)}"
            )
        low, high = _rounded(number)
        decimals = max(0, -int(number.as_tuple().exponent))
        percent = bool(match["percent"])
        return cls(text, float(number), decimals, max(low, 0), high, percent, facts, signature[0] if signature else "")

    @property
    def points(self) -> float:
        """The number in points, 0 to 100; one up to 1 is taken for a fraction."""
        return self.number * POINTS / self.scales[-1]

    @property
    def width(self) -> float:
        """How many points wide the interval is that rounds to it."""
        return (self.high - self.low) * POINTS / self.scales[-1]

    def scale_of(self, points: float) -> int | None:
        """Return the scale in which a score, given in points, rounds to this one: a fraction before points, or None."""
        return next((scale for scale in reversed(self.scales) if self.holds(points * scale / POINTS, scale)), None)

    def agrees(self, facts: Callable[[], Mapping[str, Any] | None]) -> bool:
        """Return whether precisions in percent, penalty and lengths, if some were printed, round to these."""
        found = facts() if self.facts else {}
        return found is not None and all(_agrees(printed, found[name]) for name, printed in self.facts.items())

    @property
    def scales(self) -> Sequence[int]:
        """The scales that the score may have; a fraction is at most 1."""
        return (POINTS,) if self.percent or self.number > 1 else SCALES

    def holds(self, value: float, scale: int) -> bool:
        """Return whether a score of a scale rounds to this score, up to rounding errors.

        A fraction without decimals is exactly 0 or 1.
        """
        exact = isclose(value, self.number, rel_tol=EXACT)
        return exact if scale == FRACTION and not self.decimals else exact or self.low <= value < self.high


def _require_bleu(before: str) -> None:
    """Raise InputError if the last metric that is named before a score is not BLEU."""
    names = [*_METRIC.finditer(before)]
    if names and not names[-1][1]:
        name = names[-1][0]
        metric = "ter" if names[-1][3] else "chrf++" if name.endswith("++") else "chrf"
        raise InputError(
            f"score: {name} is not BLEU, of which alone the ways to compute it are known: give a score of BLEU, or "
            f"compute {name} by the metric {metric!r} (-m {metric} of 'bleukit score')"
        )


def _rounded(number: Decimal) -> tuple[float, float]:
    """Return from and up to where numbers round to a decimal number."""
    half = Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)
    return float(number - half), float(number + half)


def _agrees(printed: str, value: Any) -> bool:
    """Return whether a number, or each of some, rounds to a printed one."""
    bounds = [_rounded(Decimal(number)) for number in printed.split("/")]
    values = value if isinstance(value, list) else [value]
    within = (low - 1e-9 <= each <= high + 1e-9 for (low, high), each in zip(bounds, values, strict=False))
    return len(values) == len(bounds) and all(within)
