"""``bleukit conform schema``: the JSON Schemas of cases and of reports."""

from __future__ import annotations

import click

from bleukit.cli.output import output_option
from bleukit.cli.printing import as_json
from bleukit.conformance.implementations import records
from bleukit.conformance.judging import cases

SCHEMAS = {"cases": cases.cases_schema, "report": records.report_schema}


@click.command("schema")
@click.argument("what", metavar="[cases|report]", type=click.Choice([*SCHEMAS]), default="cases")
@output_option
def command(what: str) -> None:
    """Print the JSON Schema of cases, or of reports."""
    click.echo(as_json(SCHEMAS[what]()))
