"""BLEU as sacreBLEU 2 computes it: https://github.com/mjpost/sacrebleu, the classes named in each module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.built_in.paper import WHITESPACE
from bleukit.built_in.sacrebleu import tokenizers
from bleukit.built_in.sacrebleu.morphemes import Japanese, Korean
from bleukit.built_in.sacrebleu.sentence_pieces import Flores101, Flores200, SentencePieces, SpBleu1K
from bleukit.built_in.sacrebleu.signatures import SacrebleuSignature
from bleukit.built_in.sacrebleu.smoothings import AddK, Exponential, Floor

from bleukit.plugin import Component, Variant, hookimpl, variant_files

if TYPE_CHECKING:
    from pathlib import Path

SACREBLEU = Variant(
    description="sacreBLEU with its defaults",
    source="sacrebleu.metrics.bleu of sacreBLEU 2.6",
    used_by="WMT since 2018, and most papers on machine translation since then",
    field="Machine translation",
    tokenizer=Component("13a"),
    counter=Component("clipped"),
    reference_length=Component("closest"),
    smoothing=Component("exp"),
    sentence={"effective_order": True},  # sentence_bleu and --sentence-level weigh only the orders that a segment has
    scale=100,
)
"""In Python, because a variant file takes PyYAML, whose import takes longer than to score a small corpus."""


@hookimpl
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


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"floor": Floor, "add-k": AddK, "exp": Exponential}


@hookimpl
def bleukit_signatures() -> dict[str, Any]:
    return {"sacrebleu": SacrebleuSignature}


@hookimpl
def bleukit_variants() -> dict[str, Variant | Path]:
    return {"sacrebleu": SACREBLEU, **variant_files(__file__)}
