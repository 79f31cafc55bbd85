"""``bleukit report``: a page that shows where scores come from, and why one system is better."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bleukit.cli.compare import PATIENCE
from bleukit.cli.file_names import FileName, OutputName
from bleukit.cli.options import (
    documents_option,
    more_in,
    signature_option,
    threads_option,
    variant_options,
    variant_or_signature,
)
from bleukit.cli.output import writing
from bleukit.cli.printing import with_progress
from bleukit.cli.reading import (
    chosen_limits,
    document_column_option,
    limit_option,
    read_labels,
    read_texts,
    reading,
    reference_option,
    source_column_option,
    table_options,
)
from bleukit.cli.system_names import distinct, names_shown
from bleukit.errors import InputError, quantity
from bleukit.text import corpora

if TYPE_CHECKING:
    from bleukit.text.aligned_files import OptionalColumn


@click.command("report", no_args_is_help=True, epilog=more_in("report"))
@click.argument("hypotheses", metavar="SYSTEM...", type=FileName(), nargs=-1, required=True)
@reference_option
@click.option("--source", metavar="FILE", type=FileName(), help="The source text, in any format of the references.")
@variant_options
@signature_option
@documents_option
@table_options
@document_column_option
@source_column_option
@click.option("--by", metavar="FILE", type=FileName(), help="Break down by the labels in FILE, one per line.")
@click.option("--title", metavar="TEXT", help="Title of the page. Default: the names of the systems.")
@threads_option
@limit_option
@click.option(
    "-o", "--output", "path", metavar="FILE", type=OutputName(), required=True, help="The page, such as report.html."
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
def command(  # noqa: PLR0913
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    documents: str | None,
    by: str | None,
    title: str | None,
    threads: int | None,
    path: str,
    opens: bool,
) -> None:
    """Write an HTML page that shows where scores come from.

    The page is one file, which loads nothing else and contains all texts. It shows scores with intervals by document,
    length and label; every segment with the n-grams that match; and the n-grams that one system gets right and another
    misses. Outputs can be edited and variants switched to see the effect on the scores.

    \b
    bleukit report -r ref.txt --source src.txt one.txt two.txt -o report.html
    bleukit report -r reference.sgm systems.sgm -o report.html --open
    """
    from bleukit.reporting.report import Facts, report_page  # needs NumPy

    if opens and path == "-":
        raise click.UsageError("--open needs a file to open: -o FILE")
    labels = None if by is None else read_labels(by)
    wanted: list[OptionalColumn] = ["document"] if source is not None else ["document", "source"]
    with reading(hypotheses, references, documents, wanted) as corpus:
        bleu, _ = variant_or_signature(corpus.references)
        text = corpora.in_memory(corpus, bleu.tokenize, limits=chosen_limits())
    segments = len(text.references)
    if labels is not None and len(labels) != segments:
        raise InputError(f"{by}: has {quantity(len(labels), 'label')} for {quantity(segments, 'segment')}")
    sources = text.sources
    if source is not None:
        sources = read_texts(source, bleu, "source")
        if len(sources) != segments:
            raise InputError(
                f"{source}: has {quantity(len(sources), 'source text')} for {quantity(segments, 'segment')}"
            )
    facts = Facts(sources, text.documents, labels, text.names)
    systems = dict(zip(names_shown(distinct(corpus.systems), ()).values(), text.systems, strict=True))
    track = partial(with_progress, after=PATIENCE)
    page = report_page(
        bleu, systems, text.references, facts, title, references_by="segment", threads=threads, track=track
    )
    if path == "-":
        click.echo(page.html, nl=False)
        return
    with writing(path) as file:
        file.write(page.html)
    if opens:
        import webbrowser  # takes long to import

        webbrowser.open(Path(path).resolve().as_uri())
