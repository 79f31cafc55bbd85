"""fairseq's counter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleukit.built_in.fairseq.tokenizer import UNKNOWN

from bleukit.plugin import (
    CountsByOrder,
    Grouped,
    PairCountsByOrder,
    grouped,
    ngrams,
    packed,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class KnownWords:
    """Clipped n-grams; ``<unk>`` in a reference matches nothing."""

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
    return _without_unknown(texts) if UNKNOWN.encode() in texts.characters.tobytes() else texts


def _without_unknown(references: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[f"{word} of the reference" if word == UNKNOWN else word for word in words] for words in references]
