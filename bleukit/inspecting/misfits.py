"""Text that is not final, or that the tokenizer of a variant is not made for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.metric import Bleu

SAMPLE = 1000
"""The segments that are looked at, the first of the first system."""

TOKENIZED = 10
"""So many segments that end in a space and a mark, a tenth of all and more than end in a mark alone, look tokenized."""

_HAN_OR_HIRAGANA = "[\u3041-\u309f\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]{6}"
_SOUTH_EAST_ASIAN = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{16}"
_UNSPLIT = f"{_HAN_OR_HIRAGANA}|{_SOUTH_EAST_ASIAN}"
"""More characters than most words have, in scripts that put no spaces between words."""

_SPLIT_END = re.compile(r" [.!?\u3002\uff01\uff1f]$")
_WHOLE_END = re.compile(r"\S[.!?\u3002\uff01\uff1f]$|\w,")
"""What tokenized texts have at their ends, and what others have. French has no spaces before commas."""

_NOT_FINAL = (
    (r"@@(?: |$)", 0.25, "subword units ('@@ ')", "join them: sed -E 's/@@( |$)//g' FILE"),
    ("\u2581", 0.25, "subword units ('\u2581')", "join them: sed 's/ //g; s/\u2581/ /g; s/^ //' FILE"),
    (  # Maltese has the letter, too
        "[a-z]\u0120|(?:\\s\u0120\\w+){2}",
        0.25,
        "subword units ('\u0120')",
        "join them: sed 's/ //g; s/\u0120/ /g; s/^ //' FILE",
    ),
    (r"\w ##\w", 0.25, "subword units ('##')", "join them: sed 's/ ##//g' FILE"),
    (
        r"(?:^|\s)(?:</?s>|<(?:pad|eos|bos)>|\[(?:CLS|SEP|PAD)\]|<\|endoftext\|>)(?:\s|$)",
        0.25,
        "special tokens of a model, such as '</s>'",
        "leave them out when decoding (skip_special_tokens=True)",
    ),
    (
        "^(?:Translation|Output|Answer|Prediction|Hypothesis|Assistant): ",
        0.5,
        "a label in front, such as 'Translation: '",
        "cut it off: sed 's/^[A-Z][a-z]*: //' FILE",
    ),
    (r" @[-/]@ ", 0.02, "split hyphens ('@-@')", "detokenize the text, with Moses' detokenizer or sacremoses"),
    (
        r"^[^<>]*&(?:apos|#91|#93|#124);[^<>]*$",  # &quot; is also the markup of an evaluation set
        0.05,
        "escapes of Moses' tokenizer ('&apos;', '&quot;')",
        "detokenize the text, with Moses' detokenizer or sacremoses",
    ),
)
"""What only text before the last step has: a pattern, the least share of the segments that have it, and what to do."""

_ATTACHED = r"\w[,.;:!?](?=\s|$)"
"""Punctuation at the end of a word."""


class Misfit(NamedTuple):
    """What looks wrong: ``reason`` says it of any tokenizer, ``warning`` of this one, and what to do about it."""

    reason: str
    warning: str


def splits_punctuation(bleu: Bleu) -> bool:
    """Return whether a variant is for text: its tokenizer splits punctuation from a word, as none for tokens does."""
    return list(bleu.tokenize("a.")) != ["a."]


def misfits(bleu: Bleu, texts: Sequence[str], sample: int = SAMPLE) -> Iterator[Misfit]:
    """Yield what looks wrong with the first ``sample`` of some texts, and that punctuation is left at most words."""
    first = [str(text) for text in texts[:sample]]
    tokenizer = bleu.variant.tokenizer.name
    tokenized = sum(bool(_SPLIT_END.search(text)) for text in first)
    whole = sum(bool(_WHOLE_END.search(text)) for text in first)
    if tokenized >= max(TOKENIZED, whole + 1, len(first) / 10) and splits_punctuation(bleu):
        yield Misfit(
            "splits text that looks tokenized already",
            f"{tokenized} of the first {len(first)} segments end in ' .' or the like: they look tokenized, "
            f"and the tokenizer {tokenizer!r} splits other text; detokenize it, or use --set tokenizer=whitespace",
        )
    long = [text for text in first if not text.isascii() and re.search(_UNSPLIT, text)]
    unsplit = [text for text in long if re.search(_UNSPLIT, _token_lines(bleu, text))]
    if len(unsplit) * 2 > len(long):
        yield Misfit(
            "leaves text without spaces between words unsplit",
            f"the tokenizer {tokenizer!r} leaves {len(unsplit)} of the first {len(first)} segments unsplit: they have "
            f"no spaces between words; use {_remedy(unsplit)}",
        )
    attached = [text for text in first if re.search(_ATTACHED, text)]
    left = [text for text in attached if re.search(_ATTACHED, _token_lines(bleu, text))]
    if len(left) * 2 > len(attached) and len(attached) * 2 > len(first):
        yield Misfit(
            "made for tokenized text: leaves punctuation attached to words",
            f"the tokenizer {tokenizer!r} is made for tokenized text: it leaves punctuation attached to words "
            f"in {len(left)} of the first {len(first)} segments; tokenize the text, or use a variant for text that is "
            "not, such as -V sacrebleu",
        )


def not_final(texts: Sequence[str], what: str, sample: int = SAMPLE) -> Iterator[str]:
    """Yield warnings if the first ``sample`` of some texts are not final; ``what`` are hypotheses, or references."""
    first = [str(text) for text in texts[:sample]]
    for pattern, share, found, way in _NOT_FINAL:
        number = sum(map(bool, map(re.compile(pattern).search, first)))
        if number and number >= share * len(first):
            yield f"{number} of the first {len(first)} {what} have {found}: {way}"


def blank_references(references: Sequence[str | Sequence[str]], sample: int = SAMPLE) -> Iterator[str]:
    """Yield a warning if references among the first ``sample`` segments are blank."""
    groups = [[group] if isinstance(group, str) else group for group in references[:sample]]
    number = sum(any(not text or text.isspace() for text in group) for group in groups)
    if number:
        yield (
            f"{number} of the first {len(groups)} segments have a blank reference, which counts as one of no tokens: "
            "leave these segments out or, if others have more references, list those of each in JSON lines"
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
