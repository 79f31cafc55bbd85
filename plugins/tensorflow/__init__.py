"""BLEU of TensorFlow's libraries: TensorFlow NMT, Tensor2Tensor and Keras Hub.

https://github.com/tensorflow/nmt, https://github.com/tensorflow/tensor2tensor and
https://github.com/keras-team/keras-hub; the variants name the files. ``compute_bleu`` of TensorFlow NMT is what
``evaluate`` copies, and the brevity penalty's division by zero is treated as there; in Keras Hub, NumPy divides, so
that texts without any tokens score NaN. It gives NaN, and the variant 0, if all hypotheses are empty and so is the
shortest reference of each, but not another. The metric of TensorFlow NMT reads lines by ``codecs``, for which U+0085,
U+2028 and the like end one, too. Tensor2Tensor and Keras Hub give their scores in single precision; these numbers
agree with them to about seven digits. Tensor2Tensor and the metric of TensorFlow NMT are given one reference; of
several, the variants take the closest and the shortest length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.built_in.moses import ASCII_BLANK
from bleukit.built_in.sacrebleu.tokenizers import MARKS, RULES_13A, replace_marks_of_mteval

from bleukit.plugin import Apart, RuleTokenizer, hookimpl, variant_files

if TYPE_CHECKING:
    from pathlib import Path

_MARK = r"(?!\\)\p{P}"

TENSOR2TENSOR = RuleTokenizer(
    (Apart(_MARK, after=r"\D"), Apart(_MARK, before=r"\D"), Apart(r"\p{S}")),
    doc="""
    Sets apart symbols, and punctuation beside non-digits: ``bleu_tokenize`` of Tensor2Tensor, after mteval-v14.

    Digits are decimal ones, without ½ and Ⅷ. At the end of a text, and at its start, punctuation stays with a
    digit. The backslash is no punctuation, because the original writes it into its character class unescaped.
    """,
)

KERAS_HUB = RuleTokenizer(
    RULES_13A,
    blank=ASCII_BLANK,
    prepare=replace_marks_of_mteval,
    marks=MARKS,
    doc="""
    Tokenizes as Keras Hub: 13a, but no space before and after the text makes a period or comma there stand alone.

    ``in 2020.`` therefore ends in ``2020.``; the rule that the original adds for this has an invalid replacement,
    and does nothing. Only ASCII whitespace separates words.
    """,
)


def single_blanks(text: str) -> list[str]:
    """Split at each single U+0020, as the metric of TensorFlow NMT does after it has stripped the line.

    Two blanks make an empty token, an empty line is one, and other whitespace stays within words.
    """
    return text.strip().split(" ")


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {
        "single-blanks": lambda: single_blanks,
        "t2t": lambda: TENSOR2TENSOR,
        "keras-hub": lambda: KERAS_HUB,
    }


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    return variant_files(__file__)
