"""BLEU as sacreBLEU 2 computes it: https://github.com/mjpost/sacrebleu, the classes named in each module."""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers(
    {
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
)

bleukit_smoothings = offers(
    {
        "floor": f"{__name__}.smoothings:Floor",
        "add-k": f"{__name__}.smoothings:AddK",
        "exp": f"{__name__}.smoothings:Exponential",
    }
)

bleukit_signatures = offers({"sacrebleu": f"{__name__}.signatures:SacrebleuSignature"})

bleukit_variants = variants_beside(__file__)
