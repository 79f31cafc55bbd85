"""``sacrebleu.metrics.helpers``; what is not here is sacreBLEU's own."""

from __future__ import annotations

from collections import Counter

from bleukit.compat.sacrebleu.original import names_of

__getattr__ = names_of(__name__)


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[tuple[str, ...]], int]:
    """Return the numbers of the n-grams of all orders from ``min_order`` to ``max_order``, and of the tokens."""
    tokens = line.split()
    orders = range(min_order, max_order + 1)
    ngrams = (tuple(tokens[start : start + n]) for n in orders for start in range(len(tokens) - n + 1))
    return Counter(ngrams), len(tokens)
