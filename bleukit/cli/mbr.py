"""``bleukit mbr``: the sample of each segment with the highest expected score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.file_names import FileName
from bleukit.cli.options import chosen_variant, decimals, more_in, threads_option, variant_options, width_option
from bleukit.cli.output import format_option, output_option
from bleukit.cli.printing import as_json_line, json_members, progress_of_reading
from bleukit.cli.reading import (
    chosen_columns,
    chosen_limits,
    limit_option,
    print_warnings,
    reference_column_option,
    refuse_joining,
    sample_column_option,
)
from bleukit.errors import InputError
from bleukit.text.files import size
from bleukit.text.samples import SampleFiles, SampleGroup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.metric import Bleu
    from bleukit.pairs.decoding import Choice

COMPARED = 50
"""With --aggregate, one segment in so many is also decoded exactly."""


@click.command("mbr", no_args_is_help=True, epilog=more_in("pairs"))
@click.argument("files", metavar="SAMPLES...", type=FileName(), nargs=-1, required=True)
@click.option(
    "-n",
    "--samples",
    "samples_per_file",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of samples per segment in one file.",
)
@click.option(
    "-r",
    "--reference",
    "references",
    metavar="FILE",
    type=FileName(),
    multiple=True,
    help="Score the samples against FILE; may be repeated.",
)
@sample_column_option
@reference_column_option
@variant_options
@click.option(
    "--aggregate", is_flag=True, help="Score each sample against the mean of all references: fast, not exact."
)
@click.option(
    "--n-best", type=click.IntRange(min=1), metavar="K", help="Print the best K samples of each segment, with scores."
)
@threads_option
@limit_option
@width_option
@output_option
@format_option("text", "json")
def command(  # noqa: PLR0913
    files: tuple[str, ...],
    samples_per_file: int | None,
    references: tuple[str, ...],
    n_best: int | None,
    threads: int | None,
    form: str,
    *,
    aggregate: bool,
) -> None:
    """Choose the sample with the highest expected score (MBR).

    The expected score of a sample is its mean sentence score against all samples of the segment, itself included. Ties
    go to the first. SAMPLES are several files with a sample of segment N on line N; one file with N samples of each
    segment (-n); a .jsonl file with a list of texts per line, or an object with "samples" and optional "references" and
    "weights"; or a table with several columns of samples, or a column of lists.

    The output is the chosen samples, one per line; with --n-best, segment, expected score and text, separated by tabs.

    \b
    bleukit mbr sample1.txt sample2.txt sample3.txt
    bleukit mbr -n 256 samples.txt --n-best 5
    bleukit mbr --sample-column outputs samples.parquet
    """
    bleu = chosen_variant()
    refuse_joining(bleu)
    with progress_of_reading("Decoding", size([*files, *references])) as advance:
        samples = SampleFiles(
            files, references, each=samples_per_file, columns=chosen_columns(), limits=chosen_limits(), on_read=advance
        )
        decoding = _Decoding(bleu, threads, aggregate=aggregate)
        decoded = decoding.of(samples)
        lines = _as_json(decoding, decoded, n_best) if form == "json" else _as_text(decoded, n_best, decimals(bleu))
        for line in lines:
            click.echo(line)
    print_warnings(samples.notes)
    if aggregate:
        click.echo(f"bleukit: {decoding.difference(decimals(bleu))}", err=True)


class _Decoding:
    """Decodes segments; with aggregation, compares some of the choices with the exact ones."""

    def __init__(self, bleu: Bleu, threads: int | None, *, aggregate: bool) -> None:
        self.bleu = bleu
        self._threads = threads
        self._aggregate = aggregate
        self.compared = self.differing = 0
        self.loss = 0.0
        """The sum of what the choices lack of the expected scores of the exact choices."""

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
        return self.bleu.mbr(
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
            yield f"{segment}\t{choice.scores[place]:.{digits}f}\t{text}" if n_best else text


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
        waiting = f"    {as_json_line(fields)}"
    yield f"{waiting}\n  ],"
    members: dict[str, Any] = {"signature": decoding.bleu.signature}
    if decoding.compared:
        compared = {"segments": decoding.compared, "differ": decoding.differing, "loss": decoding.loss}
        members = {"aggregated": compared, **members}
    yield f"{json_members(members, 2)}\n}}"
