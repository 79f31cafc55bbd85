"""Several variants count a text at once: what they have in common is computed once."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bleukit.bleu import Bleu
from bleukit.counting.shared_text import SharedText
from bleukit.counting.threads import map_while_reading
from bleukit.errors import InputError
from bleukit.text import corpora
from bleukit.text.corpora import documents_of
from bleukit.text.evaluation_sets import all_replace_entities

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from bleukit.additive import AdditiveStatistics
    from bleukit.counting.packed import PackedTokens
    from bleukit.counting.shared_text import SegmentsReader
    from bleukit.metric import AnyMetric
    from bleukit.text.aligned_segments import AlignedSegments
    from bleukit.text.corpora import Corpus
    from bleukit.text.files import Limits

CHUNK, LARGE = 1024, 4096
"""The number of segments of which tokens are held at a time, by all tokenizers, and the number if there is one."""

Rows: TypeAlias = "dict[str, list[AdditiveStatistics] | InputError]"
"""The statistics of each system by the names of the variants, or why a variant cannot count them."""


class Reading(NamedTuple):
    """Some segments of all systems: with SGML's entities replaced, and as they stand; one object if there are none."""

    replaced: AlignedSegments
    as_they_stand: AlignedSegments

    @property
    def is_one(self) -> bool:
        """Whether both are one object."""
        return self.replaced is self.as_they_stand

    def parts(self, size: int) -> Iterator[Reading]:
        """Yield so many segments at a time."""
        for start in range(0, len(self.replaced.references), size):
            replaced = self.replaced.part(start, start + size)
            yield Reading(replaced, replaced if self.is_one else self.as_they_stand.part(start, start + size))

    def readers(self) -> list[SegmentsReader]:
        """Return, for each system, a function that returns its text as a tokenizer reads it."""

        def reader(system: int) -> SegmentsReader:
            segments = [text.of_system(system) for text in self]
            return lambda tokenizer: segments[
                tokenizer is not None and not self.is_one and all_replace_entities([tokenizer.call])
            ]

        return list(map(reader, range(len(self.replaced.systems))))


class VariantCounts(NamedTuple):
    """Some segments without their texts, or documents that are joined, and what variants count of them: a row each."""

    segments: AlignedSegments
    rows: Rows


def readings_of(corpus: Corpus, metrics: Iterable[AnyMetric], limits: Limits) -> Iterable[Reading]:
    """Return the readings of a corpus, some segments each; all at once if a variant joins documents."""
    if corpus.has_entities or any(metric.joins_documents for metric in metrics):
        return [Reading(*corpora.readings(corpus, limits))]
    return (Reading(part, part) for part in corpus.parts())


def counted(metrics: Mapping[str, AnyMetric], readings: Iterable[Reading], threads: int) -> Iterator[VariantCounts]:
    """Yield what variants count: documents, if some join these, then all segments, some while the next are read.

    If :func:`readings_of` says so, there is one reading. Variants that join documents need to know these.
    """
    joining = {name: metric for name, metric in metrics.items() if metric.joins_documents}
    others = {name: metric for name, metric in metrics.items() if name not in joining}
    if joining:
        readings = list(readings)
        yield from _counted(joining, map(_of_documents, readings), threads)
    yield from _counted(others, readings, threads)


def _counted(metrics: Mapping[str, AnyMetric], readings: Iterable[Reading], threads: int) -> Iterator[VariantCounts]:
    highest_orders_first = dict(sorted(metrics.items(), key=lambda item: -item[1].max_order))
    size = max(CHUNK, LARGE // max(len(metrics), 1))
    parts = chain.from_iterable(reading.parts(size) for reading in readings)
    return map_while_reading(partial(_counted_part, highest_orders_first), parts, threads)


def _counted_part(metrics: Mapping[str, AnyMetric], reading: Reading, _threads: int) -> VariantCounts:
    """Return the rows of some segments of all systems; the references are tokenized once."""
    references: dict[Hashable, PackedTokens] = {}
    rows: Rows = {}
    for read in reading.readers():
        text = SharedText(read, first=reading.replaced.first, references=references)
        for name, metric in metrics.items():
            known = rows.setdefault(name, [])
            if not isinstance(known, InputError):
                # What is wrong with the text itself is no fault of a variant.
                text.read(metric.components["tokenizer"] if isinstance(metric, Bleu) else None)
                try:
                    known.append(metric.count(text))
                except InputError as error:
                    rows[name] = error
    return VariantCounts(reading.replaced.without_texts(), rows)


def _of_documents(reading: Reading) -> Reading:
    """Return the documents of a text as segments."""
    replaced = documents_of(reading.replaced)
    return Reading(replaced, replaced if reading.is_one else documents_of(reading.as_they_stand))
