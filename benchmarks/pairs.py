"""Time all pairs beside sacreBLEU's sentence score, pair by pair: ``python benchmarks/pairs.py --help``.

That is the inner loop of mbrs, which calls it for every pair. Every round runs both, so that whatever else the machine
does hits both; a cell is the median of the time on the processor, with one thread.
"""

from __future__ import annotations

import os
import random
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # read when numpy is imported

import click
from sacrebleu.metrics import BLEU

import bleukit
from bleukit.cli import printing
from bleukit.text.files import read_lines

SIZES = (128, 256, 512, 1_024, 2_048, 4_096, 8_148)
SAMPLES = 256
PEER_PAIRS = 40
"""So many hypotheses and as many references are scored by sacreBLEU: its time grows with the pairs."""


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


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@click.option("--segments", type=click.IntRange(1), default=100, show_default=True, help="Of how many to take samples.")
def main(folder: Path, rounds: int, segments: int) -> None:
    """Score pairs of texts of WMT22, English to German, in FOLDER, as benchmarks/published.py takes them."""
    names = [
        "system-outputs/generaltest2022.en-de.hyp.Online-A.de",
        "system-outputs/generaltest2022.en-de.hyp.Online-W.de",
    ]
    names += [f"references/generaltest2022.en-de.ref.{letter}.de" for letter in "AB"]
    texts = [line for name in names for line in read_lines(str(folder / name))]
    others = texts[2_037:]
    bleu, peer, chance = bleukit.load(), BLEU(effective_order=True), random.Random(1)  # noqa: S311

    def pair_by_pair() -> None:
        for hypothesis in texts[:PEER_PAIRS]:
            for reference in others[:PEER_PAIRS]:
                peer.sentence_score(hypothesis, [reference])

    groups = [samples(text, chance) for text in texts[:segments]]
    tasks = {
        "sacreBLEU, pair by pair": (PEER_PAIRS**2, pair_by_pair),
        "1,024 hypotheses × 1,024 references": (
            1_024**2,
            lambda: bleu.matrix(texts[:1_024], texts[2_037:3_061], threads=1),
        ),
        f"{SAMPLES} samples of each segment": (
            segments * SAMPLES**2,
            lambda: [bleu.matrix(group, threads=1) for group in groups],
        ),
    }
    for size in SIZES:
        tasks[f"{size:,} texts against each other"] = (size**2, partial(bleu.matrix, texts[:size], threads=1))
    measured: dict[str, list[float]] = {title: [] for title in tasks}
    steps = [*tasks] * rounds
    for title in printing.with_progress(steps, len(steps), "Timing"):
        start = time.process_time()
        tasks[title][1]()
        measured[title].append(time.process_time() - start)
    of_pair = {title: median(taken) / tasks[title][0] for title, taken in measured.items()}
    theirs = next(iter(of_pair.values()))
    rows = [
        [title, f"{median(measured[title]):.3f} s", f"{1e9 * taken:,.0f} ns", f"{theirs / taken:,.0f}×"]
        for title, taken in of_pair.items()
    ]
    printing.console().print(printing.table(["", "all", "a pair", "faster"], rows, None, range(1, 4)))
    with suppress(OSError):
        print(f"{rounds} rounds, load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
