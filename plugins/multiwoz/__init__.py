"""BLEU as MultiWOZ's BLEUScorer computes it: https://github.com/budzianowski/multiwoz, utils/nlp.py.

The program gives GO_ and EOS_ to each hypothesis and to its first reference; the benchmark has one reference. Further
references get them here, too, but not there.
"""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers({"multiwoz": f"{__name__}.components:between_go_and_eos"})

bleukit_smoothings = offers({"multiwoz": f"{__name__}.components:AddedTwice"})

bleukit_variants = variants_beside(__file__)
