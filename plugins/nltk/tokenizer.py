"""NLTK's word tokenizer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from bleukit.plugin import REMEMBERED

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLOSING = r"\]\)}>\"'»”’ "
_BEFORE_CONTRACTIONS = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        ("([«“\u2018„]|[`]+)", r" \1 "),
        (r"^\"", "``"),
        (r"(``)", r" \1 "),
        (r"([ (\[{<])(\"|'{2})", r"\1 `` "),
        (r"(?i)(?<!\w)(')(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", r"\1 "),
        (rf"([^.])(\.)(?=([{_CLOSING}]*))\3\s*$", r"\1 \2 \3 "),  # the look-ahead keeps it from trying shorter runs
        (r"([:,])([^\d])", r" \1 \2"),
        (r"([:,])$", r" \1 "),
        (r"\.{2,}", r" \g<0> "),
        (r"[;@#$%&]", r" \g<0> "),
        ("[\u2012-\u2015]", r" \g<0> "),
        (r"([^.])(\.)([\])}>\"']*)\s*$", r"\1 \2\3 "),
        (r"[?!]", r" \g<0> "),
        (r"([^'])' ", r"\1 ' "),
        (r"[*]", r" \g<0> "),
        (r"[\]\[(){}<>]", r" \g<0> "),
        (r"--", r" -- "),
    )
]
_CONTRACTIONS = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        ("([»”’])", r" \1 "),
        ("''", " '' "),
        ('"', " '' "),
        (r"\s+", " "),
        (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
        (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
        *(
            (rf"(?i)\b({first})({second})\b", r" \1 \2 ")
            for first, second in (
                ("can", "not"),
                ("d", "'ye"),
                ("gim", "me"),
                ("gon", "na"),
                ("got", "ta"),
                ("lem", "me"),
                ("more", "'n"),
            )
        ),
        (r"(?i)\b(wan)(na)(?=\s)", r" \1 \2 "),
        (r"(?i) ('t)(is)\b", r" \1 \2 "),
        (r"(?i) ('t)(was)\b", r" \1 \2 "),
    )
]
_PLAIN = re.compile(
    "((?:[^\\s.,:;?!@#$%&*()\\[\\]{}<>\"'`«»\u2012-\u2015\u2018\u2019\u201c-\u201e-]|-(?!-))+)([.,:;?!]?)"
)
_CONTRACTED = re.compile(r"(?i)cannot|gimme|gonna|gotta|lemme|wanna")
_IN_THE_CLOSE = re.compile(rf"[{_CLOSING}`]*\s*")


@dataclass(frozen=True)
class WordTokenizer:
    """``nltk.word_tokenize(text, preserve_line=True)``, without Punkt, which splits sentences before.

    Quotation marks become two backticks or two apostrophes, and the period of the last word is a token.
    """

    def __call__(self, text: str) -> list[str]:
        return _substituted(f" {_substituted(text, _BEFORE_CONTRACTIONS)} ", _CONTRACTIONS).split()

    def batch(self, texts: Sequence[str]) -> Sequence[Sequence[str]]:
        return list(map(_by_pieces, texts))


def _substituted(text: str, substitutions: Sequence[tuple[re.Pattern[str], str]]) -> str:
    for pattern, replacement in substitutions:
        if pattern.search(text):  # which is quicker than to substitute nothing
            text = pattern.sub(replacement, text)
    return text


def _by_pieces(text: str) -> list[str]:
    """Return the tokens of a text: those of each piece between spaces (U+0020), one after the other.

    A piece alone depends on whether another one comes before and after it. Only the end of the text reaches further: if
    it closes what a period ends, as ``. " )`` does, the pieces that close are taken together with the one before.
    """
    pieces = text.split(" ")
    last = len(pieces) - 1
    while last and _IN_THE_CLOSE.fullmatch(pieces[last]):
        last -= 1
    end = " ".join(pieces[last:])
    if not last:
        return [*_tokens_of_piece(end, False, False)]
    within = chain.from_iterable(map(_tokens_within, pieces[1:last]))
    return [*_tokens_of_piece(pieces[0], False, True), *within, *_tokens_of_piece(end, True, False)]


@lru_cache(REMEMBERED)
def _tokens_within(piece: str) -> Sequence[str]:
    """Return the tokens of a piece with others before and after it."""
    return _tokens_of_piece(piece, True, True)


def _tokens_of_piece(piece: str, follows: bool, goes_on: bool) -> Sequence[str]:
    if not piece:
        return ()
    if not _CONTRACTED.search(piece):
        if piece.isalnum():  # as most are
            return (piece,)
        if plain := _PLAIN.fullmatch(piece):
            word, mark = plain.groups()
            return (word, mark) if mark and not (goes_on and mark == ".") else (piece,)
    tokens = WordTokenizer()(f"{'a ' if follows else ''}{piece}{' a' if goes_on else ''}")
    return tuple(tokens[int(follows) : len(tokens) - goes_on])
