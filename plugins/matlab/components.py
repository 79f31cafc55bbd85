"""The tokenizer and the smoothing of MATLAB."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.built_in.paper.scoring import ByOrder, divide, where

from bleukit.plugin import REMEMBERED, WORD_AND_MARK, tokenize_by_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.plugin import Counts, CountsTable

LONGEST_ADDRESS = 2048

_MARK_OF_ADDRESS = re.compile(r"\w\.\w|@|://")

_WHOLE = r"""(?x)
    (?<!\w) (?:
        \#\p{L}[\w]*                                        # hashtag: starts with a letter
      | @\w+                                                # at-mention
      | [<>]? [:;=] ['’]? [-o^]? [)\](\[{}DPpOo/\\|*]+      # emoticon: eyes, nose, mouth  :-)  ;P  :'(
      | 8-[)(D] | [xX]D | <3 | [\^oO>T-]_+[\^oO<T-]          # 8-)  xD  <3  ^_^
    ) (?!\w)
  | (?:\p{Regional_Indicator} [\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*){1,2}  # flag, or half: rules WB4, 15, 16
"""

_JOINED = r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}\p{WB=WSegSpace}]"

_BOUNDARY = r"""(?xwV1)
    \b
  | (?<= (?<! [\p{WB=ALetter}\p{WB=Hebrew_Letter}\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}] ) ['’] ) (?=\p{WB=ALetter})
  | (?<= (?:\A | [\r\n\v\f\x85\u2028\u2029]) [\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]+ )
    (?! [\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}] )
"""
"""The second case is a quotation mark before a vowel, which the regex package takes for an elision. The third is a
combining mark at the start of a line, which that package joins with the letter behind it."""


@dataclass(frozen=True)
class TokenizedDocument:
    r"""Tokens as ``tokenizedDocument`` describes them for its method "unicode", with all patterns detected.

    E-mail addresses, web addresses, hashtags, at-mentions and emoticons are one token each. All other text is split at
    the word boundaries of Unicode Standard Annex 29, so that letters, digits, punctuation and emoji become tokens;
    whitespace is dropped. MATLAB breaks words by ICU, whose dictionaries for Thai, Chinese and Japanese are not used
    here: there the annex's default boundaries hold. A combining mark beside the punctuation within a word or a number,
    as in "e\u0301's", ends it here, because the regex package breaks words so; by the annex it does not.
    """

    distributions: ClassVar[tuple[str, ...]] = ("regex", "linkify-it-py")

    def __call__(self, text: str) -> list[str]:
        tokens: list[str] = []
        end = 0
        for start, address in _addresses(text):
            tokens += _words(text[end:start])
            tokens.append(address)
            end = start + len(address)
        return [*tokens, *_words(text[end:])]

    def batch(self, texts: Sequence[str]) -> Sequence[Sequence[str]]:
        return tokenize_by_pieces(texts, _tokens_of_piece, self)


@lru_cache(REMEMBERED)
def _tokens_of_piece(piece: str) -> tuple[str, ...] | None:
    """Return the tokens of a text between spaces; None if it begins with what a space is joined with."""
    if plain := WORD_AND_MARK.fullmatch(piece):
        return tuple(filter(None, plain.groups()))
    _, _, joined = _patterns()
    return None if joined.match(piece) else tuple(TokenizedDocument()(piece))


def _addresses(text: str) -> Iterator[tuple[int, str]]:
    """Find web and e-mail addresses and where they start.

    None holds a space, and none is longer than LONGEST_ADDRESS with what is typed around it: the search, whose time
    grows with the square of the length, gets no longer pieces.
    """
    for piece in re.finditer(r"\S+", text):
        if len(piece[0]) <= LONGEST_ADDRESS and _MARK_OF_ADDRESS.search(piece[0]):
            for address in _linkify().match(piece[0]) or ():
                yield piece.start() + address.index, address.raw


def _words(text: str) -> Iterator[str]:
    whole, boundary, _ = _patterns()
    end = 0
    for match in whole.finditer(text):
        yield from filter(str.strip, boundary.split(text[end : match.start()]))
        yield match[0]
        end = match.end()
    yield from filter(str.strip, boundary.split(text[end:]))


@cache
def _patterns() -> tuple[Any, Any, Any]:
    import regex

    return regex.compile(_WHOLE), regex.compile(_BOUNDARY), regex.compile(_JOINED)


@cache
def _linkify() -> Any:
    from linkify_it import LinkifyIt
    from linkify_it.tlds import TLDS

    return LinkifyIt().tlds(TLDS)


class EnoughWords(ByOrder):
    """Matches / totals; 0 at every order for a candidate with fewer words than there are weights."""

    def precisions(self, matches: Sequence[Any], totals: Sequence[Any], counts: Counts | CountsTable) -> list[Any]:
        is_short = counts.hypothesis_length < len(matches)
        plain = map(divide, matches, totals)
        return [where(is_short, 0 * p, p) for p in plain]  # of NaN, 0/0, it is NaN

    def steps(self, counts: Counts) -> list[str]:
        is_short = counts.hypothesis_length < len(counts.matches)
        return ["0, because there are fewer words than weights" if is_short and m else "" for m in counts.matches]
