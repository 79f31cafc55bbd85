"""ParlAI's tokenizer."""

from __future__ import annotations

import re
import string

_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]+")

_ARTICLE = re.compile(r"\b(a|an|the)\b")


def words_without_articles(text: str) -> list[str]:
    """Return the words without ASCII punctuation and English articles, as ``normalize_answer``.

    A text of which nothing is left is one empty token.
    """
    return _ARTICLE.sub(" ", _PUNCTUATION.sub(" ", text)).split() or [""]
