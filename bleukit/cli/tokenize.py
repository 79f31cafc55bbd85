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
    import msgspec

    from bleukit.reading import read_lines

    bleu = chosen(variant, config, settings)
    lines = [line for path in files or ("-",) for line in read_lines(path)]
    tokens = [bleu.tokenize(line) for line in lines]
    for each in tokens:
        click.echo(msgspec.json.encode(list(each)).decode() if output == "json" else " ".join(each))
