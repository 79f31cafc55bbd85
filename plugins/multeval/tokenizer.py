"""MultEval's tokenizer."""

from __future__ import annotations

import re

_TRIMMED = "".join(map(chr, range(0x21)))  # what String.trim of Java removes

_ASCII_WHITESPACE = re.compile(r"[ \t\n\v\f\r]{2,}|[\t\n\v\f\r]")  # but single spaces

_OTHER_BREAKING_WHITESPACE = re.compile("[\x85\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]")


def words_between_breaks(text: str) -> list[str]:
    """Split as ``HypothesisManager`` and ``BLEU.stats`` do: at each breaking white-space character.

    A line is trimmed, and runs of ASCII white space in it become one space, when it is read. Other white space is not
    joined: between two ideographic spaces there is a word of no characters, and an empty line is one such word. The
    no-break spaces U+00A0, U+2007 and U+202F are part of words.
    """
    text = _ASCII_WHITESPACE.sub(" ", text.strip(_TRIMMED))
    return _OTHER_BREAKING_WHITESPACE.sub(" ", text).split(" ")
