"""``sacrebleu.metrics``: BLEU, chrF and TER, which bleukit counts."""

from __future__ import annotations

from sacrebleu import metrics as original

from bleukit.compat.originals import names_of
from bleukit.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from bleukit.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from bleukit.compat.sacrebleu.metrics.counted import TextAsListWarning, TransposedReferencesWarning
from bleukit.compat.sacrebleu.metrics.ter import TER, TERScore

METRICS = {**original.METRICS, "BLEU": BLEU, "CHRF": CHRF, "TER": TER}

__all__ = [
    "BLEU",
    "CHRF",
    "METRICS",
    "TER",
    "BLEUScore",
    "CHRFScore",
    "TERScore",
    "TextAsListWarning",
    "TransposedReferencesWarning",
]

__getattr__ = names_of(original)
