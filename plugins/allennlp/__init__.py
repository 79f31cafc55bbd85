"""BLEU as AllenNLP computes it: https://github.com/allenai/allennlp, training/metrics/bleu.py.

It is given the numbers of tokens, and one reference; of several, the closest length is taken here. Unless
``exclude_indices`` names the numbers of padding, of the start and of the end of a sentence, these are words.
"""

from bleukit.plugin import variants_beside

bleukit_variants = variants_beside(__file__)
