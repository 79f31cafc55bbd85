"""BLEU as sacreBLEU 2 computes it: https://github.com/mjpost/sacrebleu, the classes named in each module."""

from typing import Any

from bleukit.plugin import hookimpl, variants_beside


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {
        "none": "bleukit.built_in.paper.tokenizers:WHITESPACE",
        "13a": f"{__name__}.tokenizers:TOKENIZER_13A",
        "zh": f"{__name__}.tokenizers:TOKENIZER_ZH",
        "intl": f"{__name__}.tokenizers:TOKENIZER_INTL",
        "ja-mecab": f"{__name__}.morphemes:Japanese",
        "ko-mecab": f"{__name__}.morphemes:Korean",
        "spm": f"{__name__}.sentence_pieces:SentencePieces",
        "flores101": f"{__name__}.sentence_pieces:Flores101",
        "flores200": f"{__name__}.sentence_pieces:Flores200",
        "spBLEU-1K": f"{__name__}.sentence_pieces:SpBleu1K",
    }


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {
        "floor": f"{__name__}.smoothings:Floor",
        "add-k": f"{__name__}.smoothings:AddK",
        "exp": f"{__name__}.smoothings:Exponential",
    }


@hookimpl
def bleukit_signatures() -> dict[str, Any]:
    return {"sacrebleu": f"{__name__}.signatures:SacrebleuSignature"}


bleukit_variants = variants_beside(__file__)
