"""Holds tokenizers, and what lowercases a text, to their definitions on every code point.

This runs in the process of the component: to send so many texts would take long.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from bleukit.conformance.contracts import calls
from bleukit.conformance.tokenizers import PYTHON_SPACES, TOKENIZERS, category_runs

from bleukit.counting.packed import PackedTexts
from bleukit.counting.segment_columns import tokenize_texts

if TYPE_CHECKING:
    from bleukit.loading.creating import LoadedComponent

TokenizeAll: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[str]]]

CONTEXTS = ("a{}a", "1{}1", " {} ")
"""What is around a code point: letters, digits, spaces."""

AT_THE_END = "Ab{}"
"""What is before a code point whose lower case may depend on that."""

BESIDE_SPACES = ("{}a.", "1.{}", "a-{}", "-{}1", "{}")
"""Texts of their own with each space, at an end or after what rules of tokenizers are about."""

IN_ONE_TEXT = 128
"""How many code points share a text, apart from the texts that hold one alone."""

COMMON = {"Lo", "Cn", "Co"}
"""The categories of most code points: letters without case, unassigned and private ones."""

SAMPLED = 64
"""Of these, one of so many is tried if not all of them are."""


def tokenized_otherwise(component: LoadedComponent, quick: bool) -> str:
    """Return a text that a documented tokenizer splits otherwise than its definition, and how; empty if it splits none.

    Code points are tried alone and in CONTEXTS, in texts one by one and together, of str and of UTF-8. Lower case is
    tried of a tokenizer that has a place of its own for it, and of ``whitespace``, which stands for all others.
    """
    lowercases = hasattr(component.call, "lowercasing") or component.name == "whitespace"
    for lowercase in (False, True, "ascii") if lowercases else (False,):
        alone, everywhere, between_letters = _code_points(quick)
        if lowercase:
            alone, everywhere, between_letters = map(_with_case, (alone, everywhere, between_letters))
        tried = dict.fromkeys((*CONTEXTS, AT_THE_END) if lowercase else CONTEXTS, everywhere)
        tried[CONTEXTS[0]] = between_letters
        texts = [
            " ".join(map(context.format, points[start : start + IN_ONE_TEXT]))
            for context, points in tried.items()
            for start in range(0, len(points), IN_ONE_TEXT)
        ]
        texts += [context.format(space) for context in BESIDE_SPACES for space in PYTHON_SPACES]
        define = partial(TOKENIZERS[component.name], lowercase=lowercase, **component.options)
        wanted = list(map(define, texts))
        for way, tokenize in _ways(component, lowercase):
            for text, tokens, got in zip(texts, wanted, tokenize(texts), strict=True):
                if tokens is not None and tokens != list(got):
                    return message([*text.split(" "), text], define, tokenize, way)
        way, tokenize = next(_ways(component, lowercase))
        for text, got in zip(alone, tokenize(alone), strict=True):
            if define(text) not in (None, list(got)):
                return message([text], define, tokenize, way)
    return ""


def message(texts: Sequence[str], define: Callable[[str], list[str] | None], tokenize: TokenizeAll, way: str) -> str:
    """Say what is wrong with the first of some texts of which something is."""
    for text in texts:
        wanted, got = define(text), list(tokenize([text])[0])
        if wanted is not None and wanted != got:
            return f"{text!r}, {way}: its tokens are {got}, its document defines {wanted}"
    return f"{texts[-1]!r}, {way}: not always the same"


@cache
def _code_points(quick: bool) -> tuple[list[str], list[str], list[str]]:
    """Return code points to try alone, those to try in every context, and those between letters.

    Between letters stands every code point below U+10000, and some of every category above; in every context those of
    COMMON only below U+3100. A quick run tries some of what is above U+3100. Surrogates are left out: UTF-8 has none.
    """
    alone: list[str] = []
    everywhere: list[str] = []
    between_letters: set[str] = set()
    for category, run in category_runs():
        if category != "Cs":
            first, is_whole = ord(run[0]), category not in COMMON and not quick
            alone += run[: max(0, (0x250 if quick else 0x3100) - first)]
            everywhere += run if is_whole else run[: max(0, 0x3100 - first)]
            between_letters |= {*run[: max(0, 0x10000 - first)], *run[::SAMPLED]} if not quick else {*run[::SAMPLED]}
    return alone, everywhere, sorted(between_letters.union(everywhere))


def _with_case(points: Sequence[str]) -> list[str]:
    return [c for c in points if c.lower() != c or c.casefold() != c]


def _ways(component: LoadedComponent, lowercase: bool | str) -> Iterator[tuple[str, TokenizeAll]]:
    """Yield each way from texts to tokens in which a tokenizer is called otherwise, and what to call the way."""

    def from_utf8(texts: Sequence[str]) -> Sequence[Sequence[str]]:
        return tokenize_texts(packed(texts), component, lowercase)

    case = {True: " in lower case", "ascii": ' in lower case, "ascii"'}.get(lowercase, "")
    if component.batch and not lowercase:
        yield "by itself", lambda texts: list(map(component.call, texts))
    yield f"as text{case}", lambda texts: tokenize_texts(texts, component, lowercase)
    if lowercase or getattr(component.call, "reads_packed", False):
        yield f"as UTF-8{case}", from_utf8


def packed(texts: Sequence[str]) -> PackedTexts:
    """Return texts as UTF-8 in a buffer. Raises ValueError if parts of them are not read as those of a list are."""
    encoded = [text.encode() for text in texts]
    ends = array("q", accumulate(map(len, encoded)))
    made = PackedTexts(b"".join(encoded), array("q", [0, *ends])[:-1], ends)
    calls.require_alike(made[:4], list(texts[:4]))
    calls.require_alike(made[:2] + made[-2:], [*texts[:2], *texts[-2:]])
    return made
