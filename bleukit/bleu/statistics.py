"""The additive sufficient statistics of BLEU: all that a BLEU score needs to know of a text, one row per segment."""

from __future__ import annotations

import math
from array import array
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.bleu.protocols import Counts, CountsTable
from bleukit.framework import loops
from bleukit.framework.additive import COUNTS_GIVEN, AdditiveStatistics, Column
from bleukit.framework.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray


class Statistics(AdditiveStatistics):
    """Rows of statistics of BLEU; a row describes one segment, or the sum of several.

    The columns are read-only numpy arrays with one item per row: ``segments`` (how many the row sums),
    ``hypothesis_length``, ``reference_length`` (the effective one, a float), ``reference_tokens`` (of all references
    together), ``fewest_references`` and ``most_references`` of a segment, and, of shape (rows, max_order), ``matches``
    and ``totals``. Lengths are in tokens. Only statistics counted by a macro variant have ``sentence_scores``, floats
    at the scale 1. All else is as for :class:`bleukit.framework.additive.AdditiveStatistics`.

    InputError is also raised for more matches than totals. Totals that are the sum of length - n + 1 over all segments
    may be negative, and below the matches.
    """

    COLUMNS: ClassVar[Mapping[str, Column]] = MappingProxyType(
        {
            "segments": Column(scored=False),
            "hypothesis_length": Column(),
            "reference_length": Column("d"),
            "reference_tokens": Column(),
            "fewest_references": Column(merge="least"),
            "most_references": Column(merge="greatest"),
            "matches": Column(per_order=True),
            "totals": Column(per_order=True),
        }
    )
    OPTIONAL: ClassVar[Mapping[str, Column]] = MappingProxyType({"sentence_scores": Column("d")})

    __slots__ = ()

    hypothesis_length: NDArray[np.int64]
    reference_length: NDArray[np.float64]
    reference_tokens: NDArray[np.int64]
    matches: NDArray[np.int64]
    totals: NDArray[np.int64]
    sentence_scores: NDArray[np.float64]

    def _check_values(self) -> None:
        columns = self._columns
        are_right = all(
            loops.are_lengths(values) if values.typecode == "d" else min(values, default=0) >= 0
            for values in columns.values()
        )
        if are_right and loops.bounded(columns["matches"], columns["totals"]):
            return
        as_they_come, most = self._unclamped()
        for name, values in columns.items():
            kind = {"reference_length": "length", "sentence_scores": "score"}.get(name, "count")
            for place, value in enumerate(values):
                may_be_negative = name == "totals" and value == as_they_come[place]
                if not (may_be_negative or 0 <= value < math.inf):
                    row = f"row {place // self._width(name)} has {value}"
                    raise InputError(f"{name}: {row}, which is not a {kind}")
        for place, (match, total) in enumerate(zip(columns["matches"], columns["totals"], strict=True)):
            if match > (most[place] if total == as_they_come[place] else total):
                raise InputError(f"matches: row {place // self.max_order} has {match} of {total}")

    def _unclamped(self) -> tuple[list[int], list[int]]:
        """Return each total of a counter whose ``least_total`` is below 0, and how many matches it then allows.

        It is the sum of length - n + 1 over all segments. The most matches has one segment with all the tokens.
        """
        rows = list(zip(self._columns["hypothesis_length"], self._columns["segments"], strict=True))
        orders = range(self.max_order)
        totals = [length - order * segments for length, segments in rows for order in orders]
        return totals, [max(0, length - order) for length, _ in rows for order in orders]

    @classmethod
    def of_segments(  # noqa: PLR0913
        cls,
        max_order: int,
        hypothesis_length: Sequence[int],
        reference_length: Sequence[float],
        reference_tokens: Sequence[int],
        references: Sequence[int],
        matches: Sequence[int],
        totals: Sequence[int],
        counted_by: Hashable = COUNTS_GIVEN,
        *,
        checked: bool = False,
    ) -> Statistics:
        """Return a row per segment; ``references`` says how many each has, ``matches`` and ``totals`` are flat.

        Raises InputError for what cannot have been counted, unless ``checked`` says that all columns are arrays of the
        right type, which are not copied then, and that this has been checked.
        """
        rows = len(hypothesis_length)
        columns = {
            "segments": array("q", [1]) * rows,
            "hypothesis_length": hypothesis_length,
            "reference_length": reference_length,
            "reference_tokens": reference_tokens,
            "fewest_references": references,
            "most_references": references,
            "matches": matches,
            "totals": totals,
        }
        if checked:
            return cls._of(max_order, columns, None, counted_by)  # type: ignore[arg-type]
        return cls(max_order, columns, None, counted_by)

    def _lasts(self, rows: range | NDArray[np.int64]) -> Statistics:
        return (self._last or self)._chosen(rows, keyed=False)

    def with_sentence_scores(self, scores: NDArray[np.float64]) -> Statistics:
        """Return the same rows with the score of each, at the scale 1, of shape (rows,)."""
        columns = {**self._columns, "sentence_scores": self._copied("sentence_scores", scores)}
        return self._of(self.max_order, columns, self._last, self.counted_by, self._keys)

    @property
    def scored_columns(self) -> dict[str, Column]:
        """The columns whose sums determine the score of these rows together; of a macro variant their mean does."""
        names = ("segments", "sentence_scores") if "sentence_scores" in self._columns else super().scored_columns
        return {name: self._column(name) for name in names}

    def counted(self) -> tuple[Any, ...]:
        """Return the columns that :meth:`of_segments` takes, as they are kept: nobody may change them."""
        names = "hypothesis_length", "reference_length", "reference_tokens", "fewest_references", "matches", "totals"
        return tuple(map(self._columns.__getitem__, names))

    def counts(self, max_order: int) -> list[Counts]:
        """Return each row as smoothings see it, matches and totals up to ``max_order``."""
        self._require(max_order)
        of_last = self._last or self
        lasts = [of_last._counts(row, self.max_order, None) for row in range(len(self))]
        return [self._counts(row, max_order, last) for row, last in enumerate(lasts)]

    def table(self, max_order: int) -> CountsTable:
        """Return all rows as the batch methods of smoothings see them, matches and totals up to ``max_order``."""
        self._require(max_order)
        return self._table(max_order, (self._last or self)._table(self.max_order, None))

    def _require(self, max_order: int) -> None:
        if max_order > self.max_order:
            raise InputError(f"the statistics count n-grams up to order {self.max_order}, {max_order} are needed")

    def _counts(self, row: int, max_order: int, last: Counts | None) -> Counts:
        first = row * self.max_order
        return Counts(
            matches=self._columns["matches"][first : first + max_order].tolist(),
            totals=self._columns["totals"][first : first + max_order].tolist(),
            hypothesis_length=self._columns["hypothesis_length"][row],
            reference_length=self._columns["reference_length"][row],
            last_segment=last,
        )

    def _table(self, max_order: int, last: CountsTable | None) -> CountsTable:
        matches, totals = self.matches[:, :max_order], self.totals[:, :max_order]
        return CountsTable(matches, totals, self.hypothesis_length, self.reference_length, last)
