"""Holds tokenizers, and what lowercases a text, to their definitions on every code point.

This runs in the process of the component: to send so many texts would take long.
"""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import accumulate, chain
from typing import TYPE_CHECKING, TypeAlias

from bleukit.conformance.tokenizers import TOKENIZERS

from bleukit.counting.packed import PackedTexts
from bleukit.counting.segment_columns import tokenize_texts

if TYPE_CHECKING:
    from bleukit.loading.creating import LoadedComponent

TokenizeAll: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[str]]]

CONTEXTS = ("a{}a", "1{}1", " {} ")
"""What is around a code point: letters, digits, spaces."""

AT_THE_END = "Ab{}"
"""What is before a code point whose lower case may depend on that."""

IN_ONE_TEXT = 128
"""How many code points share a text, apart from the texts that hold one alone."""

COMMON = {"Lo", "Cn", "Co"}
"""The categories of most code points: letters without case, unassigned and private ones."""

SAMPLED = 64
"""Of these, one of so many is tried if not all of them are."""


def tokenized_otherwise(component: LoadedComponent, quick: bool) -> str:
    """Return a text that a documented tokenizer splits otherwise than its definition, and how; empty if it splits none.

    Each code point is tried alone and in CONTEXTS, in texts one by one and together, of str and of UTF-8. Lower case is
    tried of a tokenizer that has a place of its own for it, and of ``whitespace``, which stands for all others.
    """
    tried = [_code_points(below, quick) for below in ((0x250, 0x3100) if quick else (0x3100, 0x10000))]
    lowercases = hasattr(component.call, "lowercasing") or component.name == "whitespace"
    for lowercase in (False, True, "ascii") if lowercases else (False,):
        contexts = (*CONTEXTS, AT_THE_END) if lowercase else CONTEXTS
        alone, together = (
            tried if not lowercase else [[c for c in points if c.lower() != c or c.casefold() != c] for points in tried]
        )
        parts = [together[start : start + IN_ONE_TEXT] for start in range(0, len(together), IN_ONE_TEXT)]
        texts = [" ".join(map(context.format, part)) for context in contexts for part in parts]
        define = partial(TOKENIZERS[component.name], lowercase=lowercase, **component.options)
        wanted = list(map(define, texts))
        for way, tokenize in _ways(component, lowercase):
            for text, tokens, got in zip(texts, wanted, tokenize(texts), strict=True):
                if tokens is not None and tokens != list(got):
                    return _message([*text.split(" "), text], define, tokenize, way)
        way, tokenize = next(_ways(component, lowercase))
        for text, got in zip(alone, tokenize(alone), strict=True):
            if define(text) not in (None, list(got)):
                return _message([text], define, tokenize, way)
    return ""


def _message(texts: Sequence[str], define: Callable[[str], list[str] | None], tokenize: TokenizeAll, way: str) -> str:
    """Say what is wrong with the first of some texts of which something is."""
    for text in texts:
        wanted, got = define(text), list(tokenize([text])[0])
        if wanted is not None and wanted != got:
            return f"{text!r}, {way}: its tokens are {got}, its document defines {wanted}"
    return f"{texts[-1]!r}, {way}: not always the same"


@cache
def _code_points(below: int, quick: bool) -> list[str]:
    """Return the code points below one, of the others those of categories that have few, and a sample of the rest.

    A quick run tries only the sample of all others. Surrogates are left out: UTF-8 has none.
    """
    every = map(chr, chain(range(0xD800), range(0xE000, 0x110000)))
    return [
        c
        for c in every
        if ord(c) < below or ord(c) % SAMPLED == 0 or (not quick and unicodedata.category(c) not in COMMON)
    ]


def _ways(component: LoadedComponent, lowercase: bool | str) -> Iterator[tuple[str, TokenizeAll]]:
    """Yield each way from texts to tokens, and what to call it."""

    def from_utf8(texts: Sequence[str]) -> Sequence[Sequence[str]]:
        encoded = [text.encode() for text in texts]
        ends = array("q", accumulate(map(len, encoded)))
        packed = PackedTexts(b"".join(encoded), array("q", [0, *ends])[:-1], ends)
        return tokenize_texts(packed, component, lowercase)

    case = {True: " in lower case", "ascii": ' in lower case, "ascii"'}.get(lowercase, "")
    if not lowercase:
        yield "by itself", lambda texts: list(map(component.call, texts))
    yield f"as text{case}", lambda texts: tokenize_texts(texts, component, lowercase)
    yield f"as UTF-8{case}", from_utf8
