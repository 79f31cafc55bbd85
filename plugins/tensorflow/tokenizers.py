"""The tokenizers of TensorFlow's libraries."""

from __future__ import annotations

from bleukit.built_in.moses.tokenizers import ASCII_BLANK
from bleukit.built_in.sacrebleu.tokenizers import MARKS, RULES_13A, replace_marks_of_mteval

from bleukit.plugin import Apart, RuleTokenizer

_MARK = r"(?!\\)\p{P}"

TENSOR2TENSOR = RuleTokenizer(
    (Apart(_MARK, after=r"\D"), Apart(_MARK, before=r"\D"), Apart(r"\p{S}")),
    doc="""
    Sets apart symbols, and punctuation beside non-digits: ``bleu_tokenize`` of Tensor2Tensor, after mteval-v14.

    Digits are decimal ones, without ½ and Ⅷ. At the end of a text, and at its start, punctuation stays with a
    digit. The backslash is not punctuation, because the original writes it into its character class unescaped.
    """,
)

KERAS_HUB = RuleTokenizer(
    RULES_13A,
    blank=ASCII_BLANK,
    prepare=replace_marks_of_mteval,
    marks=MARKS,
    doc="""
    Tokenizes as Keras Hub: 13a without a space around the text, so that a period after a final digit stays with it.

    ``in 2020.`` therefore ends in ``2020.``; the rule that the original adds for this has an invalid replacement,
    and does nothing. Only ASCII whitespace separates words.
    """,
)


def single_blanks(text: str) -> list[str]:
    """Split at each single U+0020, as the metric of TensorFlow NMT does after it has stripped the line.

    Two spaces make an empty token, an empty line is an empty token, and other whitespace stays within words.
    """
    return text.strip().split(" ")
