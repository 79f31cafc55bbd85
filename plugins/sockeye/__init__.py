"""BLEU as Sockeye computes it: https://github.com/awslabs/sockeye, sockeye/evaluate.py, ``raw_corpus_bleu``."""

from bleukit.plugin import variants_beside

bleukit_variants = variants_beside(__file__)
