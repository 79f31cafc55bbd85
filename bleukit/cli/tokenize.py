"""``bleukit tokenize``: what a variant counts."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import click

from bleukit.cli.file_names import FileName
from bleukit.cli.options import chosen_variant, more_in, variant_options
from bleukit.cli.output import format_option, output_option
from bleukit.cli.reading import chosen_columns, chosen_limits, hypothesis_column_option, limit_option, print_warnings
from bleukit.text import corpora
from bleukit.text.files import refuse_second_readers

if TYPE_CHECKING:
    from collections.abc import Callable


@click.command("tokenize", epilog=more_in("inputs"))
@click.argument("files", metavar="[FILE]...", type=FileName(), nargs=-1)
@variant_options
@hypothesis_column_option
@limit_option
@output_option
@format_option("text", "json")
def command(files: tuple[str, ...], form: str) -> None:
    """Show the tokens that a variant counts.

    The tokens of each segment are printed on one line, separated by spaces, or as a JSON list. FILE is a text file, an
    evaluation set or a table, of which FILE#NAME chooses a part; default: standard input. Output follows input line by
    line.

    \b
    bleukit tokenize hypothesis.txt
    echo "It's 5 o'clock." | bleukit tokenize -V nltk
    """
    files = files or ("-",)
    refuse_second_readers(files)
    bleu = chosen_variant()
    as_text: Callable[[list[str]], str] = partial(json.dumps, ensure_ascii=False) if form == "json" else " ".join
    for path in files:
        notes: list[str] = []
        columns = chosen_columns()
        for texts in corpora.read_segments(path, bleu.tokenize, columns=columns, limits=chosen_limits(), notes=notes):
            click.echo("\n".join(as_text(list(tokens)) for tokens in bleu.tokenize_all(texts)))
        print_warnings(notes)
