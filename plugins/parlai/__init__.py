"""BLEU as ParlAI computes it: https://github.com/facebookresearch/ParlAI, parlai/core/metrics.py, ``BleuMetric``.

It is ``sentence_bleu`` of NLTK with its method 1, and the mean of it.
"""

from bleukit.plugin import offers, variants_beside

bleukit_tokenizers = offers({"parlai": f"{__name__}.tokenizer:words_without_articles"})

bleukit_variants = variants_beside(__file__)
