"""``bleukit compare``: which system is better, by how much, and how sure that is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from bleukit.cli import printing
from bleukit.cli.file_names import FileName, FileNames, OutputName, TestSetName
from bleukit.cli.options import (
    decimals,
    documents_option,
    more_in,
    refuse_with_several,
    resample_by_option,
    several_variants,
    signature_option,
    threads_option,
    variant_or_signature,
    variants_options,
    width_option,
)
from bleukit.cli.output import format_option, output_option, writing
from bleukit.cli.printing import as_json, broken_signature, encodable, with_progress
from bleukit.cli.reading import (
    chosen_columns,
    document_column_option,
    limit_option,
    read_labels,
    reading,
    reading_test_sets,
    reference_option,
    segments_of,
    table_options,
    test_set_column_option,
)
from bleukit.cli.system_names import distinct, names_shown
from bleukit.cli.units import counted_segments
from bleukit.comparing import plotting, tables, words
from bleukit.comparing.ranking import CORRECTIONS
from bleukit.errors import InputError, quantity
from bleukit.inspecting.phrases import wrapped_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from bleukit.comparing.gathering import Gathered, Moments, Names
    from bleukit.comparing.written import Comparison
    from bleukit.metric import Bleu
    from bleukit.text.aligned_files import AlignedFiles, OptionalColumn
    from bleukit.text.corpora import Corpus, TestSetsCorpus
    from bleukit.text.evaluation_sets import SetCorpus

PATIENCE = 2.0
"""Progress is shown after this many seconds."""


def _named(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:  # noqa: ARG001
    """Return what is given for each name."""
    named: dict[str, str] = {}
    for value in values:
        name, equals, given = value.partition("=")
        if not name or not equals or not all(given.split(",")):
            raise click.BadParameter(f"{value!r}: expected {option.metavar}")
        if name in named:
            raise click.BadParameter(f"{name!r} is given twice")
        named[name] = given
    return named


def _runs(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the files of each system that was run several times."""
    return {name: files.split(",") for name, files in _named(context, option, values).items()}


@click.command(
    "compare",
    no_args_is_help=True,
    short_help="Compare systems: confidence intervals, tests, ranks.",
    epilog=more_in("comparing"),
)
@click.argument("hypotheses", metavar="SYSTEM...", type=FileName(), nargs=-1)
@reference_option
@click.option(
    "--system",
    "runs",
    metavar="NAME=FILE,FILE",
    type=FileNames(lambda value: value.partition("=")[2].split(",")),
    multiple=True,
    callback=_runs,
    help="A system with several runs, a file of each.",
)
@click.option(
    "--test-set",
    "folders",
    metavar="NAME=FOLDER",
    type=TestSetName(),
    multiple=True,
    callback=_named,
    help="A test set, whose folder holds all files.",
)
@click.option("--baseline", metavar="SYSTEM", help="Compare every system with this one alone.")
@variants_options
@signature_option
@click.option("--test", metavar="NAME", help="permutation, hierarchical, multeval, bootstrap, delta, sacrebleu-ar, -bs")
@click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Number of resamples of the test.")
@click.option(
    "--interval-samples", type=click.IntRange(min=0), metavar="N", help="Resamples of the intervals; 0: none."
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Random seed; default: 12345.")
@click.option(
    "--confidence-level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="LEVEL",
    default=0.95,
    show_default=True,
    help="Level of the intervals.",
)
@click.option(
    "--correction",
    type=click.Choice(list(CORRECTIONS)),
    metavar="NAME",
    default="holm",
    help="Adjustment of p-values: holm (default), bh, none.",
)
@documents_option
@table_options
@document_column_option
@test_set_column_option
@resample_by_option
@click.option("--by", metavar="GROUPS", type=FileName(), help="Break down by document, length or labels (FILE).")
@click.option(
    "--detect",
    type=click.FloatRange(0, min_open=True),
    metavar="POINTS",
    help="Segments needed to detect this difference.",
)
@click.option(
    "--power",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Share of test sets to detect it in (0.8).",
)
@threads_option
@limit_option
@width_option
@click.option("--plot", metavar="FILE", type=OutputName(), help="Draw scores and p-values (.svg, .pdf or .png).")
@output_option
@format_option("text", "json", "csv", "markdown", "latex", name="output")
def command(  # noqa: PLR0913
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    runs: dict[str, list[str]],
    folders: dict[str, str],
    baseline: str | None,
    documents: str | None,
    by: str | None,
    threads: int | None,
    plot: str | None,
    output: str,
    **procedure: Any,
) -> None:
    """Compare systems: bleukit compare -r ref.txt system1.txt system2.txt"""
    from bleukit.comparing.comparison import compared  # needs NumPy
    from bleukit.comparing.settings import Settings
    from bleukit.comparing.units import DOCUMENT, LENGTH

    if plot is not None:
        plotting.require(plot)
    if variants := several_variants():
        given = {"--system": runs, "--baseline": baseline, "--by": by, "--detect": procedure["detect"], "--plot": plot}
        given |= {"--test-set": folders, "--test-set-column": chosen_columns().test_set}
        refuse_with_several({name: value or None for name, value in given.items()})
        from bleukit.cli.variant_agreement import write_agreement  # needs NumPy

        write_agreement(output, variants, (hypotheses, references, documents), procedure, threads)
        return
    paths = [*hypotheses, *(path for files in runs.values() for path in files)]
    if not paths:
        raise click.UsageError("give systems to compare: files, or --system NAME=FILE,FILE")
    labels = None if by in {None, DOCUMENT, LENGTH} else read_labels(str(by))
    with _reading(folders, paths, references, documents) as opened:
        bleu, of_signature = variant_or_signature(opened.references)
        corpus = segments_of(bleu, opened)
        names = _names(corpus, len(paths), runs)
        shown = names_shown(names.systems, runs)
        procedure["baseline"] = next((name for name in names.systems if baseline in {name, shown[name]}), baseline)
        of_options = {key: value for key, value in procedure.items() if value is not None}
        how = Settings(**{**of_signature, **of_options})
        has_test_sets = bool(folders) or chosen_columns().test_set is not None
        by_moments = how.test == "delta" and by is None and not corpus.has_documents and not has_test_sets
        gathered, of_documents, of_sets = _gathered(bleu, corpus, names, threads, by_moments=by_moments)
    if labels is not None and len(labels) != gathered.segments:
        raise InputError(f"{by}: has {quantity(len(labels), 'label')} for {quantity(gathered.segments, 'segment')}")
    track = partial(with_progress, after=PATIENCE)
    by_labels = by if labels is None else labels
    comparison = compared(bleu, gathered, how, of_documents, by_labels, track, of_sets)
    if plot is not None:
        with writing(plot) as file:
            file.buffer.write(plotting.drawn(comparison.renamed(shown), plot))
    if output in {"json", "csv"}:
        comparison = comparison.renamed({name: encodable(name) for name in names.systems})
        click.echo(as_json(comparison.to_dict()) if output == "json" else tables.as_csv(comparison))
    else:
        _print(comparison.renamed(shown), decimals(bleu), output)


def _reading(
    folders: Mapping[str, str], paths: Sequence[str], references: Sequence[str], documents: str | None
) -> AbstractContextManager[AlignedFiles | SetCorpus | TestSetsCorpus]:
    """Open the files, of each test set if several are given by their folders."""
    if folders:
        if chosen_columns().test_set is not None:
            raise click.UsageError("give --test-set or --test-set-column, not both")
        return reading_test_sets(folders, paths, references, documents, ["document"])
    wanted: list[OptionalColumn] = ["document", "test_set"] if chosen_columns().test_set else ["document"]
    return reading(paths, references, documents, wanted)


def _names(corpus: Corpus, files: int, runs: Mapping[str, Sequence[str]]) -> Names:
    """Return the systems of the files, and after them those with several runs."""
    from bleukit.comparing.gathering import Names  # needs NumPy

    if runs and len(corpus.systems) != files:
        choices = ", ".join(corpus.system_paths)
        raise InputError(f"--system takes files that hold one system each; of evaluation sets, choose: {choices}")
    single = corpus.systems[: len(corpus.systems) - sum(map(len, runs.values()))]
    return Names.of({name: len(runs[name]) if name in runs else 1 for name in distinct([*single, *runs])})


def _gathered(
    bleu: Bleu, corpus: Corpus, names: Names, threads: int | None, *, by_moments: bool
) -> tuple[Gathered | Moments, list[str] | None, list[str] | None]:
    """Return the statistics of all texts, and the document and the test set of each segment if they are known."""
    from bleukit.comparing.gathering import Gathered, Moments  # needs NumPy

    gathered, moments = Gathered(names), None
    documents: list[str] = []
    test_sets: list[str] = []
    for part, statistics in counted_segments(bleu, corpus, threads):
        documents += part.documents or ()
        test_sets += part.test_sets or ()
        if by_moments:
            new = Moments.of_texts(names, statistics, part.first)
            moments = new if moments is None else moments + new
        else:
            gathered.add(statistics)
    return moments or gathered, documents if corpus.has_documents else None, test_sets or None


def _print(comparison: Comparison, digits: int, output: str) -> None:
    made = list(tables.tables(comparison, digits))
    notes = [f"procedure {comparison.procedure}", f"signature {comparison.signature}"]
    if output == "text":
        screen, width = printing.console(), printing.terminal_width()
        click.echo("\n".join(wrapped_lines(comparison.verdict, width)))
        for table in made:
            printing.put(printing.table(table.heads, table.rows, table.title or None, table.numbers), screen)
        for line in [*words.planning(comparison, digits), *(f"note: {note}" for note in comparison.notes)]:
            click.echo("\n".join(wrapped_lines(line, width)))
        for line in notes:
            click.echo(broken_signature(line, width))
        return
    write, comment = (tables.table_as_markdown, "{}") if output == "markdown" else (tables.table_as_latex, "% {}")
    remarks = [comment.format(line) for line in [*words.planning(comparison, digits), *comparison.notes, *notes]]
    first = [comparison.verdict, *([tables.LATEX] if output == "latex" else [])]
    last = ("\n\n" if output == "markdown" else "\n").join(remarks)
    click.echo("\n\n".join(["\n".join(map(comment.format, first)), *map(write, made), last]))
