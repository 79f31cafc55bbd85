"""``bleukit compare`` with several variants: whether they agree which system is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleukit.cli import printing
from bleukit.cli.counting import variant_columns, warn_of_text
from bleukit.cli.reading import reading
from bleukit.cli.tables import fitting_lines, print_for_papers, write_records
from bleukit.comparing.tables import ResultTable
from bleukit.reading.corpora import read_whole
from bleukit.reading.paths import encodable
from bleukit.tables.agreement import agreed
from bleukit.writing.phrases import wrapped_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.cli.metric_options import MetricOptions
    from bleukit.cli.options import OutputOptions, TextOptions
    from bleukit.comparing.settings import Settings
    from bleukit.tables.agreement import Agreement, OrderChange

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
