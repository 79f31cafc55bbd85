"""Scores as tables: for people, as tab-separated values, and in files of CSV, JSON Lines or Parquet."""

from __future__ import annotations

import os
import sys
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from bleukit.bleu.scoring import rounded
from bleukit.cli.printing import escaped, short_names, terminal_width
from bleukit.framework.errors import InputError
from bleukit.writing.printers import harmless, text_lines, write_csv, write_json_lines
from bleukit.writing.replacing import write_errors_named
from bleukit.writing.table import table_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from bleukit.cli.options import OutputOptions

ROW_GROUP = 16
"""How many tables that are written one after the other are a row group of Parquet."""

LISTS = {"precisions": "precision", "matches": "matches", "totals": "total"}
"""Columns with a number for each order, and what each of these is called in CSV, before the order."""


def print_systems(  # noqa: PLR0913
    output: OutputOptions,
    systems: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    notes: Sequence[str],
    texts: Collection[str] = (),
    units: Mapping[str, str] | None = None,
) -> None:
    """Print a row for each system, and notes; or the first column only, if scores only are chosen.

    The columns with the heads ``texts`` are aligned to the left; ``units`` are those of columns.
    """
    lines = list(next(iter(columns.values())))
    if not output.score_only:
        names = [escaped(name) for name in short_names(systems)]
        table = table_of([("system", names), *columns.items()], {"system", *texts}, units=units, notes=notes)
        lines = text_lines(table, terminal_width())
    output.destination.deferred().write("".join(f"{line}\n" for line in lines))


class ScoredUnits(NamedTuple):
    """Some documents or sentences: columns of their names, and columns of scores, None for no score."""

    names: Sequence[Sequence[str]]
    scores: Sequence[Sequence[float | None]]
    signatures: Iterable[str]


def print_values(output: OutputOptions, heads: Sequence[str], blocks: Iterable[ScoredUnits]) -> None:
    """Print tab-separated values, and after them the signatures of the first block; or scores only, if so chosen."""
    stream = output.destination.deferred()
    if not output.score_only:
        stream.write("\t".join(map(text_cell, heads)) + "\n")
    signatures: list[str] = []
    for block in blocks:
        signatures = signatures or [*block.signatures]
        names = [] if output.score_only else [map(text_cell, column) for column in block.names]
        columns = [*names, *([_value(score, output.width) for score in column] for column in block.scores)]
        stream.write("\n".join(map("\t".join, zip(*columns, strict=True))) + "\n")
    if not output.score_only:
        stream.write("".join(f"# signature {signature}\n" for signature in signatures))


def text_cell(text: str) -> str:
    """Return a text as a cell of tab-separated values."""
    return str(harmless(escaped(text)))


def _value(score: float | None, places: int | None) -> str:
    if score is None:
        return ""
    return repr(score) if places is None else rounded(score, places)


def interleaved(columns: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the first items of all columns, then the second ones, and so on."""
    return list(chain.from_iterable(zip(*columns, strict=True)))


def write_columns(output: OutputOptions, tables: Iterable[Mapping[str, Sequence[Any]]]) -> None:
    """Write the columns of a table, some rows at a time, to where the command prints.

    Raises InputError if Parquet needs what is not installed.
    """
    if output.form == "parquet":
        _write_parquet(iter(tables), output.destination.path)
    elif output.form == "csv":
        write_csv(map(_flat, tables), output.destination.deferred())
    else:
        write_json_lines(tables, output.destination.deferred())


def write_records(output: OutputOptions, records: Iterable[Mapping[str, Any]]) -> None:
    """Write records with equal keys as CSV; values that do not apply are empty."""
    rows = list(records)
    write_columns(output, [{key: [row[key] for row in rows] for key in rows[0]}])


def _flat(columns: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """Return columns with one for each order instead of each of LISTS."""
    flat: dict[str, Sequence[Any]] = {}
    for name, values in columns.items():
        if name in LISTS:
            flat |= {f"{LISTS[name]}_{order}": of_order for order, of_order in enumerate(zip(*values, strict=True), 1)}
        else:
            flat[name] = values
    return flat


def _write_parquet(tables: Iterator[Mapping[str, Sequence[Any]]], path: str) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise InputError("writing Parquet needs pyarrow: pip install 'bleukit[arrow]'") from error
    first = next(tables)
    kinds = {name: pa.array(values).type for name, values in first.items()}
    is_empty = pa.types.is_null  # numbers, none of which is known
    schema = pa.schema({name: pa.float64() if is_empty(kind) else kind for name, kind in kinds.items()})
    pieces = (pa.table(dict(columns), schema) for columns in chain([first], tables))
    with (
        write_errors_named(path),
        os.fdopen(sys.stdout.fileno(), "wb", closefd=False) as file,
        parquet.ParquetWriter(file, schema) as writer,
    ):
        while group := list(islice(pieces, ROW_GROUP)):
            writer.write_table(pa.concat_tables(group))
