"""sacreBLEU's tokenizers by rules: ``13a``, ``zh`` and ``intl``, as its classes of these names do it.

sacreBLEU strips the end of a text before any tokenizer sees it. Each function has a compiled twin for many texts.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from bleukit.plugin import CompiledModule, declares

_compiled_13a = CompiledModule("bleukit.built_in.sacrebleu.tokenizer_13a_compiled")
_compiled_intl = CompiledModule("bleukit.built_in.sacrebleu.tokenizer_intl_compiled")

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
# The language-dependent part of NIST's mteval-v13a.pl, sub tokenization, in its order.
_SYMBOL = r"([!-&(-+/:-@\[-`{-~])"  # ASCII punctuation but ' , - .
_STOP_AFTER_NON_DIGIT = r"([^0-9])([.,])"
_STOP_BEFORE_NON_DIGIT = r"([.,])([^0-9])"
_DASH_AFTER_DIGIT = r"([0-9])(-)"

CHINESE = (
    "\u3400-\u4db5"  # ideographs, extension A
    "\u4e00-\u9fbb"  # ideographs
    "\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9"  # compatibility ideographs
    "\uff00-\uffef"  # full-width ASCII, half-width katakana and hangul
    "\u2e80-\u2eff"  # radicals
    "\u3000-\u303f"  # punctuation
    "\u31c0-\u31ef"  # strokes
    "\u2f00-\u2fdf"  # Kangxi radicals
    "\u2ff0-\u2fff"  # structure of ideographs
    "\u3100-\u312f\u31a0-\u31bf"  # phonetic symbols
    "\ufe10-\ufe1f\ufe30-\ufe4f"
    "\u2600-\u27bf"  # symbols, dingbats
    "\u3200-\u33ff"
    "\u2001-\u2a6d"  # meant for extension B, U+20000 to U+2A6D6: sacreBLEU writes "\u20000", which is "\u2000" and "0"
)
"""The characters that sacreBLEU's ``zh`` takes for Chinese, as ranges of a regular expression; none is beyond U+FFFF.

It means the compatibility supplement, U+2F800 to U+2FA1D, too; as it writes that, it is part of the Kangxi radicals.
"""


@declares(rewrites_text=True, reads_packed=True)
def tokenize_13a(text: str) -> list[str]:
    """Tokenize as mteval-v13a does, and sacreBLEU's ``Tokenizer13a`` after it."""
    return separate_13a(replace_marks(text)).split()


@declares(reads_packed=True)
def tokenize_zh(text: str) -> list[str]:
    """Make every Chinese character a token, and apply the rules of 13a to the text between, as ``TokenizerZh``."""
    return set_apart(_chinese().sub(r" \1 ", text.strip())).split()


@cache
def _chinese() -> re.Pattern[str]:
    """Compile the ranges when they are needed: it takes milliseconds."""
    return re.compile(f"([{CHINESE}])")


def separate_13a(text: str) -> str:
    """Put spaces around punctuation: the language-dependent part of 13a."""
    return set_apart(f" {text} ")


def set_apart(text: str) -> str:
    """Do as :func:`separate_13a`, which has a space before and after the text; here nothing is there."""
    symbol, stop_after, stop_before, dash = _rules()
    text = " ".join(symbol.split(text))
    if "." in text or "," in text:
        text = stop_after.sub(r"\1 \2 ", text)
        text = stop_before.sub(r" \1 \2", text)
    if "-" in text:
        text = dash.sub(r"\1 \2 ", text)
    return text


@cache
def _rules() -> list[re.Pattern[str]]:
    """Compile the rules when they are needed, which they are not where there is compiled code."""
    return list(map(re.compile, (_SYMBOL, _STOP_AFTER_NON_DIGIT, _STOP_BEFORE_NON_DIGIT, _DASH_AFTER_DIGIT)))


def replace_marks(text: str) -> str:
    """Do what 13a does before it looks at single characters; sacreBLEU strips the end of the text first."""
    return replace_marks_of_mteval(text.rstrip())


def replace_marks_of_mteval(text: str) -> str:
    """Do what mteval does before it looks at single characters: marks of skipped segments, line ends, entities."""
    return replace_entities(text.replace("<skipped>", "").replace("-\n", "").replace("\n", " "))


def replace_entities(text: str) -> str:
    """Replace the entities that mteval knows, one after the other, as it does: ``&amp;lt;`` ends as ``<``."""
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    return text


@declares(reads_packed=True)
def tokenize_intl(text: str) -> list[str]:
    """Set apart symbols, and punctuation unless digits are around it, as mteval-v14 and ``TokenizerV14International``.

    Punctuation after a digit stays with it at the end of the text, too. Which characters are digits, punctuation or
    symbols is what the ``regex`` package knows of Unicode.
    """
    return separate_international(text.rstrip()).split()


def separate_international(text: str) -> str:
    """Put spaces around symbols and punctuation: the rules of mteval-v14's ``tokenization_international``."""
    for pattern, replacement in _international():
        text = pattern.sub(replacement, text)
    return text


@cache
def _international() -> list[tuple[Any, str]]:
    import regex

    rules = ((r"(\P{N})(\p{P})", r"\1 \2 "), (r"(\p{P})(\P{N})", r" \1 \2"), (r"(\p{S})", r" \1 "))
    return [(regex.compile(pattern), replacement) for pattern, replacement in rules]


def without_surrogates(text: str) -> str:
    """Put U+FFFD for lone surrogates, for tokenizers that take UTF-8; sacreBLEU fails on these."""
    try:
        text.encode()  # which is quick if there is none
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text)
    return text


if _compiled_13a.module:
    _compiled_13a.module.learn(CHINESE, replace_marks)
TOKENIZER_13A = _compiled_13a.twin(tokenize_13a)
TOKENIZER_ZH = _compiled_13a.twin(tokenize_zh)
TOKENIZER_INTL = _compiled_intl.twin(tokenize_intl, None, "regex")
"""Its first batch in a process fills a table of all characters."""
