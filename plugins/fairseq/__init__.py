"""BLEU as fairseq-score computes it: https://github.com/facebookresearch/fairseq, fairseq/clib/libbleu and scoring.

fairseq has one reference per segment; with several, each n-gram here counts as often as in the reference that has most
of it. fairseq takes different n-grams for equal if their hashes are: ``fairseq`` does so, too, ``fairseq-exact`` not.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.plugin import (
    CountsByOrder,
    Grouped,
    PairCountsByOrder,
    declares,
    grouped,
    hookimpl,
    ngrams,
    packed,
    variant_files,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

PAD, END, UNKNOWN = "<pad>", "</s>", "<unk>"
SYMBOLS = ("<s>", PAD, END, UNKNOWN)
"""The first words of every ``Dictionary``, numbered from 0."""

NO_WORD = -999
"""What ``Scorer.add`` puts for ``<unk>`` in a reference."""

FNV_BASIS, FNV_PRIME = 14695981039346656037, 0x100000001B3
BLOCK = 4096
"""Number of segments that are hashed at a time, which bounds the memory."""


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


@dataclass(frozen=True)
class HashedWords:
    """Clipped n-grams; those with one hash are equal, as in libbleu, and ``<unk>`` in a reference matches nothing.

    ``Dictionary`` numbers words in the order in which a text has them, each hypothesis before its references, and
    ``bleu_hash`` hashes the bytes of the numbers. It reads them as ``char``, here signed as on x86 and not on ARM: that
    makes hashes of n-grams equal whose numbers have bytes above 127.
    """

    unknown_tokens: ClassVar[tuple[str, ...]] = (UNKNOWN,)

    def __call__(
        self, hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int
    ) -> tuple[list[int], list[int]]:
        matches, totals = self.whole_text([hypothesis], [references], max_order)
        return matches[0].tolist(), totals[0].tolist()

    def whole_text(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], max_order: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        numbers = {word: number for number, word in enumerate(SYMBOLS)}
        parts = [slice(start, start + BLOCK) for start in range(0, len(hypotheses) or 1, BLOCK)]
        counted = [_Block(numbers, hypotheses[part], references[part]).count(max_order) for part in parts]
        matches, totals = (np.concatenate(side) for side in zip(*counted, strict=True))
        return matches, totals


class _Block:
    """Some segments, their words numbered: ``words`` of all texts, each hypothesis before its references."""

    def __init__(
        self,
        numbers: dict[str, int],
        hypotheses: Sequence[Sequence[str]],
        references: Sequence[Sequence[Sequence[str]]],
    ) -> None:
        import numpy as np

        words, lengths, segments, is_hypothesis = array("i"), array("q"), array("q"), array("b")
        for segment, (hypothesis, others) in enumerate(zip(hypotheses, references, strict=True)):
            for place, text in enumerate((hypothesis, *others)):
                words.extend([numbers.setdefault(word, len(numbers)) for word in text])
                lengths.append(len(text))
                segments.append(segment)
                is_hypothesis.append(place == 0)
        self.words = np.asarray(words)
        self.lengths, self.segments = np.asarray(lengths), np.asarray(segments)
        self.is_hypothesis = np.asarray(is_hypothesis) == 1
        self.text = np.repeat(np.arange(len(lengths)), self.lengths)
        self.words[(self.words == SYMBOLS.index(UNKNOWN)) & ~self.is_hypothesis[self.text]] = NO_WORD

    def count(self, max_order: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return matches and totals, of shape (segments, orders)."""
        import numpy as np

        totals = np.maximum(self.lengths[self.is_hypothesis][:, np.newaxis] - np.arange(max_order), 0)
        matches = np.zeros_like(totals)
        ends = self.lengths.cumsum()
        starts = np.arange(len(self.words))
        hashes = np.full(len(starts), FNV_BASIS, np.uint64)
        for order in range(max_order):
            is_inside = starts + order < ends[self.text[starts]]
            starts, hashes = starts[is_inside], hashes[is_inside]
            for signed in self.words[starts + order].astype("<i4").view(np.int8).reshape(-1, 4).T:
                hashes = (hashes ^ signed.astype(np.uint64)) * np.uint64(FNV_PRIME)
            matches[:, order] = self._clipped(self.text[starts], hashes)
        return matches, totals

    def _clipped(self, text: NDArray[np.int64], hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the clipped matches of each segment, given the n-grams of one order: their texts and hashes."""
        import numpy as np

        order = np.lexsort((text, hashes, self.segments[text]))
        text, hashes = text[order], hashes[order]
        segment = self.segments[text]
        begins = np.append(True, (np.diff(hashes) != 0) | (np.diff(segment) != 0))[
            : len(text)
        ]  # an n-gram of a segment
        first = np.flatnonzero(begins | np.append(True, np.diff(text) != 0)[: len(text)])  # the same in each text
        often = np.diff(np.append(first, len(text)))
        ngram = begins.cumsum()[first] - 1
        is_hypothesis = self.is_hypothesis[text[first]]
        counts, most = np.zeros((2, int(begins.sum())), np.int64)
        counts[ngram[is_hypothesis]] = often[is_hypothesis]
        np.maximum.at(most, ngram[~is_hypothesis], often[~is_hypothesis])
        matches = np.zeros(self.is_hypothesis.sum(), np.int64)
        np.add.at(matches, segment[begins], np.minimum(counts, most))
        return matches


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"fairseq": lambda: dictionary_words}


@hookimpl
def bleukit_ngram_counters() -> dict[str, Any]:
    return {"fairseq": HashedWords, "fairseq-exact": KnownWords}


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    return variant_files(__file__)
