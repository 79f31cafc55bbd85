"""Several metrics count a text of several systems at once: what they have in common is computed once."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bleukit.corpus.shared_text import SharedText
from bleukit.framework.errors import InputError
from bleukit.framework.threads import map_while_reading
from bleukit.reading.corpora import Reading, documents_of, read_whole

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping

    from bleukit.framework.additive import AdditiveStatistics
    from bleukit.framework.metric import AnyMetric
    from bleukit.framework.packed import PackedTokens
    from bleukit.reading.aligned_segments import AlignedSegments
    from bleukit.reading.corpora import Corpus
    from bleukit.reading.files import Limits

CHUNK, LARGE = 1024, 2048
"""The number of segments of which tokens are held at a time, by all tokenizers, and the number if there is one."""

Rows: TypeAlias = "dict[str, list[AdditiveStatistics] | InputError]"
"""The statistics of each system by the names of the metrics, or why a metric cannot count them."""


class CountedPart(NamedTuple):
    """Some segments without their texts, or documents that are joined, and the statistics of them: a row each."""

    segments: AlignedSegments
    rows: Rows


def readings_of(corpus: Corpus, metrics: Collection[AnyMetric], limits: Limits) -> Iterable[Reading]:
    """Return the readings of a corpus, some segments each; all at once if a metric joins documents."""
    if any(metric.joins_documents for metric in metrics) or (corpus.has_entities and len(metrics) > 1):
        return [read_whole(corpus, limits)]
    return map(Reading, corpus.parts(*(metric.tokenizer.call for metric in metrics if metric.tokenizer)))


def counted(metrics: Mapping[str, AnyMetric], readings: Iterable[Reading], threads: int) -> Iterator[CountedPart]:
    """Yield what metrics count: documents, if some join these, then all segments, some while the next are read.

    If :func:`readings_of` says so, there is one reading. Metrics that join documents need to know these.
    """
    joining = {name: metric for name, metric in metrics.items() if metric.joins_documents}
    others = {name: metric for name, metric in metrics.items() if name not in joining}
    if joining:
        readings = list(readings)
        yield from _counted(joining, [reading.of_each(documents_of) for reading in readings], threads)
    if others or not joining:
        yield from _counted(others, readings, threads)


def _counted(metrics: Mapping[str, AnyMetric], readings: Iterable[Reading], threads: int) -> Iterator[CountedPart]:
    highest_orders_first = dict(sorted(metrics.items(), key=lambda item: -item[1].max_order))
    size = max(CHUNK, LARGE // max(len(metrics), 1))
    parts = chain.from_iterable(reading.parts(size) for reading in readings)
    return map_while_reading(partial(_counted_part, highest_orders_first), parts, threads)


def _counted_part(metrics: Mapping[str, AnyMetric], reading: Reading, _threads: int) -> CountedPart:
    """Return the rows of some segments of all systems; the references are tokenized once."""
    references: dict[Hashable, PackedTokens] = {}
    rows: Rows = {}
    readers = reading.readers()
    is_shared = len(metrics) > 1 or len(readers) > 1
    for read in readers:
        text = SharedText(read, references)
        for name, metric in metrics.items():
            known = rows.setdefault(name, [])
            if not isinstance(known, InputError):
                given = read(metric.tokenizer)  # what is wrong with the text itself is no fault of a metric
                try:
                    segments = text.tokens(metric) if is_shared else given
                    known.append(metric.rows(segments, reading.replaced.first))
                except InputError as error:
                    rows[name] = error
    return CountedPart(reading.replaced.without_texts(), rows)
