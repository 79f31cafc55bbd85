"""fairseq's tokenizer: the words of its ``Dictionary``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.built_in.paper.tokenizers import WHITESPACE

from bleukit.plugin import Compiled, packed, promises

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
