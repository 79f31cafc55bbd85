"""bleukit's BLEU as a metric of mbrs: the same choices, with all pairs of a segment scored in one call."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from mbrs import timer
from mbrs.metrics import Metric, register

import bleukit


@register("bleukit")
class MetricBleukit(Metric):
    """BLEU by any variant of bleukit."""

    @dataclass
    class Config(Metric.Config):
        """The variant is a name, or the path of a variant file."""

        variant: str = "sacrebleu"
        threads: int = 1

    def __init__(self, cfg: Config) -> None:
        super().__init__(cfg)
        self.bleu = bleukit.load(cfg.variant)

    def score(self, hypothesis: str, reference: str, *_: object, **__: object) -> float:
        return self.bleu.sentence(hypothesis, [reference]).value

    def pairwise_scores(self, hypotheses: list[str], references: list[str], *_: object, **__: object) -> torch.Tensor:
        with timer.measure("score") as measured:
            measured.set_delta_ncalls(len(hypotheses) * len(references))
            return torch.from_numpy(bleukit.matrix(self.bleu, hypotheses, references, threads=self.cfg.threads))

    def corpus_score(self, hypotheses: list[str], references_lists: list[list[str]], *_: object, **__: object) -> float:
        return self.bleu.corpus(hypotheses, references_lists, references_by="set").value
