"""Everything right of the sum, at one level: from rows of statistics, or from sums of them, to scores."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from bleukit.bleu import components, signature
from bleukit.bleu.protocols import CountsTable
from bleukit.bleu.scoring import Score, ScoreColumns, compiled_formula, geometric_mean, mean_columns
from bleukit.framework.errors import InputError
from bleukit.framework.signature import score_signature

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.bleu.loader import Loaded
    from bleukit.bleu.statistics import Statistics
    from bleukit.framework.signature import SignaturePart

_LENGTHS = 4
"""The number of columns before matches and totals: segments, lengths of both, tokens of all references."""


class Scorer:
    """Scores statistics by a variant, at one level: scale · BP · exp(Σ w_n log p_n).

    If hypotheses and references have no token at all, the variant says what the score is.

    What adds up statistics and scores the sums many times, such as a significance test, needs of a metric the rows of
    :meth:`bleukit.Statistics.summed_rows`, the :meth:`values_of_sums`, and their :meth:`gradient`.
    """

    def __init__(self, loaded: Loaded, max_order: int) -> None:
        self.loaded = loaded
        self.max_order = max_order
        self._variant = loaded.variant
        self._smoothing, self._penalty = loaded.components["smoothing"], loaded.components["brevity_penalty"]
        self._orders = len(self._variant.weights)
        self._averaging: dict[str, Any] = {
            "weights": loaded.variant.weights_used,
            "effective_order": loaded.variant.effective_order,
            "scale": loaded.variant.scale,
        }
        self.needs_last_segment = bool(self._smoothing.promise("needs_last_segment"))
        self._formula = compiled_formula(loaded)

    @cached_property
    def signature(self) -> SignaturePart:
        """The part of the signature that says how statistics are scored."""
        return signature.scoring_part(self.loaded)

    def scores(self, statistics: Statistics, label: str) -> list[Score]:
        """Return the score of each row; ``label`` is the variant in its signature."""
        values = self._values_by_formula(statistics)
        if values is None:
            return self.scores_by_components(statistics, label)
        wholes = (partial(self._score_of_row, statistics, row, label) for row in range(len(values)))
        return list(map(Score.of_value, values, wholes))

    def values(self, statistics: Statistics) -> NDArray[np.float64]:
        """Return the value of each score."""
        import numpy as np

        values = self._values_by_formula(statistics)
        return self.score_columns(statistics).value if values is None else np.asarray(values)

    def _values_by_formula(self, statistics: Statistics) -> array[float] | None:
        """Return the value of each score by the compiled formula; None if Python has to compute them."""
        if self._formula is None or self._orders > statistics.max_order:
            return None
        hypothesis_length, reference_length, reference_tokens, _references, matches, totals = statistics.counted()
        values: array[float] | None = self._formula.values(
            hypothesis_length, reference_length, reference_tokens, matches, totals, statistics.max_order
        )
        return values

    def value_of_segment(self, counts: Any) -> float | None:
        """Return the score of the counts of one segment; None if Python has to compute it."""
        value: float | None = None if self._formula is None else self._formula.of_segment(counts)
        return value

    def _score_of_row(self, statistics: Statistics, row: int, label: str) -> Score:
        return self.scores_by_components(statistics[row], label)[0]

    def scores_by_components(self, statistics: Statistics, label: str) -> list[Score]:
        """Return the score of each row, all fields computed by the components."""
        if not len(statistics):
            return []
        units = statistics.counts(self._orders, last=self.needs_last_segment)
        smoothed = components.precisions(self._smoothing, units)
        lengths = [(counts.hypothesis_length, counts.reference_length) for counts in units]
        penalties = components.brevity_penalties(self._penalty, lengths)
        names = ("segments", "reference_tokens", "fewest_references", "most_references")
        scores = []
        for counts, precisions, penalty, segments, reference_tokens, fewest, most in zip(
            units, smoothed, penalties, *map(statistics.column, names), strict=True
        ):
            mean = geometric_mean(precisions, **self._averaging)
            score = Score(
                value=penalty * mean if counts.hypothesis_length or reference_tokens else self._variant.empty_score,
                precisions=precisions,
                matches=tuple(counts.matches),
                totals=tuple(counts.totals),
                brevity_penalty=penalty,
                hypothesis_length=counts.hypothesis_length,
                reference_length=counts.reference_length,
                segments=segments,
                variant=label,
                signature=score_signature(
                    label, (fewest, most), statistics.counted_by, self.signature, self.loaded.called
                ),
                by=self._variant,
            )
            scores.append(score)
        return scores

    def score_columns(self, statistics: Statistics) -> ScoreColumns:
        """Return the figures of the score of each row as arrays."""
        return self.columns_of_counts(
            statistics.table(self._orders, last=self.needs_last_segment), statistics.reference_tokens
        )

    def columns_of_counts(
        self, counts: CountsTable, reference_tokens: NDArray[Any], precisions: NDArray[np.float64] | None = None
    ) -> ScoreColumns:
        """Return the figures of the scores of many units as arrays, to the last bit those of single scores.

        ``reference_tokens`` holds, for each unit, the number of tokens in all references; ``precisions``, of shape
        (units, orders), are by default those of the smoothing.
        """
        import numpy as np

        if precisions is None:
            precisions = components.precisions_of_rows(self._smoothing, counts)
        lengths = counts.hypothesis_length, counts.reference_length
        penalties = components.brevity_penalties_of_rows(self._penalty, *lengths)
        is_empty = (counts.hypothesis_length == 0) & (reference_tokens == 0)
        values = np.where(is_empty, self._variant.empty_score, penalties * mean_columns(precisions, **self._averaging))
        return ScoreColumns(values, penalties, precisions)

    def with_sentence_scores(self, rows: Statistics, first: int = 0) -> Statistics:  # noqa: ARG002 - of means
        """Return rows of single segments, with their scores if the variant averages these."""
        return rows

    def values_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of each sum of rows, given in the shape (sums, columns): shape (sums,), NaN for none."""
        return self.columns_of_counts(*self.counts_of_sums(sums)).value

    def counts_of_sums(self, sums: NDArray[np.float64]) -> tuple[CountsTable, NDArray[np.float64]]:
        """Return the counts of each sum as the smoothing sees them, and the tokens of all references."""
        counts, reference_tokens = _counts_of_sums(sums)
        return self._weighed(counts), reference_tokens

    def values_of_segments(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sentence score of each row, that of a single segment."""
        scorer = Scorer(self.loaded.at_sentence_level, self.max_order)
        counts, reference_tokens = _counts_of_sums(rows)
        return scorer.columns_of_counts(scorer.counts_of_segments(counts), reference_tokens).value

    def counts_of_segments(self, counts: CountsTable) -> CountsTable:
        """Return counts of single segments up to the highest order as the smoothing sees them, each the last one."""
        return replace(self._weighed(counts), last=counts if self.needs_last_segment else None)

    def _weighed(self, counts: CountsTable) -> CountsTable:
        weighed = slice(self._orders)
        return replace(counts, matches=counts.matches[:, weighed], totals=counts.totals[:, weighed])

    def gradient(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of the score by the numbers of one sum, of shape (columns,)."""

        def impossible(moved: NDArray[np.float64]) -> NDArray[np.bool_]:
            matches, totals = _matches_and_totals(moved)
            return matches > totals

        return difference_quotients(self.values_of_sums, sums, impossible)


class MeanScorer(Scorer):
    """Scores statistics by a macro variant: the mean of the scores of single segments, which are summed."""

    def __init__(self, loaded: Loaded, max_order: int) -> None:
        super().__init__(loaded, max_order)
        self._formula = None

    def scores_by_components(self, statistics: Statistics, label: str) -> list[Score]:
        """Return the score of each row; all fields but the value are of the sums."""
        means = self._means(statistics).tolist()
        sum_scores = super().scores_by_components(statistics, label)
        return [replace(score, value=mean, by=self._variant) for score, mean in zip(sum_scores, means, strict=True)]

    def score_columns(self, statistics: Statistics) -> ScoreColumns:
        """Return the figures of the score of each row as arrays; all but the values are of the sums."""
        return super().score_columns(statistics)._replace(value=self._means(statistics))

    def _means(self, statistics: Statistics) -> NDArray[np.float64]:
        if "sentence_scores" not in statistics.columns:
            problem = "the statistics hold no sentence scores, whose mean the score is: count them by the variant"
            raise InputError(problem)
        return self.values_of_sums(statistics.summed_rows())

    def values_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of each sum of sentence scores, of shape (sums,).

        Raises InputError if the variant adds a pair of empty texts, and these have no score (NaN).
        """
        segments, scores = sums.T
        if self._variant.average == "macro-with-final-newline":
            empty_score = self._variant.empty_score
            if math.isnan(empty_score):
                raise InputError("the empty texts at the end have no score (NaN): there is no mean", ("empty_score",))
            segments, scores = segments + 1, scores + empty_score / self._variant.scale
        means: NDArray[np.float64] = self._variant.scale * (scores / segments)
        return means

    def with_sentence_scores(self, rows: Statistics, first: int = 0) -> Statistics:
        """Return rows of single segments with their scores; ``first`` is the number of segments before.

        Raises InputError, with the segment, if one has no score (NaN).
        """
        scores = super().score_columns(rows).value
        missing = scores != scores  # noqa: PLR0124 - NaN
        if missing.any():
            problem = f"segment {first + int(missing.argmax()) + 1}, counted from 1, has no score (NaN)"
            raise InputError(f"{problem}: there is no mean", ("empty_score",))
        return rows.with_sentence_scores(scores / self._variant.scale)

    def values_of_segments(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sentence score of each row, that of a single segment."""
        scores: NDArray[np.float64] = self._variant.scale * rows[:, 1]
        return scores

    def gradient(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the derivatives of the mean by the number of segments, and by the sum of their scores."""
        import numpy as np

        mean, raised = self.values_of_sums(np.array([sums, sums + np.array([0, 1])]))
        return np.array([-mean / self._variant.scale, 1.0]) * float(raised - mean)


def difference_quotients(
    values: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    sums: NDArray[np.float64],
    impossible: Callable[[NDArray[np.float64]], NDArray[np.bool_]],
) -> NDArray[np.float64]:
    """Return the derivatives of a score by the numbers of one sum, of shape (columns,).

    The difference quotient is taken between one less and one more, because any score accepts whole numbers. It is
    one-sided where a step would give a negative number, or what is ``impossible``: in the row of such sums, something
    is true.
    """
    import numpy as np

    def possible(moved: NDArray[np.float64]) -> NDArray[np.float64]:
        wrong = np.column_stack([impossible(moved), moved < 0]).any(axis=1, keepdims=True)
        return np.where(wrong, sums, moved)

    ups, downs = (possible(sums + step * np.eye(len(sums))) for step in (1, -1))
    rises = values(ups) - values(downs)
    derivatives: NDArray[np.float64] = rises / np.maximum((ups - downs).sum(axis=1), 1)
    return derivatives


def _matches_and_totals(sums: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    counted = (sums.shape[1] - _LENGTHS) // 2
    return sums[:, _LENGTHS : _LENGTHS + counted], sums[:, _LENGTHS + counted :]


def _counts_of_sums(sums: NDArray[np.float64]) -> tuple[CountsTable, NDArray[np.float64]]:
    """Return the counts of each sum, up to the highest order, and the tokens of all references."""
    import numpy as np

    segments, hypothesis_length, reference_length, reference_tokens = sums[:, :_LENGTHS].T
    matches, totals = (side.astype(np.int64) for side in _matches_and_totals(sums))
    lengths = hypothesis_length.astype(np.int64), reference_length
    return CountsTable(matches, totals, *lengths, segments=segments.astype(np.int64)), reference_tokens
