"""Time bleukit beside other libraries: ``python benchmarks/speed.py --help``.

Every round runs all ways of all tasks, so that other load on the machine affects all of them. A figure is the median of
all runs, with its ratio to the first way of the task. A first run warms up. Libraries that are not installed are left
out; all run on one thread, unless their name says otherwise. Texts are those of WMT22, English to German, in a folder
with ``references`` and ``system-outputs`` as wmt-conference/wmt22-news-systems has them, or generated.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TypeAlias

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"), "1"))

import click
import numpy as np

import bleukit
from bleukit.reading.files import read_lines

TURN = 0.1
"""The least seconds that a way takes in a round: what is faster runs several times."""

CACHING = {"tokenizer_13a": "Tokenizer13a", "tokenizer_re": "TokenizerRegexp"}
"""Modules and classes of sacreBLEU's tokenizers that cache texts; the caches are emptied before each turn."""

MEASURE = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, time.perf_counter() - start, used.ru_maxrss / 1024]))
"""
"""Runs a command and measures it: in a small process, because a child's peak memory is never below its parent's."""

Call: TypeAlias = Callable[[], Any]


class Texts(NamedTuple):
    """Hypotheses of two systems, and two references of each."""

    first: list[str]
    second: list[str]
    references: list[list[str]]

    def some(self, number: int) -> Texts:
        """Return so many segments, repeated if there are fewer."""
        first, second, *references = (list(islice(cycle(t), number)) for t in (*self[:2], *self.references))
        return Texts(first, second, references)


class Task(NamedTuple):
    """What is timed in several ways; times are those of one of its ``items``."""

    title: str
    ways: Mapping[str, Call]
    items: int = 1


class Cost(NamedTuple):
    """The seconds of the processor and of the clock that a run takes and, of a command, its peak memory in MiB."""

    cpu: float
    wall: float
    mebibytes: float = 0


# The harness


def command(*words: str) -> Call:
    """Return the way of a command, of which :func:`measured` takes the cost from the call."""

    def run() -> Cost:
        found = subprocess.run([sys.executable, "-c", MEASURE, *words], stdout=subprocess.PIPE, check=True)  # noqa: S603
        return Cost(*json.loads(found.stdout))

    return run


def turn(call: Call) -> Iterator[Cost]:
    """Yield the cost of calls until they have taken TURN seconds."""
    for module, tokenizer in CACHING.items():
        if loaded := sys.modules.get(f"sacrebleu.tokenizers.{module}"):
            getattr(loaded, tokenizer).__call__.cache_clear()
    gc.collect()  # nobody pays for what another left
    spent, times = 0.0, 1
    while spent < TURN:
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(times):
            result = call()
        taken = Cost((time.process_time() - cpu) / times, (time.perf_counter() - wall) / times)
        yield result if isinstance(result, Cost) else taken
        spent += taken.wall * times
        times = max(1, int(TURN / 5 / max(taken.wall, 1e-8)))


def measured(tasks: Sequence[Task], rounds: int) -> dict[tuple[str, str], Cost]:
    """Return the median cost of each way, by the title of the task and the name of the way."""
    steps = [(task.title, name, call) for task in tasks for name, call in task.ways.items()]
    for _, _, call in steps:
        call()
    costs: dict[tuple[str, str], list[Cost]] = {}
    for title, name, call in steps * rounds:
        costs.setdefault((title, name), []).extend(turn(call))
    return {way: Cost(*map(median, zip(*each, strict=True))) for way, each in costs.items()}


def lines(tasks: Sequence[Task], costs: dict[tuple[str, str], Cost]) -> Iterator[str]:
    """Yield a table in Markdown."""
    yield "| | | processor | clock | memory | ratio |\n| --- | --- | ---: | ---: | ---: | ---: |"
    for task in tasks:
        first = costs[task.title, next(iter(task.ways))]
        for name in task.ways:
            cost = costs[task.title, name]
            times = [shown(seconds / task.items) for seconds in (cost.cpu, cost.wall)]
            memory = f"{cost.mebibytes:.0f} MiB" if cost.mebibytes else ""
            yield f"| {task.title} | {name} | {' | '.join(times)} | {memory} | {cost.cpu / first.cpu:.3g} |"


def shown(seconds: float) -> str:
    """Return a time with its unit."""
    unit, factor = next((unit for unit in (("s", 1), ("ms", 1e3), ("µs", 1e6)) if seconds * unit[1] >= 1), ("ns", 1e9))
    return f"{seconds * factor:.3g} {unit}"


def installed(**makers: Callable[[], Call]) -> dict[str, Call]:
    """Return the ways of the libraries that are installed."""
    ways = {}
    for name, make in makers.items():
        with suppress(ImportError):
            ways[name] = make()
    return ways


# The texts


def published(folder: Path) -> Texts:
    """Return two systems of WMT22, English to German, and both references."""
    outputs = folder / "system-outputs"
    first, second = (read_lines(str(outputs / f"generaltest2022.en-de.hyp.Online-{x}.de")) for x in "WA")
    paths = (folder / "references" / f"generaltest2022.en-de.ref.{x}.de" for x in "AB")
    return Texts(list(first), list(second), [list(read_lines(str(path))) for path in paths])


def generated(segments: int = 2037) -> Texts:
    """Return texts with as many segments and different words as WMT22's: translations of one text."""
    chance = np.random.default_rng(20_221)
    ranks = np.arange(1, 40_001)
    letters = np.array(list("eeeeennnniiissrrraattddhhuulcgmobwfkzpvüäßj"))
    words = np.array(["".join(chance.choice(letters, 2 + int(np.log(rank)))) for rank in ranks], dtype=object)
    cumulated = np.cumsum((ranks + 2.7) ** -1.1 / ((ranks + 2.7) ** -1.1).sum())
    lengths = chance.lognormal(2.6, 0.66, segments).astype(int) + 1
    ends = lengths.cumsum()

    def drawn() -> Any:
        return np.minimum(cumulated.searchsorted(chance.random(ends[-1])), len(words) - 1)

    original = drawn()

    def translation() -> list[str]:
        chosen = words[np.where(chance.random(len(original)) < 0.15, drawn(), original)].tolist()
        return [f"{' '.join(chosen[end - size : end])}." for end, size in zip(ends, lengths, strict=True)]

    return Texts(translation(), translation(), [translation(), translation()])


# The tasks, by the names that --only takes


def corpus_tasks(texts: Texts) -> Iterator[Task]:
    """Score a corpus: texts and tokens, with one reference and two, and corpora of growing size."""
    bleu, of_tokens = bleukit.load(), bleukit.load("nltk")
    for sets in (1, 2):
        chosen = texts.references[:sets]
        groups = [list(group) for group in zip(*chosen, strict=True)]
        yield Task(f"corpus, text, references: {sets}", corpus_ways(texts.first, groups, chosen))
    tokens, references = ([bleu.tokenize(text) for text in each] for each in (texts.first, texts.references[0]))
    yield Task(
        "corpus, tokens",
        {"bleukit": lambda: of_tokens.corpus(tokens, references, threads=1).value}
        | installed(nltk=lambda: partial(_nltk("corpus_bleu"), [[each] for each in references], tokens)),
    )
    for size in (1_000, 10_000, 100_000):
        some = texts.some(size)
        one = partial(bleu.corpus, some.first, some.references[0])
        ways = {"bleukit": partial(one, threads=1), "two threads": partial(one, threads=2)}
        yield Task(f"a segment of {size:,}", ways, size)


def corpus_ways(hypotheses: list[str], groups: list[list[str]], sets: list[list[str]]) -> dict[str, Call]:
    """Return what scores a corpus of texts with the tokenizer 13a."""
    bleu = bleukit.load()

    def of_bleuscore() -> Call:
        return partial(import_module("bleuscore").compute, groups, hypotheses, ref_len_method="closest")

    def of_torchmetrics() -> Call:
        return partial(import_module("torchmetrics.text").SacreBLEUScore(), hypotheses, groups)

    one, two = (partial(bleu.corpus, hypotheses, groups, threads=threads) for threads in (1, 2))
    return {"bleukit": one, "bleukit, two threads": two} | installed(
        sacrebleu=lambda: partial(import_module("sacrebleu").BLEU().corpus_score, hypotheses, sets),
        bleuscore=of_bleuscore,
        torchmetrics=of_torchmetrics,
    )


def _nltk(name: str) -> Any:
    return getattr(import_module("nltk.translate.bleu_score"), name)


def sentence_tasks(texts: Texts) -> Iterator[Task]:
    """Score each segment, one segment, and few."""
    bleu, of_tokens = bleukit.load(), bleukit.load("nltk", smoothing="exp")
    pairs = list(zip(texts.first, texts.references[0], strict=True))

    def all_of_sacrebleu() -> Call:
        metric = import_module("sacrebleu").BLEU(effective_order=True)
        return lambda: [metric.sentence_score(hypothesis, [reference]) for hypothesis, reference in pairs]

    each = {"bleukit": partial(bleu.sentences, texts.first, texts.references[0], threads=1)}
    yield Task("each sentence, text", each | installed(sacrebleu=all_of_sacrebleu), len(pairs))
    for title, (hypothesis, reference) in {
        "three words": ("the cat sat", "the cat stood"),
        "a sentence": pairs[0],
    }.items():
        words, others = hypothesis.split(), reference.split()
        ways = {
            "bleukit, text": lambda h=hypothesis, r=reference: bleu.sentence(h, r).value,
            "bleukit, tokens": lambda h=words, r=others: of_tokens.sentence(h, r).value,
        }
        for module in ("bleukit.compat.sacrebleu", "sacrebleu"):
            with suppress(ImportError):
                ways[module] = partial(import_module(module).sentence_bleu, hypothesis, [reference])
        for module in ("bleukit.compat.nltk", "nltk.translate.bleu_score"):
            with suppress(ImportError):
                ways[module] = partial(import_module(module).sentence_bleu, [others], words)
        yield Task(title, ways)
    for number in (1, 8, 64):
        some = texts.some(number)
        prepared = bleu.prepare(some.references[0])
        methods = {name: getattr(bleu, name) for name in ("sentences", "corpus", "statistics")}
        ways = {name: partial(method, some.first, some.references[0]) for name, method in methods.items()}
        yield Task(f"{number} segments", ways | {"prepared": partial(prepared.sentences, some.first)})


def drop_in_tasks(texts: Texts) -> Iterator[Task]:
    """Call ``corpus_bleu`` of sacreBLEU and of NLTK, and of bleukit.compat."""
    groups = [[reference.split()] for reference in texts.references[0]]
    tokens = [text.split() for text in texts.first]
    originals = (
        ("sacreBLEU's corpus_bleu", "bleukit.compat.sacrebleu", "sacrebleu", (texts.first, [texts.references[0]])),
        ("NLTK's corpus_bleu", "bleukit.compat.nltk", "nltk.translate.bleu_score", (groups, tokens)),
    )
    for title, ours, theirs, given in originals:
        yield Task(title, {name: partial(import_module(name).corpus_bleu, *given) for name in (ours, theirs)})


def file_tasks(texts: Texts) -> Iterator[Task]:
    """Score files by the command line, the start of Python included, and columns in memory."""
    folder, bleu = Path(tempfile.mkdtemp()), bleukit.load()
    names = ("hypotheses", "references", "other")
    for size in (len(texts.first), 1_000_000):
        some = texts.some(size)
        paths = [str(folder / f"{name}-{size}") for name in names]
        for path, each in zip(paths, (some.first, some.references[0], some.second), strict=True):
            Path(path).write_text("".join(f"{line}\n" for line in each), encoding="utf-8")
        program = [sys.executable, "-m", "bleukit"]
        score = [*program, "score", "-q", "-r", paths[1], paths[0], "--threads"]
        ways: dict[str, Call] = {f"bleukit, threads: {threads}": command(*score, threads) for threads in "12"}
        if size < 10_000:
            ways |= installed(sacrebleu=partial(_command_of_sacrebleu, paths[1], paths[0]))
        yield Task(f"score {size:,} segments", ways)
        compare = [*program, "compare", "--threads", "1", "-r", *paths[1:2], paths[0], paths[2], "--test"]
        yield Task(f"compare {size:,} segments", {test: command(*compare, test) for test in ("bootstrap", "delta")})
    made = {"pyarrow": "array", "polars": "Series", "pandas": "Series"}
    ways = {"lists": partial(bleu.corpus, some.first, some.references[0], threads=1)}
    for library, kind in made.items():
        with suppress(ImportError):
            make = getattr(import_module(library), kind)
            ways[library] = partial(bleu.corpus, make(some.first), make(some.references[0]), threads=1)
    yield Task("a million segments in memory", ways)


def _command_of_sacrebleu(references: str, hypotheses: str) -> Call:
    import_module("sacrebleu")
    return command(sys.executable, "-m", "sacrebleu", references, "-i", hypotheses, "--score-only")


def pair_tasks(texts: Texts) -> Iterator[Task]:
    """Score all pairs of texts, choose the best of samples, and measure diversity."""
    bleu, chance = bleukit.load(), random.Random(1)  # noqa: S311
    lines = [*texts.first, *texts.second, *texts.references[0], *texts.references[1]]
    hypotheses, references = lines[:1_024], lines[-1_024:]
    ways = {"bleukit": partial(bleukit.matrix, bleu, hypotheses, references, threads=1)}
    yield Task("a pair of 1,024 × 1,024", ways, 1_024**2)
    few = hypotheses[:40], references[:40]

    def pair_by_pair(score: Callable[[str, str], object]) -> Call:
        return lambda: [score(one, other) for one in few[0] for other in few[1]]

    def of_sacrebleu() -> Call:
        metric = import_module("sacrebleu").BLEU(effective_order=True)
        return pair_by_pair(lambda hypothesis, reference: metric.sentence_score(hypothesis, [reference]))

    def of_mbrs() -> Call:
        metric = import_module("mbrs.metrics").MetricBLEU
        return pair_by_pair(metric(metric.Config()).score)

    peers = {"bleukit": partial(bleukit.matrix, bleu, *few, threads=1)} | installed(
        sacrebleu=of_sacrebleu, mbrs=of_mbrs
    )
    yield Task("a pair of 40 × 40", peers, 1_600)
    for size in (128, 512, 2_048, 8_148):
        yield Task(
            f"a pair of {size:,} texts", {"bleukit": partial(bleukit.matrix, bleu, lines[:size], threads=1)}, size**2
        )
    groups = [[_sampled(text, chance) for _ in range(256)] for text in lines[:100]]
    samples: dict[str, Call] = {"bleukit": partial(bleukit.mbr, bleu, groups, threads=1)}
    yield Task("a pair of 256 samples, of 100 segments", samples, 100 * 256**2)
    samples = {"bleukit": partial(bleukit.mbr, bleu, groups[:20], threads=1, aggregate=True)}
    yield Task("the same by aggregation, of 20 segments", samples, 20 * 256**2)
    words = [word for line in lines for word in line.split()]
    for number in (8_000, 140_000):
        made = [" ".join(chance.choices(words, k=16)) for _ in range(number)]
        yield Task(f"self-BLEU of {number:,} texts", {"bleukit": partial(bleukit.self_bleu, made, "fast-bleu")})


def _sampled(text: str, chance: random.Random) -> str:
    """Return a variation of a text, as a model would sample it: some words left out or doubled."""
    return " ".join(word for word in text.split() for _ in range(chance.choice((0, 1, 1, 1, 1, 1, 1, 1, 2))))


def comparison_tasks(texts: Texts) -> Iterator[Task]:
    """Compare systems, from texts to p-values, beside sacreBLEU's tests."""
    systems, references = {"first": texts.first, "second": texts.second}, texts.references[0]

    def ours(given: dict[str, list[str]] = systems, **settings: Any) -> Call:
        return partial(bleukit.compare, bleukit.load(), given, references, threads=1, **settings)

    def theirs(kind: str) -> Call:
        test, metric = import_module("sacrebleu.significance").PairedTest, import_module("sacrebleu").BLEU

        def run() -> Any:
            return test([*systems.items()], {"BLEU": metric()}, [references], kind)()

        return run

    bootstrap = {"bleukit": ours(test="bootstrap"), "bleukit, sacrebleu-bs": ours(test="sacrebleu-bs")}
    yield Task("paired bootstrap, 1,000 resamples", bootstrap | installed(sacrebleu=lambda: theirs("bs")))
    trials = {"bleukit": ours(interval_samples=0), "bleukit, sacrebleu-ar": ours(test="sacrebleu-ar")}
    yield Task("randomization, 10,000 trials", trials | installed(sacrebleu=lambda: theirs("ar")))
    yield Task("randomization, and intervals by 1,000 resamples", {"bleukit": ours()})
    yield Task("delta, scores included", {"bleukit": ours(test="delta")})
    chance, shares = np.random.default_rng(1), np.linspace(0, 1, 20)
    mixed = {
        f"{share:.2f}": np.where(chance.random(len(references)) < share, texts.second, texts.first).tolist()
        for share in shares
    }
    yield Task("20 systems, all 190 pairs, 10,000 trials", {"bleukit": ours(mixed, interval_samples=0)})


TASKS = {
    "corpus": corpus_tasks,
    "sentences": sentence_tasks,
    "drop-ins": drop_in_tasks,
    "files": file_tasks,
    "pairs": pair_tasks,
    "comparisons": comparison_tasks,
}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), required=False)
@click.option("--only", type=click.Choice(list(TASKS)), multiple=True, help="Run only these tasks.")
@click.option("--rounds", type=click.IntRange(1), default=7, show_default=True)
def main(folder: Path | None, only: Sequence[str], rounds: int) -> None:
    """Time bleukit beside other libraries, on the texts of WMT22 in FOLDER, or on generated ones."""
    warnings.simplefilter("ignore")  # NLTK's, of segments without a match
    logging.disable()
    texts = published(folder) if folder else generated()
    tasks = [task for name in only or TASKS for task in TASKS[name](texts)]
    gc.collect()
    gc.freeze()  # the texts, which no run has to look through for garbage
    print("\n".join(lines(tasks, measured(tasks, rounds))))
    with suppress(OSError):
        load = f"load average {os.getloadavg()[0]:.1f}"
        print(f"{rounds} rounds; Python {platform.python_version()}; {os.cpu_count()} cores; {load}")


if __name__ == "__main__":
    main()
