"""``bleukit score`` and ``compare`` with several variants: a column for each, and whether they agree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from bleukit.atlas.agreement import agreed
from bleukit.atlas.columns import Column, columns_of
from bleukit.atlas.counting import counted, readings_of
from bleukit.atlas.table import Piece, Tabulation, grouped_notes, shown_score, tabulated
from bleukit.cli import printing
from bleukit.cli.counting import warn_of_text
from bleukit.cli.options import BLEU, chosen_limits, chosen_variant, option_value
from bleukit.cli.reading import print_warnings, reading, require_documents
from bleukit.cli.sacrebleu import described_test_set, naming_test_set
from bleukit.cli.scores import interval_columns, unit_signatures
from bleukit.cli.tables import (
    LONGEST_NAME,
    ScoredUnits,
    broken,
    broken_name,
    fitting_lines,
    interleaved,
    print_for_papers,
    print_systems,
    print_values,
    write_columns,
)
from bleukit.comparing.settings import Settings
from bleukit.comparing.tables import ResultTable, as_csv
from bleukit.errors import InputError
from bleukit.inspecting.phrases import wrapped_lines
from bleukit.metrics.loading import load_metric
from bleukit.text.arguments import available_cores
from bleukit.text.corpora import read_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.atlas.agreement import Agreement, OrderChange
    from bleukit.atlas.table import Table, TableColumn
    from bleukit.cli.counting import Units
    from bleukit.cli.options import ChosenMetric
    from bleukit.metric import AnyMetric, Level
    from bleukit.text.aligned_segments import AlignedSegments
    from bleukit.text.corpora import Corpus, Reading

MOST_SIGNATURES = 8
"""Of more variants no signatures are printed."""

LONGEST = 20
"""The number of changes of the order that are printed as text; all others are counted."""


def _columns(names: Sequence[str]) -> list[Column]:
    """Return the columns of the variants that -V names."""
    return columns_of(names, lambda name: chosen_variant({"variant": name}))


def columns_of_metrics(names: Sequence[str], metrics: Sequence[ChosenMetric]) -> list[Column]:
    """Return the columns of the variants that -V names; with metrics, those of all of these.

    Raises InputError if a metric is given twice.
    """
    if not metrics:
        return _columns(names)
    columns: list[Column] = []
    for chosen in metrics:
        if chosen.name == BLEU:
            columns += _columns(names) if names else [Column("BLEU", chosen_variant())]
        else:
            metric = load_metric(chosen.name, **chosen.options)
            is_known = any(column.name == metric.name for column in columns)
            columns.append(Column(chosen.text if is_known else metric.name, metric))
    signatures = [column.metric and column.metric.signature for column in columns]
    for number, column in enumerate(columns):
        if column.metric and signatures[number] in signatures[:number]:
            raise InputError(f"-m: {column.name} is given twice")
    return columns


def usable_columns(names: Sequence[str], metrics: Sequence[ChosenMetric]) -> dict[str, AnyMetric]:
    """Return the metrics of the same columns, and warn of those of all variants that cannot be used."""
    found = columns_of_metrics(names, metrics)
    if left_out := [column.name for column in found if column.metric is None]:
        print_warnings([f"left out, because something is not installed: {', '.join(left_out)}"])
    return {column.name: column.metric for column in found if column.metric is not None}


def write_variants(  # noqa: PLR0913
    form: str,
    columns: Sequence[Column],
    corpus: Corpus,
    level: Level,
    threads: int | None,
    intervals: Settings | None,
    *,
    of_metrics: bool,
) -> None:
    """Print the scores of all systems by several variants or metrics. After an error nothing is printed."""
    making = Tabulation(columns, corpus.systems, level, has_documents=corpus.has_documents, intervals=intervals)
    readings = _looked_at(readings_of(corpus, making.metrics.values(), chosen_limits()))
    pieces = making.pieces(readings, threads or available_cores())
    _write_pieces(form, making, pieces, of_metrics=of_metrics)


def write_units(
    form: str,
    metrics: Mapping[str, AnyMetric],
    level: Level,
    systems: Sequence[str],
    blocks: Iterable[Mapping[str, Units]],
) -> None:
    """Print the scores of units as :func:`write_variants` does; each block holds those of each metric."""
    making = Tabulation([Column(*one) for one in metrics.items()], systems, level, has_documents=True)
    pieces = (
        Piece(
            next(iter(units.values())).names or (),
            {name: one.rows for name, one in units.items()},
            {name: one.comparison for name, one in units.items() if one.comparison},
        )
        for units in blocks
    )
    _write_pieces(form, making, pieces, of_metrics=True)


def _write_pieces(form: str, making: Tabulation, pieces: Iterable[Piece], *, of_metrics: bool) -> None:
    columns, level = making.columns, making.level
    if form == "text" and level != "corpus":
        several = ["system"] if len(making.systems) > 1 else []
        heads = [level, *several, *(column.name for column in columns)]
        print_values(heads, (_scored(making, piece) for piece in pieces))
    elif form not in {"text", "json"}:
        write_columns(form, _flat_columns(making, pieces))
    else:
        table = _named(tabulated(making, list(pieces)))
        if form == "json":
            click.echo(printing.as_json(table.to_dict() | described_test_set()))
        elif not option_value("score_only"):
            (_print_metrics if of_metrics else _print_table)(table)
        else:
            places = option_value("width")
            for row in table.rows:
                click.echo("\t".join(shown_score(row[one.variant], one.scale, places) for one in table.columns))
    noted = grouped_notes((column.name, column.notes) for column in columns)
    if option_value("score_only") and noted:
        number = len({name for names in noted.values() for name in names})
        found = "1 variant has no score, or does" if number == 1 else f"{number} variants have no score, or do"
        print_warnings([f"{found} not fit the text: without -q it says which, and why"])
    elif form != "json" and (form != "text" or level != "corpus"):
        print_warnings(f"{reason}: {', '.join(of_reason)}" for reason, of_reason in noted.items())


def counted_by_several(
    metrics: Mapping[str, AnyMetric], corpus: Corpus, threads: int | None
) -> Iterator[tuple[AlignedSegments, Mapping[str, list[Any]]]]:
    """Yield the parts of a corpus without texts, and the statistics of each system by the names of the metrics.

    Warns of tokenizers that are not made for the text. Raises InputError if a metric cannot count it, or joins
    documents that are not known.
    """
    for metric in metrics.values():
        require_documents(metric, corpus)
    readings = _looked_at(readings_of(corpus, metrics.values(), chosen_limits()), metrics.values())
    for part, rows in counted(metrics, readings, threads or available_cores()):
        for name, found in rows.items():
            if isinstance(found, InputError):
                raise InputError(f"{name}: {found}") from found
        yield part, rows  # type: ignore[misc]


def _looked_at(readings: Iterable[Reading], metrics: Iterable[AnyMetric] = ()) -> Iterator[Reading]:
    """Yield the readings; warn if the first is not final text, or none that the tokenizers of metrics are made for."""
    for each in readings:
        warn_of_text(each.replaced, metrics)
        yield each


def _named(table: Table) -> Table:
    """Return a table whose systems every output can hold, and whose signatures name the test set."""
    rows = tuple({**row, "system": printing.encodable(row["system"])} for row in table.rows)
    columns = tuple(
        replace(column, signature=column.signature and naming_test_set(column.signature)) for column in table.columns
    )
    return replace(table, rows=rows, columns=columns)


def _scored(making: Tabulation, piece: Piece) -> ScoredUnits:
    """Return a row for each unit of each system, with a column for each variant."""
    systems, units, *scores = making.rows(piece).values()
    signatures = (
        unit_signatures(making.metrics[name], making.level, rows[0][:1], {})[0] for name, rows in piece.rows.items()
    )
    return ScoredUnits([units, *([systems] if len(making.systems) > 1 else [])], scores, signatures)


def _flat_columns(making: Tabulation, pieces: Iterable[Piece]) -> Iterator[dict[str, list[Any]]]:
    """Yield the columns of a table file, some rows at a time: scores, and the signature and the notes of each.

    Of documents and sentences, these are given only if they are not those of the row above, because they take more
    space than all else.
    """
    known: dict[str, dict[tuple[int, int], str]] = {}
    above: dict[str, str] = {}
    for piece in pieces:
        level, scores = making.level, making.rows(piece)
        scores["system"] = list(map(printing.encodable, scores["system"]))
        beside = interleaved(
            [
                {
                    **{
                        f"{end}_{name}": ends
                        for name, comparison in piece.comparisons.items()
                        for end, ends in interval_columns([comparison.systems[place]]).items()
                    },
                    **{
                        f"signature_{name}": unit_signatures(
                            making.metrics[name], level, rows[place], known.setdefault(name, {})
                        )
                        for name, rows in piece.rows.items()
                    },
                }
                for place in range(len(making.systems))
            ]
        )
        notes = {f"note_{one.name}": "; ".join(one.notes) for one in making.columns if one.notes}
        columns = scores | beside | {name: [note] * len(scores["system"]) for name, note in notes.items()}
        for name in (name for name in columns if level != "corpus" and name.startswith(("signature_", "note_"))):
            texts = columns[name]
            columns[name] = [
                None if text == before else text for before, text in zip([above.get(name), *texts], texts, strict=False)
            ]
            above[name] = texts[-1]
        yield columns


def _print_metrics(table: Table) -> None:
    """Print a row for each system, a column for each metric, notes and signatures."""
    columns = {column.variant: _cells(table, column, in_points=False) for column in table.columns}
    notes = [f"note: {reason}: {', '.join(names)}" for reason, names in table.notes.items()]
    notes += [f"intervals: {table.procedure}"] if table.procedure else []
    signatures = [column.signature for column in table.columns if column.signature]
    print_systems([row["system"] for row in table.rows], columns, notes, signatures)


def _print_table(table: Table) -> None:
    """Print a row for each score, from 0 to 100 and highest first, with the variants that give it; then their notes.

    Variants with notes are below those without. With one system, the differences from the variant that was named first
    follow; if there are more systems than rows, each system has a row. Signatures of many variants would fill some
    screens.
    """
    width = printing.terminal_width()
    marks = {reason: f"[{number}]" for number, reason in enumerate(table.notes, 1)}
    alike: dict[tuple[object, ...], list[TableColumn]] = {}
    for column in sorted(table.columns, key=lambda one: _order(table, one)):
        alike.setdefault((*_cells(table, column), column.notes), []).append(column)
    groups = [sorted(group, key=table.columns.index) for group in alike.values()]
    labels = [
        " ".join([", ".join(column.variant for column in group), *(marks[note] for note in group[0].notes)])
        for group in groups
    ]
    cells = [_cells(table, group[0]) for group in groups]
    systems = [printing.escaped(name) for name in printing.short_names([row["system"] for row in table.rows])]
    if len(systems) > len(groups):
        heads = ["\n".join(map(broken_name, label.split(" "))) for label in labels]
        lines = fitting_lines("system", systems, dict(zip(heads, cells, strict=True)), width)
    else:
        columns: dict[str, Sequence[str]] = dict(zip(systems, zip(*cells, strict=True), strict=True))
        if len(systems) == 1:
            columns = {"BLEU": columns[systems[0]], **_differences(table, groups)}
        lines = fitting_lines("variant", [broken(label, LONGEST_NAME) for label in labels], columns, width)
    lines.append("")
    for reason, names in table.notes.items():
        some = f": {', '.join(names)}" if len(table.columns) <= MOST_SIGNATURES else ""
        lines += wrapped_lines(f"{marks[reason]} {reason}{some}", width)
    if table.procedure:
        lines.append(f"intervals: {table.procedure}")
    if len(table.columns) > MOST_SIGNATURES:
        lines.append("signatures: --format json")
    else:
        lines += [printing.broken_signature(f"signature {c.signature}", width) for c in table.columns if c.signature]
    click.echo("\n".join(lines))


def _points(table: Table, column: TableColumn) -> list[float | None]:
    """Return the scores of the systems by a variant, from 0 to 100; None for no score."""
    scores = [row[column.variant] for row in table.rows]
    return [None if score is None else score * 100 / (column.scale or 100) for score in scores]


def _order(table: Table, column: TableColumn) -> tuple[bool, int, float]:
    """Return what variants are sorted by: those with a score first, those without notes first, the highest first."""
    first = _points(table, column)[0]
    return first is None, len(column.notes), -(first or 0)


def _cells(table: Table, column: TableColumn, *, in_points: bool = True) -> list[str]:
    """Return the scores of the systems, from 0 to 100 if ``in_points``, with their intervals in brackets."""
    places, scale = option_value("width"), 100 if in_points else column.scale
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


def _differences(table: Table, groups: Sequence[Sequence[TableColumn]]) -> dict[str, list[str]]:
    """Return a column of what the only system has more by each group than by the first variant that gives a score."""
    first = next(column for column in table.columns if column.scale)
    [least] = _points(table, first)
    places = 2 if option_value("width") is None else option_value("width")
    differences = [None if first in group else _points(table, group[0])[0] for group in groups]
    shown = ["" if point is None or least is None else f"{point - least:+.{places}f}" for point in differences]
    return {f"from\n{first.variant}": shown}


def write_agreement(
    form: str,
    variants: Sequence[str],
    files: tuple[Sequence[str], Sequence[str], str | None],
    procedure: Mapping[str, Any],
    threads: int | None,
) -> None:
    """Print whether several variants agree, given the files of systems, references and documents."""
    if not files[0]:
        raise click.UsageError("give systems to compare: files")
    columns = _columns(variants)
    settings = Settings(**{key: value for key, value in procedure.items() if value is not None})
    with reading(*files, ["document"]) as corpus:
        systems = printing.distinct(corpus.systems)
        [texts] = _looked_at([read_whole(corpus, chosen_limits())])
        found = agreed(columns, systems, texts, settings, threads, corpus.has_documents)
    if form in {"json", "csv"}:
        found = found.renamed({name: printing.encodable(name) for name in systems})
        click.echo(printing.as_json(found.to_dict()) if form == "json" else as_csv(found.records()))
        return
    found, places = found.renamed(printing.names_shown(systems, ())), option_value("width")
    places = 2 if places is None else places
    differences = found.cells(places)
    signatures = [f"signature {signature}" for signature in found.signatures.values()]
    if form == "text":
        _print_agreement(found, differences, signatures)
        return
    rows = list(zip(found.variants, *differences.values(), strict=True))
    made = [ResultTable("", ["variant", *differences], rows, range(1, len(differences) + 1))]
    if found.changes:
        heads = ["systems", "variant", "difference by", "difference", "both significant", "keys"]
        changes = [_change_cells(one, places) for one in found.changes]
        made.append(ResultTable("", heads, changes, [2, 3]))
    print_for_papers(form, found.verdict, made, [found.procedure, *found.remarks(), *signatures])


def _print_agreement(found: Agreement, columns: Mapping[str, Sequence[str]], signatures: Sequence[str]) -> None:
    """Print a table with a row for each variant, or for each pair of systems if there are more of these."""
    width = printing.terminal_width()
    corner, names = "variant", list(found.variants)
    if len(columns) > len(names):
        pairs = [head.replace("\n", " ") for head in columns]
        corner, names, columns = "systems", pairs, dict(zip(names, zip(*columns.values(), strict=True), strict=True))
    lines = [*wrapped_lines(found.verdict, width), "", *fitting_lines(corner, names, columns, width), ""]
    lines.append(f"differences in points of 100; * significant, {found.procedure}")
    for change in found.changes[:LONGEST]:
        lines += wrapped_lines(str(change), width)
    if len(found.changes) > LONGEST:
        lines.append(f"{len(found.changes) - LONGEST} more; --format json or csv has all")
    for note in found.remarks():
        lines += wrapped_lines(f"note: {note}", width)
    click.echo("\n".join([*lines, *(printing.broken_signature(signature, width) for signature in signatures)]))


def _change_cells(change: OrderChange, places: int) -> list[str]:
    differences = (f"{value:+.{places}f}" for value in (change.reference_difference, change.difference))
    sure = "yes" if change.both_significant else "no"
    return [f"{change.first} – {change.second}", change.variant, *differences, sure, change.shares]
