"""``bleukit compare``: which system is better, by how much, and how sure that is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from bleukit.cli import printing
from bleukit.cli.counting import counted
from bleukit.cli.options import chosen_for, decimals, signature_option, threads_option, variant_options, width_option
from bleukit.cli.output import opened, output_option
from bleukit.cli.printing import as_json, broken_signature, printable, put, short_names, table, with_progress, wrapped
from bleukit.cli.reading import document_column_option, limit_option, reading, reference_option, table_options
from bleukit.comparing import tables
from bleukit.comparing.ranking import CORRECTIONS
from bleukit.comparing.significance import TESTS
from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from bleukit.comparing.gathering import Gathered, Moments, Names
    from bleukit.comparing.results import Comparison
    from bleukit.metric import Bleu
    from bleukit.text.corpora import Corpus
    from bleukit.text.files import Limits

PATIENCE = 2.0
"""After how many seconds progress is shown."""

HELP_WIDTH = 78


def _described(name: str) -> str:
    """Return a paragraph of the help, broken already, on a test."""
    test = TESTS[name]
    lines = [
        line
        for start, text in (("", test.summary), ("for: ", test.use), ("after: ", test.source))
        for line in wrapped(f"{start}{text}", HELP_WIDTH - 2, "  ")
    ]
    return "\n".join(["\b", name, *lines, "\n"])


HELP = f"""Compare systems: scores with intervals, differences with p-values, ranks that the data can separate.

Each SYSTEM is a file as 'bleukit score' reads it; an evaluation set or a table may hold several. Every pair is
compared or, with --baseline, every system with that one. Ranks have the range, and clusters the borders, that adjusted
p-values leave.

\b
bleukit compare -r ref.txt system1.txt system2.txt system3.txt
bleukit compare -r ref.sgm --resample-by document --by document systems.sgm
bleukit compare -r ref.txt --system ours=run1.txt,run2.txt theirs.txt

The tests, by name:

{"".join(map(_described, TESTS))}"""


def _runs(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, list[str]]:  # noqa: ARG001
    """Return the files of each system that was run several times."""
    runs: dict[str, list[str]] = {}
    for each in given:
        name, equals, files = each.partition("=")
        if not name or not equals or not all(files.split(",")):
            raise click.BadParameter(f"{each!r}: expected NAME=FILE1,FILE2,...")
        if name in runs:
            raise click.BadParameter(f"the system {name!r} is given twice")
        runs[name] = files.split(",")
    return runs


@click.command(help=HELP, no_args_is_help=True)
@click.argument("hypotheses", metavar="SYSTEM...", nargs=-1)
@reference_option
@click.option(
    "--system",
    "runs",
    metavar="NAME=FILE,FILE...",
    multiple=True,
    callback=_runs,
    help="A system that was run several times: its score is the mean of the runs. May be repeated.",
)
@click.option("--baseline", metavar="SYSTEM", help="Compare every system with this one alone: its file, or its name.")
@variant_options
@signature_option
@click.option("--test", type=click.Choice(list(TESTS)), help="How to test. Default: permutation.")
@click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Trials or resamples of the test.")
@click.option(
    "--interval-samples", type=click.IntRange(min=0), metavar="N", help="Resamples of the intervals, 0 for no interval."
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Seed of the random numbers. Default: 12345.")
@click.option(
    "--confidence-level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of the intervals; a p-value below 1 less this is significant.",
)
@click.option(
    "--correction",
    type=click.Choice(list(CORRECTIONS)),
    default="holm",
    show_default=True,
    help="How p-values are adjusted for their number; bh is Benjamini and Hochberg's.",
)
@click.option("--documents", metavar="FILE", help="The document of each segment, one id a line.")
@table_options
@document_column_option
@click.option(
    "--resample-by",
    type=click.Choice(["segment", "document"]),
    default="segment",
    show_default=True,
    help="What is resampled: segments of one document are not independent.",
)
@click.option(
    "--by",
    metavar="document|length|FILE",
    help="Break down by document, by length of the references, or by the labels in FILE, one a line.",
)
@click.option(
    "--detect",
    type=click.FloatRange(0, min_open=True),
    metavar="POINTS",
    help="Print how many segments would show such a difference in 80 % of cases.",
)
@threads_option
@limit_option
@width_option
@click.option("--plot", metavar="FILE", help="Draw scores and p-values into FILE, .svg or .pdf.")
@output_option
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "csv", "markdown", "latex"]),
    default="text",
    show_default=True,
)
def command(  # noqa: PLR0913
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    runs: dict[str, list[str]],
    baseline: str | None,
    variant: str | None,
    config: str | None,
    settings: tuple[str, ...],
    signature: str | None,
    documents: str | None,
    by: str | None,
    threads: int | None,
    limits: Limits,
    width: int | None,
    plot: str | None,
    output: str,
    **given: Any,
) -> None:
    """Read, compare, print; HELP is what users read."""
    from bleukit.comparing.comparison import DOCUMENT, LENGTH, Settings, compared

    if plot is not None:
        from bleukit.comparing import plotting

        plotting.require(plot)
    paths = [*hypotheses, *(path for files in runs.values() for path in files)]
    if not paths:
        raise click.UsageError("give systems to compare: files, or --system NAME=FILE,FILE")
    labels = None if by in {None, DOCUMENT, LENGTH} else labels_of(str(by), limits)
    with reading(paths, references, documents, limits, ["document"]) as corpus:
        bleu, said = chosen_for(corpus.references, variant, config, settings, signature)
        names = _names(corpus, len(paths), runs)
        shown = names_shown(names.systems, runs)
        given["baseline"] = next((name for name in names.systems if baseline in {name, shown[name]}), baseline)
        how = Settings(**{**said, **{key: value for key, value in given.items() if value is not None}})
        by_moments = how.test == "delta" and by is None and not corpus.has_documents
        gathered, of_segments = _gathered(bleu, corpus, names, threads, by_moments=by_moments)
    if labels is not None and len(labels) != gathered.segments:
        raise InputError(f"{by}: has {len(labels)} lines for {gathered.segments} segments: each needs a label")
    track = partial(with_progress, after=PATIENCE)
    comparison = compared(bleu, gathered, how, of_segments, by if labels is None else labels, track)
    if plot is not None:
        with opened(plot) as file:
            file.buffer.write(plotting.drawn(comparison.renamed(shown), plot))
    if output in {"json", "csv"}:
        comparison = comparison.renamed({name: printable(name) for name in names.systems})
        click.echo(as_json(comparison.to_dict()) if output == "json" else tables.as_csv(comparison))
    else:
        _print(comparison.renamed(shown), decimals(bleu, width), output)


def labels_of(path: str, limits: Limits) -> list[str]:
    """Return the lines of a file, each the label of a segment."""
    """Return the lines of a file, which are held as a whole."""
    from bleukit.text.files import TextFile

    file = TextFile(path, limits)
    labels: list[str] = []
    for lines in file.blocks():
        labels += lines
        limits.check("segments", len(labels), "{}", file.name)
        limits.check("text", file.characters_read, "{}", file.name)
    return labels


def _names(corpus: Corpus, files: int, runs: Mapping[str, Sequence[str]]) -> Names:
    """Return the systems of the files, and after them those of several runs."""
    from bleukit.comparing.gathering import Names

    if runs and len(corpus.systems) != files:
        choices = ", ".join(corpus.system_paths)
        raise InputError(f"--system takes files that hold one system each; of evaluation sets, choose: {choices}")
    single = corpus.systems[: len(corpus.systems) - sum(map(len, runs.values()))]
    numbers: dict[str, int] = {}
    for name in [*single, *runs]:
        if name in numbers:
            raise InputError(f"the system {name!r} is given twice")
        numbers[name] = len(runs[name]) if name in runs else 1
    return Names.of(numbers)


def names_shown(names: Sequence[str], runs: Container[str]) -> dict[str, str]:
    """Return what systems are called in tables: files by the parts of their names in which they differ."""
    files = [name for name in names if name not in runs]
    shown = dict(zip(names, names, strict=True)) | dict(zip(files, short_names(files), strict=True))
    if len(set(shown.values())) < len(names) or "" in shown.values():
        shown = dict(zip(names, names, strict=True))
    return {name: printable(each) for name, each in shown.items()}


def _gathered(
    bleu: Bleu, corpus: Corpus, names: Names, threads: int | None, *, by_moments: bool
) -> tuple[Gathered | Moments, list[str] | None]:
    """Read and count all texts; return what was gathered of them, and the document of each segment if it is known."""
    from bleukit.comparing.gathering import Gathered, Moments

    gathered, moments = Gathered(names), None
    documents: list[str] = []
    for part, statistics in counted(bleu, corpus, threads):
        documents += part.documents or ()
        if by_moments:
            new = Moments.of_texts(names, statistics, part.first)
            moments = new if moments is None else moments + new
        else:
            gathered.add(statistics)
    return moments or gathered, documents if corpus.has_documents else None


def _print(comparison: Comparison, digits: int, output: str) -> None:
    """Print the tables, then the notes on them."""
    all_ = list(tables.tables(comparison, digits))
    said = [f"procedure {comparison.procedure}", f"signature {comparison.signature}"]
    if output == "text":
        screen = printing.console()
        for each in all_:
            heads = [column.head for column in each.columns]
            put(table(heads, each.rows, each.title or None, each.numbers), screen)
        width = printing.terminal_width()
        for line in [*tables.planning(comparison, digits), *(f"note: {note}" for note in comparison.notes)]:
            click.echo("\n".join(wrapped(line, width)))
        for line in said:
            click.echo(broken_signature(line, width))
        return
    write, comment = (tables.as_markdown, "{}") if output == "markdown" else (tables.as_latex, "% {}")
    lines = [comment.format(line) for line in [*tables.planning(comparison, digits), *comparison.notes, *said]]
    click.echo("\n\n".join([*map(write, all_), ("\n\n" if output == "markdown" else "\n").join(lines)]))
