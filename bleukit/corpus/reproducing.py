"""The score of a procedure: the text is arranged, counted by the variant, and a score is made of those of units."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from bleukit.bleu import loader
from bleukit.bleu.bleu import Bleu
from bleukit.bleu.scoring import mean_columns
from bleukit.bleu.statistics import Statistics
from bleukit.corpus.arranging import Arrangement
from bleukit.corpus.counting import counted
from bleukit.corpus.procedure import MEAN_OF_ORDERS, PREFIX, ProcedureKeys, load_procedure
from bleukit.framework.arguments import available_cores, check_segments, check_sequence, number_labels
from bleukit.framework.errors import InputError
from bleukit.reading.aligned_segments import AlignedSegments
from bleukit.reading.corpora import Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.framework.layouts import Layout
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.framework.protocols import References, Text


class Formula(Protocol):
    """What a score is computed by of precisions: a variant, or steps that have the same fields."""

    @property
    def weights_used(self) -> tuple[float, ...]:
        """The weights of the orders."""
        ...

    @property
    def effective_order(self) -> bool:
        """Whether undefined orders drop out."""
        ...

    @property
    def scale(self) -> float:
        """The score of a perfect match."""
        ...


OF_SEGMENTS = ("median", "positive")
"""The values of ``average`` that :func:`reproduce` takes for ``over_units``."""


def reproduce(
    variant: str | PathLike[str],
    hypotheses: Sequence[Text],
    references: Sequence[References],
    *,
    references_by: Layout | None = None,
    documents: Sequence[Hashable] | None = None,
    **keys: Any,
) -> float:
    """Return the score of a text by a procedure as :func:`bleukit.identify` prints it, in the scale of the variant.

    ``variant`` is a name, or the path of a variant file, which may have the key ``procedure``; hypotheses and
    references are what :meth:`bleukit.Metric.corpus` takes. ``keys`` are those of variants and of procedures:
    ``text="characters"``, ``swap=True``, ``over_units="median"``. ``documents`` names the document of each segment, for
    ``units="documents"``. Raises VariantError for a wrong key or a wrong value of one, and InputError if the procedure
    cannot score the text.
    """
    of_procedure = {key: keys.pop(key) for key in ProcedureKeys.__struct_fields__ if key in keys}
    if keys.get("average") in OF_SEGMENTS:
        of_procedure["over_units"] = keys.pop("average")
    bleu, found = load_procedure(variant, keys, of_procedure)
    segments = check_segments(hypotheses, references, references_by=references_by)
    labels = None if documents is None else check_sequence(documents, "documents", "the document of each segment")
    if labels is not None and len(labels) != len(segments):
        raise InputError(f"documents: {len(labels)} for {len(segments)} segments; each needs one")
    text = AlignedSegments(0, [segments.hypotheses], segments.references, labels, tokenized=segments.tokenized)
    try:
        if not len(segments):
            raise InputError("no segment to score")  # noqa: TRY301 - it is told as all others
        arrangement = Arrangement(found, bleu.variant.lowercase)
        readings = list(map(Reading, arrangement.parts([text])))
        rows = [part.rows[bleu.name] for part in counted({bleu.name: bleu}, readings, available_cores())]
        parts: list[Any] = []
        for of_part in rows:
            if isinstance(of_part, InputError):
                raise of_part
            parts += of_part
        statistics = Statistics.concatenate(parts)
        _, [value] = scored(statistics, bleu, "corpus", arrangement, readings[0].replaced.documents)
    except InputError as error:
        raise InputError(f"this procedure gives the text no score: {error}") from error
    return float(value)


def scored(
    rows: Any, metric: AnyMetric, level: Level, arrangement: Arrangement, documents: Sequence[Hashable] | None
) -> tuple[Any, NDArray[np.float64]]:
    """Return sums of each unit of a level by the first reference, or the only ones, and the score of each unit.

    ``rows`` are of the segments as they were arranged; ``documents`` names the document of each of them. Raises
    InputError if there is no score.
    """
    import numpy as np

    keys, together = arrangement.keys, arrangement.together
    of_segments = rows[::together]
    own = None if documents is None else documents[::together]
    number = len(of_segments)
    is_macro = isinstance(metric, Bleu) and metric.variant.is_macro
    by_sentence = is_macro or bool(keys.over_units)
    average: str = keys.over_units or "macro"
    empty_score = 0.0
    if isinstance(metric, Bleu) and not keys.over_units:
        average, empty_score = metric.variant.average, metric.variant.empty_score
    units: str | int = keys.units or ("segments" if by_sentence or level == "sentence" else level)
    if "documents" in {units, f"{level}s"} and own is None:
        raise InputError(f"{PREFIX}units: the document of each segment is not known")
    labels = unit_labels(units, number, own)
    summed = rows.by_document([(label, place) for label in labels for place in range(together)])
    scorer_level: Level = "sentence" if by_sentence or level == "sentence" else "corpus"
    values = _unit_values(summed, metric, scorer_level, keys).reshape(-1, together)
    if keys.over_references in {"mean", "max"}:
        values = getattr(np, keys.over_references)(values, axis=1, keepdims=True)
    if level == "sentence":
        return of_segments, values[:, 0]
    if level == "document":
        documents_of, _ = number_labels(own or (), "documents")
        sums = of_segments.by_document(own)
        if units != "segments":
            return sums, values[:, 0]
        groups = [values[np.asarray(documents_of) == place] for place in range(len(sums))]
        return sums, np.asarray([average_of_units(group, average, empty_score) for group in groups])
    value = average_of_units(values, average, empty_score)
    if math.isnan(value):
        raise InputError("its formula is undefined")
    return of_segments.sum(), np.asarray([value])


def unit_labels(units: str | int, number: int, documents: Sequence[Hashable] | None) -> list[int]:
    """Return the number of the unit of each of so many segments.

    ``units`` are "segments", "documents", batches of so many segments, or anything else for the whole text.
    """
    if isinstance(units, int):
        return [place // units for place in range(number)]
    if units in {"documents", "document"}:
        labels, _ = number_labels(documents or (), "documents")
        return labels
    return list(range(number)) if units == "segments" else [0] * number


def average_of_units(scores: NDArray[np.float64], average: str, empty_score: float) -> float:
    """Return the average of the scores of units, of shape (units, references): the greatest of those by references.

    ``average`` is the value of ``over_units`` or, without it, that of the variant's key ``average``.
    """
    return max(_average(of_reference, average, empty_score) for of_reference in scores.T)


def _average(scores: NDArray[np.float64], average: str, empty_score: float) -> float:
    if average == "median":
        import numpy as np

        return float(np.median(scores))
    if average == "positive":
        scores = scores[scores > 0]
        return float(scores.mean()) if len(scores) else 0.0
    if average == "macro-with-final-newline":
        return float(scores.sum() + empty_score) / (len(scores) + 1)
    return float(scores.mean())


def length_ratios(hypothesis_length: NDArray[Any], reference_length: NDArray[Any]) -> NDArray[np.float64]:
    """Return the brevity penalties that are the ratios of lengths, at most 1; NaN if both are 0."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.minimum(1, np.divide(hypothesis_length, reference_length)))


def scores_of_precisions(
    mean: str | None,
    penalties: NDArray[np.float64],
    precisions_of: Callable[[int], NDArray[np.float64]],
    formula: Formula,
) -> NDArray[np.float64]:
    """Return the score of each unit by a mean of precisions; None is the geometric one of the formula.

    ``precisions_of`` returns the precisions of so many orders, of shape (units, orders).
    """
    import numpy as np

    geometric = partial(mean_columns, effective_order=formula.effective_order, scale=formula.scale)
    if mean == "orders":
        orders = range(1, MEAN_OF_ORDERS + 1)
        return np.asarray(penalties * np.mean([geometric(precisions_of(n), (1 / n,) * n) for n in orders], axis=0))
    precisions = precisions_of(len(formula.weights_used))
    if mean == "arithmetic":
        return np.asarray(formula.scale * penalties * precisions.mean(axis=1))
    if mean == "harmonic":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(formula.scale * penalties * precisions.shape[1] / (1 / precisions).sum(axis=1))
    return np.asarray(penalties * geometric(precisions, formula.weights_used))


def _unit_values(rows: Any, metric: AnyMetric, level: Level, keys: ProcedureKeys) -> NDArray[np.float64]:
    """Return the score of each row by the mean of precisions and the brevity penalty of a procedure."""
    scorer: Any = metric.scorer(level)
    if not (keys.mean or keys.penalty):
        values: NDArray[np.float64] = scorer.values(rows)
        return values
    if not isinstance(metric, Bleu):
        raise InputError(f"{PREFIX}{'mean' if keys.mean else 'penalty'} is for BLEU alone, not for {metric.name}")
    if keys.mean == "orders" and rows.max_order < MEAN_OF_ORDERS:
        raise InputError(f"{PREFIX}mean: that of orders is for variants with {MEAN_OF_ORDERS} weights")
    variant = metric.variant.at_sentence_level() if level == "sentence" else metric.variant

    def precisions_of(orders: int) -> NDArray[np.float64]:
        of_orders: Any = scorer
        if keys.mean == "orders":
            of_orders = Bleu(loader.load_variant(variant, {"weights": orders, "average": "micro"})).scorer(level)
        precisions: NDArray[np.float64] = of_orders.score_columns(rows).precisions
        return precisions

    if keys.penalty == "ratio":
        penalties = length_ratios(rows.hypothesis_length, rows.reference_length)
    else:
        penalties = scorer.score_columns(rows).brevity_penalty
    scores = scores_of_precisions(keys.mean, penalties, precisions_of, variant)
    if keys.mean:
        return scores
    import numpy as np

    is_empty = (rows.hypothesis_length == 0) & (rows.reference_tokens == 0)
    return np.where(is_empty, variant.empty_score, scores)
