"""The interface of ``nltk.translate.bleu_score``, whose n-grams bleukit counts.

Change the import, keep the code::

    from bleukit.compat.nltk import SmoothingFunction, corpus_bleu, sentence_bleu

References come before hypotheses, scores are 0 to 1, and a smoothing function is any callable that NLTK takes. All but
the counting is NLTK's own: its fractions, its smoothing functions, and its errors for what bleukit does not count at
once, such as tokens of classes of your own, which NLTK then counts itself. Importing this module raises
bleukit.NotInstalledError if NLTK is missing or older than 3.9.2.
"""

from __future__ import annotations

import math
from collections import deque
from functools import cache, lru_cache
from itertools import chain
from operator import truediv
from typing import TYPE_CHECKING, Any, TypeAlias

import bleukit
from bleukit.compat.originals import require
from bleukit.framework.packed import Grouped, are, grouped, hold_only_str
from bleukit.framework.segments import Segments

require("nltk", "3.9.2", "nltk>=3.9.2")

from nltk.translate import bleu_score as original  # noqa: E402 - it has to be there
from nltk.translate.bleu_score import (  # noqa: E402
    Fraction,
    SmoothingFunction,
    brevity_penalty,
    closest_ref_length,
    modified_precision,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

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

DEFAULT_WEIGHTS = (0.25, 0.25, 0.25, 0.25)

CHUNK = 256
"""Segments that are counted at a time, so that their tokens stay in the processor's cache."""

PLAIN_TYPES = {int, bool, float, str, bytes}
"""The types of tokens that are equal if and only if they are the same key of a dict."""

TEXTS = list, tuple, str
"""The types of texts that can be counted at once: a str is one of characters."""


def sentence_bleu(
    references: Sequence[Tokens],
    hypothesis: Tokens,
    weights: Weights | Sequence[Weights] = DEFAULT_WEIGHTS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> float | list[float]:
    """Return the BLEU of one sentence: :func:`corpus_bleu` of it alone."""
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    weights: Weights | Sequence[Weights] = DEFAULT_WEIGHTS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> float | list[float]:
    """Return the BLEU of a corpus, 0 to 1; a list of them for a list of weights.

    ``list_of_references[i]`` holds the references of hypothesis i; all are sequences of tokens.
    ``smoothing_function(p_n, references=…, hypothesis=…, hyp_len=…)`` gets the precisions as a list of
    :class:`Fraction`, references and hypothesis of the last segment, and the length of all hypotheses in tokens; by
    default it is ``SmoothingFunction().method0``. ``auto_reweigh`` weighs the orders that hypotheses of less than four
    tokens have equally, if the weights are the default. Raises what NLTK raises.
    """
    several = _several(weights)
    orders = max(map(len, several), default=0) if several is not None else 0
    sums = _summed(list_of_references, hypotheses, orders)
    if sums is None or several is None:
        score: float | list[float] = original.corpus_bleu(
            list_of_references, hypotheses, weights, smoothing_function, auto_reweigh
        )
        return score
    hypothesis_length, reference_length, *counts = sums
    matches, totals = counts[:orders], counts[orders:]
    if matches[0] == 0:
        return 0 if len(several) == 1 else [0] * len(several)
    precisions: Sequence[Any]
    if not smoothing_function and all(matches):  # of which method0 changes none, and nobody sees the fractions
        precisions = list(map(truediv, matches, totals))
    else:
        exact = list(map(_fraction, matches, totals))
        [(references, hypothesis)] = deque(zip(list_of_references, hypotheses, strict=True), maxlen=1)
        smooth = smoothing_function or SmoothingFunction().method0
        precisions = smooth(exact, references=references, hypothesis=hypothesis, hyp_len=hypothesis_length)
    penalty = brevity_penalty(reference_length, hypothesis_length)
    scores = []
    for chosen in several:
        reweigh = auto_reweigh and hypothesis_length < len(DEFAULT_WEIGHTS) and chosen == DEFAULT_WEIGHTS
        used = (1 / hypothesis_length,) * hypothesis_length if reweigh else chosen
        pairs = zip(used, precisions)  # noqa: B905 - there may be more precisions than weights
        scores.append(penalty * math.exp(math.fsum(w * math.log(p) for w, p in pairs if p > 0)))
    return scores[0] if len(several) == 1 else scores


@lru_cache(maxsize=2**12)
def _fraction(matches: int, total: int) -> Fraction:
    """Return a fraction that is not reduced; kept, because sentences have few, and to make one takes long."""
    return Fraction(matches, total, _normalize=False)


def _several(weights: Any) -> Sequence[Weights] | None:
    """Return weights as a sequence of them, None for other kinds of them, which NLTK itself may take."""
    if not isinstance(weights, (list, tuple)) or not weights:
        return None
    if are(weights, list, tuple):
        return weights
    return [weights] if isinstance(weights[0], (int, float)) else None


def _summed(list_of_references: Sequence[Sequence[Any]], hypotheses: Sequence[Any], orders: int) -> list[int] | None:
    """Return the lengths of hypotheses and closest references, the matches and the totals of each order, summed.

    It is None for what cannot be counted at once.
    """
    if not orders or not are([list_of_references, hypotheses], list, tuple):
        return None
    if not hypotheses or len(list_of_references) != len(hypotheses):
        return None
    sums, bleu = [], _bleu(orders)
    for start in range(0, len(hypotheses), CHUNK):
        some = list(hypotheses[start : start + CHUNK])
        of_some = list_of_references[start : start + CHUNK]
        if not are(of_some, list, tuple) or not all(of_some):
            return None
        references = grouped(of_some)
        texts = [*some, *references.items]
        if not (are(texts, list) or are(texts, *TEXTS)):
            return None
        if not hold_only_str(texts):
            try:
                texts = _as_characters(texts)
            except (TypeError, ValueError):
                return None
        references = Grouped(texts[len(some) :], references.ends)
        sums.append(bleu.sums(Segments(texts[: len(some)], references, tokenized=True)))
    return sums[0] if len(sums) == 1 else list(map(sum, zip(*sums, strict=True)))


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
