"""Time all pairs beside sacreBLEU's sentence score, mbrs and fast-bleu: ``python benchmarks/pairs.py --help``.

sacreBLEU and mbrs score pair by pair in this process, as the inner loop of mbrs does. mbrs and fast-bleu are left out
if they are not installed. Every round runs all of them, so that other load on the machine affects all. A cell is the
median of the processor time with one thread. The self-BLEU of many texts is measured once, at the end; fast-bleu has
a process of its own, because it may crash.
"""

from __future__ import annotations

import os
import random
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # read when numpy is imported

import click
from sacrebleu.metrics import BLEU

import bleukit
from bleukit.cli import printing
from bleukit.cli.tables import ruled_lines
from bleukit.text.files import read_lines

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (128, 256, 512, 1_024, 2_048, 4_096, 8_148)
MANY_PAIRS = 1 << 20
"""Smaller matrices are computed several times, because the first milliseconds depend on the state of the caches."""

SAMPLES = 256
SEGMENTS = 2_037
AGGREGATED = 20
"""Number of segments that are also decoded by aggregation, which is not compiled."""

PEER_PAIRS = 40
"""Number of hypotheses, and of references, that the other libraries score: their time grows with the pairs."""


def samples(text: str, chance: random.Random) -> list[str]:
    """Return variations of a text, as a model would sample them: some words left out, doubled or in another order."""
    found = []
    for _ in range(SAMPLES):
        words = [word for word in text.split() for _ in range(chance.choice((0, 1, 1, 1, 1, 1, 1, 1, 2)))]
        for _ in range(chance.randint(0, 2)):
            if len(words) > 1:
                place = chance.randrange(len(words) - 1)
                words[place : place + 2] = reversed(words[place : place + 2])
        found.append(" ".join(words))
    return found


def reworded(line: str, words: list[str], chance: random.Random) -> str:
    """Return the first 16 words of a line, a third of them replaced by random words."""
    return " ".join(chance.choice(words) if chance.random() < 1 / 3 else word for word in line.split()[:16])


def pair_by_pair(score: Callable[[str, str], object], hypotheses: list[str], references: list[str]) -> None:
    """Score each of some hypotheses against each of some references."""
    for hypothesis in hypotheses[:PEER_PAIRS]:
        for reference in references[:PEER_PAIRS]:
            score(hypothesis, reference)


def repeated(times: int, function: Callable[[], object]) -> None:
    """Call a function several times."""
    for _ in range(times):
        function()


def of_peers(lines: list[str], others: list[str]) -> dict[str, tuple[int, Callable[[], object]]]:
    """Return the tasks of the other libraries that are installed, each with its number of pairs or texts."""
    peer = BLEU(effective_order=True)
    tasks: dict[str, tuple[int, Callable[[], object]]] = {}

    def add(name: str, score: Callable[[str, str], object]) -> None:
        tasks[f"{name}, pair by pair"] = (PEER_PAIRS**2, partial(pair_by_pair, score, lines, others))

    add("sacreBLEU", lambda hypothesis, reference: peer.sentence_score(hypothesis, [reference]))
    with suppress(ImportError):
        from mbrs.metrics import MetricBLEU

        add("mbrs", MetricBLEU(MetricBLEU.Config()).score)
    return tasks


def by_fast_bleu(texts: list[str]) -> tuple[float, float]:
    """Return the self-BLEU by fast-bleu, and the seconds that it took."""
    from fast_bleu import SelfBLEU

    tokens = [text.split() for text in texts]
    start = time.process_time()
    [scores] = SelfBLEU(tokens, {4: (0.25,) * 4}).get_score().values()
    return sum(scores) / len(scores), time.process_time() - start


def compare_self_bleu(texts: list[str]) -> None:
    """Print the self-BLEU of many texts and its time, by bleukit and, if it is installed, by fast-bleu."""
    start = time.process_time()
    value = bleukit.self_bleu(texts, "fast-bleu").value
    print(f"self-BLEU of {len(texts):,} texts: {time.process_time() - start:.2f} s, {value:.6f}")
    try:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            theirs, taken = pool.submit(by_fast_bleu, texts).result()
        print(f"by fast-bleu: {taken:.2f} s, {theirs:.6f}")
    except ImportError:
        print("fast-bleu is not installed")
    except BrokenProcessPool:
        print("by fast-bleu: it crashes")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@click.option(
    "--segments",
    type=click.IntRange(1, SEGMENTS),
    default=100,
    show_default=True,
    help=f"Number of segments to choose among {SAMPLES} samples for.",
)
@click.option(
    "--texts",
    type=click.IntRange(2),
    default=1_000_000,
    show_default=True,
    help="Texts of the large self-BLEU.",
)
@click.option(
    "--compared",
    type=click.IntRange(2),
    multiple=True,
    default=(4_000,),
    show_default=True,
    help="Number of texts whose self-BLEU fast-bleu computes, too; its time grows faster than that number.",
)
def main(folder: Path, rounds: int, segments: int, texts: int, compared: tuple[int, ...]) -> None:
    """Score pairs of texts of WMT22, English to German, in FOLDER, as benchmarks/published.py takes them."""
    names = [
        "system-outputs/generaltest2022.en-de.hyp.Online-A.de",
        "system-outputs/generaltest2022.en-de.hyp.Online-W.de",
    ]
    names += [f"references/generaltest2022.en-de.ref.{letter}.de" for letter in "AB"]
    lines = [line for name in names for line in read_lines(str(folder / name))]
    others = lines[SEGMENTS:]
    bleu, chance = bleukit.load(), random.Random(1)  # noqa: S311
    groups = [samples(text, chance) for text in lines[:segments]]
    tasks = of_peers(lines, others)
    matrix = partial(bleu.matrix, lines[:1_024], others[:1_024], threads=1)
    tasks["1,024 hypotheses × 1,024 references"] = (1_024**2, matrix)
    tasks[f"the best of {SAMPLES} samples, of {segments:,} segments"] = (
        segments * SAMPLES**2,
        lambda: bleu.mbr(groups, threads=1),
    )
    tasks[f"the same by aggregation, of {len(groups[:AGGREGATED])} segments"] = (
        len(groups[:AGGREGATED]) * SAMPLES**2,
        lambda: bleu.mbr(groups[:AGGREGATED], threads=1, aggregate=True),
    )
    for size in SIZES:
        times = max(1, MANY_PAIRS // size**2)
        task = partial(repeated, times, partial(bleu.matrix, lines[:size], threads=1))
        tasks[f"{size:,} texts against each other, {times} times"] = (times * size**2, task)
    measured: dict[str, list[float]] = {title: [] for title in tasks}
    steps = [*tasks] * rounds
    for title in printing.with_progress(steps, len(steps), "Timing"):
        start = time.process_time()
        tasks[title][1]()
        measured[title].append(time.process_time() - start)
    each = {title: median(taken) / tasks[title][0] for title, taken in measured.items()}
    theirs = next(iter(each.values()))
    rows = []
    for title, taken in each.items():
        rows.append([title, f"{median(measured[title]):.3f} s", f"{1e9 * taken:,.0f} ns", f"{theirs / taken:,.0f}×"])
    print("\n".join(ruled_lines("", ["", "all", "a pair", "than sacreBLEU"], rows, range(1, 4), None)))
    words = [word for line in lines for word in line.split()]
    made = [reworded(chance.choice(lines), words, chance) for _ in range(max(texts, *compared, 0))]
    for number in compared:
        compare_self_bleu(made[:number])
    del made[texts:]
    start = time.process_time()
    bleukit.self_bleu(made, "fast-bleu")
    taken, memory = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"self-BLEU of {texts:,} texts: {taken:.1f} s, {memory:.1f} GiB of memory in all")
    with suppress(OSError):
        print(f"{rounds} rounds, load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
