"""NLTK's word tokenizer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from bleukit.plugin import CompiledModule

if TYPE_CHECKING:
    from collections.abc import Sequence

_compiled = CompiledModule("bleukit.built_in.nltk.tokenizer_compiled")

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


@dataclass(frozen=True)
class WordTokenizer:
    """``nltk.word_tokenize(text, preserve_line=True)``, without Punkt, which splits sentences before.

    Quotation marks become two backticks or two apostrophes, and the period of the last word is a token. The expressions
    are those of Python's ``re``. NLTK 3.10.4 has the package regex read some of them: there a combining mark is part of
    a word, so that an apostrophe behind it stays in the word, and U+001C to U+001F are not white space.
    """

    reads_packed: ClassVar[bool] = True
    batch = _compiled.module and _compiled.module.Words()

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of one text."""
        return _substituted(f" {_substituted(text, _BEFORE_CONTRACTIONS)} ", _CONTRACTIONS).split()


def _substituted(text: str, substitutions: Sequence[tuple[re.Pattern[str], str]]) -> str:
    for pattern, replacement in substitutions:
        if pattern.search(text):  # which is quicker than to substitute nothing
            text = pattern.sub(replacement, text)
    return text
