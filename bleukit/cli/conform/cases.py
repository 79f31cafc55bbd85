"""``bleukit conform new``, ``check`` and ``explain``: for those who write cases."""

from __future__ import annotations

import difflib
from pathlib import Path

import click

from bleukit.cli.conform.shared import (
    NOT_CONFORMING,
    cases_option,
    configs_option,
    documents,
    format_option,
    sources,
    variants_option,
)
from bleukit.cli.file_names import FileName, OutputName
from bleukit.cli.options import plugin_option
from bleukit.cli.output import output_option
from bleukit.conformance.formula import PLAIN_VARIANT
from bleukit.conformance.writing import drafts, explaining
from bleukit.inspecting.derivation import FORMATS


@click.command()
@click.argument("file", type=OutputName())
def new(file: str) -> None:
    """Write a document of cases to start from.

    \b
    bleukit conform new my-cases/mine.yaml
    """
    drafts.start_document(Path(file))


@click.command()
@click.argument("file", type=FileName())
@variants_option("Check with this variant; default: all that are installed.")
@plugin_option
def check(file: str, variants: tuple[str, ...]) -> int:
    """Check the cases in FILE.

    Print each mistake with its line and the computed value. Each exception of a case is also checked with the
    components that it names. The exit status is 1 if there is a mistake.

    \b
    bleukit conform check my-cases/mine.yaml
    """
    mistakes = drafts.mistakes_in(Path(file), variants or drafts.usable_variants())
    for mistake in mistakes:
        click.echo(mistake)
    return NOT_CONFORMING if mistakes else 0


@click.command()
@click.argument("case")
@variants_option("Explain the score of this variant.")
@configs_option("Explain the score of the variant in this YAML file.")
@cases_option
@plugin_option
@format_option(*FORMATS)
@output_option
def explain(case: str, variants: tuple[str, ...], configs: tuple[str, ...], folder: str | None, form: str) -> None:
    """Show step by step how the score of a case is computed.

    CASE is the id of the case. The default variant is the one that the case is about, or the plain definition
    (wikipedia).

    \b
    bleukit conform explain W4 --format latex
    bleukit conform explain mine-1 --cases my-cases -V nltk
    """
    known = {known_case.id: known_case for document in documents(folder).values() for known_case in document.cases}
    if case not in known:
        close = ", ".join(difflib.get_close_matches(case, known))
        raise click.UsageError(f"no case is called {case!r}{f'; did you mean {close}?' if close else ''}")
    for variant in sources(variants, configs) or [known[case].variant or PLAIN_VARIANT]:
        click.echo(FORMATS[form](explaining.explain_case(known[case], variant)))
