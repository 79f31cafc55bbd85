"""``bleukit tokenize``: what a variant counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleukit.cli.options import chosen, variant_options
from bleukit.cli.output import output_option, refuse_to_read
from bleukit.cli.reading import columns, hypothesis_column_option, limit_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleukit.text.files import Limits


@click.command()
@click.argument("files", metavar="[FILE]...", nargs=-1)
@variant_options
@hypothesis_column_option
@limit_option
@output_option
@click.option(
    "--format",
    "form",
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
    form: str,
) -> None:
    """Show the tokens of each line of the files, or of standard input, as they are read.

    Of an evaluation set (.sgm, .sgml, .xml) the segments are shown, in the order of the file; FILE#NAME chooses a
    system or reference. Of a table (.tsv, .csv, .jsonl, .parquet, .arrow, .feather) it is the column of hypotheses, or
    the one that FILE#NAME chooses.
    """
    import json
    from functools import partial

    from bleukit.text import corpora
    from bleukit.text.files import refuse_second_readers

    files = files or ("-",)
    refuse_second_readers(files)
    bleu = chosen(variant, config, settings)
    as_text: Callable[[list[str]], str] = partial(json.dumps, ensure_ascii=False) if form == "json" else " ".join
    refuse_to_read(files)
    for path in files:
        for texts in corpora.read_segments(path, bleu.tokenize, columns=columns(), limits=limits):
            click.echo("\n".join(as_text(list(tokens)) for tokens in bleu.tokenize_all(texts)))
