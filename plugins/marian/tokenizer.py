"""Marian's tokenizer."""

from __future__ import annotations

from bleukit.built_in.moses.tokenizers import ASCII_BLANK
from bleukit.built_in.sacrebleu.tokenizers import MARKS, RULES_13A, replace_marks_of_mteval

from bleukit.plugin import Apart, RuleTokenizer

_CONTINUOUS_SCRIPTS = (
    "\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5"  # radicals
    "\u3005\u3007\u3021-\u3029\u3038-\u303b"  # Han among CJK punctuation, of which all else is left in words
    "\u3040-\u30ff\u3200-\u32ff"  # kana, enclosed letters and months
    "\u3400-\u4db5\u4e00-\u9fef\uf900-\ufa6d\ufa70-\ufad9"  # ideographs
    "\U00020000-\U0002a6d6\U0002a700-\U0002b734\U0002b740-\U0002b81d\U0002b820-\U0002cea1\U0002ceb0-\U0002ebe0"
    "\U0002f800-\U0002fa1d"
    "\U0001b000-\U0001b0ff\U0001b130-\U0001b16f"  # more kana
    "\u0e00-\u0e7f"  # Thai
)

WORDS_AND_CHARACTERS = RuleTokenizer(
    (*RULES_13A, Apart(f"[{_CONTINUOUS_SCRIPTS}]")),
    blank=ASCII_BLANK,
    surrounded=True,
    prepare=replace_marks_of_mteval,
    marks=MARKS,
    doc="""
    Tokenizes as ``tokenize`` and ``tokenizeContinuousScript`` do: mteval's words, and characters of some scripts.

    Every Han, kana and Thai character is a token. Only ASCII white space separates words, because Marian reads
    bytes.
    """,
)
