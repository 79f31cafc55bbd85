"""BLEU as sacreBLEU computes it, by bleukit: a score of 0 to 100."""

from typing import Any

import datasets
import evaluate

from bleukit.compat.evaluate import compute_sacrebleu


class Module(evaluate.Metric):  # type: ignore[misc]
    """The module."""

    def _info(self) -> Any:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=__doc__,
            citation="",
            inputs_description="predictions: texts; references: of each, a text or a list of texts",
            features=[
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
                datasets.Features({"predictions": text, "references": text}),
            ],
        )

    def _compute(self, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        return compute_sacrebleu(predictions, references, **options)
