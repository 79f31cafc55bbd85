"""The tokenizer of Hugging Face's evaluate."""

from __future__ import annotations

from bleukit.built_in.sacrebleu.tokenizers import MARKS, RULES_13A, replace_marks_of_mteval

from bleukit.plugin import RuleTokenizer

TOKENIZER_13A = RuleTokenizer(
    RULES_13A,
    surrounded=True,
    prepare=replace_marks_of_mteval,
    marks=MARKS,
    doc="""
    13a without sacreBLEU's first step, which strips the end of a text: a hyphen before a last line feed is removed.
    """,
)
