"""``bleukit score`` and ``merge``: files in, scores out."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from bleukit.cli import options
from bleukit.cli.counting import columns_for, counted_by_spark, counted_parts, kept_shard, usable_columns
from bleukit.cli.file_names import FileName, OutputName
from bleukit.cli.metric_options import (
    METRIC_EXCLUSIONS,
    MetricOptions,
    metrics_option,
    signature_option,
    variants_options,
)
from bleukit.cli.options import OUTPUT_EXCLUSIONS, Exclusion, OutputOptions, TextOptions
from bleukit.cli.printing import warn
from bleukit.cli.reading import reading
from bleukit.cli.sacrebleu import (
    TEST_SET_EXCLUSIONS,
    Provenance,
    TestSetOptions,
    opened_test_sets,
    printed_test_sets,
    test_set_options,
)
from bleukit.cli.scores import write_scores
from bleukit.comparing.settings import Settings
from bleukit.corpus.arranging import ArrangedCorpus
from bleukit.framework.errors import InputError
from bleukit.tables.columns import Column
from bleukit.tables.scoring import Scoring, Units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.reading.aligned_files import OptionalColumn
    from bleukit.reading.corpora import Corpus
    from bleukit.shards.shard import Shard


_format_option = options.format_option("text", "json", text="text or json; default: text, or as FILE ends.")

DOCUMENTS_AND_LEVEL = "--level document and --documents FILE go together"

_ARRANGING = "--swap, --segments, --remove, --over-references"
_BY_EACH = "--over-references mean, --over-references max"
_DOCUMENTS = "--documents, --document-column"
_INTERVALS = "--confidence, chosen.interval_samples"
_NOT_ARRANGED = "--swap, --segments, --remove and --over-references do not go with"
_OF_CORPUS = "only the score of the corpus has intervals: leave out --level"

_EXCLUSIONS = (
    *TEST_SET_EXCLUSIONS,
    *METRIC_EXCLUSIONS,
    Exclusion("chosen.several_metrics", "--statistics", "{other} takes one metric, not several"),
    Exclusion("chosen.several_variants", "--statistics", "{other} takes one variant, not several"),
    Exclusion(_ARRANGING, "--statistics, --engine", f"{_NOT_ARRANGED} {{other}}"),
    Exclusion(_ARRANGING, "chosen.joins_documents", f"{_NOT_ARRANGED} a variant of documents"),
    *OUTPUT_EXCLUSIONS,
    Exclusion(_BY_EACH, "chosen.are_several", "{one} takes one metric or variant, not several"),
    Exclusion(
        _DOCUMENTS,
        "--level corpus, --level sentence",
        DOCUMENTS_AND_LEVEL,
        unless="--confidence, chosen.are_several, chosen.joins_documents",
    ),
    Exclusion(
        "--statistics",
        "--confidence",
        "intervals need the segments, which --statistics does not keep: leave out one of them",
    ),
    Exclusion(_BY_EACH, "output.is_table", "{one} is printed as text or as JSON, not written to a table"),
    Exclusion("--engine spark", "chosen.joins_documents", "{one} does not join documents, as the variant does"),
    Exclusion(
        "--engine spark",
        "--documents, --confidence, --statistics",
        "{one}: leave out --documents, --confidence and --statistics",
    ),
    Exclusion(
        "--resample-by",
        "",
        "--resample-by is for the intervals of --confidence",
        unless=f"{_INTERVALS}, --engine",
    ),
    Exclusion(_INTERVALS, "--level document, --level sentence", _OF_CORPUS, unless="--engine"),
    Exclusion(
        "chosen.interval_samples",
        _DOCUMENTS,
        _OF_CORPUS,
        unless="--confidence, chosen.joins_documents, --engine",
    ),
    Exclusion(_BY_EACH, _INTERVALS, "{one} has no intervals: leave out --confidence"),
)


@click.command("score", no_args_is_help=True)
@click.argument("hypotheses", metavar="HYP...", type=FileName(), nargs=-1)
@options.reference_option
@test_set_options
@variants_options
@metrics_option
@signature_option
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
@options.score_only_option
@options.output_option
@_format_option
@options.grouped(test_sets=TestSetOptions, text=TextOptions, chosen=MetricOptions, output=OutputOptions)
@options.excluding(*_EXCLUSIONS)
def score(  # noqa: PLR0913
    hypotheses: tuple[str, ...],
    test_sets: TestSetOptions,
    text: TextOptions,
    chosen: MetricOptions,
    level: Level | None,
    resample_by: str | None,
    kept: str | None,
    engine: str | None,
    threads: int | None,
    output: OutputOptions,
    *,
    confidence: bool,
) -> int | None:
    """\b
    Score hypotheses against references.
    Files are text, evaluation sets, tables or folders; FILE#NAME is a part.
    bleukit score -r reference.txt hypothesis.txt
    """  # noqa: D205
    status = printed_test_sets(test_sets, hypotheses)
    if status is not None:
        return status
    _note_other_references(text.references, hypotheses)
    by_units = chosen.joins_documents or confidence
    by_document = text.documents is not None or text.document_column is not None
    level = level or ("document" if by_document and not by_units else "corpus")
    output = output.of_scores()
    hypotheses = hypotheses or _standard_input()
    with opened_test_sets(test_sets, text.arrangement) as (references, provenance):
        text = replace(text, references=text.references + references)
        if engine:
            usable = _usable_by_spark(engine, chosen) if chosen.are_several else {}
            scoring, units = counted_by_spark(usable, chosen, hypotheses, text, level)
            write_scores(output, scoring, [units], provenance)
        else:
            needs_documents = level == "document" or by_units or chosen.are_several
            wanted: list[OptionalColumn] = ["document"] if needs_documents else []
            with reading(hypotheses, text, wanted) as opened:
                if level == "document" and not opened.has_documents:
                    raise click.UsageError(DOCUMENTS_AND_LEVEL)
                corpus = ArrangedCorpus(opened, text.arrangement) if any(text.arrangement) else opened
                columns = columns_for(chosen, corpus, level)
                intervals = _interval_settings(chosen, resample_by, confidence=confidence)
                scoring = Scoring(columns, corpus.systems, level, intervals)
                _write_texts(output, scoring, corpus, hypotheses, text, chosen, kept, threads, provenance)
    return None


def _write_texts(  # noqa: PLR0913
    output: OutputOptions,
    scoring: Scoring,
    corpus: Corpus,
    hypotheses: Sequence[str],
    text: TextOptions,
    chosen: MetricOptions,
    kept: str | None,
    threads: int | None,
    provenance: Provenance,
) -> None:
    """Count a corpus, and write its scores."""
    if isinstance(corpus, ArrangedCorpus) and corpus.arrangement.over_references in {"mean", "max"}:
        from bleukit.cli.combined_scores import write_over_references  # needs NumPy

        [metric] = scoring.metrics.values()
        write_over_references(output, metric, corpus, scoring.level, threads, provenance)
        return
    blocks = scoring.units(counted_parts(scoring.metrics, corpus, text.limits, threads, scoring.columns))
    if kept is None:
        by_score = not scoring.columns[0].alone and not chosen.metrics_with_others
        write_scores(output, scoring, blocks, provenance, by_score=by_score)
        return
    [metric] = scoring.metrics.values()
    inputs = {
        "hypothesis": hypotheses,
        "reference": text.references,
        "document": [text.documents] if text.documents else [],
    }
    with kept_shard(kept, metric, scoring.level, inputs, text, corpus.systems, blocks) as shard:
        _write_shard(output, scoring.columns[0], shard, provenance)


def _usable_by_spark(engine: str, chosen: MetricOptions) -> dict[str, AnyMetric]:
    """Return several metrics without those that join documents. Raises UsageError if none is left."""
    columns = usable_columns(chosen)
    joining = [name for name, metric in columns.items() if metric.joins_documents]
    if joining:
        joined = f"--engine {engine} does not join documents, as {', '.join(joining)}"
        if len(joining) == len(columns):
            raise click.UsageError(joined)
        warn(f"left out, because {joined}")
    return {name: metric for name, metric in columns.items() if name not in joining}


def _write_shard(output: OutputOptions, column: Column, shard: Shard, provenance: Provenance) -> None:
    """Write the scores of statistics that a file holds."""
    scoring = Scoring([column], [*shard.statistics], shard.level)
    units = Units.of({column.name: [*shard.statistics.values()]}, shard.level)
    write_scores(output, scoring, [units], provenance)


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
        raise click.UsageError("Missing argument 'HYP...'.")
    return ("-",)


def _interval_settings(chosen: MetricOptions, resample_by: str | None, *, confidence: bool) -> Settings | None:
    """Return how to find intervals, None for none: as a signature says, or by the bootstrap if they are asked for."""
    samples = chosen.interval_samples
    if chosen.comparison and not samples:
        warn("the signature is of a comparison of systems, which is for 'bleukit compare'; here are the scores")
    if not confidence and not samples:
        return None
    if samples:
        seed = chosen.comparison["seed"]
        return Settings(test="sacrebleu-bs", samples=samples, seed=seed, resample_by=resample_by)
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
@options.score_only_option
@options.output_option
@_format_option
@options.grouped(text=TextOptions, output=OutputOptions)
@options.excluding(*OUTPUT_EXCLUSIONS)
def merge(
    files: tuple[str, ...], kept: str | None, text: TextOptions, output: OutputOptions, *, equal_parts: bool
) -> None:
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

    output = output.of_scores()
    shards: dict[str, Shard] = {}
    for path in files:
        if path in shards:
            raise InputError(f"{path}: is given twice")
        shards[path] = Shard.read(path, limits=text.limits)
    merged = Shard.merged(shards, equal_parts=equal_parts)
    try:
        metric = merged.load()
    except InputError as error:
        raise InputError(f"{files[0]}: {error}") from error
    _write_shard(output, Column(metric.name, metric, alone=True), merged, Provenance())
    if kept is not None:
        merged.write(kept)
