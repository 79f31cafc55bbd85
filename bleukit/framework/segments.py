"""Segments: hypotheses and their references, as texts or as tokens."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bleukit.framework.packed import Grouped, lengths_of

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from bleukit.framework.protocols import Text


class Segments:
    """Checked hypotheses and their references: group i, which is never empty, belongs to hypothesis i.

    They are texts, in a list or PackedTexts, or tokens: lists of them if ``tokenized`` says so, or PackedTokens, which
    are as the variant counts them.
    """

    def __init__(self, hypotheses: Sequence[Text], references: Grouped[Text], *, tokenized: bool) -> None:
        self.hypotheses = hypotheses
        self.references = references
        self.tokenized = tokenized

    def __len__(self) -> int:
        return len(self.hypotheses)

    def part(self, start: int, stop: int | None = None) -> Segments:
        """Return consecutive segments."""
        if start == 0 and (stop is None or stop >= len(self)):
            return self
        some = slice(start, stop)
        return Segments(self.hypotheses[some], self.references[some], tokenized=self.tokenized)

    @cached_property
    def lengths(self) -> tuple[array[int], Grouped[int]]:
        """The lengths of the hypotheses and of the references, of tokens."""
        return lengths_of(self.hypotheses), Grouped(lengths_of(self.references.items), self.references.ends)
