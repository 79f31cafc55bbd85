"""``bleukit compare`` with several variants: do they agree which system is better?"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import click

from bleukit.atlas.agreement import agreed
from bleukit.atlas.counting import Reading
from bleukit.cli.options import option_value
from bleukit.cli.printing import (
    as_json,
    broken_signature,
    encodable,
    fitting_columns,
    table_lines,
    terminal_width,
)
from bleukit.cli.reading import chosen_limits, reading
from bleukit.cli.system_names import distinct, names_shown
from bleukit.cli.variant_tables import chosen_columns_of
from bleukit.comparing import tables
from bleukit.comparing.settings import Settings
from bleukit.comparing.tables import ResultTable
from bleukit.inspecting.phrases import key_name, signed, terminal_columns, wrapped_lines
from bleukit.text import corpora

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bleukit.atlas.agreement import Agreement, OrderChange

HEADS = ["systems", "variant", "difference by", "difference", "both significant", "keys"]

LONGEST = 20
"""The number of changes of the order that are printed as text; all others are counted."""


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
    columns = chosen_columns_of(variants)
    settings = Settings(**{key: value for key, value in procedure.items() if value is not None})
    with reading(*files, ["document"]) as corpus:
        systems = distinct(corpus.systems)
        texts = Reading(*corpora.readings(corpus, chosen_limits()))
        found = agreed(columns, systems, texts, settings, threads, corpus.has_documents)
    shown = found.renamed(names_shown(systems, ()))
    if form in {"json", "csv"}:
        found = found.renamed({name: encodable(name) for name in systems})
        click.echo(as_json(found.to_dict()) if form == "json" else _as_csv(found))
    elif form == "text":
        click.echo("\n".join(_as_text(shown)))
    else:
        _print_for_papers(shown, form)


def _places() -> int:
    places: int | None = option_value("width")
    return 2 if places is None else places


def _cells(found: Agreement) -> dict[str, list[str]]:
    """Return the columns of the table of differences: one for each pair, with a row for each variant."""
    return {
        f"{pair.first} –\n{pair.second}": [
            f"{one.difference:+.{_places()}f}{'*' if one.significant else ' '}" for one in pair.differences
        ]
        for pair in found.pairs
    }


def _as_text(found: Agreement) -> Iterator[str]:
    width = terminal_width()
    yield from wrapped_lines(found.verdict, width)
    corner, names, columns = "variant", list(found.variants), _cells(found)
    if len(columns) > len(names):  # a row for each pair, so that the table is not wide
        cells = zip(*columns.values(), strict=True)
        pairs = [head.replace("\n", " ") for head in columns]
        corner, names, columns = "systems", pairs, dict(zip(names, map(list, cells), strict=True))
    for group in fitting_columns(columns, max(map(terminal_columns, names)), width):
        rows = list(zip(names, *(columns[head] for head in group), strict=True))
        yield ""
        yield from table_lines([corner, *group], rows, numbers=set(group), width=width)
    yield ""
    yield f"differences in points of 100; * significant, {found.procedure}"
    for change in found.changes[:LONGEST]:
        yield from wrapped_lines(str(change), width)
    if len(found.changes) > LONGEST:
        yield f"{len(found.changes) - LONGEST} more; --format json or csv has all"
    for note in found.remarks():
        yield from wrapped_lines(f"note: {note}", width)
    for signature in found.signatures.values():
        yield broken_signature(f"signature {signature}", width)


def _as_csv(found: Agreement) -> str:
    """Return a row for each variant and pair, with the shares of the keys if it changes the order."""
    changes = {(one.first, one.second, one.variant): one for one in found.changes}
    keys = list(dict.fromkeys(key for change in found.changes for key in change.parts))
    output = io.StringIO()
    heads = ["first", "second", "variant", "difference", "p_value", "adjusted_p_value", "significant"]
    of_changes = ["order_changed", "both_significant", *(f"share_{key}" for key in keys)]
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow([*heads, *of_changes, "procedure", "signature"])
    for pair in found.pairs:
        for one in pair.differences:
            change = changes.get((pair.first, pair.second, one.variant))
            shares = [change.parts.get(key) if change else None for key in keys]
            known = [one.variant, one.difference, one.p_value, one.adjusted_p_value, one.significant]
            ends = [found.procedure, found.signatures[one.variant]]
            writer.writerow(
                [
                    pair.first,
                    pair.second,
                    *known,
                    bool(change),
                    bool(change and change.both_significant),
                    *shares,
                    *ends,
                ]
            )
    return output.getvalue().rstrip("\n")


def _print_for_papers(found: Agreement, form: str) -> None:
    columns = _cells(found)
    rows = list(zip(found.variants, *columns.values(), strict=True))
    made = [ResultTable("", ["variant", *columns], rows, range(1, len(columns) + 1))]
    if found.changes:
        made.append(ResultTable("", HEADS, [_change_cells(one) for one in found.changes], [2, 3]))
    write, comment = (tables.table_as_markdown, "{}") if form == "markdown" else (tables.table_as_latex, "% {}")
    ends = [found.procedure, *found.remarks(), *(f"signature {signature}" for signature in found.signatures.values())]
    first = [found.verdict, *([tables.LATEX] if form == "latex" else [])]
    parts = ["\n".join(map(comment.format, first)), *map(write, made), "\n\n".join(map(comment.format, ends))]
    click.echo("\n\n".join(parts))


def _change_cells(change: OrderChange) -> list[str]:
    shares = ", ".join(f"{key_name(key, [])} {signed(points)}" for key, points in change.parts.items() if points)
    differences = (f"{value:+.{_places()}f}" for value in (change.reference_difference, change.difference))
    sure = "yes" if change.both_significant else "no"
    return [f"{change.first} – {change.second}", change.variant, *differences, sure, shares]
