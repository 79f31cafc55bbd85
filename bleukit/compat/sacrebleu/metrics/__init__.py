"""``sacrebleu.metrics``: BLEU; the other metrics are sacreBLEU's own."""

from __future__ import annotations

from typing import Any

from bleukit.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore, TransposedReferencesWarning
from bleukit.compat.sacrebleu.original import imported, names_of

__all__ = ["BLEU", "BLEUScore", "TransposedReferencesWarning"]

_name_of_original = names_of(__name__)


def __getattr__(name: str) -> Any:
    if name == "METRICS":
        return {**getattr(imported("sacrebleu.metrics"), name, {}), "BLEU": BLEU}
    return _name_of_original(name)
