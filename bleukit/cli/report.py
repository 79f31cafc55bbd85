"""``bleukit report``: a page that shows where scores come from, and why one system is better."""

from __future__ import annotations

import webbrowser
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bleukit.cli.compare import PATIENCE, labels_of, names_shown
from bleukit.cli.options import chosen_for, signature_option, threads_option, variant_options
from bleukit.cli.output import opened
from bleukit.cli.printing import with_progress
from bleukit.cli.reading import (
    columns,
    document_column_option,
    limit_option,
    reading,
    reference_option,
    source_column_option,
    table_options,
)
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.text.files import Limits
    from bleukit.text.table_corpus import OptionalColumn


@click.command(no_args_is_help=True)
@click.argument("hypotheses", metavar="SYSTEM...", nargs=-1, required=True)
@reference_option
@click.option("--source", metavar="FILE", help="The text that was translated, as the references are given.")
@variant_options
@signature_option
@click.option("--documents", metavar="FILE", help="The document of each segment, one id a line.")
@table_options
@document_column_option
@source_column_option
@click.option("--by", metavar="FILE", help="Break down by the labels in this file, one a line.")
@click.option("--title", metavar="TEXT", help="What the page is called. Default: the names of the systems.")
@threads_option
@limit_option
@click.option("-o", "--output", "path", metavar="FILE", required=True, help="The page, such as report.html.")
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
def command(  # noqa: PLR0913
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    variant: str | None,
    config: str | None,
    settings: tuple[str, ...],
    signature: str | None,
    documents: str | None,
    by: str | None,
    title: str | None,
    threads: int | None,
    limits: Limits,
    path: str,
    opens: bool,
) -> None:
    """Write a page on systems: one HTML file, which a browser opens from disk and which loads nothing.

    It shows scores with intervals, by document, length and label; every segment, sorted by what it contributes to the
    difference of two systems, with the n-grams that match; n-grams that one system gets right and the other misses.
    Outputs can be edited, and variants switched, to see what becomes of the scores. All texts are in the file.

    \b
    bleukit report -r reference.txt --source source.txt system1.txt system2.txt -o report.html
    bleukit report -r reference.sgm systems.sgm -o report.html --open
    """
    from bleukit.reporting.report import Facts, reported
    from bleukit.text import corpora

    if opens and path == "-":
        raise click.UsageError("--open needs a file to open: -o FILE")
    labels = None if by is None else labels_of(by, limits)
    wanted: list[OptionalColumn] = ["document"] if source is not None else ["document", "source"]
    with reading(hypotheses, references, documents, limits, wanted) as corpus:
        bleu, _ = chosen_for(corpus.references, variant, config, settings, signature)
        text = corpora.in_memory(corpus, bleu.tokenize, limits=limits)
    segments = len(text.references)
    if labels is not None and len(labels) != segments:
        raise InputError(f"{by}: has {len(labels)} lines for {segments} segments: each needs a label")
    sources = text.sources
    if source is not None:
        read = corpora.read_segments(source, bleu.tokenize, columns=columns(), role="source", limits=limits)
        sources = list(chain.from_iterable(read))
        if len(sources) != segments:
            raise InputError(f"{source}: has {len(sources)} segments for {segments}: each needs its source")
    facts = Facts(sources, text.documents, labels, text.names)
    systems = dict(zip(_names(corpus.systems), text.systems, strict=True))
    track = partial(with_progress, after=PATIENCE)
    page = reported(bleu, systems, text.references, facts, title, references_by="segment", threads=threads, track=track)
    if path == "-":
        click.echo(page.html, nl=False)
        return
    with opened(path) as file:
        file.write(page.html)
    if opens:
        webbrowser.open(Path(path).resolve().as_uri())


def _names(systems: Sequence[str]) -> list[str]:
    """Return what systems are called; one that is given twice is an error."""
    twice = next((name for place, name in enumerate(systems) if name in systems[:place]), None)
    if twice is not None:
        raise InputError(f"the system {twice!r} is given twice")
    return list(names_shown(systems, ()).values())
