"""Scores as a table in a file, CSV, JSON Lines or Parquet: a row for each unit and system, written as they come."""

from __future__ import annotations

import re
import sys
from itertools import chain
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from bleukit.cli.output import HeldText, destination
from bleukit.cli.printing import printable
from bleukit.cli.units import Units, in_pieces
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.accumulator import Level
    from bleukit.metric import Bleu
    from bleukit.statistics import Statistics

ROW_GROUP = 1 << 16
"""How many rows are written to Parquet at a time."""

_LISTS = {"precisions": "precision", "matches": "matches", "totals": "total"}
"""Columns with a number for each order, and what each of these is called in CSV, before the order."""
_WHOLE = {"matches", "totals", "hypothesis_length", "segments"}
_TEXTS = {"system", "document", "sentence", "signature"}


def unit_columns(bleu: Bleu, level: Level, rows: Statistics, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return the scores of some units and what they consist of, by column; ``names`` are those of the units."""
    values, penalties, precisions = bleu.score_columns(rows, level=level)
    orders = precisions.shape[1]
    return {
        level: list(names),
        "score": values.tolist(),
        "precisions": precisions.tolist(),
        "matches": rows.matches[:, :orders].tolist(),
        "totals": rows.totals[:, :orders].tolist(),
        "brevity_penalty": penalties.tolist(),
        "hypothesis_length": rows.hypothesis_length.tolist(),
        "reference_length": rows.reference_length.tolist(),
        "segments": rows.segments.tolist(),
    }


def write_table(kind: str, bleu: Bleu, level: Level, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Write the scores of units to the file of ``-o``; the rows of all systems of a unit follow each other.

    Raises InputError if Parquet needs what is not installed.
    """
    tables = _table_columns(bleu, level, systems, blocks)
    if kind == "parquet":
        _write_parquet(tables)
    else:
        (_write_csv if kind == "csv" else _write_json_lines)(tables, destination().deferred())


def _table_columns(
    bleu: Bleu, level: Level, systems: Sequence[str], blocks: Iterable[Units]
) -> Iterator[dict[str, list[Any]]]:
    """Yield the columns of the table, some rows at a time."""
    signatures: dict[tuple[int, int], str] = {}
    for units in in_pieces(blocks):
        names = units.names or ()
        of_systems = [
            {
                "system": [printable(system)] * len(names),
                **unit_columns(bleu, level, rows, names),
                "signature": _signatures(bleu, level, rows, signatures),
            }
            for system, rows in zip(systems, units.rows, strict=True)
        ]
        columns = {
            name: list(chain.from_iterable(zip(*(table[name] for table in of_systems), strict=True)))
            for name in of_systems[0]
        }
        if level == "corpus":
            del columns["corpus"]
        if units.comparison:
            intervals = [result.interval for result in units.comparison.systems]
            columns["interval_low"] = [interval and interval.low for interval in intervals]
            columns["interval_high"] = [interval and interval.high for interval in intervals]
        yield columns


def _signatures(bleu: Bleu, level: Level, rows: Statistics, known: dict[tuple[int, int], str]) -> list[str]:
    """Return the signature of each unit; ``known`` keeps those of each number of references."""
    numbers = list(zip(rows.column("fewest_references"), rows.column("most_references"), strict=True))
    for number in set(numbers) - known.keys():
        known[number] = bleu.scores(rows[numbers.index(number)], level=level)[0].signature
    return [known[number] for number in numbers]


def _write_csv(tables: Iterable[Mapping[str, Sequence[Any]]], stream: TextIO | HeldText) -> None:
    for number, columns in enumerate(tables):
        flat: dict[str, Sequence[Any]] = {}
        for name, values in columns.items():
            if name in _LISTS:
                of_orders = zip(*values, strict=True)
                flat |= {f"{_LISTS[name]}_{order}": numbers for order, numbers in enumerate(of_orders, 1)}
            else:
                flat[name] = values
        header = [] if number else [",".join(flat)]
        rows = map(",".join, zip(*map(_cells, flat.values()), strict=True))
        stream.write("\n".join([*header, *rows, ""]))


def _cells(values: Sequence[str | float | None]) -> list[str]:
    """Return values as the standard library writes them in CSV, which takes it three times as long.

    Texts are quoted if necessary; None is an empty cell.
    """
    if set(map(type, values)) == {float}:
        numbers = msgspec.json.encode(values).decode()[1:-1].split(",")
        pairs: Any = zip(values, numbers, strict=True)
        return [number if 1e-4 <= value < 1e16 else repr(value) for value, number in pairs]  # JSON has others otherwise
    cells = ["" if value is None else str(value) for value in values]
    if not _SPECIAL.search("".join(cells)):
        return cells
    return ['"{}"'.format(cell.replace('"', '""')) if _SPECIAL.search(cell) else cell for cell in cells]


_SPECIAL = re.compile('[,"\r\n]')


def _write_json_lines(tables: Iterable[Mapping[str, Sequence[Any]]], stream: TextIO | HeldText) -> None:
    for columns in tables:
        row = msgspec.defstruct("Row", [*columns])
        stream.write(msgspec.json.Encoder().encode_lines(list(map(row, *columns.values()))).decode())


def _write_parquet(tables: Iterable[Mapping[str, Sequence[Any]]]) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise InputError("writing Parquet needs pyarrow: pip install 'bleukit[arrow]'") from error
    sink = _BytesSink(sys.stdout)
    writer: Any = None
    batches: list[Any] = []
    try:
        for columns in tables:
            schema = _schema(pa, [*columns])
            writer = writer or parquet.ParquetWriter(sink, schema)
            arrays = [pa.array(columns[field.name], field.type) for field in schema]
            batches.append(pa.record_batch(arrays, schema=schema))
            if sum(batch.num_rows for batch in batches) >= ROW_GROUP:
                writer.write_table(pa.Table.from_batches(batches))
                batches = []
        if batches:
            writer.write_table(pa.Table.from_batches(batches))
    except BaseException:
        sink.is_abandoned = True
        raise
    finally:
        if writer:
            writer.close()


def _schema(pa: Any, names: Sequence[str]) -> Any:
    kinds = {name: pa.int64() if name in _WHOLE else pa.float64() for name in names}
    kinds |= {name: pa.list_(kinds[name]) for name in _LISTS}
    kinds |= {name: pa.string() for name in names if name in _TEXTS}
    return pa.schema(list(kinds.items()))


class _BytesSink:
    """Standard output, or the file in its place, as pyarrow writes to it: bytes, whose number it asks for."""

    closed = is_abandoned = False

    def __init__(self, stream: TextIO) -> None:
        stream.flush()
        self._buffer = stream.buffer
        self._written = 0

    def write(self, data: bytes) -> int:
        self._written += len(data)
        return len(data) if self.is_abandoned else self._buffer.write(data)

    def tell(self) -> int:
        return self._written

    def flush(self) -> None:
        """Leave it to who has opened the file."""

    def close(self) -> None:
        self.closed = True
