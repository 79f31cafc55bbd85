"""Translation edit rate, as sacreBLEU computes it."""

from __future__ import annotations

import re
from functools import cache

from bleukit.counting.rule_tokenizer import Apart, RuleTokenizer

ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

PUNCTUATION = r"!-&(-+/:-@\[-`{-~"
"""Of ASCII, but for the apostrophe, comma, dash and period."""

WESTERN = (
    Apart(f"[{PUNCTUATION}]"),
    Apart("[.,]", after="[^0-9]"),
    Apart("[.,]", before="[^0-9]"),
    Apart("-", after="[0-9]"),
)

ASIAN_PUNCTUATION = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
    "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"  # of full width
)

ASIAN = (
    "\u4e00-\u9fff\u3400-\u4dbf"  # ideographs
    "\u31c0-\u31ef\u2e80-\u2eff"  # strokes, radicals
    "\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f"  # compatibility
    "\u3200-\u3f22"  # meant for enclosed letters and months, U+3200 to U+32FF
) + ASIAN_PUNCTUATION
"""Kana are not among them: sacreBLEU's expressions for these begin with ``^``, and the text with a space by then."""


def _without_entities(text: str) -> str:
    """Join lines, replace entities, and set apart possessives: ``'s`` before a space, or what gets one."""
    text = text.rstrip().replace("\n-", "").replace("\n", " ")
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    return re.sub(rf"'s(?=[ {PUNCTUATION}]|\Z)", " 's", text)


def _lowered_without_entities(text: str) -> str:
    return _without_entities(text.lower())


@cache
def tercom(
    *,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> RuleTokenizer:
    """Return the tokenizer of tercom, as sacreBLEU's ``TercomTokenizer`` rewrites it.

    ``normalized`` sets punctuation apart, ``no_punct`` takes it out; with ``asian_support`` they do so to that of
    Chinese and Japanese too, and the former makes ideographs tokens. Without these it splits at whitespace.
    """
    removed = r"""[.,?:;!"()""" + (ASIAN_PUNCTUATION if asian_support else "") + "]"
    return RuleTokenizer(
        (*WESTERN, *([Apart(f"[{ASIAN}]")] if asian_support else [])) if normalized else (),
        surrounded=normalized,
        prepare=(_without_entities if case_sensitive else _lowered_without_entities) if normalized else None,
        marks="[\n&']" if normalized else "",
        lowercase=not case_sensitive,
        removed=removed if no_punct else "",
    )
