"""The formula, and the score: brevity penalty × weighted geometric mean of the precisions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, eq=False)
class Score:
    """One BLEU score and all that it was computed from.

    ``value`` is in the variant's scale, 0 to 1 or 0 to 100. ``precisions`` are 0 to 1, smoothed, one an order, NaN
    where an order has no n-gram at all; ``matches`` and ``totals`` are the counts they came from, before smoothing.
    Lengths are in tokens; ``reference_length`` is the effective one. ``signature`` holds everything needed to
    reproduce the number.
    """

    value: float
    precisions: tuple[float, ...]
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    brevity_penalty: float
    hypothesis_length: int
    reference_length: float
    segments: int
    variant: str
    signature: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and repr(self) == repr(other)  # so that nan equals nan

    def __hash__(self) -> int:
        return hash(repr(self))

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        precisions = "/".join("–" if math.isnan(p) else f"{100 * p:.1f}" for p in self.precisions)
        return (
            f"BLEU {self.value!r} (precisions {precisions} %, brevity penalty {self.brevity_penalty:.4f}, "
            f"hypothesis length {self.hypothesis_length}, reference length {self.reference_length:.10g}, "
            f"{self.segments} segment{'s' * (self.segments != 1)}, {self.variant})"
        )


def brevity_penalty(hypothesis_length: int, reference_length: float) -> float:
    """Return 1 for c >= r, exp(1 - r/c) for 0 < c < r, 0 for c = 0 (Papineni et al. 2002, section 2.3)."""
    if hypothesis_length == 0:
        return 0.0
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length)


def geometric_mean(
    precisions: Sequence[float], weights: Sequence[float], *, effective_order: bool = False, scale: float = 1
) -> float:
    """Return scale · exp(Σ w_n log p_n): 0 where an order of positive weight has precision 0, or NaN (0/0).

    An order of weight 0 contributes nothing. With ``effective_order`` undefined orders drop out and the weights of the
    others are scaled up to the same sum. Raises InputError where the mean is too large for a float.
    """
    weighed = [(w, p) for w, p in zip(weights, precisions, strict=True) if w > 0]
    if effective_order:
        defined = [(w, p) for w, p in weighed if not math.isnan(p)]
        total, kept = sum(w for w, _ in weighed), sum(w for w, _ in defined)
        weighed = [(w * (total / kept), p) for w, p in defined]
    if not weighed or any(math.isnan(p) or p <= 0 for _, p in weighed):
        return 0.0
    try:
        if sum(w for w, _ in weighed) != 1:
            return scale * math.exp(sum(w * math.log(p) for w, p in weighed))
        # The scale goes under the logarithm, as sacreBLEU has it, so that the last digits agree; but rounding must not
        # lift a perfect match above the scale.
        mean = math.exp(sum(w * math.log(scale * p) for w, p in weighed))
        return min(mean, scale * max(p for _, p in weighed))
    except OverflowError as error:
        raise InputError("the score is too large for a number: the weights are too large") from error
