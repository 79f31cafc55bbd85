"""``bleukit tokenize``: what a variant counts."""

from __future__ import annotations

import click

from bleukit.cli.options import chosen, variant_options


@click.command()
@click.argument("files", metavar="[FILE]...", nargs=-1)
@variant_options
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="text: tokens separated by spaces; json: a list of tokens a line.",
)
def command(
    files: tuple[str, ...], variant: str | None, config: str | None, settings: tuple[str, ...], output: str
) -> None:
    """Show the tokens of each line of the files, or of standard input."""
    import json

    from bleukit.text.files import read_lines

    if files.count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")
    bleu = chosen(variant, config, settings)
    lines = [line for path in files or ("-",) for line in read_lines(path)]
    tokens = [bleu.tokenize(line) for line in lines]
    for each in tokens:
        click.echo(json.dumps(list(each), ensure_ascii=False) if output == "json" else " ".join(each))
