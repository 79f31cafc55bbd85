"""What commands read with: the options for text, and the progress of reading it."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from bleukit.cli.options import remember
from bleukit.cli.printing import progress_of_reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleukit.inspecting.shared_text import Read
    from bleukit.loading.registry import LoadedComponent
    from bleukit.text.arguments import Pairs
    from bleukit.text.corpora import Corpus
    from bleukit.text.files import Limits

LARGE = 20_000_000
"""From how many bytes of input on a terminal shows progress."""

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

reference_option = click.option(
    "-r",
    "--reference",
    "references",
    metavar="REF",
    multiple=True,
    required=True,
    help="A file of references; repeat it for several references a segment.",
)


def _limits(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> Limits:  # noqa: ARG001
    from dataclasses import fields

    from bleukit.text.files import Limits

    names = [field.name for field in fields(Limits)]
    numbers = {}
    for each in given:
        name, _, size = each.partition("=")
        number = re.fullmatch(r"([0-9]{1,15})([KMG]?)", size, re.ASCII)
        if name not in names or not number:
            raise click.BadParameter(
                f"{each!r}: expected NAME=NUMBER, NAME one of {', '.join(names)}, NUMBER as in 64M"
            )
        numbers[name] = int(number[1]) * _UNITS[number[2]]
    remember(context, "--limit", given)
    return Limits(**numbers)


limit_option = click.option(
    "--limit",
    "limits",
    metavar="NAME=NUMBER",
    multiple=True,
    callback=_limits,
    help="Accept larger input, or only smaller: line=16M characters of a line or segment; text=256M characters and "
    "segments=1000000 of an evaluation set, or of what a command must hold in memory.",
)


@contextmanager
def reading(
    hypotheses: Sequence[str], references: Sequence[str], documents: str | None, limits: Limits
) -> Iterator[Corpus]:
    """Open the corpus of these files; show how far reading is, and print at the end what was noticed in them."""
    from bleukit.text import corpora, evaluation_sets, files

    paths = [*hypotheses, *references, *([documents] if documents is not None else [])]
    total = files.size([evaluation_sets.split(path)[0] for path in paths])
    with progress_of_reading("Reading", total if total is None or total > LARGE else 0) as advance:
        corpus = corpora.open_corpus(hypotheses, references, documents, limits=limits, on_read=advance)
        yield corpus
    for note in corpus.notes:
        click.echo(f"bleukit: warning: {note}", err=True)


def read_one(hypothesis: str, references: Sequence[str], limits: Limits) -> tuple[Corpus, Pairs, Read]:
    """Return the corpus of one system, all of its segments, and these as a tokenizer reads them."""
    from bleukit.errors import InputError
    from bleukit.text import corpora, evaluation_sets
    from bleukit.text.arguments import Pairs

    with reading([hypothesis], references, None, limits) as corpus:
        if len(corpus.systems) > 1:
            choices = ", ".join(corpus.system_paths)
            raise InputError(f"{hypothesis}: holds {len(corpus.systems)} systems; choose one: {choices}")
        parts = corpora.readings(corpus, limits)
    pairs = {id(part): Pairs.of(part.systems[0], part.groups(), references_by="segment") for part in parts}
    plain, as_they_stand = (pairs[id(part)] for part in parts)

    def read(tokenizer: LoadedComponent) -> Pairs:
        return as_they_stand if evaluation_sets.are_replaced_by([tokenizer.call]) else plain

    return corpus, plain, read
