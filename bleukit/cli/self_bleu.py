"""``bleukit self-bleu``: how alike the lines of a file are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.options import chosen_variant, decimals, more_in, option_value, variant_options, width_option
from bleukit.cli.output import format_option, output_option
from bleukit.cli.printing import as_json, broken_signature, encodable, terminal_width
from bleukit.cli.reading import hypothesis_column_option, limit_option, read_texts
from bleukit.errors import InputError
from bleukit.loading import creating, registry
from bleukit.text.files import refuse_second_readers

if TYPE_CHECKING:
    from bleukit.offers import AmongTexts


@click.command("self-bleu", no_args_is_help=True, epilog=more_in("All pairs of texts"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "-d", "--definition", metavar="NAME", help="A published definition of self-BLEU; 'bleukit plugins' lists them."
)
@variant_options
@click.option(
    "--references",
    type=click.Choice(["others", "all", "later"]),
    metavar="LINES",
    help="References of a line: others (default), all, or later (each later line alone).",
)
@click.option("--first", type=click.IntRange(min=2), metavar="N", help="Use only the first N lines.")
@click.option(
    "--scored", type=click.IntRange(min=1), metavar="N", help="Score N random lines; all others are references."
)
@click.option("--sample", type=click.IntRange(min=2), metavar="N", help="Use N random lines if there are more.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Random seed.")
@hypothesis_column_option
@limit_option
@width_option
@output_option
@format_option("text", "json")
def command(  # noqa: PLR0913
    files: tuple[str, ...],
    definition: str | None,
    references: AmongTexts | None,
    first: int | None,
    scored: int | None,
    sample: int | None,
    seed: int,
    form: str,
) -> None:
    """Measure how similar the lines of a file are (self-BLEU).

    Self-BLEU is the mean score of the lines, each with all others as its references. FILE is a text file, an evaluation
    set or a table. Published definitions differ in the variant, the references and the lines that they use.

    \b
    bleukit self-bleu FILE
    bleukit self-bleu -d texygen FILE
    bleukit self-bleu -V sacrebleu --references later FILE
    """
    refuse_second_readers(files)
    policy: dict[str, Any] = {"references": references or "others", "first": first, "scored": scored}
    if definition is not None:
        if any(
            option is not None
            for option in (option_value("variant"), option_value("config"), references, first, scored)
        ):
            others = "-V, -c, --references, --first or --scored"
            raise click.UsageError(f"--definition cannot be combined with {others}; --set changes its variant")
        published = creating.self_bleu_definition(registry.installed(), definition)
        policy = published.policy
        bleu = chosen_variant(published.keys)
    else:
        bleu = chosen_variant()
    results = []
    for path in files:
        texts = read_texts(path, bleu)
        if len(texts) < 2:
            raise InputError(f"{path}: self-BLEU needs two or more texts, got {len(texts)}")
        results.append(bleu.self_bleu(texts, sample=sample, seed=seed, **policy))
    if form == "json":
        of_files = [{"file": encodable(path), **result.to_dict()} for path, result in zip(files, results, strict=True)]
        click.echo(as_json({"files": of_files, "signature": bleu.signature}))
        return
    digits = decimals(bleu)
    for path, result in zip(files, results, strict=True):
        name = f"{encodable(path)}: " if len(files) > 1 else ""
        sampled = "" if result.seed is None else f", sampled with seed {result.seed}"
        click.echo(f"{name}self-BLEU {result.value:.{digits}f} of {result.texts:,} texts{sampled}")
    for signature in dict.fromkeys(result.signature for result in results):
        click.echo(broken_signature(f"signature {signature}", terminal_width()))
