"""``bleukit conform changes``: whether the cases determine each named variant completely."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout

import click

import bleukit
from bleukit.cli.conform.shared import (
    FORMATS,
    NOT_CONFORMING,
    cases_option,
    documents,
    format_option,
    print_findings,
    variants_option,
)
from bleukit.cli.options import plugin_option
from bleukit.cli.output import output_option
from bleukit.cli.printing import with_progress
from bleukit.conformance.reports import reporting
from bleukit.conformance.writing.changes import changes_of
from bleukit.loading import registry


@click.command("changes")
@variants_option("Change only this named variant.")
@cases_option
@plugin_option
@format_option(*FORMATS)
@output_option
def command(variants: tuple[str, ...], folder: str | None, form: str) -> int:
    """Change each key of each variant: is it noticed?

    Each key is given every other value, one at a time. Changes that alter no score are listed separately, with the
    reason. The exit status is 1 if a change goes unnoticed.
    """
    of_cases = [*documents(folder).values()]
    names = variants or usable_variants()
    with redirect_stdout(sys.stderr):
        changes = [
            change
            for name in with_progress(iter(names), len(names), "Variants")
            for change in changes_of(of_cases, name)
        ]
    findings = reporting.of_key_changes(changes)
    print_findings(findings, form)
    return NOT_CONFORMING if findings.data["unnoticed"] else 0


def usable_variants() -> list[str]:
    """Return all named variants; those that need what is not installed are reported and left out."""

    def is_usable(name: str) -> bool:
        try:
            bleukit.load(name)
        except bleukit.NotInstalledError as error:
            click.echo(f"bleukit: warning: the variant {name!r} is left out: {error.problem}", err=True)
            return False
        return True

    return list(filter(is_usable, sorted(registry.installed().variants)))
