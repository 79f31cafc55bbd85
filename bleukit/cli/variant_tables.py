"""``bleukit score`` with several variants: a row for each system, a column for each variant."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from bleukit.atlas.columns import named_columns
from bleukit.atlas.counting import readings_of
from bleukit.atlas.table import Tabulation, grouped_notes, shown_score, tabulated
from bleukit.cli.options import chosen_variant, option_value
from bleukit.cli.output import destination
from bleukit.cli.printing import (
    as_json,
    broken_name,
    broken_signature,
    encodable,
    escaped,
    fitting_columns,
    short_names,
    table_lines,
    terminal_width,
)
from bleukit.cli.reading import chosen_limits
from bleukit.cli.scores import unit_signatures, write_columns
from bleukit.cli.test_sets import described_test_set, naming_test_set
from bleukit.comparing.settings import Settings
from bleukit.inspecting.phrases import terminal_columns, wrapped_lines
from bleukit.text.arguments import available_cores

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.accumulator import Level
    from bleukit.atlas.columns import Column
    from bleukit.atlas.table import Piece, Table, TableColumn
    from bleukit.text.aligned_files import AlignedFiles
    from bleukit.text.evaluation_sets import SetCorpus

MOST_BESIDE = 8
"""Of more variants each has a row."""


def chosen_columns_of(names: Sequence[str]) -> list[Column]:
    """Return the columns of the variants that -V names."""
    return named_columns(names, lambda name: chosen_variant({"variant": name}))


def write_variants(  # noqa: PLR0913
    form: str,
    names: Sequence[str],
    corpus: AlignedFiles | SetCorpus,
    level: Level,
    threads: int | None,
    intervals: Mapping[str, Any],
) -> None:
    """Print the scores of all systems by several variants. After an error nothing is printed."""
    columns = chosen_columns_of(names)
    settings = Settings(**intervals) if intervals else None
    making = Tabulation(columns, corpus.systems, level, has_documents=corpus.has_documents, intervals=settings)
    readings = readings_of(corpus, making.bleus.values(), chosen_limits())
    pieces = making.pieces(readings, threads or available_cores())
    if form == "json":
        table = _named(tabulated(making, list(pieces)))
        click.echo(as_json(table.to_dict() | described_test_set()))
    elif form != "text":
        write_columns(form, _flat_columns(making, pieces))
        _warn(columns)
    elif level == "corpus":
        _write_text(_named(tabulated(making, list(pieces))))
        if option_value("score_only"):
            _warn(columns)
    else:
        _write_values(making, pieces)
        _warn(columns)


def _named(table: Table) -> Table:
    """Return a table whose systems every output can hold, and whose signatures name the test set."""
    rows = tuple({**row, "system": encodable(row["system"])} for row in table.rows)
    columns = tuple(
        replace(column, signature=column.signature and naming_test_set(column.signature)) for column in table.columns
    )
    return replace(table, rows=rows, columns=columns)


def _warn(columns: Sequence[Column]) -> None:
    for reason, names in grouped_notes((column.name, column.notes) for column in columns).items():
        click.echo(f"bleukit: warning: {reason}: {', '.join(names)}", err=True)


def _flat_columns(making: Tabulation, pieces: Iterable[Piece]) -> Iterator[dict[str, list[Any]]]:
    """Yield the columns of a table file, some rows at a time: scores, and the signature and the notes of each."""
    known: dict[str, dict[tuple[int, int], str]] = {}
    above: dict[str, str] = {}
    for piece, names in _with_names(pieces):
        systems = making.systems
        columns: dict[str, list[Any]] = {"system": list(map(encodable, systems)) * len(names)}
        if making.level != "corpus":
            columns[making.level] = [name for name in names for _ in systems]
        scores = making.scores(piece)
        for column in making.columns:
            missing: list[list[Any]] = [[None] * len(names)] * len(systems)
            columns[column.name] = _interleaved(scores.get(column.name, missing))
        for name, comparison in piece.comparisons.items():
            intervals = [result.interval for result in comparison.systems]
            columns[f"interval_low_{name}"] = [interval and interval.low for interval in intervals]
            columns[f"interval_high_{name}"] = [interval and interval.high for interval in intervals]
        texts = _texts(making, piece, known, len(columns["system"]))
        if making.level != "corpus":  # where they would take more space than all else
            last = {name: values[-1] for name, values in texts.items()}
            texts = {name: _changes(values, above.get(name)) for name, values in texts.items()}
            above = last
        columns |= texts
        yield columns


def _texts(
    making: Tabulation, piece: Piece, known: dict[str, dict[tuple[int, int], str]], rows: int
) -> dict[str, list[Any]]:
    """Return the columns of signatures and notes; ``known`` keeps the signatures of each number of references."""
    columns: dict[str, list[Any]] = {}
    for name, of_systems in piece.rows.items():
        bleu, signatures = making.bleus[name], known.setdefault(name, {})
        columns[f"signature_{name}"] = _interleaved(
            [unit_signatures(bleu, making.level, statistics, signatures) for statistics in of_systems]
        )
    return columns | {f"note_{one.name}": ["; ".join(one.notes)] * rows for one in making.columns if one.notes}


def _changes(texts: Sequence[str], above: str | None) -> list[str | None]:
    """Return texts that are not the same as in the row above, of which the first is given; None for the others."""
    return [None if text == before else text for before, text in zip([above, *texts], texts, strict=False)]


def _interleaved(of_systems: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the items of all systems for the first unit, then those for the second."""
    return list(chain.from_iterable(zip(*of_systems, strict=True)))


def _with_names(pieces: Iterable[Piece]) -> Iterator[tuple[Piece, Sequence[str]]]:
    """Yield the pieces with the names of their units: numbers, from 1, if they have no others."""
    before = 0
    for piece in pieces:
        names = piece.names or list(map(str, range(before + 1, before + 1 + piece.size)))
        yield piece, names
        before += piece.size


def _write_values(making: Tabulation, pieces: Iterable[Piece]) -> None:
    """Print tab-separated values: a row for each unit of each system, a column for each variant; then signatures."""
    stream = destination().deferred()
    places, score_only = option_value("width"), option_value("score_only")
    several = len(making.systems) > 1
    names = [column.name for column in making.columns]
    if not score_only:
        head = [making.level, *(["system"] if several else []), *map(escaped, names)]
        stream.write("\t".join(head) + "\n")
    signatures: dict[str, str] = {}
    for piece, units in _with_names(pieces):
        for name, of_systems in piece.rows.items():
            signatures.setdefault(name, unit_signatures(making.bleus[name], making.level, of_systems[0][:1], {})[0])
        scores = making.scores(piece)
        for unit, of_unit in enumerate(units):
            for place, system in enumerate(making.systems):
                cells = [_value(scores[name][place][unit], places) if name in scores else "" for name in names]
                start = [] if score_only else [escaped(of_unit), *([escaped(system)] if several else [])]
                stream.write("\t".join([*start, *cells]) + "\n")
    if not score_only:
        stream.write("".join(f"# signature {signature}\n" for signature in signatures.values()))


def _value(score: float, places: int | None) -> str:
    return repr(score) if places is None else f"{score:.{places}f}"


def _write_text(table: Table) -> None:
    """Print a row for each system, as many variants beside each other as fit; then their notes and signatures.

    Many variants have a row each, and no signature, because these would fill some screens.
    """
    places = option_value("width")
    if option_value("score_only"):
        shown = [[shown_score(row[c.variant], c.scale, places) for c in table.columns] for row in table.rows]
        click.echo("\n".join(map("\t".join, shown)))
        return
    width = terminal_width()
    systems = [escaped(name) for name in short_names([row["system"] for row in table.rows])]
    marks = {reason: f"[{number}]" for number, reason in enumerate(table.notes, 1)}
    cells = [_cells(table, column, places) for column in table.columns]
    has_many = len(table.columns) > MOST_BESIDE
    if has_many:
        noted = ["".join(marks[note] for note in column.notes) for column in table.columns]
        variants = [f"{column.variant} {mark}".rstrip() for column, mark in zip(table.columns, noted, strict=True)]
        lines = _fitting_tables("variant", variants, dict(zip(systems, zip(*cells, strict=True), strict=True)), width)
    else:
        heads = [_head(column, marks) for column in table.columns]
        lines = _fitting_tables("system", systems, dict(zip(heads, cells, strict=True)), width)
    lines.append("")
    for reason, names in table.notes.items():
        some = "" if has_many else f": {', '.join(names)}"
        lines += wrapped_lines(f"{marks[reason]} {reason}{some}", width)
    if table.procedure:
        lines.append(f"intervals: {table.procedure}")
    if has_many:
        lines.append("signatures: --format json")
    else:
        lines += [broken_signature(f"signature {c.signature}", width) for c in table.columns if c.signature]
    click.echo("\n".join(lines))


def _fitting_tables(
    title: str, names: Sequence[str], columns: Mapping[str, Sequence[str]], width: int | None
) -> list[str]:
    """Return the lines of a table or, if it does not fit into the width, of several below each other."""
    lines: list[str] = []
    for group in fitting_columns(columns, max(map(terminal_columns, [title, *names])), width):
        rows = list(zip(names, *(columns[head] for head in group), strict=True))
        lines += [*([""] if lines else []), *table_lines([title, *group], rows, numbers=set(group), width=width)]
    return lines


def _cells(table: Table, column: TableColumn, places: int | None) -> list[str]:
    """Return the scores of a column, with their intervals in brackets."""
    cells = []
    for place, row in enumerate(table.rows):
        cell = shown_score(row[column.variant], column.scale, places)
        interval = table.intervals[column.variant][place] if column.variant in table.intervals else None
        if interval:
            cell += " ({}–{})".format(
                *(shown_score(end, column.scale, places) for end in (interval.low, interval.high))
            )
        cells.append(cell)
    return cells


def _head(column: TableColumn, marks: Mapping[str, str]) -> str:
    """Return the head of a column: the name, and below it the marks of its notes."""
    noted = "".join(marks[note] for note in column.notes)
    return "\n".join([broken_name(column.variant), *([noted] if noted else [])])
