"""BLEU as fairseq-score computes it: https://github.com/facebookresearch/fairseq, fairseq/clib/libbleu and scoring.

fairseq has one reference per segment; with several, each n-gram here counts as often as in the reference that has most
of it. fairseq takes different n-grams for equal if their hashes are, which happens from some hundred words on; here
they are compared by their words. On the systems of WMT22 the figure of fairseq is up to 0.03 of 100 higher.
"""

from typing import Any

from bleukit.plugin import hookimpl, variants_beside


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"fairseq": f"{__name__}.components:DICTIONARY_WORDS"}


@hookimpl
def bleukit_ngram_counters() -> dict[str, Any]:
    return {
        "fairseq": f"{__name__}.components:KnownWords",
        "fairseq-exact": f"{__name__}.components:KnownWords",
    }


bleukit_variants = variants_beside(__file__)
