"""The formula, and the score: brevity penalty × weighted geometric mean of the precisions."""

from __future__ import annotations

import math
from dataclasses import InitVar, dataclass, fields
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.framework.compiled import CompiledModule
from bleukit.framework.errors import InputError, quantity
from bleukit.framework.results import MetricScore, html_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.bleu.loader import Loaded
    from bleukit.bleu.variant import Variant

_compiled = CompiledModule("bleukit.bleu.scoring_compiled")

TINY = 1e-50
"""Below it a score of 0 to 1, or a precision, stands for 0: NLTK has the smallest float for a precision of 0."""

_new, _set = object.__new__, object.__setattr__  # which make a frozen dataclass without calling its constructor


class ScoreColumns(NamedTuple):
    """The scores of many units as arrays.

    ``value``, in the variant's scale, and ``brevity_penalty``, 0 to 1, are of shape (units,); ``precisions``, 0 to 1,
    smoothed, NaN if an order has no n-gram at all, are of shape (units, orders).
    """

    value: NDArray[np.float64]
    brevity_penalty: NDArray[np.float64]
    precisions: NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Score(MetricScore):
    """One BLEU score and all that it was computed from. It compares and rounds as its value does.

    ``value`` is in the variant's scale, 0 to 1 or 0 to 100. ``precisions`` are 0 to 1, smoothed, one per order, NaN if
    an order has no n-gram at all; ``matches`` and ``totals`` are the counts they came from, before smoothing.
    Lengths are in tokens; ``reference_length`` is the effective one. ``signature`` holds everything needed to
    reproduce the number. ``by`` is the variant that scored the sums, by which :attr:`note` explains a score of 0.
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
    by: InitVar[Variant | None] = None

    def __post_init__(self, by: Variant | None) -> None:
        _set(self, "_by", by)

    @classmethod
    def of_value(cls, value: float, whole: Callable[[], Score]) -> Score:
        """Return the score that has this value, and the fields of ``whole()``, which is called when one is read."""
        made = _new(cls)
        _set(made, "value", value)
        _set(made, "_whole", whole)
        return made

    def __getattr__(self, name: str) -> Any:
        """Return a field that has not been read so far; if two threads compute the fields, they are the same."""
        whole = self.__dict__.get("_whole")
        if whole is not None and (name == "_by" or name in self.__dataclass_fields__):
            self.__dict__.update({**whole().__dict__, "value": self.value})
            self.__dict__.pop("_whole", None)
        if name not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in (*(field.name for field in fields(self)), "_by")}

    @property
    def is_mean(self) -> bool:
        """Whether the value is the mean of sentence scores. All other fields are of the sums, and do not give it."""
        return self._by is not None and self._by.is_macro

    @property
    def note(self) -> str | None:
        """Why the score is 0 or tiny, or that it or its brevity penalty is too large, in one line; None for others."""
        return self.noted()

    def noted(self, splits: str = "") -> str | None:
        """Return the note; ``splits`` says what splits the text if the tokenizer does not, else it is empty."""
        variant: Variant | None = self._by
        if variant is None:
            return None
        most = variant.scale
        if self.value > most:
            return f"the score is above {most}, the most that BLEU can be"
        if self.is_mean or not self.value < TINY * most:
            is_bonus = self.brevity_penalty > 1 and not self.is_mean
            return f"the brevity penalty is {self.brevity_penalty:.6g}, above 1" if is_bonus else None
        start, order, advice = f"the score is {self.value:.2g}: ", self._order_of_0(variant), ""
        if not self.hypothesis_length:
            return f"{start}the hypotheses have no tokens"
        if order is None:
            is_short = self.brevity_penalty < TINY
            return f"{start}the brevity penalty is {self.brevity_penalty:.2g}" if is_short else None
        if self.totals[order - 1] <= 0:
            why = f"no {order}-gram in a text of {quantity(self.hypothesis_length, 'token')}"
        else:
            why = f"no {order}-gram matches" if order > 1 else "no token matches"
        if splits:
            advice = f"; the tokenizer leaves the text unsplit: use {splits}"
        elif self.matches[0]:
            advice = "; see --level sentence, or a smoothing"
        return f"{start}{why}{advice}"

    def _order_of_0(self, variant: Variant) -> int | None:
        """Return the lowest order that has a weight and no match, and makes the score 0; None if there is none.

        A smoothing may make other precisions 0, too: those of all orders, if one has no match.
        """
        columns = zip(variant.weights_used, self.precisions, self.matches, strict=True)
        for order, (weight, precision, matches) in enumerate(columns):
            is_0 = not variant.effective_order if math.isnan(precision) else precision < TINY
            if weight and not matches and is_0:
                return order + 1
        return None

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the score and what it is made of, and the signature."""
        rows = [
            [
                "BLEU, mean of the sentence scores" if self.is_mean else "BLEU",
                rounded(self.value, decimals(self.value)),
            ],
            ["precisions, %", percentages(self.precisions)],
            ["brevity penalty", f"{self.brevity_penalty:.4f}"],
            ["hypothesis length", f"{self.hypothesis_length:,}"],
            ["reference length", f"{self.reference_length:,.10g}"],
            ["segments", f"{self.segments:,}"],
        ]
        from html import escape

        return f"{html_table(['', self.variant], rows)}<p>{escape(self.signature)}</p>"

    def __repr__(self) -> str:
        return f"<Score {self.value!r}, {self.variant}, {quantity(self.segments, 'segment')}>"

    def __str__(self) -> str:
        mean = "mean of the sentence scores; of the sums: " if self.is_mean else ""
        return (
            f"BLEU {rounded(self.value, decimals(self.value))} ({mean}precisions {percentages(self.precisions)} %, "
            f"brevity penalty {self.brevity_penalty:.4f}, "
            f"hypothesis length {self.hypothesis_length}, reference length {self.reference_length:.10g}, "
            f"{quantity(self.segments, 'segment')}, {self.variant})"
        )


def decimals(*values: float) -> int:
    """Return how many decimals scores are printed with, 4 if they may be on the scale of 0 to 1."""
    return 2 if any(value > 1 for value in values) else 4


def rounded(value: float, decimals: int) -> str:
    """Return a number with so many decimals or, if they would be nothing but zeros, with two digits: 1.2e-232."""
    text = f"{value:.{decimals}f}"
    return text if float(text) or not value else f"{value:.1e}"


def percentages(precisions: Sequence[float]) -> str:
    """Return precisions in percent, a dash for those of orders without n-grams."""
    return "/".join("–" if math.isnan(p) else f"{100 * p:.1f}" for p in precisions)


def geometric_mean(
    precisions: Sequence[float], weights: Sequence[float], *, effective_order: bool = False, scale: float = 1
) -> float:
    """Return scale · exp(Σ w_n log p_n): 0 if an order of positive weight has precision 0, or NaN (0/0).

    An order of weight 0 contributes nothing. With ``effective_order`` undefined orders drop out and the weights of the
    others are scaled up to the same sum. Raises InputError if the mean is too large for a float.
    """
    # If the weights sum to 1 the scale goes under the logarithm, as in sacreBLEU, so that the last digits agree; but
    # rounding must not lift a perfect match above the scale.
    undefined = map(math.isnan, precisions) if effective_order else [False] * len(weights)
    weights, is_mean = weigh(weights, list(undefined))
    weighed = [(w, p) for w, p in zip(weights, precisions, strict=True) if w > 0]
    if not weighed or not all(p > 0 for _, p in weighed):  # which NaN is not
        return 0.0
    exponent = 0.0
    for w, p in weighed:
        exponent += w * math.log(scale * p if is_mean else p)
    try:
        value = math.exp(exponent)
    except OverflowError as error:
        raise _too_large() from error
    return min(value, scale * max(p for _, p in weighed)) if is_mean else scale * value


def mean_columns(
    precisions: NDArray[np.float64], weights: Sequence[float], *, effective_order: bool = False, scale: float = 1
) -> NDArray[np.float64]:
    """Return the :func:`geometric_mean` of each row of precisions, of shape (units, orders), to the last bit."""
    import numpy as np

    mean = _compiled_mean(weights, effective_order=effective_order, scale=scale)
    if mean is None:
        rows = precisions.tolist()
        means = [geometric_mean(row, weights, effective_order=effective_order, scale=scale) for row in rows]
        return np.array(means, np.float64)
    try:
        return np.asarray(mean.of_rows(precisions))
    except OverflowError as error:
        raise _too_large() from error


def compiled_formula(loaded: Loaded) -> Any:
    """Return the compiled formula of a variant, None if a component is not compiled.

    Its ``values`` takes the lengths of hypotheses and of references, the tokens of all references, matches and totals,
    and up to which order these are counted; it returns the score of each row. Its ``of_segment`` takes the counts of
    one segment. Both return None if Python has to score a row, or to refuse it.
    """
    module, variant = _compiled.module, loaded.variant
    smoothing, penalty = loaded.components["smoothing"].batch, loaded.components["brevity_penalty"].batch
    mean = _compiled_mean(variant.weights_used, effective_order=variant.effective_order, scale=variant.scale)
    if module is None or mean is None:
        return None
    if type(smoothing) is not module.CompiledSmoothing or type(penalty) is not module.CompiledPenalty:
        return None
    return module.Formula(smoothing, penalty, mean, variant.empty_score)


def _compiled_mean(weights: Sequence[float], *, effective_order: bool, scale: float) -> Any:
    """Return the compiled form of :func:`geometric_mean`; None if there is none, or none for so many orders."""
    module = _compiled.module
    if module is None or len(weights) > module.MOST:
        return None
    return _mean_of(module, tuple(weights), effective_order, scale)


@lru_cache(maxsize=256)
def _mean_of(module: Any, weights: tuple[float, ...], effective_order: bool, scale: float) -> Any:
    return module.Mean(len(weights), partial(weigh, weights), effective_order=effective_order, scale=scale)


def weigh(weights: Sequence[float], undefined: Sequence[bool]) -> tuple[Sequence[float], bool]:
    """Return the weights, and whether they sum to 1.

    That of each undefined order is 0; those of the others are scaled up to the same sum.
    """
    if any(undefined):
        kept = [0.0 if gone else weight for weight, gone in zip(weights, undefined, strict=True)]
        total, left = math.fsum(weights), math.fsum(kept)
        weights = [weight * (total / left) if weight else weight for weight in kept]
    return weights, math.fsum(weights) == 1


def _too_large() -> InputError:
    return InputError("the score is too large for a float: the weights are too large", ("weights",))
