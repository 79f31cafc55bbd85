"""``bleukit serve``: an implementation of BLEU for runners of conformance cases."""

from __future__ import annotations

import os
import sys

import click

from bleukit.cli.options import more_in, plugin_option
from bleukit.cli.printing import as_json
from bleukit.conformance.implementations import protocol
from bleukit.conformance.implementations.serving import serve


@click.command("serve", epilog=more_in("implementations"))
@click.option("--implementation", "name", metavar="NAME", default="bleukit", show_default=True, help="Serve this one.")
@plugin_option
@click.option("--schema", is_flag=True, help="Print the JSON Schemas of the messages.")
def command(name: str, *, schema: bool) -> None:
    """Read conformance cases as JSON lines from standard input, and write the answers to standard output.

    The answers are those of bleukit itself, or of a library that 'bleukit plugins' lists as an implementation. The
    protocol is the one by which 'bleukit conform implementations --command' asks harnesses in any language.

    \b
    bleukit conform implementations --command 'bleukit serve'
    """
    if schema:
        click.echo(as_json(protocol.schemas()))
        return
    with os.fdopen(os.dup(1), "wb") as answers:
        sys.stdout.flush()
        os.dup2(2, 1)  # what a library prints must not mix with the answers
        serve(name, sys.stdin.buffer, answers)
