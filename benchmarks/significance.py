"""Time tests beside sacreBLEU's, and compare what both find: ``python benchmarks/significance.py --help``.

Every round runs both tools on every task, from texts to p-values, so that other load on the machine affects both. A
cell is the median of the processor time with one thread.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # read when numpy is imported

import click
import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from sacrebleu.tokenizers import tokenizer_13a, tokenizer_re

import bleukit
from bleukit.cli import printing
from bleukit.cli.tables import ruled_lines
from bleukit.comparing.tables import ResultTable, table_as_markdown
from bleukit.text.files import read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PAIR = "generaltest2022.en-de"
OURS, THEIRS = "bleukit", "sacrebleu"
SYSTEMS = 20
TURN = 0.5
"""The least seconds that each tool takes in a round: what is faster runs several times."""
LARGE = (10_000, 100_000, 1_000_000)
MEASURE = """
import resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""
"""Runs a command and measures it: in a small process, because a child's peak memory is never below its parent's."""


def tasks(texts: dict[str, list[str]], references: list[str]) -> Iterator[tuple[str, dict[str, Callable[[], Any]]]]:
    """Yield the tasks: a title, and the function of each tool."""
    bleu = bleukit.load()

    def ours(systems: dict[str, list[str]], **settings: Any) -> Callable[[], Any]:
        return lambda: bleukit.compare(bleu, systems, references, threads=1, **settings)

    def theirs(kind: str) -> Callable[[], Any]:
        def test() -> Any:
            return PairedTest(list(texts.items()), {"BLEU": BLEU()}, [references], kind)()

        return test

    no_interval = {"interval_samples": 0}
    bootstrap, randomization = theirs("bs"), theirs("ar")
    yield "paired bootstrap, 1,000 resamples", {OURS: ours(texts, test="bootstrap"), THEIRS: bootstrap}
    yield "the same figures as sacreBLEU's", {OURS: ours(texts, test="sacrebleu-bs"), THEIRS: bootstrap}
    yield "randomization, 10,000 trials", {OURS: ours(texts, **no_interval), THEIRS: randomization}
    yield "the same figures as sacreBLEU's ", {OURS: ours(texts, test="sacrebleu-ar"), THEIRS: randomization}
    yield "randomization, and intervals by 1,000 resamples", {OURS: ours(texts)}
    yield "delta, scores included", {OURS: ours(texts, test="delta")}
    yield "scores alone", {OURS: lambda: [bleu.corpus(each, references, threads=1) for each in texts.values()]}
    many = _mixed(*texts.values())
    yield (
        f"{SYSTEMS} systems, all {SYSTEMS * (SYSTEMS - 1) // 2} pairs, 10,000 trials",
        {OURS: ours(many, **no_interval)},
    )
    yield "the same, and intervals by 1,000 resamples", {OURS: ours(many)}


def _mixed(first: list[str], second: list[str]) -> dict[str, list[str]]:
    """Return systems that take a growing share of their segments from the second of two systems."""
    random = np.random.default_rng(1)
    shares = np.linspace(0, 1, SYSTEMS)
    chosen = {f"{share:.2f}": random.random(len(first)) < share for share in shares}
    return {
        name: [two if other else one for one, two, other in zip(first, second, others, strict=True)]
        for name, others in chosen.items()
    }


def agreement(texts: dict[str, list[str]], references: list[str]) -> list[str]:
    """Return the row of a table: the p-values of both tools, and the largest difference of means and half-widths."""
    row = []
    for test, kind in (("sacrebleu-bs", "bs"), ("sacrebleu-ar", "ar")):
        baseline, other = texts
        results = PairedTest(list(texts.items()), {"BLEU": BLEU()}, [references], kind)()[1]["BLEU"]
        found = bleukit.compare(bleukit.load(), texts, references, test=test, baseline=baseline)
        row += [f"{found.pairs[0].p_value:.8g}", f"{results[1].p_value:.8g}"]
        if kind == "bs":
            ours = {each.system: each for each in found.systems}
            pairs = zip((ours[baseline], ours[other]), results, strict=True)
            apart = max(max(abs(a.mean - b.mean), abs(a.half_width - b.ci)) for a, b in pairs)
            row.append(f"{apart:.1g}")
    return row


def large(first: list[str], second: list[str], references: list[str]) -> Iterator[list[str]]:
    """Yield rows: time and memory of the whole command on the same segments, repeated."""
    command = [str(Path(sys.executable).with_name("bleukit")), "compare", "--threads", "1"]
    with tempfile.TemporaryDirectory() as folder:
        for size in LARGE:
            paths = [str(Path(folder) / name) for name in ("references", "first", "second")]
            for path, lines in zip(paths, (references, first, second), strict=True):
                Path(path).write_text("".join(f"{line}\n" for line in islice(cycle(lines), size)), encoding="utf-8")
            for test in ("bootstrap", "delta"):
                arguments = [*command, "--test", test, "-r", *paths]
                done = subprocess.run(  # noqa: S603
                    [sys.executable, "-c", MEASURE, *arguments], capture_output=True, text=True, check=True
                )
                seconds, mebibytes = map(float, done.stdout.split())
                yield [f"{size:,}", test, f"{seconds:.1f} s", f"{1e6 * seconds / size:.0f} µs", f"{mebibytes:.0f} MiB"]


def _timed(function: Callable[[], Any]) -> float:
    for tokenizer in (tokenizer_13a.Tokenizer13a, tokenizer_re.TokenizerRegexp):
        tokenizer.__call__.cache_clear()
    start = time.process_time()
    function()
    return time.process_time() - start


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@click.option("--large/--no-large", "with_large", default=True, help="Also compare up to 1,000,000 segments.")
@click.option("--format", "output", type=click.Choice(["text", "markdown"]), default="text", show_default=True)
def main(folder: Path, rounds: int, with_large: bool, output: str) -> None:
    """Compare systems of WMT22 in FOLDER, as benchmarks/published.py takes them."""
    pairs = {}
    for name, systems in (("en-de", ("Online-A", "Online-W")), ("cs-en", ("ALMAnaCH-Inria", "Online-W"))):
        target = name.partition("-")[2]
        texts = {
            system: read_lines(str(folder / "system-outputs" / f"generaltest2022.{name}.hyp.{system}.{target}"))
            for system in systems
        }
        for path in sorted((folder / "references").glob(f"generaltest2022.{name}.ref.*.{target}")):
            pairs[f"{name}, {path.name.split('.')[3]}"] = texts, read_lines(str(path))
    texts, references = pairs["en-de, A"]
    measured: dict[tuple[str, str], list[float]] = defaultdict(list)
    steps = [(title, tool, run) for title, ways in tasks(texts, references) for tool, run in ways.items()]
    for title, tool, run in printing.with_progress(steps * rounds, len(steps) * rounds, "Timing"):
        taken: list[float] = []
        while sum(taken) < TURN:
            taken.append(_timed(run))
        measured[title, tool] += taken
    rows = []
    for title in dict.fromkeys(title for title, _, _ in steps):
        ours = median(measured[title, OURS])
        theirs = median(measured[title, THEIRS]) if (title, THEIRS) in measured else None
        rows.append(
            [
                title,
                f"{1e3 * ours:.1f} ms",
                f"{1e3 * theirs:,.0f} ms" if theirs else "",
                f"{theirs / ours:.0f}×" if theirs else "",
            ]
        )
    _show(["WMT22 English to German", OURS, THEIRS, ""], rows, output)
    heads = ["", "p (bs)", "sacreBLEU's", "mean, ± within", "p (ar)", "sacreBLEU's"]
    _show(heads, [[name, *agreement(*pair)] for name, pair in pairs.items()], output)
    if with_large:
        _show(
            ["segments", "test", "whole command", "a segment", "memory"],
            list(large(texts["Online-A"], texts["Online-W"], references)),
            output,
        )
    with suppress(OSError):
        print(f"{rounds} rounds, load average {os.getloadavg()[0]:.1f}")


def _show(heads: Sequence[str], rows: Sequence[Sequence[str]], output: str) -> None:
    numbers = range(1, len(heads))
    if output == "markdown":
        print(table_as_markdown(ResultTable("", heads, rows, numbers)))
    else:
        print("\n".join(ruled_lines("", heads, rows, numbers, None)))


if __name__ == "__main__":
    main()
