"""``bleukit power``: how large a test set must be, given scores of segments by any metric."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import click

from bleukit.cli.file_names import FileName
from bleukit.cli.options import more_in
from bleukit.cli.output import format_option, output_option
from bleukit.cli.printing import as_json
from bleukit.errors import InputError, quantity
from bleukit.inspecting.phrases import numbered
from bleukit.text.files import read_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command("power", no_args_is_help=True, epilog=more_in("comparing"))
@click.argument("files", metavar="SCORES...", type=FileName(), nargs=-1, required=True)
@click.option(
    "--detect",
    type=click.FloatRange(0, min_open=True),
    metavar="POINTS",
    required=True,
    help="The difference of the mean scores that is to be found, in the scale of the scores.",
)
@click.option(
    "--power", type=SHARE, default=0.8, show_default=True, metavar="SHARE", help="Share of test sets to find it in."
)
@click.option(
    "--confidence-level", type=SHARE, default=0.95, show_default=True, metavar="LEVEL", help="1 less the limit of p."
)
@click.option(
    "--pairs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of pairs of systems that will be compared, for which p-values are adjusted.",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Random seed; default: 12345.")
@output_option
@format_option("text", "json", name="output")
def command(  # noqa: PLR0913
    files: tuple[str, ...],
    detect: float,
    power: float,
    confidence_level: float,
    pairs: int,
    seed: int | None,
    output: str,
) -> None:
    """Say how many segments a test set needs to find a difference.

    SCORES holds a line for each segment, with the scores of two systems by any metric; or two files hold one score on
    each line. The command compare takes texts instead (--detect), and answers for the BLEU of the corpus.

    \b
    bleukit score -q --level sentence -r ref.txt system1.txt system2.txt > scores
    bleukit power --detect 0.5 scores
    """
    from bleukit.comparing.power import segments_needed  # needs NumPy
    from bleukit.comparing.settings import SEED
    from bleukit.comparing.words import condition

    first, second = _scores(files)
    settings = {"power": power, "confidence_level": confidence_level, "pairs": pairs}
    seed = SEED if seed is None else seed
    needed = segments_needed(
        first, second, detect, power=power, confidence_level=confidence_level, pairs=pairs, seed=seed
    )
    if output == "json":
        click.echo(as_json({"segments_needed": needed, "segments": len(first), "detect": detect, **settings}))
        return
    tests = numbered(pairs, "pair") if pairs > 1 else ""
    sought = f"a difference of {detect:g} significant in {condition(power, confidence_level, tests)}"
    click.echo(f"{needed:,} segments like these are needed to find {sought}")


def _scores(paths: Sequence[str]) -> tuple[Sequence[float], Sequence[float]]:
    """Return the scores of both systems. Raises InputError, with file and line, for what is none."""
    if len(paths) > 2:
        raise click.UsageError(f"give one file with two scores on each line, or two with one, not {len(paths)} files")
    columns: list[list[float]] = []
    for path in paths:
        lines = read_lines(path)
        rows = [_numbers(path, number, line, 3 - len(paths)) for number, line in enumerate(lines, 1)]
        columns += map(list, zip(*rows, strict=True))
    if not columns:
        raise InputError(f"{paths[0]}: has no line")
    if len({*map(len, columns)}) > 1:
        counts = (f"{path} has {quantity(len(column), 'line')}" for path, column in zip(paths, columns, strict=True))
        raise InputError(f"{', '.join(counts)}: each segment needs a score of both systems")
    first, second = columns
    return first, second


def _numbers(path: str, number: int, line: str, expected: int) -> list[float]:
    try:
        found = list(map(float, line.split()))
    except ValueError:
        found = []
    if len(found) != expected or not all(map(isfinite, found)):
        raise InputError(f"{path}, line {number}: expected {quantity(expected, 'finite score')}, got {line!r:.60}")
    return found
