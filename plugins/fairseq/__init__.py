"""BLEU as fairseq-score computes it: https://github.com/facebookresearch/fairseq, fairseq/clib/libbleu and scoring.

fairseq has one reference per segment; with several, each n-gram here counts as often as in the reference that has most
of it. fairseq takes different n-grams for equal if their hashes are: ``fairseq`` does so, too, ``fairseq-exact`` not.
"""

from typing import Any

from bleukit.plugin import hookimpl, variants_beside


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"fairseq": f"{__name__}.tokenizer:DICTIONARY_WORDS"}


@hookimpl
def bleukit_ngram_counters() -> dict[str, Any]:
    return {
        "fairseq": f"{__name__}.counters:HashedWords",
        "fairseq-exact": f"{__name__}.counters:KnownWords",
    }


bleukit_variants = variants_beside(__file__)
