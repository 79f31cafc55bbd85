"""How commands read text: the progress, and the warnings at the end."""

from __future__ import annotations

from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import click

from bleukit.cli.printing import progress_of_reading, warn
from bleukit.framework.errors import InputError, quantity
from bleukit.reading import corpora, files
from bleukit.reading.corpora import TestSetsCorpus
from bleukit.reading.paths import holds_table, is_evaluation_set, split_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from bleukit.bleu.bleu import Bleu
    from bleukit.cli.options import TextOptions
    from bleukit.framework.metric import AnyMetric
    from bleukit.framework.segments import SegmentsReader
    from bleukit.reading.aligned_files import AlignedFiles, OptionalColumn
    from bleukit.reading.column_names import ColumnRole
    from bleukit.reading.corpora import Corpus
    from bleukit.reading.evaluation_sets import SetCorpus

LARGE = 20_000_000
"""Progress is shown, on a terminal, from this many bytes of input."""

OTHER_FILES = 64
"""Files that a process has open beside those that it reads."""


@contextmanager
def reading(
    hypotheses: Sequence[str],
    text: TextOptions,
    wanted: Collection[OptionalColumn] = (),
    *,
    folders: Mapping[str, str] | None = None,
) -> Iterator[AlignedFiles | SetCorpus | TestSetsCorpus]:
    """Open the corpus of these files; show the progress of reading, and print warnings about them at the end.

    ``wanted`` names the columns of tables to look for in addition to hypotheses and references. ``folders`` are those
    of test sets, by their names, if the same files are read in the folder of each. Systems then have the names of the
    files if each holds one, else those that the files give them. Raises UsageError if there is no reference.
    """
    references, documents = text.references, text.documents
    if not references and not any(holds_table(path) or is_evaluation_set(path) for path in hypotheses):
        raise click.UsageError("Missing option '-r' / '--reference'.")
    prefixes = {name: f"{folder.rstrip('/')}/" for name, folder in folders.items()} if folders else {"": ""}
    named = [*hypotheses, *references, *([] if documents is None else [documents])]
    paths = [prefix + path for prefix in prefixes.values() for path in named]
    _allow_open_files(len(paths))
    total = files.size([*dict.fromkeys(split_path(path)[0] for path in paths)])
    with (
        progress_of_reading("Reading", total if total is None or total > LARGE else 0) as advance,
        ExitStack() as stack,
    ):
        opened: dict[str, tuple[AlignedFiles | SetCorpus, Sequence[str]]] = {}
        for name, prefix in prefixes.items():
            one = corpora.open_corpus(
                [prefix + path for path in hypotheses],
                [prefix + path for path in references],
                None if documents is None else prefix + documents,
                columns=text.columns,
                wanted=wanted,
                limits=text.limits,
                on_read=advance,
            )
            stack.enter_context(closing(one))
            alone = len(one.systems) == len(hypotheses)
            opened[name] = one, hypotheses if alone else [each.removeprefix(prefix) for each in one.systems]
        corpus = TestSetsCorpus(opened) if folders else one
        yield corpus
    warn(*corpus.notes)


def _allow_open_files(number: int) -> None:
    """Raise the soft limit on open files, up to the hard one, if so many are to be read side by side."""
    try:
        import resource
    except ImportError:  # on Windows, and in a browser
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def require_documents(metric: AnyMetric, corpus: Corpus) -> None:
    """Raise InputError if a metric joins the segments of each document, and these are not known."""
    if metric.joins_documents and not corpus.has_documents:
        raise InputError(
            f"{metric.label} joins the segments of each document, and these are not known: give --documents FILE, or "
            "--document-column NAME for tables"
        )


def refuse_joining(bleu: Bleu) -> None:
    """Raise InputError for a variant that scores documents, where none are read."""
    if bleu.variant.join_documents:
        raise InputError(f"{bleu.label} joins the segments of each document, and here no documents are read")


def read_segments(hypothesis: str, text: TextOptions) -> tuple[Corpus, SegmentsReader]:
    """Return the corpus of one system, and a function that gives all segments as a tokenizer reads them.

    Raises InputError if the files hold several systems.
    """
    with reading([hypothesis], replace(text, documents=None)) as corpus:
        if len(corpus.systems) > 1:
            choices = ", ".join(corpus.system_paths)
            raise InputError(f"{hypothesis}: holds {len(corpus.systems)} systems; choose one: {choices}")
        [read] = corpora.read_whole(corpus, text.limits).readers()
    return corpus, read


def blocks_of_texts(
    path: str, text: TextOptions, bleu: Bleu, role: ColumnRole = "hypothesis"
) -> Iterator[Sequence[str]]:
    """Yield the segments of one file, of a table those of the column of this role; print warnings at the end."""
    notes: list[str] = []
    yield from corpora.read_segments(
        path, bleu.tokenize, columns=text.columns, role=role, limits=text.limits, notes=notes
    )
    warn(*notes)


def read_texts(path: str, text: TextOptions, bleu: Bleu, role: ColumnRole = "hypothesis") -> list[str]:
    """Return all segments of one file; of a table those of the column of this role."""
    refuse_joining(bleu)
    return list(chain.from_iterable(blocks_of_texts(path, text, bleu, role)))


def require_one_each(path: str, what: str, items: Sequence[str] | None, segments: int) -> None:
    """Raise InputError unless a file has an item for each segment; None stands for no file."""
    if items is not None and len(items) != segments:
        raise InputError(f"{path}: has {quantity(len(items), what)} for {quantity(segments, 'segment')}")


def read_labels(path: str, text: TextOptions) -> list[str]:
    """Return the lines of a file, each the label of a segment."""
    return files.read_lines(path, text.limits)
