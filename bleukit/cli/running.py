"""All commands; how one is run, and how its errors are reported."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bleukit.cli import output
from bleukit.cli.printing import print_message, warn
from bleukit.framework import registry
from bleukit.framework.errors import BleukitError, near_misses
from bleukit.framework.version import __version__

if TYPE_CHECKING:
    from bleukit.cli.interrupts import Interrupt

COMMANDS = {
    "score": "score",
    "merge": "score",
    "compare": "comparing",
    "power": "comparing",
    "report": "comparing",
    "mbr": "pairs",
    "self-bleu": "pairs",
    "identify": "identify",
    "explain": "explain",
    "variants": "installed",
    "plugins": "installed",
    "tokenize": "explain",
    "conform": "conform",
    "serve": "conform",
    "sacrebleu": "sacrebleu",
    "config": "installed",
}
"""The names of the commands, and the module of each, in which the function has its name."""

_INSTEAD = {
    ("-i", "--input"): "hypotheses need no option: bleukit score -r REF HYP",
    ("-tok", "--tokenize", "--tokenizer"): "a tokenizer is chosen by --set tokenizer=NAME",
    ("-lc", "--lowercase"): "case is ignored with --set lowercase=true",
    ("-m", "--metrics"): "metrics are chosen by -m of 'bleukit score' and 'compare', once for each",
    ("-s", "--smooth-method", "-sv", "--smooth-value"): "smoothing is chosen by --set smoothing=NAME",
    ("-sl", "--sentence-level"): "sentences are scored with --level sentence",
    ("-ci",): "intervals are printed with --confidence",
    ("-pbs", "--paired-bs"): "systems are compared by 'bleukit compare --test sacrebleu-bs'",
    ("-par", "--paired-ar"): "systems are compared by 'bleukit compare --test sacrebleu-ar'",
    ("-b",): "scores alone are printed with -q",
}
"""What to do instead of options that other tools have; 'bleukit sacrebleu' takes those of sacreBLEU itself."""

EXIT_BAD_INPUT = 2


class _Commands(click.Group):
    """Imports a command when it runs or is listed: some need NumPy, which takes longer than to score a small corpus."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"bleukit.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = near_misses(args[0], [*COMMANDS])
            if Path(args[0]).exists() or "." in args[0]:
                own = "with sacreBLEU's options: bleukit sacrebleu REF -i HYP"
                hint = f"to score files: bleukit score -r REF HYP; {own}"
            raise click.UsageError(f"no command is called {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


def _print_version(context: click.Context, option: click.Parameter, asked: bool) -> None:  # noqa: ARG001
    if not asked:
        return
    click.echo(f"bleukit, version {__version__}")
    from bleukit.installed import installation  # which only this needs

    with suppress(BleukitError):  # of plugins, which does not matter here
        missing = [name for name, is_there in installation.compiled_parts().items() if not is_there]
        if missing:
            click.echo(f"compiled parts missing: {len(missing)}; see 'bleukit plugins'")
    context.exit()


@click.group(
    cls=_Commands,
    epilog="README.md and docs, in the source, have more.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version, and whether compiled parts are missing.",
)
@click.option("--untrusted-files", is_flag=True, help="Variant files must not import modules (key 'plugins').")
@click.pass_context
def cli(context: click.Context, *, untrusted_files: bool) -> None:
    """Score translations with any published BLEU, chosen by name or by a YAML file.

    \b
    bleukit score -r reference.txt hypothesis.txt
    bleukit score -V nltk -r reference1.txt -r reference2.txt hypothesis.txt
    """
    if untrusted_files:
        os.environ[registry.UNTRUSTED_FILES] = "1"  # also for the processes that a command starts
        context.call_on_close(partial(os.environ.pop, registry.UNTRUSTED_FILES))


def run(arguments: list[str] | None, interrupt: Interrupt) -> int:
    """Run the command line and return its exit status."""
    with output.standard_streams(interrupt):
        try:
            with output.opened_destination() as destination:
                status = cli.main(arguments, prog_name="bleukit", standalone_mode=False, obj=destination)
            warn(*registry.installed().warnings())
        except click.Abort:
            return interrupt.status
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx.get_help() if error.ctx else "", err=True)
            return EXIT_BAD_INPUT
        except (click.ClickException, BleukitError, MemoryError) as error:
            interrupt.check()  # it may be the cause
            print_message(f"bleukit: error: {' '.join(_message(error, arguments).split())}")
            return EXIT_BAD_INPUT
        return status if isinstance(status, int) else 0


def _message(error: Exception, arguments: list[str] | None) -> str:
    if isinstance(error, click.NoSuchOption):
        words = {word.partition("=")[0] for word in (sys.argv[1:] if arguments is None else arguments)}
        for names, hint in _INSTEAD.items():
            if any(name in words and name.startswith(error.option_name) for name in names):  # click takes -tok for -t
                own = "sacreBLEU's own options are those of 'bleukit sacrebleu'"
                return f"No such option {error.option_name!r}; {hint}; {own}"
    if isinstance(error, click.UsageError):
        hint = f"; see '{error.ctx.command_path} --help'" if error.ctx else ""
        return error.format_message().rstrip(".") + hint
    if isinstance(error, click.ClickException):
        return error.format_message()
    return str(error) or "not enough memory"
