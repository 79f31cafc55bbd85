"""BLEU as fairseq-score computes it: https://github.com/facebookresearch/fairseq, fairseq/clib/libbleu and scoring.

fairseq has one reference per segment; with several, each n-gram here counts as often as in the reference that has most
of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.plugin import Grouped, declares, grouped, hookimpl, ngrams, packed, variant_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bleukit.plugin import CountsByOrder, PairCountsByOrder


PAD, END, UNKNOWN = "<pad>", "</s>", "<unk>"


@declares(rewrites_text=True)
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


@dataclass(frozen=True)
class KnownWords:
    """Clipped n-grams; ``<unk>`` in a reference matches nothing."""

    unknown_tokens: ClassVar[tuple[str, ...]] = (UNKNOWN,)

    def __call__(
        self, hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int
    ) -> tuple[list[int], list[int]]:
        if any(UNKNOWN in reference for reference in references):
            references = _without_unknown(references)
        return ngrams.count(hypothesis, references, max_order)

    def batch(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], max_order: int
    ) -> tuple[CountsByOrder, CountsByOrder]:
        groups = grouped(references)
        return ngrams.count_batch(hypotheses, Grouped(_known(groups.items), groups.ends), max_order)

    def pairs(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], max_order: int
    ) -> tuple[PairCountsByOrder, CountsByOrder]:
        return ngrams.count_pairs(hypotheses, _known(references), max_order)


def _known(references: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    texts = packed(references)
    return _without_unknown(texts) if UNKNOWN.encode() in texts.items.characters.tobytes() else texts


def _without_unknown(references: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[f"{word} of the reference" if word == UNKNOWN else word for word in words] for words in references]


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"fairseq": lambda: dictionary_words}


@hookimpl
def bleukit_ngram_counters() -> dict[str, Any]:
    return {"fairseq": KnownWords}


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    return variant_files(__file__)
