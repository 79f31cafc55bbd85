"""BLEU as ParlAI computes it: https://github.com/facebookresearch/ParlAI, parlai/core/metrics.py, ``BleuMetric``.

It is ``sentence_bleu`` of NLTK with its method 1, and the mean of it.
"""

from typing import Any

from bleukit.plugin import hookimpl, variants_beside


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"parlai": f"{__name__}.tokenizer:words_without_articles"}


bleukit_variants = variants_beside(__file__)
