"""``bleukit conform``: what conforms to what."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bleukit.cli.printing import as_json, console, table, with_progress

if TYPE_CHECKING:
    from bleukit_conformance.suite import Report

NOT_CONFORMING = 1


@click.command()
@click.option("-V", "--variant", "variants", metavar="NAME", multiple=True, help="Only this named recipe.")
@click.option("-c", "--config", "configs", metavar="FILE", multiple=True, help="Only the recipe in this YAML file.")
@click.option("--tokenizer", metavar="NAME", help="Only combinations with this tokenizer.")
@click.option("--counter", metavar="NAME", help="Only combinations with this n-gram counter.")
@click.option("--reference-length", metavar="NAME", help="Only combinations with this reference-length policy.")
@click.option("--smoothing", metavar="NAME", help="Only combinations with this smoothing.")
@click.option("--cases", "folder", metavar="DIR", help="YAML cases of your own, besides those of the documents.")
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "markdown", "html", "junit"]),
    default="text",
    show_default=True,
)
def command(
    variants: tuple[str, ...], configs: tuple[str, ...], folder: str | None, output: str, **components: str | None
) -> int:
    """Check recipes, and every combination of components, against the documents that define BLEU.

    Exit status: 0 where everything conforms, 1 where something fails.

    \b
    bleukit conform
    bleukit conform --variant NAME
    bleukit conform --tokenizer NAME --format markdown
    """
    from bleukit_conformance import cases, suite

    from bleukit import registry

    only = {kind: name for kind, name in components.items() if name is not None}
    named: list[str | Path] = [*variants, *map(Path, configs)]
    if not named and not only:
        named += sorted(registry.installed().recipes)
    documents = cases.built_in() + (cases.in_folder(Path(folder)) if folder is not None else [])
    combined = only if only or not (variants or configs) else None
    report = suite.conform(documents, named, combined, partial(with_progress, what="Combinations"))
    _print(report, output)
    return 0 if report.conforms else NOT_CONFORMING


def _print(report: Report, output: str) -> None:
    from bleukit_conformance import reporting

    if output == "markdown":
        click.echo(reporting.as_markdown(report))
    elif output == "junit":
        click.echo(reporting.as_junit(report))
    elif output == "json":
        click.echo(as_json(reporting.as_data(report)))
    else:
        target = console(record=output == "html")
        for each in reporting.tables(report):
            target.print(table(each.columns, each.rows, each.title))
        target.print(reporting.summary(report), highlight=False)
        if output == "html":
            click.echo(target.export_html())
