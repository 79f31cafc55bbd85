"""Measure how often tests and intervals are wrong on simulated test sets: ``python benchmarks/calibration.py --help``.

Each simulation draws a test set, with replacement, from the documents that two systems translated: so many consecutive
segments each. For a null hypothesis that is true, it swaps the two outputs of each document with probability ½: then
neither system is better, and a test at 5 % should reject in 5 % of the simulations. For intervals it leaves the outputs
as they are: those of 95 % should cover the score, or the difference, of all documents in 95 % of the simulations.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is imported

import click
import numpy as np

import bleukit
from bleukit.comparing.resampling import untracked
from bleukit.comparing.second_moments import SecondMoments
from bleukit.comparing.settings import Settings
from bleukit.comparing.significance import FUNCTIONS, ComparisonTask
from bleukit.comparing.unit_statistics import UnitStatistics, distinct_columns, scores_of_sums, statistics_matrix
from bleukit.reading.files import read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.float64]

LEVEL, SAMPLES, BLEU = 0.95, 1_000, bleukit.load()

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

Draw: TypeAlias = "Callable[[np.random.Generator], UnitStatistics]"
"""Draws a test set: the statistics of its units, first those of the runs of the first system."""


def documents(folder: Path, pair: str, size: int) -> Rows:
    """Return the statistics of two systems of WMT22, of shape (2, documents, segments, columns)."""
    languages, reference, language = PAIRS[pair]
    name = f"generaltest2022.{languages}"
    references = read_lines(str(folder / "references" / f"{name}.ref.{reference}.{language}"))
    outputs = (folder / "system-outputs" / f"{name}.hyp.{system}.{language}" for system in pair.split(", "))
    rows = np.stack([statistics_matrix(BLEU.statistics(read_lines(str(path)), references)) for path in outputs])
    return rows[:, : rows.shape[1] // size * size].reshape(2, -1, size, rows.shape[2]).astype(np.float64)


def units(texts: Sequence[Rows], strata: NDArray[np.intp] | None = None) -> UnitStatistics:
    """Return the statistics of some texts, each of shape (units, columns), as tests take them."""
    matrix, places = distinct_columns([text.astype(np.float32) for text in texts])
    return UnitStatistics(matrix, places, np.ones(len(matrix), np.int64), strata)


def simulated(  # noqa: PLR0913
    draw: Draw,
    tests: Sequence[str],
    truths: Sequence[float],
    simulations: int,
    seed: int,
    runs: tuple[int, int] = (1, 1),
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return how often each test rejects, and how often its intervals of both scores and of the difference cover."""
    rejected = dict.fromkeys(tests, 0)
    covered: dict[str, list[list[bool | None]]] = {test: [] for test in tests}
    systems = {"one": range(runs[0]), "other": range(runs[0], sum(runs))}
    for number in range(simulations):
        rows = draw(np.random.default_rng([seed, number]))
        moments = SecondMoments.of(rows)
        settings = Settings(samples=SAMPLES, interval_samples=0, seed=number + 1, confidence_level=LEVEL)
        task = ComparisonTask(BLEU, settings, systems, [(0, 1)], rows, moments, untracked)
        for test in tests:
            outcome = FUNCTIONS[test](task)
            rejected[test] += (outcome.p_values[0] or 0) < 1 - LEVEL
            found = zip([*outcome.systems, *outcome.differences], truths, strict=True)
            covered[test].append([each if each is None else each.low <= true <= each.high for each, true in found])
    shares = {test: _share(number / simulations, 0.04, 0.065) for test, number in rejected.items()}
    return shares, {test: list(map(_covered, zip(*each, strict=True))) for test, each in covered.items()}


def drawn(sides: Rows, number: int, *, swapped: bool, by_document: bool) -> Draw:
    """Return what draws so many documents; with their outputs ``swapped`` at random, no system is better."""

    def draw(random: np.random.Generator) -> UnitStatistics:
        chosen = sides[:, random.integers(sides.shape[1], size=number)]
        swaps = (random.random(number) < 0.5 * swapped)[:, np.newaxis, np.newaxis]
        texts = [np.where(swaps, chosen[1 - side], chosen[side]) for side in (0, 1)]
        return units([text.sum(axis=1) if by_document else text.reshape(-1, text.shape[2]) for text in texts])

    return draw


def single_runs(folder: Path, simulations: int, seed: int, *, swapped: bool) -> Iterator[list[str]]:
    """Yield the rows of the table of tests, or of intervals, of two systems with one run each."""
    tests = OF_SINGLE_RUNS if swapped else ("bootstrap", "delta")
    what = (
        list(tests) if swapped else [f"{what}, {test}" for test in tests for what in ("first", "second", "difference")]
    )
    yield ["systems", "drawn", "resampled", *what]
    kinds = [
        (pair, size, n, True) for pair in PAIRS for size in NUMBERS for n in (TESTED if swapped else NUMBERS[size])
    ]
    for pair, size, number, by_document in [*kinds, *((pair, 10, 100, False) for pair in PAIRS)]:
        sides = documents(folder, pair, size)
        draw = drawn(sides, number, swapped=swapped, by_document=by_document)
        truths = scores_of_sums(BLEU, sides.sum(axis=(1, 2)))
        shares, covered = simulated(draw, tests, [*truths, truths[0] - truths[1]], simulations, seed)
        unit = "segments" if size == 1 else f"documents of {size}"
        resampled = "documents" if by_document and size > 1 else "segments"
        cells = shares.values() if swapped else [cell for cells in covered.values() for cell in cells]
        yield [pair, f"{number:,} {unit}", resampled, *cells]


def several_runs(folder: Path, simulations: int, seed: int) -> Iterator[list[str]]:
    """Yield the rows of the table of tests and intervals of several runs.

    A run takes each output from the second system with a probability of its own, which is drawn from one normal
    distribution for the runs of both systems, so that neither is better.
    """
    yield ["drawn", "runs", "hierarchical", "delta", "scores covered", "differences covered"]
    for size, number in ((1, 1_000), (10, 30)):
        sides = documents(folder, "ALMAnaCH-Inria, Online-W", size)

        def run(random: np.random.Generator, chosen: Rows) -> Rows:
            is_second = random.random((*chosen.shape[1:3], 1)) < random.normal(0.5, SPREAD)
            rows: Rows = np.where(is_second, chosen[1], chosen[0]).sum(axis=1)
            return rows

        random = np.random.default_rng(seed)
        truth = scores_of_sums(BLEU, np.stack([run(random, sides).sum(axis=0) for _ in range(1_000)])).mean()
        for runs in RUNS:

            def draw(
                random: np.random.Generator, sides: Rows = sides, number: int = number, runs: int = sum(runs)
            ) -> UnitStatistics:
                chosen = sides[:, random.integers(sides.shape[1], size=number)]
                return units([run(random, chosen) for _ in range(runs)])

            shares, covered = simulated(draw, ("hierarchical", "delta"), [truth, truth, 0], simulations, seed, runs)
            first, _, difference = covered["hierarchical"]
            unit = "segments" if size == 1 else f"documents of {size}"
            yield [f"{number:,} {unit}", f"{runs[0]} and {runs[1]}", *shares.values(), first, difference]


def test_sets(folder: Path, simulations: int, seed: int) -> Iterator[list[str]]:
    """Yield the rows of the table of intervals of two test sets together: documents of both pairs.

    The truth has as many documents of each set, on average, as are drawn.
    """
    tests = ("bootstrap", "delta")
    yield ["drawn", *(f"{what}, {test}" for test in tests for what in ("first", "second", "difference"))]
    parts = [documents(folder, pair, 10).sum(axis=2) for pair in PAIRS]
    for numbers in SETS:
        means = sum(n * part.mean(axis=1) for n, part in zip(numbers, parts, strict=True))
        truths = scores_of_sums(BLEU, means * 1_000)

        def draw(random: np.random.Generator, numbers: tuple[int, int] = numbers) -> UnitStatistics:
            chosen = [part[:, random.integers(part.shape[1], size=n)] for n, part in zip(numbers, parts, strict=True)]
            return units([*np.concatenate(chosen, axis=1)], np.repeat(np.arange(len(numbers)), numbers))

        _, covered = simulated(draw, tests, [*truths, truths[0] - truths[1]], simulations, seed)
        yield [
            f"{numbers[0]} and {numbers[1]} documents of 10",
            *(cell for cells in covered.values() for cell in cells),
        ]


def _covered(found: Sequence[bool | None]) -> str:
    given = [each for each in found if each is not None]
    return _share(sum(given) / len(given), 0.93, 0.97) if len(given) > len(found) / 2 else "withheld"


def _share(share: float, least: float, most: float) -> str:
    text = f"{100 * share:.1f} %"
    return text if least <= share <= most else f"**{text}**"


PARTS = {
    "tests": lambda *given: single_runs(*given, swapped=True),
    "intervals": lambda *given: single_runs(*given, swapped=False),
    "runs": several_runs,
    "test-sets": test_sets,
}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--part", type=click.Choice(list(PARTS)), multiple=True, help="Measure these parts alone.")
@click.option("--simulations", type=click.IntRange(1), default=1_000, show_default=True, help="Test sets per row.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def main(folder: Path, part: tuple[str, ...], simulations: int, seed: int) -> None:
    """Simulate test sets from the texts of WMT22 in FOLDER, which is laid out as wmt-conference/wmt22-news-systems."""
    for name in part or PARTS:
        heads, *lines = PARTS[name](folder, simulations, seed)
        for line in (heads, ["---"] * len(heads), *lines):
            print(f"| {' | '.join(line)} |")
    within = 196 * (0.05 * 0.95 / simulations) ** 0.5
    print(f"{simulations:,} simulations each; a share of 5 % is known to within ±{within:.1f} points")


if __name__ == "__main__":
    main()
