"""BLEU as MultEval computes it: https://github.com/jhclark/multeval, src/jbleu/JBLEU.java (Clark et al. 2011)."""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers({"multeval": f"{__name__}.tokenizer:words_between_breaks"})

bleukit_variants = variants_beside(__file__)
