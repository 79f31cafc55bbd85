"""What commands read with: the options for text, and the progress of reading it."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bleukit.cli.options import remember
from bleukit.cli.printing import progress_of_reading

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from bleukit.inspecting.shared_text import Read
    from bleukit.loading.creating import LoadedComponent
    from bleukit.text.arguments import SegmentPairs
    from bleukit.text.corpora import Corpus
    from bleukit.text.files import Limits
    from bleukit.text.table_corpus import OptionalColumn
    from bleukit.text.table_names import ColumnNames

LARGE = 20_000_000
"""From how many bytes of input on a terminal shows progress."""

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

Function = TypeVar("Function", bound=Callable[..., Any])


def _remember_columns(context: click.Context, option: click.Parameter, given: tuple[str, ...] | str | None) -> None:
    if given:
        remember(context, option.opts[0], given if isinstance(given, tuple) else (given,))
        context.meta.setdefault(__name__, {})[str(option.name).removesuffix("_column")] = given


def columns() -> ColumnNames:
    """Return the columns of tables that the options of this command ask for."""
    from bleukit.text.table_names import ColumnNames

    return ColumnNames(**click.get_current_context().meta.get(__name__, {}))


def _column_option(role: str, help_: str, *, multiple: bool = False) -> Callable[[Function], Function]:
    return click.option(
        f"--{role}-column",
        metavar="NAME",
        multiple=multiple,
        expose_value=False,
        callback=_remember_columns,
        help=help_,
    )


hypothesis_column_option = _column_option(
    "hypothesis", "The column of a table with hypotheses; repeat it for those of several systems.", multiple=True
)
source_column_option = _column_option("source", "The column of a table with the text that was translated.")
sample_column_option = _column_option(
    "sample", "The column of a table with samples, one or a list of them; may be repeated.", multiple=True
)
reference_column_option = _column_option(
    "reference", "The column of a table with references; may be repeated.", multiple=True
)
document_column_option = _column_option("document", "The column of a table with the document of each segment.")


def table_options(command: Function) -> Function:
    """Add the options that choose the columns of hypotheses and references; :func:`reading` obeys them."""
    for option in (
        _column_option("system", "The column of a table that has a row of each system for each segment."),
        reference_column_option,
        hypothesis_column_option,
    ):
        command = option(command)
    return command


reference_option = click.option(
    "-r",
    "--reference",
    "references",
    metavar="REF",
    multiple=True,
    help="A file of references; repeat it for several references a segment. Not needed if a table holds them.",
)


def _limits(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> Limits:  # noqa: ARG001
    from bleukit.text.files import Limits

    numbers = {}
    for each in given:
        name, _, size = each.partition("=")
        number = re.fullmatch(r"([0-9]{1,15})([KMG]?)", size, re.ASCII)
        if name not in Limits._fields or not number:
            raise click.BadParameter(
                f"{each!r}: expected NAME=NUMBER, NAME one of {', '.join(Limits._fields)}, NUMBER as in 64M"
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
    hypotheses: Sequence[str],
    references: Sequence[str],
    documents: str | None,
    limits: Limits,
    wanted: Collection[OptionalColumn] = (),
) -> Iterator[Corpus]:
    """Open the corpus of these files; show how far reading is, and print at the end what was noticed in them.

    ``wanted`` is what is looked for in tables in addition to hypotheses and references.
    """
    from bleukit.text import corpora, files, table_names

    if not references and not any(map(table_names.is_table, hypotheses)):
        raise click.UsageError("Missing option '-r' / '--reference'.", click.get_current_context())
    paths = [*hypotheses, *references, *([documents] if documents is not None else [])]
    total = files.size([*dict.fromkeys(map(corpora.file_of, paths))])
    with progress_of_reading("Reading", total if total is None or total > LARGE else 0) as advance:
        corpus = corpora.open_corpus(
            hypotheses, references, documents, columns=columns(), wanted=wanted, limits=limits, on_read=advance
        )
        with closing(corpus):
            yield corpus
    for note in corpus.notes:
        click.echo(f"bleukit: warning: {note}", err=True)


def read_one(hypothesis: str, references: Sequence[str], limits: Limits) -> tuple[Corpus, SegmentPairs, Read]:
    """Return the corpus of one system, all of its segments, and these as a tokenizer reads them."""
    from bleukit.errors import InputError
    from bleukit.text import corpora, evaluation_sets
    from bleukit.text.arguments import SegmentPairs

    with reading([hypothesis], references, None, limits) as corpus:
        if len(corpus.systems) > 1:
            choices = ", ".join(corpus.system_paths)
            raise InputError(f"{hypothesis}: holds {len(corpus.systems)} systems; choose one: {choices}")
        parts = corpora.readings(corpus, limits)
    pairs = {id(part): SegmentPairs.of(part.systems[0], part.references, references_by="segment") for part in parts}
    plain, as_they_stand = (pairs[id(part)] for part in parts)

    def read(tokenizer: LoadedComponent) -> SegmentPairs:
        return as_they_stand if evaluation_sets.all_replace_entities([tokenizer.call]) else plain

    return corpus, plain, read
