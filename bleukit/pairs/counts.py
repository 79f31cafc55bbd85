"""Counts of every pair of texts, or of each text against all others: by a counter's own methods, or one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.bleu.components import count_segments
from bleukit.framework.calling import blamed
from bleukit.framework.errors import PluginError, reported_as
from bleukit.framework.loops import up_to
from bleukit.framework.packed import Grouped, grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bleukit.framework.creating import LoadedComponent


def count_every_pair(
    counter: LoadedComponent, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], max_order: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the matches of each hypothesis with each single reference: shape (orders, hypotheses, references).

    Totals are of the same shape, or of shape (orders, hypotheses) if they do not depend on the reference.
    """
    shape = max_order, len(hypotheses), len(references)
    if counter.promise("pairs") is not None:
        matches, totals = _counted_by(counter, "pairs", (hypotheses, references, max_order), shape, shape[:2])
        if matches.dtype != np.int32:  # of which a counter may make use to take less memory
            matches = matches.astype(np.int64, copy=False)
        return matches, totals.astype(np.int64, copy=False)
    repeated = [hypothesis for hypothesis in hypotheses for _ in references]
    alone = Grouped(list(references) * len(hypotheses), up_to(len(repeated)))
    sides = [np.asarray(side) for side in count_segments(counter, repeated, alone, max_order)]
    matches, totals = (side.reshape(*shape[1:], max_order).transpose(2, 0, 1) for side in sides)
    return matches, totals


def count_against_others(
    counter: LoadedComponent, texts: Sequence[Sequence[str]], max_order: int, *, itself: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the matches and totals of each text with all others as its references, and ``itself``, or not.

    Both are of shape (texts, orders).
    """
    shape = len(texts), max_order
    if counter.promise("others") is None:
        all_texts = list(texts)
        counted = []
        for place, text in enumerate(all_texts):
            references = all_texts if itself else [*all_texts[:place], *all_texts[place + 1 :]]
            counted.append(count_segments(counter, [text], grouped([references]), max_order, place))
        sides = [np.concatenate(side) for side in zip(*counted, strict=True)]
    elif itself:  # then no other reference adds a match
        alone = Grouped(texts, up_to(len(texts)))
        sides = [np.asarray(side) for side in count_segments(counter, texts, alone, max_order)]
    else:
        sides = _counted_by(counter, "others", (texts, max_order), shape, shape)
    matches, totals = (side.reshape(shape).astype(np.int64, copy=False) for side in sides)
    return matches, totals


def _counted_by(
    counter: LoadedComponent, method: str, arguments: tuple[Any, ...], *shapes: tuple[int, ...]
) -> list[NDArray[Any]]:
    """Return the matches and the totals that a method of a counter returns, which must be of these shapes."""
    with reported_as(lambda error: blamed(counter, error, f"in its {method} method")):
        sides = list(map(np.asarray, counter.promise(method)(*arguments)))
    if len(sides) == 2 and not sides[0].size and 0 in shapes[0]:
        return [np.zeros(shape, np.int64) for shape in shapes]
    returned = tuple(side.shape for side in sides)
    right = returned == shapes and all(side.dtype.kind == "i" for side in sides)
    most = sides[0].max(axis=2) if right and sides[0].ndim == 3 else sides[0]
    if not right or sides[0].min() < 0 or (most > sides[1]).any():
        raise PluginError(
            f"{counter} returns matches and totals of the shapes {' and '.join(map(str, returned))}, or more matches "
            f"than n-grams, in its {method} method; expected whole numbers of the shapes {shapes[0]} and {shapes[1]}"
        )
    return sides
