"""BLEU of the E2E challenge: https://github.com/tuetschek/e2e-metrics, metrics/pymteval.py.

Its totals are the length of a segment - n + 1 even if that is below 0, summed over segments, so that a score can be
above 1 if many segments are short; the smoothing computes them. Its brevity penalty takes 1e-5 for a length of 0, which
texts do not have: an empty one is one empty token.
"""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers({"e2e-metrics": f"{__name__}.components:Tokenizer"})

bleukit_smoothings = offers({"e2e-metrics": f"{__name__}.components:Guarded"})

bleukit_variants = variants_beside(__file__)
