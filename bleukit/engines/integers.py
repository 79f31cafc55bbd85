"""Statistics as columns of whole numbers, whose sums are exact in any order: as engines add them up.

A reference length may be an average, whose sum in floating point depends on the order. So it is written in three
columns, as a number of base 2**30: what is whole, and two digits behind the point.

Sums have 64 bits. Those of whole numbers of tokens cannot exceed them: 2**63 tokens are more than anybody has. Those of
digits can, ``WITH_DIGITS``, from 2**33 segments on. An engine makes a sum beyond 64 bits null.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.comparing.scores_of_sums import require_no_last_segment
from bleukit.errors import InputError
from bleukit.protocols import Counts
from bleukit.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from bleukit.metric import Bleu

BASE = 1 << 30

_LENGTHS = ("reference_length", "reference_length_2", "reference_length_3")
_BEFORE = ("segments", "hypothesis_length", *_LENGTHS, "reference_tokens")
MERGED = {"fewest_references": "min", "most_references": "max"}
"""The columns that are not summed, and what becomes of them."""


WITH_DIGITS = (*_LENGTHS[1:], *Statistics.SENTENCE_SCORES)
"""The columns whose sums may exceed 64 bits."""


def column_names(bleu: Bleu) -> list[str]:
    """Return the names of the columns of what a Bleu counts: ``matches_1`` is that of order 1."""
    orders = [f"{name}_{order}" for name in ("matches", "totals") for order in range(1, bleu.max_order + 1)]
    return [*_BEFORE, *MERGED, *orders, *(Statistics.SENTENCE_SCORES if bleu.variant.is_macro else ())]


def integer_columns(statistics: Statistics) -> dict[str, NDArray[np.int64]]:
    """Return the columns, by name, of shape (rows,)."""
    columns: dict[str, Any] = dict.fromkeys(_BEFORE)  # in this order
    whole = np.floor(statistics.reference_length)
    second = (statistics.reference_length - whole) * BASE  # exact, as is what follows
    third = (second - np.floor(second)) * BASE + statistics.reference_length_rest * BASE**2
    columns |= {
        name: np.floor(digit).astype(np.int64) for name, digit in zip(_LENGTHS, (whole, second, third), strict=True)
    }
    for name in (name for name in (*_BEFORE, *MERGED) if name not in _LENGTHS):
        columns[name] = getattr(statistics, name)
    for name in ("matches", "totals"):
        values = getattr(statistics, name)
        columns |= {f"{name}_{order}": values[:, order - 1] for order in range(1, statistics.max_order + 1)}
    return columns | {
        name: getattr(statistics, name) for name in Statistics.SENTENCE_SCORES if name in statistics.columns
    }


def counted(bleu: Bleu, hypotheses: Any, references: Sequence[Any], **options: Any) -> Statistics:
    """Return the statistics of the rows of columns, counted with the ``options`` of :meth:`bleukit.Bleu.statistics`.

    ``references`` is one column, of texts or of lists of them, or several columns of texts, a reference each.
    """
    if len(references) == 1:
        return bleu.statistics(hypotheses, references[0], references_by="segment", **options)
    return bleu.statistics(hypotheses, list(references), references_by="set", **options)


def statistics_from_columns(
    bleu: Bleu, columns: Mapping[str, ArrayLike], keys: Iterable[Hashable] | None = None
) -> Statistics:
    """Return the statistics in the columns, or sums, of texts that a Bleu has counted. They are of no order.

    Raises InputError for what cannot have been counted.
    """
    exact = {name: _exact(name, columns[name]) for name in column_names(bleu)}
    lengths, rests = _lengths(*(exact[name] for name in _LENGTHS))
    made: dict[str, Any] = {
        name: exact[name] for name in (*Statistics.COLUMNS, *Statistics.SENTENCE_SCORES) if name in exact
    }
    made |= {"reference_length": lengths, "reference_length_rest": rests}
    for name in ("matches", "totals"):
        of_orders = [exact[f"{name}_{order}"] for order in range(1, bleu.max_order + 1)]
        made[name] = np.stack(of_orders, axis=1).ravel()
    return Statistics(bleu.max_order, made, None, bleu.counted_by, keys)


def _exact(name: str, column: ArrayLike) -> NDArray[np.int64]:
    values = np.asarray(column)
    if len(values) and values.dtype.kind != "i":  # of floats or objects if there are nulls
        raise InputError(f"{name}: a sum exceeds 64 bits: score smaller groups, and add them up as bleukit.Statistics")
    return values.astype(np.int64, copy=False)


def _lengths(*digits: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lengths, each rounded once, and what they were rounded by."""
    whole, second, third = digits
    lengths, rests = whole.astype(np.float64), np.zeros(len(whole))
    for row in np.flatnonzero((second != 0) | (third != 0)).tolist():
        exact = Fraction((int(whole[row]) * BASE + int(second[row])) * BASE + int(third[row]), BASE**2)
        lengths[row] = float(exact)
        rests[row] = float(exact - Fraction(lengths[row]))
    return lengths, rests


def require_no_order(bleu: Bleu) -> None:
    """Raise InputError if a variant needs the order of segments, such as a text's last: rows of engines have none."""
    if bleu.counts_whole_texts:
        raise InputError(f"{bleu.label} counts whole texts, in the order of segments: rows of a table have none")
    some = list(range(2 * bleu.max_order, bleu.max_order, -1))
    try:
        require_no_last_segment(bleu, Counts([count - 1 for count in some], some, some[0], float(some[0])))
    except InputError as error:
        problem = "looks at the last segment of a text, and the rows of a table have no order"
        raise InputError(f"{bleu.label}: smoothing {bleu.variant.smoothing.name!r} {problem}") from error
