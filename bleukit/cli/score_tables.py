"""Scores as a table in a file, CSV, JSON Lines or Parquet: a row for each system and unit, written while it is read."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

from bleukit.cli.printing import printable
from bleukit.cli.scores import PIECE, unit_columns
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TextIO

    from bleukit.accumulator import Level
    from bleukit.cli.scores import Scores
    from bleukit.metric import Bleu
    from bleukit.statistics import Statistics

ROW_GROUP = 1 << 16
"""How many rows are written to Parquet at a time."""

_LISTS = {"precisions": "precision", "matches": "matches", "totals": "total"}
"""Columns with a number for each order, and what each of these is called in CSV, before the order."""
_WHOLE = {"matches", "totals", "hypothesis_length", "segments"}


class _Writer(Protocol):
    def write(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Write some rows, given as columns."""

    def close(self) -> None:
        """Write what is left."""

    def abandon(self) -> None:
        """Write nothing more, because of an error."""


class ScoreTable:
    """Writes the scores of units, which may come in parts; those of all systems of a unit follow each other."""

    def __init__(self, writer: _Writer, bleu: Bleu, level: Level) -> None:
        self._writer = writer
        self._bleu = bleu
        self._level = level
        self._units = 0
        self._signatures: dict[tuple[int, int], str] = {}

    def add(
        self,
        systems: Sequence[str],
        statistics: Sequence[Statistics],
        names: Sequence[str] | None = None,
        others: Mapping[str, Sequence[Any]] | None = None,
    ) -> None:
        """Write the scores of some units of each system; ``others`` are columns that follow, of one unit each."""
        for start in range(0, len(statistics[0]), PIECE):
            some = slice(start, start + PIECE)
            units = len(statistics[0][some])
            number = self._units + 1
            called = list(names[some]) if names else list(map(str, range(number, number + units)))
            of_systems = [
                {
                    "system": [printable(system)] * units,
                    **unit_columns(self._bleu, self._level, rows[some], called),
                    "signature": self._signatures_of(rows[some]),
                }
                for system, rows in zip(systems, statistics, strict=True)
            ]
            columns = {
                name: list(chain.from_iterable(zip(*(each[name] for each in of_systems), strict=True)))
                for name in of_systems[0]
            }
            if self._level == "corpus":
                del columns["corpus"]
            self._writer.write({**columns, **(others or {})})
            self._units += units

    def _signatures_of(self, rows: Statistics) -> list[str]:
        numbers = list(zip(rows.column("fewest_references"), rows.column("most_references"), strict=True))
        for row, number in enumerate(numbers if len(set(numbers) - self._signatures.keys()) else ()):
            if number not in self._signatures:
                self._signatures[number] = self._bleu.scores(rows[row], level=self._level)[0].signature
        return [self._signatures[number] for number in numbers]


@contextmanager
def score_table(kind: str, bleu: Bleu, level: Level, *, intervals: bool = False) -> Iterator[ScoreTable]:
    """Write a table of scores to where the command prints. Raises InputError if Parquet needs what is not installed."""
    writer: _Writer
    if kind == "parquet":
        writer = _Parquet(sys.stdout, level, intervals=intervals)
    else:
        writer = (_Csv if kind == "csv" else _JsonLines)()
    try:
        yield ScoreTable(writer, bleu, level)
    except BaseException:
        writer.abandon()
        raise
    writer.close()


def print_scores(scores: Scores, form: str | None, table: str, width: int | None, *, score_only: bool) -> None:
    """Print scores of statistics that are held in memory: as a table of this kind, or as JSON or text."""
    if table:
        _write(table, scores)
        return
    for lines in scores.as_json() if form == "json" else scores.as_text(width, score_only=score_only):
        sys.stdout.writelines((lines, "\n"))  # click.echo would look for colors in all of it


def _write(kind: str, scores: Scores) -> None:
    systems, level = scores.systems, scores.level
    resampled = [system.resampled[0] for system in systems if system.resampled]
    with score_table(kind, scores.bleu, level, intervals=bool(resampled)) as table:
        rows = [system.rows.sum() if level == "corpus" else system.rows for system in systems]
        ends = [(each.interval.low, each.interval.high) if each.interval else (None, None) for each in resampled]
        low, high = zip(*ends, strict=True) if ends else ((), ())
        others = {"interval_low": low, "interval_high": high} if ends else {}
        names = list(map(str, rows[0].keys())) if level == "document" else scores.segments
        table.add([system.name for system in systems], rows, names, others)


class _Csv:
    def __init__(self) -> None:
        self._has_header = False

    def write(self, columns: Mapping[str, Sequence[Any]]) -> None:
        flat: dict[str, Sequence[Any]] = {}
        for name, values in columns.items():
            if name in _LISTS:
                of_orders = zip(*values, strict=True)
                flat |= {f"{_LISTS[name]}_{order}": each for order, each in enumerate(of_orders, 1)}
            else:
                flat[name] = values
        header = [] if self._has_header else [",".join(flat)]
        self._has_header = True
        rows = map(",".join, zip(*map(_cells, flat.values()), strict=True))
        sys.stdout.write("\n".join([*header, *rows, ""]))

    def close(self) -> None:
        """Write nothing more."""

    abandon = close


def _cells(values: Sequence[str | float | None]) -> list[str]:
    """Return values as the standard library writes them in CSV, which takes it three times as long.

    Texts stand in quotation marks if they need them; for None there is nothing.
    """
    if set(map(type, values)) == {float}:
        import msgspec

        numbers = msgspec.json.encode(values).decode()[1:-1].split(",")
        pairs: Any = zip(values, numbers, strict=True)
        return [number if 1e-4 <= value < 1e16 else repr(value) for value, number in pairs]  # JSON has others otherwise
    cells = ["" if value is None else str(value) for value in values]
    if not _SPECIAL.search("".join(cells)):
        return cells
    return ['"{}"'.format(cell.replace('"', '""')) if _SPECIAL.search(cell) else cell for cell in cells]


_SPECIAL = re.compile('[,"\r\n]')


class _JsonLines:
    def write(self, columns: Mapping[str, Sequence[Any]]) -> None:
        import msgspec

        row = msgspec.defstruct("Row", [*columns])
        rows = list(map(row, *columns.values()))
        sys.stdout.write(msgspec.json.Encoder().encode_lines(rows).decode())

    def close(self) -> None:
        """Write nothing more."""

    abandon = close


class _Parquet:
    def __init__(self, stream: TextIO, level: Level, *, intervals: bool) -> None:
        try:
            import pyarrow as pa
            from pyarrow import parquet
        except ImportError as error:
            raise InputError("writing Parquet needs pyarrow: pip install 'bleukit[arrow]'") from error
        names = ["system", level, "score", *_LISTS, "brevity_penalty", "hypothesis_length", "reference_length"]
        names += ["segments", "signature", *(("interval_low", "interval_high") if intervals else ())]
        if level == "corpus":
            names.remove(level)
        kinds = {name: pa.int64() if name in _WHOLE else pa.float64() for name in names}
        kinds |= {name: pa.list_(kinds[name]) for name in _LISTS}
        kinds |= {name: pa.string() for name in ("system", level, "signature") if name in names}
        self._schema = pa.schema(list(kinds.items()))
        self._batches: list[Any] = []
        self._rows = 0
        self._sink = _Sink(stream)
        self._writer = parquet.ParquetWriter(self._sink, self._schema)

    def write(self, columns: Mapping[str, Sequence[Any]]) -> None:
        import pyarrow as pa

        batch = pa.record_batch([pa.array(columns[each.name], each.type) for each in self._schema], schema=self._schema)
        self._batches.append(batch)
        self._rows += batch.num_rows
        if self._rows >= ROW_GROUP:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def abandon(self) -> None:
        self._sink.is_abandoned = True
        self._writer.close()

    def _flush(self) -> None:
        import pyarrow as pa

        self._writer.write_table(pa.Table.from_batches(self._batches, self._schema))
        self._batches, self._rows = [], 0


class _Sink:
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
