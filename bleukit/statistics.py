"""The additive sufficient statistics: all that a BLEU score needs to know of a text, one row a segment.

Statistics form a monoid: ``+`` joins the rows of two, ``Statistics.empty`` changes nothing, and the sum of the whole is
the sum of its parts. So documents, corpora, shards and resamples are all the same sum.
"""

from __future__ import annotations

import math
from array import array
from itertools import chain
from typing import TYPE_CHECKING, Any

from bleukit.errors import InputError
from bleukit.hookspecs import Counts
from bleukit.inputs import sequence

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

SINGLE_COLUMNS = (
    "segments",
    "hypothesis_length",
    "reference_length",
    "reference_length_rest",
    "reference_tokens",
    "fewest_references",
    "most_references",
)
"""The columns of a row, before max_order columns of matches and as many of totals."""

_FLOATS = ("reference_length", "reference_length_rest")
_MERGED_BY = {"fewest_references": min, "most_references": max}
"""How the columns that are not summed are merged."""


def row(  # noqa: PLR0913
    *,
    hypothesis_length: int,
    reference_length: float,
    reference_tokens: int,
    references: int,
    matches: Sequence[int],
    totals: Sequence[int],
) -> tuple[float, ...]:
    """Return the row of one segment, ``reference_length`` being the effective one."""
    lengths = (hypothesis_length, reference_length, 0, reference_tokens)
    return (1, *lengths, references, references, *matches, *totals)


class Statistics:
    """Rows of statistics; a row speaks of one segment, or of several that were summed.

    The columns are read-only numpy arrays, one item a row: ``segments`` (how many a row sums), ``hypothesis_length``,
    ``reference_length`` (the effective one, a float; what its sum was rounded by is ``reference_length_rest``),
    ``reference_tokens`` (of all references together), ``fewest_references`` and ``most_references`` of a segment, and,
    of shape (rows, max_order), ``matches`` and ``totals``. Lengths are in tokens. ``counted_by`` says how the rows were
    counted; only rows counted alike can be joined.
    """

    # Rows are kept in one flat buffer of doubles (whole numbers are exact up to 2**53), so that scoring files needs no
    # numpy, whose import would be a large part of the whole time.
    __slots__ = ("_last", "_rows", "counted_by", "max_order")

    segments: NDArray[np.int64]
    hypothesis_length: NDArray[np.int64]
    reference_length: NDArray[np.float64]
    reference_length_rest: NDArray[np.float64]
    reference_tokens: NDArray[np.int64]
    fewest_references: NDArray[np.int64]
    most_references: NDArray[np.int64]
    matches: NDArray[np.int64]
    totals: NDArray[np.int64]

    def __init__(
        self,
        max_order: int,
        rows: Iterable[float],
        last: Iterable[float] | None = None,
        counted_by: str = "counts:given",
    ) -> None:
        """``rows`` holds one row's values after the other; ``last``, for each row, that of its last segment alone."""
        self.max_order = max_order
        self.counted_by = counted_by
        self._rows = rows if isinstance(rows, array) else array("d", rows)
        self._last = self._rows if last is None else last if isinstance(last, array) else array("d", last)
        if len(self._rows) % self._width or len(self._rows) != len(self._last):
            raise InputError(
                f"rows of {self._width} values are needed for n-gram order {max_order}, see statistics.row"
            )

    @classmethod
    def empty(cls, max_order: int) -> Statistics:
        """Return the statistics of no segment, which change nothing when added."""
        return cls(max_order, ())

    @classmethod
    def concatenate(cls, parts: Iterable[Statistics]) -> Statistics:
        """Return the rows of all parts, in order. Raises InputError where they were not counted alike."""
        parts = list(parts)
        orders = {part.max_order for part in parts}
        if len(orders) != 1:
            counted = " and ".join(map(str, sorted(orders))) or "none at all"
            raise InputError(f"only statistics of one n-gram order can be joined, got orders {counted}")
        ways = sorted({part.counted_by for part in parts if len(part)})
        if len(ways) > 1:
            raise InputError(f"only statistics counted alike can be joined, got {' and '.join(ways)}")
        rows, last = array("d"), array("d")
        for part in parts:
            rows.extend(part._rows)  # noqa: SLF001 - of its own kind
            last.extend(part._last)  # noqa: SLF001
        return cls(orders.pop(), rows, last, ways[0] if ways else parts[0].counted_by)

    @property
    def _width(self) -> int:
        return len(SINGLE_COLUMNS) + 2 * self.max_order

    def __getattr__(self, column: str) -> NDArray[Any]:
        if column not in self.__annotations__:
            raise AttributeError(f"Statistics have no column {column!r}")
        import numpy as np

        table = np.frombuffer(self._rows).reshape(-1, self._width)
        if column in SINGLE_COLUMNS:
            values = table[:, SINGLE_COLUMNS.index(column)]
        else:
            first = len(SINGLE_COLUMNS) + (self.max_order if column == "totals" else 0)
            values = table[:, first : first + self.max_order]
        values = values.astype(np.float64 if column in _FLOATS else np.int64)
        values.flags.writeable = False
        return values

    def __len__(self) -> int:
        return len(self._rows) // self._width

    def __iter__(self) -> Iterator[Statistics]:
        return (self[row] for row in range(len(self)))

    def __getitem__(self, rows: int | slice | Sequence[int] | NDArray[Any]) -> Statistics:
        """Return some of the rows: by an index, a slice, a list of indices or a boolean mask."""
        width = self._width
        if isinstance(rows, slice):
            chosen: Iterable[int] = range(len(self))[rows]
        elif hasattr(rows, "__index__") and not hasattr(rows, "__len__"):
            chosen = [range(len(self))[rows]]  # raises IndexError beyond the end
        elif isinstance(rows, list) and not any(isinstance(row, bool) for row in rows):
            chosen = [range(len(self))[row] for row in rows]
        else:
            import numpy as np

            chosen = np.arange(len(self))[rows].tolist()
        starts = [row * width for row in chosen]
        return Statistics(
            self.max_order,
            chain.from_iterable(self._rows[start : start + width] for start in starts),
            chain.from_iterable(self._last[start : start + width] for start in starts),
            self.counted_by,
        )

    def __add__(self, other: object) -> Statistics:
        if not isinstance(other, Statistics):
            return NotImplemented
        return Statistics.concatenate([self, other])

    def __radd__(self, other: object) -> Statistics:
        return self if other == 0 else NotImplemented  # so that sum() adds statistics up

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statistics):
            return NotImplemented
        ours, theirs = ((s.max_order, s.counted_by, s._rows, s._last) for s in (self, other))  # noqa: SLF001
        return ours == theirs

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        segments = sum(self._rows[0 :: self._width])
        return f"<Statistics: {len(self)} rows, {segments:.0f} segments, max_order {self.max_order}>"

    def __reduce__(self) -> tuple[type[Statistics], tuple[int, array[float], array[float], str]]:
        return Statistics, (self.max_order, self._rows, self._last, self.counted_by)

    def sum(self) -> Statistics:
        """Return one row for all of them; no row where there is none."""
        width = self._width
        if len(self) <= 1:
            return self
        columns = SINGLE_COLUMNS + ("matches",) * self.max_order + ("totals",) * self.max_order
        total = [_MERGED_BY.get(column, math.fsum)(self._rows[i::width]) for i, column in enumerate(columns)]
        # An average length is no whole number: what rounding takes from its sum is kept, so that sums of sums agree.
        length, rest = SINGLE_COLUMNS.index("reference_length"), SINGLE_COLUMNS.index("reference_length_rest")
        parts = self._rows[length::width] + self._rows[rest::width]
        total[length] = math.fsum(parts)
        total[rest] = math.fsum([*parts, -total[length]])
        return Statistics(self.max_order, total, self._last[-width:], self.counted_by)

    def by_document(self, ids: Sequence[Hashable]) -> dict[Hashable, Statistics]:
        """Return the rows of each document, documents in the order in which they first appear.

        ``ids`` names the document of each row. Raises InputError where their number is not that of the rows.
        """
        ids = sequence(ids, "ids", "a sequence with the document of each row")
        if len(ids) != len(self):
            raise InputError(f"{len(self)} rows of statistics but {len(ids)} document ids; one id a row is needed")
        rows: dict[Hashable, list[int]] = {}
        for index, document in enumerate(ids):
            rows.setdefault(document, []).append(index)
        return {document: self[members] for document, members in rows.items()}

    def values(self, column: str) -> list[int]:
        """Return the whole numbers of one of SINGLE_COLUMNS, one a row."""
        return list(map(int, self._rows[SINGLE_COLUMNS.index(column) :: self._width]))

    def counts(self, max_order: int) -> list[Counts]:
        """Return each row as smoothings see it, matches and totals up to ``max_order``."""
        if max_order > self.max_order:
            raise InputError(f"the statistics count n-grams up to order {self.max_order}, {max_order} are needed")
        lasts = self._counts(self._last, self.max_order, [None] * len(self))
        return self._counts(self._rows, max_order, lasts)

    def _counts(self, rows: array[float], max_order: int, lasts: Sequence[Counts | None]) -> list[Counts]:
        matches, totals = len(SINGLE_COLUMNS), len(SINGLE_COLUMNS) + self.max_order
        counts = []
        for start, last in zip(range(0, len(rows), self._width), lasts, strict=True):
            _, hypothesis_length, reference_length, *_ = values = rows[start : start + self._width]
            counts.append(
                Counts(
                    matches=list(map(int, values[matches : matches + max_order])),
                    totals=list(map(int, values[totals : totals + max_order])),
                    hypothesis_length=int(hypothesis_length),
                    reference_length=reference_length,
                    last_segment=last,
                )
            )
        return counts
