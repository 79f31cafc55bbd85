"""Several variants count a text at once: what they have in common is computed once."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bleukit.bleu import Bleu
from bleukit.counting.shared_text import SharedText
from bleukit.counting.threads import map_while_reading
from bleukit.errors import InputError
from bleukit.text.corpora import Reading, documents_of, read_whole

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from bleukit.additive import AdditiveStatistics
    from bleukit.counting.packed import PackedTokens
    from bleukit.metric import AnyMetric
    from bleukit.text.aligned_segments import AlignedSegments
    from bleukit.text.corpora import Corpus
    from bleukit.text.files import Limits

CHUNK, LARGE = 1024, 4096
"""The number of segments of which tokens are held at a time, by all tokenizers, and the number if there is one."""

Rows: TypeAlias = "dict[str, list[AdditiveStatistics] | InputError]"
"""The statistics of each system by the names of the variants, or why a variant cannot count them."""


class VariantCounts(NamedTuple):
    """Some segments without their texts, or documents that are joined, and what variants count of them: a row each."""

    segments: AlignedSegments
    rows: Rows


def readings_of(corpus: Corpus, metrics: Iterable[AnyMetric], limits: Limits) -> Iterable[Reading]:
    """Return the readings of a corpus, some segments each; all at once if a variant joins documents."""
    if corpus.has_entities or any(metric.joins_documents for metric in metrics):
        return [read_whole(corpus, limits)]
    return map(Reading, corpus.parts())


def counted(metrics: Mapping[str, AnyMetric], readings: Iterable[Reading], threads: int) -> Iterator[VariantCounts]:
    """Yield what variants count: documents, if some join these, then all segments, some while the next are read.

    If :func:`readings_of` says so, there is one reading. Variants that join documents need to know these.
    """
    joining = {name: metric for name, metric in metrics.items() if metric.joins_documents}
    others = {name: metric for name, metric in metrics.items() if name not in joining}
    if joining:
        readings = list(readings)
        yield from _counted(joining, [reading.of_each(documents_of) for reading in readings], threads)
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
