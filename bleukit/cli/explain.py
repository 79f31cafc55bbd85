"""``bleukit explain``: why two variants differ on a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.options import plugin_option
from bleukit.cli.printing import as_json, as_yaml, show
from bleukit.cli.reading import limit_option, read_one, reference_option

if TYPE_CHECKING:
    from bleukit.inspecting.explaining import Explanation
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
@plugin_option
@limit_option
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(
    hypothesis: str, references: tuple[str, ...], variants: tuple[str, ...], limits: Limits, output: str
) -> None:
    """Tell why two variants score these files differently.

    The difference in points is divided among what differs in the recipes: each key's share is what it changes on
    average, over all orders in which the keys of the second can be put into the first (its Shapley value). The shares
    add up to the difference.

    \b
    bleukit explain -V nltk -V sacrebleu -r reference.txt hypothesis.txt
    """
    from bleukit import metric
    from bleukit.inspecting.explaining import explain

    if len(variants) != 2:
        raise click.UsageError(f"give two variants to compare, -V NAME -V NAME; got {len(variants)}")
    _, text = read_one(hypothesis, references, limits, *(metric.load(variant).tokenize for variant in variants))
    explanation = explain(*variants, text.systems[0], text.groups())
    if output == "json":
        click.echo(as_json(_data(explanation)))
    else:
        _print(explanation)


def _print(explanation: Explanation) -> None:
    first, second = explanation.scores
    names = explanation.first, explanation.second
    rows = [[part.key, as_yaml(part.first), as_yaml(part.second), f"{part.points:+.6f}"] for part in explanation.parts]
    rows = [["score", f"{first:.6f}", f"{second:.6f}", f"{explanation.difference:+.6f}"], *rows]
    show(["in points of 100", *names, "difference"], rows)
    if any(explanation.tokens):
        own = ["  ".join(f"{token} ({number})" for token, number in tokens) for tokens in explanation.tokens]
        show(["tokens more often made by", ""], [list(pair) for pair in zip(names, own, strict=True)])
    if explanation.segments:
        rows = []
        for moved in explanation.segments:
            rows.append([str(moved.segment), f"{moved.points:+.6f}", " ".join(moved.first)])
            rows.append(["", "", " ".join(moved.second)])
        show(["segment", "moves the score by", "as tokenized by either"], rows)


def _data(explanation: Explanation) -> dict[str, Any]:
    first, second = explanation.tokens
    return {
        "variants": [explanation.first, explanation.second],
        "scores": list(explanation.scores),
        "difference": explanation.difference,
        "mixtures": explanation.mixtures,
        "parts": [
            {"key": part.key, "values": [as_yaml(part.first), as_yaml(part.second)], "points": part.points}
            for part in explanation.parts
        ],
        "tokens": [dict(first), dict(second)],
        "segments": [
            {"segment": moved.segment, "points": moved.points, "tokens": [list(moved.first), list(moved.second)]}
            for moved in explanation.segments
        ],
    }
