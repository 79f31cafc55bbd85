"""``bleukit explain``: how the score of a text follows, or why two variants score it differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleukit.cli.options import plugin_option
from bleukit.cli.output import form_of_output, output_option
from bleukit.cli.printing import as_json, text_width
from bleukit.cli.reading import limit_option, read_one, reference_option, table_options

if TYPE_CHECKING:
    from bleukit import Bleu
    from bleukit.inspecting.shared_text import Read
    from bleukit.text.files import Limits


@click.command(no_args_is_help=True)
@click.argument("hypothesis", metavar="HYP")
@reference_option
@click.option(
    "-V",
    "--variant",
    "variants",
    metavar="NAME",
    multiple=True,
    help="A named variant, or a YAML file. Give two to compare, the one to start from first.",
)
@click.option(
    "-n", "--number", type=click.IntRange(min=0), default=5, show_default=True, help="Show at most this many segments."
)
@plugin_option
@table_options
@limit_option
@output_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "latex", "json", "html"]),
    help="Of one variant text, markdown or latex; of two text, json or html, a page for the browser. Default: text, or "
    "html if FILE of -o ends in .html.",
)
def command(  # noqa: PLR0913
    hypothesis: str,
    references: tuple[str, ...],
    variants: tuple[str, ...],
    number: int,
    limits: Limits,
    form: str | None,
) -> None:
    """Show how the score of these files follows, or why two variants score them differently.

    With one variant, or none, which is the default variant: the score step by step, as it is worked out by hand, with
    tokens, tables of n-grams, clipped counts, precisions, brevity penalty and formula.

    With two variants: the difference in points is divided among what differs in the variants. Each key's share is what
    it changes on average, over all orders in which the keys of the second can be put into the first (its Shapley
    value). The shares add up to the difference.

    \b
    bleukit explain -V nltk -r reference.txt hypothesis.txt
    bleukit explain -V nltk -V sacrebleu -r reference.txt hypothesis.txt
    bleukit explain -V nltk -V sacrebleu -r reference.txt hypothesis.txt -o page.html
    """
    from bleukit import metric
    from bleukit.inspecting.explaining import explained

    if len(variants) > 2:
        raise click.UsageError(f"give one variant, or two to compare; got {len(variants)}")
    first, *second = [metric.load(variant) for variant in variants or [None]]
    form = form_of_output(form)
    possible = ("text", "json", "html") if second else ("text", "markdown", "latex")
    if form not in possible:
        raise click.UsageError(
            f"--format {form}: of {'two variants' if second else 'one variant'} it prints {', '.join(possible)}"
        )
    _, _, read = read_one(hypothesis, references, limits)
    if not second:
        click.echo(_derived(first, read, number, form))
        return
    explanation = explained(first, second[0], read, number)
    if form == "html":
        from bleukit.reporting.inspected import page

        click.echo(page(explanation).html, nl=False)
    else:
        click.echo(as_json(explanation.to_dict()) if form == "json" else explanation.as_text(text_width()))


def _derived(bleu: Bleu, read: Read, number: int, form: str) -> str:
    """Return how the score of a text follows, with the n-grams of so many segments."""
    from bleukit.inspecting.derivation import FORMATS, derive, segment_of

    pairs = read(bleu.components["tokenizer"])
    shown = pairs.part(0, number)
    segments = [segment_of(bleu, *pair) for pair in zip(shown.hypotheses, shown.references, strict=True)]
    return FORMATS[form](derive(bleu, segments, bleu.corpus(pairs.hypotheses, pairs.references)))
