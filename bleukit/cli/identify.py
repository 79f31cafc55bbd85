"""``bleukit identify``: which recipes give a published score."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.options import plugin_option
from bleukit.cli.printing import as_json, as_yaml, show, with_progress
from bleukit.cli.reading import limit_option, read_one, reference_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.inspecting.identifying import Candidate, Identification
    from bleukit.text.files import Limits

SHOWN = 10
"""How many groups of recipes are told."""

NOT_FOUND = 1


@click.command(no_args_is_help=True)
@click.argument("hypothesis", metavar="HYP")
@reference_option
@click.option("--score", "figure", metavar="NUMBER", required=True, help="The published score, with all its digits.")
@plugin_option
@limit_option
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(hypothesis: str, references: tuple[str, ...], figure: str, limits: Limits, output: str) -> int:
    """Find the recipes that give a published score on these files.

    Tried are all named recipes and all mixtures of the registered tokenizers, case, counters, reference lengths,
    smoothings and effective order, with each choice among the references, in points and as a fraction. 39.9 stands for
    anything that rounds to it; more digits leave fewer recipes.

    Exit status: 0 where a recipe gives the score, 1 where none does.

    \b
    bleukit identify --score 39.9 -r reference.txt hypothesis.txt
    """
    from bleukit.inspecting.identifying import identify

    corpus, text = read_one(hypothesis, references, limits)
    (hypothesis,), references = corpus.system_paths, tuple(corpus.reference_paths)
    found = identify(
        figure,
        text.systems[0],
        text.groups(),
        progress=lambda recipes: with_progress(recipes, len(recipes), "Recipes"),
    )
    if found.left_out:
        left_out = ", ".join(found.left_out)
        click.echo(f"bleukit: warning: cannot be used, left out: {left_out} (--format json says why)", err=True)
    if output == "json":
        click.echo(as_json(_data(found, hypothesis, references)))
    else:
        _print(found, hypothesis, references)
    return 0 if found.groups else NOT_FOUND


def _print(found: Identification, hypothesis: str, references: Sequence[str]) -> None:
    figure = found.figure
    recipes = sum(map(len, found.groups))
    click.echo(f"{recipes:,} of {found.tried:,} recipes give {figure.text} ({figure.low:.15g} to {figure.high:.15g})")
    shown = [group[0] for group in found.groups[:SHOWN]] or [found.closest]
    if not found.groups:
        click.echo("the closest:")
    rows = [
        [str(number), _told(candidate), _references(candidate), repr(candidate.value), f"{len(group) - 1:,}"]
        for number, (candidate, group) in enumerate(zip(shown, found.groups or [shown], strict=False), 1)
    ]
    show(["", "recipe", "references", "BLEU", "same score"], rows)
    if len(found.groups) > SHOWN:
        click.echo(f"… and {len(found.groups) - SHOWN:,} more scores; --format json has them all")
    if found.decimals is not None:
        click.echo(f"printed with {found.decimals} decimals, the score would tell the first from all others")
    if shown and found.groups and len(found.groups[0]) > 1:
        click.echo(f"{len(found.groups[0]) - 1:,} recipes cannot be told from the first on this text")
    click.echo(f"\n# {'the first' if found.groups else 'the closest'}, as a recipe\n{_yaml(shown[0])}")
    click.echo(_command(shown[0], hypothesis, references))


def _told(candidate: Candidate) -> str:
    departs = ", ".join(f"{key}: {as_yaml(value)}" for key, value in candidate.departs.items())
    return f"{candidate.nearest} with {departs}" if departs else candidate.nearest


def _references(candidate: Candidate) -> str:
    return ", ".join(map(str, candidate.references)) or "all"


def _yaml(candidate: Candidate) -> str:
    departs = [f"{key}: {as_yaml(value)}" for key, value in candidate.departs.items()]
    return "\n".join([f"variant: {candidate.nearest}", *departs, ""])


def _command(candidate: Candidate, hypothesis: str, references: Sequence[str]) -> str:
    words = ["bleukit", "score", "-V", candidate.nearest]
    for key, value in candidate.departs.items():
        words += ["--set", f"{key}={as_yaml(value)}"]
    for number, reference in enumerate(references, 1):
        if not candidate.references or number in candidate.references:
            words += ["-r", reference]
    return shlex.join([*words, hypothesis])


def _data(found: Identification, hypothesis: str, references: Sequence[str]) -> dict[str, Any]:
    told = partial(_candidate, hypothesis=hypothesis, references=references)
    return {
        "score": found.figure.text,
        "low": found.figure.low,
        "high": found.figure.high,
        "tried": found.tried,
        "decimals": found.decimals,
        "groups": [list(map(told, group)) for group in found.groups],
        "closest": told(found.closest),
        "left_out": dict(found.left_out),
    }


def _candidate(candidate: Candidate, hypothesis: str, references: Sequence[str]) -> dict[str, Any]:
    return {
        "score": candidate.value,
        "variant": candidate.nearest,
        "departs": {key: as_yaml(value) for key, value in candidate.departs.items()},
        "references": list(candidate.references) or "all",
        "recipe": _yaml(candidate),
        "command": _command(candidate, hypothesis, references),
    }
