"""``bleukit conform`` and ``serve``: check variants, components, cases and other implementations."""

from __future__ import annotations

import difflib
import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bleukit.bleu.hookspecs import COMPONENT_HOOKS, IMPLEMENTATION
from bleukit.cli import options
from bleukit.cli.file_names import FileName, OutputName
from bleukit.cli.metric_options import variant_names_option
from bleukit.cli.options import Exclusion
from bleukit.cli.printing import as_json, terminal_width, warn, with_progress
from bleukit.conformance import reporting
from bleukit.conformance.formula import PLAIN_VARIANT
from bleukit.conformance.implementations import protocol, records, serving
from bleukit.conformance.implementations import reporting as verdicts
from bleukit.conformance.implementations.asking import ask_implementations, not_installed
from bleukit.conformance.judging import cases
from bleukit.conformance.judging.laws import laws_by_verdict
from bleukit.conformance.running.certifying import Selection, certify
from bleukit.conformance.writing import drafts, explaining
from bleukit.explaining import derivation
from bleukit.framework import registry, yaml_document
from bleukit.framework.options import Component
from bleukit.metrics.loading import METRICS
from bleukit.writing.phrases import wrapped_lines
from bleukit.writing.printers import as_markdown, printed
from bleukit.writing.table import table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bleukit.conformance.judging.cases import CaseDocument
    from bleukit.conformance.judging.combinations import Choice
    from bleukit.conformance.report import Report

NOT_CONFORMING = 1
"""The exit status if something does not conform."""

FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": reporting.as_text,
    "markdown": reporting.as_markdown,
    "json": lambda report: as_json(reporting.as_data(report)),
}

cases_option = options.option(
    "--cases",
    "folder",
    metavar="DIR",
    type=FileName(lambda folder: map(str, Path(folder).glob("*.yaml"))),
    help="Add the cases in DIR to the documents' cases.",
)


def _configs_option(what: str) -> Callable[[Any], Any]:
    """Return -c; the command receives the files as ``configs``."""
    text = f"{what} May be repeated."
    return options.option("-c", "--config", "configs", metavar="FILE", type=FileName(), multiple=True, help=text)


def _option_of(kind: str) -> str:
    return f"--{kind.replace('_', '-')}"


def _component_option(kind: str) -> Callable[[Any], Any]:
    """Return the option that is called as a kind of component, and completes its names."""

    def complete(context: click.Context, option: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
        names = registry.installed().of_kind(kind)
        return sorted(name for name in names if name.startswith(incomplete))

    return options.option(
        _option_of(kind), metavar="NAME", shell_complete=complete, help="Check only combinations with it."
    )


def _choice(context: click.Context, option: click.Parameter, value: str | None) -> Choice | None:  # noqa: ARG001
    """Return the name of a component or variant, or a name with options. Raises BadParameter for anything else."""
    try:
        return None if value is None else Component.from_yaml(yaml_document.parse(value, "--as").data).to_yaml()
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def sources(variants: Sequence[str], configs: Sequence[str]) -> list[str | Path]:
    """Return the variants that -V and -c choose: names, and paths of files."""
    return [*variants, *map(Path, configs)]


def documents(folder: str | None) -> dict[str, CaseDocument]:
    """Return the documents of the suite and those in a folder, by name."""
    return cases.documents_by_name(None if folder is None else Path(folder))


@click.group("conform", invoke_without_command=True, subcommand_metavar="[COMMAND ...]")
@options.option(
    "--certify",
    "names",
    metavar="NAME",
    multiple=True,
    help="Check this alone; exit with 1 unless it is well-behaved. May be repeated.",
)
@options.option(
    "--as",
    "conforms_to",
    metavar="NAME",
    callback=_choice,
    help="With --certify: also exit with 1 unless it gives the same as this component or variant.",
)
@variant_names_option(help="Check only this variant. May be repeated.")
@_configs_option("Check only this variant file.")
@options.options(*map(_component_option, COMPONENT_HOOKS))
@cases_option
@options.option("--laws", is_flag=True, help="Check laws alone, and show what breaks them.")
@options.option("--quick", is_flag=True, help="Combine components only with those of one variant.")
@options.unloaded_plugin_option
@options.format_option(*FORMATS)
@options.redirecting_option
@options.excluding(
    Exclusion(
        "--certify",
        ", ".join(["--variant", "--config", *map(_option_of, COMPONENT_HOOKS)]),
        "--certify chooses what is checked: give it alone",
    ),
    Exclusion(
        "--laws",
        ", ".join(["--certify", "--quick", *map(_option_of, COMPONENT_HOOKS)]),
        "--laws is about variants and metrics: -V and -c choose them",
    ),
    Exclusion("--as", "", "--as names what --certify NAME must be the same as: also give --certify", "--certify"),
)
def conform(  # noqa: PLR0913
    names: tuple[str, ...],
    conforms_to: Choice | None,
    variants: tuple[str, ...],
    configs: tuple[str, ...],
    plugins: tuple[str, ...],
    folder: str | None,
    form: str,
    *,
    laws: bool,
    quick: bool,
    **components: str | None,
) -> int:
    """Check variants and components against the documents of BLEU.

    Without a command, run every named variant and every combination of components on all cases, and test the contract
    of each component. A component fails if it breaks its contract, a promise that it makes, or a case that names it.
    The exit status is 1 if anything fails.

    \b
    bleukit conform --certify NAME --cases DIR
    bleukit conform --certify NAME --as 13a
    bleukit conform --laws -V NAME
    bleukit conform implementations all
    """
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        _refuse_options(context, context.invoked_subcommand)
        return 0
    only = {kind: name for kind, name in components.items() if name is not None}
    named = [*variants, *configs]
    of_cases = documents(folder)
    if laws:
        with registry.also_installed([*plugins, *_plugins_of(configs)]):
            return _judge_laws(of_cases, [*variants, *map(Path, configs)], form)
    selection = Selection(
        documents=of_cases,
        variants=named if named or only else None,
        only=only if only or not named else None,
        names=names,
        conforms_to=conforms_to,
        plugins=[*plugins, *_plugins_of(configs)],
        own=frozenset(of_cases.keys() - documents(None).keys()),
        quick=quick,
    )
    report = certify(selection, with_progress, warn)
    click.echo(FORMATS[form](report))
    return 0 if report.conforms else NOT_CONFORMING


LAWS = {"agrees": "keep it", "deviates": "break it, as stated", "unstated": "not spoken of", "fails": "fail"}
"""What variants do, by the state of a law."""


def _judge_laws(of_cases: Mapping[str, CaseDocument], named: Sequence[str | Path], form: str) -> int:
    """Print what comes of each law, by variants; return the exit status."""
    laws = [case for document in of_cases.values() for case in document.cases if case.law]
    found = laws_by_verdict(laws, named or [*drafts.usable_variants(), *METRICS])
    rows = [(one.law.id, LAWS[one.state], ", ".join(one.names), one.because) for one in found]
    if form == "json":
        click.echo(as_json([{**one._asdict(), "law": one.law.id, "says": one.law.says} for one in found]))
    elif form == "markdown":
        heads = ["law", "verdict", "variants and metrics", "because"]
        click.echo(as_markdown(table_of(zip(heads, zip(*rows, strict=True), strict=True), heads)))
    for law in laws if form == "text" else ():
        click.echo("\n".join(["", *wrapped_lines(f"{law.id}: {law.says}", reporting.WIDTH)]))
        for _, verdict, names, because in (row for row in rows if row[0] == law.id):
            text = f"{names}: {because}" if because else names
            click.echo("\n".join(wrapped_lines(text, reporting.WIDTH, first=f"  {verdict}  ")))
    return NOT_CONFORMING if any(one.state == "fails" for one in found) else 0


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


@conform.command("new")
@click.argument("file", type=OutputName())
def new_cases(file: str) -> None:
    """Write a document of cases to start from.

    \b
    bleukit conform new my-cases/mine.yaml
    """
    drafts.start_document(Path(file))


@conform.command("check")
@click.argument("file", type=FileName())
@variant_names_option(help="Check with this variant; default: all that are installed. May be repeated.")
@options.plugin_option
def check_cases(file: str, variants: tuple[str, ...]) -> int:
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


@conform.command("explain")
@click.argument("case")
@variant_names_option(help="Explain the score of this variant. May be repeated.")
@_configs_option("Explain the score of the variant in this YAML file.")
@cases_option
@options.plugin_option
@options.format_option(*derivation.FORMATS)
@options.redirecting_option
def explain_case(case: str, variants: tuple[str, ...], configs: tuple[str, ...], folder: str | None, form: str) -> None:
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
        click.echo(derivation.written(explaining.explain_case(known[case], variant), form, terminal_width()))


@conform.command("implementations")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@options.option(
    "--command",
    "commands",
    metavar="COMMAND",
    multiple=True,
    help="Check the implementation, in any language, that COMMAND starts. May be repeated.",
)
@options.option(
    "--timeout",
    metavar="SECONDS",
    type=options.FiniteRange(0, 86_400, min_open=True),
    default=10.0,
    show_default=True,
    help="Time that the process of COMMAND may take for a case.",
)
@options.option(
    "--min-passed", metavar="N", type=click.IntRange(0), help="Exit with 1 unless each implementation passes N cases."
)
@options.option("--no-differences", is_flag=True, help="Exit with 1 if a case differs or has no answer.")
@variant_names_option(help="Ask for this variant; default: the plain definition (wikipedia). May be repeated.")
@_configs_option("Ask for the variant in this YAML file.")
@cases_option
@options.plugin_option
@options.format_option("text", "json", "markdown")
@options.redirecting_option
def implementations(  # noqa: PLR0913
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

    The exit status is 1 if COMMAND does not start or does not answer hello. Differences are failures only with
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
    if form == "json":
        click.echo(as_json(verdicts.as_data(run)))
    else:
        click.echo(printed(form, verdicts.parts(run), terminal_width(), ruled=True))
    counts = Counter((answer.implementation, answer.variant, answer.verdict) for answer in run.answers)
    differ = no_differences and any(verdict in {"differs", "no answer"} for *_, verdict in counts)
    asked = {(answer.implementation, answer.variant) for answer in run.answers}
    too_few = min_passed is not None and any(counts[name, variant, "passed"] < min_passed for name, variant in asked)
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
        warn(f"the implementation {name!r} is left out: it needs: {install}")
    names = [name for name in registry.installed().of_kind(IMPLEMENTATION) if name not in missing]
    if not names:
        raise click.ClickException("no implementation is installed")
    return names


SCHEMAS = {"cases": cases.cases_schema, "report": records.report_schema}


@conform.command("schema")
@click.argument("what", metavar="[cases|report]", type=click.Choice([*SCHEMAS]), default="cases")
@options.redirecting_option
def schema(what: str) -> None:
    """Print the JSON Schema of cases, or of reports."""
    click.echo(as_json(SCHEMAS[what]()))


@click.command("serve", short_help="Answer conformance cases, read as JSON lines.")
@options.option("--implementation", "name", metavar="NAME", default="bleukit", show_default=True, help="What to serve.")
@options.plugin_option
@options.option("--schema", is_flag=True, help="Print the JSON Schemas of the messages.")
def serve(name: str, *, schema: bool) -> None:
    """Read conformance cases as JSON lines from standard input, and write the answers to standard output.

    The answers come from bleukit itself, or from a library that 'bleukit plugins' lists as an implementation. The
    protocol is the one by which 'bleukit conform implementations --command' asks harnesses in any language.

    \b
    bleukit conform implementations --command 'bleukit serve'
    """
    if schema:
        click.echo(as_json(protocol.schemas()))
        return
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # what a library prints must not mix with the answers
        serving.serve(name, sys.stdin.buffer, answers)
