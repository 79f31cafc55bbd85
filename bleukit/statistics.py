"""The additive sufficient statistics: all that a BLEU score needs to know of a text, one row a segment.

Statistics form a monoid: ``+`` joins the rows of two, ``Statistics.empty`` changes nothing, and the sum of the whole is
the sum of its parts. So documents, corpora, shards and resamples are all the same sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from bleukit.errors import InputError
from bleukit.hookspecs import Counts

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

_MERGED_BY = {"fewest_references": np.min, "most_references": np.max}
"""How the columns that are not summed are merged."""


def row_type(max_order: int) -> np.dtype[Any]:
    """Return the columns of a row of statistics that counts n-grams up to ``max_order``."""
    return np.dtype(
        [
            ("segments", np.int64),
            ("hypothesis_length", np.int64),
            ("reference_length", np.float64),
            ("reference_tokens", np.int64),
            ("fewest_references", np.int64),
            ("most_references", np.int64),
            ("matches", np.int64, (max_order,)),
            ("totals", np.int64, (max_order,)),
        ]
    )


class Statistics:
    """Rows of statistics, read-only; a row speaks of one segment, or of several that were summed.

    The columns are arrays, one item a row: ``segments`` (how many a row sums), ``hypothesis_length``,
    ``reference_length`` (the effective one), ``reference_tokens`` (of all references together), ``fewest_references``
    and ``most_references`` of a segment, and, of shape (rows, max_order), ``matches`` and ``totals``. Lengths are in
    tokens.
    """

    __slots__ = ("_last", "_rows")

    segments: NDArray[np.int64]
    hypothesis_length: NDArray[np.int64]
    reference_length: NDArray[np.float64]
    reference_tokens: NDArray[np.int64]
    fewest_references: NDArray[np.int64]
    most_references: NDArray[np.int64]
    matches: NDArray[np.int64]
    totals: NDArray[np.int64]

    def __init__(self, rows: NDArray[Any], last: NDArray[Any] | None = None) -> None:
        """``rows`` has a dtype of row_type; ``last`` holds, for each row, the row of its last segment alone."""
        self._rows = rows
        self._last = rows if last is None else last
        for array in (self._rows, self._last):
            array.flags.writeable = False

    @classmethod
    def empty(cls, max_order: int) -> Statistics:
        """Return the statistics of no segment, which change nothing when added."""
        return cls(np.zeros(0, row_type(max_order)))

    @classmethod
    def concatenate(cls, parts: Iterable[Statistics]) -> Statistics:
        """Return the rows of all parts, in order. Raises InputError where they count to different orders."""
        parts = list(parts)
        orders = {part.max_order for part in parts}
        if len(orders) != 1:
            counted = " and ".join(map(str, sorted(orders))) or "none at all"
            raise InputError(f"only statistics of one n-gram order can be joined, got orders {counted}")
        rows, last = zip(*((part._rows, part._last) for part in parts), strict=True)  # noqa: SLF001 - of its own kind
        return cls(np.concatenate(rows), np.concatenate(last))

    @property
    def max_order(self) -> int:
        """The highest n-gram order that is counted."""
        return int(self._rows["matches"].shape[1])

    def __getattr__(self, column: str) -> NDArray[Any]:
        if column.startswith("_") or column not in (self._rows.dtype.names or ()):
            raise AttributeError(f"Statistics have no column {column!r}")
        return self._rows[column]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, rows: SupportsIndex | slice | Sequence[int] | NDArray[Any]) -> Statistics:
        """Return some of the rows: by an index, a slice, a list of indices or a boolean mask."""
        if isinstance(rows, SupportsIndex):
            index = range(len(self))[rows]  # IndexError beyond the end, so that iteration stops there
            rows = slice(index, index + 1)
        return Statistics(self._rows[rows], self._last[rows])

    def __add__(self, other: object) -> Statistics:
        if not isinstance(other, Statistics):
            return NotImplemented
        return Statistics.concatenate([self, other])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statistics):
            return NotImplemented
        return np.array_equal(self._rows, other._rows) and np.array_equal(self._last, other._last)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Statistics: {len(self)} rows, {self._rows['segments'].sum()} segments, max_order {self.max_order}>"

    def __reduce__(self) -> tuple[type[Statistics], tuple[NDArray[Any], NDArray[Any]]]:
        return Statistics, (self._rows.copy(), self._last.copy())

    def sum(self) -> Statistics:
        """Return one row for all of them; no row where there is none."""
        if not len(self):
            return self
        total = np.zeros(1, self._rows.dtype)
        for column in total.dtype.names or ():
            total[column] = _MERGED_BY.get(column, np.sum)(self._rows[column], axis=0)
        return Statistics(total, self._last[-1:].copy())

    def by_document(self, ids: Sequence[Hashable]) -> dict[Hashable, Statistics]:
        """Return the rows of each document, documents in the order in which they first appear.

        ``ids`` names the document of each row. Raises InputError where their number is not that of the rows.
        """
        if len(ids) != len(self):
            raise InputError(f"{len(self)} rows of statistics but {len(ids)} document ids; one id a row is needed")
        rows: dict[Hashable, list[int]] = {}
        for row, document in enumerate(ids):
            rows.setdefault(document, []).append(row)
        return {document: self[members] for document, members in rows.items()}

    def counts(self, max_order: int) -> list[Counts]:
        """Return each row as smoothings see it, matches and totals up to ``max_order``."""
        if max_order > self.max_order:
            raise InputError(f"the statistics count n-grams up to order {self.max_order}, {max_order} are needed")
        lasts = _counts(self._last, self.max_order, [None] * len(self))
        return _counts(self._rows, max_order, lasts)


def _counts(rows: NDArray[Any], max_order: int, lasts: Sequence[Counts | None]) -> list[Counts]:
    columns = (
        rows["matches"][:, :max_order].tolist(),
        rows["totals"][:, :max_order].tolist(),
        rows["hypothesis_length"].tolist(),
        rows["reference_length"].tolist(),
        lasts,
    )
    return [Counts(*row) for row in zip(*columns, strict=True)]
