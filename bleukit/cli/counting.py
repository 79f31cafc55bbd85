"""What ``bleukit score`` and ``compare`` count: the columns that are chosen, of a text, by Spark, or kept in a file."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bleukit.bleu.bleu import Bleu
from bleukit.cli.metric_options import BLEU
from bleukit.cli.printing import warn
from bleukit.cli.reading import reading, require_documents
from bleukit.corpus.counting import counted, readings_of
from bleukit.framework.additive import AdditiveStatistics
from bleukit.framework.arguments import available_cores
from bleukit.framework.errors import InputError
from bleukit.reading.misfits import SAMPLE, foreign_marks, misfits, not_final, odd_references
from bleukit.reading.paths import split_path
from bleukit.tables.columns import Column, columns_of, give_up_joining, note_misfits
from bleukit.tables.scoring import Scoring, Units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.cli.metric_options import MetricOptions
    from bleukit.cli.options import TextOptions
    from bleukit.corpus.counting import CountedPart
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.reading.aligned_segments import AlignedSegments
    from bleukit.reading.corpora import Corpus, Reading
    from bleukit.reading.files import Limits
    from bleukit.shards.shard import Shard


def variant_columns(chosen: MetricOptions) -> list[Column]:
    """Return the columns of several variants that -V names."""
    return columns_of(chosen.several_variants, lambda name: chosen.variant({"variant": name}))


def columns_of_metrics(chosen: MetricOptions) -> list[Column]:
    """Return the columns of several variants that -V names; with metrics, those of all of these.

    Raises InputError if a metric is given twice.
    """
    if not chosen.metrics_with_others:
        return variant_columns(chosen)
    from bleukit.metrics.loading import load_metric

    columns: list[Column] = []
    for one in chosen.metrics_with_others:
        if one.name == BLEU:
            columns += variant_columns(chosen) if chosen.several_variants else [Column("BLEU", chosen.variant())]
        else:
            metric = load_metric(one.name, **one.options)
            is_known = any(column.name == metric.name for column in columns)
            columns.append(Column(one.text if is_known else metric.name, metric))
    signatures = [column.metric and column.metric.signature for column in columns]
    for number, column in enumerate(columns):
        if column.metric and signatures[number] in signatures[:number]:
            raise InputError(f"-m: {column.name} is given twice")
    return columns


def columns_for(chosen: MetricOptions, corpus: Corpus, level: Level) -> list[Column]:
    """Return the columns that the options choose."""
    if chosen.are_several:
        columns = columns_of_metrics(chosen)
        give_up_joining(columns, level, has_documents=corpus.has_documents)
        return columns
    metric = chosen.metric(corpus.references)
    require_documents(metric, corpus)
    return [Column(metric.name, metric, alone=True)]


def usable_columns(chosen: MetricOptions) -> dict[str, AnyMetric]:
    """Return the metrics of the same columns, and warn of those of all variants that cannot be used."""
    found = columns_of_metrics(chosen)
    if left_out := [column.name for column in found if column.metric is None]:
        warn(f"left out, because something is not installed: {', '.join(left_out)}")
    return {column.name: column.metric for column in found if column.metric is not None}


def counted_parts(
    metrics: Mapping[str, AnyMetric],
    corpus: Corpus,
    limits: Limits,
    threads: int | None,
    columns: Sequence[Column] = (),
) -> Iterator[CountedPart]:
    """Yield the parts of a corpus without texts, and what each metric counts of them, while the next ones are read.

    Warns of text that is not final, and of tokenizers that are not made for it; the latter is noted instead if there
    are several columns.
    """

    def looked_at() -> Iterator[Reading]:
        for each in readings_of(corpus, metrics.values(), limits):
            if each.replaced.first == 0 and not each.replaced.tokenized:
                note_misfits(columns, each.replaced.systems[0])
                is_noted = any(not column.alone for column in columns)
                warn_of_text(each.replaced, () if is_noted else metrics.values())
            yield each

    return counted(metrics, looked_at(), threads or available_cores())


def warn_of_text(start: AlignedSegments, metrics: Iterable[AnyMetric]) -> None:
    """Warn if the first part of a text is not final, or none that the tokenizers of metrics are made for."""
    texts, references = start.systems[0][:SAMPLE], start.references[:SAMPLE]
    firsts = [group if isinstance(group, str) else group[0] for group in references]
    found = (
        misfits(metric.variant.tokenizer.name, metric.tokenize, texts) for metric in metrics if isinstance(metric, Bleu)
    )
    warn(*dict.fromkeys(misfit.warning for of_one in found for misfit in of_one))
    warn(*(list(not_final(texts, "hypotheses")) or foreign_marks(texts, firsts)))
    warn(*not_final(firsts, "references"), *odd_references(texts, references))


@contextmanager
def kept_shard(  # noqa: PLR0913
    path: str,
    metric: AnyMetric,
    level: Level,
    inputs: Mapping[str, Sequence[str]],
    text: TextOptions,
    systems: Sequence[str],
    blocks: Iterable[Units],
) -> Iterator[Shard]:
    """Yield what a file of statistics holds; if there is no file, count the units, and write it at the end.

    ``inputs`` holds the input files by their roles. Raises InputError if the file holds something else, if an input is
    no regular file or has changed since its checksum was computed, or if two systems have one name.
    """
    from bleukit.shards.portable import PortableVariant  # takes long to import
    from bleukit.shards.shard import Shard
    from bleukit.shards.sources import Source, checksum

    files = {name: split_path(name)[0] for paths in inputs.values() for name in paths}
    states = {file: _state(Path(file)) for file in files.values()}
    read = tuple(checksum(name, files[name], role) for role, paths in inputs.items() for name in paths)
    chosen = {role: text.columns.of(role) for role in ("hypothesis", "reference", "system", "document")}
    source = Source(read, {role: names for role, names in chosen.items() if names})
    if os.path.lexists(path):
        shard = Shard.read(path, limits=text.limits)
        problem = shard.counted_otherwise(PortableVariant.of(metric), level) or ", ".join(
            filter(None, (other.difference(source) for other in shard.sources or (Source(),)))
        )
        if problem:
            raise InputError(f"{path}: holds other statistics: {problem}; remove it to count again")
        yield shard
        return
    statistics = _named(systems, [units.rows[metric.name] for units in blocks])
    for file, state in states.items():
        if state != _state(Path(file)):
            raise InputError(f"{file}: changed while it was read")
    shard = Shard.of(metric, statistics, level=level, source=source)
    yield shard
    shard.write(path)


def _named(systems: Sequence[str], blocks: Sequence[Sequence[AdditiveStatistics]]) -> dict[str, AdditiveStatistics]:
    twice = next((name for place, name in enumerate(systems) if name in systems[:place]), None)
    if twice is not None:
        raise InputError(f"two systems are called {twice!r}; their statistics need names")
    return dict(zip(systems, map(AdditiveStatistics.concatenate, zip(*blocks, strict=True)), strict=True))


def _state(file: Path) -> tuple[int, int, int] | None:
    """Return what changes with a file; None if there is none, which is reported when it is read."""
    try:
        state = file.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


def counted_by_spark(
    metrics: Mapping[str, AnyMetric], chosen: MetricOptions, hypotheses: Sequence[str], text: TextOptions, level: Level
) -> tuple[Scoring, Units]:
    """Return what metrics count of text files, or of one Parquet file or folder; without metrics, the chosen one alone.

    Documents are sorted by their names. Raises InputError for what Spark does not count here, and for a row that cannot
    be scored, with its file and its number.
    """
    try:
        return _summed_by_spark(metrics, chosen, hypotheses, text, level)
    except InputError as error:
        if error.__cause__ is not None:  # Spark said so, which knows neither file nor row: reading tells them
            with reading(hypotheses, replace(text, documents=None)) as opened:
                for _ in opened.parts():
                    pass
        raise


def _summed_by_spark(
    metrics: Mapping[str, AnyMetric], chosen: MetricOptions, hypotheses: Sequence[str], text: TextOptions, level: Level
) -> tuple[Scoring, Units]:
    """Return the same, or raise InputError with the partition and the row in it."""
    from bleukit.engines import spark, spark_files  # need an extra

    references = text.references
    if level == "sentence":
        raise InputError("Spark adds up statistics here: give --level corpus or document")
    if any(map(spark_files.is_parquet, hypotheses)) and (references or len(hypotheses) > 1):
        raise InputError("Spark reads one Parquet file or folder here, which has the references")
    if not references and not spark_files.is_parquet(hypotheses[0]):
        raise InputError("Spark reads text files with references, -r, or Parquet that has them")
    with spark_files.spark_errors(), spark_files.session() as session:
        if references:
            opened = [(path, *spark_files.lines(session, path, references)) for path in hypotheses]
        else:
            opened = [(hypotheses[0], *spark_files.parquet(session, hypotheses[0], text.columns))]
        if metrics:
            columns = [Column(*one) for one in metrics.items()]
        else:
            metric = chosen.metric(len(opened[0][2]["reference"]))
            columns = [Column(metric.name, metric, alone=True)]
        found = {}
        for column in columns:
            systems: list[tuple[str, AdditiveStatistics]] = []
            for path, table, names in opened:
                if level == "document" and not names["document"]:
                    raise InputError(f"{path}: which column is the document? Choose by --document-column")
                by = [*names["system"], *(names["document"] if level == "document" else ())]
                counted = spark.statistics(
                    table,
                    hypothesis=names["hypothesis"][0],
                    references=names["reference"],
                    by=by,
                    variant=column.metric,
                )
                systems += _by_system(
                    spark.collected(counted, column.metric), path if not names["system"] else None, level
                )
            found[column.name] = [rows for _, rows in systems]
    return Scoring(columns, [name for name, _ in systems], level), Units.of(found, level)


def _by_system(rows: AdditiveStatistics, name: str | None, level: Level) -> list[tuple[str, AdditiveStatistics]]:
    """Return the rows of each system, given rows by system and document; all are of one system if it has a name."""
    places: dict[str, list[tuple[str, int]]] = {}
    for place, key in enumerate(rows.keys()):
        system, document = key if isinstance(key, tuple) else (key, key)
        places.setdefault(name or str(system), []).append((str(document), place))
    systems = []
    for system, of_system in sorted(places.items()):
        own = rows[[place for _, place in sorted(of_system)]]
        if level == "document":
            own = own.with_keys([document for document, _ in sorted(of_system)])
        systems.append((system, own))
    return systems
