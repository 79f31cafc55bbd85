"""``bleukit duplicates``: the lines of a file that are much alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleukit.cli.options import chosen_variant, decimals, more_in, threads_option, variant_options, width_option
from bleukit.cli.output import format_option, output_option
from bleukit.cli.printing import as_json_line, json_members
from bleukit.cli.reading import hypothesis_column_option, limit_option, read_texts
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.metric import Bleu
    from bleukit.pairs.duplicates import Duplicate


@click.command("duplicates", no_args_is_help=True, epilog=more_in("All pairs of texts"))
@click.argument("file", metavar="FILE")
@click.option(
    "-t",
    "--threshold",
    type=float,
    required=True,
    metavar="SCORE",
    help="Print pairs with at least this score, in the scale of the variant.",
)
@variant_options
@hypothesis_column_option
@threads_option
@limit_option
@width_option
@output_option
@format_option("text", "json")
def command(file: str, threshold: float, threads: int | None, form: str) -> None:
    """Print pairs of lines that are near-duplicates.

    The score of a pair is the higher of its two sentence scores, each line once against the other. FILE is a text file,
    an evaluation set or a table. Equal lines are pairs, too, if they reach the threshold: a line with fewer
    words than the highest n-gram order scores 0 against itself unless the variant smooths. Many equal lines form very
    many pairs.

    The output has a line for each pair: both line numbers, the score and both texts, separated by tabs.

    \b
    bleukit duplicates --threshold 80 FILE
    bleukit duplicates -V nltk --threshold 0.9 --format json FILE
    """
    bleu = chosen_variant()
    texts = read_texts(file, bleu)
    pairs = bleu.duplicates(texts, threshold, threads=threads)
    for line in _as_json(bleu, texts, pairs) if form == "json" else _as_text(texts, pairs, decimals(bleu)):
        click.echo(line)


def _as_text(texts: Sequence[str], pairs: Sequence[Duplicate], digits: int) -> Iterator[str]:
    for first, second, score in pairs:
        for place in (first, second):
            if "\n" in texts[place] or "\r" in texts[place]:
                raise InputError(f"segment {place + 1}: the text has several lines: print it by --format json")
        yield f"{first + 1}\t{second + 1}\t{score:.{digits}f}\t{texts[first]}\t{texts[second]}"


def _as_json(bleu: Bleu, texts: Sequence[str], pairs: Sequence[Duplicate]) -> Iterator[str]:
    """Yield one object, with a line for each pair."""
    yield '{\n  "pairs": ['
    last = len(pairs) - 1
    for number, (first, second, score) in enumerate(pairs):
        pair = {"first": first + 1, "second": second + 1, "score": score, "texts": [texts[first], texts[second]]}
        yield f"    {as_json_line(pair)}{',' * (number < last)}"
    yield "  ],"
    yield f"{json_members({'signature': bleu.signature}, 2)}\n}}"
