"""BLEU as ParlAI computes it: https://github.com/facebookresearch/ParlAI, parlai/core/metrics.py, ``BleuMetric``.

It is ``sentence_bleu`` of NLTK with its method 1, and the mean of it.
"""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING, Any

from bleukit.plugin import hookimpl, variant_files

if TYPE_CHECKING:
    from pathlib import Path

_NO_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation, " "))
_ARTICLE = re.compile(r"\b(a|an|the)\b")


def words_without_articles(text: str) -> list[str]:
    """Return the words without ASCII punctuation and English articles, as ``normalize_answer``.

    A text of which nothing is left is one empty token.
    """
    return _ARTICLE.sub(" ", text.translate(_NO_PUNCTUATION)).split() or [""]


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"parlai": lambda: words_without_articles}


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    return variant_files(__file__)
