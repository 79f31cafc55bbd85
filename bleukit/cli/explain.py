"""``bleukit explain``: why two variants differ on a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bleukit.cli.options import plugin_option
from bleukit.cli.output import form_of_output, output_option, page_format_option
from bleukit.cli.printing import as_json, text_width
from bleukit.cli.reading import limit_option, read_one, reference_option, table_options

if TYPE_CHECKING:
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
    help="A named recipe, or a YAML file. Give two, the one to start from first.",
)
@click.option(
    "-n", "--number", type=click.IntRange(min=0), default=5, show_default=True, help="Show at most this many segments."
)
@plugin_option
@table_options
@limit_option
@output_option
@page_format_option
def command(  # noqa: PLR0913
    hypothesis: str,
    references: tuple[str, ...],
    variants: tuple[str, ...],
    number: int,
    limits: Limits,
    form: str | None,
) -> None:
    """Show why two variants score these files differently.

    The difference in points is divided among what differs in the recipes: each key's share is what it changes on
    average, over all orders in which the keys of the second can be put into the first (its Shapley value). The shares
    add up to the difference.

    \b
    bleukit explain -V nltk -V sacrebleu -r reference.txt hypothesis.txt
    bleukit explain -V nltk -V sacrebleu -r reference.txt hypothesis.txt -o page.html
    """
    from bleukit import metric
    from bleukit.inspecting.explaining import explained

    if len(variants) != 2:
        raise click.UsageError(f"give two variants to compare, -V NAME -V NAME; got {len(variants)}")
    first, second = map(metric.load, variants)
    _, _, read = read_one(hypothesis, references, limits)
    explanation = explained(first, second, read, number)
    form = form_of_output(form)
    if form == "html":
        from bleukit.reporting.inspected import page

        click.echo(page(explanation).html, nl=False)
    else:
        click.echo(as_json(explanation.to_dict()) if form == "json" else explanation.as_text(text_width()))
