"""BLEU as fairseq-score computes it: https://github.com/facebookresearch/fairseq, fairseq/clib/libbleu and scoring.

fairseq has one reference per segment; with several, each n-gram here counts as often as in the reference that has most
of it. fairseq takes different n-grams for equal if their hashes are, which happens from some hundred words on; here
they are compared by their words. On the systems of WMT22 the figure of fairseq is up to 0.03 of 100 higher.
"""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers({"fairseq": f"{__name__}.components:DICTIONARY_WORDS"})

bleukit_ngram_counters = offers(
    {
        "fairseq": f"{__name__}.components:KnownWords",
        "fairseq-exact": f"{__name__}.components:KnownWords",
    }
)

bleukit_variants = variants_beside(__file__)
