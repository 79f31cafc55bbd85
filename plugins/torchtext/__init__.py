"""BLEU as torchtext computes it: https://github.com/pytorch/text, torchtext/data/metrics.py.

It computes in single precision; these numbers agree with its own to about seven digits. It joins the tokens of an
n-gram by blanks and splits it again, so that a token that holds a blank counts as several there.
"""

from bleukit.plugin import variants_beside

bleukit_variants = variants_beside(__file__)
