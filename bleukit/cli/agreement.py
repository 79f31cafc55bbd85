"""``bleukit compare`` with several variants: whether they agree which system is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleukit.cli import printing
from bleukit.cli.counting import variant_columns, warn_of_text
from bleukit.cli.reading import reading
from bleukit.cli.tables import write_records
from bleukit.reading.corpora import read_whole
from bleukit.reading.paths import encodable
from bleukit.tables.agreement import agreed
from bleukit.writing.printers import printed
from bleukit.writing.table import table_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.cli.metric_options import MetricOptions
    from bleukit.cli.options import OutputOptions, TextOptions
    from bleukit.comparing.settings import Settings
    from bleukit.tables.agreement import Agreement
    from bleukit.writing.printers import Part
    from bleukit.writing.table import TextTable

LONGEST = 20
"""The number of changes of the order that are printed as text; all others are counted."""


def write_agreement(  # noqa: PLR0913
    output: OutputOptions,
    hypotheses: Sequence[str],
    text: TextOptions,
    chosen: MetricOptions,
    settings: Settings,
    threads: int | None,
) -> None:
    """Print whether several variants agree, given the files of systems."""
    if not hypotheses:
        raise click.UsageError("give systems to compare: files")
    columns = variant_columns(chosen)
    with reading(hypotheses, text, ["document"]) as corpus:
        systems = printing.distinct(corpus.systems)
        texts = read_whole(corpus, text.limits)
        warn_of_text(texts.replaced, ())
        found = agreed(columns, systems, texts, settings, threads, corpus.has_documents)
    form = output.form
    if form in {"json", "csv"}:
        found = found.renamed({name: encodable(name) for name in systems})
        if form == "csv":
            write_records(output, found.records())
        else:
            click.echo(printing.as_json(found.to_dict()))
        return
    found = found.renamed(printing.names_shown(systems, ()))
    places = 2 if output.width is None else output.width
    signatures = [f"signature {signature}" for signature in found.signatures.values()]
    parts: list[Part]
    if form == "text":
        changes = list(map(str, found.changes[:LONGEST]))
        if len(found.changes) > LONGEST:
            changes.append(f"{len(found.changes) - LONGEST} more; --format json or csv has all")
        legend = f"differences in points of 100; * significant, {found.procedure}"
        remarks = [legend, *changes, *(f"note: {note}" for note in found.remarks())]
        tables = [_differences(found, places, by_pair=len(found.pairs) > len(found.variants))]
    else:
        remarks = [found.procedure, *found.remarks()]
        tables = [_differences(found, places), *([_changes(found, places)] if found.changes else [])]
    parts = [found.verdict, *tables, "\n".join([*remarks, *signatures])]
    click.echo(printing.visible(printed(form, parts, printing.terminal_width())))


def _differences(found: Agreement, places: int, *, by_pair: bool = False) -> TextTable:
    """Return the table of all differences: a row for each variant, or for each pair of systems."""
    cells = found.cells(places)
    if by_pair:
        pairs = [head.replace("\n", " ") for head in cells]
        of_variants = zip(found.variants, zip(*cells.values(), strict=True), strict=True)
        return table_of([("systems", pairs), *of_variants], {"systems"})
    return table_of([("variant", found.variants), *cells.items()], {"variant"})


def _changes(found: Agreement, places: int) -> TextTable:
    """Return the table of the changes of the order."""
    columns = {
        "systems": [f"{one.first} – {one.second}" for one in found.changes],
        "variant": [one.variant for one in found.changes],
        "difference by": [f"{one.reference_difference:+.{places}f}" for one in found.changes],
        "difference": [f"{one.difference:+.{places}f}" for one in found.changes],
        "both significant": ["yes" if one.both_significant else "no" for one in found.changes],
        "keys": [one.shares for one in found.changes],
    }
    return table_of(columns.items(), {"systems", "variant", "both significant", "keys"})
