"""What ``bleukit score`` scores: a corpus, its documents or its sentences, counted here, by Spark, or before."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bleukit.additive import AdditiveStatistics
from bleukit.bleu import Bleu
from bleukit.cli import tables
from bleukit.cli.options import chosen_columns, chosen_limits, chosen_metric
from bleukit.cli.reading import print_warnings, reading
from bleukit.comparing.system_sums import SystemSums
from bleukit.counting.threads import map_while_reading
from bleukit.errors import InputError
from bleukit.metric import names_of, unit_names
from bleukit.text.arguments import available_cores
from bleukit.text.misfits import SAMPLE, foreign_marks, misfits, not_final, odd_references
from bleukit.text.paths import split_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.comparing.settings import Settings
    from bleukit.comparing.written import Comparison
    from bleukit.metric import AnyMetric, Level
    from bleukit.shards.shard import Shard
    from bleukit.text.aligned_segments import AlignedSegments
    from bleukit.text.corpora import Corpus


CountedPart: TypeAlias = "tuple[AlignedSegments, list[Any]]"
"""A part of a corpus without its texts, and the statistics of each system: one row per segment."""


class Units(NamedTuple):
    """Some units, documents or sentences; or the whole corpus as one unit.

    ``rows`` holds the statistics of each system, one row per unit. ``names`` are those of the units, None or empty if
    they are numbered. ``comparison`` holds the intervals of a corpus score, if they were asked for.
    """

    rows: Sequence[Any]
    names: Sequence[str] | None = None
    comparison: Comparison | None = None


def counted_segments(metric: AnyMetric, corpus: Corpus, threads: int | None) -> Iterator[CountedPart]:
    """Yield the parts of a corpus, each counted while the next ones are read."""

    def parts() -> Iterator[AlignedSegments]:
        for part in corpus.parts(*([metric.tokenize] if isinstance(metric, Bleu) else [])):
            warn_of_text(part, [metric])
            yield part

    return map_while_reading(partial(_counted_part, metric), parts(), threads or available_cores())


def warn_of_text(part: AlignedSegments, metrics: Iterable[AnyMetric]) -> None:
    """Warn if the first part of a text is not final, or none that the tokenizers of metrics are made for."""
    if part.first:
        return
    texts, references = part.systems[0], part.references[:SAMPLE]
    firsts = [group if isinstance(group, str) else group[0] for group in references]
    found = (
        misfits(metric.variant.tokenizer.name, metric.tokenize, texts) for metric in metrics if isinstance(metric, Bleu)
    )
    print_warnings(dict.fromkeys(misfit.warning for of_one in found for misfit in of_one))
    print_warnings(list(not_final(texts, "hypotheses")) or foreign_marks(texts, firsts))
    print_warnings(chain(not_final(firsts, "references"), odd_references(texts, references)))


def _counted_part(metric: AnyMetric, part: AlignedSegments, threads: int) -> CountedPart:
    """Count a part; for several systems the references are tokenized once."""
    count = (
        partial(metric.statistics, references=part.references, references_by="segment")
        if len(part.systems) == 1
        else metric.prepare(part.references, threads=threads).statistics
    )
    rows = [count(texts, threads=threads, first=part.first) for texts in part.systems]
    return part.without_texts(), rows


def units_of_segments(
    metric: AnyMetric, level: Level, systems: int, segments: Iterable[CountedPart], intervals: Settings | None = None
) -> Iterator[Units]:
    """Yield the units of so many systems: sentences as they come, documents and the corpus when all is counted."""
    if level == "sentence":
        yield from (Units(rows, part.names) for part, rows in segments)
        return
    sums = SystemSums(metric, level, systems, intervals)
    for part, rows in segments:
        sums.add(part, rows)
    yield Units(sums.rows, names_of(sums.rows[0], level), sums.compared())


def units_of_shard(shard: Shard) -> Units:
    """Return the units whose statistics a file holds."""
    rows = list(shard.statistics.values())
    return Units(rows, names_of(rows[0], shard.level))


def in_pieces(blocks: Iterable[Units]) -> Iterator[Units]:
    """Yield at most PIECE units at a time, with names: numbers, from 1, if they have no others.

    Raises InputError if there is no unit.
    """
    before = 0
    for block in blocks:
        size = len(block.rows[0])
        names = unit_names(block.names, before, size)
        for start in range(0, size, tables.PIECE):
            piece = slice(start, start + tables.PIECE)
            yield Units([rows[piece] for rows in block.rows], names[piece], block.comparison)
        before += size
    if not before:
        raise InputError("no segment to score")


@contextmanager
def kept_shard(  # noqa: PLR0913
    path: str,
    metric: AnyMetric,
    level: Level,
    inputs: Mapping[str, Sequence[str]],
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
    chosen = {role: chosen_columns().of(role) for role in ("hypothesis", "reference", "system", "document")}
    source = Source(read, {role: names for role, names in chosen.items() if names})
    if os.path.lexists(path):
        shard = Shard.read(path, limits=chosen_limits())
        problem = shard.counted_otherwise(PortableVariant.of(metric), level) or ", ".join(
            filter(None, (other.difference(source) for other in shard.sources or (Source(),)))
        )
        if problem:
            raise InputError(f"{path}: holds other statistics: {problem}; remove it to count again")
        yield shard
        return
    statistics = _named(systems, list(blocks))
    for file, state in states.items():
        if state != _state(Path(file)):
            raise InputError(f"{file}: changed while it was read")
    shard = Shard.of(metric, statistics, level=level, source=source)
    yield shard
    shard.write(path)


def _named(systems: Sequence[str], blocks: Sequence[Units]) -> dict[str, AdditiveStatistics]:
    twice = next((name for place, name in enumerate(systems) if name in systems[:place]), None)
    if twice is not None:
        raise InputError(f"two systems are called {twice!r}; their statistics need names")
    names = list(chain.from_iterable(block.names or () for block in blocks))
    rows = map(AdditiveStatistics.concatenate, zip(*(block.rows for block in blocks), strict=True))
    return {
        system: of_system.with_keys(names) if names else of_system
        for system, of_system in zip(systems, rows, strict=True)
    }


def _state(file: Path) -> tuple[int, int, int] | None:
    """Return what changes with a file; None if there is none, which is reported when it is read."""
    try:
        state = file.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


BySpark: TypeAlias = "tuple[list[str], list[tuple[AnyMetric, Units]]]"
"""The names of systems, and metrics with what each counted of them."""


def counted_by_spark(
    metrics: Sequence[AnyMetric], hypotheses: Sequence[str], references: Sequence[str], level: Level
) -> BySpark:
    """Return what metrics count of text files, or of one Parquet file or folder; without metrics, the chosen one.

    Documents are sorted by their names. Raises InputError for what Spark does not count here, and for a row that cannot
    be scored, with its file and its number.
    """
    try:
        return _summed_by_spark(metrics, hypotheses, references, level)
    except InputError as error:
        if error.__cause__ is not None:  # Spark said so, which knows neither file nor row: reading tells them
            with reading(hypotheses, references, None) as opened:
                for _ in opened.parts():
                    pass
        raise


def _summed_by_spark(
    metrics: Sequence[AnyMetric], hypotheses: Sequence[str], references: Sequence[str], level: Level
) -> BySpark:
    """Return the same, or raise InputError with the partition and the row in it."""
    from bleukit.engines import spark, spark_files  # need an extra

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
            opened = [(hypotheses[0], *spark_files.parquet(session, hypotheses[0], chosen_columns()))]
        found = []
        for metric in metrics or [chosen_metric(len(opened[0][2]["reference"]))[0]]:
            systems: list[tuple[str, AdditiveStatistics]] = []
            for path, table, names in opened:
                if level == "document" and not names["document"]:
                    raise InputError(f"{path}: which column is the document? Choose by --document-column")
                by = [*names["system"], *(names["document"] if level == "document" else ())]
                counted = spark.statistics(
                    table, hypothesis=names["hypothesis"][0], references=names["reference"], by=by, variant=metric
                )
                systems += _by_system(spark.collected(counted, metric), path if not names["system"] else None, level)
            rows = [of_system for _, of_system in systems]
            found.append((metric, Units(rows, names_of(rows[0], level))))
    return [name for name, _ in systems], found


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
