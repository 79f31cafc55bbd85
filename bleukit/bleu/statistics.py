"""The additive sufficient statistics of BLEU: all that a BLEU score needs to know of a text, one row per segment."""

from __future__ import annotations

from array import array
from itertools import repeat
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

LAST = "last_"
"""The prefix of the columns with the last segment of each row."""


class Statistics(AdditiveStatistics):
    """Rows of statistics of BLEU; a row describes one segment, or the sum of several.

    The columns are read-only numpy arrays with one item per row: ``segments`` (how many the row sums),
    ``hypothesis_length``, ``reference_length`` (the effective one, a float), ``reference_tokens`` (of all references
    together), ``fewest_references`` and ``most_references`` of a segment, and, of shape (rows, max_order), ``matches``
    and ``totals``. Lengths are in tokens. Only statistics counted by a macro variant have ``sentence_scores``, floats
    at the scale 1. Only those counted by a variant whose smoothing reads the last segment of a text have it in columns
    ``last_segments``, ``last_hypothesis_length`` and so on. All else is as for
    :class:`bleukit.framework.additive.AdditiveStatistics`.

    InputError is also raised for more matches than totals.
    """

    COLUMNS: ClassVar[Mapping[str, Column]] = MappingProxyType(
        {
            "segments": Column(),
            "hypothesis_length": Column(),
            "reference_length": Column("d"),
            "reference_tokens": Column(),
            "fewest_references": Column(merge="least"),
            "most_references": Column(merge="greatest"),
            "matches": Column(per_order=True),
            "totals": Column(per_order=True),
        }
    )
    OPTIONAL: ClassVar[Mapping[str, Column]] = MappingProxyType(
        {
            "sentence_scores": Column("d"),
            **{f"{LAST}{name}": column._replace(merge="last") for name, column in COLUMNS.items()},
            f"{LAST}sentence_scores": Column("d", "last"),
        }
    )

    __slots__ = ()

    hypothesis_length: NDArray[np.int64]
    reference_length: NDArray[np.float64]
    reference_tokens: NDArray[np.int64]
    matches: NDArray[np.int64]
    totals: NDArray[np.int64]
    sentence_scores: NDArray[np.float64]

    def _check_values(self) -> None:
        columns = self._columns
        if self.has_order:
            Statistics(self.max_order, self._columns_of_last)
        super()._check_values()
        if loops.bounded(columns["matches"], columns["totals"]):
            return
        for place, (match, total) in enumerate(zip(columns["matches"], columns["totals"], strict=True)):
            if match > total:
                raise InputError(f"matches: row {place // self.max_order} has {match} of {total}")

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
            return cls._of(max_order, columns, counted_by)  # type: ignore[arg-type]
        return cls(max_order, columns, counted_by)

    def with_sentence_scores(self, scores: NDArray[np.float64]) -> Statistics:
        """Return the same rows with the score of each, at the scale 1, of shape (rows,)."""
        columns = {**self._columns, "sentence_scores": self._copied("sentence_scores", scores)}
        return self._of(self.max_order, columns, self.counted_by, self._keys)

    def with_last_segments(self) -> Statistics:
        """Return the same rows, which keep of each sum the last segment; each row must be of one segment."""
        last = {f"{LAST}{name}": values for name, values in self._columns.items() if not name.startswith(LAST)}
        return self._of(self.max_order, {**self._columns, **last}, self.counted_by, self._keys)

    @property
    def last_rows(self) -> Statistics | None:
        """The last segment of each row; None if they are not kept. That of one segment is the row itself."""
        if self.has_order:
            return self._of(self.max_order, self._columns_of_last, self.counted_by)
        return self if max(self._columns["segments"], default=1) == 1 else None

    @property
    def scored_columns(self) -> dict[str, Column]:
        """The columns whose sums determine the score of these rows together; of a macro variant their mean does."""
        names = ("segments", "sentence_scores") if "sentence_scores" in self._columns else super().scored_columns
        return {name: self._column(name) for name in names}

    @property
    def _columns_of_last(self) -> dict[str, array[Any]]:
        return {name.removeprefix(LAST): values for name, values in self._columns.items() if name.startswith(LAST)}

    def counted(self) -> tuple[Any, ...]:
        """Return the columns that :meth:`of_segments` takes, as they are kept: nobody may change them."""
        names = "hypothesis_length", "reference_length", "reference_tokens", "fewest_references", "matches", "totals"
        return tuple(map(self._columns.__getitem__, names))

    def counts(self, max_order: int, *, last: bool = False) -> list[Counts]:
        """Return each row as smoothings see it, matches and totals up to ``max_order``.

        ``last`` says that they see the last segment, too; InputError is raised if that is not kept.
        """
        kept = self._required(max_order, last=last)
        lasts = kept.counts(kept.max_order) if kept else repeat(None)
        return [self._counts(row, max_order, last) for row, last in zip(range(len(self)), lasts)]  # noqa: B905 - endless

    def table(self, max_order: int, *, last: bool = False) -> CountsTable:
        """Return all rows as the batch methods of smoothings see them, otherwise as :meth:`counts`."""
        kept = self._required(max_order, last=last)
        matches, totals = self.matches[:, :max_order], self.totals[:, :max_order]
        table = kept.table(kept.max_order) if kept else None
        return CountsTable(matches, totals, self.hypothesis_length, self.reference_length, table, self.segments)

    def _required(self, max_order: int, *, last: bool) -> Statistics | None:
        """Return the last segments, if they are asked for. Raises InputError if they, or orders, are not there."""
        if max_order > self.max_order:
            raise InputError(f"the statistics count n-grams up to order {self.max_order}, {max_order} are needed")
        kept = self.last_rows if last else None
        if last and kept is None:
            raise InputError(
                "the statistics do not keep the last segment, which the smoothing reads: count them by the variant"
            )
        return kept

    def _counts(self, row: int, max_order: int, last: Counts | None) -> Counts:
        first = row * self.max_order
        return Counts(
            matches=self._columns["matches"][first : first + max_order].tolist(),
            totals=self._columns["totals"][first : first + max_order].tolist(),
            hypothesis_length=self._columns["hypothesis_length"][row],
            reference_length=self._columns["reference_length"][row],
            last=last,
            segments=self._columns["segments"][row],
        )
