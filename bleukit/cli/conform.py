"""``bleukit conform``: what conforms to what."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bleukit.cli.options import unloaded_plugin_option
from bleukit.cli.output import output_option
from bleukit.cli.printing import as_json, as_json_line, console, put, table, with_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.conformance.judging.cases import Document
    from bleukit.conformance.reports.reporting import Findings

NOT_CONFORMING = 1


@click.command("conform")
@click.option("-V", "--variant", "variants", metavar="NAME", multiple=True, help="Only this named variant.")
@click.option("-c", "--config", "configs", metavar="FILE", multiple=True, help="Only the variant in this YAML file.")
@click.option("--tokenizer", metavar="NAME", help="Only combinations with this tokenizer.")
@click.option("--counter", metavar="NAME", help="Only combinations with this n-gram counter.")
@click.option("--reference-length", metavar="NAME", help="Only combinations with this reference-length policy.")
@click.option("--smoothing", metavar="NAME", help="Only combinations with this smoothing.")
@click.option(
    "--implementation",
    "implementations",
    metavar="NAME",
    multiple=True,
    help="Check another library instead; 'all' for all that are installed. May be repeated.",
)
@click.option(
    "--command",
    "commands",
    metavar="COMMAND",
    multiple=True,
    help="Check the implementation, in any language, that this command starts. May be repeated.",
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    help="How long the process of --command may take for a case.",
)
@click.option("--changes", is_flag=True, help="Change each key of each named variant; list what no case notices.")
@click.option("--export", "target", metavar="DIR", help="Write the cases as JSON, for runners in any language.")
@click.option(
    "--compare",
    "reports",
    nargs=2,
    metavar="OLD.json NEW.json",
    help="Print what changed between two reports on implementations, written with --format json.",
)
@click.option("--new", "new", metavar="FILE", help="Write a document of cases to start from.")
@click.option(
    "--check", "checked", metavar="FILE", help="Compute the cases of this document: mistakes by line, with the values."
)
@click.option("--explain", "explained", metavar="CASE", help="Print how the score of this case follows, step by step.")
@click.option("--report-schema", is_flag=True, help="Print the JSON Schema of such a report.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a file of cases.")
@click.option("--quick", is_flag=True, help="Leave out what takes long.")
@unloaded_plugin_option
@click.option("--cases", "folder", metavar="DIR", help="YAML cases to add to those of the documents.")
@output_option
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "markdown", "html", "junit", "badge", "latex"]),
    default="text",
    show_default=True,
)
def command(  # noqa: C901, PLR0911, PLR0913 - it chooses what is done
    variants: tuple[str, ...],
    configs: tuple[str, ...],
    implementations: tuple[str, ...],
    commands: tuple[str, ...],
    timeout: float,
    plugins: tuple[str, ...],
    folder: str | None,
    target: str | None,
    reports: tuple[str, str] | None,
    new: str | None,
    checked: str | None,
    explained: str | None,
    output: str,
    *,
    changes: bool,
    schema: bool,
    report_schema: bool,
    quick: bool,
    **components: str | None,
) -> int:
    """Check variants, and every combination of components, against the documents that define BLEU.

    A stage of a case agrees with the document, deviates from it as the case states (and why), or fails. A variant or a
    component is not certified if the cases leave some of its stages unstated.

    Each plugin runs in processes of its own, with limits of time and memory, and its components are checked against
    the contracts of bleukit/hookspecs.py. --quick leaves out most combinations, many calls, large batches, and the
    second process, which has another hash seed, locale, home and clock.

    --changes changes each key of each named variant to each other value, one at a time, and lists the changes that the
    cases do not notice, and those that change no score.

    --implementation checks other libraries with the cases ('bleukit plugins' lists them): which cases each passes,
    where it differs, and what it has no parameter for. It computes the plain definition (the variant wikipedia) or the
    variants that -V and -c name. --command does the same for an implementation in any language, a process that reads
    cases and writes answers as JSON lines (conformance/harnesses.md). If the process fails, that is reported, and the
    run goes on. --format html is a page with all answers to each case, --format json can be compared later (--compare),
    and --format badge is for shields.io.

    --export writes the cases as JSON, resolved for every named variant or for those that -V names, with a README.md
    that explains them. --new starts a document with cases of your own, --check compares it with what bleukit
    computes, and --explain prints how the score of a case follows, as text, Markdown or LaTeX.

    Exit status: 1 if something fails or, with --compare, if a case that passed no longer passes; else 0. Differences of
    other libraries are not failures: with --implementation or --command the exit status is 0.

    \b
    bleukit conform
    bleukit conform --variant NAME
    bleukit conform --tokenizer NAME --format markdown
    bleukit conform --changes
    bleukit conform --implementation all
    bleukit conform --implementation sacrebleu --command 'node harness.js'
    bleukit conform --compare before.json after.json
    bleukit conform --explain W4 --format latex
    bleukit conform --new cases/mine.yaml; bleukit conform --check cases/mine.yaml
    """
    from bleukit.conformance.judging import cases
    from bleukit.conformance.reports import records, reporting
    from bleukit.loading import registry

    if schema or report_schema:
        click.echo(as_json(records.json_schema() if report_schema else cases.json_schema()))
        return 0
    if reports is not None:
        findings = reporting.of_changes(*map(records.read, map(Path, reports)))
        _print(findings, output)
        return NOT_CONFORMING if findings.data["worse"] else 0
    only = {kind: name for kind, name in components.items() if name is not None}
    if changes and (only or configs):
        raise click.UsageError("--changes is about named variants: give -V or nothing")
    if only and (target is not None or implementations or commands):
        raise click.UsageError("an implementation cannot run a combination of components; give -V or -c")
    named: list[str | Path] = [*variants, *map(Path, configs)]
    if new is not None or checked is not None:
        return _write(new, checked, variants)
    own = Path(folder) if folder is not None else None
    if target is not None:
        return _export(Path(target), own, named)
    if (output == "latex" and not explained) or (output == "badge" and not (implementations or commands)):
        what = {"latex": "--explain", "badge": "--implementation or --command"}[output]
        raise click.UsageError(f"--format {output} is for {what}")
    documents = [*cases.by_name(own).values()]
    if implementations or commands or changes or explained:
        click.get_current_context().with_resource(registry.also_installed(plugins))
    if explained is not None:
        return _explain(explained, documents, named, output)
    if implementations or commands:
        return _ask(documents, named, implementations, commands, timeout, output)
    if changes:
        return _changes(documents, variants or _usable_variants(), output)
    from bleukit.conformance.certifying import Asked, certify

    asked_for = named if named or only else None
    combined = only if only or not named else None
    asked = Asked(documents, asked_for, combined, plugins, quick=quick)
    report = certify(asked, with_progress, lambda what: click.echo(f"bleukit: warning: {what}", err=True))
    _print(reporting.of_suite(report), output)
    return 0 if report.conforms else NOT_CONFORMING


def _write(new: str | None, checked: str | None, variants: Sequence[str]) -> int:
    """Start a document of cases, or check one."""
    from bleukit.conformance.implementations import exporting
    from bleukit.conformance.writing import drafts

    if new is not None:
        drafts.new(Path(new))
    if checked is None:
        return 0
    mistakes = drafts.check(Path(checked), variants or exporting.bleukits_own())
    for mistake in mistakes:
        click.echo(mistake)
    return NOT_CONFORMING if mistakes else 0


def _explain(name: str, documents: Sequence[Document], variants: Sequence[str | Path], output: str) -> int:
    """Print how the score of a case follows for variants: by default that of its variant, or the plain definition."""
    import difflib

    from bleukit.conformance.implementations import questions
    from bleukit.conformance.writing import explaining
    from bleukit.inspecting.derivation import FORMATS

    known = {case.id: case for document in documents for case in document.cases}
    if name not in known:
        close = ", ".join(difflib.get_close_matches(name, known))
        raise click.UsageError(f"--explain: no case is called {name!r}{f'; did you mean {close}?' if close else ''}")
    if output not in FORMATS:
        raise click.UsageError(f"--explain prints {', '.join(FORMATS)}, not {output}")
    for variant in variants or [known[name].variant or questions.PLAIN]:
        click.echo(FORMATS[output](explaining.explain(known[name], variant)))
    return 0


def _ask(  # noqa: PLR0913
    documents: Sequence[Document],
    variants: Sequence[str | Path],
    implementations: tuple[str, ...],
    commands: tuple[str, ...],
    timeout: float,
    output: str,
) -> int:
    """Ask implementations, and print what they answer."""
    from bleukit.conformance.implementations.asking import compare
    from bleukit.conformance.reports import reporting

    started = list(map(_split, commands))
    with redirect_stdout(sys.stderr):
        comparison = compare(documents, _names(implementations), variants, started, timeout)
    _print(reporting.of_comparison(comparison, documents), output)
    return 0


def _export(folder: Path, own: Path | None, variants: Sequence[str | Path]) -> int:
    """Write the cases of the suite, and own ones, into a new or empty folder."""
    from bleukit.conformance.implementations import exporting
    from bleukit.conformance.judging import cases

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.UsageError(f"--export {folder}: expected a new or empty folder")
    files = dict(exporting.files(cases.by_name(own), variants or exporting.bleukits_own()))
    try:
        for path, data in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    except OSError as error:
        raise click.ClickException(f"--export {folder}: cannot be written: {error.strerror}") from error
    return 0


def _changes(documents: Sequence[Document], variants: Sequence[str], output: str) -> int:
    from bleukit.conformance.writing.changes import check, report

    with redirect_stdout(sys.stderr):
        found = [
            change
            for name in with_progress(iter(variants), len(variants), "Variants")
            for change in check(documents, name)
        ]
    findings = report(found)
    _print(findings, output)
    return NOT_CONFORMING if findings.data["unnoticed"] else 0


def _usable_variants() -> list[str]:
    """Return all named variants; those that need what is not installed are reported and left out."""
    import bleukit
    from bleukit.loading import registry

    def is_usable(name: str) -> bool:
        try:
            bleukit.load(name)
        except bleukit.NotInstalledError as error:
            click.echo(f"bleukit: warning: the variant {name!r} is left out: {error.problem}", err=True)
            return False
        return True

    return list(filter(is_usable, sorted(registry.installed().variants)))


def _split(command: str) -> list[str]:
    """Return the words of a command, quoted as in a shell."""
    import os
    import shlex

    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise click.UsageError(f"--command {command}: {str(error).lower()}") from error
    if not words:
        raise click.UsageError("--command is empty")
    return words


def _names(chosen: tuple[str, ...]) -> list[str]:
    """Return the implementations that are meant; of ``all``, those that are not installed are reported and left out."""
    if "all" not in chosen:
        return [*chosen]
    from bleukit.conformance.implementations.asking import not_installed
    from bleukit.loading import manager, registry

    missing = not_installed()
    for name, command in missing.items():
        click.echo(f"bleukit: warning: the implementation {name!r} is left out: it needs: {command}", err=True)
    names = [name for name in registry.installed().registered[manager.IMPLEMENTATION] if name not in missing]
    if not names:
        raise click.ClickException("no implementation is installed")
    return names


def _print(findings: Findings, output: str) -> None:
    from bleukit.conformance.reports import reporting

    if output == "markdown":
        click.echo(reporting.as_markdown(findings))
    elif output == "junit":
        click.echo(reporting.as_junit(findings))
    elif output == "json":
        click.echo(as_json(findings.data))
    elif output == "badge" and findings.make_badge is not None:
        click.echo(as_json_line(findings.make_badge()))
    elif output == "html" and findings.make_page is not None:
        click.echo(findings.make_page())
    else:
        target = console(record=output == "html")
        for each in findings.tables:
            put(table(each.columns, each.rows, each.title), target)
        target.print(findings.summary, highlight=False)
        if output == "html":
            click.echo(target.export_html())
