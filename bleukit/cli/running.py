"""All commands; how one is run, and how its errors are reported."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from importlib import import_module

import click

from bleukit.cli import hints, output
from bleukit.cli.interrupts import INTERRUPTED, Interrupt
from bleukit.errors import BleukitError
from bleukit.loading import registry
from bleukit.version import __version__

COMMANDS = (
    "score",
    "merge",
    "compare",
    "power",
    "report",
    "mbr",
    "self-bleu",
    "identify",
    "explain",
    "variants",
    "plugins",
    "tokenize",
    "conform",
    "serve",
    "sacrebleu",
    "config",
    "docs",
)
"""The names of the commands; each is in the module of its name."""

EXIT_BAD_INPUT = 2


class _Commands(click.Group):
    """Imports a command when it runs or is listed: some need NumPy, which takes longer than to score a small corpus."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"bleukit.cli.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f"no command is called {args[0]!r}; {hints.for_command(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)


def _print_version(context: click.Context, option: click.Parameter, asked: bool) -> None:  # noqa: ARG001
    if not asked:
        return
    click.echo(f"bleukit, version {__version__}")
    from bleukit import installation  # which only this needs

    with suppress(BleukitError):  # of plugins, which does not matter here
        missing = [name for name, is_there in installation.compiled_parts().items() if not is_there]
        if missing:
            click.echo(f"compiled parts missing: {len(missing)}; see 'bleukit plugins'")
    context.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version, and whether compiled parts are missing.",
)
@click.option("--untrusted-files", is_flag=True, help="Let no variant file import a module (its key 'plugins').")
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
            for warning in registry.warnings():
                click.echo(f"bleukit: warning: {warning}", err=True)
        except click.Abort:
            return INTERRUPTED
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx.get_help() if error.ctx else "", err=True)
            return EXIT_BAD_INPUT
        except (click.ClickException, BleukitError, MemoryError) as error:
            interrupt.check()  # it may be the cause
            click.echo(f"bleukit: error: {' '.join(_message(error, arguments).split())}", err=True)
            return EXIT_BAD_INPUT
        return status if isinstance(status, int) else 0


def _message(error: Exception, arguments: list[str] | None) -> str:
    if isinstance(error, click.NoSuchOption) and (hint := hints.for_option(error, arguments)):
        return f"No such option {error.option_name!r}; {hint}"
    if isinstance(error, click.UsageError):
        hint = f"; see '{error.ctx.command_path} --help'" if error.ctx else ""
        return error.format_message().rstrip(".") + hint
    if isinstance(error, click.ClickException):
        return error.format_message()
    return str(error) or "not enough memory"
