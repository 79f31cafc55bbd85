"""The command line: one file a command, each imported only when it is called."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from contextlib import suppress
from typing import Any

import click

from bleukit.errors import BleukitError
from bleukit.version import __version__

COMMANDS = {
    "score": "Score hypotheses against references.",
    "compare": "Compare systems: intervals, tests, ranks.",
    "identify": "Find which recipes give a published score.",
    "explain": "Tell why two variants differ on a text.",
    "variants": "List the BLEU variants, or print one as YAML.",
    "plugins": "List the plugins, and what each provides.",
    "tokenize": "Show the tokens that a variant counts.",
    "conform": "Check what conforms to the documents that define BLEU.",
    "config": "Show or check a recipe; print its JSON Schema.",
}

EXIT_BAD_INPUT = 2


class _LazyGroup(click.Group):
    """Knows its commands by name and one line; imports a command's module when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"bleukit.cli.{name}").command
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


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line and exit: 0 done, 2 bad usage or bad input, in one line on standard error."""
    _prepare_streams()
    try:
        status = cli.main(arguments, prog_name="bleukit", standalone_mode=False)
        sys.stdout.flush()
        _warn_of_broken_plugins()
        sys.exit(status if isinstance(status, int) else 0)
    except click.Abort:
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        sys.exit(EXIT_BAD_INPUT)
    except (click.ClickException, BleukitError) as error:
        _fail(_message(error))
    except OSError as error:  # files are read elsewhere: this is standard output, which must not be tried again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _fail(f"cannot write: {error.strerror or error}")


def _message(error: Exception) -> str:
    if isinstance(error, click.UsageError):
        hint = f"; see '{error.ctx.command_path} --help'" if error.ctx else ""
        return error.format_message().rstrip(".") + hint
    if isinstance(error, click.ClickException):
        return error.format_message()
    return str(error)


def _prepare_streams() -> None:
    if sys.stdout is None:
        _fail("cannot write: standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if hasattr(signal, "SIGPIPE"):  # a reader that has had enough ends us quietly, as it ends every other filter
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def _warn_of_broken_plugins() -> None:
    """Print which installed plugins could not be used, and which unknown ones are kept out, if any were looked for."""
    registry = sys.modules.get("bleukit.loading.registry")
    for warning in registry.installed().warnings if registry else ():
        click.echo(f"bleukit: warning: {warning}", err=True)


def _fail(message: str) -> None:
    click.echo(f"bleukit: error: {' '.join(message.split())}", err=True)
    sys.exit(EXIT_BAD_INPUT)
