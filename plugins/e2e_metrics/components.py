"""The tokenizer, counter and smoothing of the E2E challenge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.built_in.evaluate.components import TOKENIZER_13A
from bleukit.built_in.paper.scoring import ByOrder, require_not_negative, where

from bleukit.plugin import Compiled, LowercasingTokenizer, PackedTokens, lowered

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bleukit.plugin import Counts, CountsTable, RuleTokenizer

TINY = 1e-15

SMALL = 1e-9

SIGMA = "\u03a3"
"""The letter whose lower case depends on the characters around it: it is not the same in a token and in its text."""


class Tokenizer(LowercasingTokenizer):
    """``NGramScore.tokenize``: 13a, but an empty text is one empty token. It lowercases tokens."""

    reads_packed: ClassVar[bool] = True

    def tokens(self, text: str, lowercase: bool | str) -> list[str]:
        return lowered(" ".join(TOKENIZER_13A(text)), lowercase).split(" ")

    @property
    def batch(self) -> Callable[[Sequence[str]], Sequence[Sequence[str]]] | None:
        """The tokens of many texts, whose case is kept; None without compiled code."""
        return self.lowercasing(lowercase=False).batch

    def lowercasing(self, lowercase: bool | str) -> Compiled:
        """Return the tokenizer of a variant that lowercases."""
        one, batch_13a = super().lowercasing(lowercase), _rules(lowercase).batch
        return Compiled(one, batch_13a and partial(_tokens, one, batch_13a))


@cache
def _rules(lowercase: bool | str) -> RuleTokenizer:
    return replace(TOKENIZER_13A, lowercase=lowercase)


def _tokens(one: Callable[[str], Sequence[str]], batch_13a: Any, texts: Sequence[str]) -> Sequence[Sequence[str]]:
    """Return the tokens of many texts: those of 13a, unless one text is empty or has a sigma."""
    if not any(SIGMA in text for text in texts):
        tokens = batch_13a(texts)
        if isinstance(tokens, PackedTokens) and all(tokens.lengths()):
            return tokens
    return list(map(one, texts))


@dataclass(frozen=True)
class Guarded(ByOrder):
    """Adds ``added`` to matches and totals at every order; matches are at least 1e-15, and totals at least 1e-9.

    ``BLEUScore.ngram_precision``: the total of a segment is its length - n + 1, even if that is below 0, so that short
    segments lower the totals of others. These totals are computed here; the counter's have no number below 0.
    """

    added: float = 0.0

    def __post_init__(self) -> None:
        require_not_negative(added=self.added)

    def precisions(self, matches: Sequence[Any], totals: Sequence[Any], counts: Counts | CountsTable) -> list[Any]:
        pairs = zip(matches, _totals(counts, len(totals)), strict=True)
        return [self._at_least(m, TINY) / self._at_least(t, SMALL) for m, t in pairs]

    def _at_least(self, counts: Any, least: float) -> Any:
        return where(counts + self.added < least, least, counts + self.added)

    def steps(self, counts: Counts) -> list[str]:
        more = f" + {self.added:.6g}" if self.added else ""
        return [
            f"{self._written(m, more, TINY)}/{self._written(t, more, SMALL)}" if more or m <= 0 or t <= 0 else ""
            for m, t in zip(counts.matches, _totals(counts, len(counts.totals)), strict=True)
        ]

    def _written(self, count: int, more: str, least: float) -> str:
        if count + self.added < least:
            return f"{least}"
        return f"({count}{more})" if more else f"{count}"


def _totals(counts: Any, orders: int) -> list[Any]:
    """Return the totals of each order, numbers or columns, which may be below 0."""
    return [counts.hypothesis_length - order * counts.segments for order in range(orders)]
