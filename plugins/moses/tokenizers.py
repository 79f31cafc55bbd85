"""The tokenizers of Moses' and NIST's programs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from bleukit.built_in.sacrebleu.tokenizers import (
    MARKS,
    RULES_13A,
    RULES_INTERNATIONAL,
    replace_entities,
    replace_marks_of_mteval,
)

from bleukit.plugin import Apart, LowercasingRules, RuleTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ENCODING = ("utf-8", "surrogatepass")  # of any str, to bytes: bytes know ASCII's whitespace alone

_HYPHEN = re.compile(rb"(\S)-(\S)")

_BLANK = r"[^\S\x1c-\x1f]"  # the information separators are whitespace to Python, and not to Perl

ASCII_BLANK = r"[ \t-\r]"
"""The whitespace that a program knows which reads bytes."""

BETWEEN_SPACES = RuleTokenizer(blank=" ", doc="Splits at U+0020 alone, as mert does (``Scorer::TokenizeAndEncode``).")


def _with_compounds_split(text: str) -> str:
    """Put spaces and ``##AT##-##AT##`` in place of hyphens within words.

    What stands before and after a hyphen is found from left to right: of ``a-b-c`` only the first is one, because ``b``
    is taken, but of ``ä-ö-ü`` both are, because the script reads bytes.
    """
    return _HYPHEN.sub(rb"\1 ##AT##-##AT## \2", text.encode(*_ENCODING)).decode(*_ENCODING)


_WORDS = RuleTokenizer(blank=ASCII_BLANK)

_WORDS_AND_COMPOUNDS = RuleTokenizer(blank=ASCII_BLANK, prepare=_with_compounds_split, marks="-")


@dataclass(frozen=True)
class MultiBleu:
    """Splits as multi-bleu.perl does: at ASCII whitespace, because it reads bytes; U+00A0 joins two words.

    With ``split_hyphens`` it splits compounds at hyphens, which become ``##AT##-##AT##``, as get_ende_bleu.sh of
    Tensor2Tensor does.
    """

    split_hyphens: bool = False

    reads_packed: ClassVar[bool] = True

    def __call__(self, text: str) -> list[str]:
        return self._rules(text)

    @property
    def batch(self) -> Callable[[Sequence[str]], Sequence[Sequence[str]]] | None:
        return self._rules.batch

    @property
    def _rules(self) -> RuleTokenizer:
        return _WORDS_AND_COMPOUNDS if self.split_hyphens else _WORDS


@dataclass(frozen=True)
class Mteval(LowercasingRules):
    """Mteval's default tokenization, ``sub tokenization`` (v11b: ``NormalizeText``), "assuming Western languages".

    It lowercases after it has replaced entities. v11b reads bytes, so that only ASCII whitespace separates words: that
    is ``ascii_whitespace``. All else but a line end within a segment is as in sacreBLEU's 13a. ``blanks`` are the
    characters that a program replaces by spaces when it writes the XML for mteval.
    """

    ascii_whitespace: bool = False
    blanks: str = ""

    def rules(self, lowercase: bool | str) -> RuleTokenizer:
        return RuleTokenizer(
            RULES_13A,
            blank=ASCII_BLANK if self.ascii_whitespace else _BLANK,
            surrounded=True,
            prepare=self._prepared,
            marks="|".join([MARKS, *map(re.escape, self.blanks)]),
            lowercase=lowercase,
        )

    def _prepared(self, text: str) -> str:
        for character in self.blanks:
            text = text.replace(character, " ")
        return replace_marks_of_mteval(text)


@dataclass(frozen=True)
class MtevalInternational(LowercasingRules):
    """Mteval's ``sub tokenization_international``, all there is in v12 and --international-tokenization from v13 on.

    Punctuation is a token of its own unless digits are on both sides, and so is every symbol, by Unicode categories.
    It lowercases after it has replaced entities. ``split_non_ascii`` is -e. v12 and v13 have one rule more, which
    removes a hyphen before a line separator (U+2028); as both join the lines of SGML before, it matters only to v13
    with XML, and is left out.
    """

    split_non_ascii: bool = False

    distributions: ClassVar[tuple[str, ...]] = ("regex",)  # the Unicode categories are those of its version

    def rules(self, lowercase: bool | str) -> RuleTokenizer:
        rules = (Apart(r"[^\x00-\x7f]"), *RULES_INTERNATIONAL) if self.split_non_ascii else RULES_INTERNATIONAL
        prepare = _with_one_sigma if lowercase is True else _with_marks_replaced
        return RuleTokenizer(rules, blank=_BLANK, prepare=prepare, marks="[<&\u2028]", lowercase=lowercase)


def _with_one_sigma(text: str) -> str:
    """Lowercase the sigma first, because Perl's lc knows no final one."""
    return _with_marks_replaced(text).replace("\u03a3", "\u03c3")


def _with_marks_replaced(text: str) -> str:
    text = text.replace("<skipped>", "").replace("\u2028", " ")
    return replace_entities(text).replace("&apos;", "'")
