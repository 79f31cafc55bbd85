"""Statistics of text that comes in parts: batches, streams, shards."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from bleukit.errors import InputError, InputTypeError, shown
from bleukit.statistics import Statistics
from bleukit.text import arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from bleukit.protocols import References, Text
    from bleukit.scoring import Score

Level: TypeAlias = Literal["corpus", "document", "sentence"]

STREAMED = 8192
"""How many segments of a stream are held at a time."""


class _Metric(Protocol):
    """What an accumulator asks of a :class:`bleukit.Bleu`."""

    max_order: int

    @property
    def counts_whole_texts(self) -> bool: ...

    @property
    def label(self) -> str: ...

    @property
    def statistics(self) -> Callable[..., Statistics]: ...

    def score(self, statistics: Statistics) -> Score: ...

    def scores(self, statistics: Statistics, *, level: Level) -> list[Score]: ...


class Accumulator:
    """Adds up the statistics of segments that come in parts; made by :meth:`bleukit.Bleu.accumulator`.

    At level "corpus" it keeps one row, whatever comes in; at level "document" one row per document, and at level
    "sentence" one per segment. It can be pickled, and merged with another of the same variant and level.
    """

    def __init__(self, bleu: _Metric, level: Level = "corpus") -> None:
        if level not in {"corpus", "document", "sentence"}:
            raise InputError(f"level: expected 'corpus', 'document' or 'sentence', got {shown(level)}")
        self.bleu = bleu
        self.level = level
        self.segments = 0
        self._parts = [Statistics.empty(bleu.max_order)]
        self._last: Statistics | None = None  # the last row that was added, which need not be of the last document

    def __repr__(self) -> str:
        return f"<Accumulator: {self.segments} segments, level {self.level}, {self.bleu.label}>"

    def update(
        self,
        hypotheses: Iterable[Text],
        references: Iterable[References],
        *,
        documents: Iterable[Hashable] | None = None,
        threads: int | None = None,
    ) -> Accumulator:
        """Count more segments and return the accumulator itself.

        ``hypotheses`` and ``references`` are as for :meth:`bleukit.Bleu.corpus`, references by segment, or streams of
        the same: any iterables, read STREAMED segments at a time. ``documents`` names the document of each segment, at
        level "document". Raises InputError, with the number of the segment counted from the first ever, for input that
        cannot be scored; what came before it in the same call may have been counted.
        """
        streams = [arguments.check_stream(hypotheses, "hypotheses"), arguments.check_stream(references, "references")]
        names = ["hypotheses", "references"]
        if documents is not None:
            streams.append(arguments.check_stream(documents, "documents"))
            names.append("documents")
        for first, *ids in _chunks(streams, names):
            rows = self.bleu.statistics(first, ids[0], references_by="segment", threads=threads, first=self.segments)
            self.add(rows, documents=ids[1] if documents is not None else None)
        return self

    def add(self, statistics: Statistics, *, documents: Sequence[Hashable] | None = None) -> Accumulator:
        """Add rows that were counted already, one per segment, and return the accumulator itself."""
        if not isinstance(statistics, Statistics):
            raise InputTypeError(f"statistics: expected Statistics, got {shown(statistics)}")
        if (documents is not None) != (self.level == "document"):
            raise InputError(f"documents: level {self.level!r} needs {'them' if documents is None else 'none'}")
        if self.level == "corpus":
            statistics = statistics.sum()
        elif documents is not None:
            self._last = statistics[-1:] if len(statistics) else self._last
            statistics = statistics.by_document(documents)
        self.segments += sum(statistics.column("segments"))
        self._parts.append(statistics)
        if self.level != "sentence" and sum(map(len, self._parts[1:])) > max(STREAMED, len(self._parts[0])):
            self._parts = [self.statistics]
        return self

    def merge(self, other: Accumulator) -> Accumulator:
        """Append what another accumulator has counted, and return this one.

        Raises InputError if it counts otherwise or has another level.
        """
        if not isinstance(other, Accumulator) or other.level != self.level:
            raise InputError(f"other: expected an Accumulator of level {self.level!r}, got {shown(other)}")
        if self.bleu.counts_whole_texts and self.segments and other.segments:
            raise InputError(f"{self.bleu.label} counts whole texts: what was counted in parts cannot be merged")
        self._parts = [Statistics.concatenate([self.statistics, other.statistics])]
        self._parts = [self.statistics]
        self._last = other._last or self._last
        self.segments += other.segments
        return self

    @property
    def statistics(self) -> Statistics:
        """All rows: one of the corpus, one per document with the documents as keys, or one per segment."""
        rows = Statistics.concatenate(self._parts)
        if self.level == "corpus":
            return rows.sum()
        return rows.by_document(rows.keys()) if self.level == "document" and len(rows) else rows

    def compute(self) -> Score:
        """Return the score of all segments together; at least one is needed."""
        return self.bleu.score(self.statistics.sum(self._last))

    def scores(self) -> list[Score]:
        """Return the score of each row: of the corpus, of each document, or of each segment."""
        return self.bleu.scores(self.statistics, level=self.level)


def _chunks(streams: Sequence[Iterator[Any]], names: Sequence[str]) -> Iterator[list[list[Any]]]:
    """Return some items of each stream at a time. Raises InputError if one ends before another."""
    taken = 0
    while True:
        chunk = [list(islice(stream, STREAMED)) for stream in streams]
        lengths = [len(items) for items in chunk]
        if len(set(lengths)) > 1:
            shorter, longer = lengths.index(min(lengths)), lengths.index(max(lengths))
            raise InputError(f"{names[shorter]} end after {taken + lengths[shorter]} items, {names[longer]} go on")
        if not lengths[0]:
            return
        yield chunk
        taken += lengths[0]


def names_of(rows: Statistics, level: Level) -> list[str] | None:
    """Return what documents or sentences are called, None if they are numbered."""
    return list(map(str, rows.keys())) if level != "corpus" and rows.has_keys else None


def unit_names(names: Sequence[str] | None, before: int, size: int) -> Sequence[str]:
    """Return the names of ``size`` units or, if they have none, their numbers; so many units stand ``before`` them."""
    return names or list(map(str, range(before + 1, before + 1 + size)))
