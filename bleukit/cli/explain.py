"""``bleukit explain`` and ``tokenize``: how the score of a text follows, or why two variants score it differently."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import click

from bleukit.cli import options
from bleukit.cli.file_names import FileName
from bleukit.cli.metric_options import VARIANT_EXCLUSIONS, MetricOptions, variant_names_option, variant_options
from bleukit.cli.options import OutputOptions, TextOptions
from bleukit.cli.printing import as_json, terminal_width, text_width, visible
from bleukit.cli.reading import blocks_of_texts, read_segments, refuse_joining
from bleukit.explaining.derivation import derive, written
from bleukit.reading.files import refuse_second_readers

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleukit.bleu.bleu import Bleu
    from bleukit.framework.segments import SegmentsReader


@click.command("explain", no_args_is_help=True)
@click.argument("hypothesis", metavar="HYP", type=FileName(), required=False)
@options.reference_option
@variant_names_option(help="A named variant, or a variant file. Give two to explain the difference.")
@options.option(
    "-n",
    "--number",
    type=click.IntRange(min=0),
    metavar="N",
    default=5,
    show_default=True,
    help="Maximum number of segments.",
)
@options.plugin_option
@options.table_options
@options.limit_option
@options.output_option
@options.format_option(
    "text",
    "markdown",
    "latex",
    "json",
    "html",
    text="One variant: text, markdown or latex; two: text, json or html.",
)
@options.grouped(text=TextOptions, output=OutputOptions)
def explain(
    hypothesis: str | None,
    text: TextOptions,
    variants: tuple[str, ...],
    number: int,
    output: OutputOptions,
) -> None:
    """Show how a score is computed, or why two variants differ.

    With one variant, or none for the default, the score is derived step by step: tokens, tables of n-grams, clipped
    counts, precisions, brevity penalty and formula.

    With two variants, their difference in points is divided among the keys in which they differ. The share of a key is
    its mean effect over all orders in which keys of the second variant replace keys of the first (its Shapley
    value). The shares add up to the difference.

    \b
    bleukit explain -V nltk -r reference.txt hypothesis.txt
    bleukit explain -V nltk -V sacrebleu -r ref.txt hyp.txt -o page.html
    """
    from bleukit.explaining.explanation import explained  # needs NumPy

    if len(variants) > 2:
        raise click.UsageError(f"give one variant, or two to compare; got {len(variants)}")
    if hypothesis is None:
        usual = "; docs/atlas.md, in the source, says by how much variants usually differ" if len(variants) == 2 else ""
        raise click.UsageError(f"Missing argument 'HYP'{usual}")
    named = [MetricOptions((variant,)) for variant in variants] or [MetricOptions()]
    first, *second = [one.variant() for one in named]
    for bleu in (first, *second):
        refuse_joining(bleu)
    form = output.form_of_page()
    possible = ("text", "json", "html") if second else ("text", "markdown", "latex")
    if form not in possible:
        raise click.UsageError(
            f"--format {form}: of {'two variants' if second else 'one variant'} it prints {', '.join(possible)}"
        )
    _, read = read_segments(hypothesis, text)
    if not second:
        click.echo(visible(_derived(first, read, number, form)))
        return
    explanation = explained(first, second[0], read, number)
    if form == "html":
        from bleukit.reporting.inspected import page  # needs NumPy

        click.echo(page(explanation).html, nl=False)
    else:
        click.echo(as_json(explanation.to_dict()) if form == "json" else visible(explanation.as_text(text_width())))


def _derived(bleu: Bleu, read: SegmentsReader, number: int, form: str) -> str:
    text = read(bleu.components["tokenizer"])
    shown = text.part(0, number)
    score = bleu.corpus(text.hypotheses, text.references, references_by="segment")
    return written(derive(bleu, zip(shown.hypotheses, shown.references, strict=True), score), form, terminal_width())


@click.command("tokenize")
@click.argument("files", metavar="[FILE]...", type=FileName(), nargs=-1)
@variant_options
@options.hypothesis_column_option
@options.limit_option
@options.redirecting_option
@options.format_option("text", "json")
@options.grouped(text=TextOptions, chosen=MetricOptions)
@options.excluding(*VARIANT_EXCLUSIONS)
def tokenize(files: tuple[str, ...], text: TextOptions, chosen: MetricOptions, form: str) -> None:
    """Show the tokens that a variant counts.

    The tokens of each segment are printed on one line, separated by spaces, or as a JSON list. FILE is a text file, an
    evaluation set or a table, and FILE#NAME is a part of it; default: standard input. Output follows input line by
    line.

    \b
    bleukit tokenize hypothesis.txt
    echo "It's 5 o'clock." | bleukit tokenize -V nltk
    """
    files = files or ("-",)
    refuse_second_readers(files)
    bleu = chosen.variant()
    as_text: Callable[[list[str]], str] = partial(json.dumps, ensure_ascii=False) if form == "json" else " ".join
    for path in files:
        for texts in blocks_of_texts(path, text, bleu):
            click.echo(visible("\n".join(as_text(list(tokens)) for tokens in bleu.tokenize_all(texts))))
