"""``bleukit conform``: check variants and components; its subcommands are about cases and other implementations."""

from __future__ import annotations

import click
from click.core import ParameterSource

from bleukit.cli.completion import ComponentName
from bleukit.cli.conform import cases, changes, compare, export, implementations, schema
from bleukit.cli.conform.shared import (
    FORMATS,
    NOT_CONFORMING,
    cases_option,
    configs_option,
    documents,
    format_option,
    print_findings,
    sources,
    variants_option,
)
from bleukit.cli.options import more_in, unloaded_plugin_option
from bleukit.cli.output import output_option
from bleukit.cli.printing import with_progress
from bleukit.conformance.certifying import Selection, certify
from bleukit.conformance.reports import reporting


@click.group("conform", invoke_without_command=True, subcommand_metavar="[COMMAND ...]", epilog=more_in("conformance"))
@click.option(
    "--certify",
    "names",
    metavar="NAME",
    multiple=True,
    help="Check this alone; exit with 1 unless certified.",
)
@variants_option("Check only this variant.")
@configs_option("Check only this variant file.")
@click.option("--tokenizer", metavar="NAME", type=ComponentName("tokenizer"), help="Check only its combinations.")
@click.option("--counter", metavar="NAME", type=ComponentName("counter"), help="Check only its combinations.")
@click.option(
    "--reference-length", metavar="NAME", type=ComponentName("reference_length"), help="Check only its combinations."
)
@click.option("--smoothing", metavar="NAME", type=ComponentName("smoothing"), help="Check only its combinations.")
@click.option(
    "--brevity-penalty", metavar="NAME", type=ComponentName("brevity_penalty"), help="Check only its combinations."
)
@cases_option
@click.option("--quick", is_flag=True, help="Leave out what takes long.")
@unloaded_plugin_option
@format_option(*FORMATS, "html")
@output_option
def command(  # noqa: PLR0913
    names: tuple[str, ...],
    variants: tuple[str, ...],
    configs: tuple[str, ...],
    plugins: tuple[str, ...],
    folder: str | None,
    form: str,
    *,
    quick: bool,
    **components: str | None,
) -> int:
    """Check variants and components against the documents that define BLEU.

    Without a command, run every named variant and every combination of components on all cases, and try the contracts
    of the components. What keeps all contracts and fails no case is certified if a definition or its own cases say what
    it must give, and sound if not. The exit status is 1 if anything fails.

    \b
    bleukit conform --certify NAME --cases DIR
    bleukit conform implementations all
    """
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        _refuse_options(context, context.invoked_subcommand)
        return 0
    if names and (variants or configs or any(components.values())):
        raise click.UsageError("--certify chooses what is checked: give it alone")
    only = {kind: name for kind, name in components.items() if name is not None}
    named = sources(variants, configs)
    of_cases = [*documents(folder).values()]
    selection = Selection(
        documents=of_cases,
        variants=named if named or only else None,
        only=only if only or not named else None,
        plugins=plugins,
        quick=quick,
        names=names,
    )
    report = certify(selection, with_progress, lambda what: click.echo(f"bleukit: warning: {what}", err=True))
    print_findings(reporting.of_suite(report, of_cases), form)
    return 0 if report.conforms else NOT_CONFORMING


def _refuse_options(context: click.Context, subcommand: str) -> None:
    """Raise UsageError for options before a subcommand, which would have no effect."""
    for parameter in context.command.params:
        if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{parameter.opts[-1]} must follow {subcommand!r}, if that has such an option")


for _subcommand in (
    implementations.command,
    compare.command,
    export.command,
    cases.new,
    cases.check,
    cases.explain,
    changes.command,
    schema.command,
):
    command.add_command(_subcommand)
