"""What a variant counts in a hypothesis and a single reference: tokens, lengths, totals; and scores of segments.

The ``scorer`` is everywhere that of the sentence level, which also knows the components that count.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

from bleukit.bleu import components
from bleukit.bleu.scoring import mean_columns
from bleukit.framework.loops import up_to
from bleukit.framework.packed import Grouped
from bleukit.framework.tokenizing import tokenize_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bleukit.bleu.protocols import CountsTable
    from bleukit.bleu.scorer import Scorer
    from bleukit.framework.protocols import Text


def tokens_of_texts(scorer: Scorer, texts: Sequence[Text], *, tokenized: bool) -> Sequence[Sequence[str]]:
    """Return the tokens of each text; ``tokenized`` says that the texts are token lists already."""
    loaded = scorer.loaded
    return tokenize_texts(texts, loaded.components["tokenizer"], loaded.variant.lowercase, tokenized=tokenized)


def effective_lengths_of_pairs(
    scorer: Scorer, hypotheses: NDArray[np.int64], references: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the effective reference length of each pair, from the lengths of hypothesis and reference."""
    alone = Grouped(array("q", references.tobytes()), up_to(len(references)))
    policy = scorer.loaded.components["reference_length"]
    return np.asarray(components.reference_lengths(policy, array("q", hypotheses.tobytes()), alone))


def segment_scores(scorer: Scorer, counts: CountsTable, reference_tokens: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the score of each segment, in the scale of the variant, of shape (segments,).

    ``counts`` go up to the highest order of the variant; ``reference_tokens`` holds the number of tokens in all
    references of each segment.
    """
    return scorer.columns_of_counts(scorer.counts_of_segments(counts), reference_tokens).value


def segment_means(scorer: Scorer, counts: CountsTable) -> NDArray[np.float64]:
    """Return what :func:`segment_scores` multiplies by the brevity penalty, of segments that are not empty."""
    precisions = components.precisions_of_rows(scorer.loaded.components["smoothing"], scorer.counts_of_segments(counts))
    variant = scorer.loaded.variant
    return mean_columns(precisions, variant.weights_used, effective_order=variant.effective_order, scale=variant.scale)


def totals_of_lengths(scorer: Scorer, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the totals of a counter that promises ``clipped`` for texts of these lengths, of shape (texts, orders)."""
    least = scorer.loaded.components["counter"].promise("least_total") or 0
    totals: NDArray[np.int64] = np.maximum(lengths[:, None] - np.arange(scorer.max_order), least)
    return totals
