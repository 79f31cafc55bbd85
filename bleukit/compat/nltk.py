"""The interface of ``nltk.translate.bleu_score``, with the results of NLTK 3.10.

Change the import, keep the code::

    from bleukit.compat.nltk import SmoothingFunction, corpus_bleu, sentence_bleu

References come before hypotheses, scores are 0 to 1, and a smoothing function is any callable that NLTK takes. What
NLTK does oddly is kept: without a matching unigram the score is the integer 0; a smoothing function sees the references
and the hypothesis of the last segment alone; a hypothesis or a reference that is a str is one of characters.
"""

from __future__ import annotations

import fractions
import math
import sys
import warnings
from collections import Counter, deque
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import bleukit
from bleukit.compat import summing
from bleukit.counting.packed import Grouped, are, grouped, hold_only_str

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence, Sized

    from bleukit import Bleu

    Tokens: TypeAlias = Sequence[Hashable]
    Weights: TypeAlias = Sequence[float]
    Smoothing: TypeAlias = Callable[..., Sequence[Any]]

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]

_DEFAULT_WEIGHTS = (0.25, 0.25, 0.25, 0.25)

PART = 256
"""Segments that are counted at a time."""

PLAIN_TYPES = {int, bool, float, str, bytes}
"""The types of tokens that are equal if and only if they are the same key of a dict."""

TEXTS = list, tuple, str
"""The types of texts that can be counted at once: a str is one of characters."""

_NO_OVERLAP = """
The hypothesis contains 0 counts of {order}-gram overlaps.
Therefore the BLEU score evaluates to 0, independently of
how many N-gram overlaps of lower order it contains.
Consider using lower n-gram order or use SmoothingFunction()"""
"""The warning in NLTK's words, because filters of warnings match them."""


class Fraction(fractions.Fraction):
    """Matches / totals: a fraction that is not reduced, so that both can be read from it."""

    _terms: tuple[int, int] | None = None  # of a fraction that the base class makes, which it reduces: None

    def __new__(cls, numerator: int = 0, denominator: int = 1, _normalize: bool = False) -> Fraction:  # noqa: PYI034
        """Return numerator / denominator, only reduced if ``_normalize``. Raises ZeroDivisionError."""
        if type(numerator) is type(denominator) is int and denominator > 0:
            made = object.__new__(cls)  # what the class does, without its questions about types
            divisor = math.gcd(numerator, denominator)
            made._numerator, made._denominator = numerator // divisor, denominator // divisor  # type: ignore[attr-defined]
        else:
            made = super().__new__(cls, numerator, denominator)
        if not _normalize:
            made._terms = numerator, denominator
        return made

    @property
    def numerator(self) -> int:
        """The numerator as it was given."""
        return self._terms[0] if self._terms else super().numerator

    @property
    def denominator(self) -> int:
        """The denominator as it was given."""
        return self._terms[1] if self._terms else super().denominator

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Fraction):
            other = fractions.Fraction(other.numerator, other.denominator)  # which compares with reduced ones
        return super().__eq__(other)

    __hash__ = fractions.Fraction.__hash__

    def __reduce__(self) -> tuple[type[Fraction], tuple[int, int]]:
        return Fraction, (self.numerator, self.denominator)


def sentence_bleu(
    references: Sequence[Tokens],
    hypothesis: Tokens,
    weights: Weights | Sequence[Weights] = _DEFAULT_WEIGHTS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> float | list[float]:
    """Return the BLEU of one sentence: :func:`corpus_bleu` of it alone."""
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    weights: Weights | Sequence[Weights] = _DEFAULT_WEIGHTS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> float | list[float]:
    """Return the BLEU of a corpus, 0 to 1; a list of them for a list of weights.

    ``list_of_references[i]`` holds the references of hypothesis i; all are sequences of tokens.
    ``smoothing_function(p_n, references=…, hypothesis=…, hyp_len=…)`` gets the precisions as a list of
    :class:`Fraction`, references and hypothesis of the last segment, and the length of all hypotheses in tokens; by
    default it is ``SmoothingFunction().method0``. ``auto_reweigh`` weighs the orders that hypotheses of less than four
    tokens have equally, if the weights are the default.

    Raises AssertionError if the numbers of hypotheses and references differ, ZeroDivisionError for an empty corpus,
    KeyError or ValueError for a segment without references, and TypeError for tokens that cannot be hashed.
    """
    if len(list_of_references) != len(hypotheses):
        raise AssertionError(f"{len(hypotheses)} hypotheses but references of {len(list_of_references)}")
    several = _several(weights)
    orders = max(map(len, several))
    matches, totals, hypothesis_length, reference_length = _summed(list_of_references, hypotheses, orders)
    penalty = brevity_penalty(reference_length, hypothesis_length)
    if not all(totals):  # which are at least 1 for each segment
        raise ZeroDivisionError("there is no hypothesis")
    if not any(matches[:1]):
        return 0 if len(several) == 1 else [0] * len(several)
    precisions: Sequence[Any]
    if smoothing_function is None:  # as method0 of SmoothingFunction; nobody sees fractions
        precisions = [_positive(order, match, match / totals[order - 1]) for order, match in enumerate(matches, 1)]
    else:
        exact = list(map(Fraction, matches, totals))
        [(references, hypothesis)] = deque(zip(list_of_references, hypotheses), maxlen=1)  # noqa: B905 - equal lengths
        precisions = smoothing_function(exact, references=references, hypothesis=hypothesis, hyp_len=hypothesis_length)
    scores = []
    for chosen in several:
        reweigh = auto_reweigh and hypothesis_length < len(_DEFAULT_WEIGHTS) and chosen == _DEFAULT_WEIGHTS
        used = (1 / hypothesis_length,) * hypothesis_length if reweigh else chosen
        pairs = zip(used, precisions)  # noqa: B905 - there may be more precisions than weights
        scores.append(penalty * math.exp(math.fsum(w * math.log(p) for w, p in pairs if p > 0)))
    return scores[0] if len(several) == 1 else scores


def modified_precision(references: Iterable[Tokens], hypothesis: Tokens, n: int) -> Fraction:
    """Return the clipped matches of order ``n`` over their total, which is at least 1.

    As in NLTK, a text has one n-gram of order 0 more than it has tokens. Raises KeyError if there is no reference of a
    hypothesis that has n-grams, and ValueError for an ``n`` below 0.
    """
    counts = _ngrams(hypothesis, n)
    of_references = [_ngrams(reference, n) for reference in references]
    if counts and not of_references:
        raise KeyError("there is no reference")
    clipped = (min(count, max(counted[ngram] for counted in of_references)) for ngram, count in counts.items())
    return Fraction(sum(clipped), max(1, counts.total()))


def closest_ref_length(references: Iterable[Sized], hyp_len: int) -> int:
    """Return the length of the reference that is closest to ``hyp_len``; of two equally close, the shorter.

    Raises ValueError if there is no reference.
    """
    return min(map(len, references), key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Return the integers 1 for a longer hypothesis and 0 for an empty one, exp(1 - r/c) for another."""
    if hyp_len > closest_ref_len:
        return 1
    if hyp_len == 0:
        return 0
    return math.exp(1 - closest_ref_len / hyp_len)


class SmoothingFunction:
    """The smoothing methods of Chen and Cherry (2014), *A Systematic Comparison of Smoothing Techniques*.

    Each takes a list of :class:`Fraction` and returns a list of numbers; methods 3 to 7 change the list that they get.
    ``epsilon`` is for method 1, ``alpha`` for method 6, ``k`` for methods 4 and 7.
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Return the precisions, but the smallest normal float for 0, which is warned about."""
        return [_positive(order, p.numerator, p) for order, p in enumerate(p_n, 1)]

    def method1(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Return epsilon matches if there is none."""
        return [p if p.numerator != 0 else (p.numerator + self.epsilon) / p.denominator for p in p_n]

    def method2(self, p_n: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Return one match and one n-gram more from order 2 on (Lin and Och 2004)."""
        return [*p_n[:1], *(Fraction(p.numerator + 1, p.denominator + 1) for p in p_n[1:])]

    def method3(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Return 1/2, 1/4, … matches at the first, second, … order that has none (mteval-v13a)."""
        return _filled(p_n, lambda zeros: 2**zeros)

    def method4(
        self,
        p_n: list[Any],
        references: Sequence[Tokens],
        hypothesis: Tokens,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Do as method 3, but with fewer matches the shorter the hypothesis is; nothing if it has one token."""
        length = hyp_len or len(hypothesis)
        if length <= 1:
            return p_n
        return _filled(p_n, lambda zeros: 2**zeros * self.k / math.log(length), in_two_steps=True)

    def method5(
        self,
        p_n: list[Any],
        references: Sequence[Tokens],
        hypothesis: Tokens,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Return the mean of the precisions of the order below (smoothed), the order itself, and the one above.

        Above the highest order stands order 5, whatever the highest is.
        """
        above = [*p_n, modified_precision(references, hypothesis, 5)]
        below = p_n[0] + 1
        for index, p in enumerate(p_n):
            p_n[index] = below = (below + p + above[index + 1]) / 3
        return p_n

    def method6(
        self,
        p_n: list[Any],
        references: Sequence[Tokens],
        hypothesis: Tokens,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Mix the precisions from order 3 on with alpha parts of p(n-1)² / p(n-2) (Gao and He 2013).

        Raises AssertionError if no trigram matches, and IndexError if there are less than three orders.
        """
        if not p_n[2]:
            raise AssertionError("method 6 needs a matching trigram, which it extrapolates from; there is none")
        for index, p in enumerate(p_n[2:], 2):
            prior = p_n[index - 1] ** 2 / p_n[index - 2] if p_n[index - 2] != 0 else 0
            p_n[index] = (p.numerator + self.alpha * prior) / (max(0, len(hypothesis) - index) + self.alpha)
        return p_n

    def method7(
        self,
        p_n: list[Any],
        references: Sequence[Tokens],
        hypothesis: Tokens,
        hyp_len: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> list[Any]:
        """Apply method 4, then method 5 to what it returns."""
        return self.method5(self.method4(p_n, references, hypothesis, hyp_len), references, hypothesis, hyp_len)


def _positive(order: int, matches: int, precision: Any) -> Any:
    """Return the precision of an order or, with a warning, the smallest normal float if it has no match."""
    if matches != 0:
        return precision
    warnings.warn(_NO_OVERLAP.format(order=order), stacklevel=1)
    return sys.float_info.min


def _filled(p_n: list[Any], divisor: Callable[[int], float], *, in_two_steps: bool = False) -> list[Any]:
    """Put 1 / (divisor · total) for precisions of 0; ``divisor`` gets their number so far, from 1.

    NLTK divides by one after the other in method 4, which may round otherwise.
    """
    zeros = 0
    for index, p in enumerate(p_n):
        if p.numerator == 0:
            zeros += 1
            by = divisor(zeros)
            p_n[index] = 1 / by / p.denominator if in_two_steps else 1 / (by * p.denominator)
    return p_n


def _ngrams(tokens: Tokens, order: int) -> Counter[tuple[Hashable, ...]]:
    """Count the n-grams of one order of tokens of any kind, which are not looked at if they are too few."""
    if len(tokens) < order:
        return Counter()
    if order < 1:
        if order < 0:
            raise ValueError(f"n: expected an order of at least 0, got {order}")
        return Counter({(): len(tokens) + 1})
    listed = list(tokens)
    return Counter(zip(*(listed[start:] for start in range(order))))  # noqa: B905 - which ends with the shortest


def _several(weights: Any) -> Sequence[Weights]:
    try:
        weights[0][0]
    except (TypeError, IndexError):
        return [weights]
    return weights  # type: ignore[no-any-return]


def _summed(
    list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], orders: int
) -> tuple[list[int], list[int], int, int]:
    """Return the matches and totals of each order, and the lengths of hypotheses and closest references, summed."""
    sums = _summed_in_parts(list_of_references, hypotheses, orders)
    if sums is not None:
        hypothesis_length, reference_length, *counts = sums
        return counts[:orders], counts[orders:], hypothesis_length, reference_length
    return _summed_one_by_one(list_of_references, hypotheses, orders)


def _summed_in_parts(
    list_of_references: Sequence[Sequence[Any]], hypotheses: Sequence[Any], orders: int
) -> list[int] | None:
    """Return what :func:`_summed` does, one sum after the other; None for what cannot be counted at once.

    The tokens of a part stay in the processor's cache until they are counted.
    """
    if not orders or not are([list_of_references, hypotheses], list, tuple) or not hypotheses:
        return None
    parts, bleu = [], _bleu(orders)
    for start in range(0, len(hypotheses), PART):
        some = list(hypotheses[start : start + PART])
        references = _grouped(list_of_references[start : start + PART])
        if references is None:
            return None
        texts = [*some, *references.items]
        if not (are(texts, list) or are(texts, *TEXTS)):
            return None
        if not hold_only_str(texts):
            try:
                texts = _as_characters(texts)
            except (TypeError, ValueError):
                return None
        references = Grouped(texts[len(some) :], references.ends)
        parts.append(summing.summed(bleu, texts[: len(some)], references, tokenized=True))
    return parts[0] if len(parts) == 1 else list(map(sum, zip(*parts, strict=True)))


@cache
def _bleu(orders: int) -> Bleu:
    return bleukit.load(counter="nltk", reference_length="closest", weights=orders)


def _as_characters(texts: Sequence[Any]) -> list[list[str]]:
    """Return tokens of Python's plain types as characters, equal ones as the same.

    Raises TypeError for tokens of other types, whose equality may be any relation, and ValueError for too many.
    """
    if not set(map(type, chain.from_iterable(texts))) <= PLAIN_TYPES:
        raise TypeError("tokens of other types")
    distinct: dict[Hashable, None] = dict.fromkeys(chain.from_iterable(texts))
    characters = dict(zip(distinct, map(chr, range(len(distinct))), strict=True))
    return [list(map(characters.__getitem__, tokens)) for tokens in texts]


def _grouped(list_of_references: Sequence[Sequence[Any]]) -> Grouped[Any] | None:
    """Return the references of some segments, if each is given a list or a tuple with one at least."""
    if not are(list_of_references, list, tuple) or not all(list_of_references):
        return None
    return grouped(list_of_references)


def _summed_one_by_one(
    list_of_references: Iterable[Sequence[Tokens]], hypotheses: Iterable[Tokens], orders: int
) -> tuple[list[int], list[int], int, int]:
    """Return what :func:`_summed` does of tokens of any kind; a wrong segment raises what NLTK raises."""
    matches, totals, hypothesis_length, reference_length = [0] * orders, [0] * orders, 0, 0
    for references, hypothesis in zip(list_of_references, hypotheses):  # noqa: B905 - their lengths are equal
        for order in range(orders):
            p = modified_precision(references, hypothesis, order + 1)
            matches[order] += p.numerator
            totals[order] += p.denominator
        hypothesis_length += len(hypothesis)
        reference_length += closest_ref_length(references, len(hypothesis))
    return matches, totals, hypothesis_length, reference_length
