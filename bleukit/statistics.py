"""The additive sufficient statistics: all that a BLEU score needs to know of a text, one row a segment.

Statistics form a monoid: ``+`` joins the rows of two, ``Statistics.empty`` changes nothing, and the sum of the whole is
the sum of its parts. So documents, corpora, shards and resamples are all the same sum.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from bleukit.counting import columns
from bleukit.errors import InputError
from bleukit.hookspecs import Counts, CountsTable
from bleukit.text.arguments import sequence

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

_SINGLE = (
    "segments",
    "hypothesis_length",
    "reference_length",
    "reference_length_rest",
    "reference_tokens",
    "fewest_references",
    "most_references",
)
"""The columns with one value a row."""

_PER_ORDER = ("matches", "totals")
_FLOATS = ("reference_length", "reference_length_rest")
_MERGED = {"fewest_references": columns.least, "most_references": columns.greatest}
"""What becomes of the columns that are not summed."""


class Statistics:
    """Rows of statistics; a row speaks of one segment, or of several that were summed.

    The columns are read-only numpy arrays, one item a row: ``segments`` (how many a row sums), ``hypothesis_length``,
    ``reference_length`` (the effective one, a float; what its sum was rounded by is ``reference_length_rest``),
    ``reference_tokens`` (of all references together), ``fewest_references`` and ``most_references`` of a segment, and,
    of shape (rows, max_order), ``matches`` and ``totals``. Lengths are in tokens. ``counted_by`` says how the rows were
    counted; only rows counted alike can be joined.
    """

    COLUMNS = (*_SINGLE, *_PER_ORDER)

    # Columns are kept as arrays of the standard library, so that scoring files needs no numpy, whose import would be
    # a large part of the whole time.
    __slots__ = ("_columns", "_last", "counted_by", "max_order")

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
        columns: Mapping[str, Iterable[float]],
        last: Statistics | None = None,
        counted_by: str = "counts:given",
    ) -> None:
        """``columns`` holds the values of all columns, of matches and totals max_order a row, row by row.

        ``last`` holds, for each row, that of its last segment alone, where rows sum several. Raises InputError where a
        column is missing, or has not as many values as it should.
        """
        self.max_order = max_order
        self.counted_by = counted_by
        self._columns = {name: _array(name, columns.get(name, ())) for name in self.COLUMNS}
        self._last = last
        rows = len(self)
        for name, column in self._columns.items():
            if len(column) != rows * self._width(name):
                raise InputError(f"{name}: {rows} rows need {rows * self._width(name)} values, got {len(column)}")

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
        counted_by: str = "counts:given",
    ) -> Statistics:
        """Return a row for each segment; ``references`` says how many each has, ``matches`` and ``totals`` are flat."""
        rows = len(hypothesis_length)
        columns = {
            "segments": array("q", [1]) * rows,
            "hypothesis_length": hypothesis_length,
            "reference_length": reference_length,
            "reference_length_rest": array("d", [0]) * rows,
            "reference_tokens": reference_tokens,
            "fewest_references": references,
            "most_references": references,
            "matches": matches,
            "totals": totals,
        }
        return cls(max_order, columns, None, counted_by)

    @classmethod
    def empty(cls, max_order: int) -> Statistics:
        """Return the statistics of no segment, which change nothing when added."""
        return cls(max_order, {})

    @classmethod
    def concatenate(cls, parts: Iterable[Statistics]) -> Statistics:
        """Return the rows of all parts, in order. Raises InputError where they were not counted alike."""
        parts = list(parts)
        orders = {part.max_order for part in parts}
        if len(orders) != 1:
            counted = " and ".join(map(str, sorted(orders))) or "none at all"
            raise InputError(f"only statistics of one n-gram order can be joined, got orders {counted}")
        parts = [part for part in parts if len(part)] or parts[:1]
        if len(parts) == 1:
            return parts[0]
        ways = sorted({part.counted_by for part in parts})
        if len(ways) > 1:
            raise InputError(f"only statistics counted alike can be joined, got {' and '.join(ways)}")
        columns = {name: array(column.typecode) for name, column in parts[0]._columns.items()}  # noqa: SLF001 - its own kind
        for name, column in columns.items():
            column.frombytes(b"".join([part._columns[name] for part in parts]))  # noqa: SLF001
        summed = any(part._last for part in parts)  # noqa: SLF001
        last = cls.concatenate([part._last or part for part in parts]) if summed else None  # noqa: SLF001
        return cls(orders.pop(), columns, last, ways[0])

    def _width(self, column: str) -> int:
        return self.max_order if column in _PER_ORDER else 1

    def __getattr__(self, column: str) -> NDArray[Any]:
        if column not in self.__annotations__:
            raise AttributeError(f"Statistics have no column {column!r}")
        import numpy as np

        values = np.asarray(self._columns[column])
        if column in _PER_ORDER:
            values = values.reshape(-1, self.max_order)
        values.flags.writeable = False
        return values

    def __len__(self) -> int:
        return len(self._columns["segments"])

    def __iter__(self) -> Iterator[Statistics]:
        return (self[row] for row in range(len(self)))

    def __getitem__(self, rows: int | slice | Sequence[int] | NDArray[Any]) -> Statistics:
        """Return some of the rows: by an index, a slice, a list of indices or a boolean mask."""
        chosen: Sequence[int]
        if isinstance(rows, slice):
            chosen = range(len(self))[rows]
        elif hasattr(rows, "__index__") and not hasattr(rows, "__len__"):
            chosen = [range(len(self))[rows]]  # raises IndexError beyond the end
        elif isinstance(rows, list) and not any(isinstance(row, bool) for row in rows):
            chosen = [range(len(self))[row] for row in rows]
        else:
            import numpy as np

            chosen = np.arange(len(self))[rows].tolist()
        columns = {name: self._chosen(column, self._width(name), chosen) for name, column in self._columns.items()}
        return Statistics(self.max_order, columns, self._last and self._last[list(chosen)], self.counted_by)

    @staticmethod
    def _chosen(column: array[Any], width: int, rows: Sequence[int]) -> array[Any]:
        if isinstance(rows, range) and rows.step == 1:
            return column[rows.start * width : max(rows.start, rows.stop) * width]
        return array(column.typecode, [column[row * width + i] for row in rows for i in range(width)])

    def __add__(self, other: object) -> Statistics:
        if not isinstance(other, Statistics):
            return NotImplemented
        return Statistics.concatenate([self, other])

    def __radd__(self, other: object) -> Statistics:
        return self if other == 0 else NotImplemented  # so that sum() adds statistics up

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statistics):
            return NotImplemented
        ours, theirs = ((s.max_order, s.counted_by, s._columns, s._last) for s in (self, other))  # noqa: SLF001
        return ours == theirs

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        segments = sum(self._columns["segments"])
        return f"<Statistics: {len(self)} rows, {segments} segments, max_order {self.max_order}>"

    def __reduce__(self) -> tuple[type[Statistics], tuple[Any, ...]]:
        return Statistics, (self.max_order, self._columns, self._last, self.counted_by)

    def sum(self) -> Statistics:
        """Return one row for all of them; no row where there is none."""
        if len(self) <= 1:
            return self
        total: dict[str, list[Any]] = {name: [merged(self._columns[name])] for name, merged in _MERGED.items()}
        for name in self._columns.keys() - total.keys() - {*_FLOATS}:
            total[name] = columns.sums(self._columns[name], self._width(name))
        # An average length is no whole number: what rounding takes from its sum is kept, so that sums of sums agree.
        parts = self._columns["reference_length"] + self._columns["reference_length_rest"]
        length = columns.total(parts)
        total |= {"reference_length": [length], "reference_length_rest": [columns.total(parts + array("d", [-length]))]}
        return Statistics(self.max_order, total, (self._last or self)[-1], self.counted_by)

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

    def values(self, column: str) -> Sequence[int]:
        """Return the values of a column that has one a row, without numpy."""
        values: Sequence[int] = self._columns[column]
        return values

    def counts(self, max_order: int) -> list[Counts]:
        """Return each row as smoothings see it, matches and totals up to ``max_order``."""
        self._require(max_order)
        of_last = self._last or self
        lasts = [of_last._counts(row, self.max_order, None) for row in range(len(self))]  # noqa: SLF001
        return [self._counts(row, max_order, last) for row, last in enumerate(lasts)]

    def table(self, max_order: int) -> CountsTable:
        """Return all rows as the batch methods of smoothings see them, matches and totals up to ``max_order``."""
        self._require(max_order)
        return self._table(max_order, (self._last or self)._table(self.max_order, None))  # noqa: SLF001

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


def _array(name: str, values: Iterable[float]) -> array[Any]:
    typecode = "d" if name in _FLOATS else "q"
    return values if isinstance(values, array) and values.typecode == typecode else array(typecode, values)
