"""NLTK: ``corpus_bleu``, and what its public functions say of a single segment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.built_in.implementations.mapping import require_expressible, tokens_of

from bleukit.plugin import Reported, Text, Variant

if TYPE_CHECKING:
    from collections.abc import Sequence


METHODS = {f"nltk-method{number}": f"method{number}" for number in range(8)}


class Nltk:
    """Takes tokens and any weights. Without smoothing it uses its ``method0``: there is nothing less."""

    def __init__(self) -> None:
        from nltk.translate import bleu_score

        self._bleu_score = bleu_score

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        require_expressible(variant, counter=["nltk"], smoothing=METHODS)
        hypotheses = [tokens_of(variant, hypothesis) for hypothesis in hypotheses]
        references = [[tokens_of(variant, reference) for reference in group] for group in references]
        weights = variant.weights_used
        score = self._bleu_score.corpus_bleu(references, hypotheses, weights, self._smoothing(variant))
        if len(hypotheses) > 1:
            return Reported(score=score)
        (hypothesis,), (group,) = hypotheses, references
        precisions = [
            self._bleu_score.modified_precision(group, hypothesis, order) for order in range(1, len(weights) + 1)
        ]
        reference_length = self._bleu_score.closest_ref_length(group, len(hypothesis))
        return Reported(
            matches=[precision.numerator for precision in precisions],
            totals=[precision.denominator for precision in precisions],
            reference_length=reference_length,
            brevity_penalty=self._bleu_score.brevity_penalty(reference_length, len(hypothesis)),
            score=score,
        )

    def _smoothing(self, variant: Variant) -> Any:
        name, options = variant.smoothing.name, variant.smoothing.options
        return getattr(self._bleu_score.SmoothingFunction(**options), METHODS[name]) if name in METHODS else None
