"""TorchMetrics: ``SacreBLEUScore``, which is its ``BLEUScore`` with a choice of tokenizers and of lowercase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.built_in.implementations.mapping import as_spaced_text, require_expressible, sacrebleu_tokenizer

from bleukit.plugin import CannotExpressError, Reported, Text, Variant

if TYPE_CHECKING:
    from collections.abc import Sequence


SMOOTHINGS = ("add-k", "nltk-method2")
"""What its ``smooth`` is: one match and one n-gram more from order 2 on."""

OWN = "torchmetrics"
"""The smoothing that is what it does itself, with its ``smooth`` as an option."""


class Torchmetrics:
    """Takes any weights. It computes in double precision here; single, its default, agrees to about six digits."""

    def __init__(self) -> None:
        import torch
        from torchmetrics.text import SacreBLEUScore

        self._double = torch.float64
        self._metric = SacreBLEUScore

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        require_expressible(variant, smoothing=[*SMOOTHINGS, OWN], reference_length=["first-closest"], lowercase=[True])
        smoothing = variant.smoothing
        if smoothing.options and smoothing.name != OWN:
            raise CannotExpressError("smoothing: options")
        weights = variant.weights_used
        metric = self._metric(
            n_gram=len(weights),
            weights=weights,
            smooth=smoothing.name in SMOOTHINGS or bool(smoothing.options.get("smooth")),
            tokenize=sacrebleu_tokenizer(variant, hypotheses),
            lowercase=bool(variant.lowercase),
        ).set_dtype(self._double)
        texts = [as_spaced_text(hypothesis) for hypothesis in hypotheses]
        metric.update(texts, [[as_spaced_text(reference) for reference in group] for group in references])
        state = metric.metric_state
        return Reported(
            matches=state["numerator"].tolist(),
            totals=state["denominator"].tolist(),
            hypothesis_length=state["preds_len"].item(),
            reference_length=state["target_len"].item(),
            score=metric.compute().item(),
        )
