"""The scores of systems by several variants or metrics, as text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from bleukit.cli import printing
from bleukit.cli.tables import print_systems
from bleukit.reading.paths import encodable
from bleukit.tables.table import shown_score
from bleukit.writing.printers import text_lines
from bleukit.writing.table import table_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.cli.options import OutputOptions
    from bleukit.cli.sacrebleu import Provenance
    from bleukit.tables.table import Table, TableColumn

MOST_SIGNATURES = 8
"""Of more variants no signatures are printed."""

NAME_WIDTH = 12
"""The width to which the names of variants are broken at the head of a column."""


def printable(table: Table, provenance: Provenance) -> Table:
    """Return a table whose systems every output can hold, and whose signatures name the test set."""
    rows = tuple({**row, "system": encodable(row["system"])} for row in table.rows)
    columns = tuple(
        replace(column, signature=column.signature and provenance.named(column.signature)) for column in table.columns
    )
    return replace(table, rows=rows, columns=columns)


def print_scores(output: OutputOptions, table: Table) -> None:
    """Print only the scores: a line for each system, with a column for each metric."""
    for row in table.rows:
        scores = (shown_score(row[one.variant], one.scale, output.width) for one in table.columns)
        click.echo("\t".join(scores))


def print_by_system(output: OutputOptions, table: Table) -> None:
    """Print a row for each system, a column for each metric, notes and signatures."""
    columns = {column.variant: _cells(table, column, output.width, in_points=False) for column in table.columns}
    notes = [f"note: {reason}: {', '.join(names)}" for reason, names in table.notes.items()]
    notes += [f"intervals: {table.procedure}"] if table.procedure else []
    notes += [f"signature {column.signature}" for column in table.columns if column.signature]
    print_systems(output, [row["system"] for row in table.rows], columns, notes)


def print_by_score(output: OutputOptions, table: Table) -> None:
    """Print a row for each score, from 0 to 100 and highest first, with the variants that give it; then their notes.

    Variants with notes are below those without. With one system, the differences from the variant that was named first
    follow; if there are more systems than rows, each system has a row. Signatures of many variants would fill some
    screens.
    """
    marks = {reason: f"[{number}]" for number, reason in enumerate(table.notes, 1)}
    alike: dict[tuple[object, ...], list[TableColumn]] = {}
    for column in sorted(table.columns, key=lambda one: _order(table, one)):
        alike.setdefault((*_cells(table, column, output.width), column.notes), []).append(column)
    groups = [sorted(group, key=table.columns.index) for group in alike.values()]
    labels = [
        " ".join([", ".join(column.variant for column in group), *(marks[note] for note in group[0].notes)])
        for group in groups
    ]
    cells = [_cells(table, group[0], output.width) for group in groups]
    systems = [printing.escaped(name) for name in printing.short_names([row["system"] for row in table.rows])]
    columns: list[tuple[str, Sequence[str]]]
    if len(systems) > len(groups):
        heads = ["\n".join(map(_broken_name, label.split(" "))) for label in labels]
        columns = [("system", systems), *zip(heads, cells, strict=True)]
    else:
        of_systems = list(zip(*cells, strict=True))
        columns = [("variant", labels), *zip(systems, of_systems, strict=True)]
        if len(systems) == 1:
            columns[1:] = [("BLEU", of_systems[0]), _differences(table, groups, output.width)]
    is_short = len(table.columns) <= MOST_SIGNATURES
    notes = [f"{mark} {reason}" for reason, mark in marks.items()]
    if is_short:
        notes = [f"{note}: {', '.join(names)}" for note, names in zip(notes, table.notes.values(), strict=True)]
    notes += [f"intervals: {table.procedure}"] if table.procedure else []
    signatures = [f"signature {column.signature}" for column in table.columns if column.signature]
    notes += signatures if is_short else ["signatures: --format json"]
    shown = table_of(columns, {columns[0][0]}, notes=notes)
    click.echo("\n".join(text_lines(shown, printing.terminal_width())))


def _broken_name(name: str) -> str:
    """Return the name of a variant as the head of a column: in lines, broken at hyphens."""
    lines = [""]
    for word in name.replace("-", "-\n").split("\n"):
        if lines[-1] and len(lines[-1] + word) > NAME_WIDTH:
            lines.append("")
        lines[-1] += word
    return "\n".join(lines)


def _points(table: Table, column: TableColumn) -> list[float | None]:
    """Return the scores of the systems by a variant, from 0 to 100; None for no score."""
    scores = [row[column.variant] for row in table.rows]
    return [None if score is None else score * 100 / (column.scale or 100) for score in scores]


def _order(table: Table, column: TableColumn) -> tuple[bool, int, float]:
    """Return what variants are sorted by: those with a score first, those without notes first, the highest first."""
    first = _points(table, column)[0]
    return first is None, len(column.notes), -(first or 0)


def _cells(table: Table, column: TableColumn, places: int | None, *, in_points: bool = True) -> list[str]:
    """Return the scores of the systems, from 0 to 100 if ``in_points``, with their intervals in brackets."""
    scale = 100 if in_points else column.scale
    by = 100 / (column.scale or 100) if in_points else 1
    cells = []
    for place, row in enumerate(table.rows):
        score = row[column.variant]
        cell = shown_score(None if score is None else score * by, scale, places)
        interval = table.intervals[column.variant][place] if column.variant in table.intervals else None
        if interval:
            cell += " ({}–{})".format(*(shown_score(end * by, scale, places) for end in (interval.low, interval.high)))
        cells.append(cell)
    return cells


def _differences(table: Table, groups: Sequence[Sequence[TableColumn]], places: int | None) -> tuple[str, list[str]]:
    """Return a column of what the only system has more by each group than by the first variant that gives a score."""
    first = next(column for column in table.columns if column.scale)
    [least] = _points(table, first)
    places = 2 if places is None else places
    differences = [None if first in group else _points(table, group[0])[0] for group in groups]
    shown = ["" if point is None or least is None else f"{point - least:+.{places}f}" for point in differences]
    return f"from\n{first.variant}", shown
