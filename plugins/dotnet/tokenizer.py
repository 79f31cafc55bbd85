"""The tokenizer of .NET's library."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.plugin import REMEMBERED, WORD_AND_MARK, tokenize_by_pieces

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class SimpleWordTokenizer:
    """``SimpleWordTokenizer.WordTokenize``: words in upper case, and each symbol and punctuation mark by itself.

    A number that begins a token takes all numbers and punctuation after it, so that ``2020.`` and ``3,)`` are tokens; a
    number within a word is part of it. The entities of XML are one token each, and a hyphen before a line end joins
    words. Upper case is that of single characters, and there is none for ``ß`` and the dotless i. Characters beyond
    U+FFFF, which .NET sees as two of no kind, are letters without case.
    """

    distributions: ClassVar[tuple[str, ...]] = ("regex",)  # the Unicode categories are those of its version

    def __call__(self, text: str) -> list[str]:
        tokens = []
        for word, other in _pieces().findall(text):
            if word:
                tokens.append("".join(map(_upper_case, _JOINT.sub("", word))))
            elif other:
                tokens.append(_ENTITIES.get(other, other))
        return tokens

    def batch(self, texts: Sequence[str]) -> Sequence[Sequence[str]]:
        return tokenize_by_pieces(texts, _tokens_of_piece, self)


@lru_cache(REMEMBERED)
def _tokens_of_piece(piece: str) -> tuple[str, ...]:
    if (plain := WORD_AND_MARK.fullmatch(piece)) and "\xdf" not in piece:
        word, mark = plain.groups()
        return (word.upper(), mark) if mark else (word.upper(),)
    return tuple(SimpleWordTokenizer()(piece))


_ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&apos;": "'"}

_DOTLESS_I = "\u0131"

_JOINT = re.compile("-\r?\n")


@cache
def _pieces() -> Any:
    """Return the pattern of words and of other tokens; what it finds besides is a hyphen before a line end."""
    import regex

    other_planes = r"[\U00010000-\U0010ffff]"
    number, symbol, mark = (rf"[\p{{{category}}}--{other_planes}]" for category in "NSP")
    letter = rf"[^\p{{Z}}\t-\r\x85{number}{symbol}{mark}]"
    word = rf"{letter}(?:{letter}|{number}|-\r?\n)*"
    entity = "|".join(_ENTITIES)
    return regex.compile(rf"(?V1)({word})|-\r?\n|({entity}|{number}[{number}{mark}]*|{symbol}|{mark})")


@cache
def _upper_case(character: str) -> str:
    """Return what ``char.ToUpperInvariant`` makes of a character."""
    upper = character.upper()
    upper = character.title() if len(upper) > 1 else upper  # ᾀ becomes ᾈ
    is_changed = len(upper) == 1 and character <= "\uffff" and unicodedata.category(character)[0] != "N"
    return upper if is_changed and character != _DOTLESS_I else character
