"""BLEU as fairseq-score computes it: https://github.com/facebookresearch/fairseq, fairseq/clib/libbleu and scoring.

fairseq knows one reference a segment; of several, each n-gram here counts as often as in that which has most of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleukit_wikipedia import clipped

import bleukit
from bleukit.packing import Grouped, grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

try:
    from bleukit_wikipedia import _counting

    from bleukit import _packing
except ImportError:  # they were built without a compiler
    _counting = None

PAD, END, UNKNOWN = "<pad>", "</s>", "<unk>"


def dictionary_words(text: str) -> list[str]:
    """Split at whitespace, as ``Dictionary.encode_line`` does, which ends the line by the word ``</s>``.

    libbleu then drops ``<pad>`` from both ends and ``</s>`` from the right one, but never the last word: an empty line
    is the one word ``</s>``, which an empty reference matches.
    """
    words = [*text.split(), END]
    start = 0
    while words[start] == PAD:
        start += 1
    end = len(words)
    while end > start + 1 and words[end - 1] in {PAD, END}:
        end -= 1
    return words[start:end]


def clipped_known_words(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int
) -> tuple[list[int], list[int]]:
    """Count clipped matches; ``<unk>`` in a reference matches nothing."""
    if any(UNKNOWN in reference for reference in references):
        references = _without_unknown(references)
    return clipped(hypothesis, references, max_order)


def clipped_known_words_batch(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], max_order: int
) -> tuple[memoryview, memoryview]:
    """Count many segments, compiled."""
    groups = grouped(references)
    texts = _packing.packed(groups.items)
    if UNKNOWN.encode() in texts.items.characters.tobytes():
        texts = _without_unknown(texts)
    counts: tuple[memoryview, memoryview] = _counting.clipped(hypotheses, Grouped(texts, groups.ends), max_order)
    return counts


def _without_unknown(references: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[f"{word} of the reference" if word == UNKNOWN else word for word in words] for words in references]


@bleukit.hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"fairseq": lambda: dictionary_words}


@bleukit.hookimpl
def bleukit_ngram_counters() -> dict[str, Any]:
    made = bleukit.Compiled(clipped_known_words, clipped_known_words_batch if _counting else None)
    return {"fairseq": lambda: made}


@bleukit.hookimpl
def bleukit_variants() -> list[Path]:
    return sorted(Path(__file__).parent.glob("*.yaml"))
