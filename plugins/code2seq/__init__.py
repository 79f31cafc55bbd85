"""BLEU of names and comments of code as code2seq reports it: https://github.com/tech-srl/code2seq, common.py.

It writes the sub-tokens of each prediction and each reference as a line, and calls multi-bleu.perl.
"""

from bleukit.plugin import variants_beside

bleukit_variants = variants_beside(__file__)
