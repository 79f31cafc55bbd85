"""What engines ask of a metric: rows of segments in columns of single numbers, which the engine merges.

Sums of whole numbers are exact, and have 64 bits; sums of floats are rounded, in the order in which the engine adds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.bleu.bleu import Bleu
from bleukit.framework.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.framework.additive import AdditiveStatistics, Column
    from bleukit.framework.metric import AnyMetric

FUNCTIONS = {"sum": "sum", "least": "min", "greatest": "max"}
"""What engines call the ways of merging numbers."""


def nothing_of(metric: AnyMetric) -> AdditiveStatistics:
    """Return the statistics of no segment, which have the columns of what a metric counts."""
    nothing: AdditiveStatistics = metric.statistics([], [])
    return nothing


def columns_of(metric: AnyMetric) -> Mapping[str, Column]:
    """Return the columns of what a metric counts, a number a row each: ``matches_1`` is that of order 1."""
    return nothing_of(metric).flat_columns


def counted(metric: AnyMetric, hypotheses: Any, references: Sequence[Any], **options: Any) -> Any:
    """Return the statistics of the rows of columns, counted with the ``options`` of :meth:`bleukit.Metric.statistics`.

    ``references`` is one column, of texts or of lists of them, or several columns of texts, a reference each.
    """
    if len(references) == 1:
        return metric.statistics(hypotheses, references[0], references_by="segment", **options)
    return metric.statistics(hypotheses, list(references), references_by="set", **options)


def score_columns(metric: AnyMetric, rows: Any) -> dict[str, Any]:
    """Return the score of each row of statistics, and what it consists of."""
    if isinstance(metric, Bleu):
        values, penalties, precisions = metric.score_columns(rows)
        orders = precisions.shape[1]
        fields = {
            "precisions": precisions.tolist(),
            "matches": rows.matches[:, :orders].tolist(),
            "totals": rows.totals[:, :orders].tolist(),
            "brevity_penalty": penalties,
            "hypothesis_length": rows.hypothesis_length,
            "reference_length": rows.reference_length,
        }
    else:
        values = metric.scorer().values(rows)
        fields = {name: getattr(rows, name).tolist() for name in rows.scored_columns}
    signatures = [score.signature for score in metric.scores(rows)]
    return {"score": values, **fields, "segments": rows.segments, "signature": signatures}


def require_no_order(metric: AnyMetric) -> None:
    """Raise InputError if a variant needs the order of segments, such as a text's last: rows of engines have none."""
    try:
        metric.require_no_last_segment("and the rows of a table have no order")
    except InputError as error:
        raise InputError(f"{metric.label}: {error}", error.key) from error
