"""Time bleukit and other libraries side by side: ``python benchmarks/side_by_side.py --help``.

Every round runs every library on every task, so that other load on the machine affects all of them. A cell is the
median of all runs, with its ratio to bleukit on one thread. A first run warms up, and compares the scores, so that all
libraries are timed on the same task. Libraries that are not installed are left out.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TypeAlias

import click
import numpy as np

import bleukit
from bleukit.cli import printing
from bleukit.cli.tables import ruled_lines
from bleukit.comparing.tables import ResultTable, table_as_markdown
from bleukit.loading import loader, registry
from bleukit.metric import Bleu
from bleukit.text.files import read_lines

OURS, TWO_THREADS, PLAIN = "bleukit", "two threads", "plain Python"
SACREBLEU, NLTK, BLEUSCORE, FAST_BLEU, TORCHMETRICS = "sacrebleu", "nltk", "bleuscore", "fast-bleu", "torchmetrics"
COLUMNS = (OURS, TWO_THREADS, PLAIN, SACREBLEU, NLTK, BLEUSCORE, FAST_BLEU, TORCHMETRICS)
"""Columns: bleukit on one thread, on two threads, and without the compiled parts; other libraries by distribution."""

SEGMENTS = 2037
"""Number of segments of a generated corpus: that of WMT22 English to German."""
SIZES = (1_000, 10_000, 100_000, 1_000_000)
LARGEST = {OURS: SIZES[-1], TWO_THREADS: SIZES[-1], BLEUSCORE: 100_000, TORCHMETRICS: 1_000}
"""The largest size that each tool is timed on; 10,000 segments for all others."""

TURN = 0.1
"""The least seconds that each tool takes in a round: what is faster runs several times."""

TOLERANCE = 1e-9
"""The largest difference of scores that is accepted, on bleukit's scale: 0 to 100, or 0 to 1 for tokens."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
"""Environment variables that keep other libraries to one thread."""

CACHING = {"tokenizer_13a": "Tokenizer13a", "tokenizer_re": "TokenizerRegexp"}
"""Modules and classes of sacreBLEU's tokenizers that cache texts; the caches are emptied before each run."""

MEASURE = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True, check=True)
seconds = time.perf_counter() - start
print(json.dumps([done.stdout, seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss]))
"""
"""Runs a command and measures it: in a small process, because a child's peak memory is never below its parent's."""


class Corpus(NamedTuple):
    """Texts, or their tokens; each set of references is one list, as in a file."""

    hypotheses: Sequence[Any]
    references: Sequence[Sequence[Any]]

    @property
    def groups(self) -> list[list[Any]]:
        """The references of each hypothesis."""
        return [list(group) for group in zip(*self.references, strict=True)]

    def each(self, change: Callable[[Sequence[Any]], Sequence[Any]]) -> Corpus:
        """Return the corpus with hypotheses and each set of references changed."""
        return Corpus(change(self.hypotheses), [change(texts) for texts in self.references])


class Measurement(NamedTuple):
    """The time of one run, its scores and, for a process, its peak memory in kilobytes."""

    scores: Any
    seconds: float
    kilobytes: int = 0


Way: TypeAlias = Callable[[], Measurement]
Maker: TypeAlias = Callable[[Corpus], Callable[[], Any]]
"""Arranges a corpus as a library expects it, before the clock starts, and returns the function that is timed."""


class Task(NamedTuple):
    """A row of the table: the tools that do it; ``segments`` if the time of one segment is shown."""

    title: str
    ways: dict[str, Way]
    segments: int = 0


# The corpora


def published(folder: Path) -> Corpus:
    """Return a system of WMT22, English to German, with both references."""
    pair = "generaltest2022.en-de"
    references = sorted((folder / "references").glob(f"{pair}.ref.*.de"))
    hypotheses = folder / "system-outputs" / f"{pair}.hyp.Online-W.de"
    return Corpus(read_lines(str(hypotheses)), [read_lines(str(path)) for path in references])


def generated(segments: int) -> Corpus:
    """Return a corpus with as many segments and different words as WMT22's: hypotheses and two sets of references."""
    random = np.random.default_rng(20_221)
    ranks = np.arange(1, 40_001)
    letters = np.array(list("eeeeennnniiissrrraattddhhuulcgmobwfkzpvüäßj"))
    plain = ["".join(random.choice(letters, 2 + int(np.log(rank)))) for rank in ranks]
    words = np.array([*plain, *(f"{word}," for word in plain)], dtype=object)
    zipf = (ranks + 2.7) ** -1.1
    frequencies = np.concatenate([0.92 * zipf, 0.08 * zipf])  # a word, and before a comma
    cumulated = np.cumsum(frequencies / frequencies.sum())
    lengths = random.lognormal(2.6, 0.66, segments).astype(int) + 1
    starts = lengths.cumsum() - lengths

    def drawn() -> Any:
        return np.minimum(cumulated.searchsorted(random.random(lengths.sum())), len(words) - 1)

    original = drawn()

    def translation() -> list[str]:
        """Replace some words, and leave some out."""
        chosen = words[np.where(random.random(len(original)) < 0.15, drawn(), original)]
        kept = random.random(len(original)) > 0.04
        ends = np.add.reduceat(kept, starts).cumsum()
        chosen = chosen[kept].tolist()
        return [f"{' '.join(chosen[a:b]).capitalize()}." for a, b in zip([0, *ends[:-1]], ends, strict=True)]

    return Corpus(translation(), [translation(), translation()])


# What is timed


def ours(variant: str, method: str) -> dict[str, Maker]:
    """Return bleukit on one thread, on two threads, and without the compiled parts."""

    def maker(bleu: Bleu, threads: int) -> Maker:
        def make(corpus: Corpus) -> Callable[[], Any]:
            references = corpus.groups if len(corpus.references) > 1 else corpus.references[0]
            return lambda: getattr(bleu, method)(corpus.hypotheses, references, threads=threads)

        return make

    compiled = bleukit.load(variant)
    return {OURS: maker(compiled, 1), TWO_THREADS: maker(compiled, 2), PLAIN: maker(_plain(variant), 1)}


def _plain(variant: str) -> Bleu:
    """Return the BLEU of a variant whose components are called on one segment at a time, in Python."""
    loaded = loader.load_variant(variant, registry.installed(), {})
    counting = ("tokenizer", "counter", "reference_length")
    plain = {kind: loaded.components[kind]._replace(call=partial(loaded.components[kind].call)) for kind in counting}
    return Bleu(loaded._replace(components={**loaded.components, **plain}))


def sacrebleu_corpus(corpus: Corpus) -> Callable[[], Any]:
    """``BLEU.corpus_score``."""
    from sacrebleu.metrics import BLEU

    metric = BLEU()
    return lambda: metric.corpus_score(corpus.hypotheses, corpus.references).score


def sacrebleu_sentences(corpus: Corpus) -> Callable[[], Any]:
    """``BLEU.sentence_score``, segment by segment."""
    from sacrebleu.metrics import BLEU

    metric, pairs = BLEU(effective_order=True), list(zip(corpus.hypotheses, corpus.groups, strict=True))
    return lambda: [metric.sentence_score(hypothesis, group).score for hypothesis, group in pairs]


def bleuscore_corpus(corpus: Corpus) -> Callable[[], Any]:
    """``compute``, with the closest reference length, like the others."""
    import bleuscore

    groups = corpus.groups
    return lambda: 100 * bleuscore.compute(groups, corpus.hypotheses, ref_len_method="closest")["bleu"]


def torchmetrics_corpus(corpus: Corpus) -> Callable[[], Any]:
    """``SacreBLEUScore``, in double precision."""
    import torch
    from torchmetrics.text import SacreBLEUScore

    metric, groups = SacreBLEUScore().set_dtype(torch.float64), corpus.groups
    return lambda: 100 * metric(corpus.hypotheses, groups).item()


def nltk_corpus(corpus: Corpus) -> Callable[[], Any]:
    """``corpus_bleu``."""
    from nltk.translate.bleu_score import corpus_bleu

    groups = corpus.groups
    return lambda: corpus_bleu(groups, corpus.hypotheses)


def nltk_sentences(corpus: Corpus) -> Callable[[], Any]:
    """``sentence_bleu``, segment by segment."""
    from nltk.translate.bleu_score import sentence_bleu

    pairs = list(zip(corpus.groups, corpus.hypotheses, strict=True))
    return lambda: [sentence_bleu(group, hypothesis) for group, hypothesis in pairs]


def fast_bleu_sentences(corpus: Corpus) -> Callable[[], Any]:
    """``BLEU``, one for each segment: it scores hypotheses that share their references."""
    from fast_bleu import BLEU

    weights = {4: (0.25,) * 4}
    pairs = list(zip(corpus.groups, corpus.hypotheses, strict=True))
    return lambda: [BLEU(group, weights, smoothing_func=0).get_score([hypothesis])[4][0] for group, hypothesis in pairs]


def corpus_bleu_of_sacrebleu(module: str) -> Maker:
    """``corpus_bleu`` of a module that has sacreBLEU's interface."""

    def make(corpus: Corpus) -> Callable[[], Any]:
        corpus_bleu = import_module(module).corpus_bleu
        return lambda: corpus_bleu(corpus.hypotheses, corpus.references).score

    return make


def corpus_bleu_of_nltk(module: str, split: Callable[[Any], Any]) -> Maker:
    """``corpus_bleu`` of a module that has NLTK's interface; splitting texts into tokens is timed, too."""

    def make(corpus: Corpus) -> Callable[[], Any]:
        corpus_bleu, groups = import_module(module).corpus_bleu, corpus.groups
        return lambda: corpus_bleu([list(map(split, group)) for group in groups], list(map(split, corpus.hypotheses)))

    return make


TEXTS: dict[str, Maker] = {
    **ours("sacrebleu", "corpus"),
    SACREBLEU: sacrebleu_corpus,
    BLEUSCORE: bleuscore_corpus,
    TORCHMETRICS: torchmetrics_corpus,
}
TOKENS: dict[str, Maker] = {**ours("nltk", "corpus"), NLTK: nltk_corpus}
SENTENCES: dict[str, Maker] = {**ours("sacrebleu", "sentences"), SACREBLEU: sacrebleu_sentences}
SENTENCES_OF_TOKENS: dict[str, Maker] = {
    **ours("nltk", "sentences"),
    NLTK: nltk_sentences,
    FAST_BLEU: fast_bleu_sentences,
}
SACREBLEUS: dict[str, Maker] = {
    OURS: corpus_bleu_of_sacrebleu("bleukit.compat.sacrebleu"),
    SACREBLEU: corpus_bleu_of_sacrebleu("sacrebleu"),
}


def nltks(split: Callable[[Any], Any]) -> dict[str, Maker]:
    """Return NLTK's interface, by bleukit and by NLTK."""
    modules = {OURS: "bleukit.compat.nltk", NLTK: "nltk.translate.bleu_score"}
    return {tool: corpus_bleu_of_nltk(module, split) for tool, module in modules.items()}


# The tasks, by the names that --only takes


def corpus_tasks(corpus: Corpus, _: Path) -> Iterator[Task]:
    """Score a corpus of texts."""
    for sets in range(1, len(corpus.references) + 1):
        references = f"{sets} reference{'s' * (sets > 1)}"
        yield _in_process(f"corpus, text, {references}", corpus._replace(references=corpus.references[:sets]), TEXTS)


def token_tasks(corpus: Corpus, _: Path) -> Iterator[Task]:
    """Score a corpus of tokens."""
    yield _in_process("corpus, tokens, 1 reference", _tokens(corpus), TOKENS)


def sentence_tasks(corpus: Corpus, _: Path) -> Iterator[Task]:
    """Score each segment."""
    first = corpus._replace(references=corpus.references[:1])
    yield _in_process("each sentence, text, 1 reference", first, SENTENCES)
    yield _in_process("each sentence, tokens, 1 reference", _tokens(corpus), SENTENCES_OF_TOKENS)


def growth_tasks(_: Corpus, __: Path) -> Iterator[Task]:
    """Score corpora of growing size, in which no segment occurs twice."""
    largest = generated(SIZES[-1])
    largest = largest._replace(references=largest.references[:1])
    for size in SIZES:
        makers = {tool: make for tool, make in TEXTS.items() if size <= LARGEST.get(tool, 10_000)}
        corpus = largest.each(lambda texts, size=size: texts[:size])  # type: ignore[misc]
        yield _in_process(f"a segment of {size:,}", corpus, makers)._replace(segments=size)


def drop_in_tasks(corpus: Corpus, _: Path) -> Iterator[Task]:
    """Call ``corpus_bleu`` of sacreBLEU and of NLTK, and of bleukit.compat."""
    first = corpus._replace(references=corpus.references[:1])
    yield _in_process("sacreBLEU's corpus_bleu, text", first, SACREBLEUS)
    yield _in_process("NLTK's corpus_bleu, tokens", first.each(_split), nltks(_as_it_is))
    yield _in_process("NLTK's corpus_bleu, and str.split", first, nltks(str.split))


def _split(texts: Sequence[str]) -> list[list[str]]:
    return list(map(str.split, texts))


def _as_it_is(tokens: list[str]) -> list[str]:
    return tokens


def process_tasks(corpus: Corpus, folder: Path) -> Iterator[Task]:
    """Score files by the command line, the start of Python included."""
    files = {"hypotheses": corpus.hypotheses, "references": corpus.references[0]}
    for name, texts in files.items():
        (folder / name).write_bytes("".join(f"{text}\n" for text in texts).encode())
    hypotheses, references = (str(folder / name) for name in files)
    commands = {
        OURS: ["bleukit", "score", "--format", "json", "-r", references, hypotheses],
        SACREBLEU: ["sacrebleu", references, "-i", hypotheses, "--score-only", "--width", "12"],
    }
    programs = Path(sys.executable).parent
    ways = {
        tool: _command(str(programs / command[0]), *command[1:])
        for tool, command in commands.items()
        if (programs / command[0]).exists()
    }
    yield Task("whole command, 1 reference", ways)


TASKS = {
    "corpus": corpus_tasks,
    "tokens": token_tasks,
    "sentences": sentence_tasks,
    "drop-ins": drop_in_tasks,
    "growth": growth_tasks,
    "process": process_tasks,
}


def _tokens(corpus: Corpus) -> Corpus:
    """Return the tokens of the hypotheses and of the first references."""
    tokenize = bleukit.load().tokenize
    first = corpus._replace(references=corpus.references[:1])
    return first.each(lambda texts: [list(tokenize(text)) for text in texts])


def _in_process(title: str, corpus: Corpus, makers: dict[str, Maker]) -> Task:
    """Return a task for the tools that are installed."""
    ways = {}
    for tool, make in makers.items():
        with suppress(ImportError):
            ways[tool] = _timed(make(corpus))
    return Task(title, ways)


def _timed(function: Callable[[], Any]) -> Way:
    def way() -> Measurement:
        for module, tokenizer in CACHING.items():
            if loaded := sys.modules.get(f"sacrebleu.tokenizers.{module}"):
                getattr(loaded, tokenizer).__call__.cache_clear()
        gc.collect()  # nobody pays for what another left
        start = time.perf_counter()
        result = function()
        seconds = time.perf_counter() - start
        return Measurement(getattr(result, "value", result), seconds)

    return way


def _command(*command: str) -> Way:
    def way() -> Measurement:
        done = subprocess.run([sys.executable, "-c", MEASURE, *command], capture_output=True, text=True, check=True)  # noqa: S603
        said, seconds, kilobytes = json.loads(done.stdout)
        told = json.loads(said)
        return Measurement(told["systems"][0]["score"] if isinstance(told, dict) else told, seconds, kilobytes)

    return way


# Rounds, and the table


def check(tasks: Iterable[Task]) -> None:
    """Run all once, so that they are warm; fail where one does not score as bleukit does."""
    for task in tasks:
        scores = {tool: way().scores for tool, way in task.ways.items()}
        for tool, given in scores.items():
            largest = np.abs(np.subtract(given, scores[OURS])).max()
            if not largest <= TOLERANCE:
                raise click.ClickException(f"{task.title}: scores of {tool} differ from bleukit's by {largest:.2g}")


def measure(tasks: Iterable[Task], rounds: int) -> dict[tuple[str, str], list[Measurement]]:
    """Return the measurements of each task (its title) by each tool."""
    measured: dict[tuple[str, str], list[Measurement]] = defaultdict(list)
    steps = [(task.title, tool, way) for task in tasks for tool, way in task.ways.items()] * rounds
    for title, tool, way in printing.with_progress(steps, len(steps), "Timing"):
        spent = 0.0
        while spent < TURN:
            measurement = way()._replace(scores=None)
            measured[title, tool].append(measurement)
            spent += measurement.seconds
    return measured


def rows_of(tasks: Iterable[Task], measured: dict[tuple[str, str], list[Measurement]]) -> Iterator[list[str]]:
    """Yield the rows of the table: each task's time and, of processes, their peak memory."""
    for task in tasks:
        seconds = {tool: median(each.seconds for each in measured[task.title, tool]) for tool in task.ways}
        kilobytes = {tool: median(each.kilobytes for each in measured[task.title, tool]) for tool in task.ways}
        if task.segments:
            yield _row(task.title, {tool: 1e6 * each / task.segments for tool, each in seconds.items()}, "µs")
        else:
            yield _row(task.title, {tool: 1e3 * each for tool, each in seconds.items()}, "ms")
        if any(kilobytes.values()):
            yield _row(f"{task.title}, peak memory", {tool: each / 1024 for tool, each in kilobytes.items()}, "MiB")


def _row(title: str, values: dict[str, float], unit: str) -> list[str]:
    cells = {tool: f"{value:.3g} {unit}" if value < 1000 else f"{value:,.0f} {unit}" for tool, value in values.items()}
    for tool in [tool for tool in cells if tool != OURS]:
        ratio = values[tool] / values[OURS]
        cells[tool] += f" ({ratio:.{0 if ratio >= 10 else 1}f}×)"
    return [title, *(cells.get(tool, "") for tool in COLUMNS)]


def _heading(tool: str) -> str:
    try:
        return f"{tool} {metadata.version(tool)}"
    except metadata.PackageNotFoundError:
        return tool


def _machine() -> str:
    information = Path("/proc/cpuinfo")
    lines = information.read_text(encoding="utf-8").splitlines() if information.exists() else []
    named = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return f"{named[0] if named else platform.processor()}, {os.cpu_count()} cores"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--corpus",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with the texts of WMT22, as for benchmarks/published.py. Default: a generated corpus of that size.",
)
@click.option("--only", type=click.Choice(list(TASKS)), multiple=True, help="Run only this task; may be repeated.")
@click.option("--rounds", type=click.IntRange(1), default=7, show_default=True)
@click.option("--format", "output", type=click.Choice(["text", "markdown"]), default="text", show_default=True)
def main(folder: Path | None, only: Sequence[str], rounds: int, output: str) -> None:
    """Time bleukit and other libraries side by side.

    The number in brackets is the ratio to bleukit on one thread. "two threads" is bleukit on two threads, "plain
    Python" is bleukit without its compiled parts. The tokenizer of texts is 13a, and its time is included.
    """
    warnings.simplefilter("ignore")  # NLTK's, of segments without a match
    corpus = published(folder) if folder else generated(SEGMENTS)
    with tempfile.TemporaryDirectory() as temporary:
        tasks = [task for name in only or TASKS for task in TASKS[name](corpus, Path(temporary))]
        gc.collect()
        gc.freeze()  # the corpora, which no run has to look through for garbage
        check(tasks)
        measured = measure(tasks, rounds)
    columns = ["median of a run", *(tool for tool in COLUMNS if any(tool in task.ways for task in tasks))]
    rows = [
        [cell for tool, cell in zip(["", *COLUMNS], row, strict=True) if not tool or tool in columns]
        for row in rows_of(tasks, measured)
    ]
    heads = [columns[0], *map(_heading, columns[1:])]
    if output == "markdown":
        print(table_as_markdown(ResultTable("", heads, rows, ())))
    else:
        print("\n".join(ruled_lines("", heads, rows, (), None)))
    kind = "WMT22 English to German" if folder else "generated"
    print(
        f"{datetime.now(timezone.utc):%Y-%m-%d}; {len(corpus.hypotheses):,} segments ({kind}), {rounds} rounds; "
        f"Python {platform.python_version()}; {_machine()}; load average {os.getloadavg()[0]:.1f}"
    )


# The numerical libraries read these when they are first imported.
os.environ.update(ONE_THREAD)

if __name__ == "__main__":
    main()
