"""Tables: aligned lines for people, tab-separated values, and files of CSV, JSON Lines or Parquet."""

from __future__ import annotations

import os
import sys
import textwrap
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from bleukit.bleu.scoring import rounded
from bleukit.cli.printing import broken_signature, escaped, short_names, terminal_width
from bleukit.framework.errors import InputError
from bleukit.writing.phrases import aligned_lines, terminal_columns, wrapped_lines
from bleukit.writing.replacing import write_errors_named

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import TextIO

    from bleukit.cli.options import OutputOptions
    from bleukit.cli.output import HeldText
    from bleukit.comparing.tables import ResultTable

ROW_GROUP = 16
"""How many tables that are written one after the other are a row group of Parquet."""

LONGEST_NAME = 40
"""The greatest width of a column of names if there is no terminal."""

NAME_WIDTH = 12
"""The width to which the names of variants are broken at the head of a column."""

LEAST = 8
"""The least width to which a column of longer texts is broken."""

MANY_COLUMNS, WIDE = 6, 80
"""Tables with more columns that are wider have less space between them, so that they fit a terminal."""

LISTS = {"precisions": "precision", "matches": "matches", "totals": "total"}
"""Columns with a number for each order, and what each of these is called in CSV, before the order."""


def table_lines(
    heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int] = (), *, width: int | None = None
) -> list[str]:
    """Return the head of a table and its rows: text to the left, the columns of numbers to the right.

    A head may have several lines. If a first cell does not fit into ``width``, or into LONGEST_NAME columns if that is
    None, all first cells stand on lines of their own.
    """
    head = _lines_of_row(heads, above=True)
    widths = [max(map(terminal_columns, column)) for column in zip(*head, *rows, strict=True)]
    rest = sum(2 + column for column in widths[1:])
    fits = widths[0] <= (LONGEST_NAME if width is None else width - rest)
    names = [""] * len(rows)
    if not fits:
        names = [f"{row[0]}\n" for row in rows]
        head, rows = ([("", *row[1:]) for row in part] for part in (head, rows))
    lines = aligned_lines([*head, *rows], numbers)
    title = "" if fits else f"{heads[0]}\n"
    return [title + "\n".join(lines[: len(head)]), *map("".join, zip(names, lines[len(head) :], strict=True))]


def _lines_of_row(cells: Sequence[str], *, above: bool = False) -> list[tuple[str, ...]]:
    """Return a row whose cells have several lines as rows of lines; blank lines are added below, or ``above``."""
    step = -1 if above else 1
    return list(zip_longest(*(cell.split("\n")[::step] for cell in cells), fillvalue=""))[::step]


def ruled_lines(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int], width: int | None
) -> list[str]:
    """Return a table with a rule below its head. Texts, not numbers, are broken if it is too wide."""
    columns = list(zip(heads, *rows, strict=True))
    widths = [max(terminal_columns(line) for cell in column for line in cell.split("\n")) for column in columns]
    between = " " if len(heads) > MANY_COLUMNS and sum(widths) + 3 * len(widths) > WIDE else "   "
    texts = [place for place in range(len(heads)) if place not in numbers]
    for _ in range(2 + sum(widths) + len(between) * (len(widths) - 1) - (width or sys.maxsize)):
        widest = max(texts, key=widths.__getitem__)
        widths[widest] = max(widths[widest] - 1, LEAST)
    head, *body = ([broken(*cell) for cell in zip(row, widths, strict=True)] for row in (heads, *rows))
    above = _lines_of_row(head, above=True)
    lines = aligned_lines([*above, *(line for row in body for line in _lines_of_row(row))], numbers, between)
    rule = "─" * max(map(terminal_columns, lines))
    lines = [f" {line}" for line in (*lines[: len(above)], rule, *lines[len(above) :])]
    return [*([title] if title else []), "", *lines, ""]


def broken(cell: str, width: int) -> str:
    """Return a text in lines of at most this width, broken between words if possible."""
    lines = cell.split("\n")
    return "\n".join(part for line in lines for part in textwrap.wrap(line, width, break_on_hyphens=False) or [""])


def print_for_papers(form: str, verdict: str, made: Sequence[ResultTable], remarks: Sequence[str]) -> None:
    """Print tables between a verdict and remarks, in Markdown or LaTeX."""
    from bleukit.comparing import tables  # which scores do not need

    if form == "markdown":
        parts = [verdict, *map(tables.table_as_markdown, made), *remarks]
    else:
        first, last = ("\n".join(f"% {line}" for line in lines) for lines in ([verdict, tables.LATEX], remarks))
        parts = [first, *map(tables.table_as_latex, made), last]
    click.echo("\n\n".join(parts))


def broken_name(name: str) -> str:
    """Return the name of a variant as the head of a column: in lines, broken at hyphens."""
    lines = [""]
    for word in name.replace("-", "-\n").split("\n"):
        if lines[-1] and len(lines[-1] + word) > NAME_WIDTH:
            lines.append("")
        lines[-1] += word
    return "\n".join(lines)


def fitting_lines(
    title: str, names: Sequence[str], columns: Mapping[str, Sequence[str]], width: int | None
) -> list[str]:
    """Return the lines of a table or, if it does not fit into the width, of several below each other.

    The first column, of names that may have several lines, is in all of them; ``columns`` are those of numbers, by
    their heads.
    """
    before = max(terminal_columns(line) for name in [title, *names] for line in name.split("\n"))
    groups: list[list[str]] = [[]]
    used = before
    for head, cells in columns.items():
        needed = 2 + max(map(terminal_columns, [*head.split("\n"), *cells]))
        if groups[-1] and width is not None and used + needed > width:
            groups.append([])
            used = before
        groups[-1].append(head)
        used += needed
    lines: list[str] = []
    for group in groups:
        cells_of_rows = zip(names, *(columns[head] for head in group), strict=True)
        rows = [line for row in cells_of_rows for line in _lines_of_row(row)]
        lines += [*([""] if lines else []), *table_lines([title, *group], rows, range(1, 1 + len(group)), width=width)]
    return lines


def print_systems(  # noqa: PLR0913
    output: OutputOptions,
    systems: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    notes: Sequence[str],
    signatures: list[str],
    texts: Collection[str] = (),
) -> None:
    """Print a row for each system, notes and signatures; or the first column only, if scores only are chosen.

    The columns with the heads ``texts`` are aligned to the left.
    """
    lines = list(next(iter(columns.values())))
    if not output.score_only:
        width = terminal_width()
        names = [escaped(name) for name in short_names(systems)]
        numbers = [place for place, head in enumerate(columns, 1) if head not in texts]
        rows = list(zip(names, *columns.values(), strict=True))
        lines = [*table_lines(["system", *columns], rows, numbers, width=width), ""]
        for note in notes:
            lines += wrapped_lines(note, width)
        lines += [broken_signature(f"signature {signature}", width) for signature in signatures]
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
    return _harmless(escaped(text))


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
    else:
        (_write_csv if output.form == "csv" else _write_json_lines)(tables, output.destination.deferred())


def write_records(output: OutputOptions, records: Iterable[Mapping[str, Any]]) -> None:
    """Write records with equal keys as CSV; values that do not apply are empty."""
    rows = list(records)
    write_columns(output, [{key: [row[key] for row in rows] for key in rows[0]}])


def _write_csv(tables: Iterable[Mapping[str, Sequence[Any]]], stream: TextIO | HeldText) -> None:
    import csv  # which text does not need

    writer = csv.writer(stream, lineterminator="\n")
    for number, columns in enumerate(tables):
        flat: dict[str, Sequence[Any]] = {}
        for name, values in columns.items():
            if name in LISTS:
                of_orders = zip(*values, strict=True)
                flat |= {f"{LISTS[name]}_{order}": numbers for order, numbers in enumerate(of_orders, 1)}
            else:
                flat[name] = [_harmless(value) if isinstance(value, str) else value for value in values]
        if number == 0:
            writer.writerow(map(_harmless, flat))
        writer.writerows(zip(*flat.values(), strict=True))


def _harmless(text: str) -> str:
    """Return a text that spreadsheets take for text: what begins as a formula gets an apostrophe before it."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _write_json_lines(tables: Iterable[Mapping[str, Sequence[Any]]], stream: TextIO | HeldText) -> None:
    for columns in tables:
        fields = {f"field_{number}": name for number, name in enumerate(columns)}  # names may be no identifiers
        row = msgspec.defstruct("Row", [*fields], rename=fields)
        stream.write(msgspec.json.Encoder().encode_lines(list(map(row, *columns.values()))).decode())


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
