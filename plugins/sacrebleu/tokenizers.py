"""sacreBLEU's tokenizers by rules: ``13a``, ``zh`` and ``intl``, as its classes of these names do it.

sacreBLEU strips the end of a text before any tokenizer sees it.
"""

from __future__ import annotations

import re

from bleukit.plugin import Apart, RuleTokenizer

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

MARKS = "[<&\n]"
"""What texts hold in which mteval replaces something before it looks at single characters."""

RULES_13A = (
    Apart(r"[!-&(-+/:-@\[-`{-~]"),  # ASCII punctuation but ' , - .
    Apart(r"[.,]", after=r"[^0-9]"),
    Apart(r"[.,]", before=r"[^0-9]"),
    Apart(r"-", after=r"[0-9]"),
)
"""The language-dependent part of NIST's mteval-v13a.pl, sub tokenization, in its order."""

RULES_INTERNATIONAL = (Apart(r"\p{P}", after=r"\P{N}"), Apart(r"\p{P}", before=r"\P{N}"), Apart(r"\p{S}"))
"""Those of mteval-v14's ``tokenization_international``."""

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


TOKENIZER_13A = RuleTokenizer(
    RULES_13A,
    surrounded=True,
    prepare=replace_marks,
    marks=MARKS,
    doc="Tokenizes as mteval-v13a does, and sacreBLEU's ``Tokenizer13a`` after it.",
)

TOKENIZER_ZH = RuleTokenizer(
    (Apart(f"[{CHINESE}]"), *RULES_13A),
    prepare=str.strip,
    doc="Makes every Chinese character a token, and applies 13a's rules to the text between, as ``TokenizerZh``.",
)

TOKENIZER_INTL = RuleTokenizer(
    RULES_INTERNATIONAL,
    prepare=str.rstrip,
    doc="""
    Sets apart symbols, and punctuation unless digits are around it, as mteval-v14 and
    ``TokenizerV14International``.

    Punctuation after a digit also stays with it at the end of the text. Which characters are digits, punctuation or
    symbols is what the ``regex`` package knows of Unicode.
    """,
)


def without_surrogates(text: str) -> str:
    """Put U+FFFD for lone surrogates, for tokenizers that take UTF-8; sacreBLEU fails on these."""
    try:
        text.encode()  # which is quick if there is none
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text)
    return text
