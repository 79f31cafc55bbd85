"""Rows of named columns that add up: what every metric needs to know of a text, one row per segment.

They form a monoid: ``+`` joins the rows of two, no rows change nothing, and the sum of the whole is the sum of its
parts. So documents, corpora, shards and resamples are all the same sum.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, SupportsIndex

from bleukit.framework import loops
from bleukit.framework.arguments import check_sequence, check_whole_number, number_labels
from bleukit.framework.errors import InputError, InputTypeError, near_misses, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Self

COUNTS_GIVEN = "counts:given"
"""Says that the numbers were not counted here, but given."""


class Column(NamedTuple):
    """How a column of statistics is kept, and what becomes of its numbers if rows are merged.

    ``typecode`` is that of its array: "q" for whole numbers of 64 bits, "d" for floats. A row has one number, or one
    for each n-gram order. ``scored`` says whether the score depends on its sum.
    """

    typecode: Literal["q", "d"] = "q"
    merge: Literal["sum", "least", "greatest", "last"] = "sum"
    per_order: bool = False
    scored: bool = True


class AdditiveStatistics:
    """Rows of statistics; a row describes one segment, or the sum of several. Each metric has a class of its own.

    The columns are read-only numpy arrays with one item per row, or of shape (rows, max_order): those of ``COLUMNS``,
    and some of ``OPTIONAL``. All have ``segments`` (how many the row sums), and ``fewest_references`` and
    ``most_references`` of a segment. ``counted_by`` says how the rows were counted; only rows counted alike can be
    joined. Rows may have :meth:`keys`, such as documents.

    Sums of whole numbers are exact, and sums of floats are rounded: sums of sums may differ from the sum of all by
    1e-13 of it.
    """

    COLUMNS: ClassVar[Mapping[str, Column]]
    OPTIONAL: ClassVar[Mapping[str, Column]] = {}
    OF_REFERENCES: ClassVar[str] = "reference_tokens"
    """The column of how long all references together are, which is the same for all systems."""

    # Columns are arrays of the standard library, so that scoring files does not import numpy, which takes long.
    __slots__ = ("_columns", "_keys", "counted_by", "max_order")

    segments: NDArray[np.int64]
    fewest_references: NDArray[np.int64]
    most_references: NDArray[np.int64]

    def __init__(
        self,
        max_order: int,
        columns: Mapping[str, Iterable[float]],
        counted_by: Hashable = COUNTS_GIVEN,
        keys: Iterable[Hashable] | None = None,
    ) -> None:
        """Copy ``columns``: the values of all columns; of those with a number per order max_order per row, row by row.

        ``keys`` holds one key per row. Raises InputError if a column is missing, unknown, or does not have as many
        values as it should, and for what cannot have been counted, such as negative numbers and lengths that are not
        finite.
        """
        self.max_order = check_whole_number(max_order, "max_order", 1)
        if not isinstance(columns, Mapping):
            raise InputTypeError(f"columns: expected a mapping of names to values, got {shown(columns)}")
        names = [*self.COLUMNS, *(name for name in self.OPTIONAL if name in columns)]
        self._columns = {name: self._copied(name, columns.get(name, ())) for name in names}
        self.counted_by = counted_by
        self._keys = None if keys is None else tuple(keys)
        unknown = [name for name in columns if name not in names]
        if unknown:
            raise InputError(f"{unknown[0]}: no such column; {near_misses(unknown[0], list(self.COLUMNS))}")
        self._check()

    def _check(self) -> Self:
        rows = len(self)
        for name, column in self._columns.items():
            if len(column) != rows * self._width(name):
                raise InputError(f"{name}: {rows} rows need {rows * self._width(name)} values, got {len(column)}")
        if self._keys is not None and len(self._keys) != rows:
            raise InputError(f"keys: {rows} rows need {rows} keys, got {len(self._keys)}")
        self._check_values()
        return self

    def _check_values(self) -> None:
        for name, values in self._columns.items():
            if not (loops.are_lengths(values) if values.typecode == "d" else min(values, default=0) >= 0):
                place = next(place for place, value in enumerate(values) if not 0 <= value < math.inf)
                kind = "count" if values.typecode == "q" else name.rpartition("_")[2].removesuffix("s")
                raise InputError(f"{name}: row {place // self._width(name)} has {values[place]}, which is not a {kind}")

    @classmethod
    def _of(
        cls,
        max_order: int,
        columns: dict[str, array[Any]],
        counted_by: Hashable,
        keys: tuple[Hashable, ...] | None = None,
    ) -> Self:
        """Return statistics of columns that are right, without a copy."""
        made = cls.__new__(cls)
        made.max_order, made._columns, made.counted_by, made._keys = max_order, columns, counted_by, keys
        return made

    @classmethod
    def empty(cls, max_order: int) -> Self:
        """Return the statistics of no segment, which change nothing when added."""
        return cls(max_order, {})

    @classmethod
    def concatenate(cls, parts: Iterable[Self]) -> Self:
        """Return the rows of all parts, in order. Raises InputError if they were not counted alike."""
        parts = list(parts)
        if len({type(part) for part in parts}) > 1:
            raise InputError("only statistics of one metric can be joined")
        orders = {part.max_order for part in parts}
        if len(orders) != 1:
            counted = " and ".join(map(str, sorted(orders))) or "none at all"
            raise InputError(f"only statistics of one n-gram order can be joined, got orders {counted}")
        parts = [part for part in parts if len(part)] or parts[:1]
        if len(parts) == 1:
            return parts[0]
        ways = {part.counted_by for part in parts}
        if len(ways) > 1:
            described = sorted({str(way) for way in ways})
            differ = "" if len(described) > 1 else ", by different Python objects"
            raise InputError(f"only statistics counted alike can be joined, got {' and '.join(described)}{differ}")
        names = parts[0].columns
        if len({part.columns for part in parts}) > 1:  # what keeps no last row of a sum has none of the whole
            without = {tuple(name for name in part.columns if part._column(name).merge != "last") for part in parts}
            names = without.pop()
            if without:
                problem = "only statistics counted alike can be joined, and some of these have no sentence scores"
                raise InputError(problem)
        columns = {name: array(parts[0]._columns[name].typecode) for name in names}
        for name, column in columns.items():
            column.frombytes(b"".join([part._columns[name] for part in parts]))
        keyed = all(part._keys is not None for part in parts)
        keys = tuple(chain.from_iterable(part._keys or () for part in parts)) if keyed else None
        return parts[0]._of(orders.pop(), columns, ways.pop(), keys)

    def _width(self, column: str) -> int:
        return self.max_order if self._column(column).per_order else 1

    @classmethod
    def _column(cls, name: str) -> Column:
        return cls.COLUMNS.get(name) or cls.OPTIONAL[name]

    @classmethod
    def _copied(cls, name: str, values: Iterable[float]) -> array[Any]:
        """Return values as the array of a column. Raises InputError for what it cannot hold."""
        typecode = cls._column(name).typecode
        try:
            # Of NumPy's numbers, uint64 may hold more than int64; whole numbers are made of no others.
            if not hasattr(values, "astype") or getattr(values, "dtype", "") == "uint64":
                return array(typecode, values)
            column = array(typecode)
            column.frombytes(values.astype({"q": "int64", "d": "float64"}[typecode], casting="same_kind").tobytes())
        except OverflowError as error:
            raise InputError(f"{name}: holds a number of more than 64 bits") from error
        except TypeError as error:
            kind = "numbers" if typecode == "d" else "whole numbers"
            raise InputTypeError(f"{name}: expected {kind}, got {shown(values)}") from error
        return column

    def __getattr__(self, column: str) -> NDArray[Any]:
        if column == "_columns" or column not in self._columns:
            raise AttributeError(f"Statistics have no column {column!r}")
        import numpy as np

        values = np.asarray(self._columns[column])
        if self._column(column).per_order:
            values = values.reshape(-1, self.max_order)
        values.flags.writeable = False
        return values

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._columns})

    def __len__(self) -> int:
        return len(self._columns["segments"])

    def __iter__(self) -> Iterator[Self]:
        return (self[row] for row in range(len(self)))

    def __getitem__(self, rows: int | slice | str | ArrayLike) -> Self:
        """Return some of the rows: by an index, a slice, an array of indices, a boolean mask, or a key that is a str.

        Raises IndexError for a row, and KeyError for a key, that is not there.
        """
        if isinstance(rows, str):
            if rows not in self.keys():
                raise KeyError(rows)
            return self[self.keys().index(rows)]
        if isinstance(rows, slice):
            chosen: Any = range(len(self))[rows]
        elif isinstance(rows, SupportsIndex) and not hasattr(rows, "__len__"):
            row = range(len(self))[rows]  # raises IndexError beyond the end
            chosen = range(row, row + 1)
        else:
            import numpy as np

            chosen = np.arange(len(self))[np.asarray(rows, dtype=None if np.size(rows) else np.int64)]
        return self._chosen(chosen)

    def _chosen(self, rows: range | NDArray[np.int64]) -> Self:
        columns = {name: _rows(column, self._width(name), rows) for name, column in self._columns.items()}
        keys = None if self._keys is None else tuple(map(self._keys.__getitem__, rows))
        return self._of(self.max_order, columns, self.counted_by, keys)

    def __add__(self, other: object) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return self.concatenate([self, other])

    def __radd__(self, other: object) -> Self:
        return self if other == 0 else NotImplemented  # so that sum() adds statistics up

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        ours, theirs = ((s.max_order, s.counted_by, s._columns, s._keys) for s in (self, other))
        return bool(ours == theirs)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        segments = sum(self._columns["segments"])
        return f"<{type(self).__name__}: {len(self)} rows, {segments} segments, max_order {self.max_order}>"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (self.max_order, self._columns, self.counted_by, self._keys)

    def with_keys(self, keys: Iterable[Hashable]) -> Self:
        """Return the same rows with these keys. Raises InputError if their number is not that of the rows."""
        return self._of(self.max_order, self._columns, self.counted_by, tuple(keys))._check()

    def keys(self) -> tuple[Hashable, ...]:
        """Return the key of each row, such as its document; the numbers of the rows, from 0, if they have none."""
        return tuple(range(len(self))) if self._keys is None else self._keys

    def items(self) -> Iterator[tuple[Hashable, Self]]:
        """Return the key of each row, and the row."""
        return ((key, self[row]) for row, key in enumerate(self.keys()))

    @property
    def has_order(self) -> bool:
        """Whether the sum of rows depends on their order, because a column keeps the number of the last."""
        return any(self._column(name).merge == "last" for name in self._columns)

    @property
    def has_keys(self) -> bool:
        """Whether rows have keys of their own, not their numbers."""
        return self._keys is not None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns: those of ``COLUMNS``, and those of ``OPTIONAL`` that are there."""
        return tuple(self._columns)

    @property
    def flat_columns(self) -> dict[str, Column]:
        """The columns by names of single numbers: ``matches_1`` to ``matches_4`` in place of ``matches``."""
        return {flat: self._column(name) for name in self._columns for flat in self._flat_names(name)}

    def _flat_names(self, name: str) -> list[str]:
        orders = range(1, self.max_order + 1)
        return [f"{name}_{order}" for order in orders] if self._column(name).per_order else [name]

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the numbers of each of ``flat_columns``, of shape (rows,)."""
        return {
            flat: values
            for name in self._columns
            for flat, values in zip(
                self._flat_names(name), getattr(self, name).reshape(len(self), self._width(name)).T, strict=True
            )
        }

    @property
    def scored_columns(self) -> dict[str, Column]:
        """The columns whose sums determine the score of these rows together."""
        columns = {name: self._column(name) for name in self._columns}
        return {name: column for name, column in columns.items() if column.merge == "sum" and column.scored}

    @property
    def summed_columns(self) -> tuple[str, ...]:
        """The names of single numbers, as in ``flat_columns``, in the ``scored_columns``."""
        return tuple(flat for name in self.scored_columns for flat in self._flat_names(name))

    def summed_rows(self) -> NDArray[np.float64]:
        """Return the numbers of ``summed_columns``, of shape (rows, columns)."""
        import numpy as np

        return np.column_stack([getattr(self, name) for name in self.scored_columns]).astype(np.float64, copy=False)

    def with_flat(self, columns: Mapping[str, ArrayLike], keys: Iterable[Hashable] | None = None) -> Self:
        """Return other rows of what was counted as these are: the numbers of each of ``flat_columns``.

        Raises InputError for what cannot have been counted.
        """
        import numpy as np

        made = {name: np.stack([columns[flat] for flat in self._flat_names(name)], 1).ravel() for name in self._columns}
        return type(self)(self.max_order, made, self.counted_by, keys)

    def column(self, name: str) -> memoryview:
        """Return a column as a read-only buffer, of matches and totals row by row; it takes no numpy.

        Raises InputError for a name that is none of ``columns``.
        """
        if name not in self._columns:
            raise InputError(f"{name!r:.60} is not a column; {near_misses(str(name), list(self.columns))}")
        return memoryview(self._columns[name]).toreadonly()

    def sum(self, last: Self | None = None) -> Self:
        """Return one row, the sum of all; no row if there is none.

        ``last`` holds the last row of the text, if the rows are of documents, whose segments may be interleaved.
        """
        if len(self) <= 1:
            return self
        columns = {name: self._merged(name, values, last or self) for name, values in self._columns.items()}
        return self._of(self.max_order, columns, self.counted_by)

    def _merged(self, name: str, values: array[Any], last: Self) -> array[Any]:
        """Return what becomes of a column of at least one row if all rows are merged; ``last`` ends with the last."""
        column = self._column(name)
        if column.merge == "last":
            return last._columns[name][-self._width(name) :]
        if column.merge != "sum":
            return array("q", [min(values) if column.merge == "least" else max(values)])
        if column.typecode == "q":
            return array("q", loops.sums(values, self._width(name)))
        try:
            return array("d", [math.fsum(values)])
        except OverflowError:
            raise InputError(f"the sum of some {name} is beyond all floats") from None

    def by_document(self, ids: Sequence[Hashable]) -> Self:
        """Return one row per document, the sum of its rows, in the order in which documents first appear.

        ``ids`` names the document of each row; the rows returned have these as :meth:`keys`. Raises InputError if their
        number is not that of the rows.
        """
        ids = check_sequence(ids, "ids", "a sequence with the document of each row")
        if len(ids) != len(self):
            raise InputError(f"{len(self)} rows of statistics but {len(ids)} document ids; one id per row is needed")
        documents, names = number_labels(ids, "ids")
        if len(names) == len(documents):  # a document is a row
            return self._of(self.max_order, self._columns, self.counted_by, tuple(names))
        self.sum()  # raises InputError if a sum is too large, where numpy's would wrap around
        import numpy as np

        order = np.argsort(documents, kind="stable")
        starts = np.flatnonzero(np.diff(np.asarray(documents)[order], prepend=-1))
        lasts = order[np.append(starts[1:], len(order)) - 1]
        merges = {"sum": np.add, "least": np.minimum, "greatest": np.maximum}
        columns = {}
        for name in self._columns:
            merge, values = self._column(name).merge, getattr(self, name)
            merged = values[lasts] if merge == "last" else merges[merge].reduceat(values[order], starts, axis=0)
            columns[name] = self._copied(name, merged.ravel())
        return self._of(self.max_order, columns, self.counted_by, tuple(names))

    def resampled(self, weights: ArrayLike | None = None, *, indices: ArrayLike | None = None) -> Self:
        """Return one row per resample: the sum of the rows that it takes.

        Give either ``weights`` of shape (resamples, rows), how many times each row is taken, or ``indices`` of shape
        (resamples, rows taken), which rows are. Counts are exact. Raises InputError for anything else.
        """
        import numpy as np

        chosen = self._require_resamples(weights, indices)
        if not len(self):
            raise InputError("a resample takes no row; at least one is needed")
        values = {name: getattr(self, name).astype(np.float64) for name in self._columns}
        most = chosen.max(initial=0) if indices is None else chosen.shape[1]
        if most * max(each.sum(axis=0).max() for each in values.values()) >= 2**53:
            raise InputError("the sum of a resample may be beyond 2**53, up to which floats hold whole numbers")
        columns = {name: array(column.typecode) for name, column in self._columns.items()}
        for taken in chosen:
            times = taken if indices is None else np.bincount(taken, minlength=len(self))
            rows = np.flatnonzero(times)
            if not len(rows):
                raise InputError("a resample takes no row; at least one is needed")
            last = rows[-1] if indices is None else taken[-1]
            weights = times.astype(np.float64)
            for name, column in columns.items():
                merge = self._column(name).merge
                if merge == "sum":
                    found = weights @ values[name]
                elif merge == "last":
                    found = values[name][last]
                else:
                    found = values[name][rows].min() if merge == "least" else values[name][rows].max()
                column.frombytes(found.astype(column.typecode).tobytes())
        return self._of(self.max_order, columns, self.counted_by)

    def _require_resamples(self, weights: ArrayLike | None, indices: ArrayLike | None) -> NDArray[Any]:
        """Return the weights or the indices of resamples. Raises InputError for what is neither."""
        import numpy as np

        if (weights is None) == (indices is None):
            raise InputTypeError("expected either weights or indices")
        chosen = np.asarray(weights if indices is None else indices)
        if chosen.ndim != 2 or chosen.dtype.kind not in "iub":
            what = "weights" if indices is None else "indices"
            raise InputError(f"{what}: expected whole numbers of shape (resamples, rows), got {shown(chosen.shape)}")
        if indices is None and (chosen.shape[1] != len(self) or (chosen.size and chosen.min() < 0)):
            raise InputError(f"weights: expected numbers of at least 0 for each of {len(self)} rows")
        if indices is not None and chosen.size and not (chosen.min() >= 0 and chosen.max() < len(self)):
            raise InputError(f"indices: expected numbers of rows, 0 to {len(self) - 1}")
        return chosen


def _rows(column: array[Any], width: int, rows: range | NDArray[np.int64]) -> array[Any]:
    if isinstance(rows, range) and rows.step == 1:
        return column[rows.start * width : max(rows.start, rows.stop) * width]
    import numpy as np

    chosen = array(column.typecode)
    chosen.frombytes(np.asarray(column).reshape(-1, width)[np.asarray(rows, np.int64)].tobytes())
    return chosen
