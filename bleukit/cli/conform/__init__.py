"""``bleukit conform``: check variants and components; its subcommands are about cases and other implementations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bleukit import yaml_document
from bleukit.cli.completion import ComponentName
from bleukit.cli.conform import cases, implementations, schema
from bleukit.cli.conform.shared import (
    NOT_CONFORMING,
    cases_option,
    configs_option,
    documents,
    format_option,
    variants_option,
)
from bleukit.cli.options import more_in, unloaded_plugin_option
from bleukit.cli.output import output_option
from bleukit.cli.printing import as_json, with_progress
from bleukit.conformance import reporting
from bleukit.conformance.running.certifying import Selection, certify
from bleukit.loading import registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleukit.conformance.report import Report

FORMATS: dict[str, Callable[[Report], str]] = {
    "text": reporting.as_text,
    "markdown": reporting.as_markdown,
    "json": lambda report: as_json(reporting.as_data(report)),
}


@click.group("conform", invoke_without_command=True, subcommand_metavar="[COMMAND ...]", epilog=more_in("conformance"))
@click.option(
    "--certify",
    "names",
    metavar="NAME",
    multiple=True,
    help="Check this alone; exit with 1 unless it is well-behaved. May be repeated.",
)
@click.option(
    "--as",
    "conforms_to",
    metavar="NAME",
    help="With --certify: also exit with 1 unless it gives the same as this component or variant.",
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
@click.option("--quick", is_flag=True, help="Combine components with those of one variant only.")
@unloaded_plugin_option
@format_option(*FORMATS)
@output_option
def command(  # noqa: PLR0913
    names: tuple[str, ...],
    conforms_to: str | None,
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

    Without a command, run every named variant and every combination of components on all cases, and try the contract of
    each component. A component fails if it breaks its contract, a promise that it makes, or a case that names it. The
    exit status is 1 if anything fails.

    \b
    bleukit conform --certify NAME --cases DIR
    bleukit conform --certify NAME --as 13a
    bleukit conform implementations all
    """
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        _refuse_options(context, context.invoked_subcommand)
        return 0
    if names and (variants or configs or any(components.values())):
        raise click.UsageError("--certify chooses what is checked: give it alone")
    if conforms_to is not None and not names:
        raise click.UsageError("--as says what --certify NAME is to be the same as: give --certify, too")
    only = {kind: name for kind, name in components.items() if name is not None}
    named = [*variants, *configs]
    suite = documents(None)
    of_cases = documents(folder)
    selection = Selection(
        documents=of_cases,
        variants=named if named or only else None,
        only=only if only or not named else None,
        names=names,
        conforms_to=None if conforms_to is None else _choice(conforms_to),
        plugins=[*plugins, *_plugins_of(configs)],
        own=frozenset(of_cases.keys() - suite.keys()),
        quick=quick,
    )
    report = certify(selection, with_progress, lambda what: click.echo(f"bleukit: warning: {what}", err=True))
    click.echo(FORMATS[form](report))
    return 0 if report.conforms else NOT_CONFORMING


def _choice(written: str) -> Any:
    """Return a name, or a mapping of a name and options in YAML."""
    return yaml_document.parse(written, "--as").data


def _plugins_of(configs: tuple[str, ...]) -> list[str]:
    """Return the modules that variant files name, unless these are untrusted.

    The path of a file is from the folder of the variant file.
    """
    modules: list[str] = []
    for config in () if registry.are_files_untrusted() else configs:
        data = yaml_document.read_yaml(Path(config)).data
        named = [str(module) for module in data.get("plugins", ())] if isinstance(data, dict) else []
        modules += [str(Path(config).parent / name) if name.endswith(".py") else name for name in named]
    return modules


def _refuse_options(context: click.Context, subcommand: str) -> None:
    """Raise UsageError for options before a subcommand, which would have no effect."""
    for parameter in context.command.params:
        if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{parameter.opts[-1]} must follow {subcommand!r}, if that has such an option")


for _subcommand in (
    implementations.command,
    cases.new,
    cases.check,
    cases.explain,
    schema.command,
):
    command.add_command(_subcommand)
