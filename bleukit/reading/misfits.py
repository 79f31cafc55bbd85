"""Text that is not final, or that the tokenizer of a variant is not made for."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bleukit.reading.shapes import LONGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Tokenize: TypeAlias = Callable[[str], Sequence[str]]


SAMPLE = 100
"""The segments that should be looked at, the first of the first system."""

TOKENIZED = 10
"""So many segments that end in a space and a mark, a tenth of all and more than end in a mark alone, look tokenized."""

FEW_MARKED = 5
"""So many hypotheses, nine tenths of all, have a mark that references do not have, if it is no part of the text."""

_HAN_OR_HIRAGANA = r"\u3041-\u309f\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SOUTH_EAST_ASIAN = r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"
_UNSPLIT = f"[{_HAN_OR_HIRAGANA}]{{6}}|{_SOUTH_EAST_ASIAN}{{16}}"
"""More characters than most words have, in scripts that put no spaces between words."""

_WHOLE = rf"(?m)^(?:[{_HAN_OR_HIRAGANA}\u3001-\u301c\uff01-\uff1f]{{4,}}|{_SOUTH_EAST_ASIAN}{{10,}})$"
"""A whole text of such a script, shorter than that: a word only if others beside it are not."""

_FRENCH = r"\b(?:l[ae]s?|une?|est|et|qu[ei]|vous|je|tu|ils?|elles?|ne|pas|\u00e7a|o\u00f9|[cdjl]'(?=\w\w))\b|\u00ab "
_SPLIT_END = re.compile(rf" [.\u3002\uff01\uff1f]$|^(?i:(?!.*{_FRENCH})).* [!?]$")
_WHOLE_END = re.compile(r"\S[.!?\u3002\uff01\uff1f]$|\w,")
"""What tokenized texts have at their ends, and what others have. French has spaces before ?, !."""

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
        r"^(?:[!-~] +){10}|<space>|\w</w>(?: |$)|\uffed",
        0.25,
        "spaces within words",
        "join the characters or subword units, with the program that split them",
    ),
    (r" @[-/]@ ", 0.02, "split hyphens ('@-@')", "detokenize the text, with Moses' detokenizer or sacremoses"),
    (
        r"^[^<>]*&(?:apos|#\d+);[^<>]*$",  # &quot; is also the markup of an evaluation set
        0.05,
        "escapes, such as those of Moses' tokenizer ('&apos;', '&quot;')",
        "detokenize the text, with Moses' detokenizer or sacremoses",
    ),
)
"""What only text before the last step has: a pattern, the least share of the segments that have it, and what to do."""

_MARKS = (
    ("begin with", r"^\s*([^\w\s]+|(?:\w+ )?\d+\W|\w*_\w+|\w+:)"),
    ("begin with", r"^\s*(\w+\W+\w+\W+\w+)"),
    ("end in", r"([^\w\s]+|\w*_\w+)\s*$"),
    ("have", r"(?:\s|(?<=\w)(?=[%_\\]))([^\w\s]+|_)(?=[\s\w])"),
    ("have", r"[^\W\d_]([\u0300-\u036f])"),
)
"""Marks, numbers, labels and three words, which texts begin with, end in or have; a word alone is no sign."""

_ATTACHED = r"\w[,.;:!?](?=\s|$)"
"""Punctuation at the end of a word."""


class Misfit(NamedTuple):
    """What looks wrong: ``reason`` says it of any tokenizer, ``warning`` of this one, and what to do about it.

    ``splits`` is what splits text that this one leaves unsplit; it is empty if something else is wrong.
    """

    reason: str
    warning: str
    splits: str = ""


def splits_punctuation(tokenize: Tokenize) -> bool:
    """Return whether a tokenizer is for text: it splits punctuation from a word, as none for tokens does."""
    return list(tokenize("a.")) != ["a."]


def misfits(tokenizer: str, tokenize: Tokenize, texts: Sequence[str]) -> Iterator[Misfit]:
    """Yield what of some texts a tokenizer, which is called so, is not made for."""
    texts = _short(texts)
    first = f"of the first {len(texts)} segments"
    tokenized = sum(bool(_SPLIT_END.search(text)) for text in texts)
    whole_ends = sum(bool(_WHOLE_END.search(text)) for text in texts)
    if tokenized >= max(TOKENIZED, whole_ends + 1, len(texts) / 10) and splits_punctuation(tokenize):
        yield Misfit(
            "splits text that looks tokenized already",
            f"{tokenized} {first} end in ' .' or the like: they look tokenized, "
            f"and the tokenizer {tokenizer!r} splits other text; detokenize it, or use --set tokenizer=whitespace",
        )
    long, unsplit = _with_and_within_tokens(_UNSPLIT, texts, tokenize)
    whole = _with_and_within_tokens(_WHOLE, texts, tokenize)[1]
    if len(unsplit) * 2 > len(long) or len(whole) * 2 > len(texts):
        unsplit = max(unsplit, whole, key=len)
        splits = _remedy(unsplit)
        yield Misfit(
            "leaves text without spaces between words unsplit",
            f"the tokenizer {tokenizer!r} leaves {len(unsplit)} {first} unsplit: they have "
            f"no spaces between words; use {splits}",
            splits,
        )
    attached, left = _with_and_within_tokens(_ATTACHED, texts, tokenize)
    if len(left) * 2 > len(attached) and len(attached) * 2 > len(texts):
        yield Misfit(
            "made for tokenized text: leaves punctuation attached to words",
            f"the tokenizer {tokenizer!r} is made for tokenized text: it leaves punctuation attached to words "
            f"in {len(left)} {first}; tokenize the text, or use a variant for text that is "
            "not, such as -V sacrebleu",
        )


def _with_and_within_tokens(pattern: str, texts: Sequence[str], tokenize: Tokenize) -> tuple[list[str], list[str]]:
    """Return the texts that a pattern is found in, and those of them that also have it within a token."""
    found = [text for text in texts if re.search(pattern, text)]
    return found, [text for text in found if re.search(pattern, "\n".join(tokenize(text)))]


def _remedy(texts: Sequence[str]) -> str:
    joined = "".join(texts)
    if re.search("[\u3041-\u30ff]", joined):
        return "-V sacrebleu-ja"
    return (
        "-V sacrebleu-zh"
        if re.search(f"[{_HAN_OR_HIRAGANA}]{{4}}", joined)
        else "-V sacrebleu-flores200 or --set tokenizer=char"
    )


def not_final(texts: Sequence[str], what: str) -> Iterator[str]:
    """Yield warnings if some texts are not final; ``what`` are hypotheses, or references."""
    texts = _short(texts)
    for pattern, share, found, way in _NOT_FINAL:
        number = sum(map(bool, map(re.compile(pattern).search, texts)))
        if number and number >= share * len(texts):
            yield f"{number} of the first {len(texts)} {what} have {found}: {way}"


def foreign_marks(texts: Sequence[str], references: Sequence[str]) -> Iterator[str]:
    """Yield warnings if nearly all of some texts have the same mark, and hardly any of the references has it."""
    texts, references = _short(texts), _short(references)
    for verb, pattern in _MARKS:
        ours, theirs = (
            Counter(mark for text in each for mark in {re.sub(r"\d+", "0", mark) for mark in re.findall(pattern, text)})
            for each in (texts, references)
        )
        least, most = max(FEW_MARKED, 0.9 * len(texts)), 0.1 * len(references)
        if marks := sorted(mark for mark, number in ours.items() if number >= least and theirs[mark] <= most):
            yield (
                f"{min(map(ours.__getitem__, marks))} of the first {len(texts)} hypotheses {verb} "
                f"{' and '.join(map(repr, marks))}, and hardly any reference does (0 stands for any number): "
                "if it is no part of the text, cut it off"
            )


def odd_references(texts: Sequence[str], references: Sequence[str | Sequence[str]]) -> Iterator[str]:
    """Yield warnings if references are blank, and the text is not, or are words."""
    groups = [[group] if isinstance(group, str) else group for group in references]
    words = sum(len(group) > 3 and not any(" " in str(one) for one in group) for group in groups)
    if words > len(groups) / 2:
        yield (
            f"{words} of the first {len(groups)} segments have only references of one word: if these are the words of "
            "one reference, join them with spaces"
        )
    number = sum(
        any(not one or one.isspace() for one in group) and bool(str(text).strip())
        for text, group in zip(texts, groups, strict=True)
    )
    if number:
        yield (
            f"{number} of the first {len(groups)} segments have a blank reference, which counts as one of no tokens: "
            "leave these segments out or, if others have more references, list those of each in JSON lines"
        )


def _short(texts: Sequence[str]) -> list[str]:
    """Return texts without long ones, for which patterns take long."""
    return [text for text in map(str, texts) if len(text) <= LONGEST]
