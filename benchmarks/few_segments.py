"""Time calls on one segment, or on few, beside other libraries: ``python benchmarks/few_segments.py --help``.

Every round runs every way, so that other load on the machine affects all of them. A figure is the median of the CPU
time of a call, in microseconds. Each call ends with the number: a score has to tell its value. Tokenizers and metrics
that can be used again are made beforehand. Libraries that are not installed are left out.
"""

from __future__ import annotations

import gc
import logging
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

import click

import bleukit
from bleukit.text.files import read_lines

Call: TypeAlias = Callable[[], Any]

TURN = 0.02
"""The seconds that a way takes in a round, about."""

WORDS = "the cat sat", "the cat stood"
SENTENCE = (
    "Die Mathematik sagt nicht, dass man nicht wirklich krank werden kann, wenn man jung und gesund ist.",
    "Es gibt keine Berechnungen, die sagen, dass man nicht ernsthaft krank werden kann, wenn man jung und gesund ist.",
)
"""Of WMT22 English to German, as long as most."""

FEW = (1, 8, 64)


def ways_of_pair(hypothesis: str, reference: str) -> Iterator[tuple[str, Call]]:
    """Yield what scores one pair."""
    bleu, of_tokens = bleukit.load(), bleukit.load("nltk", smoothing="exp")
    words, other_words = hypothesis.split(), reference.split()
    yield "Bleu.sentence, text", lambda: bleu.sentence(hypothesis, reference).value
    yield "Bleu.sentence, text, all fields", lambda: bleu.sentence(hypothesis, reference).to_dict()
    yield "Bleu.sentence, tokens", lambda: of_tokens.sentence(words, other_words).value
    with suppress(ImportError):
        import bleuscore

        yield "bleuscore", lambda: bleuscore.compute([[reference]], [hypothesis], ref_len_method="closest")["bleu"]


def ways_of_sacrebleu(hypothesis: str, reference: str) -> Iterator[tuple[str, Call]]:
    """Yield the interface of sacreBLEU, by bleukit and by sacreBLEU; the texts are repeated, which sacreBLEU caches."""
    from bleukit.compat import sacrebleu as ours

    modules: dict[str, Any] = {"compat.sacrebleu": ours}
    with suppress(ImportError):
        import sacrebleu

        modules["sacrebleu"] = sacrebleu
    for name, module in modules.items():
        metric, tokenizer = module.BLEU(effective_order=True), module.BLEU().tokenizer
        yield f"{name}: sentence_score", _score_of(metric.sentence_score, hypothesis, [reference])
        yield f"{name}: sentence_bleu", _score_of(module.sentence_bleu, hypothesis, [reference])
        yield f"{name}: tokenizer(line)", partial(tokenizer, hypothesis)
        yield f"{name}: corpus_bleu of 10", _score_of(module.corpus_bleu, [hypothesis] * 10, [[reference] * 10])


def _score_of(function: Callable[..., Any], *texts: object) -> Call:
    return lambda: function(*texts).score


def ways_of_nltk(hypothesis: str, reference: str) -> Iterator[tuple[str, Call]]:
    """Yield the interface of NLTK, by bleukit and by NLTK."""
    from bleukit.compat import nltk as ours

    modules: dict[str, Any] = {"compat.nltk": ours}
    with suppress(ImportError):
        from nltk.translate import bleu_score

        modules["nltk"] = bleu_score
    numbers = {word: number for number, word in enumerate({*hypothesis.split(), *reference.split()})}
    for name, module in modules.items():
        method = module.SmoothingFunction().method1
        for kind, tokens in (("str", str), ("int", numbers.__getitem__)):
            pair = [list(map(tokens, reference.split()))], list(map(tokens, hypothesis.split()))
            smoothed = partial(module.sentence_bleu, *pair, smoothing_function=method)
            yield f"{name}: sentence_bleu, {kind}, method1", smoothed
            yield f"{name}: sentence_bleu, {kind}", partial(module.sentence_bleu, *pair)


def ways_of_few(hypotheses: list[str], references: list[str]) -> Iterator[tuple[str, Call]]:
    """Yield what scores some segments; references prepared beforehand last."""
    bleu = bleukit.load()
    prepared = bleu.prepare(references)
    yield "Bleu.sentences", lambda: bleu.sentences(hypotheses, references)
    yield "Bleu.corpus", lambda: bleu.corpus(hypotheses, references).value
    yield "Bleu.statistics", lambda: bleu.statistics(hypotheses, references)
    yield "Prepared.sentences", lambda: prepared.sentences(hypotheses)


def measured(ways: dict[str, Call], rounds: int) -> dict[str, float]:
    """Return the median of each way, in microseconds."""
    calls: dict[str, int] = {}
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for name, call in ways.items():
        call()
        calls[name] = max(1, int(TURN / _seconds(call, 10)))
    for _ in range(rounds):
        for name, call in ways.items():
            taken[name].append(_seconds(call, calls[name]))
    return {name: 1e6 * median(seconds) for name, seconds in taken.items()}


def _seconds(call: Call, times: int) -> float:
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        call()
    return max((time.process_time() - start) / times, 1e-9)


def _some(number: int, folder: Path | None) -> tuple[list[str], list[str]]:
    """Return segments of WMT22, or the one that is here, as often as needed."""
    if folder is None:
        return [SENTENCE[0]] * number, [SENTENCE[1]] * number
    files = ("system-outputs/generaltest2022.en-de.hyp.Online-W.de", "references/generaltest2022.en-de.ref.A.de")
    hypotheses, references = (
        [line for line, _ in zip(cycle(read_lines(str(folder / file))), range(number))] for file in files
    )
    return hypotheses, references


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--corpus",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with the texts of WMT22, as for benchmarks/published.py, of which batches are made.",
)
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True)
def main(folder: Path | None, rounds: int) -> None:
    """Time calls on one segment, or on few: a reward, a rerank, a validation in a training loop."""
    warnings.simplefilter("ignore")
    logging.disable()
    tables = [
        (title, {name: call for ways in (ways_of_pair, ways_of_sacrebleu, ways_of_nltk) for name, call in ways(*pair)})
        for title, pair in (("three words", WORDS), ("a sentence of WMT22", SENTENCE))
    ]
    tables += [(f"{number} segments", dict(ways_of_few(*_some(number, folder)))) for number in FEW]
    for title, ways in tables:
        click.echo(f"{title}: µs of CPU a call")
        for name, microseconds in measured(ways, rounds).items():
            click.echo(f"{microseconds:10.1f}  {name}")


if __name__ == "__main__":
    main()
