"""``bleukit sacrebleu``: the command of sacreBLEU, for which bleukit counts BLEU."""

from __future__ import annotations

import os
import subprocess
import sys

import click

from bleukit.compat.originals import require
from bleukit.errors import BleukitError


class _Unparsed(click.Command):
    """Leaves its arguments, ``--help`` too, to sacreBLEU."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.args = args
        return args


@click.command("sacrebleu", cls=_Unparsed, add_help_option=False)
@click.pass_context
def command(context: click.Context) -> None:
    """Score with the options and the output of sacreBLEU."""
    context.exit(run_sacrebleu(context.args))


def run_sacrebleu(arguments: list[str]) -> int:
    """Run the command of sacreBLEU in a process of its own, and return its exit status.

    Raises BleukitError if sacreBLEU is missing, or reports an error.
    """
    require("sacrebleu", "2.5", "bleukit[sacrebleu]")
    ended = subprocess.run(  # noqa: S603 - the user's own arguments, and no shell
        [sys.executable, "-m", "bleukit.compat.sacrebleu", *arguments],
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONSAFEPATH": "1", "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    if ended.returncode > 0:
        lines = ended.stderr.splitlines() or [f"ended with status {ended.returncode}"]
        one_is_the_error = ended.stderr.startswith(("usage: ", "Traceback "))
        errors = [line.removeprefix("sacreBLEU: ") for line in (lines[-1:] if one_is_the_error else lines)]
        raise BleukitError(f"sacreBLEU: {' '.join(errors)}")
    click.echo(ended.stderr, err=True, nl=False)
    return 128 - ended.returncode if ended.returncode else 0
