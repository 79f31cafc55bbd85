"""The tokenizer of CodeXGLUE's code-to-text."""

from __future__ import annotations

from bleukit.plugin import Apart, RuleTokenizer

WORDS_AND_MARKS = RuleTokenizer(
    (Apart(r"[\W_]"),),
    doc="""
    Makes each run of letters and digits a token, and each other character, as code-to-text does.

    It splits text around each run of letters, digits and underscores, then by the rules of mteval-v11a, of which
    only the rule for underscores still applies: ``3.14`` and ``foo_bar`` are three tokens each, and entities stay in
    parts.
    """,
)
