"""``bleukit duplicates``: the lines of a file that are much alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleukit.cli.options import chosen, decimals, threads_option, variant_options, width_option
from bleukit.cli.output import format_option, output_option
from bleukit.cli.printing import as_json_line, json_members
from bleukit.cli.reading import columns, hypothesis_column_option, limit_option
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.metric import Bleu
    from bleukit.pairs.duplicates import Duplicate
    from bleukit.text.files import Limits


@click.command(no_args_is_help=True)
@click.argument("file", metavar="FILE")
@click.option(
    "-t",
    "--threshold",
    type=float,
    required=True,
    metavar="SCORE",
    help="Print the pairs that score this or more, in the scale of the variant.",
)
@variant_options
@hypothesis_column_option
@threads_option
@limit_option
@width_option
@output_option
@format_option
def command(  # noqa: PLR0913
    file: str,
    threshold: float,
    variant: str | None,
    config: str | None,
    settings: tuple[str, ...],
    threads: int | None,
    limits: Limits,
    width: int | None,
    form: str,
) -> None:
    """Print all pairs of lines of which one, against the other, scores at least a threshold.

    The score of a pair is the higher of its two sentence scores. Of a table (.tsv, .csv, .jsonl, .parquet, .arrow,
    .feather) the column of hypotheses is read. Equal lines are pairs, too: of many equal lines there are very many.

    \b
    bleukit duplicates --threshold 80 FILE
    bleukit duplicates -V nltk --threshold 0.9 --format json FILE

    The text that is printed is, for each pair, the numbers of both lines, the score, and both lines, separated by tabs.
    """
    from itertools import chain

    from bleukit.text import corpora

    bleu = chosen(variant, config, settings)
    lines = list(chain.from_iterable(corpora.read_segments(file, bleu.tokenize, columns=columns(), limits=limits)))
    found = bleu.duplicates(lines, threshold, threads=threads)
    printed = _as_json(bleu, lines, found) if form == "json" else _as_text(lines, found, decimals(bleu, width))
    for line in printed:
        click.echo(line)


def _as_text(lines: Sequence[str], found: Sequence[Duplicate], digits: int) -> Iterator[str]:
    for first, second, score in found:
        for place in (first, second):
            if "\n" in lines[place] or "\r" in lines[place]:
                raise InputError(f"segment {place + 1}: the text has several lines: print it by --format json")
        yield f"{first + 1}\t{second + 1}\t{score:.{digits}f}\t{lines[first]}\t{lines[second]}"


def _as_json(bleu: Bleu, lines: Sequence[str], found: Sequence[Duplicate]) -> Iterator[str]:
    """Yield one object, a line a pair."""
    yield '{\n  "pairs": ['
    last = len(found) - 1
    for number, (first, second, score) in enumerate(found):
        pair = {"first": first + 1, "second": second + 1, "score": score, "texts": [lines[first], lines[second]]}
        yield f"    {as_json_line(pair)}{',' * (number < last)}"
    yield "  ],"
    yield f"{json_members({'signature': bleu.signature}, 2)}\n}}"
