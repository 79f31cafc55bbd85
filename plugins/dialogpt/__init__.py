"""BLEU as DialoGPT's evaluation computes it: https://github.com/microsoft/DialoGPT, dstc/metrics.py.

That is the script of the challenge DSTC7 (Galley et al. 2019). It writes texts into XML, in which ``&`` and ``<`` are
blanks, and runs mteval-v14c.pl without options. It reads BLEU-1 to BLEU-4 from what that prints with four decimals.
"""

from bleukit.plugin import variants_beside

bleukit_variants = variants_beside(__file__)
