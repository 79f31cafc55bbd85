"""Measure how often the significance tests are wrong on simulated pairs: ``python benchmarks/calibration.py --help``.

Each simulation draws a test set, with replacement, from the segments or documents that two systems translated. It
swaps the two outputs of each segment or document with probability ½, so that neither system is better and the true
difference is known. A test at 5 % should reject 5 % of these true null hypotheses, and a 95 % interval should cover
95 % of the true values.
"""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is imported

import click
import numpy as np
from rich import box

import bleukit
from bleukit.cli import printing
from bleukit.comparing.comparison import untracked
from bleukit.comparing.scores_of_sums import scores_of_sums
from bleukit.comparing.second_moments import SecondMoments
from bleukit.comparing.significance import TESTS, ComparisonTask
from bleukit.comparing.unit_statistics import UnitStatistics, distinct_columns, statistics_matrix
from bleukit.text.files import read_lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL = 0.95
SAMPLES = 1_000
DOCUMENT = 10
"""Number of consecutive segments that make up a document."""


class Kind(NamedTuple):
    """A kind of simulation: the unit drawn and swapped, its size in segments, their number, and what tests resample."""

    drawn: str
    size: int
    number: int
    resampled: str


KINDS = (
    Kind("segments", 1, 1_000, "segments"),
    Kind("documents", DOCUMENT, 100, "documents"),
    Kind("documents", DOCUMENT, 100, "segments"),
)


class Found(NamedTuple):
    """The result of a test on one simulated pair; None if the test gives no such interval."""

    rejected: bool
    covered: bool | None
    covered_difference: bool | None


def published(folder: Path) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the statistics of two systems of WMT22, English to German, as rows."""
    pair = "generaltest2022.en-de"
    references = read_lines(str(folder / "references" / f"{pair}.ref.A.de"))
    bleu = bleukit.load()
    texts = (read_lines(str(folder / "system-outputs" / f"{pair}.hyp.{name}.de")) for name in ("Online-A", "Online-W"))
    first, second = (statistics_matrix(bleu.statistics(text, references)).astype(np.float64) for text in texts)
    return first, second


def simulated(bleu: bleukit.Bleu, rows: tuple[NDArray[np.float64], ...], kind: Kind, seed: int) -> dict[str, Found]:
    """Draw a test set, swap outputs, and return the result of each test."""
    random = np.random.default_rng(seed)
    blocks = [side[: len(side) // kind.size * kind.size].reshape(-1, kind.size, side.shape[1]) for side in rows]
    truth = scores_of_sums(bleu, (blocks[0] + blocks[1]).sum(axis=(0, 1))[np.newaxis] / 2)[0]
    drawn = random.integers(len(blocks[0]), size=kind.number)
    swapped = random.random(kind.number)[:, np.newaxis, np.newaxis] < 0.5
    sides = [np.where(swapped, blocks[1 - side][drawn], blocks[side][drawn]) for side in (0, 1)]
    if kind.resampled == "segments":
        texts = [side.reshape(-1, side.shape[2]) for side in sides]
    else:
        texts = [side.sum(axis=1) for side in sides]
    matrix, places = distinct_columns([text.astype(np.float32) for text in texts])
    units = UnitStatistics(matrix, places, np.ones(len(matrix), np.int64))
    moments = SecondMoments.of(units)
    found = {}
    for name, test in TESTS.items():
        task = ComparisonTask(
            bleu, units, moments, [[0], [1]], [(0, 1)], 0, SAMPLES, SAMPLES, seed + 1, LEVEL, untracked
        )
        outcome = test.run(task)
        system, difference = outcome.systems[0], outcome.differences[0]
        found[name] = Found(
            (outcome.p_values[0] or 0) < 1 - LEVEL,
            None if system is None else system.low <= truth <= system.high,
            None if difference is None else difference.low <= 0 <= difference.high,
        )
    return found


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--pairs", type=click.IntRange(1), default=2_000, show_default=True, help="Simulated pairs per kind.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--format", "output", type=click.Choice(["text", "markdown"]), default="text", show_default=True)
def main(folder: Path, pairs: int, seed: int, output: str) -> None:
    """Simulate pairs from the texts of WMT22 in FOLDER, as benchmarks/published.py takes them."""
    bleu, rows = bleukit.load(), published(folder)
    lines = []
    for kind in KINDS:
        found = defaultdict(list)
        seeds = range(seed * 10**6, seed * 10**6 + pairs)
        for number in printing.with_progress(seeds, pairs, f"{kind.drawn}, resampled {kind.resampled}"):
            for test, result in simulated(bleu, rows, kind, number).items():
                found[test].append(result)
        for test, results in found.items():
            lines.append(
                [f"{kind.number:,} {kind.drawn}", kind.resampled, test, *(map(_share, zip(*results, strict=True)))]
            )
    columns = ["drawn", "resampled", "test", "rejected at 5 %", "scores covered", "differences covered"]
    table = printing.table(columns, lines)
    if output == "markdown":
        table.box, table.pad_edge = box.MARKDOWN, True
    printing.console().print(table)
    print(f"{pairs:,} pairs each; a share of 5 % is known to within ±{196 * (0.05 * 0.95 / pairs) ** 0.5:.1f} points")


def _share(results: tuple[bool | None, ...]) -> str:
    known = [result for result in results if result is not None]
    return "" if len(known) < len(results) else f"{100 * np.mean(known):.1f} %"


if __name__ == "__main__":
    main()
