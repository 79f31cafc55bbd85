"""Time all pairs beside sacreBLEU's sentence score, mbrs and fast-bleu: ``python benchmarks/pairs.py --help``.

sacreBLEU and mbrs score pair by pair in this process: that is the inner loop of mbrs, shared between processes there.
mbrs and fast-bleu are left out if they are not installed. Every round runs all, so that whatever else the machine does
hits all; a cell is the median of the time on the processor, with one thread.
"""

from __future__ import annotations

import os
import random
import resource
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # read when numpy is imported

import click
from sacrebleu.metrics import BLEU

import bleukit
from bleukit.cli import printing
from bleukit.text.files import read_lines

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (128, 256, 512, 1_024, 2_048, 4_096, 8_148)
SAMPLES = 256
SELF = 4_000
"""Of so many texts the self-BLEU is also that of fast-bleu, whose time grows faster than their number."""

PEER_PAIRS = 40
"""So many hypotheses and as many references are scored by peers: its time grows with the pairs."""


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
    """Return the first 16 words of a line, a third of them replaced by any."""
    return " ".join(chance.choice(words) if chance.random() < 1 / 3 else word for word in line.split()[:16])


def pair_by_pair(score: Callable[[str, str], object], hypotheses: list[str], references: list[str]) -> None:
    """Score some hypotheses against some references, as peers do."""
    for hypothesis in hypotheses[:PEER_PAIRS]:
        for reference in references[:PEER_PAIRS]:
            score(hypothesis, reference)


def of_peers(lines: list[str], others: list[str]) -> dict[str, tuple[int, Callable[[], object]]]:
    """Return what the peers that are installed are timed at, and how many pairs or texts that is."""
    peer = BLEU(effective_order=True)
    tasks: dict[str, tuple[int, Callable[[], object]]] = {}

    def add(name: str, score: Callable[[str, str], object]) -> None:
        tasks[f"{name}, pair by pair"] = (PEER_PAIRS**2, partial(pair_by_pair, score, lines, others))

    add("sacreBLEU", lambda hypothesis, reference: peer.sentence_score(hypothesis, [reference]))
    with suppress(ImportError):
        from mbrs.metrics import MetricBLEU

        add("mbrs", MetricBLEU(MetricBLEU.Config()).score)
    with suppress(ImportError):
        from fast_bleu import SelfBLEU

        tokens = [line.split() for line in lines[:SELF]]
        tasks[f"fast-bleu, self-BLEU of {SELF:,} texts"] = (SELF, lambda: SelfBLEU(tokens).get_score())
    return tasks


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@click.option("--segments", type=click.IntRange(1), default=100, show_default=True, help="Of how many to take samples.")
@click.option("--texts", type=click.IntRange(2), default=1_000_000, show_default=True, help="Of a large self-BLEU.")
def main(folder: Path, rounds: int, segments: int, texts: int) -> None:
    """Score pairs of texts of WMT22, English to German, in FOLDER, as benchmarks/published.py takes them."""
    names = [
        "system-outputs/generaltest2022.en-de.hyp.Online-A.de",
        "system-outputs/generaltest2022.en-de.hyp.Online-W.de",
    ]
    names += [f"references/generaltest2022.en-de.ref.{letter}.de" for letter in "AB"]
    lines = [line for name in names for line in read_lines(str(folder / name))]
    others = lines[2_037:]
    bleu, chance = bleukit.load(), random.Random(1)  # noqa: S311
    groups = [samples(text, chance) for text in lines[:segments]]
    tasks = of_peers(lines, others)
    tasks[f"self-BLEU of {SELF:,} texts"] = (SELF, lambda: bleukit.self_bleu(lines[:SELF], "fast-bleu"))
    matrix = partial(bleu.matrix, lines[:1_024], others[:1_024], threads=1)
    tasks["1,024 hypotheses × 1,024 references"] = (1_024**2, matrix)
    of_samples = segments * SAMPLES**2
    tasks[f"{SAMPLES} samples of {segments} segments"] = (of_samples, lambda: bleu.matrices(groups, threads=1))
    tasks["the same, aggregated"] = (of_samples, lambda: bleu.mbr(groups, threads=1, aggregate=True))
    for size in SIZES:
        tasks[f"{size:,} texts against each other"] = (size**2, partial(bleu.matrix, lines[:size], threads=1))
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
        faster = "" if "self-BLEU" in title else f"{theirs / taken:,.0f}×"
        rows.append([title, f"{median(measured[title]):.3f} s", f"{1e9 * taken:,.0f} ns", faster])
    table = printing.table(["", "all", "a pair, or a text", "than sacreBLEU"], rows, None, range(1, 4))
    printing.console().print(table)
    words = [word for line in lines for word in line.split()]
    made = [reworded(chance.choice(lines), words, chance) for _ in range(texts)]
    start = time.process_time()
    bleukit.self_bleu(made, "fast-bleu")
    taken, memory = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"self-BLEU of {texts:,} texts: {taken:.1f} s, {memory:.1f} GiB of memory in all")
    with suppress(OSError):
        print(f"{rounds} rounds, load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
