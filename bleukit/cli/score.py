"""``bleukit score`` and ``merge``: files in, scores out."""

from __future__ import annotations

import re
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from bleukit.bleu import Bleu
from bleukit.cli import options
from bleukit.cli.counting import (
    counted_by_spark,
    counted_segments,
    in_pieces,
    kept_shard,
    units_of_segments,
    units_of_shard,
)
from bleukit.cli.file_names import FileName, OutputName
from bleukit.cli.output import destination
from bleukit.cli.printing import as_json, encodable
from bleukit.cli.reading import print_warnings, reading, segments_of
from bleukit.cli.sacrebleu import naming_test_set, print_test_sets, references_of_test_set, test_set_options
from bleukit.cli.scores import write_scores
from bleukit.cli.tables import ScoredUnits, print_systems, print_values, score_format
from bleukit.errors import InputError, quantity
from bleukit.scoring import rounded
from bleukit.statistics import Statistics
from bleukit.text.arranging import ArrangedCorpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.cli.counting import CountedPart, Units
    from bleukit.cli.options import ChosenMetric
    from bleukit.comparing.settings import Settings
    from bleukit.metric import AnyMetric, Level
    from bleukit.paraphrases import IBleu
    from bleukit.shards.shard import Shard
    from bleukit.text.aligned_files import OptionalColumn
    from bleukit.text.arranging import Arrangement
    from bleukit.text.corpora import Corpus


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
@click.option(
    "--level",
    type=click.Choice(["corpus", "document", "sentence"]),
    metavar="LEVEL",
    help="corpus (default), document or sentence.",
)
@options.documents_option
@options.table_options
@options.document_column_option
@options.arrangement_options
@click.option("--confidence", is_flag=True, help="Print 95 % confidence intervals (bootstrap).")
@options.resample_by_option
@click.option(
    "--statistics", "kept", metavar="FILE", type=OutputName(), help="Keep the statistics in FILE, or reuse them."
)
@click.option("--ibleu", "alpha", type=options.FiniteRange(0, 1), metavar="ALPHA", help="iBLEU of paraphrases.")
@click.option("--source", metavar="FILE", type=FileName(), help="The source of each segment, for --ibleu.")
@click.option("--engine", type=click.Choice(["spark"]), help="Count with Spark, at level corpus or document.")
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
    alpha: float | None,
    source: str | None,
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
    hypotheses = hypotheses or _standard_input()
    by_document = documents is not None or options.chosen_columns().document is not None
    variants, metrics = options.several_variants(), options.chosen_metrics()
    if variants or len(metrics) > 1:
        what = "metric" if metrics else "variant"
        given = {"--ibleu": alpha, "--source": source, "--statistics": kept}
        options.refuse(given, f"{{}} takes one {what}, not several")
        level = level or ("document" if by_document and not confidence else "corpus")
        intervals = _interval_settings({}, level, resample_by, confidence=confidence)
        files = hypotheses, references, documents
        _write_several(variants, metrics, files, level, threads, form, intervals, engine)
        return
    joined = options.joins_documents()
    arrangement = _arrangement_without(
        {"--ibleu": alpha, "--source": source, "--engine": engine, "--statistics": kept}, joined=joined
    )
    by_units = joined or confidence
    level = level or ("document" if by_document and not by_units else "corpus")
    if level != "document" and by_document and not by_units:
        raise click.UsageError(DOCUMENTS_AND_LEVEL)
    if kept is not None and confidence:
        raise click.UsageError("intervals need the segments, which --statistics does not keep: leave out one of them")
    form = score_format(form)
    if alpha is not None or source is not None:
        _require_ibleu_alone(alpha, with_others=kept is not None or confidence or engine is not None)
        _write_ibleu(form, (hypotheses, references, documents, source), level, float(alpha or 0), threads)
        return
    if engine:
        if joined:
            raise click.UsageError(f"--engine {engine} does not join documents, as the variant does")
        _require_none_for_engine(engine, documents, kept, confidence=confidence)
        systems, [(metric, counted)] = counted_by_spark([], hypotheses, references, level)
        _write_scores(form, metric, level, systems, [counted])
        return
    wanted: list[OptionalColumn] = ["document"] if level == "document" or by_units else []
    with reading(hypotheses, references, documents, wanted) as opened:
        _require_documents(opened, level)
        metric, comparison = options.chosen_metric(opened.references)
        intervals = _interval_settings(comparison, level, resample_by, confidence=confidence)
        if any(arrangement):
            _write_arranged(form, metric, ArrangedCorpus(opened, arrangement), level, threads, intervals)
            return
        corpus = segments_of(metric, opened)
        segments = counted_segments(metric, corpus, threads)
        units = units_of_segments(metric, level, len(corpus.systems), segments, intervals)
        if kept is None:
            _write_scores(form, metric, level, corpus.systems, units)
        else:
            inputs = {"hypothesis": hypotheses, "reference": references, "document": [documents] if documents else []}
            with kept_shard(kept, metric, level, inputs, corpus.systems, units) as shard:
                _write_scores(form, metric, level, [*shard.statistics], [units_of_shard(shard)])


def _write_scores(form: str, metric: AnyMetric, level: Level, systems: Sequence[str], blocks: Iterable[Units]) -> None:
    """Write the scores of units by a metric; those of BLEU say what they consist of."""
    if isinstance(metric, Bleu):
        write_scores(form, metric, level, systems, blocks)
        return
    from bleukit.cli.several_variants import write_units  # needs NumPy

    write_units(form, {metric.name: metric}, level, systems, ({metric.name: one} for one in in_pieces(blocks)))


def _require_documents(corpus: Corpus, level: Level) -> None:
    if level == "document" and not corpus.has_documents:
        raise click.UsageError(DOCUMENTS_AND_LEVEL)


def _write_arranged(  # noqa: PLR0913
    form: str, metric: AnyMetric, corpus: ArrangedCorpus, level: Level, threads: int | None, intervals: Settings | None
) -> None:
    """Write the scores of what the options choose of a text. Raises UsageError for intervals that these have not."""
    how = corpus.arrangement.over_references
    if how not in {"mean", "max"}:
        segments = counted_segments(metric, corpus, threads)
        units = units_of_segments(metric, level, len(corpus.systems), segments, intervals)
        _write_scores(form, metric, level, corpus.systems, units)
        return
    if intervals:
        raise click.UsageError(f"--over-references {how} has no intervals: leave out --confidence")
    from bleukit.cli.over_references import write_over_references  # needs NumPy

    write_over_references(form, metric, corpus, level, threads)


def _require_none_for_engine(engine: str, documents: str | None, kept: str | None, *, confidence: bool) -> None:
    if documents is not None or confidence or kept is not None:
        raise click.UsageError(f"--engine {engine}: leave out --documents, --confidence and --statistics")


def _arrangement_without(others: Mapping[str, object], *, joined: bool) -> Arrangement:
    """Return what of the text is scored. Raises UsageError for options that take the whole of it."""
    arrangement = options.chosen_arrangement()
    given = [name for name, value in others.items() if value is not None] + ["a variant of documents"] * joined
    if any(arrangement) and given:
        raise click.UsageError(f"--swap, --segments, --remove and --over-references do not go with {given[0]}")
    return arrangement


def _write_several(  # noqa: PLR0913
    variants: Sequence[str],
    metrics: Sequence[ChosenMetric],
    files: tuple[Sequence[str], Sequence[str], str | None],
    level: Level,
    threads: int | None,
    form: str | None,
    intervals: Settings | None,
    engine: str | None,
) -> None:
    """Write the table of the scores by several variants and metrics; files are hypotheses, references, documents."""
    from bleukit.cli import several_variants  # needs NumPy

    form = score_format(form)
    arrangement = _arrangement_without({"--engine": engine}, joined=False)
    if (how := arrangement.over_references) in {"mean", "max"}:
        raise click.UsageError(f"--over-references {how} takes one metric or variant, not several")
    if engine:
        hypotheses, references, documents = files
        _require_none_for_engine(engine, documents, None, confidence=bool(intervals))
        columns = several_variants.usable_columns(variants, metrics)
        if joining := [name for name, metric in columns.items() if metric.joins_documents]:
            joined = f"--engine {engine} does not join documents, as {', '.join(joining)}"
            if len(joining) == len(columns):
                raise click.UsageError(joined)
            print_warnings([f"left out, because {joined}"])
            columns = {name: metric for name, metric in columns.items() if not metric.joins_documents}
        systems, counted = counted_by_spark([*columns.values()], hypotheses, references, level)
        of_metrics = zip(*(in_pieces([found]) for _, found in counted), strict=True)
        blocks = (dict(zip(columns, units, strict=True)) for units in of_metrics)
        several_variants.write_units(form, columns, level, systems, blocks)
        return
    with reading(*files, ["document"]) as opened:
        _require_documents(opened, level)
        corpus = ArrangedCorpus(opened, arrangement) if any(arrangement) else opened
        columns_ = several_variants.columns_of_metrics(variants, metrics)
        several_variants.write_variants(form, columns_, corpus, level, threads, intervals, of_metrics=bool(metrics))


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
        print_warnings([f"{' and '.join(others)}: scored as a system; if it is a reference, give it by -r: {given}"])


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
        note = "the signature is of a comparison of systems, which is for 'bleukit compare'; here are the scores"
        click.echo(f"bleukit: warning: {note}", err=True)
    if not confidence and not samples:
        if resample_by is not None:
            raise click.UsageError("--resample-by is for the intervals of --confidence")
        return None
    if level != "corpus":
        raise click.UsageError("only the score of the corpus has intervals: leave out --level")
    from bleukit.comparing.settings import Settings  # needs NumPy

    if samples:
        return Settings(test="sacrebleu-bs", samples=samples, seed=comparison["seed"], resample_by=resample_by)
    return Settings(test="bootstrap", resample_by=resample_by)


@click.command("merge", no_args_is_help=True)
@click.argument("files", metavar="FILE...", type=FileName(), nargs=-1, required=True)
@options.plugin_option
@click.option("--equal-parts", is_flag=True, help="Accept files whose statistics are equal: the text repeats itself.")
@click.option(
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
    _write_scores(form, metric, merged.level, [*merged.statistics], [units_of_shard(merged)])
    if kept is not None:
        merged.write(kept)


Paths: TypeAlias = "tuple[Sequence[str], Sequence[str], str | None, str | None]"
"""The files of hypotheses and of references, and those of documents and sources."""


def _require_ibleu_alone(alpha: float | None, *, with_others: bool) -> None:
    if alpha is None:
        raise click.UsageError("--source is for --ibleu")
    if with_others:
        raise click.UsageError("--ibleu: leave out --statistics, --confidence and --engine")


def _write_ibleu(form: str, files: Paths, level: Level, alpha: float, threads: int | None) -> None:
    """Print the iBLEU of each unit of each system. Raises InputError if documents or sources are missing."""
    from bleukit.paraphrases import IBleu  # takes long to import

    if form not in {"text", "json"}:
        raise click.UsageError("iBLEU is printed as text or as JSON, not written to a table")
    hypotheses, references, documents, source = files
    with reading(hypotheses, references, documents, ["document", "source"], sources=source) as opened:
        bleu = options.chosen_bleu(opened.references)
        corpus = segments_of(bleu, opened)
        segments = _counted_twice(bleu, corpus, threads)
        units = [*in_pieces(units_of_segments(bleu, level, 2 * len(corpus.systems), segments))]
    names = [name for piece in units for name in piece.names or ()]
    rows = [Statistics.concatenate(of_side) for of_side in zip(*(piece.rows for piece in units), strict=True)]
    scores = [bleu.scores(of_side, level=level) for of_side in rows]
    systems = [
        [IBleu.of_scores(*both, alpha) for both in zip(*sides, strict=True)]
        for sides in zip(scores[::2], scores[1::2], strict=True)
    ]
    if form == "json":
        sums = [bleu.score(of_side.sum()) for of_side in rows]
        whole = [IBleu.of_scores(*both, alpha) for both in zip(sums[::2], sums[1::2], strict=True)]
        _write_json(bleu, corpus.systems, whole, level, names, systems)
        return
    signature = naming_test_set(systems[0][0].signature)
    if level != "corpus":
        heads = corpus.systems if len(systems) > 1 else ["iBLEU"]
        values = [[unit.value for unit in of_units] for of_units in systems]
        print_values([level, *heads], [ScoredUnits([names], values, [signature])])
        return
    columns = {
        "iBLEU": [units[0].value for units in systems],
        "BLEU": [units[0].score.value for units in systems],
        "BLEU of\nthe sources": [units[0].source_score.value for units in systems],
    }
    shown = {head: [rounded(value, options.decimals(bleu)) for value in values] for head, values in columns.items()}
    scored = systems[0][0].score
    note = f"alpha {alpha:g}, {scored.variant}, {quantity(scored.segments, 'segment')}"
    print_systems(corpus.systems, shown, [note], [signature])


def _counted_twice(bleu: Bleu, corpus: Corpus, threads: int | None) -> Iterator[CountedPart]:
    """Yield the parts of a corpus, each system counted against the references, and then against the sources."""
    for part in corpus.parts(bleu.tokenize):
        if part.sources is None:
            raise InputError("the sources are not known: give --source FILE, or a table that has them")
        count = partial(bleu.statistics, references_by="segment", threads=threads, first=part.first)
        sides = part.references, part.sources
        yield part.without_texts(), [count(texts, side) for texts in part.systems for side in sides]


def _write_json(  # noqa: PLR0913
    bleu: Bleu,
    names: Sequence[str],
    whole: Sequence[IBleu],
    level: Level,
    units: Sequence[str],
    systems: Sequence[Sequence[IBleu]],
) -> None:
    """Print one object; scores of units lack what is the same for all."""

    def data(result: IBleu) -> dict[str, Any]:
        sides = {"score": result.score.to_dict(), "source_score": result.source_score.to_dict()}
        return {"ibleu": result.value, "alpha": result.alpha, **sides, "signature": naming_test_set(result.signature)}

    written = []
    for name, of_corpus, of_units in zip(names, whole, systems, strict=True):
        system = {"system": encodable(name), **data(of_corpus)}
        if level != "corpus":
            system[f"{level}s"] = [
                {level: unit, "ibleu": one.value, "score": one.score.value, "source_score": one.source_score.value}
                for unit, one in zip(units, of_units, strict=True)
            ]
        written.append(system)
    destination().deferred().write(as_json({"systems": written, "variant": bleu.variant.to_dict()}) + "\n")
