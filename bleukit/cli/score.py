"""``bleukit score``: files in, scores out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bleukit.cli.counting import counted
from bleukit.cli.options import chosen_for, signature_option, threads_option, variant_options, width_option
from bleukit.cli.output import output_option, table_format_option, table_of_output
from bleukit.cli.reading import (
    columns,
    document_column_option,
    limit_option,
    reading,
    reference_option,
    table_options,
)
from bleukit.cli.score_tables import print_scores, score_table
from bleukit.cli.scores import Scores, System, Written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.accumulator import Level
    from bleukit.cli.score_tables import ScoreTable
    from bleukit.comparing.comparison import Settings
    from bleukit.comparing.gathering import Gathered
    from bleukit.comparing.results import Comparison, SystemResult
    from bleukit.metric import Bleu
    from bleukit.text.corpora import Corpus
    from bleukit.text.files import Limits


@click.command(no_args_is_help=True)
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True)
@reference_option
@variant_options
@signature_option
@click.option(
    "--level",
    type=click.Choice(["corpus", "document", "sentence"]),
    help="What a score is of. Default: corpus, or document if --documents or --document-column is given.",
)
@click.option("--documents", metavar="FILE", help="The document of each segment, one id a line.")
@table_options
@document_column_option
@click.option(
    "--confidence",
    is_flag=True,
    help="Print the 95 % interval of each score, by the bootstrap, or as a signature with bs: says.",
)
@click.option(
    "--statistics",
    "kept",
    metavar="FILE",
    help="Keep the statistics in FILE (.jsonl, .parquet, .arrow) for 'bleukit merge'. If it holds those of the same "
    "files and variant already, they are not counted again.",
)
@click.option(
    "--engine",
    type=click.Choice(["spark"]),
    help="Let Spark count, at level corpus or document: text files, or one Parquet file or folder with the references.",
)
@threads_option
@limit_option
@width_option
@click.option("-q", "--score-only", is_flag=True, help="Print nothing but scores, one line per system or unit.")
@output_option
@table_format_option
@click.pass_context
def command(  # noqa: C901, PLR0913
    context: click.Context,
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    variant: str | None,
    config: str | None,
    settings: tuple[str, ...],
    signature: str | None,
    level: Level | None,
    documents: str | None,
    confidence: bool,
    kept: str | None,
    engine: str | None,
    threads: int | None,
    limits: Limits,
    width: int | None,
    score_only: bool,
    form: str | None,
) -> None:
    """Score each file HYP against the references.

    Files are UTF-8, one segment a line; .gz, .bz2, .xz and .zst are decompressed, - is standard input. Files .sgm,
    .sgml and .xml are evaluation sets of NIST or WMT: they may hold several systems or references, of which
    FILE#NAME chooses one, and name documents.

    Files .tsv, .csv, .jsonl, .parquet, .arrow and .feather are tables with a segment a row. Columns that are called
    hypothesis, hyp or mt, reference or ref, system, and document or doc are found; options name others. With a column
    of systems a row is a segment of one system. -r may be left out if the table has the references.

    Scores of documents and sentences are printed as tab-separated values, with all digits unless --width says
    otherwise. JSON has all digits, and everything that a score consists of; so has a table, into which scores are
    written if FILE of -o ends in .csv, .jsonl or .parquet.

    \b
    bleukit score -r reference.txt hypothesis.txt
    bleukit score -V nltk --level sentence -r reference.txt hypothesis.txt
    bleukit score --signature '#:1|c:mixed|e:no|tok:13a|s:exp|v:2.6.0' -r reference.txt hypothesis.txt
    bleukit score --confidence -r reference.txt hypothesis.txt
    bleukit score --level sentence -o scores.parquet -r reference.txt hypothesis.txt
    bleukit score --hypothesis-column output --reference-column gold table.parquet
    bleukit score -V mteval-v13a --level document -r reference.sgm system.sgm
    """
    by_document = documents is not None or columns().document is not None
    level = level or ("document" if by_document else "corpus")
    if level != "document" and by_document:
        raise click.UsageError("--level document and --documents FILE go together")
    if kept is not None and confidence:
        raise click.UsageError("intervals need the segments, which --statistics does not keep: leave out one of them")
    table = table_of_output(form, width, score_only=score_only)
    if engine:
        if documents is not None or confidence or kept is not None:
            raise click.UsageError(f"--engine {engine}: leave out --documents, --confidence and --statistics")

        def chosen(number: int | None) -> Bleu:
            return chosen_for(number, variant, config, settings, signature)[0]

        from bleukit.cli.engine import scores_by_spark

        scores = scores_by_spark(hypotheses, references, level, columns(), chosen)
        print_scores(scores, form, table, width, score_only=score_only)
        return
    with reading(hypotheses, references, documents, limits, ["document"] if level == "document" else []) as corpus:
        if level == "document" and not corpus.has_documents:
            raise click.UsageError("--level document and --documents FILE go together")
        bleu, said = chosen_for(corpus.references, variant, config, settings, signature)
        how = _resampling(said, level, asked=confidence)
        keeping = None
        if kept is not None:
            from bleukit.cli.keeping import Keeping

            inputs = {"hypothesis": hypotheses, "reference": references, "document": [documents] if documents else []}
            keeping = Keeping(kept, bleu, level, inputs, columns())
        shard = keeping.found() if keeping else None
        streamed = None
        if shard:
            from bleukit.cli.keeping import scores_of

            scores = scores_of(shard, bleu, corpus.systems)
        else:
            is_streamed = level == "sentence" and not keeping
            is_written = is_streamed and form == "json"
            written = [context.with_resource(Written(bleu)) for _ in corpus.systems if is_written]
            streamed = context.with_resource(score_table(table, bleu, level)) if table and is_streamed else None
            scores = _counted(bleu, corpus, level, threads, how, written, streamed)
    if keeping and not shard:
        keeping.keep(scores.statistics)
    if not streamed:
        print_scores(scores, form, table, width, score_only=score_only)


def _counted(  # noqa: PLR0913
    bleu: Bleu,
    corpus: Corpus,
    level: Level,
    threads: int | None,
    how: Settings | None,
    written: Sequence[Written],
    streamed: ScoreTable | None,
) -> Scores:
    """Count all segments and return the scores, with intervals if it is said how to find them.

    Sentences are written as JSON into ``written``, one a system, or into a table, if there are any, and not held.
    """
    gathered = _gathered(len(corpus.systems)) if how else None
    is_held = not written and streamed is None
    accumulators = [bleu.accumulator(level if is_held else "corpus") for _ in corpus.systems]
    names: list[str] = []
    is_summed = level == "corpus" and not gathered
    for part, rows in counted(bleu, corpus, threads, summed=is_summed):
        for accumulator, of_system in zip(accumulators, rows, strict=True):
            accumulator.add(of_system, documents=part.documents if level == "document" else None)
        if gathered:
            gathered.add(rows)
        for of_system, file in zip(rows, written, strict=False):
            file.add(of_system, part.names)
        if streamed:
            streamed.add(corpus.systems, rows, part.names)
        names += (part.names or ()) if is_held else ()
    resampled = _resampled(bleu, gathered, how) if gathered and how else {}
    systems = []
    for number, (name, accumulator) in enumerate(zip(corpus.systems, accumulators, strict=True)):
        statistics = accumulator.statistics
        system = System(name, statistics, bleu.score(statistics), resampled.get(str(number)))
        systems.append(written[number].instead_of_rows(system) if written else system)
    return Scores(bleu, level, systems, names, corpus.references)


def _resampling(said: Mapping[str, Any], level: Level, *, asked: bool) -> Settings | None:
    """Return how to find intervals: as a signature says, or by the bootstrap if they are asked for."""
    from_signature = said.get("samples") if said.get("test") == "sacrebleu-bs" else said.get("interval_samples")
    if said and not from_signature:
        note = "the signature is of a comparison of systems, which is for 'bleukit compare'; here are the scores"
        click.echo(f"bleukit: warning: {note}", err=True)
    if not asked and not from_signature:
        return None
    if level != "corpus":
        raise click.UsageError("intervals are those of the score of the corpus: leave out --level and --documents")
    from bleukit.comparing.comparison import Settings

    if from_signature:
        return Settings(test="sacrebleu-bs", samples=from_signature, seed=said["seed"])
    return Settings(test="bootstrap")


def _gathered(systems: int) -> Gathered:
    from bleukit.comparing.gathering import Gathered, Names

    return Gathered(Names.of({str(number): 1 for number in range(systems)}))


def _resampled(bleu: Bleu, gathered: Gathered, how: Settings) -> dict[str, tuple[SystemResult, Comparison]]:
    """Return the interval of each system, and the comparison that found it."""
    from bleukit.comparing.comparison import compared

    comparison = compared(bleu, gathered, how)
    return {found.system: (found, comparison) for found in comparison.systems}
