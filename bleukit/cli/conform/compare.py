"""``bleukit conform compare``: what changed between two reports on implementations."""

from __future__ import annotations

from pathlib import Path

import click

from bleukit.cli.conform.shared import FORMATS, NOT_CONFORMING, format_option, print_findings
from bleukit.cli.file_names import FileName
from bleukit.cli.output import output_option
from bleukit.conformance.implementations import records
from bleukit.conformance.reports import reporting


@click.command("compare")
@click.argument("old", metavar="OLD.json", type=FileName())
@click.argument("new", metavar="NEW.json", type=FileName())
@format_option(*FORMATS)
@output_option
def command(old: str, new: str, form: str) -> int:
    """Compare two reports on implementations.

    The reports are those of 'bleukit conform implementations --format json'. The exit status is 1 if a case that passed
    no longer passes, or an implementation is missing.

    \b
    bleukit conform compare before.json after.json
    """
    findings = reporting.of_changes(*(records.read_record(Path(path)) for path in (old, new)))
    print_findings(findings, form)
    return NOT_CONFORMING if findings.data["worse"] else 0
