"""Warnings about text that the tokenizer of a variant is not made for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.metric import Bleu

SAMPLE = 1000
"""The segments that are looked at, the first of the first system."""

TOKENIZED = 100
"""So many segments that end in a blank and a full stop look tokenized, as to sacreBLEU."""

_HAN_OR_HIRAGANA = "[\u3041-\u309f\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]{6}"
_SOUTH_EAST_ASIAN = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{16}"
_UNSPLIT = f"{_HAN_OR_HIRAGANA}|{_SOUTH_EAST_ASIAN}"
"""More characters than most words have, in scripts that put no blanks between words."""


def warnings_about(bleu: Bleu, texts: Sequence[str]) -> Iterator[str]:
    """Yield what looks wrong with the first of some texts, and what to do about it."""
    sample = [str(text) for text in texts[:SAMPLE]]
    tokenizer = bleu.variant.tokenizer.name
    tokenized = sum(text.endswith(" .") for text in sample)
    if tokenized >= TOKENIZED and list(bleu.tokenize("a.")) != ["a."]:
        yield (
            f"{tokenized} of the first {len(sample)} segments end in ' .': the text looks tokenized, and the tokenizer "
            f"{tokenizer!r} splits text that is not; detokenize the text, or use --set tokenizer=whitespace"
        )
    long = [text for text in sample if not text.isascii() and re.search(_UNSPLIT, text)]
    unsplit = [text for text in long if any(re.search(_UNSPLIT, token) for token in bleu.tokenize(text))]
    if len(unsplit) * 2 > len(long):
        yield (
            f"the tokenizer {tokenizer!r} leaves {len(unsplit)} of the first {len(sample)} segments unsplit: they have "
            f"no blanks between words; use {_remedy(unsplit)}"
        )


def _remedy(texts: Sequence[str]) -> str:
    joined = "".join(texts)
    if re.search("[\u3041-\u30ff]", joined):
        return "-V sacrebleu-ja"
    return (
        "-V sacrebleu-zh" if re.search(_HAN_OR_HIRAGANA, joined) else "-V sacrebleu-flores200 or --set tokenizer=char"
    )
