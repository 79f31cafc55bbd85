"""BLEU in Polars: importing this module adds the namespace ``bleu`` to ``pl.Expr`` and to ``pl.LazyFrame``.

``pl.col("mt").bleu.score("reference")`` is the score of a group of rows, or of all: not the mean of their scores. It
holds the texts of a group in memory; ``frame.bleu.score("mt", "reference", by="system")`` holds only sums.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from bleukit.engines import integers
from bleukit.errors import NotInstalledError
from bleukit.metric import bleu_of

try:
    import polars as pl
except ImportError as error:
    raise NotInstalledError("this needs what is not installed: pip install polars") from error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bleukit.metric import Bleu, VariantLike
    from bleukit.statistics import Statistics

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

        It is that of the sum of their statistics, and null if there is no row. Raises InputError for a variant that
        looks at the last segment.
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
        return [self._hypotheses, *_each(references)]


@pl.api.register_lazyframe_namespace("bleu")
class LazyFrames:
    """Sums of the statistics of a LazyFrame, which is read in parts by ``collect(engine="streaming")``.

    ``hypotheses`` is a column of strings; the other parameters are those of :class:`Expressions`. ``by`` names columns,
    a row for each group of which is returned: one row of all if it names none.
    """

    def __init__(self, frame: pl.LazyFrame) -> None:
        self._frame = frame

    def score(
        self,
        hypotheses: str | pl.Expr,
        references: References,
        *,
        by: References = (),
        variant: VariantLike = None,
    ) -> pl.LazyFrame:
        """Return the columns of ``by``, and ``score``: the score of each group, null if there is no row at all."""
        bleu = bleu_of(variant)
        summed = self.statistics(hypotheses, references, by=by, variant=bleu)
        columns = integers.column_names(bleu)
        scored = pl.map_batches(columns, partial(_scores_of_sums, bleu), return_dtype=pl.Float64, is_elementwise=True)
        return summed.select(pl.exclude(columns), scored.alias("score"))

    def statistics(
        self,
        hypotheses: str | pl.Expr,
        references: References,
        *,
        by: References = (),
        variant: VariantLike = None,
    ) -> pl.LazyFrame:
        """Return the columns of ``by``, and the summed statistics of each group in columns of whole numbers.

        Raises InputError for a variant that looks at the last segment.
        """
        bleu = bleu_of(variant)
        integers.require_no_order(bleu)
        counted = Expressions(*_each(hypotheses)).statistics(references, variant=bleu).alias(_COUNTED)
        fields = {name: pl.col(_COUNTED).struct.field(name) for name in integers.column_names(bleu)}
        sums = [getattr(field, integers.MERGED.get(name, "sum"))() for name, field in fields.items()]
        keys = _each(by)
        rows = self._frame.select(*keys, counted)
        summed = rows.group_by(pl.exclude(_COUNTED)).agg(sums) if keys else rows.select(sums)
        return summed.with_columns(pl.col("segments").map_batches(_few, return_dtype=pl.Int64, is_elementwise=True))


_COUNTED = "bleukit_statistics"


def _each(columns: References) -> list[pl.Expr]:
    several = [columns] if isinstance(columns, str | pl.Expr) else list(columns)
    return [pl.col(column) if isinstance(column, str) else column for column in several]


def _counted(bleu: Bleu, columns: Sequence[pl.Series]) -> Statistics:
    return integers.counted(bleu, columns[0], columns[1:])


def _statistics(bleu: Bleu, columns: Sequence[pl.Series]) -> pl.Series:
    counted = integers.integer_columns(_counted(bleu, columns))
    integers.require_addable(counted)
    return pl.DataFrame(counted).to_struct()


def _few(segments: pl.Series) -> pl.Series:
    integers.require_few(segments.to_numpy())
    return segments


def _sentences(bleu: Bleu, columns: Sequence[pl.Series]) -> pl.Series:
    return pl.Series(bleu.score_columns(_counted(bleu, columns), level="sentence").value)


def _scores(bleu: Bleu, groups: Sequence[pl.Series]) -> pl.Series:
    """Return the score of each group, whose texts are in lists."""
    lengths = groups[0].list.len().to_numpy()
    counted = _counted(bleu, [column.filter(lengths > 0).explode() for column in groups])
    of_rows = np.repeat(np.arange(len(lengths)), lengths)
    return _placed(bleu, counted.by_document(of_rows.tolist()), lengths > 0)


def _scores_of_sums(bleu: Bleu, columns: Sequence[pl.Series]) -> pl.Series:
    is_sum = (columns[0] > 0).to_numpy()
    sums = {name: column.filter(is_sum) for name, column in zip(integers.column_names(bleu), columns, strict=True)}
    return _placed(bleu, integers.statistics_from_columns(bleu, sums), is_sum)


def _placed(bleu: Bleu, sums: Statistics, are_there: NDArray[np.bool_]) -> pl.Series:
    """Return the score of each sum, and null where there is none."""
    scores = np.zeros(len(are_there))
    scores[are_there] = bleu.score_columns(sums).value
    return pl.Series(scores).set(pl.Series(~are_there), None)
