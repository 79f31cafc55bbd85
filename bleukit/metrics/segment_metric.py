"""What the metrics beside BLEU have in common: all but how segments are counted, and what the sums are worth."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.bleu.scorer import difference_quotients
from bleukit.bleu.scoring import decimals, rounded
from bleukit.framework.additive import COUNTS_GIVEN, AdditiveStatistics
from bleukit.framework.errors import InputError, InputTypeError, quantity
from bleukit.framework.hookspecs import PROJECT
from bleukit.framework.metric import Level, Metric, check_level
from bleukit.framework.packed import Grouped, PackedTokens
from bleukit.framework.results import MetricScore
from bleukit.framework.signature import SignaturePart, score_signature
from bleukit.framework.version import __version__

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.framework.segments import Segments


@dataclass(frozen=True, eq=False, repr=False)
class CountedScore(MetricScore):
    """The score of a metric beside BLEU, and the sums that it was computed from. It compares and rounds as its value.

    ``value`` is in percent, ``metric`` is the name, such as chrF2++. ``sums`` holds those of the columns of the
    statistics, a number or, of columns with a number for each order, a tuple. ``signature`` holds everything needed to
    reproduce the number.
    """

    value: float
    metric: str
    sums: Mapping[str, Any]
    segments: int
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain data; the sums are on one level with the others."""
        plain_fields = super().to_dict()
        return {"value": plain_fields.pop("value"), **plain_fields.pop("sums"), **plain_fields}

    def __repr__(self) -> str:
        return f"<CountedScore {self.value!r}, {self.metric}, {quantity(self.segments, 'segment')}>"

    def __str__(self) -> str:
        return f"{self.metric} {rounded(self.value, decimals(self.value, 2))} ({quantity(self.segments, 'segment')})"


class SegmentMetric(Metric[CountedScore, AdditiveStatistics]):
    """A metric beside BLEU, ready to score; made by :func:`bleukit.load_metric`. It can be pickled.

    A subclass is a frozen dataclass whose fields are the options. :class:`bleukit.Metric` describes what methods take
    and raise, and has most of them; hypotheses are texts, not tokens.
    """

    KIND: ClassVar[str]
    """The name in signatures."""

    WRITTEN: ClassVar[Mapping[str, tuple[str, ...]]]
    """The fields of the signature: the option of each, and what stands for its values False and True."""

    @property
    def max_order(self) -> int:
        """How many numbers a row of statistics has in columns with one for each order."""
        return 1

    @property
    def written_options(self) -> Mapping[str, str]:
        """The options as fields of the signature."""
        return {
            key: texts[getattr(self, option)] if texts else str(getattr(self, option))
            for key, (option, *texts) in self.WRITTEN.items()
        }

    @abstractmethod
    def tokens(self, texts: Sequence[Any]) -> PackedTokens:
        """Return hypotheses, each a str, as :meth:`columns` takes them."""

    def reference_tokens(self, texts: Sequence[Any]) -> PackedTokens:
        """Return references, each a str, as :meth:`columns` takes them: as hypotheses are, by default."""
        return self.tokens(texts)

    @abstractmethod
    def columns(self, hypotheses: PackedTokens, references: Grouped[Any]) -> dict[str, Any]:
        """Return the columns of the statistics of segments, but for the numbers of segments and of references."""

    @abstractmethod
    def value(self, sums: Sequence[float]) -> float:
        """Return the score of one sum of the summed columns."""

    def values_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of each sum, given in the shape (sums, columns): shape (sums,)."""
        import numpy as np

        return np.array(list(map(self.value, sums.tolist())), np.float64)

    def impossible(self, sums: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return what cannot have been counted: in the row of a sum something is true."""
        return sums < 0

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.signature}>"

    @cached_property
    def counted_by(self) -> Hashable:
        """How it counts texts, as ``counted_by`` says of its statistics."""
        return SignaturePart((("metric", self.KIND), *self.written_options.items()))

    @property
    def signature(self) -> str:
        """The signature of all scores of texts; it leaves the number of references open."""
        return self._signature(None)

    def _signature(self, references: tuple[int, int] | None, counted_by: Any = None) -> str:
        counting: Any = counted_by or self.counted_by
        return score_signature(self.KIND, references, counting, _SCORING, kind="metric")

    def scorer(self, level: Level = "corpus") -> SegmentMetric:
        """Return what scores statistics at a level: the metric, because all levels are alike."""
        check_level(level)
        return self

    def scores(self, statistics: AdditiveStatistics, *, level: Level = "corpus") -> list[CountedScore]:
        """Return the score of each row."""
        check_level(level)
        columns = {name: self._checked(statistics).column(name).tolist() for name in statistics.columns}
        summed, order = statistics.scored_columns, self.max_order
        scores = []
        for row in range(len(statistics)):
            sums = {
                name: tuple(columns[name][row * order : (row + 1) * order]) if column.per_order else columns[name][row]
                for name, column in summed.items()
            }
            numbers = [number for each in sums.values() for number in (each if isinstance(each, tuple) else (each,))]
            references = columns["fewest_references"][row], columns["most_references"][row]
            signature = self._signature(references, statistics.counted_by)
            scores.append(CountedScore(self.value(numbers), self.name, sums, columns["segments"][row], signature))
        return scores

    def values(self, statistics: AdditiveStatistics) -> NDArray[np.float64]:
        """Return the value of each score: shape (rows,)."""
        return self.values_of_sums(self._checked(statistics).summed_rows())

    def values_of_segments(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sentence score of each row, that of a single segment."""
        return self.values_of_sums(rows)

    def gradient(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of the score by the numbers of one sum, of shape (columns,)."""
        return difference_quotients(self.values_of_sums, sums, self.impossible)

    def _checked(self, statistics: AdditiveStatistics) -> AdditiveStatistics:
        super()._checked(statistics)
        if statistics.counted_by not in (self.counted_by, COUNTS_GIVEN):
            raise InputError(f"statistics: were counted otherwise, not by {self.counted_by}: {statistics.counted_by}")
        if statistics.max_order != self.max_order:
            raise InputError(f"statistics: have {statistics.max_order} orders of n-grams, not {self.max_order}")
        return statistics

    def _require_texts(self, *, tokenized: bool) -> None:
        if tokenized:
            raise InputTypeError(f"{self.name} is of texts, not of token lists")

    def rows(self, segments: Segments, first: int = 0) -> AdditiveStatistics:  # noqa: ARG002 - of components' errors
        """Return the statistics of segments."""
        references, tokenized = segments.references, segments.tokenized
        hypotheses = self.packed_hypotheses(segments.hypotheses, tokenized=tokenized)
        prepared = self.packed_references(references.items, tokenized=tokenized)
        number = references.lengths()
        columns = {
            "segments": array("q", [1]) * len(segments),
            "fewest_references": number,
            "most_references": number,
            **self.columns(hypotheses, Grouped(prepared, references.ends)),
        }
        in_order = {name: columns[name] for name in self.statistics_class.COLUMNS}
        return self.statistics_class._of(self.max_order, in_order, self.counted_by)

    def tokens_key(self, *, tokenized: bool) -> Hashable:
        """Return what determines the tokens, of which this metric has its own."""
        self._require_texts(tokenized=tokenized)
        return self.counted_by

    def packed_hypotheses(self, texts: Sequence[Any], *, tokenized: bool) -> PackedTokens:
        """Return hypotheses as tokens."""
        self._require_texts(tokenized=tokenized)
        return texts if isinstance(texts, PackedTokens) else self.tokens(texts)

    def packed_references(self, texts: Sequence[Any], *, tokenized: bool) -> PackedTokens:
        """Return references as tokens."""
        self._require_texts(tokenized=tokenized)
        return texts if isinstance(texts, PackedTokens) else self.reference_tokens(texts)


_SCORING = SignaturePart(((PROJECT, __version__),))
"""What of a signature says how statistics are scored."""
