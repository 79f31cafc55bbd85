"""``sacrebleu.metrics``, of which BLEU alone is here."""

from __future__ import annotations

from typing import NoReturn

from bleukit.compat.sacrebleu.metrics.absent import refuse
from bleukit.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore

__all__ = ["BLEU", "METRICS", "BLEUScore"]

METRICS = {"BLEU": BLEU}


def __getattr__(name: str) -> NoReturn:
    refuse(__name__, name)
