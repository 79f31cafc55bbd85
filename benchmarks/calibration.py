"""Measure how often tests and intervals are wrong on simulated test sets: ``python benchmarks/calibration.py --help``.

Each simulation draws a test set, with replacement, from the documents that two systems translated: so many consecutive
segments each. For a null hypothesis that is true, it swaps the two outputs of each document with probability ½: then
neither system is better, and a test at 5 % should reject in 5 % of the simulations. For intervals it leaves the outputs
as they are: those of 95 % should cover the score, or the difference, of all documents in 95 % of the simulations.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is imported

import click
import numpy as np

import bleukit
from bleukit.cli import printing
from bleukit.comparing.comparison import untracked
from bleukit.comparing.scores_of_sums import scores_of_sums
from bleukit.comparing.second_moments import SecondMoments
from bleukit.comparing.significance import TESTS, ComparisonTask
from bleukit.comparing.tables import ResultTable, table_as_markdown
from bleukit.comparing.unit_statistics import UnitStatistics, distinct_columns, statistics_matrix
from bleukit.text.files import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bleukit.comparing.significance import TestOutcome

    Rows = NDArray[np.float64]

LEVEL = 0.95
SAMPLES = 1_000

PAIRS = {
    "Online-A, Online-W": ("en-de", "A", "de"),
    "ALMAnaCH-Inria, Online-W": ("cs-en", "B", "en"),
}
"""Pairs of systems with their languages, references and language of output: hardly different, and far apart."""

NUMBERS = {1: (10, 20, 50, 1_000), 10: (10, 20, 50, 100)}
"""For each number of segments in a document, how many documents are drawn to measure intervals."""

OF_SINGLE_RUNS = ("permutation", "bootstrap", "delta", "sacrebleu-bs", "sacrebleu-ar")

TESTED = (10, 25, 100)
"""How many are drawn to measure tests; of 11 to 20, all permutations are tried, which takes long."""


RUNS = ((2, 2), (3, 3), (5, 5), (10, 10), (2, 5), (3, 1))
"""The numbers of runs of two systems."""

SETS = ((2, 8), (5, 5), (2, 20), (5, 20), (20, 5), (10, 10), (10, 50), (50, 10), (50, 50))
"""The numbers of documents of two test sets."""

SPREAD = 0.015
"""The standard deviation among runs of the share of outputs from the better system; it gives one of 0.75 BLEU."""


class Kind(NamedTuple):
    """A kind of simulation: the systems, the segments in a document, the documents, and whether tests know them."""

    pair: str
    size: int
    number: int
    by_document: bool = True

    @property
    def cells(self) -> list[str]:
        """The cells that describe it in a table."""
        unit = "segments" if self.size == 1 else f"documents of {self.size}"
        return [self.pair, f"{self.number:,} {unit}", "documents" if self.by_document and self.size > 1 else "segments"]


def published(folder: Path, pair: str) -> tuple[Rows, Rows]:
    """Return the statistics of two systems of WMT22 as rows."""
    languages, reference, language = PAIRS[pair]
    name = f"generaltest2022.{languages}"
    references = read_lines(str(folder / "references" / f"{name}.ref.{reference}.{language}"))
    bleu = bleukit.load()
    outputs = folder / "system-outputs"
    texts = (read_lines(str(outputs / f"{name}.hyp.{system}.{language}")) for system in pair.split(", "))
    first, second = (statistics_matrix(bleu.statistics(text, references)).astype(np.float64) for text in texts)
    return first, second


def outcomes(  # noqa: PLR0913
    bleu: bleukit.Bleu, rows: tuple[Rows, Rows], kind: Kind, seed: int, tests: Iterable[str], *, swapped: bool
) -> Iterator[tuple[str, TestOutcome]]:
    """Draw a test set, and yield the outcome of each test on it."""
    random = np.random.default_rng(seed)
    sides = [side[: len(side) // kind.size * kind.size].reshape(-1, kind.size, side.shape[1]) for side in rows]
    drawn = random.integers(len(sides[0]), size=kind.number)
    swaps = (random.random(kind.number) < 0.5 * swapped)[:, np.newaxis, np.newaxis]
    sides = [np.where(swaps, sides[1 - side][drawn], sides[side][drawn]) for side in (0, 1)]
    texts = [side.sum(axis=1) if kind.by_document else side.reshape(-1, side.shape[2]) for side in sides]
    matrix, places = distinct_columns([text.astype(np.float32) for text in texts])
    units = UnitStatistics(matrix, places, np.ones(len(matrix), np.int64))
    moments = SecondMoments.of(units)
    task = ComparisonTask(bleu, units, moments, [[0], [1]], [(0, 1)], 0, SAMPLES, 0, seed + 1, LEVEL, untracked)
    for name in tests:
        yield name, TESTS[name].run(task)


def rejections(bleu: bleukit.Bleu, folder: Path, simulations: int, seed: int) -> tuple[list[str], list[list[str]]]:
    """Return the heads and the rows of the table of tests."""
    kinds = [Kind(pair, size, number) for pair in PAIRS for size in NUMBERS for number in TESTED]
    kinds += [Kind(pair, 10, 100, by_document=False) for pair in PAIRS]
    lines = []
    for kind in kinds:
        rows = published(folder, kind.pair)
        rejected = dict.fromkeys(OF_SINGLE_RUNS, 0)
        seeds = range(seed * 10**6, seed * 10**6 + simulations)
        for number in printing.with_progress(seeds, simulations, " ".join(kind.cells)):
            for test, outcome in outcomes(bleu, rows, kind, number, rejected, swapped=True):
                rejected[test] += (outcome.p_values[0] or 0) < 1 - LEVEL
        lines.append([*kind.cells, *(_share(each / simulations, 0.04, 0.065) for each in rejected.values())])
    return ["systems", "drawn", "resampled", *OF_SINGLE_RUNS], lines


def coverages(bleu: bleukit.Bleu, folder: Path, simulations: int, seed: int) -> tuple[list[str], list[list[str]]]:
    """Return the heads and the rows of the table of intervals: those of each system, and of the difference."""
    kinds = [Kind(pair, size, number) for pair in PAIRS for size in NUMBERS for number in NUMBERS[size]]
    kinds += [Kind(pair, 10, 100, by_document=False) for pair in PAIRS]
    lines = []
    for kind in kinds:
        rows = published(folder, kind.pair)
        used = len(rows[0]) // kind.size * kind.size
        truth = scores_of_sums(bleu, np.stack([side[:used].sum(axis=0) for side in rows]))
        truths = [*truth, truth[0] - truth[1]]
        covered: dict[str, list[list[bool | None]]] = {"bootstrap": [], "delta": []}
        seeds = range(seed * 10**6, seed * 10**6 + simulations)
        for number in printing.with_progress(seeds, simulations, " ".join(kind.cells)):
            for test, outcome in outcomes(bleu, rows, kind, number, covered, swapped=False):
                found = zip([*outcome.systems, *outcome.differences], truths, strict=True)
                covered[test].append([each if each is None else each.low <= true <= each.high for each, true in found])
        shares = [_covered(each) for of_test in covered.values() for each in zip(*of_test, strict=True)]
        lines.append([*kind.cells, *shares])
    columns = [f"{what}, {how}" for how in ("bootstrap", "delta") for what in ("first", "second", "difference")]
    return ["systems", "drawn", "resampled", *columns], lines


def runs(bleu: bleukit.Bleu, folder: Path, simulations: int, seed: int) -> tuple[list[str], list[list[str]]]:
    """Return the heads and the rows of the table of tests and intervals of several runs.

    A run takes each output from the second system with a probability of its own, which is drawn from one normal
    distribution for the runs of both systems, so that neither is better.
    """
    lines = []
    tests = ("hierarchical", "delta")
    for kind in (Kind("ALMAnaCH-Inria, Online-W", 1, 1_000), Kind("ALMAnaCH-Inria, Online-W", 10, 30)):
        sides = np.stack(published(folder, kind.pair))
        sides = sides[:, : sides.shape[1] // kind.size * kind.size]
        random = np.random.default_rng(seed)
        truth = scores_of_sums(bleu, np.stack([_run(random, sides).sum(axis=0) for _ in range(1_000)])).mean()
        for numbers in RUNS:
            rejected, covered = dict.fromkeys(tests, 0), []
            for number in printing.with_progress(range(simulations), simulations, f"{numbers} {kind.cells[1]}"):
                random = np.random.default_rng([seed, number])
                drawn = random.integers(sides.shape[1] // kind.size, size=kind.number)
                chosen = (drawn[:, np.newaxis] * kind.size + np.arange(kind.size)).ravel()
                texts = [_run(random, sides[:, chosen]) for _ in range(sum(numbers))]
                texts = [text.reshape(-1, kind.size, text.shape[1]).sum(axis=1) for text in texts]
                units = UnitStatistics(*distinct_columns(texts), np.ones(kind.number, np.int64))
                systems = [range(numbers[0]), range(numbers[0], sum(numbers))]
                moments = SecondMoments.of(units)
                task = ComparisonTask(bleu, units, moments, systems, [(0, 1)], 0, SAMPLES, 0, number, LEVEL, untracked)
                for test in tests:
                    outcome = TESTS[test].run(task)
                    rejected[test] += (outcome.p_values[0] or 0) < 1 - LEVEL
                    if test == "hierarchical":
                        found = zip([outcome.systems[0], outcome.differences[0]], [truth, 0], strict=True)
                        covered.append(
                            [each if each is None else each.low <= true <= each.high for each, true in found]
                        )
            lines.append(
                [
                    kind.cells[1],
                    f"{numbers[0]} and {numbers[1]}",
                    *(_share(each / simulations, 0.04, 0.065) for each in rejected.values()),
                    *map(_covered, zip(*covered, strict=True)),
                ]
            )
    return ["drawn", "runs", *tests, "scores covered", "differences covered"], lines


def test_sets(bleu: bleukit.Bleu, folder: Path, simulations: int, seed: int) -> tuple[list[str], list[list[str]]]:
    """Return the heads and the rows of the table of intervals of two test sets together: documents of both pairs.

    The truth has as many documents of each set, on average, as are drawn.
    """
    tests = ("bootstrap", "delta")
    sides = []
    for pair in PAIRS:
        rows = np.stack(published(folder, pair))
        rows = rows[:, : rows.shape[1] // 10 * 10]
        sides.append(rows.reshape(2, -1, 10, rows.shape[2]).sum(axis=2))
    lines = []
    for numbers in SETS:
        truth = scores_of_sums(bleu, sum(n * side.mean(axis=1) for n, side in zip(numbers, sides, strict=True)) * 1_000)
        truths = [*truth, truth[0] - truth[1]]
        covered: dict[str, list[list[bool | None]]] = {test: [] for test in tests}
        for number in printing.with_progress(range(simulations), simulations, str(numbers)):
            random = np.random.default_rng([seed, number])
            drawn = [side[:, random.integers(side.shape[1], size=n)] for n, side in zip(numbers, sides, strict=True)]
            matrix, places = distinct_columns([text.astype(np.float32) for text in np.concatenate(drawn, axis=1)])
            strata = np.repeat(np.arange(len(numbers)), numbers)
            units = UnitStatistics(matrix, places, np.ones(len(matrix), np.int64), strata)
            moments = SecondMoments.of(units)
            task = ComparisonTask(bleu, units, moments, [[0], [1]], [(0, 1)], 0, SAMPLES, 0, number, LEVEL, untracked)
            for test in tests:
                outcome = TESTS[test].run(task)
                found = zip([*outcome.systems, *outcome.differences], truths, strict=True)
                covered[test].append([each if each is None else each.low <= true <= each.high for each, true in found])
        shares = [_covered(each) for of_test in covered.values() for each in zip(*of_test, strict=True)]
        lines.append([f"{numbers[0]} and {numbers[1]} documents of 10", *shares])
    columns = [f"{what}, {how}" for how in tests for what in ("first", "second", "difference")]
    return ["drawn", *columns], lines


def _run(random: np.random.Generator, sides: Rows) -> Rows:
    """Return the rows of a run: each from the second side with a probability near ½, which is that of the run."""
    is_second = random.random((sides.shape[1], 1)) < random.normal(0.5, SPREAD)
    rows: Rows = np.where(is_second, sides[1], sides[0])
    return rows


def _covered(found: Sequence[bool | None]) -> str:
    given = [each for each in found if each is not None]
    return _share(sum(given) / len(given), 0.93, 0.97) if len(given) > len(found) / 2 else "withheld"


def _share(share: float, least: float, most: float) -> str:
    text = f"{100 * share:.1f} %"
    return text if least <= share <= most else f"**{text}**"


PARTS = {"tests": rejections, "intervals": coverages, "runs": runs, "test-sets": test_sets}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--part", type=click.Choice(list(PARTS)), multiple=True, help="Measure these parts alone.")
@click.option("--simulations", type=click.IntRange(1), default=1_000, show_default=True, help="Test sets per row.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def main(folder: Path, part: tuple[str, ...], simulations: int, seed: int) -> None:
    """Simulate test sets from the texts of WMT22 in FOLDER, as benchmarks/published.py takes them."""
    for name in part or PARTS:
        heads, lines = PARTS[name](bleukit.load(), folder, simulations, seed)
        print(table_as_markdown(ResultTable("", heads, lines, ())))
    within = 196 * (0.05 * 0.95 / simulations) ** 0.5
    print(f"{simulations:,} simulations each; a share of 5 % is known to within ±{within:.1f} points")


if __name__ == "__main__":
    main()
