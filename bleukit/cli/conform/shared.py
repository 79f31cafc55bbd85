"""What the conformance commands share: options, and how findings are printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bleukit.cli.completion import VariantName
from bleukit.cli.file_names import FileName, FileNames
from bleukit.cli.printing import as_json, as_json_line, console, put, table
from bleukit.conformance.judging import cases
from bleukit.conformance.reports import reporting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.conformance.judging.cases import CaseDocument
    from bleukit.conformance.reports.reporting import Findings

Function = TypeVar("Function", bound=Callable[..., Any])

NOT_CONFORMING = 1
"""The exit status if something does not conform."""

FORMATS = ("text", "json", "markdown", "junit")
"""The formats of all findings."""

cases_option = click.option(
    "--cases",
    "folder",
    metavar="DIR",
    type=FileNames(lambda folder: map(str, Path(folder).glob("*.yaml"))),
    help="Add the cases in DIR to those of the documents.",
)


def variants_option(what: str) -> Callable[[Function], Function]:
    """Add -V; the command receives the names as ``variants``."""
    return click.option(
        "-V",
        "--variant",
        "variants",
        metavar="NAME",
        type=VariantName(),
        multiple=True,
        help=f"{what} May be repeated.",
    )


def configs_option(what: str) -> Callable[[Function], Function]:
    """Add -c; the command receives the files as ``configs``."""
    return click.option(
        "-c", "--config", "configs", metavar="FILE", type=FileName(), multiple=True, help=f"{what} May be repeated."
    )


def format_option(*formats: str) -> Callable[[Function], Function]:
    """Add --format, of which the first is the default; the command receives it as ``form``."""
    first, *others = formats
    named = f"{first} (default), {', '.join(others[:-1])} or {others[-1]}."
    return click.option("--format", "form", type=click.Choice(formats), default=first, metavar="FORMAT", help=named)


def sources(variants: Sequence[str], configs: Sequence[str]) -> list[str | Path]:
    """Return the variants that -V and -c choose: names, and paths of files."""
    return [*variants, *map(Path, configs)]


def documents(folder: str | None) -> dict[str, CaseDocument]:
    """Return the documents of the suite and those in a folder, by name."""
    return cases.documents_by_name(None if folder is None else Path(folder))


def print_findings(findings: Findings, form: str) -> None:
    """Print findings in one of the formats that they have."""
    if form == "markdown":
        click.echo(reporting.markdown_report(findings))
    elif form == "junit":
        click.echo(reporting.junit_report(findings))
    elif form == "json":
        click.echo(as_json(findings.data))
    elif form == "badge" and findings.make_badge is not None:
        click.echo(as_json_line(findings.make_badge()))
    elif form == "html" and findings.make_page is not None:
        click.echo(findings.make_page())
    else:
        target = console()
        for findings_table in findings.tables:
            put(table(findings_table.columns, findings_table.rows, findings_table.title), target)
        target.print(findings.summary, highlight=False)
