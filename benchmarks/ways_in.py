"""Time every way in, text files and columns of Arrow: ``python benchmarks/ways_in.py --help``.

Every round runs every way, so that other load on the machine affects all of them. The output is the least CPU time, and
the median of the ratios to the first way, round by round.
"""

from __future__ import annotations

import importlib
import os
import resource
import shlex
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import click

import bleukit
from bleukit.text.files import read_lines

Way: TypeAlias = Callable[[], float]
"""Runs once, and returns the CPU seconds."""


def command(line: str) -> Way:
    """Return the way in through a command, whose output is discarded."""

    def run() -> float:
        null = os.open(os.devnull, os.O_WRONLY)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        words = shlex.split(line)
        child = os.posix_spawnp(words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(null)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if status:
            raise click.ClickException(f"{line}: exit status {status}")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return run


def columns(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Way]:
    """Return the ways in through lists (first) and through columns in memory of the libraries that are installed."""
    bleu = bleukit.load()

    def scored(hypotheses: Any, references: Any) -> Way:
        def run() -> float:
            start = time.process_time()
            bleu.corpus(hypotheses, references, references_by="segment", threads=1)
            return time.process_time() - start

        return run

    ways = {"lists": scored(hypotheses, references)}
    made: dict[str, Callable[[Any, Sequence[str]], Any]] = {
        "pyarrow": lambda library, texts: library.array(texts),
        "polars": lambda library, texts: library.Series(texts),
        "pandas": lambda library, texts: library.Series(texts, dtype="str"),
    }
    for name, make in made.items():
        try:
            library = importlib.import_module(name)
        except ImportError:
            continue
        ways[name] = scored(make(library, hypotheses), make(library, references))
    return ways


def measured(ways: dict[str, Way], rounds: int) -> None:
    """Run all ways in turn, and print their times."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, run in ways.items():
            seconds = run()
            if number:  # the first round warms up
                taken[name].append(seconds)
    first = next(iter(taken.values()))
    for name, times in taken.items():
        ratio = statistics.median(mine / other for mine, other in zip(times, first, strict=True))
        click.echo(f"{min(times):9.3f} s  {ratio:6.3f}  {name}")


@click.command()
@click.argument("hypotheses", type=click.Path(exists=True))
@click.argument("references", type=click.Path(exists=True))
@click.option("--peer", multiple=True, help="Also time this command; {h} and {r} stand for the files.")
@click.option("--rounds", default=5, show_default=True)
def main(hypotheses: str, references: str, peer: tuple[str, ...], rounds: int) -> None:
    """Time `bleukit score` on two text files, and on the same texts as columns in memory."""
    paths = {"h": shlex.quote(hypotheses), "r": shlex.quote(references)}
    ours = f"{shlex.quote(sys.executable)} -m bleukit score -r {paths['r']} {paths['h']} --threads"
    lines = [f"{ours} 1", f"{ours} 2", *(each.format(**paths) for each in peer)]
    measured({line: command(line) for line in lines}, rounds)
    measured(columns(read_lines(hypotheses), read_lines(references)), rounds)


if __name__ == "__main__":
    main()
