"""The tokenizer of CodeXGLUE's code-to-text."""

from __future__ import annotations

from bleukit.plugin import Apart, RuleTokenizer

WORDS_AND_MARKS = RuleTokenizer(
    (Apart(r"[\W_]"),),
    doc="""
    Makes tokens of runs of letters and digits, and of every other character alone, as code-to-text does.

    It splits text around each run of letters, digits and underscores, then by the rules of mteval-v11a, of which
    only that for underscores finds anything: ``3.14`` and ``foo_bar`` are three tokens each, and entities stay in
    parts.
    """,
)
