"""What engines ask of a metric: rows of segments in columns of single numbers, which the engine merges.

Sums of whole numbers are exact, and have 64 bits; sums of floats are rounded, in the order in which the engine adds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleukit.additive import Column
    from bleukit.metric import Bleu
    from bleukit.statistics import Statistics

FUNCTIONS = {"sum": "sum", "least": "min", "greatest": "max"}
"""What engines call the ways of merging numbers."""


def columns_of(bleu: Bleu) -> Mapping[str, Column]:
    """Return the columns of what a Bleu counts, a number a row each: ``matches_1`` is that of order 1."""
    return bleu.statistics([], []).flat_columns


def counted(bleu: Bleu, hypotheses: Any, references: Sequence[Any], **options: Any) -> Statistics:
    """Return the statistics of the rows of columns, counted with the ``options`` of :meth:`bleukit.Metric.statistics`.

    ``references`` is one column, of texts or of lists of them, or several columns of texts, a reference each.
    """
    if len(references) == 1:
        return bleu.statistics(hypotheses, references[0], references_by="segment", **options)
    return bleu.statistics(hypotheses, list(references), references_by="set", **options)


def require_no_order(bleu: Bleu) -> None:
    """Raise InputError if a variant needs the order of segments, such as a text's last: rows of engines have none."""
    try:
        bleu.scorer().require_no_last_segment("and the rows of a table have no order")
    except InputError as error:
        raise InputError(f"{bleu.label}: {error}", error.key) from error
