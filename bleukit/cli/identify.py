"""``bleukit identify``: which variants give a published score."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING

import click

from bleukit.cli.options import plugin_option, remembered
from bleukit.cli.output import form_of_output, output_option, page_format_option
from bleukit.cli.printing import as_json, text_width, with_progress
from bleukit.cli.reading import limit_option, read_one, reference_option, table_options
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.inspecting.identifying import Candidate
    from bleukit.text.files import Limits

NOT_FOUND = 1


@click.command(no_args_is_help=True)
@click.argument("hypothesis", metavar="HYP")
@reference_option
@click.option("--score", "figure", metavar="NUMBER", required=True, help="The published score, with all its digits.")
@click.option(
    "-n", "--number", type=click.IntRange(min=1), default=10, show_default=True, help="Show at most this many scores."
)
@plugin_option
@table_options
@limit_option
@output_option
@page_format_option
def command(  # noqa: PLR0913
    hypothesis: str, references: tuple[str, ...], figure: str, number: int, limits: Limits, form: str | None
) -> int:
    """Find the variants that give a published score on these files.

    All named variants are tried, and all mixtures of the registered tokenizers, case, counters, reference lengths,
    smoothings, effective order, and n-grams up to 1, 2, 3 and 4, with each choice among the references, in points and
    as a fraction. 39.9 stands for anything that rounds to it; more digits leave fewer variants.

    Variants that give the same score on these files are shown together, the likeliest first: those with a name, then
    what is nearest to one.

    Exit status: 0 if a variant gives the score, 1 if none does.

    \b
    bleukit identify --score 39.9 -r reference.txt hypothesis.txt
    bleukit identify --score 39.9 -r reference.txt hypothesis.txt -o page.html
    """
    from bleukit.inspecting.identifying import identified

    corpus, text, read = read_one(hypothesis, references, limits)
    if corpus.references is None:
        raise InputError(f"{hypothesis}: the number of references varies, so that no choice among them can be tried")
    (hypothesis,), references = corpus.system_paths, tuple(corpus.reference_paths)
    found = identified(
        figure,
        text,
        read,
        progress=lambda steps: with_progress(steps, len(steps), "Counting", after=1),
    )
    form = form_of_output(form)
    if form == "html":
        from bleukit.reporting.inspected import page

        command = partial(_command, hypothesis=hypothesis, references=references)
        click.echo(page(found, command=command).html, nl=False)
    elif form == "json":
        data = found.to_dict()
        pairs = [(found.closest, data["closest"])]
        for group, plain in zip(found.groups, data["groups"], strict=True):
            pairs += [*zip(group.named, plain["named"], strict=True)]
            pairs += [*zip(group.mixtures, plain["mixtures"], strict=True)]
        for candidate, plain in pairs:
            plain["command"] = _command(candidate, hypothesis, references)
        click.echo(as_json(data))
    else:
        click.echo(found.as_text(text_width(), number))
        first = found.groups[0].first if found.groups else found.closest
        click.echo(f"\nTo score with the {'first' if found.groups else 'closest'}:")
        click.echo(_command(first, hypothesis, references))
    return 0 if found.groups else NOT_FOUND


def _command(candidate: Candidate, hypothesis: str, references: Sequence[str]) -> str:
    from bleukit.inspecting.wording import as_yaml

    words = ["bleukit", "score", *remembered(), "-V", candidate.nearest]
    for key, value in candidate.departs.items():
        words += ["--set", f"{key}={as_yaml(value)}"]
    for number, reference in enumerate(references, 1):
        if not candidate.references or number in candidate.references:
            words += ["-r", reference]
    return shlex.join([*words, hypothesis])
