"""What all metrics do with texts: check and count them, at once or in parts, and score the sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from bleukit.framework import arguments
from bleukit.framework.additive import AdditiveStatistics
from bleukit.framework.errors import InputError, InputTypeError, shown
from bleukit.framework.packed import Grouped, PackedTokens
from bleukit.framework.results import MetricScore
from bleukit.framework.segments import Segments
from bleukit.framework.threads import map_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.layouts import Layout
    from bleukit.framework.protocols import References, Text

ScoreT = TypeVar("ScoreT", bound=MetricScore)
RowsT = TypeVar("RowsT", bound=AdditiveStatistics)

Level: TypeAlias = Literal["corpus", "document", "sentence"]

CHUNK = 2048
"""Count this many segments at a time, which bounds the memory that tokens take."""

MANY_CHUNKS = 4
"""Use threads by default from this many chunks: starting them takes longer than a few chunks."""

STREAMED = 8192
"""How many segments of a stream are held at a time."""


def check_level(level: Level) -> None:
    """Raise InputError for what is no level."""
    if level not in {"corpus", "document", "sentence"}:
        raise InputError(f"level: expected 'corpus', 'document' or 'sentence', got {shown(level)}")


class MetricScorer(Protocol):
    """What scores statistics of a metric, at one level."""

    def values(self, statistics: Any) -> NDArray[np.float64]:
        """Return the score of each row, of shape (rows,)."""
        ...

    def values_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of each sum of ``summed_rows()``, given in the shape (sums, columns): shape (sums,)."""
        ...

    def values_of_segments(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sentence score of each row of ``summed_rows()``, that of a single segment."""
        ...

    def gradient(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of the score by the numbers of one sum, of shape (columns,)."""
        ...


def map_chunks(function: Callable[[int], Any], segments: int, size: int, threads: int | None) -> list[Any]:
    """Return what a function returns for the first segment of each chunk of this size.

    Raises InputError unless the number of threads is a whole number of at least 1, or None for the default.
    """
    arguments.check_threads(threads)
    starts = range(0, segments, size)
    threads = threads or (arguments.available_cores() if len(starts) >= MANY_CHUNKS else 1)
    return map_in_order(function, starts, threads)


class Metric(ABC, Generic[ScoreT, RowsT]):
    """A metric, ready to score: :class:`Bleu`, :class:`Chrf` or :class:`Ter`. It can be pickled.

    ``hypotheses`` is a sequence of str, or for BLEU of token lists, to which the tokenizer is not applied.
    ``references[i]`` holds the references of hypothesis i: one, or a sequence of them; with ``references_by="set"`` it
    is a set with one reference of each hypothesis, as sacreBLEU has them. Sequences may be columns of any library that
    exports them to Arrow, such as Polars, pandas, DuckDB and pyarrow; lists in them are several references. If
    references could be either, and fit the hypotheses better by set, they are refused until ``references_by`` says
    "segment" or "set".

    All methods raise InputError (a ValueError), or its subclass InputTypeError (also a TypeError), with the argument
    and the index at fault; and PluginError if a component breaks its contract.
    """

    statistics_class: type[RowsT]
    """The class of its statistics."""

    tokenizer: LoadedComponent | None = None
    """The tokenizer of the texts, None if the metric has none."""

    lower_is_better = False
    """Whether a low score is a good one, because it is a rate of errors: it has no upper bound then."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What tables call it, such as BLEU, chrF2++ or TER."""

    @property
    @abstractmethod
    def max_order(self) -> int:
        """How many numbers a row of statistics has in columns with one for each order."""

    @property
    @abstractmethod
    def signature(self) -> str:
        """The signature of all its scores of texts; it leaves the number of references open."""

    @property
    @abstractmethod
    def counted_by(self) -> Hashable:
        """How it counts texts, as ``counted_by`` says of its statistics."""

    @property
    def label(self) -> str:
        """What its scores say they were computed by: the variant, or the name."""
        return self.name

    @property
    def scale(self) -> int:
        """The score of a perfect text, or what stands for 100 %: 1 or 100."""
        return 100

    @property
    def joins_documents(self) -> bool:
        """Whether the segments of each document are scored as one."""
        return False

    @property
    def _chunk(self) -> int:
        return CHUNK

    @abstractmethod
    def scorer(self, level: Level = "corpus") -> MetricScorer:
        """Return what scores statistics at a level."""

    @abstractmethod
    def scores(self, statistics: RowsT, *, level: Level = "corpus") -> list[ScoreT]:
        """Return the score of each row; at level "sentence" each row is a single segment."""

    @abstractmethod
    def rows(self, segments: Segments, first: int = 0) -> RowsT:
        """Return the statistics of checked segments, one row each; ``first`` is the number of segments before."""

    @abstractmethod
    def tokens_key(self, *, tokenized: bool) -> Hashable:
        """Return what determines tokens: metrics with equal keys make the same. ``tokenized``: of tokens given."""

    @abstractmethod
    def packed_hypotheses(self, texts: Sequence[Any], *, tokenized: bool) -> PackedTokens:
        """Return hypotheses, texts or given tokens, as tokens that :meth:`rows` takes as they are."""

    @abstractmethod
    def packed_references(self, texts: Sequence[Any], *, tokenized: bool) -> PackedTokens:
        """Return references, texts or given tokens, as tokens that :meth:`rows` takes as they are."""

    def corpus(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[References],
        *,
        references_by: Layout | None = None,
        threads: int | None = None,
    ) -> ScoreT:
        """Return the score of all segments together. At least one is needed."""
        segments = arguments.check_segments(hypotheses, references, references_by=references_by)
        return self.score(self._counted(segments.part, len(segments), threads, summed=True))

    def sentence(self, hypothesis: Text, references: References, *, threads: int | None = None) -> ScoreT:
        """Return the score of one segment, against one reference or a sequence of them."""
        arguments.check_threads(threads)
        return self.scores(self.rows(arguments.check_segment(hypothesis, references)), level="sentence")[0]

    def sentences(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[References],
        *,
        references_by: Layout | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Return the score of each segment: shape (segments,), in the scale of the metric."""
        rows = self.statistics(hypotheses, references, references_by=references_by, threads=threads)
        return self.scorer("sentence").values(rows)

    def statistics(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[References],
        *,
        references_by: Layout | None = None,
        threads: int | None = None,
        first: int = 0,
    ) -> RowsT:
        """Return the sufficient statistics, one row per segment.

        They are the same for any number of threads; by default that is the number of cores, for many segments.
        ``first`` is the number of segments before these, if they are part of a whole: errors count from there.
        """
        segments = arguments.check_segments(hypotheses, references, first, references_by)
        return self._counted(segments.part, len(segments), threads, first=first)

    def prepare(
        self, references: Sequence[References], *, tokens: bool = False, threads: int | None = None
    ) -> Prepared[ScoreT]:
        """Return the references tokenized, to score any number of systems against them.

        ``tokens`` says that a reference is a list of tokens, not text.
        """
        arguments.check_threads(threads)
        groups = arguments.check_references(references, tokenized=tokens)

        def chunk(start: int) -> Grouped[Text]:
            some = groups[start : start + self._chunk]
            return Grouped(self.packed_references(some.items, tokenized=tokens), some.ends)

        return Prepared(self, map_chunks(chunk, len(groups), self._chunk, threads), tokenized=tokens)

    def score(self, statistics: RowsT, *, level: Level = "corpus") -> ScoreT:
        """Return the score of the sum of all rows; at least one segment is needed.

        ``level`` "sentence" applies what a variant of BLEU does differently for single segments.
        """
        statistics = self._checked(statistics)
        if not len(statistics):
            raise InputError("no segment to score")
        return self.scores(statistics.sum(), level=level)[0]

    def require_no_last_segment(self, why: str) -> None:
        """Raise InputError, which says why, if scores depend on the last segment of a text; few of BLEU do."""

    def accumulator(self, level: Level = "corpus") -> Accumulator[ScoreT]:
        """Return an accumulator, which takes segments in parts: batches, streams, shards."""
        return Accumulator(self, level)

    def _checked(self, statistics: RowsT) -> RowsT:
        if not isinstance(statistics, self.statistics_class):
            expected = self.statistics_class.__name__
            raise InputTypeError(f"statistics: expected {expected}, got {shown(statistics)}")
        return statistics

    def _counted(
        self,
        part: Callable[[int, int], Segments],
        number: int,
        threads: int | None,
        *,
        first: int = 0,
        summed: bool = False,
    ) -> RowsT:
        """Return the statistics of so many segments, of which ``part`` returns those between two places.

        They have a row for each segment or, which takes less memory, one for each chunk of them.
        """

        def chunk(start: int) -> RowsT:
            rows = self.rows(part(start, start + self._chunk), first + start)
            return rows.sum() if summed else rows

        return self.statistics_class.concatenate(map_chunks(chunk, number, self._chunk, threads) or [chunk(0)])


AnyMetric: TypeAlias = Metric[Any, Any]
"""A metric, whatever its scores and statistics."""


class Prepared(Generic[ScoreT]):
    """References that are tokenized already; made by the method ``prepare`` of a metric.

    Hypotheses are texts, or token lists if the references are token lists.
    """

    def __init__(self, metric: Metric[ScoreT, Any], chunks: Sequence[Grouped[Text]], *, tokenized: bool) -> None:
        self.metric = metric
        self._chunks = chunks
        self._tokenized = tokenized

    def __len__(self) -> int:
        return sum(map(len, self._chunks))

    def __repr__(self) -> str:
        return f"<Prepared: references of {len(self)} segments, {self.metric.label}>"

    def corpus(self, hypotheses: Sequence[Text], *, threads: int | None = None) -> ScoreT:
        """Return the score of all segments together, as :meth:`Metric.corpus`."""
        return self.metric.score(self._counted(hypotheses, threads, 0, summed=True))

    def sentences(self, hypotheses: Sequence[Text], *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the score of each segment, as :meth:`Metric.sentences`."""
        return self.metric.scorer("sentence").values(self.statistics(hypotheses, threads=threads))

    def statistics(self, hypotheses: Sequence[Text], *, threads: int | None = None, first: int = 0) -> Any:
        """Return one row per segment, as :meth:`Metric.statistics`."""
        return self._counted(hypotheses, threads, first)

    def _counted(self, hypotheses: Sequence[Text], threads: int | None, first: int, *, summed: bool = False) -> Any:
        texts = arguments.check_hypotheses(hypotheses, len(self), tokenized=self._tokenized, first=first)

        def part(start: int, stop: int) -> Segments:
            references = self._chunks[start // (stop - start)] if self._chunks else Grouped([], array("q"))
            return Segments(texts[start:stop], references, tokenized=self._tokenized)

        return self.metric._counted(part, len(self), threads, first=first, summed=summed)


class Accumulator(Generic[ScoreT]):
    """Adds up the statistics of segments that come in parts; made by the method ``accumulator`` of a metric.

    At level "corpus" it keeps one row, whatever comes in; at level "document" one row per document, and at level
    "sentence" one per segment. It can be pickled, and merged with another of the same variant and level.
    """

    def __init__(self, metric: Metric[ScoreT, Any], level: Level = "corpus") -> None:
        check_level(level)
        self.metric = metric
        self.level = level
        self.segments = 0
        self._kind = metric.statistics_class
        self._parts = [self._kind.empty(metric.max_order)]
        # The last row that was added, which need not be of the last document, if the sum depends on it.
        self._last: AdditiveStatistics | None = None

    def __repr__(self) -> str:
        return f"<Accumulator: {self.segments} segments, level {self.level}, {self.metric.label}>"

    def update(
        self,
        hypotheses: Iterable[Text],
        references: Iterable[References],
        *,
        documents: Iterable[Hashable] | None = None,
        threads: int | None = None,
    ) -> Accumulator[ScoreT]:
        """Count more segments and return the accumulator itself.

        ``hypotheses`` and ``references`` are as for :meth:`bleukit.Metric.corpus`, references by segment, or streams of
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
            rows = self.metric.statistics(first, ids[0], references_by="segment", threads=threads, first=self.segments)
            self.add(rows, documents=ids[1] if documents is not None else None)
        return self

    def add(self, statistics: Any, *, documents: Sequence[Hashable] | None = None) -> Accumulator[ScoreT]:
        """Add rows that were counted already, one per segment, and return the accumulator itself."""
        if not isinstance(statistics, self._kind):
            raise InputTypeError(f"statistics: expected {self._kind.__name__}, got {shown(statistics)}")
        if (documents is not None) != (self.level == "document"):
            raise InputError(f"documents: level {self.level!r} needs {'them' if documents is None else 'none'}")
        if self.level == "corpus":
            statistics = statistics.sum()
        elif documents is not None:
            if statistics.has_order and len(statistics):
                self._last = statistics[-1:]
            statistics = statistics.by_document(documents)
        self.segments += sum(statistics.column("segments"))
        self._parts.append(statistics)
        if self.level != "sentence" and sum(map(len, self._parts[1:])) > max(STREAMED, len(self._parts[0])):
            self._parts = [self.statistics]
        return self

    def merge(self, other: Accumulator[ScoreT]) -> Accumulator[ScoreT]:
        """Append what another accumulator has counted, and return this one.

        Raises InputError if it counts differently or has another level.
        """
        if not isinstance(other, Accumulator) or other.level != self.level:
            raise InputError(f"other: expected an Accumulator of level {self.level!r}, got {shown(other)}")
        self._parts = [self._kind.concatenate([self.statistics, other.statistics])]
        self._parts = [self.statistics]
        self._last = other._last or self._last
        self.segments += other.segments
        return self

    @property
    def statistics(self) -> Any:
        """All rows: one of the corpus, one per document with the documents as keys, or one per segment."""
        rows = self._kind.concatenate(self._parts)
        if self.level == "corpus":
            return rows.sum()
        return rows.by_document(rows.keys()) if self.level == "document" and len(rows) else rows

    def compute(self) -> ScoreT:
        """Return the score of all segments together; at least one is needed."""
        return self.metric.score(self.statistics.sum(self._last))

    def scores(self) -> list[ScoreT]:
        """Return the score of each row: of the corpus, of each document, or of each segment."""
        return self.metric.scores(self.statistics, level=self.level)


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


def names_of(rows: AdditiveStatistics, level: Level) -> list[str] | None:
    """Return what documents or sentences are called, None if they are numbered."""
    return list(map(str, rows.keys())) if level != "corpus" and rows.has_keys else None


def unit_names(names: Sequence[str] | None, before: int, size: int) -> Sequence[str]:
    """Return the names of ``size`` units or, if they have none, their numbers; so many units stand ``before`` them."""
    return names or list(map(str, range(before + 1, before + 1 + size)))
