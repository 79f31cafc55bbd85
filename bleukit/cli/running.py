"""How a command is found and run, and how its errors are reported."""

from __future__ import annotations

import importlib
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from bleukit.cli import COMMANDS, INTERRUPTED, output
from bleukit.errors import BleukitError
from bleukit.loading import registry
from bleukit.version import __version__

if TYPE_CHECKING:
    from bleukit.cli import Interrupt

EXIT_BAD_INPUT = 2


class _LazyGroup(click.Group):
    """Knows its commands by name and one line; imports a command's module when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"bleukit.cli.{name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, asked: _print_version(context) if asked else None,
    help="Print the version, and whether compiled parts are missing.",
)
def cli() -> None:
    """Score translations with any published BLEU, chosen by name or by a YAML file.

    \b
    bleukit score -r reference.txt hypothesis.txt
    bleukit score -V nltk -r reference1.txt -r reference2.txt hypothesis.txt
    """


def _print_version(context: click.Context) -> None:
    from bleukit.installation import compiled_parts

    click.echo(f"bleukit, version {__version__}")
    with suppress(BleukitError):  # of plugins, which does not matter here
        missing = [name for name, is_there in compiled_parts().items() if not is_there]
        if missing:
            click.echo(f"compiled parts missing: {len(missing)}; see 'bleukit plugins'")
    context.exit()


def run(arguments: list[str] | None, interrupt: Interrupt) -> int:
    """Run the command line and return its exit status."""
    with output.standard_streams(interrupt):
        try:
            with output.Destination() as destination:
                status = cli.main(arguments, prog_name="bleukit", standalone_mode=False, obj=destination)
            _warn_of_broken_plugins()
        except click.Abort:
            return INTERRUPTED
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx.get_help() if error.ctx else "", err=True)
            return EXIT_BAD_INPUT
        except (click.ClickException, BleukitError, MemoryError) as error:
            interrupt.check()  # it may be the cause
            click.echo(f"bleukit: error: {' '.join(_message(error).split())}", err=True)
            return EXIT_BAD_INPUT
        return status if isinstance(status, int) else 0


def _message(error: Exception) -> str:
    if isinstance(error, click.UsageError):
        hint = f"; see '{error.ctx.command_path} --help'" if error.ctx else ""
        return error.format_message().rstrip(".") + hint
    if isinstance(error, click.ClickException):
        return error.format_message()
    return str(error) or "not enough memory"


def _warn_of_broken_plugins() -> None:
    """Print which installed plugins could not be used, and which unknown ones are kept out, if any were looked for."""
    for warning in registry.warnings():
        click.echo(f"bleukit: warning: {warning}", err=True)
