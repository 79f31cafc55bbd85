"""sacreBLEU: ``sacrebleu.metrics.BLEU``."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from bleukit.built_in.implementations.mapping import (
    as_spaced_text,
    order_of_equal_weights,
    require_expressible,
    sacrebleu_tokenizer,
)

from bleukit.plugin import Counts, Reported, Text, Variant

if TYPE_CHECKING:
    from collections.abc import Sequence


SMOOTHINGS = ("exp", "floor", "add-k")


class Sacrebleu:
    """Weighs all orders alike; takes counts in place of segments too."""

    def __init__(self) -> None:
        from sacrebleu.metrics import BLEU

        self._metric = BLEU

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        require_expressible(variant, smoothing=SMOOTHINGS, lowercase=[True], effective_order=[True])
        options = self._options(variant)
        tokenizer = sacrebleu_tokenizer(variant, hypotheses)
        metric = self._metric(**options, tokenize=tokenizer, lowercase=variant.lowercase, force=True)
        texts = [as_spaced_text(hypothesis) for hypothesis in hypotheses]
        groups = [[as_spaced_text(reference) for reference in group] for group in references]
        score = metric.corpus_score(texts, [list(stream) for stream in zip_longest(*groups)])
        tokens = metric.tokenizer(texts[0].rstrip()).split() if len(texts) == 1 and not variant.lowercase else None
        return _reported(score, tokens)

    def from_counts(self, variant: Variant, counts: Counts) -> Reported:
        require_expressible(variant, smoothing=SMOOTHINGS, lowercase=[True], effective_order=[True])
        score = self._metric.compute_bleu(
            [*counts.matches],  # smoothing writes into its lists
            [*counts.totals],
            counts.hypothesis_length,
            counts.reference_length,
            **self._options(variant),
        )
        return _reported(score)

    def _options(self, variant: Variant) -> dict[str, Any]:
        """Return the parameters that it takes for counts, too."""
        smoothing = variant.smoothing
        return {
            "max_ngram_order": order_of_equal_weights(variant),
            "effective_order": variant.effective_order,
            "smooth_method": smoothing.name,
            "smooth_value": next(iter(smoothing.options.values()), None),  # floor's value, add-k's k
        }


def _reported(score: Any, tokens: Sequence[str] | None = None) -> Reported:
    return Reported(
        tokens=tokens,
        matches=score.counts,
        totals=score.totals,
        precisions=[precision / 100 for precision in score.precisions],
        hypothesis_length=score.sys_len,
        reference_length=score.ref_len,
        brevity_penalty=score.bp,
        score=score.score / 100,
    )
