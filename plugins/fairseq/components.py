"""The tokenizer and the counter of fairseq."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleukit.built_in.paper.tokenizers import WHITESPACE

from bleukit.plugin import Compiled, CountsByOrder, Grouped, PairCountsByOrder, grouped, ngrams, packed, promises

if TYPE_CHECKING:
    from collections.abc import Sequence

PAD, END, UNKNOWN = "<pad>", "</s>", "<unk>"


@promises(reads_packed=True)
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


def dictionary_words_of_many(texts: Sequence[str]) -> Sequence[Sequence[str]]:
    """Return the words of each text; those between whitespace, as most texts are not empty and hold no symbol."""
    words = packed(WHITESPACE.batch(texts) if WHITESPACE.batch else list(map(WHITESPACE, texts)))
    content = words.characters.tobytes()
    if 0 in words.lengths() or any(symbol.encode() in content for symbol in (PAD, END)):
        return list(map(dictionary_words, texts))
    return words


DICTIONARY_WORDS = Compiled(dictionary_words, dictionary_words_of_many)


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
