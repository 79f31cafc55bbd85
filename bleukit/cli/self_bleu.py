"""``bleukit self-bleu``: how alike the lines of a file are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleukit.cli.options import chosen, decimals, variant_options, width_option
from bleukit.cli.output import output_option
from bleukit.cli.printing import as_json, broken_signature, printable, terminal_width
from bleukit.cli.reading import columns, hypothesis_column_option, limit_option
from bleukit.errors import InputError

if TYPE_CHECKING:
    from bleukit.text.files import Limits


@click.command("self-bleu", no_args_is_help=True)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@variant_options
@click.option("--sample", type=click.IntRange(min=2), metavar="N", help="Take N lines at random if there are more.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Of the sample.")
@hypothesis_column_option
@limit_option
@width_option
@output_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(  # noqa: PLR0913
    files: tuple[str, ...],
    variant: str | None,
    config: str | None,
    settings: tuple[str, ...],
    sample: int | None,
    seed: int,
    limits: Limits,
    width: int | None,
    form: str,
) -> None:
    """Measure how alike the lines of each file are: the mean score of each with all others as its references.

    Of a table (.tsv, .csv, .jsonl, .parquet, .arrow, .feather) the column of hypotheses is read.

    The published definitions differ in recipe. That of Texygen (Zhu et al. 2018) is

    \b
    bleukit self-bleu -V nltk --set smoothing=nltk-method1 FILE
    """
    from itertools import chain

    from bleukit.text import corpora
    from bleukit.text.files import refuse_second_readers

    refuse_second_readers(files)
    bleu = chosen(variant, config, settings)
    found = []
    for path in files:
        read = corpora.segments(path, bleu.tokenize, columns=columns(), limits=limits)
        lines = list(chain.from_iterable(read))
        if len(lines) < 2:
            raise InputError(f"{path}: self-BLEU needs two or more texts, got {len(lines)}")
        found.append(bleu.self_bleu(lines, sample=sample, seed=seed))
    if form == "json":
        each = [{"file": printable(path), **result.to_dict()} for path, result in zip(files, found, strict=True)]
        click.echo(as_json({"files": each, "signature": bleu.signature}))
        return
    digits = decimals(bleu, width)
    for path, result in zip(files, found, strict=True):
        name = f"{printable(path)}: " if len(files) > 1 else ""
        sampled = "" if result.seed is None else f", sampled with seed {result.seed}"
        click.echo(f"{name}self-BLEU {result.value:.{digits}f} of {result.texts:,} texts{sampled}")
    click.echo(broken_signature(f"signature {bleu.signature}", terminal_width()))
