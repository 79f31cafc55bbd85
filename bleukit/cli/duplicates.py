"""``bleukit duplicates``: the lines of a file that are much alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.file_names import FileName
from bleukit.cli.options import chosen_variant, decimals, more_in, threads_option, variant_options, width_option
from bleukit.cli.output import format_option, output_option
from bleukit.cli.printing import as_json_line, json_members
from bleukit.cli.reading import hypothesis_column_option, limit_option, read_texts
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.metric import Bleu
    from bleukit.pairs.duplicates import Duplicates


@click.command("duplicates", no_args_is_help=True, epilog=more_in("pairs"))
@click.argument("file", metavar="FILE", type=FileName())
@click.option(
    "-t",
    "--threshold",
    type=float,
    required=True,
    metavar="SCORE",
    help="Print pairs with at least this score, in the scale of the variant.",
)
@click.option("--groups", is_flag=True, help="Print groups of near-duplicates, each with a representative.")
@variant_options
@hypothesis_column_option
@threads_option
@limit_option
@width_option
@output_option
@format_option("text", "json")
def command(file: str, threshold: float, threads: int | None, form: str, *, groups: bool) -> None:
    """Print pairs of lines that are near-duplicates.

    The score of a pair is the higher of its two sentence scores, each line once against the other. FILE is a text file,
    an evaluation set or a table.

    The output has a line for each pair: both line numbers, the score and both texts, separated by tabs. Equal lines are
    no pairs: each group of them is one line with the number of the first, those of the others with commas between them,
    the word "equal" and the text. Pairs name the first line of a group.

    With --groups, lines that are connected by pairs are a group: its line has the number of a representative (with most
    copies, or the highest scores), those of the others with commas between them, and the text of the representative.

    \b
    bleukit duplicates --threshold 80 FILE
    bleukit duplicates -V nltk --threshold 0.9 --format json FILE
    """
    bleu = chosen_variant()
    texts = read_texts(file, bleu)
    duplicates = bleu.duplicates(texts, threshold, threads=threads)
    if form == "json":
        lines = _as_json(bleu, _groups_as_json(texts, duplicates) if groups else _pairs_as_json(texts, duplicates))
    else:
        lines = _groups_as_text(texts, duplicates) if groups else _as_text(texts, duplicates, decimals(bleu))
    for line in lines:
        click.echo(line)


def _line_of(texts: Sequence[str], place: int) -> str:
    """Return a text. Raises InputError if it has several lines."""
    if "\n" in texts[place] or "\r" in texts[place]:
        raise InputError(f"segment {place + 1}: the text has several lines: print it by --format json")
    return texts[place]


def _numbers(places: Iterable[int]) -> str:
    return ",".join(str(place + 1) for place in places)


def _groups_as_text(texts: Sequence[str], duplicates: Duplicates) -> Iterator[str]:
    for chosen, members in duplicates.groups():
        others = _numbers(place for place in members if place != chosen)
        yield "\t".join([str(chosen + 1), others, _line_of(texts, chosen)])


def _groups_as_json(texts: Sequence[str], duplicates: Duplicates) -> dict[str, list[Any]]:
    return {
        "groups": [
            {"representative": chosen + 1, "lines": [place + 1 for place in members], "text": texts[chosen]}
            for chosen, members in duplicates.groups()
        ]
    }


def _as_text(texts: Sequence[str], duplicates: Duplicates, digits: int) -> Iterator[str]:
    rows: list[tuple[Any, ...]] = [
        (first, str(second + 1), f"{score:.{digits}f}", _line_of(texts, first), _line_of(texts, second))
        for first, second, score in duplicates.pairs
    ]
    for first, *others in duplicates.equal:
        rows.append((first, _numbers(others), "equal", _line_of(texts, first)))
    for first, *columns in sorted(rows, key=lambda row: row[0]):
        yield "\t".join([str(first + 1), *columns])


def _pairs_as_json(texts: Sequence[str], duplicates: Duplicates) -> dict[str, list[Any]]:
    pairs = [
        {"first": first + 1, "second": second + 1, "score": score, "texts": [texts[first], texts[second]]}
        for first, second, score in duplicates.pairs
    ]
    equal = [{"lines": [place + 1 for place in same], "text": texts[same[0]]} for same in duplicates.equal]
    return {"pairs": pairs, "equal": equal}


def _as_json(bleu: Bleu, members: Mapping[str, list[Any]]) -> Iterator[str]:
    """Yield one object, with a line for each item of its members."""
    yield "{"
    for name, items in members.items():
        yield f'  "{name}": ['
        for number, item in enumerate(items, 1):
            yield f"    {as_json_line(item)}{',' * (number < len(items))}"
        yield "  ],"
    yield f"{json_members({'signature': bleu.signature}, 2)}\n}}"
