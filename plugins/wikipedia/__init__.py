"""BLEU as Wikipedia's article defines it, after Papineni et al. 2002: https://en.wikipedia.org/wiki/BLEU."""

from bleukit.plugin import variants_beside

bleukit_variants = variants_beside(__file__)
