"""BLEU as sacreBLEU 2 computes it: https://github.com/mjpost/sacrebleu, the classes named in each module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit_wikipedia import WHITESPACE

import bleukit
from bleukit_sacrebleu import tokenizers
from bleukit_sacrebleu.morphemes import Japanese, Korean
from bleukit_sacrebleu.sentence_pieces import Flores101, Flores200, SentencePieces, SpBleu1K
from bleukit_sacrebleu.smoothings import AddK, Exponential, Floor

if TYPE_CHECKING:
    from pathlib import Path

    from bleukit_sacrebleu.signatures import SacrebleuSignature


def _signature_format() -> SacrebleuSignature:
    from bleukit_sacrebleu.signatures import SacrebleuSignature

    return SacrebleuSignature()


@bleukit.hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {
        "none": lambda: WHITESPACE,
        "13a": lambda: tokenizers.TOKENIZER_13A,
        "zh": lambda: tokenizers.TOKENIZER_ZH,
        "intl": lambda: tokenizers.TOKENIZER_INTL,
        "ja-mecab": Japanese,
        "ko-mecab": Korean,
        "spm": SentencePieces,
        "flores101": Flores101,
        "flores200": Flores200,
        "spBLEU-1K": SpBleu1K,
    }


@bleukit.hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"floor": Floor, "add-k": AddK, "exp": Exponential}


@bleukit.hookimpl
def bleukit_signatures() -> dict[str, Any]:
    return {"sacrebleu": _signature_format}


@bleukit.hookimpl
def bleukit_variants() -> list[Path]:
    from pathlib import Path

    return sorted(Path(__file__).parent.glob("*.yaml"))
