"""How alike the samples of each source are: self-BLEU, pairwise BLEU and distinct n-grams."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from bleukit.bleu.bleu import bleu_of
from bleukit.bleu.ngrams import ngrams
from bleukit.bleu.statistics import Statistics
from bleukit.framework import arguments
from bleukit.framework.errors import InputError
from bleukit.framework.results import Result
from bleukit.pairs import single_reference
from bleukit.pairs.matrix import groups_of
from bleukit.pairs.self_bleu import scores_of_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bleukit.bleu.bleu import Bleu, VariantLike
    from bleukit.bleu.scorer import Scorer
    from bleukit.framework.protocols import Text

PAIRS = 1 << 15
"""The number of pairs that are counted at a time, unless one source has more."""


@dataclass(frozen=True, eq=False)
class Diversity(Result):
    """How alike the samples of each of ``sources`` sources are; ``texts`` is the number of all samples.

    ``self_bleu`` is the mean over the sources of the mean score of each sample with all others of its source as
    references. ``pairwise_bleu`` is the corpus score of all pairs of two samples of one source, in both directions
    (Shen et al. 2019). Both are in the scale of the variant: the higher, the more alike. ``distinct`` holds, for each
    order of n-grams, the mean over the sources of distinct n-grams divided by all n-grams of the samples (0 to 1; after
    Li et al. 2016, who divide by tokens; NaN without n-grams): the higher, the more diverse.
    """

    self_bleu: float
    pairwise_bleu: float
    distinct: tuple[float, ...]
    sources: int
    texts: int
    signature: str

    def lines(self, digits: int = 4) -> list[str]:
        """Return a line for each number, with so many decimals; the shares of n-grams have at least four."""
        return [
            f"self-BLEU {self.self_bleu:.{digits}f}",
            f"pairwise BLEU {self.pairwise_bleu:.{digits}f}",
            *(f"distinct-{order} {share:.{max(digits, 4)}f}" for order, share in enumerate(self.distinct, 1)),
        ]

    def __str__(self) -> str:
        return "\n".join([f"{self.texts:,} samples of {self.sources:,} sources", *self.lines()])


def diversity(bleu: VariantLike, groups: Sequence[Sequence[Text]], *, threads: int | None = None) -> Diversity:
    """Return how alike the samples of each source are: self-BLEU, pairwise BLEU and distinct n-grams.

    ``groups[i]`` holds two or more samples of source i; ``bleu`` is a Bleu, or what :func:`bleukit.load` takes.
    """
    bleu = bleu_of(bleu)
    scorer = bleu.scorer("sentence")
    arguments.check_threads(threads)
    sources = groups_of(groups, "groups")
    if not sources:
        raise InputError("groups: no source")
    for number, group in enumerate(sources):
        if len(group) < 2:
            raise InputError(f"groups[{number}]: two or more samples are needed, got {len(group)}")
    scores, shares = zip(
        *(_source_measures(scorer, group, number) for number, group in enumerate(sources)), strict=True
    )
    return Diversity(
        _mean(np.array(scores)),
        bleu.score(_pairwise(bleu, sources, threads)).value,
        tuple(map(_mean, np.array(shares).T)),
        len(sources),
        sum(map(len, sources)),
        bleu.signature,
    )


def _source_measures(scorer: Scorer, group: Sequence[Text], number: int) -> tuple[float, list[float]]:
    """Return the self-BLEU of the samples of a source, and for each order the share of n-grams that are distinct."""
    texts, tokenized = arguments.check_texts_or_tokens(group, f"groups[{number}]")
    tokens = single_reference.tokens_of_texts(scorer, texts, tokenized=tokenized)
    counts: Counter[tuple[str, ...]] = Counter()
    for text in tokens:
        counts.update(ngrams(list(text), scorer.max_order))
    distinct, every = np.zeros(scorer.max_order), np.zeros(scorer.max_order)
    for ngram, count in counts.items():
        distinct[len(ngram) - 1] += 1
        every[len(ngram) - 1] += count
    return float(scores_of_tokens(scorer, tokens, itself=False).mean()), (
        distinct / np.where(every, every, np.nan)
    ).tolist()


def _mean(values: NDArray[np.float64]) -> float:
    """Return the mean of the sources that have a number; NaN if none has."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan


def _pairwise(bleu: Bleu, groups: Sequence[Sequence[Text]], threads: int | None) -> Statistics:
    """Return the statistics of all ordered pairs of two samples of each source, summed: one row per source."""
    parts = []
    for some in _in_parts(groups):
        pairs = [pair for group in some for pair in permutations(group, 2)]
        sources = [number for number, group in enumerate(some) for _ in range(len(group) * (len(group) - 1))]
        hypotheses, references = [one for one, _ in pairs], [[other] for _, other in pairs]
        parts.append(bleu.statistics(hypotheses, references, threads=threads).by_document(sources))
    return Statistics.concatenate(parts)


def _in_parts(groups: Sequence[Sequence[Text]]) -> Iterator[list[Sequence[Text]]]:
    part: list[Sequence[Text]] = []
    pairs = 0
    for group in groups:
        new = len(group) * (len(group) - 1)
        if part and pairs + new > PAIRS:
            yield part
            part, pairs = [], 0
        part.append(group)
        pairs += new
    yield part
