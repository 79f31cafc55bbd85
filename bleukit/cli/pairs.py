"""``bleukit mbr`` and ``self-bleu``: segments that are compared with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleukit.cli import options, printing
from bleukit.cli.file_names import FileName
from bleukit.cli.metric_options import VARIANT_EXCLUSIONS, MetricOptions, variant_options
from bleukit.cli.options import Exclusion, OutputOptions, TextOptions
from bleukit.cli.reading import read_texts, refuse_joining
from bleukit.cli.tables import text_cell
from bleukit.framework.errors import InputError
from bleukit.pairs import decoding, diversity
from bleukit.pairs import self_bleu as measures
from bleukit.reading.files import refuse_second_readers, size
from bleukit.reading.paths import encodable
from bleukit.reading.samples import SampleGroup, read_samples
from bleukit.writing.phrases import wrapped_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bleukit.bleu.bleu import Bleu
    from bleukit.bleu.protocols import AmongTexts
    from bleukit.pairs.decoding import Choice


COMPARED = 50
"""With --aggregate, one segment in so many is also decoded exactly."""


@click.command("mbr", no_args_is_help=True)
@click.argument("files", metavar="SAMPLES...", type=FileName(), nargs=-1, required=True)
@options.option(
    "-n",
    "--samples",
    "samples_per_file",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of samples per segment in one file.",
)
@options.option(
    "-r",
    "--reference",
    "references",
    metavar="FILE",
    type=FileName(),
    multiple=True,
    help="Score the samples against FILE; may be repeated.",
)
@options.column_option("sample", "samples, or with lists of them", multiple=True)
@options.column_option("reference", "references", multiple=True)
@variant_options
@options.option(
    "--aggregate", is_flag=True, help="Score each sample against the mean of all references: fast, not exact."
)
@options.option(
    "--n-best", type=click.IntRange(min=1), metavar="K", help="Print the best K samples of each segment, with scores."
)
@options.threads_option
@options.limit_option
@options.width_option
@options.output_option
@options.format_option("text", "json")
@options.grouped(text=TextOptions, chosen=MetricOptions, output=OutputOptions)
@options.excluding(*VARIANT_EXCLUSIONS)
def mbr(  # noqa: PLR0913
    files: tuple[str, ...],
    samples_per_file: int | None,
    text: TextOptions,
    chosen: MetricOptions,
    n_best: int | None,
    threads: int | None,
    output: OutputOptions,
    *,
    aggregate: bool,
) -> None:
    """Choose the sample with the highest expected score (MBR).

    The expected score of a sample is its mean sentence score against all samples of the segment, itself included.
    SAMPLES are several files with a sample of segment N on line N; one file with N samples of each segment (-n); a
    .jsonl file with a list of texts per line, or an object with "samples" and optional "references" and "weights"; or
    a table with columns of samples, or a column of lists.

    The output is one sample per line; with --n-best: segment, score, text.

    \b
    bleukit mbr sample1.txt sample2.txt sample3.txt
    bleukit mbr -n 256 samples.txt --n-best 5
    bleukit mbr --sample-column outputs samples.parquet
    """
    bleu = chosen.variant()
    refuse_joining(bleu)
    with printing.progress_of_reading("Decoding", size([*files, *text.references])) as advance:
        notes: list[str] = []
        samples = read_samples(
            files,
            text.references,
            each=samples_per_file,
            columns=text.columns,
            limits=text.limits,
            on_read=advance,
            notes=notes,
        )
        decoding = _Decoding(bleu, threads, aggregate=aggregate)
        decoded = decoding.of(samples)
        is_json, digits = output.form == "json", output.decimals(bleu)
        lines = _as_json(decoding, decoded, n_best) if is_json else _as_text(decoded, n_best, digits)
        for line in lines:
            click.echo(line)
    printing.warn(*notes)
    if aggregate:
        click.echo(f"bleukit: {decoding.difference(digits)}", err=True)


class _Decoding:
    """Decodes segments; with aggregation, compares some of the choices with the exact ones."""

    def __init__(self, bleu: Bleu, threads: int | None, *, aggregate: bool) -> None:
        self.bleu = bleu
        self._threads = threads
        self._aggregate = aggregate
        self.compared = self.differing = 0
        self.loss = 0.0
        """The sum of what the choices lack of the expected scores of the exact choices."""

    def of(self, samples: Iterator[list[SampleGroup]]) -> Iterator[tuple[int, SampleGroup, Choice]]:
        """Yield the number of each segment, from 1, its samples, and what is chosen."""
        first = 0
        for groups in samples:
            choices = self._choices(groups, first, aggregate=self._aggregate)
            if self._aggregate:
                for place in range(-first % COMPARED, len(groups), COMPARED):
                    [exact] = self._choices(groups[place : place + 1], first + place)
                    self.compared += 1
                    self.differing += exact.text != choices[place].text
                    self.loss += exact.score - exact.scores[choices[place].index]
            yield from zip(range(first + 1, first + 1 + len(groups)), groups, choices, strict=True)
            first += len(groups)

    def difference(self, digits: int) -> str:
        """Return how the choices that were compared differ, in words."""
        of = f"of {self.compared:,} segments, every {COMPARED}th, {self.differing:,} choices"
        lower = f"expected scores lower by {self.loss / max(self.compared, 1):.{digits}f} in the mean"
        return f"aggregated: {of} differ from the exact ones, with {lower}"

    def _choices(self, groups: Sequence[SampleGroup], first: int, *, aggregate: bool = False) -> list[Choice]:
        samples, own_references, own_weights = zip(*groups, strict=True)
        references = [group.samples if group.references is None else group.references for group in groups]
        weights = [
            [1] * len(texts) if group.weights is None else group.weights
            for group, texts in zip(groups, references, strict=True)
        ]
        return decoding.mbr(
            self.bleu,
            samples,
            references=references if any(texts is not None for texts in own_references) else None,
            weights=weights if any(numbers is not None for numbers in own_weights) else None,
            threads=self._threads,
            first=first,
            aggregate=aggregate,
        )


def _as_text(decoded: Iterator[tuple[int, SampleGroup, Choice]], n_best: int | None, digits: int) -> Iterator[str]:
    for segment, group, choice in decoded:
        for place in choice.best(n_best or 1):
            text = group.samples[place]
            if "\n" in text or "\r" in text:
                raise InputError(f"segment {segment}: the text has several lines: print it by --format json")
            yield printing.visible(f"{segment}\t{choice.scores[place]:.{digits}f}\t{text}" if n_best else text)


def _as_json(
    decoding: _Decoding, decoded: Iterator[tuple[int, SampleGroup, Choice]], n_best: int | None
) -> Iterator[str]:
    """Yield one object, with a line for each segment."""
    yield '{\n  "segments": ['
    waiting = ""
    for segment, group, choice in decoded:
        fields: dict[str, Any] = {"segment": segment, "index": choice.index, "score": choice.score, "text": choice.text}
        if n_best:
            fields["n_best"] = [
                {"index": place, "score": choice.scores[place], "text": group.samples[place]}
                for place in choice.best(n_best)
            ]
        if waiting:
            yield f"{waiting},"
        waiting = f"    {printing.as_json_line(fields)}"
    yield f"{waiting}\n  ],"
    members: dict[str, Any] = {"signature": decoding.bleu.signature}
    if decoding.compared:
        compared = {"segments": decoding.compared, "differ": decoding.differing, "loss": decoding.loss}
        members = {"aggregated": compared, **members}
    yield f"{printing.json_members(members, 2)}\n}}"


@click.command("self-bleu", no_args_is_help=True)
@click.argument("files", metavar="FILE...", type=FileName(), nargs=-1, required=True)
@options.option(
    "-d", "--definition", metavar="NAME", help="A published definition of self-BLEU; 'bleukit plugins' lists them."
)
@variant_options
@options.option(
    "--references",
    "among",
    type=click.Choice(["others", "all", "later"]),
    metavar="LINES",
    help="References of a line: others (default), all, or later (each later line alone).",
)
@options.option("--first", type=click.IntRange(min=2), metavar="N", help="Use only the first N lines.")
@options.option("--sample", type=click.IntRange(min=2), metavar="N", help="Use N random lines if there are more.")
@options.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Random seed.")
@options.option(
    "--level",
    type=click.Choice(["corpus", "sentence"]),
    default="corpus",
    metavar="LEVEL",
    help="corpus (default), or sentence: the score of each line.",
)
@options.option(
    "-n",
    "--samples",
    "each",
    type=click.IntRange(min=2),
    metavar="N",
    help="Every N lines are samples of a source: how diverse are they?",
)
@options.hypothesis_column_option
@options.limit_option
@options.width_option
@options.output_option
@options.format_option("text", "json")
@options.grouped(text=TextOptions, chosen=MetricOptions, output=OutputOptions)
@options.excluding(
    Exclusion("--level sentence", "-d, --sample, --first", "--level sentence cannot be combined with {other}"),
    Exclusion(
        "--samples", "-d, --sample, --references, --first, --level sentence", "{one} cannot be combined with {other}"
    ),
    Exclusion(
        "-d",
        "-V, -c, --references, --first",
        "--definition cannot be combined with -V, -c, --references or --first; --set changes its variant",
    ),
    *VARIANT_EXCLUSIONS,
)
def self_bleu(  # noqa: PLR0913
    files: tuple[str, ...],
    text: TextOptions,
    definition: str | None,
    chosen: MetricOptions,
    among: AmongTexts | None,
    first: int | None,
    sample: int | None,
    seed: int,
    level: str,
    each: int | None,
    output: OutputOptions,
) -> None:
    """Measure how similar the lines of a file are (self-BLEU).

    Self-BLEU is the mean score of the lines, each with all others as its references. FILE is a text file, an evaluation
    set or a table. With -n, samples of the same source are compared.

    \b
    bleukit self-bleu FILE
    bleukit self-bleu -d texygen FILE
    bleukit self-bleu -n 8 SAMPLES
    """
    refuse_second_readers(files)
    if definition is None:
        bleu = chosen.variant()
        policy: Mapping[str, Any] = {"references": among or "others", "first": first}
    else:
        published = measures.self_bleu_definition(definition)
        bleu, policy = chosen.variant(published.keys), published.policy
    of_files = [(path, _texts(path, text, bleu)) for path in files]
    if level == "sentence":
        _write_scores(bleu, of_files, policy["references"], output)
        return
    if each:
        results: list[Any] = [diversity.diversity(bleu, _by_source(path, texts, each)) for path, texts in of_files]
    else:
        results = [measures.self_bleu(texts, bleu, **policy, sample=sample, seed=seed) for _, texts in of_files]
    if output.form == "json":
        members = [{"file": encodable(path), **result.to_dict()} for path, result in zip(files, results, strict=True)]
        click.echo(printing.as_json({"files": members, "signature": bleu.signature}))
        return
    for path, result in zip(files, results, strict=True):
        if each:
            lines = [f"{result.texts:,} samples of {result.sources:,} sources", *result.lines(output.decimals(bleu))]
        else:
            sampled = "" if result.seed is None else f", sampled with seed {result.seed}"
            lines = [f"self-BLEU {result.value:.{output.decimals(bleu)}f} of {result.texts:,} texts{sampled}"]
        for line in lines:
            click.echo(f"{encodable(path)}: {line}" if len(files) > 1 else line)
    for signature in dict.fromkeys(result.signature for result in results):
        click.echo("\n".join(wrapped_lines(f"signature {signature}", printing.terminal_width())))


def _texts(path: str, text: TextOptions, bleu: Bleu) -> list[str]:
    texts = read_texts(path, text, bleu)
    if len(texts) < 2:
        raise InputError(f"{path}: self-BLEU needs two or more texts, got {len(texts)}")
    return texts


def _by_source(path: str, texts: Sequence[str], each: int) -> list[Sequence[str]]:
    """Return the samples of each source."""
    if len(texts) % each:
        raise InputError(f"{path}: has {len(texts)} lines, which are no groups of {each}")
    return [texts[start : start + each] for start in range(0, len(texts), each)]


def _write_scores(
    bleu: Bleu, of_files: Sequence[tuple[str, list[str]]], references: AmongTexts, output: OutputOptions
) -> None:
    """Print the score of each line of each file."""
    scores = [(path, measures.self_bleu_scores(bleu, texts, references=references)) for path, texts in of_files]
    if output.form == "json":
        members = [{"file": encodable(path), "scores": of_file.tolist()} for path, of_file in scores]
        click.echo(printing.as_json({"files": members, "signature": bleu.signature}))
        return
    for path, of_file in scores:
        name = f"{text_cell(path)}\t" if len(scores) > 1 else ""
        for number, score in enumerate(of_file.tolist(), 1):
            click.echo(f"{name}{number}\t{score:.{output.decimals(bleu)}f}")
    click.echo(f"# signature {bleu.signature}")
