"""Segments: hypotheses and their references, as texts or as tokens."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from bleukit.framework.packed import Grouped, lengths_of

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Hashable, Sequence

    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.protocols import Text


SegmentsReader: TypeAlias = "Callable[[LoadedComponent | None], Segments]"
"""Returns segments as a tokenizer reads them: one that replaces the entities of SGML itself may get them unreplaced."""

Computed = TypeVar("Computed")


class Segments:
    """Checked hypotheses and their references: group i, which is never empty, belongs to hypothesis i.

    They are texts, in a list or PackedTexts; lists of tokens if ``tokenized`` says that tokens were given; or
    PackedTokens, which are as the metric counts them.
    """

    def __init__(self, hypotheses: Sequence[Text], references: Grouped[Text], *, tokenized: bool) -> None:
        self.hypotheses = hypotheses
        self.references = references
        self.tokenized = tokenized
        self._computed: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self.hypotheses)

    def part(self, start: int, stop: int | None = None) -> Segments:
        """Return consecutive segments."""
        if start == 0 and (stop is None or stop >= len(self)):
            return self
        some = slice(start, stop)
        return Segments(self.hypotheses[some], self.references[some], tokenized=self.tokenized)

    def once(self, key: Hashable, compute: Callable[[], Computed]) -> Computed:
        """Return what is computed of the segments, which are kept with it: metrics that count alike share it."""
        if key not in self._computed:
            self._computed[key] = compute()
        computed: Computed = self._computed[key]
        return computed

    @cached_property
    def lengths(self) -> tuple[array[int], Grouped[int]]:
        """The lengths of the hypotheses and of the references, of tokens."""
        return lengths_of(self.hypotheses), Grouped(lengths_of(self.references.items), self.references.ends)
