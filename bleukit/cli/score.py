"""``bleukit score``: files in, scores out."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.file_names import FileName, OutputName
from bleukit.cli.ibleu import is_ibleu, write_ibleu
from bleukit.cli.options import (
    documents_option,
    joins_documents,
    more_in,
    refuse_with_several,
    resample_by_option,
    score_only_option,
    several_variants,
    signature_option,
    threads_option,
    variant_or_signature,
    variants_options,
    width_option,
)
from bleukit.cli.output import output_option, score_format_option
from bleukit.cli.reading import (
    chosen_columns,
    document_column_option,
    limit_option,
    reading,
    reference_option,
    segments_of,
    table_options,
)
from bleukit.cli.scores import score_format, write_scores
from bleukit.cli.test_sets import print_test_sets, references_of_test_set, test_set_options
from bleukit.cli.units import CountedPart, Units, counted_segments, units_of_segments, units_of_shard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.accumulator import Level
    from bleukit.metric import Bleu
    from bleukit.text.aligned_files import OptionalColumn
    from bleukit.text.corpora import Corpus

DOCUMENTS_AND_LEVEL = "--level document and --documents FILE go together"


@click.command("score", no_args_is_help=True, epilog=more_in("scoring", "inputs"))
@click.argument("hypotheses", metavar="HYP...", type=FileName(), nargs=-1)
@reference_option
@test_set_options
@variants_options
@signature_option
@click.option(
    "--level",
    type=click.Choice(["corpus", "document", "sentence"]),
    metavar="LEVEL",
    help="corpus (default), document or sentence.",
)
@documents_option
@table_options
@document_column_option
@click.option("--confidence", is_flag=True, help="Print 95 % confidence intervals (bootstrap).")
@resample_by_option
@click.option(
    "--statistics", "kept", metavar="FILE", type=OutputName(), help="Keep the statistics in FILE, or reuse them."
)
@click.option("--ibleu", "alpha", type=click.FloatRange(0, 1), metavar="ALPHA", help="iBLEU of paraphrases.")
@click.option("--source", metavar="FILE", type=FileName(), help="The source of each segment, for --ibleu.")
@click.option("--engine", type=click.Choice(["spark"]), help="Count with Spark, at level corpus or document.")
@threads_option
@limit_option
@width_option
@score_only_option
@output_option
@score_format_option
def command(  # noqa: PLR0913
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    level: Level | None,
    documents: str | None,
    resample_by: str | None,
    kept: str | None,
    alpha: float | None,
    source: str | None,
    engine: str | None,
    threads: int | None,
    form: str | None,
    *,
    confidence: bool,
) -> None:
    """Score hypotheses against references.

    HYP and REF are text, evaluation sets (.sgm, .xml), tables (.csv, .jsonl, .parquet, …) or folders; FILE#NAME is a
    part; -, the default, is stdin.

    \b
    bleukit score -r reference.txt hypothesis.txt
    """
    print_test_sets(hypotheses)
    references = references_of_test_set(references)
    hypotheses = hypotheses or _standard_input()
    by_document = documents is not None or chosen_columns().document is not None
    if variants := several_variants():
        refuse_with_several({"--statistics": kept, "--ibleu": alpha, "--source": source, "--engine": engine})
        level = level or ("document" if by_document and not confidence else "corpus")
        intervals = _interval_settings({}, level, resample_by, confidence=confidence)
        _write_variants(variants, (hypotheses, references, documents), level, threads, form, intervals)
        return
    joined = joins_documents()
    by_units = joined or confidence
    level = level or ("document" if by_document and not by_units else "corpus")
    if level != "document" and by_document and not by_units:
        raise click.UsageError(DOCUMENTS_AND_LEVEL)
    if kept is not None and confidence:
        raise click.UsageError("intervals need the segments, which --statistics does not keep: leave out one of them")
    form = score_format(form)
    if is_ibleu(alpha, source, with_others=kept is not None or confidence or engine is not None):
        write_ibleu(form, (hypotheses, references, documents, source), level, float(alpha or 0), threads)
        return
    if engine:
        if joined:
            raise click.UsageError(f"--engine {engine} does not join documents, as the variant does")
        if documents is not None or confidence or kept is not None:
            raise click.UsageError(f"--engine {engine}: leave out --documents, --confidence and --statistics")
        from bleukit.cli.spark import counted_by_spark  # needs an extra

        bleu, systems, counted = counted_by_spark(hypotheses, references, level)
        write_scores(form, bleu, level, systems, [counted])
        return
    wanted: list[OptionalColumn] = ["document"] if level == "document" or by_units else []
    with reading(hypotheses, references, documents, wanted) as opened:
        if level == "document" and not opened.has_documents:
            raise click.UsageError(DOCUMENTS_AND_LEVEL)
        bleu, comparison = variant_or_signature(opened.references)
        corpus = segments_of(bleu, opened)
        intervals = _interval_settings(comparison, level, resample_by, confidence=confidence)
        units = _counted_units(bleu, corpus, level, threads, intervals)
        if kept is None:
            write_scores(form, bleu, level, corpus.systems, units)
        else:
            from bleukit.cli.kept_statistics import kept_shard  # takes long to import

            inputs = {"hypothesis": hypotheses, "reference": references, "document": [documents] if documents else []}
            with kept_shard(kept, bleu, level, inputs, corpus.systems, units) as shard:
                write_scores(form, bleu, level, corpus.systems, [units_of_shard(shard)])


def _write_variants(  # noqa: PLR0913
    variants: Sequence[str],
    files: tuple[Sequence[str], Sequence[str], str | None],
    level: Level,
    threads: int | None,
    form: str | None,
    intervals: Mapping[str, Any],
) -> None:
    """Write the table of the scores by several variants, given the files of hypotheses, references and documents."""
    from bleukit.cli.variant_tables import write_variants  # needs NumPy

    form = score_format(form)
    with reading(*files, ["document"]) as opened:
        if level == "document" and not opened.has_documents:
            raise click.UsageError(DOCUMENTS_AND_LEVEL)
        write_variants(form, variants, opened, level, threads, intervals)


def _standard_input() -> tuple[str, ...]:
    """Return the path of standard input. Raises UsageError if nothing comes from there."""
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("Missing argument 'HYP...'.", click.get_current_context())
    return ("-",)


def _interval_settings(
    comparison: Mapping[str, Any], level: Level, resample_by: str | None, *, confidence: bool
) -> dict[str, Any]:
    """Return how to find intervals, empty for none: as a signature says, or by the bootstrap if they are asked for."""
    is_bootstrap = comparison.get("test") == "sacrebleu-bs"
    samples = comparison.get("samples" if is_bootstrap else "interval_samples")
    if comparison and not samples:
        note = "the signature is of a comparison of systems, which is for 'bleukit compare'; here are the scores"
        click.echo(f"bleukit: warning: {note}", err=True)
    if not confidence and not samples:
        if resample_by is not None:
            raise click.UsageError("--resample-by is for the intervals of --confidence")
        return {}
    if level != "corpus":
        raise click.UsageError("intervals are those of the score of the corpus: leave out --level")
    if samples:
        as_sacrebleu = {"test": "sacrebleu-bs", "samples": samples, "seed": comparison["seed"]}
        return {**as_sacrebleu, "resample_by": resample_by}
    return {"test": "bootstrap", "resample_by": resample_by}


def _counted_units(
    bleu: Bleu, corpus: Corpus, level: Level, threads: int | None, intervals: Mapping[str, Any]
) -> Iterator[Units]:
    """Return the units of a corpus, with intervals if there are settings for these."""
    systems, segments = len(corpus.systems), counted_segments(bleu, corpus, threads)
    if intervals:
        return _with_intervals(bleu, systems, segments, intervals, has_documents=corpus.has_documents)
    return units_of_segments(bleu, level, systems, segments)


def _with_intervals(
    bleu: Bleu, systems: int, segments: Iterable[CountedPart], settings: Mapping[str, Any], *, has_documents: bool
) -> Iterator[Units]:
    """Yield the corpus with the interval of each system, in the order of the systems."""
    from bleukit.comparing.comparison import compared  # needs NumPy
    from bleukit.comparing.gathering import Gathered, Names
    from bleukit.comparing.settings import Settings

    gathered = Gathered(Names.of({str(number): 1 for number in range(systems)}))
    documents: list[str] = []

    def gathering() -> Iterator[CountedPart]:
        for part, rows in segments:
            gathered.add(rows)
            documents.extend(part.documents or ())
            yield part, rows

    for corpus in units_of_segments(bleu, "corpus", systems, gathering()):
        comparison = compared(bleu, gathered, Settings(**settings), documents if has_documents else None)
        results = sorted(comparison.systems, key=lambda result: int(result.system))
        yield corpus._replace(comparison=replace(comparison, systems=tuple(results)))
