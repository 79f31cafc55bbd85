"""BLEU as expressions of Polars: importing this module adds the namespace ``bleu`` to ``pl.Expr``.

``pl.col("mt").bleu.score("reference")`` is the score of a group of rows, or of all: not the mean of their scores.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from bleukit.engines import integers
from bleukit.errors import InputError, NotInstalledError
from bleukit.metric import bleu_of

try:
    import polars as pl
except ImportError as error:
    raise NotInstalledError("this needs what is not installed: pip install polars") from error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.metric import Bleu, VariantLike

References: TypeAlias = "str | pl.Expr | Sequence[str | pl.Expr]"


@pl.api.register_expr_namespace("bleu")
class Expressions:
    """Expressions of a column of hypotheses.

    ``references`` is a column of strings, or of lists of them, or several columns of strings, a reference each.
    ``variant`` is as for :func:`bleukit.load`, or a Bleu. A null is an error that names its row.
    """

    def __init__(self, hypotheses: pl.Expr) -> None:
        self._hypotheses = hypotheses

    def score(self, references: References, *, variant: VariantLike = None) -> pl.Expr:
        """Return the score of all rows, or of those of each group in ``group_by(...).agg(...)`` and ``over``.

        It is that of the sum of their statistics. Raises InputError for a variant that looks at the last segment.
        """
        bleu = bleu_of(variant)
        integers.require_no_order(bleu)
        columns = [column.implode() for column in self._columns(references)]
        function = partial(_scores, bleu)
        return pl.map_batches(columns, function, return_dtype=pl.Float64, is_elementwise=True).alias("score")

    def sentences(self, references: References, *, variant: VariantLike = None) -> pl.Expr:
        """Return the score of each row, as :meth:`bleukit.Bleu.sentences`; their mean is not that of the corpus."""
        return self._of_rows(references, partial(_sentences, bleu_of(variant)), pl.Float64).alias("score")

    def statistics(self, references: References, *, variant: VariantLike = None) -> pl.Expr:
        """Return the statistics of each row, a struct of whole numbers: sum its fields, score the sums.

        ``fewest_references`` and ``most_references`` are the fields of which the least and the greatest are taken.
        """
        bleu = bleu_of(variant)
        kind = pl.Struct(dict.fromkeys(integers.column_names(bleu), pl.Int64))
        return self._of_rows(references, partial(_statistics, bleu), kind).alias("statistics")

    def _of_rows(self, references: References, function: Any, kind: Any) -> pl.Expr:
        return pl.map_batches(self._columns(references), function, return_dtype=kind, is_elementwise=True)

    def _columns(self, references: References) -> list[pl.Expr]:
        several = [references] if isinstance(references, str | pl.Expr) else list(references)
        return [self._hypotheses, *(pl.col(column) if isinstance(column, str) else column for column in several)]


def _arguments(columns: Sequence[pl.Series]) -> dict[str, Any]:
    hypotheses, *references = columns
    if len(references) == 1:
        return {"hypotheses": hypotheses, "references": references[0], "references_by": "segment"}
    return {"hypotheses": hypotheses, "references": references, "references_by": "set"}


def _statistics(bleu: Bleu, columns: Sequence[pl.Series]) -> pl.Series:
    counted = integers.integer_columns(bleu.statistics(**_arguments(columns)))
    return pl.DataFrame(counted).to_struct()


def _sentences(bleu: Bleu, columns: Sequence[pl.Series]) -> pl.Series:
    return pl.Series(bleu.sentences(**_arguments(columns)))


def _scores(bleu: Bleu, groups: Sequence[pl.Series]) -> pl.Series:
    """Return the score of each group, whose texts are in lists."""
    lengths = groups[0].list.len()
    if not len(lengths):
        return pl.Series([], dtype=pl.Float64)
    if lengths.min() == 0:
        raise InputError("no segment to score")
    counted = bleu.statistics(**_arguments([column.explode() for column in groups]))
    of_rows = np.repeat(np.arange(len(lengths)), lengths.to_numpy())
    return pl.Series(bleu.score_columns(counted.by_document(of_rows.tolist())).value)
