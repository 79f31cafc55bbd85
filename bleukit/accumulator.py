"""Statistics of text that comes in parts: batches, streams, shards."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from bleukit.errors import InputError, InputTypeError, shown
from bleukit.text import arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.additive import AdditiveStatistics
    from bleukit.counting.shared_text import SharedText
    from bleukit.protocols import References, Text
    from bleukit.results import MetricScore

ScoreT = TypeVar("ScoreT")

Level: TypeAlias = Literal["corpus", "document", "sentence"]

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

    def values_of_sums(self, sums: NDArray[np.float64], *, single_precision: bool = False) -> NDArray[np.float64]:
        """Return the score of each sum of ``summed_rows()``, given in the shape (sums, columns): shape (sums,)."""
        ...

    def values_of_segments(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sentence score of each row of ``summed_rows()``, that of a single segment."""
        ...

    def gradient(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of the score by the numbers of one sum, of shape (columns,)."""
        ...

    def require_no_last_segment(self, why: str) -> None:
        """Raise InputError, which says why, if scores depend on the last segment of a text."""
        ...


class Metric(Protocol):
    """What comparisons, shards and commands ask of a metric: names of columns, rows of segments, values of sums.

    :class:`bleukit.Bleu` and the metrics of :mod:`bleukit.metrics` have this. All have ``corpus``, ``sentence`` and
    ``sentences``, too, with the arguments of those of Bleu.
    """

    @property
    def max_order(self) -> int:
        """How many numbers a row of statistics has in columns with one for each order."""
        ...

    @property
    def name(self) -> str:
        """What tables call it, such as BLEU, chrF2++ or TER."""
        ...

    @property
    def label(self) -> str:
        """What its scores say they were computed by: the variant, or the name."""
        ...

    @property
    def signature(self) -> str:
        """The signature of all its scores of texts; it leaves the number of references open."""
        ...

    @property
    def scale(self) -> float:
        """What stands for 100 %: 1 or 100."""
        ...

    @property
    def lower_is_better(self) -> bool:
        """Whether a low score is a good one, because it is a rate of errors: it has no upper bound then."""
        ...

    @property
    def statistics_class(self) -> type[AdditiveStatistics]:
        """The class of its statistics."""
        ...

    @property
    def joins_documents(self) -> bool:
        """Whether the segments of each document are scored as one."""
        ...

    def count(self, text: SharedText) -> Any:
        """Return the statistics of a text that other metrics count, too, one row per segment."""
        ...

    @property
    def statistics(self) -> Callable[..., Any]:
        """Return one row per segment, as :meth:`bleukit.Bleu.statistics`."""
        ...

    @property
    def prepare(self) -> Callable[..., Any]:
        """Return references to score several systems against, as :meth:`bleukit.Bleu.prepare`."""
        ...

    def score(self, statistics: Any, *, level: Level = "corpus") -> MetricScore:
        """Return the score of the sum of all rows. Raises InputError if there is none."""
        ...

    def scores(self, statistics: Any, *, level: Level = "corpus") -> Sequence[MetricScore]:
        """Return the score of each row."""
        ...

    def scorer(self, level: Level = "corpus") -> MetricScorer:
        """Return what scores statistics at a level."""
        ...

    def accumulator(self, level: Level = "corpus") -> Accumulator[Any]:
        """Return an accumulator, which takes segments in parts."""
        ...


class Accumulator(Generic[ScoreT]):
    """Adds up the statistics of segments that come in parts; made by the method ``accumulator`` of a metric.

    At level "corpus" it keeps one row, whatever comes in; at level "document" one row per document, and at level
    "sentence" one per segment. It can be pickled, and merged with another of the same variant and level.
    """

    def __init__(self, metric: Metric, level: Level = "corpus") -> None:
        check_level(level)
        self.metric = metric
        self.level = level
        self.segments = 0
        self._kind = metric.statistics_class
        self._parts = [self._kind.empty(metric.max_order)]
        # The last row that was added, which need not be of the last document.
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
            self._last = statistics[-1:] if len(statistics) else self._last
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
        score: Any = self.metric.score(self.statistics.sum(self._last))
        return score  # type: ignore[no-any-return]

    def scores(self) -> list[ScoreT]:
        """Return the score of each row: of the corpus, of each document, or of each segment."""
        scores: Any = self.metric.scores(self.statistics, level=self.level)
        return scores  # type: ignore[no-any-return]


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
