"""BLEU as the COCO caption evaluation computes it: https://github.com/tylin/coco-caption, pycocoevalcap/bleu.

The captions are words already: that evaluation lowercases them, tokenizes them by the Stanford tokenizer and drops
punctuation before. Its brevity penalty adds 1e-9 to the reference length and 1e-15 to the hypothesis length.
"""

from bleukit.plugin import offers, variants_beside

bleukit_smoothings = offers({"coco": f"{__name__}.smoothing:TinyMatches"})

bleukit_variants = variants_beside(__file__)
