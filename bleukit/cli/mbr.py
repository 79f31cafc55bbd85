"""``bleukit mbr``: of the samples of each segment the one with the highest expected score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.options import chosen, decimals, threads_option, variant_options, width_option
from bleukit.cli.output import format_option, output_option
from bleukit.cli.printing import as_json_line, json_members, progress_of_reading
from bleukit.cli.reading import columns, limit_option, reference_column_option, sample_column_option
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.metric import Bleu
    from bleukit.pairs.decoding import Choice
    from bleukit.text.files import Limits
    from bleukit.text.samples import SampleFiles, SampleGroup

COMPARED = 50
"""Of so many segments that are decoded by aggregation one is decoded exactly, too."""


@click.command(no_args_is_help=True)
@click.argument("files", metavar="SAMPLES...", nargs=-1, required=True)
@click.option(
    "-n",
    "--samples",
    "each",
    type=click.IntRange(min=1),
    metavar="N",
    help="Lines, or rows of a table, of a segment in one file.",
)
@click.option(
    "-r",
    "--reference",
    "references",
    metavar="FILE",
    multiple=True,
    help="Score the samples against these lines, not against each other. May be repeated.",
)
@sample_column_option
@reference_column_option
@variant_options
@click.option(
    "--aggregate",
    is_flag=True,
    help="Score each sample once, against the mean of all references: faster with many thousands, and not exact.",
)
@click.option(
    "--n-best", type=click.IntRange(min=1), metavar="K", help="Print the best K of each segment, with scores."
)
@threads_option
@limit_option
@width_option
@output_option
@format_option
def command(  # noqa: PLR0913
    files: tuple[str, ...],
    each: int | None,
    references: tuple[str, ...],
    variant: str | None,
    config: str | None,
    settings: tuple[str, ...],
    n_best: int | None,
    threads: int | None,
    limits: Limits,
    width: int | None,
    form: str,
    *,
    aggregate: bool,
) -> None:
    """Choose, of the samples of each segment, the one with the highest expected score (minimum Bayes risk).

    The expected score of a sample is the mean of its sentence scores against all samples, itself included. Of equally
    good ones the first is chosen. Samples are line N of several files, N lines of one file, or a line of a .jsonl file:
    a list of texts, or an object with "samples" and, if wanted, "references" and "weights" of these. A row of a table
    (.tsv, .csv, .parquet, .arrow, .feather) is a segment if its columns named "sample", or those chosen, are several or
    hold lists.

    \b
    bleukit mbr sample1.txt sample2.txt sample3.txt
    bleukit mbr -n 256 samples.txt --n-best 5
    bleukit mbr --sample-column outputs samples.parquet
    bleukit mbr -V nltk --set smoothing=nltk-method3 samples.jsonl

    The text that is printed is the chosen samples, a line each; with --n-best segment, expected score and text of
    each, separated by tabs.

    --aggregate (DeNero et al. 2009, Vamvas and Sennrich 2024) is linear in the references; scores are against their
    mean. Of every 50 segments the first is decoded exactly, too, to report how often the choices differ.
    """
    from bleukit.text.files import size
    from bleukit.text.samples import SampleFiles

    bleu = chosen(variant, config, settings)
    with progress_of_reading("Decoding", size([*files, *references])) as advance:
        samples = SampleFiles(files, references, each=each, columns=columns(), limits=limits, on_read=advance)
        decoding = _Decoding(bleu, threads, aggregate=aggregate)
        decoded = decoding.of(samples)
        lines = (
            _as_json(decoding, decoded, n_best) if form == "json" else _as_text(decoded, n_best, decimals(bleu, width))
        )
        for line in lines:
            click.echo(line)
    for note in samples.notes:
        click.echo(f"bleukit: warning: {note}", err=True)
    if aggregate:
        click.echo(f"bleukit: {decoding.difference(decimals(bleu, width))}", err=True)


class _Decoding:
    """Decodes segments, and compares what aggregation chooses for some of them with the exact choice."""

    def __init__(self, bleu: Bleu, threads: int | None, *, aggregate: bool) -> None:
        self.bleu = bleu
        self._threads = threads
        self._aggregate = aggregate
        self.compared = self.differing = 0
        self.loss = 0.0
        """By how much the expected scores of the choices are lower than those of the exact choices, summed."""

    def of(self, files: SampleFiles) -> Iterator[tuple[int, SampleGroup, Choice]]:
        """Yield the number of each segment, from 1, its samples, and what is chosen."""
        first = 0
        for groups in files.groups():
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
        """Say how the choices that were compared differ."""
        of = f"of {self.compared:,} segments, every {COMPARED}th, {self.differing:,} choices"
        lower = f"expected scores lower by {self.loss / max(self.compared, 1):.{digits}f} in the mean"
        return f"aggregated: {of} differ from the exact ones, with {lower}"

    def _choices(self, groups: Sequence[SampleGroup], first: int, *, aggregate: bool = False) -> list[Choice]:
        samples, given, of_given = zip(*groups, strict=True)
        references = [group.samples if group.references is None else group.references for group in groups]
        weights = [
            [1] * len(others) if group.weights is None else group.weights
            for group, others in zip(groups, references, strict=True)
        ]
        return self.bleu.mbr(
            samples,
            references=references if any(each is not None for each in given) else None,
            weights=weights if any(each is not None for each in of_given) else None,
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
            yield f"{segment}\t{choice.scores[place]:.{digits}f}\t{text}" if n_best else text


def _as_json(
    decoding: _Decoding, decoded: Iterator[tuple[int, SampleGroup, Choice]], n_best: int | None
) -> Iterator[str]:
    """Yield one object, a line a segment."""
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
        waiting = f"    {as_json_line(fields)}"
    yield f"{waiting}\n  ],"
    members: dict[str, Any] = {"signature": decoding.bleu.signature}
    if decoding.compared:
        compared = {"segments": decoding.compared, "differ": decoding.differing, "loss": decoding.loss}
        members = {"aggregated": compared, **members}
    yield f"{json_members(members, 2)}\n}}"
