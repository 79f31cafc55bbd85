"""BLEU as PaddleNLP computes it: https://github.com/PaddlePaddle/PaddleNLP, paddlenlp/metrics/bleu.py.

It is given tokens. Texts without any token are an error there, and score 0 here.
"""

from bleukit.plugin import offers, variants_beside

bleukit_smoothings = offers({"paddlenlp": f"{__name__}.smoothing:SmallestFloat"})

bleukit_variants = variants_beside(__file__)
