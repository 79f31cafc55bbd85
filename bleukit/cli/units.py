"""What ``bleukit score`` scores: the statistics of a corpus, of its documents, or of its sentences."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import click

from bleukit.counting.threads import map_while_reading
from bleukit.errors import InputError
from bleukit.inspecting.misfits import misfits
from bleukit.metric import Bleu
from bleukit.text.arguments import available_cores

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bleukit.accumulator import Level
    from bleukit.comparing.written import Comparison
    from bleukit.shards.shard import Shard
    from bleukit.statistics import Statistics
    from bleukit.text.aligned_segments import AlignedSegments
    from bleukit.text.corpora import Corpus

CountedPart: TypeAlias = "tuple[AlignedSegments, list[Statistics]]"
"""A part of a corpus without its texts, and the statistics of each system: one row per segment."""

PIECE = 4096
"""How many documents or sentences are scored and written at a time."""


class Units(NamedTuple):
    """Some units, documents or sentences; or the whole corpus as one unit.

    ``rows`` holds the statistics of each system, one row per unit. ``names`` are those of the units, None or empty if
    they are numbered. ``comparison`` holds the intervals of a corpus score, if they were asked for.
    """

    rows: Sequence[Statistics]
    names: Sequence[str] | None = None
    comparison: Comparison | None = None


def counted_segments(bleu: Bleu, corpus: Corpus, threads: int | None) -> Iterator[CountedPart]:
    """Yield the parts of a corpus, each counted while the next ones are read."""
    parts = _looked_at(bleu, corpus.parts(bleu.tokenize))
    if bleu.counts_whole_texts:
        return map(partial(_counted_in_order, [bleu.for_text() for _ in corpus.systems]), parts)
    return map_while_reading(partial(_counted_part, bleu), parts, threads or available_cores())


def _looked_at(bleu: Bleu, parts: Iterable[AlignedSegments]) -> Iterator[AlignedSegments]:
    """Yield the parts of a corpus; warn if the tokenizer is not made for the first."""
    for part in parts:
        if part.first == 0:
            for misfit in misfits(bleu, part.systems[0]):
                click.echo(f"bleukit: warning: {misfit.warning}", err=True)
        yield part


def _counted_part(bleu: Bleu, part: AlignedSegments, threads: int) -> CountedPart:
    """Count a part; for several systems the references are tokenized once."""
    count = (
        partial(bleu.statistics, references=part.references, references_by="segment")
        if len(part.systems) == 1
        else bleu.prepare(part.references, threads=threads).statistics
    )
    rows = [count(texts, threads=threads, first=part.first) for texts in part.systems]
    return part.without_texts(), rows


def _counted_in_order(bleus: Sequence[Bleu], part: AlignedSegments) -> CountedPart:
    """Count a part of each system by its own variant, which has counted the parts before."""
    count = partial(Bleu.statistics, references=part.references, references_by="segment", threads=1, first=part.first)
    rows = [count(bleu, texts) for bleu, texts in zip(bleus, part.systems, strict=True)]
    return part.without_texts(), rows


def units_of_segments(bleu: Bleu, level: Level, systems: int, segments: Iterable[CountedPart]) -> Iterator[Units]:
    """Yield the units of so many systems: sentences as they come, documents and the corpus when all is counted."""
    if level == "sentence":
        yield from (Units(rows, part.names) for part, rows in segments)
        return
    accumulators = [bleu.accumulator(level) for _ in range(systems)]
    for part, rows in segments:
        for accumulator, of_system in zip(accumulators, rows, strict=True):
            accumulator.add(of_system, documents=part.documents if level == "document" else None)
    sums = [accumulator.statistics for accumulator in accumulators]
    yield Units(sums, names_of(sums[0], level))


def units_of_shard(shard: Shard) -> Units:
    """Return the units whose statistics a file holds."""
    rows = list(shard.statistics.values())
    return Units(rows, names_of(rows[0], shard.level))


def names_of(rows: Statistics, level: Level) -> list[str] | None:
    """Return what documents or sentences are called, None if they are numbered."""
    return list(map(str, rows.keys())) if level != "corpus" and rows.has_keys else None


def in_pieces(blocks: Iterable[Units]) -> Iterator[Units]:
    """Yield at most PIECE units at a time, with names: numbers, from 1, if they have no others.

    Raises InputError if there is no unit.
    """
    before = 0
    for block in blocks:
        size = len(block.rows[0])
        names = block.names or list(map(str, range(before + 1, before + 1 + size)))
        for start in range(0, size, PIECE):
            piece = slice(start, start + PIECE)
            yield Units([rows[piece] for rows in block.rows], names[piece], block.comparison)
        before += size
    if not before:
        raise InputError("no segment to score")
