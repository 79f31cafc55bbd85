"""BLEU as ParlAI computes it: https://github.com/facebookresearch/ParlAI, parlai/core/metrics.py, ``BleuMetric``.

It is ``sentence_bleu`` of NLTK with its method 1, and the mean of it.
"""

from typing import Any

from bleukit.plugin import ReadyComponent, hookimpl, variant_files


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"parlai": ReadyComponent(f"{__name__}.tokenizer:words_without_articles")}


@hookimpl
def bleukit_variants() -> dict[str, Any]:
    return variant_files(__file__)
