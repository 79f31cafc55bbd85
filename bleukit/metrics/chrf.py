"""chrF (Popović 2015), and with words chrF++ (Popović 2017), as sacreBLEU computes them."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta

from bleukit.framework import loops
from bleukit.framework.additive import AdditiveStatistics, Column
from bleukit.framework.compiled import CompiledModule
from bleukit.framework.errors import InputError
from bleukit.framework.lowercasing import all_lowered
from bleukit.framework.packed import pack_tokens
from bleukit.metrics.segment_metric import SegmentMetric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.framework.packed import Grouped, PackedTokens

_compiled = CompiledModule("bleukit.metrics.chrf_compiled")

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")

EPSILON = 1e-16
"""What stands for a precision, a recall or an F-score of an order without n-grams if scores are smoothed."""


class ChrfStatistics(AdditiveStatistics):
    """Rows of statistics of chrF.

    Beside the columns of all statistics they have, with the orders of characters first and then those of words,
    ``hypothesis_ngrams``, ``reference_ngrams`` and ``matches``, of shape (rows, max_order), against the reference that
    gives the best score of the segment; and ``reference_characters``, those of all references together.
    """

    COLUMNS: ClassVar[Mapping[str, Column]] = MappingProxyType(
        {
            "segments": Column(scored=False),
            "reference_characters": Column(scored=False),
            "fewest_references": Column(merge="least"),
            "most_references": Column(merge="greatest"),
            "hypothesis_ngrams": Column(per_order=True),
            "reference_ngrams": Column(per_order=True),
            "matches": Column(per_order=True),
        }
    )
    OF_REFERENCES: ClassVar[str] = "reference_characters"

    __slots__ = ()

    reference_characters: NDArray[np.int64]
    hypothesis_ngrams: NDArray[np.int64]
    reference_ngrams: NDArray[np.int64]
    matches: NDArray[np.int64]

    def _check_values(self) -> None:
        """Raise InputError for a number that cannot have been counted, such as more matches than n-grams."""
        super()._check_values()
        matches = self._columns["matches"]
        for limits in (self._columns["hypothesis_ngrams"], self._columns["reference_ngrams"]):
            if not loops.bounded(matches, limits):
                place = next(place for place, match in enumerate(matches) if match > limits[place])
                raise InputError(f"matches: row {place // self.max_order} has {matches[place]} of {limits[place]}")


@dataclass(frozen=True, repr=False)
class Chrf(SegmentMetric):
    """chrF of sacreBLEU: the F-score of character n-grams and, with ``word_order`` 2, of words: chrF++.

    ``char_order`` and ``word_order`` are the highest orders of n-grams of characters and of words; ``beta`` is how many
    times as important recall is as precision. ``lowercase`` ignores case, and ``whitespace`` counts it as characters.
    ``eps_smoothing`` takes the mean of the F-scores of all orders, as chrF++.py, NLTK and Moses do, not the F-score of
    the mean precision and the mean recall of the orders that have n-grams.
    """

    char_order: Annotated[int, Meta(ge=0, le=100)] = 6
    word_order: Annotated[int, Meta(ge=0, le=100)] = 0
    beta: Annotated[int, Meta(ge=0, le=1000)] = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    KIND = "chrf"
    WRITTEN = MappingProxyType(
        {
            "case": ("lowercase", "mixed", "lower"),
            "char_order": ("char_order",),
            "word_order": ("word_order",),
            "beta": ("beta",),
            "whitespace": ("whitespace", "no", "yes"),
            "effective_order": ("eps_smoothing", "yes", "no"),
        }
    )
    statistics_class = ChrfStatistics

    def __post_init__(self) -> None:
        if not self.max_order:
            raise InputError("char_order and word_order are both 0: no n-grams are left")

    @property
    def name(self) -> str:
        """The name that sacreBLEU gives it, such as chrF2 or chrF2++."""
        return f"chrF{self.beta}{'+' * self.word_order}"

    @property
    def max_order(self) -> int:
        """The number of orders, those of characters and those of words."""
        return self.char_order + self.word_order

    def tokens(self, texts: Sequence[str]) -> PackedTokens:
        """Return the words of texts, and what is between them if it counts."""
        cased = all_lowered(texts, lowercase=True) if self.lowercase else texts
        return words_of_texts(cased, whitespace=self.whitespace)

    def columns(self, hypotheses: PackedTokens, references: Grouped[Any]) -> dict[str, Any]:
        """Return the columns of the statistics of segments."""
        names = ("reference_characters", "hypothesis_ngrams", "reference_ngrams", "matches")
        orders = self.char_order, self.word_order
        counted = match_ngrams(hypotheses, references, orders, self.beta, eps_smoothing=self.eps_smoothing)
        return dict(zip(names, counted, strict=True))

    def value(self, sums: Sequence[float]) -> float:
        """Return the score of sums of n-grams of hypotheses and of references, and of matches."""
        return f_score(sums, self.beta, eps_smoothing=self.eps_smoothing)

    def values_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of each sum."""
        if _compiled.module is None:
            return super().values_of_sums(sums)
        import numpy as np

        rows = np.ascontiguousarray(sums)
        return np.asarray(_compiled.module.f_scores(rows, self.beta, eps_smoothing=self.eps_smoothing))

    def impossible(self, sums: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return whether there are more matches than n-grams, of any order."""
        hypothesis, reference, matches = sums.reshape(len(sums), 3, -1).swapaxes(0, 1)
        wrong: NDArray[np.bool_] = (matches > hypothesis) | (matches > reference)
        return wrong


def f_score(sums: Sequence[float], beta: int, *, eps_smoothing: bool = False) -> float:
    """Return the F-score, 0 to 100, given the n-grams of the hypothesis, those of the reference, and the matches.

    Each of the three has a number for each order.
    """
    orders = len(sums) // 3
    factor = beta**2
    precisions = recalls = f_sum = 0.0
    effective = 0
    by_order = zip(sums[:orders], sums[orders : 2 * orders], sums[2 * orders :], strict=True)
    for hypothesis, reference, matches in by_order:
        precision = matches / hypothesis if hypothesis > 0 else EPSILON
        recall = matches / reference if reference > 0 else EPSILON
        denominator = factor * precision + recall
        f_sum += (1 + factor) * precision * recall / denominator if denominator > 0 else EPSILON
        if hypothesis > 0 and reference > 0:
            precisions += precision
            recalls += recall
            effective += 1
    if eps_smoothing:
        return 100 * f_sum / orders
    precision, recall = (precisions / effective, recalls / effective) if effective else (0.0, 0.0)
    if not precision + recall:
        return 0.0
    return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))


@_compiled.replaces
def words_of_texts(texts: Sequence[str], *, whitespace: bool) -> PackedTokens:
    """Return the words of each text, with white space before, between and behind them if that is wanted.

    A mark of punctuation at the end of a longer word, or else at its beginning, is a word.
    """
    return pack_tokens([list(_words(text, whitespace=whitespace)) for text in texts])


def _words(text: str, *, whitespace: bool) -> Iterable[str]:
    for piece in re.split(r"(\s+)", text):
        if not piece or piece.isspace():
            yield from [piece] if piece and whitespace else []
        elif len(piece) > 1 and piece[-1] in PUNCTUATION:
            yield from (piece[:-1], piece[-1])
        elif len(piece) > 1 and piece[0] in PUNCTUATION:
            yield from (piece[0], piece[1:])
        else:
            yield piece


@_compiled.replaces
def match_ngrams(
    hypotheses: PackedTokens,
    references: Grouped[Sequence[str]],
    orders: tuple[int, int],
    beta: int,
    *,
    eps_smoothing: bool,
) -> tuple[array[int], ...]:
    """Return the characters of all references of each segment, and, order by order, three numbers of n-grams.

    They are the n-grams of the hypothesis, 0 if the reference has none of this order, those of the reference, and the
    matches, for the reference with the highest F-score, of equal ones the first.
    """
    columns = (array("q"), array("q"), array("q"), array("q"))
    for hypothesis, group in zip(hypotheses, references, strict=True):
        own = _ngrams(hypothesis, orders)
        counted = [_ngrams(reference, orders) for reference in group]
        rows = [_matches(own, other) for other in counted]
        best = max(rows, key=lambda row: f_score(row, beta, eps_smoothing=eps_smoothing))
        columns[0].append(sum(len(word) for reference in group for word in reference))
        for number, column in enumerate(columns[1:]):
            column.extend(best[number * len(own) : (number + 1) * len(own)])
    return columns


def _ngrams(words: Sequence[str], orders: tuple[int, int]) -> list[Counter[Any]]:
    """Return the n-grams of each order: of the characters of all words, then of the words that are no white space."""
    sides = zip(("".join(words), [word for word in words if not word.isspace()]), orders, strict=True)
    return [
        Counter(zip(*(items[start:] for start in range(order)), strict=False))
        for items, highest in sides
        for order in range(1, highest + 1)
    ]


def _matches(own: Sequence[Counter[Any]], other: Sequence[Counter[Any]]) -> list[int]:
    hypothesis = [ours.total() if theirs else 0 for ours, theirs in zip(own, other, strict=True)]
    reference = [theirs.total() for theirs in other]
    return [*hypothesis, *reference, *((ours & theirs).total() for ours, theirs in zip(own, other, strict=True))]
