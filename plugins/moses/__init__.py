"""BLEU as programs of Moses and NIST compute it: multi-bleu, multi-bleu-detok, mteval-v11b to v14, sentence-bleu.

https://github.com/moses-smt/mosesdecoder, scripts/generic and mert. Three things differ here. A script that divides by
zero, because hypothesis or references are empty, ends there; here the score is 0. multi-bleu takes 9999 for the length
of all references that are more than 9999 words longer or shorter than the hypothesis. The word of no characters that
mteval counts with --international-tokenization, where a segment of an XML file begins with a line end, is not counted.
"""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers(
    {
        "multi-bleu": f"{__name__}.tokenizers:MultiBleu",
        "space": f"{__name__}.tokenizers:BETWEEN_SPACES",
        "mteval": f"{__name__}.tokenizers:Mteval",
        "mteval-international": f"{__name__}.tokenizers:MtevalInternational",
    }
)

bleukit_smoothings = offers({"mteval": f"{__name__}.smoothing:Smoothed"})

bleukit_variants = variants_beside(__file__)
