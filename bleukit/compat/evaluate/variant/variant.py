"""BLEU as a variant of bleukit says, whose name is that of the configuration."""

from typing import Any

import datasets
import evaluate

from bleukit.compat.evaluate import compute_variant


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

    def _compute(self, predictions: Any, references: Any) -> dict[str, Any]:
        return compute_variant(predictions, references, self.config_name)
