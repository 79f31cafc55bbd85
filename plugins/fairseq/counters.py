"""fairseq's counters: by the hashes of n-grams, and by the n-grams."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from bleukit.built_in.fairseq.tokenizer import END, PAD, UNKNOWN

from bleukit.plugin import (
    CountsByOrder,
    Grouped,
    PackedTokens,
    PairCountsByOrder,
    grouped,
    ngrams,
    packed,
    packed_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

SYMBOLS = ("<s>", PAD, END, UNKNOWN)
"""The first words of every ``Dictionary``, numbered from 0."""

NO_WORD = -999
"""What ``Scorer.add`` puts for ``<unk>`` in a reference."""

FNV_BASIS, FNV_PRIME = 14695981039346656037, 0x100000001B3

BLOCK = 4096
"""Number of segments that are hashed at a time, which bounds the memory."""


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


@dataclass(frozen=True)
class HashedWords:
    """Clipped n-grams; those with one hash are equal, as in libbleu, and ``<unk>`` in a reference matches nothing.

    ``Dictionary`` numbers words in the order in which a text has them, each hypothesis before its references, and
    ``bleu_hash`` hashes the bytes of the numbers. It reads them as ``char``, here signed as on x86 and not on ARM: that
    makes hashes of n-grams equal whose numbers have bytes above 127.
    """

    def __call__(
        self, hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int
    ) -> tuple[list[int], list[int]]:
        return self.for_text()(hypothesis, references, max_order)

    def for_text(self) -> HashedWordsOfText:
        return HashedWordsOfText()


class HashedWordsOfText:
    """Counts the segments of one text, in order; it keeps the numbers of its words."""

    def __init__(self) -> None:
        self._numbers = {word.encode(): number for number, word in enumerate(SYMBOLS)}

    def __call__(
        self, hypothesis: Sequence[str], references: Sequence[Sequence[str]], max_order: int
    ) -> tuple[list[int], list[int]]:
        matches, totals = self.batch([hypothesis], [references], max_order)
        return matches[0].tolist(), totals[0].tolist()

    def batch(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], max_order: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        ours, groups = packed(hypotheses), grouped(references)
        theirs = packed(groups.items)
        counted = []
        for start in range(0, len(ours) or 1, BLOCK):
            stop = min(start + BLOCK, len(ours))
            first = groups.ends[start - 1] if start else 0
            ends = array("q", [end - first for end in groups.ends[start:stop]])
            texts = words_of(ours, start, stop), words_of(theirs, first, first + ends[-1] if ends else first)
            by_order = zip(*(hashed(side, max_order) for side in self._numbered(*texts, ends)), strict=True)
            counts = [ngrams.count_batch(one, Grouped(other, ends), 1) for one, other in by_order]
            columns = (
                [np.array(column, np.int64).reshape(-1) for column in side] for side in zip(*counts, strict=True)
            )
            counted.append(list(map(np.column_stack, columns)))
        matches, totals = np.concatenate(counted, axis=1)
        return matches, totals

    def _numbered(
        self, hypotheses: Sequence[Sequence[bytes]], references: Sequence[Sequence[bytes]], ends: Sequence[int]
    ) -> tuple[list[array[int]], list[array[int]]]:
        """Return the numbers of the words; ``ends`` says up to which reference those of each hypothesis go."""
        known = self._numbers
        sides: tuple[list[array[int]], list[array[int]]] = ([], [])
        for hypothesis, (start, end) in zip(hypotheses, pairwise([0, *ends]), strict=True):
            for side, texts in zip(sides, ([hypothesis], references[start:end]), strict=True):
                for text in texts:
                    side.append(array("i", [known.setdefault(word, len(known)) for word in text]))
        unknown = known[UNKNOWN.encode()]
        for words in sides[1]:
            while unknown in words:
                words[words.index(unknown)] = NO_WORD
        return sides


def words_of(texts: PackedTokens, start: int, stop: int) -> list[list[bytes]]:
    """Return the words of some texts, in UTF-8."""
    text_ends = [texts.text_ends[start - 1] if start else 0, *texts.text_ends[start:stop]]
    ends = [texts.token_ends[text_ends[0] - 1] if text_ends[0] else 0, *texts.token_ends[text_ends[0] : text_ends[-1]]]
    content = texts.characters[ends[0] : ends[-1]].tobytes()
    words = [content[begin - ends[0] : end - ends[0]] for begin, end in pairwise(ends)]
    return [words[begin - text_ends[0] : end - text_ends[0]] for begin, end in pairwise(text_ends)]


def hashed(texts: Sequence[array[int]], max_order: int) -> Iterator[PackedTokens]:
    """Yield, for each order, the hashes of the n-grams of each text, as tokens; words are given by their numbers."""
    import numpy as np

    words = np.concatenate([np.asarray(text) for text in texts] or [np.zeros(0, np.int32)])
    lengths = np.array(list(map(len, texts)), np.int64)
    text, ends = np.repeat(np.arange(len(texts)), lengths), lengths.cumsum()
    starts = np.arange(len(words))
    hashes = np.full(len(words), FNV_BASIS, np.uint64)
    for order in range(max_order):
        is_inside = starts + order < ends[text[starts]]
        starts, hashes = starts[is_inside], hashes[is_inside]
        for signed in words[starts + order].astype("<i4").view(np.int8).reshape(-1, 4).T:
            hashes = (hashes ^ signed.astype(np.uint64)) * np.uint64(FNV_PRIME)
        yield packed_numbers(hashes, np.bincount(text[starts], minlength=len(texts)).cumsum())
