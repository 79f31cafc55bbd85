"""``bleukit self-bleu``: how alike the lines of a file are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.options import chosen, decimals, variant_options, width_option
from bleukit.cli.output import format_option, output_option
from bleukit.cli.printing import as_json, broken_signature, printable, terminal_width
from bleukit.cli.reading import columns, hypothesis_column_option, limit_option
from bleukit.errors import InputError

if TYPE_CHECKING:
    from bleukit.offers import AmongTexts
    from bleukit.text.files import Limits


@click.command("self-bleu", no_args_is_help=True)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "-d",
    "--definition",
    metavar="NAME",
    help="A published definition, in place of -V and the next three options; 'bleukit plugins' lists them.",
)
@variant_options
@click.option(
    "--references",
    type=click.Choice(["others", "all", "later"]),
    help="The references of a line: the others (the default); all lines, itself included; or those that come later, "
    "each alone, so that the mean is one of pairs.",
)
@click.option("--first", type=click.IntRange(min=2), metavar="N", help="Take the first N lines alone.")
@click.option(
    "--scored", type=click.IntRange(min=1), metavar="N", help="Score N lines at random; all others are references."
)
@click.option("--sample", type=click.IntRange(min=2), metavar="N", help="Take N lines at random if there are more.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Of what is random."
)
@hypothesis_column_option
@limit_option
@width_option
@output_option
@format_option
def command(  # noqa: PLR0913
    files: tuple[str, ...],
    definition: str | None,
    variant: str | None,
    config: str | None,
    settings: tuple[str, ...],
    references: AmongTexts | None,
    first: int | None,
    scored: int | None,
    sample: int | None,
    seed: int,
    limits: Limits,
    width: int | None,
    form: str,
) -> None:
    """Measure how alike the lines of each file are: the mean score of each with all others as its references.

    Of a table (.tsv, .csv, .jsonl, .parquet, .arrow, .feather) the column of hypotheses is read.

    Published definitions differ in the variant, in the references and in the lines that are taken.

    \b
    bleukit self-bleu -d texygen FILE
    bleukit self-bleu -d fast-bleu --set weights=5 FILE
    bleukit self-bleu -V sacrebleu --references later FILE
    """
    from itertools import chain

    from bleukit.loading import creating, registry
    from bleukit.text import corpora
    from bleukit.text.files import refuse_second_readers

    refuse_second_readers(files)
    policy: dict[str, Any] = {"references": references or "others", "first": first, "scored": scored}
    if definition is not None:
        if any(given is not None for given in (variant, config, references, first, scored)):
            others = "-V, -c, --references, --first or --scored"
            raise click.UsageError(f"--definition cannot be combined with {others}; --set changes its variant")
        published = creating.self_bleu_definition(registry.installed(), definition)
        keys, policy = {**published.keys}, published.policy
        bleu = chosen(keys.pop("variant", None), None, settings, keys)
    else:
        bleu = chosen(variant, config, settings)
    found = []
    for path in files:
        read = corpora.read_segments(path, bleu.tokenize, columns=columns(), limits=limits)
        lines = list(chain.from_iterable(read))
        if len(lines) < 2:
            raise InputError(f"{path}: self-BLEU needs two or more texts, got {len(lines)}")
        found.append(bleu.self_bleu(lines, sample=sample, seed=seed, **policy))
    if form == "json":
        each = [{"file": printable(path), **result.to_dict()} for path, result in zip(files, found, strict=True)]
        click.echo(as_json({"files": each, "signature": bleu.signature}))
        return
    digits = decimals(bleu, width)
    for path, result in zip(files, found, strict=True):
        name = f"{printable(path)}: " if len(files) > 1 else ""
        sampled = "" if result.seed is None else f", sampled with seed {result.seed}"
        click.echo(f"{name}self-BLEU {result.value:.{digits}f} of {result.texts:,} texts{sampled}")
    for signature in dict.fromkeys(result.signature for result in found):
        click.echo(broken_signature(f"signature {signature}", terminal_width()))
