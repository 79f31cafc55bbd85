"""``sacrebleu.metrics``: BLEU; the other metrics are sacreBLEU's own."""

from __future__ import annotations

from sacrebleu import metrics as original

from bleukit.compat.originals import names_of
from bleukit.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore, TextAsListWarning, TransposedReferencesWarning

METRICS = {**original.METRICS, "BLEU": BLEU}

__all__ = ["BLEU", "METRICS", "BLEUScore", "TextAsListWarning", "TransposedReferencesWarning"]

__getattr__ = names_of(original)
