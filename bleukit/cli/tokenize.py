"""``bleukit tokenize``: what a variant counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleukit.cli.options import chosen, variant_options
from bleukit.cli.reading import limit_option

if TYPE_CHECKING:
    from bleukit.text.files import Limits


@click.command()
@click.argument("files", metavar="[FILE]...", nargs=-1)
@variant_options
@limit_option
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="text: tokens separated by spaces; json: a list of tokens a line.",
)
def command(  # noqa: PLR0913
    files: tuple[str, ...],
    variant: str | None,
    config: str | None,
    settings: tuple[str, ...],
    limits: Limits,
    output: str,
) -> None:
    """Show the tokens of each line of the files, or of standard input, as they are read.

    Of an evaluation set (.sgm, .sgml, .xml) the segments are shown, in the order of the file; FILE#NAME chooses a
    system or reference.
    """
    import json
    from functools import partial

    from bleukit.text import corpora
    from bleukit.text.files import refuse_second_readers

    files = files or ("-",)
    refuse_second_readers(files)
    bleu = chosen(variant, config, settings)
    for path in files:
        for texts in corpora.segments(path, bleu.tokenize, limits=limits):
            tokens = map(list, bleu.tokenize_all(texts))
            lines = map(partial(json.dumps, ensure_ascii=False) if output == "json" else " ".join, tokens)
            click.echo("\n".join(lines))
