"""Other libraries' BLEU, asked for what a recipe describes: one module a library, each imported when it is asked.

A module maps a recipe to the library's parameters and reports what the library says; it computes nothing of BLEU.
"""

from __future__ import annotations

from typing import Any

import bleukit


@bleukit.hookimpl
def bleukit_implementations() -> dict[str, Any]:
    from bleukit_implementations.bleuscore_adapter import Bleuscore
    from bleukit_implementations.fast_bleu_adapter import FastBleu
    from bleukit_implementations.nltk_adapter import Nltk
    from bleukit_implementations.sacrebleu_adapter import Sacrebleu
    from bleukit_implementations.torchmetrics_adapter import Torchmetrics

    return {
        "nltk": Nltk,
        "sacrebleu": Sacrebleu,
        "torchmetrics": Torchmetrics,
        "bleuscore": Bleuscore,
        "fast-bleu": FastBleu,
    }
