"""``bleukit identify``: which variants give a published score."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING

import click

from bleukit.cli.file_names import FileName, VariantName
from bleukit.cli.options import (
    chosen_format,
    limit_option,
    more_in,
    output_option,
    page_format_option,
    plugin_option,
    reference_option,
    remembered,
    table_options,
)
from bleukit.cli.printing import as_json, text_width, with_progress
from bleukit.cli.reading import read_segments
from bleukit.errors import InputError
from bleukit.inspecting.phrases import as_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.inspecting.identifying import CandidateVariant

NOT_FOUND = 1


@click.command("identify", no_args_is_help=True, epilog=more_in("identify-and-explain"))
@click.argument("hypothesis", metavar="HYP", type=FileName())
@reference_option
@click.option(
    "--score", "figure", metavar="NUMBER", required=True, help="The published score, with all its digits, as 39.9."
)
@click.option(
    "-n",
    "--number",
    type=click.IntRange(min=1),
    metavar="N",
    default=10,
    show_default=True,
    help="Maximum number of scores.",
)
@click.option(
    "-V",
    "--variant",
    "variants",
    type=VariantName(),
    metavar="FILE",
    multiple=True,
    help="Also try the variant of a file; may be repeated.",
)
@plugin_option
@table_options
@limit_option
@output_option
@page_format_option
def identify(  # noqa: PLR0913
    hypothesis: str,
    references: tuple[str, ...],
    figure: str,
    number: int,
    variants: tuple[str, ...],
    form: str | None,
) -> int:
    """Find the variants that give a published score.

    All named variants are tried, and all mixtures of the registered components with case, effective order, maximum
    n-gram orders 1 to 4, and each choice of references. A score matches if it rounds to the published one, in points or
    as a fraction; more digits leave fewer variants. Variants with the same score form a group; the likeliest group
    comes first: named variants, then what is nearest to one.

    If none gives the score, named variants are tried in other ways: the mean of sentence scores, hypotheses and
    references swapped, characters as tokens, the whole text as one segment, and one segment alone.

    Exit status: 0 if a variant gives the score, in one of these ways or as it is, 1 if none does.

    \b
    bleukit identify --score 39.9 -r reference.txt hypothesis.txt
    bleukit identify --score 39.9 -r reference.txt hypothesis.txt -o page.html
    """
    from bleukit.inspecting.identifying import identified  # needs NumPy

    corpus, text, read = read_segments(hypothesis, references)
    if corpus.references is None:
        raise InputError(f"{hypothesis}: the number of references varies, so that no choice among them can be tried")
    (hypothesis,), references = corpus.system_paths, tuple(corpus.reference_paths)
    identification = identified(
        figure, text, read, variants, progress=lambda steps: with_progress(steps, len(steps), "Counting", after=1)
    )
    form = chosen_format(form)
    if form == "html":
        from bleukit.reporting.inspected import page  # needs NumPy

        command = partial(_command, hypothesis=hypothesis, references=references)
        click.echo(page(identification, command=command).html, nl=False)
    elif form == "json":
        data = identification.to_dict()
        for group, plain in zip(identification.groups, data["groups"], strict=True):
            candidates = zip((*group.named, *group.mixtures), (*plain["named"], *plain["mixtures"]), strict=True)
            for candidate, plain_variant in candidates:
                plain_variant["command"] = _command(candidate, hypothesis, references)
        click.echo(as_json(data))
    else:
        click.echo(identification.as_text(text_width(), number))
        if identification.groups:
            click.echo("\nThe command for the first variant:")
            click.echo(_command(identification.groups[0].first, hypothesis, references))
    return 0 if identification.groups or identification.otherwise else NOT_FOUND


def _command(candidate: CandidateVariant, hypothesis: str, references: Sequence[str]) -> str:
    words = ["bleukit", "score", *remembered(), "-V", candidate.nearest]
    for key, value in candidate.departs.items():
        words += ["--set", f"{key}={as_yaml(value)}"]
    for number, reference in enumerate(references, 1):
        if not candidate.references or number in candidate.references:
            words += ["-r", reference]
    return shlex.join([*words, hypothesis])
