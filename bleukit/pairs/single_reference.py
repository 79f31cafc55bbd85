"""What a variant counts in a hypothesis and a single reference: tokens, lengths, totals; and scores of segments."""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from bleukit.counting import components, segment_columns
from bleukit.counting.columns import up_to
from bleukit.counting.packed import Grouped
from bleukit.scoring import mean_columns, score_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bleukit.loading.creating import LoadedComponent
    from bleukit.protocols import CountsTable, Text
    from bleukit.scoring import Score
    from bleukit.statistics import Statistics
    from bleukit.variant import Variant


class PairMetric(Protocol):
    """The part of :class:`bleukit.Bleu` that scores of pairs need."""

    variant: Variant

    @property
    def max_order(self) -> int: ...  # noqa: D102

    @property
    def signature(self) -> str: ...  # noqa: D102

    @property
    def components(self) -> Mapping[str, LoadedComponent]: ...  # noqa: D102

    @property
    def sentence_components(self) -> Mapping[str, LoadedComponent]: ...  # noqa: D102

    @property
    def sentence_variant(self) -> Variant: ...  # noqa: D102

    def statistics(  # noqa: D102
        self, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]], *, threads: int | None = None
    ) -> Statistics: ...

    def score(self, statistics: Statistics) -> Score: ...  # noqa: D102


def tokens_of_texts(bleu: PairMetric, texts: Sequence[Text], *, tokenized: bool) -> Sequence[Sequence[str]]:
    """Return the tokens of each text; ``tokenized`` says that the texts are token lists already."""
    return segment_columns.tokenize_texts(
        texts, bleu.components["tokenizer"], bleu.variant.lowercase, tokenized=tokenized
    )


def effective_lengths_of_pairs(
    bleu: PairMetric, hypotheses: NDArray[np.int64], references: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the effective reference length of each pair, from the lengths of hypothesis and reference."""
    alone = Grouped(array("q", references.tobytes()), up_to(len(references)))
    policy = bleu.components["reference_length"]
    return np.asarray(components.reference_lengths(policy, array("q", hypotheses.tobytes()), alone))


def segment_scores(bleu: PairMetric, counts: CountsTable, reference_tokens: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the score of each segment, in the scale of the variant, of shape (segments,).

    ``counts`` go up to the highest order of the variant; ``reference_tokens`` holds the number of tokens in all
    references of each segment.
    """
    counts = _of_units(bleu, counts)
    return score_columns(bleu.sentence_variant, bleu.sentence_components, counts, reference_tokens).value


def segment_means(bleu: PairMetric, counts: CountsTable) -> NDArray[np.float64]:
    """Return what :func:`segment_scores` multiplies by the brevity penalty, of segments that are not empty."""
    precisions = components.precisions_of_rows(bleu.sentence_components["smoothing"], _of_units(bleu, counts))
    variant = bleu.sentence_variant
    return mean_columns(precisions, variant.weights_used, effective_order=variant.effective_order, scale=variant.scale)


def _of_units(bleu: PairMetric, counts: CountsTable) -> CountsTable:
    """Return the counts of segments as those of units, each segment the last one of its unit."""
    weighed = slice(len(bleu.sentence_variant.weights))
    return replace(counts, matches=counts.matches[:, weighed], totals=counts.totals[:, weighed], last_segment=counts)


def totals_of_lengths(bleu: PairMetric, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the totals of a counter that promises ``clipped`` for texts of these lengths, of shape (texts, orders)."""
    least = bleu.components["counter"].promise("least_total") or 0
    totals: NDArray[np.int64] = np.maximum(lengths[:, None] - np.arange(bleu.max_order), least)
    return totals
