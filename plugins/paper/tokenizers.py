"""The tokenizers that the article needs."""

from __future__ import annotations

from bleukit.plugin import Apart, RuleTokenizer

WHITESPACE = RuleTokenizer(doc="Splits at runs of whitespace, as ``str.split`` knows it.")

CHARACTERS = RuleTokenizer((Apart(r"\S"),), doc="Makes every character that is not whitespace a token.")
