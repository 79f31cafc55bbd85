"""``bleukit conform implementations``: other implementations under the cases."""

from __future__ import annotations

import os
import shlex
import sys
from collections import Counter
from contextlib import redirect_stdout

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
from bleukit.cli.options import more_in, plugin_option
from bleukit.cli.output import output_option
from bleukit.cli.printing import as_json, console, put, table
from bleukit.conformance.implementations import reporting
from bleukit.conformance.implementations.asking import ask_implementations, not_installed
from bleukit.loading import manager, registry


@click.command("implementations", epilog=more_in("implementations"))
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--command",
    "commands",
    metavar="COMMAND",
    multiple=True,
    help="Check the implementation, in any language, that COMMAND starts. May be repeated.",
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    help="Time that the process of COMMAND may take for a case.",
)
@click.option(
    "--min-passed", metavar="N", type=click.IntRange(0), help="Exit with 1 unless each implementation passes N cases."
)
@click.option("--no-differences", is_flag=True, help="Exit with 1 if a case differs or has no answer.")
@variants_option("Ask for this variant; default: the plain definition (wikipedia).")
@configs_option("Ask for the variant in this YAML file.")
@cases_option
@plugin_option
@format_option("text", "json", "markdown")
@output_option
def command(  # noqa: PLR0913
    names: tuple[str, ...],
    commands: tuple[str, ...],
    timeout: float,
    variants: tuple[str, ...],
    configs: tuple[str, ...],
    folder: str | None,
    form: str,
    min_passed: int | None,
    *,
    no_differences: bool,
) -> int:
    """Check other implementations of BLEU with the same cases.

    NAME is a library that 'bleukit plugins' lists as an implementation, or 'all' for all that are installed. COMMAND
    starts a harness, a program in any language that reads cases and writes answers as JSON lines. The report shows
    which cases each implementation passes, where it differs, and what it has no parameter for.

    The exit status is 1 if COMMAND does not start or answers no hello. Differences are failures only with
    --no-differences or --min-passed.

    \b
    bleukit conform implementations nltk sacrebleu
    bleukit conform implementations --command 'node harness.js' --format json
    """
    if not names and not commands:
        raise click.UsageError("name an implementation, or give --command")
    started = list(map(_words, commands))
    of_cases = [*documents(folder).values()]
    with redirect_stdout(sys.stderr):
        run = ask_implementations(of_cases, _named(names), sources(variants, configs), started, timeout)
    if form == "text":
        target = console()
        for found in reporting.tables(run):
            put(table(found.columns, found.rows, found.title), target)
        target.print(reporting.summary(run), highlight=False)
    else:
        click.echo(reporting.as_markdown(run) if form == "markdown" else as_json(reporting.as_data(run)))
    verdicts = Counter((answer.implementation, answer.variant, answer.verdict) for answer in run.answers)
    differ = no_differences and any(verdict in {"differs", "no answer"} for *_, verdict in verdicts)
    asked = {(answer.implementation, answer.variant) for answer in run.answers}
    too_few = min_passed is not None and any(verdicts[name, variant, "passed"] < min_passed for name, variant in asked)
    return NOT_CONFORMING if run.not_started or differ or too_few else 0


def _words(command_line: str) -> list[str]:
    """Return the words of a command, quoted as in a shell."""
    try:
        words = shlex.split(command_line, posix=os.name == "posix")
    except ValueError as error:
        raise click.UsageError(f"--command {command_line}: {str(error).lower()}") from error
    if not words:
        raise click.UsageError("--command is empty")
    return words


def _named(chosen: tuple[str, ...]) -> list[str]:
    """Return the implementations that are meant; of ``all``, those that are not installed are reported and left out."""
    if "all" not in chosen:
        return [*chosen]
    missing = not_installed()
    for name, install in missing.items():
        click.echo(f"bleukit: warning: the implementation {name!r} is left out: it needs: {install}", err=True)
    names = [name for name in registry.installed().registered[manager.IMPLEMENTATION] if name not in missing]
    if not names:
        raise click.ClickException("no implementation is installed")
    return names
