"""The classes that ``evaluate.load`` finds in the folders beside this module; they need evaluate."""

from typing import Any

import datasets
import evaluate

from bleukit.compat.evaluate import compute_bleu, compute_sacrebleu, compute_variant


class _Module(evaluate.Metric):  # type: ignore[misc]
    def _info(self) -> Any:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=self.__doc__,
            citation="",
            inputs_description="predictions: texts; references: of each, a text or a list of texts",
            features=[
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
                datasets.Features({"predictions": text, "references": text}),
            ],
        )


class Bleu(_Module):
    """BLEU as evaluate's own module computes it, by bleukit: a score of 0 to 1."""

    def _compute(self, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        return compute_bleu(predictions, references, **options)


class Sacrebleu(_Module):
    """BLEU as sacreBLEU computes it, by bleukit: a score of 0 to 100."""

    def _compute(self, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        return compute_sacrebleu(predictions, references, **options)


class Variant(_Module):
    """BLEU as the variant of bleukit computes it whose name is that of the configuration."""

    def _compute(self, predictions: Any, references: Any) -> dict[str, Any]:
        return compute_variant(predictions, references, self.config_name)
