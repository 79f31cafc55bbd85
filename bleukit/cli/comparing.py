"""``bleukit compare``, ``report`` and ``power``: which system is better, by how much, and how sure that is."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bleukit.cli import options, printing
from bleukit.cli.counting import counted_parts, usable_columns
from bleukit.cli.file_names import FileName, OutputName, TestSetName
from bleukit.cli.metric_options import (
    METRIC_EXCLUSIONS,
    MetricOptions,
    metrics_option,
    signature_option,
    variant_options,
    variants_options,
)
from bleukit.cli.options import Exclusion, OutputOptions, TextOptions
from bleukit.cli.reading import read_labels, read_texts, reading, require_documents, require_one_each
from bleukit.cli.tables import write_records
from bleukit.comparing import tables, words
from bleukit.comparing.ranking import CORRECTIONS
from bleukit.comparing.settings import SEED, Settings
from bleukit.comparing.units import DOCUMENT, LENGTH
from bleukit.framework.errors import InputError, quantity
from bleukit.reading import corpora
from bleukit.reading.files import read_lines
from bleukit.reading.paths import encodable
from bleukit.tables.columns import grouped_notes
from bleukit.writing.phrases import listed
from bleukit.writing.printers import printed
from bleukit.writing.streams import writing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.comparing.gathering import Systems
    from bleukit.comparing.results import Comparison
    from bleukit.framework.metric import AnyMetric
    from bleukit.reading.aligned_files import OptionalColumn
    from bleukit.reading.corpora import Corpus
    from bleukit.reading.files import Limits
    from bleukit.writing.printers import Part


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


_SHARE = options.FiniteRange(0, 0.999999, min_open=True)
"""Numbers below 1 of which the quantiles are finite, also if they are adjusted for many pairs."""

_SAMPLES = 1_000_000
"""The most resamples, which take some 0.5 GB for two systems."""

_detect_option = partial(options.option, "--detect", type=options.FiniteRange(1e-9), metavar="POINTS")
_power_option = partial(options.option, "--power", type=_SHARE, metavar="SHARE")
_confidence_level_option = partial(
    options.option, "--confidence-level", type=_SHARE, metavar="LEVEL", default=0.95, show_default=True
)


@dataclass(frozen=True)
class ComparisonOptions:
    """The settings of a comparison; what is None is as :class:`Settings` has it."""

    baseline: str | None = None
    test: str | None = None
    samples: int | None = None
    interval_samples: int | None = None
    seed: int | None = None
    confidence_level: float | None = None
    correction: str | None = None
    resample_by: str | None = None
    detect: float | None = None
    power: float | None = None

    def settings(self, of_signature: Mapping[str, Any]) -> Settings:
        """Return the settings, given those of a signature. Raises InputError for invalid ones."""
        given = {key: value for key, value in asdict(self).items() if value is not None}
        return Settings(**{**of_signature, **given})


@click.command(
    "compare",
    no_args_is_help=True,
    short_help="Compare systems: confidence intervals, tests, ranks.",
)
@click.argument("hypotheses", metavar="SYSTEM...", type=FileName(), nargs=-1)
@options.reference_option
@options.option(
    "--system",
    "runs",
    metavar="NAME=FILE,FILE",
    type=FileName(lambda value: value.partition("=")[2].split(",")),
    multiple=True,
    callback=_runs,
    help="A system with several runs, one file for each.",
)
@options.option(
    "--test-set",
    "folders",
    metavar="NAME=FOLDER",
    type=TestSetName(),
    multiple=True,
    callback=_named,
    help="A test set: the folder with all its files.",
)
@options.option("--baseline", metavar="SYSTEM", help="Compare every system only with this one.")
@metrics_option
@variants_options
@signature_option
@options.option(
    "--test", metavar="NAME", help="permutation, hierarchical, multeval, bootstrap, delta, sacrebleu-ar, -bs"
)
@options.option("--samples", type=click.IntRange(1, _SAMPLES), metavar="N", help="Resamples of the test.")
@options.option(
    "--interval-samples",
    type=click.IntRange(0, _SAMPLES),
    metavar="N",
    help="Resamples of the intervals: 0 for none, or at least 2 / (1 - LEVEL) - 1.",
)
@options.seed_option
@_confidence_level_option(help="Level of intervals.")
@options.option(
    "--correction",
    type=click.Choice(list(CORRECTIONS)),
    metavar="NAME",
    default="holm",
    help="Adjustment of p-values: holm (default), bh, none.",
)
@options.documents_option
@options.table_options
@options.document_column_option
@options.column_option("test_set", "the test set of each segment")
@options.resample_by_option
@options.option("--by", metavar="GROUPS", type=FileName(), help="Break down by document, length or labels (FILE).")
@_detect_option(help="Segments to detect this difference.")
@_power_option(help="In this share of test sets (0.8).")
@options.threads_option
@options.limit_option
@options.width_option
@options.output_option
@options.format_option("text", "json", "csv", "markdown", "latex")
@options.grouped(text=TextOptions, chosen=MetricOptions, comparison=ComparisonOptions, output=OutputOptions)
@options.excluding(
    *METRIC_EXCLUSIONS,
    Exclusion(
        "chosen.several_variants",
        "--system, --baseline, --by, --detect, --test-set, --test-set-column",
        "{other} takes one variant, not several",
        "chosen.several_metrics",
    ),
    Exclusion("--test-set", "--test-set-column", "give --test-set or --test-set-column, not both"),
)
def compare(  # noqa: PLR0913
    hypotheses: tuple[str, ...],
    text: TextOptions,
    runs: dict[str, list[str]],
    folders: dict[str, str],
    chosen: MetricOptions,
    comparison: ComparisonOptions,
    by: str | None,
    threads: int | None,
    output: OutputOptions,
) -> None:
    """Compare systems: bleukit compare -r ref.txt system1.txt system2.txt"""
    from bleukit.comparing.comparison import compared  # needs NumPy

    if chosen.several_variants and not chosen.several_metrics:
        from bleukit.cli.agreement import write_agreement  # needs NumPy

        write_agreement(output, hypotheses, text, chosen, comparison.settings({}), threads)
        return
    paths = [*hypotheses, *chain.from_iterable(runs.values())]
    if not paths:
        raise click.UsageError("give systems to compare: files, or --system NAME=FILE,FILE")
    has_column = text.test_set_column is not None
    groups = by if by in {None, DOCUMENT, LENGTH} else read_labels(str(by), text)

    wanted: list[OptionalColumn] = ["document", "test_set"] if has_column else ["document"]
    with reading(paths, text, wanted, folders=folders) as corpus:
        metrics = _metrics(chosen, corpus.references)
        numbers = _numbers_of_runs(corpus, len(paths), runs)
        shown = printing.names_shown([*numbers], runs)
        baseline = comparison.baseline
        baseline = next((name for name in numbers if baseline in {name, shown[name]}), baseline)
        settings = replace(comparison, baseline=baseline).settings(chosen.comparison)
        are_units_alike = by is None and not (corpus.has_documents or has_column or folders)
        by_moments = settings.test == "delta" and are_units_alike
        counted = _counted(metrics, corpus, numbers, text.limits, threads, by_moments=by_moments)

    comparisons = []
    for name, systems in counted.items():
        if by is not groups:
            require_one_each(str(by), "label", groups, systems.segments)
        track = partial(printing.with_progress, after=PATIENCE)
        found = compared(metrics[name], systems, settings, groups, track)
        comparisons.append(replace(found, metric=name))

    if output.form in {"json", "csv"}:
        shown = {name: encodable(name) for name in numbers}
    _write([(one.renamed(shown), output.decimals(metrics[one.metric])) for one in comparisons], output)


def _metrics(chosen: MetricOptions, references: int | None) -> dict[str, AnyMetric]:
    """Return the metrics that the options choose, by name."""
    if chosen.are_several:
        return usable_columns(chosen)
    metric = chosen.metric(references)
    return {metric.name: metric}


def _numbers_of_runs(corpus: Corpus, files: int, runs: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the number of runs of the systems of the files, and after them of those with several runs."""
    if runs and len(corpus.systems) != files:
        choices = ", ".join(corpus.system_paths)
        raise InputError(f"--system takes files that hold one system each; of evaluation sets, choose: {choices}")
    single = corpus.systems[: len(corpus.systems) - sum(map(len, runs.values()))]
    return {name: len(runs[name]) if name in runs else 1 for name in printing.distinct([*single, *runs])}


def _counted(  # noqa: PLR0913
    metrics: Mapping[str, AnyMetric],
    corpus: Corpus,
    runs: Mapping[str, int],
    limits: Limits,
    threads: int | None,
    *,
    by_moments: bool,
) -> dict[str, Systems]:
    """Return what each metric counts; several metrics share what they have in common."""
    from bleukit.comparing.gathering import Systems  # needs NumPy

    for metric in metrics.values():
        require_documents(metric, corpus)
    counted = {name: Systems(runs, by_moments=by_moments) for name in metrics}
    for part, rows in counted_parts(metrics, corpus, limits, threads):
        for name, statistics in rows.items():
            if isinstance(statistics, InputError):
                raise InputError(f"{name}: {statistics}") from statistics
            counted[name].add(statistics, part.documents, part.test_sets)
    return counted


def _write(comparisons: Sequence[tuple[Comparison, int]], output: OutputOptions) -> None:
    """Print comparisons by several metrics, whose scores have so many decimals."""
    if output.form == "json":
        data = [comparison.to_dict() for comparison, _ in comparisons]
        click.echo(printing.as_json({"comparisons": data} if len(data) > 1 else data[0]))
    elif output.form == "csv":
        write_records(output, chain.from_iterable(tables.records(comparison) for comparison, _ in comparisons))
    else:
        _print(comparisons, output.form)


def _print(comparisons: Sequence[tuple[Comparison, int]], form: str) -> None:
    """Print comparisons as tables and words; what is true of all is said once."""
    several = len(comparisons) > 1
    parts: list[Part] = []
    for comparison, digits in comparisons:
        verdict = f"{comparison.metric}: {comparison.verdict}" if several else comparison.verdict
        parts += [verdict, *tables.tables(comparison, digits)]
    mark = "note: " if form == "text" else ""
    noted = grouped_notes(
        (one.metric, [*words.planning(one, digits), *(f"{mark}{note}" for note in one.notes)])
        for one, digits in comparisons
    )
    remarks = [
        note if len(names) == len(comparisons) else f"{note} ({', '.join(names)})" for note, names in noted.items()
    ]
    procedures = dict.fromkeys(f"procedure {comparison.procedure}" for comparison, _ in comparisons)
    ends = [*procedures, *(f"signature {comparison.signature}" for comparison, _ in comparisons)]
    parts.append("\n".join([*remarks, *ends]))
    click.echo(printing.visible(printed(form, parts, printing.terminal_width(), ruled=True)))


@click.command("report", no_args_is_help=True)
@click.argument("hypotheses", metavar="SYSTEM...", type=FileName(), nargs=-1, required=True)
@options.reference_option
@options.option("--source", metavar="FILE", type=FileName(), help="The source text, in any format of the references.")
@variant_options
@signature_option
@options.documents_option
@options.table_options
@options.document_column_option
@options.column_option("source", "the source texts")
@options.option("--by", metavar="FILE", type=FileName(), help="Break down by the labels in FILE, one per line.")
@options.option("--title", metavar="TEXT", help="Title of the page. Default: what it shows.")
@options.threads_option
@options.limit_option
@options.option(
    "-o", "--output", "path", metavar="FILE", type=OutputName(), required=True, help="The page, such as report.html."
)
@options.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@options.grouped(text=TextOptions, chosen=MetricOptions)
@options.excluding(*METRIC_EXCLUSIONS, Exclusion("--open", "-o -", "--open needs a file to open: -o FILE"))
def report(  # noqa: PLR0913
    hypotheses: tuple[str, ...],
    text: TextOptions,
    source: str | None,
    chosen: MetricOptions,
    by: str | None,
    title: str | None,
    threads: int | None,
    path: str,
    opens: bool,
) -> None:
    """Write an HTML page that shows where scores come from.

    The page is one file, which loads nothing else and contains all texts. It shows scores with intervals by document,
    length and label; every segment with the n-grams that match; and the n-grams that one system gets right and another
    misses. Outputs can be edited and variants switched to see the effect on the scores.

    \b
    bleukit report -r ref.txt --source src.txt one.txt two.txt -o report.html
    bleukit report -r reference.sgm systems.sgm -o report.html --open
    """
    from bleukit.reporting import report as reporting  # needs NumPy

    labels = None if by is None else read_labels(by, text)
    wanted: list[OptionalColumn] = ["document"] if source is not None else ["document", "source"]
    with reading(hypotheses, text, wanted) as corpus:
        bleu = chosen.bleu(corpus.references)
        segmented = corpora.in_memory(corpus, bleu.tokenize, limits=text.limits)
    segments = len(segmented.references)
    require_one_each(str(by), "label", labels, segments)
    sources = segmented.sources
    if source is not None:
        sources = read_texts(source, text, bleu, "source")
        require_one_each(source, "source text", sources, segments)
    shown = printing.names_shown(printing.distinct(corpus.systems), ())
    systems = dict(zip(shown.values(), segmented.systems, strict=True))
    page = reporting.report(
        bleu,
        systems,
        segmented.references,
        source=sources,
        documents=segmented.documents,
        labels=labels,
        names=segmented.names,
        title=title,
        test_set=listed([printing.visible(Path(name).name) for name in text.references or hypotheses]),
        references_by="segment",
        threads=threads,
        track=partial(printing.with_progress, after=PATIENCE),
    )
    if path == "-":
        click.echo(page.html, nl=False)
        return
    with writing(path) as file:
        file.write(page.html)
    if opens:
        import webbrowser  # takes long to import

        webbrowser.open(Path(path).resolve().as_uri())


@click.command("power", no_args_is_help=True)
@click.argument("files", metavar="SCORES...", type=FileName(), nargs=-1, required=True)
@_detect_option(help="The difference of the mean scores to find, in the scale of the scores.", required=True)
@_power_option(default=0.8, show_default=True, help="Share of test sets to find it in.")
@_confidence_level_option(help="1 minus the limit of p.")
@options.option(
    "--pairs",
    type=click.IntRange(1, 1_000_000),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of pairs of systems that will be compared, for which p-values are adjusted.",
)
@options.seed_option
@options.redirecting_option
@options.format_option("text", "json")
def power(  # noqa: PLR0913
    files: tuple[str, ...],
    detect: float,
    power: float,
    confidence_level: float,
    pairs: int,
    seed: int | None,
    form: str,
) -> None:
    """Say how many segments a test set needs to find a difference.

    SCORES has a line for each segment, with the scores of two systems by any metric; or two files have one score on
    each line. The command compare takes texts instead (--detect), and answers for the BLEU of the corpus.

    \b
    bleukit score -q --level sentence -r ref.txt system1.txt system2.txt > scores
    bleukit power --detect 0.5 scores
    """
    from bleukit.comparing.power import segments_needed  # needs NumPy

    first, second = _scores(files)
    settings = {"power": power, "confidence_level": confidence_level, "pairs": pairs}
    seed = SEED if seed is None else seed
    needed = segments_needed(
        first, second, detect, power=power, confidence_level=confidence_level, pairs=pairs, seed=seed
    )
    if form == "json":
        click.echo(printing.as_json({"segments_needed": needed, "segments": len(first), "detect": detect, **settings}))
        return
    tests = quantity(pairs, "pair") if pairs > 1 else ""
    sought = f"a difference of {detect:g} significant in {words.condition(power, confidence_level, tests)}"
    click.echo(f"{needed:,} segments like these are needed to find {sought}")


def _scores(paths: Sequence[str]) -> tuple[Sequence[float], Sequence[float]]:
    """Return the scores of both systems. Raises InputError, with file and line, for what is none."""
    if len(paths) > 2:
        raise click.UsageError(f"give one file with two scores on each line, or two with one, not {len(paths)} files")
    columns: list[list[float]] = []
    for path in paths:
        rows = [_numbers(path, number, line, 3 - len(paths)) for number, line in enumerate(read_lines(path), 1)]
        columns += map(list, zip(*rows, strict=True))
    if not columns:
        raise InputError(f"{paths[0]}: has no line")
    if len({*map(len, columns)}) > 1:
        counts = (f"{path} has {quantity(len(column), 'line')}" for path, column in zip(paths, columns, strict=True))
        raise InputError(f"{', '.join(counts)}: each segment needs a score of both systems")
    first, second = columns
    return first, second


def _numbers(path: str, number: int, line: str, expected: int) -> list[float]:
    try:
        found = list(map(float, line.split()))
    except ValueError:
        found = []
    if len(found) != expected or not all(map(isfinite, found)):
        raise InputError(f"{path}, line {number}: expected {quantity(expected, 'finite score')}, got {line!r:.60}")
    return found
