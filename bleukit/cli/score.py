"""``bleukit score`` and ``merge``: files in, scores out."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bleukit.cli import options
from bleukit.cli.counting import columns_for, counted_by_spark, counted_parts, kept_shard, usable_columns
from bleukit.cli.file_names import FileName, OutputName
from bleukit.cli.printing import warn
from bleukit.cli.reading import reading
from bleukit.cli.sacrebleu import print_test_sets, references_of_test_set, test_set_options
from bleukit.cli.scores import write_scores
from bleukit.cli.tables import score_format
from bleukit.comparing.settings import Settings
from bleukit.corpus.arranging import ArrangedCorpus
from bleukit.framework.errors import InputError
from bleukit.tables.columns import Column
from bleukit.tables.scoring import Scoring, Units

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.cli.options import ChosenMetric
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.reading.aligned_files import OptionalColumn
    from bleukit.reading.corpora import Corpus
    from bleukit.shards.shard import Shard


class Files(NamedTuple):
    """The files of hypotheses, of references and of documents."""

    hypotheses: Sequence[str]
    references: Sequence[str]
    documents: str | None


_score_only_option = options.kept_option(
    "-q", "--score-only", is_flag=True, help="Print only scores, one line per system or unit."
)

_format_option = options.format_option("text", "json", text="text or json; default: text, or as FILE ends.")

DOCUMENTS_AND_LEVEL = "--level document and --documents FILE go together"


@click.command("score", no_args_is_help=True)
@click.argument("hypotheses", metavar="HYP...", type=FileName(), nargs=-1)
@options.reference_option
@test_set_options
@options.variants_options
@options.metrics_option
@options.signature_option
@options.option(
    "--level",
    type=click.Choice(["corpus", "document", "sentence"]),
    metavar="LEVEL",
    help="corpus (default), document or sentence.",
)
@options.documents_option
@options.table_options
@options.document_column_option
@options.arrangement_options
@options.option("--confidence", is_flag=True, help="Print 95 % confidence intervals (bootstrap).")
@options.resample_by_option
@options.option(
    "--statistics", "kept", metavar="FILE", type=OutputName(), help="Keep the statistics in FILE, or reuse them."
)
@options.option("--engine", type=click.Choice(["spark"]), help="Count with Spark, at level corpus or document.")
@options.threads_option
@options.limit_option
@options.width_option
@_score_only_option
@options.output_option
@_format_option
def score(  # noqa: PLR0913
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    level: Level | None,
    documents: str | None,
    resample_by: str | None,
    kept: str | None,
    engine: str | None,
    threads: int | None,
    form: str | None,
    *,
    confidence: bool,
) -> None:
    """\b
    Score hypotheses against references.
    Files are text, evaluation sets, tables or folders; FILE#NAME is a part.
    bleukit score -r reference.txt hypothesis.txt
    """  # noqa: D205
    print_test_sets(hypotheses)
    _note_other_references(references, hypotheses)
    references = references_of_test_set(references)
    files = Files(hypotheses or _standard_input(), references, documents)
    variants, metrics = options.several_variants(), options.chosen_metrics()
    several = bool(variants) or len(metrics) > 1
    given: dict[str, object] = {"--statistics": kept}
    if several:
        options.refuse(given, f"{{}} takes one {'metric' if metrics else 'variant'}, not several")
    joined = not several and options.joins_documents()
    arrangement = options.chosen_arrangement()
    if any(arrangement):
        given |= {"--engine": engine, "a variant of documents": joined or None}
        options.refuse(given, "--swap, --segments, --remove and --over-references do not go with {}")
    by_document = documents is not None or options.chosen_columns().document is not None
    by_units = joined or confidence
    level = level or ("document" if by_document and not by_units else "corpus")
    form = score_format(form)
    how = arrangement.over_references
    combined = f"--over-references {how}" if how in {"mean", "max"} else ""
    refusals = {
        f"{combined} takes one metric or variant, not several": combined and several,
        DOCUMENTS_AND_LEVEL: level != "document" and by_document and not by_units and not several,
        "intervals need the segments, which --statistics does not keep: leave out one of them": kept and confidence,
        f"{combined} is printed as text or as JSON, not written to a table": combined and form not in {"text", "json"},
        f"--engine {engine} does not join documents, as the variant does": engine and joined,
        f"--engine {engine}: leave out --documents, --confidence and --statistics": engine
        and (documents is not None or confidence or kept),
    }
    if why := next((why for why, holds in refusals.items() if holds), ""):
        raise click.UsageError(why)
    if engine:
        usable = _usable_by_spark(engine, variants, metrics) if several else {}
        scoring, units = counted_by_spark(usable, files.hypotheses, files.references, level)
        write_scores(form, scoring, [units])
    else:
        wanted: list[OptionalColumn] = ["document"] if level == "document" or by_units or several else []
        with reading(files.hypotheses, files.references, documents, wanted) as opened:
            if level == "document" and not opened.has_documents:
                raise click.UsageError(DOCUMENTS_AND_LEVEL)
            corpus = ArrangedCorpus(opened, arrangement) if any(arrangement) else opened
            columns, comparison = columns_for(corpus, level)
            intervals = _interval_settings(comparison, level, resample_by, confidence=confidence)
            scoring = Scoring(columns, corpus.systems, level, intervals)
            _write_texts(form, scoring, corpus, files, kept, threads)


def _write_texts(  # noqa: PLR0913
    form: str, scoring: Scoring, corpus: Corpus, files: Files, kept: str | None, threads: int | None
) -> None:
    """Count a corpus, and write its scores."""
    if isinstance(corpus, ArrangedCorpus) and (how := corpus.arrangement.over_references) in {"mean", "max"}:
        if scoring.intervals:
            raise click.UsageError(f"--over-references {how} has no intervals: leave out --confidence")
        from bleukit.cli.combined_scores import write_over_references  # needs NumPy

        [metric] = scoring.metrics.values()
        write_over_references(form, metric, corpus, scoring.level, threads)
        return
    blocks = scoring.units(counted_parts(scoring.metrics, corpus, threads, scoring.columns))
    if kept is None:
        by_score = not scoring.columns[0].alone and not options.chosen_metrics()
        write_scores(form, scoring, blocks, by_score=by_score)
        return
    [metric] = scoring.metrics.values()
    inputs = {
        "hypothesis": files.hypotheses,
        "reference": files.references,
        "document": [files.documents] if files.documents else [],
    }
    with kept_shard(kept, metric, scoring.level, inputs, corpus.systems, blocks) as shard:
        _write_shard(form, scoring.columns[0], shard)


def _usable_by_spark(engine: str, variants: Sequence[str], metrics: Sequence[ChosenMetric]) -> dict[str, AnyMetric]:
    """Return several metrics without those that join documents. Raises UsageError if none is left."""
    columns = usable_columns(variants, metrics)
    joining = [name for name, metric in columns.items() if metric.joins_documents]
    if joining:
        joined = f"--engine {engine} does not join documents, as {', '.join(joining)}"
        if len(joining) == len(columns):
            raise click.UsageError(joined)
        warn(f"left out, because {joined}")
    return {name: metric for name, metric in columns.items() if name not in joining}


def _write_shard(form: str, column: Column, shard: Shard) -> None:
    """Write the scores of statistics that a file holds."""
    scoring = Scoring([column], [*shard.statistics], shard.level)
    write_scores(form, scoring, [Units.of({column.name: [*shard.statistics.values()]}, shard.level)])


def _note_other_references(references: Sequence[str], hypotheses: Sequence[str]) -> None:
    """Warn if a file that is scored as a system is called as a reference is: each of these needs -r."""
    called = {_DIFFERENT.sub("", name): name for name in references}
    others = [
        name
        for name in hypotheses
        if _REFERENCE.search(name.rpartition("/")[2])
        or (re.search(r"\w", key := _DIFFERENT.sub("", name)) and called.get(key, name) != name)
    ]
    if others and len(others) < len(hypotheses):
        given = " ".join(f"-r {name}" for name in [*references, *others])
        warn(f"{' and '.join(others)}: scored as a system; if it is a reference, give it by -r: {given}")


_DIFFERENT = re.compile(r"\d+|(?<![^\W_])[A-Za-z](?![^\W_])")
"""In what the names of references differ: ref1, ref2; ref.A, ref.B."""

_REFERENCE = re.compile(r"(?<![^\W\d_])(?:references?|refs?|gold)(?![^\W\d_])", re.IGNORECASE)
"""What the name of a file of references may hold. A weak system is as unlike others as they are."""


def _standard_input() -> tuple[str, ...]:
    """Return the path of standard input. Raises UsageError if nothing comes from there."""
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("Missing argument 'HYP...'.", click.get_current_context())
    return ("-",)


def _interval_settings(
    comparison: Mapping[str, Any], level: Level, resample_by: str | None, *, confidence: bool
) -> Settings | None:
    """Return how to find intervals, None for none: as a signature says, or by the bootstrap if they are asked for."""
    is_bootstrap = comparison.get("test") == "sacrebleu-bs"
    samples = comparison.get("samples" if is_bootstrap else "interval_samples")
    if comparison and not samples:
        warn("the signature is of a comparison of systems, which is for 'bleukit compare'; here are the scores")
    if not confidence and not samples:
        if resample_by is not None:
            raise click.UsageError("--resample-by is for the intervals of --confidence")
        return None
    if level != "corpus":
        raise click.UsageError("only the score of the corpus has intervals: leave out --level")
    if samples:
        return Settings(test="sacrebleu-bs", samples=samples, seed=comparison["seed"], resample_by=resample_by)
    return Settings(test="bootstrap", resample_by=resample_by)


@click.command("merge", no_args_is_help=True)
@click.argument("files", metavar="FILE...", type=FileName(), nargs=-1, required=True)
@options.plugin_option
@options.option("--equal-parts", is_flag=True, help="Accept files whose statistics are equal: the text repeats itself.")
@options.option(
    "--statistics", "kept", metavar="FILE", type=OutputName(), help="Write the sum to FILE, which can be merged again."
)
@options.limit_option
@options.width_option
@_score_only_option
@options.output_option
@_format_option
def merge(files: tuple[str, ...], kept: str | None, form: str | None, *, equal_parts: bool) -> None:
    """Add up statistics of parts of a text, and score the sum.

    Each FILE was written by 'bleukit score --statistics'. The files are parts of one text, in the order of the text,
    counted by the same variant and version at the same level. A part that occurs twice is an error. System N of each
    file is the same system.

    \b
    bleukit score --statistics part1.jsonl -r reference.part1 hypothesis.part1
    bleukit score --statistics part2.jsonl -r reference.part2 hypothesis.part2
    bleukit merge part1.jsonl part2.jsonl
    """
    from bleukit.shards.shard import Shard  # takes long to import

    form = score_format(form)
    shards: dict[str, Shard] = {}
    for path in files:
        if path in shards:
            raise InputError(f"{path}: is given twice")
        shards[path] = Shard.read(path, limits=options.chosen_limits())
    merged = Shard.merged(shards, equal_parts=equal_parts)
    try:
        metric = merged.load()
    except InputError as error:
        raise InputError(f"{files[0]}: {error}") from error
    _write_shard(form, Column(metric.name, metric, alone=True), merged)
    if kept is not None:
        merged.write(kept)
