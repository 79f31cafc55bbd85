"""One text under many recipes: what they share, tokens, counts and lengths, is computed once."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from bleukit.counting import rows
from bleukit.counting.packed import Grouped, ends_of
from bleukit.counting.segments import Segments
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from bleukit.loading.registry import LoadedComponent

Result = TypeVar("Result")


class SharedText:
    """Segments of text, or of tokens, that recipes count one after the other, up to n-gram order ``max_order``."""

    def __init__(self, segments: Segments, max_order: int) -> None:
        self.segments = segments
        self.max_order = max_order
        self._known: dict[Hashable, object] = {}

    @property
    def references(self) -> int | None:
        """How many references each segment has; None where their number differs."""
        sizes = set(self.segments.references.lengths())
        return sizes.pop() if len(sizes) == 1 else None

    def statistics(
        self,
        components: Mapping[str, LoadedComponent],
        *,
        lowercase: rows.Case,
        references: tuple[int, ...] | None = None,
    ) -> Statistics:
        """Return a row for each segment, counted by a recipe's components.

        ``references`` chooses among the references, counted from 0, of segments that all have as many.
        """
        tokenizer, policy, counter = (components[kind] for kind in ("tokenizer", "reference_length", "counter"))
        text = (tokenizer.choice, lowercase, references)
        tokens = self.tokens(tokenizer, lowercase=lowercase, references=references)
        effective = self._once((*text, policy.choice), lambda: rows.effective_lengths(tokens, policy))
        counted = self._once((*text, counter.choice, "counts"), lambda: rows.counts(tokens, counter, self.max_order))
        return Statistics.of_segments(self.max_order, **rows.joined(tokens, effective, counted))

    def tokens(
        self, tokenizer: LoadedComponent, *, lowercase: rows.Case, references: tuple[int, ...] | None = None
    ) -> Segments:
        """Return the segments as tokens."""
        every = self._once(
            (tokenizer.choice, lowercase, None),
            lambda: rows.tokenized(self.segments, tokenizer, lowercase),
        )
        if references is None:
            return every
        return self._once((tokenizer.choice, lowercase, references), lambda: self._of(every, references))

    @staticmethod
    def _of(every: Segments, references: tuple[int, ...]) -> Segments:
        chosen = [[group[reference] for reference in references] for group in every.references]
        flat = Grouped(list(chain.from_iterable(chosen)), ends_of(map(len, chosen)))
        return Segments(every.hypotheses, flat, tokenized=True)

    def _once(self, key: Hashable, make: Callable[[], Result]) -> Result:
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]  # type: ignore[return-value]
