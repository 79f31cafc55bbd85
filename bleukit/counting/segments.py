"""The segments that are counted: texts or tokens, checked."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bleukit.counting.packed import Grouped, lengths_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.protocols import Text


class Segments:
    """Checked input, all texts or all tokens: group i of the references, never empty, belongs to hypothesis i."""

    def __init__(self, hypotheses: Sequence[Text], references: Grouped[Text], *, tokenized: bool) -> None:
        self.hypotheses = hypotheses
        self.references = references
        self.tokenized = tokenized

    @cached_property
    def lengths(self) -> tuple[Sequence[int], Grouped[int]]:
        """The lengths of the hypotheses and of the references, of tokens."""
        return lengths_of(self.hypotheses), Grouped(lengths_of(self.references.items), self.references.ends)
