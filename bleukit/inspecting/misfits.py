"""Text that the tokenizer of a variant is not made for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

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

_ATTACHED = r"\w[,.;:!?](?=\s|$)"
"""Punctuation at the end of a word."""

Kind: TypeAlias = Literal["split twice", "unsplit", "punctuation"]


class Misfit(NamedTuple):
    """What looks wrong: ``kind`` is "split twice" (the text looks tokenized), "unsplit" or "punctuation" (of words).

    ``reason`` says it of any tokenizer, ``warning`` says it of this one, and what to do if something is wrong.
    """

    kind: Kind
    reason: str
    warning: str


def splits_punctuation(bleu: Bleu) -> bool:
    """Return whether a variant is for text: its tokenizer splits punctuation from a word, as none for tokens does."""
    return list(bleu.tokenize("a.")) != ["a."]


def misfits(bleu: Bleu, texts: Sequence[str], sample: int = SAMPLE) -> Iterator[Misfit]:
    """Yield what looks wrong with the first ``sample`` of some texts."""
    first = [str(text) for text in texts[:sample]]
    tokenizer = bleu.variant.tokenizer.name
    tokenized = sum(text.endswith(" .") for text in first)
    if tokenized >= min(TOKENIZED, sample // 2) and splits_punctuation(bleu):
        yield Misfit(
            "split twice",
            "splits text that looks tokenized already",
            f"{tokenized} of the first {len(first)} segments end in ' .': the text looks tokenized, and the tokenizer "
            f"{tokenizer!r} splits text that is not; detokenize the text, or use --set tokenizer=whitespace",
        )
    long = [text for text in first if not text.isascii() and re.search(_UNSPLIT, text)]
    unsplit = [text for text in long if re.search(_UNSPLIT, _token_lines(bleu, text))]
    if len(unsplit) * 2 > len(long):
        yield Misfit(
            "unsplit",
            "leaves text unsplit that has no blanks between words",
            f"the tokenizer {tokenizer!r} leaves {len(unsplit)} of the first {len(first)} segments unsplit: they have "
            f"no blanks between words; use {_remedy(unsplit)}",
        )


def punctuation_left(bleu: Bleu, texts: Sequence[str], sample: int = SAMPLE) -> Iterator[Misfit]:
    """Yield that the tokenizer leaves punctuation at words, unless it finds none there."""
    first = [str(text) for text in texts[:sample]]
    attached = [text for text in first if re.search(_ATTACHED, text)]
    left = [text for text in attached if re.search(_ATTACHED, _token_lines(bleu, text))]
    if len(left) * 2 > len(attached) and len(attached) * 2 > len(first):
        yield Misfit(
            "punctuation",
            "made for tokenized text: leaves punctuation at words",
            f"the tokenizer {bleu.variant.tokenizer.name!r} is made for tokenized text: it leaves punctuation at words "
            f"in {len(left)} of the first {len(first)} segments",
        )


def _token_lines(bleu: Bleu, text: str) -> str:
    """Return the tokens of a text, one a line, so that one search finds what is within a token."""
    return "\n".join(bleu.tokenize(text))


def _remedy(texts: Sequence[str]) -> str:
    joined = "".join(texts)
    if re.search("[\u3041-\u30ff]", joined):
        return "-V sacrebleu-ja"
    return (
        "-V sacrebleu-zh" if re.search(_HAN_OR_HIRAGANA, joined) else "-V sacrebleu-flores200 or --set tokenizer=char"
    )
