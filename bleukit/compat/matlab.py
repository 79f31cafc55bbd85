"""``bleuEvaluationScore`` of MATLAB's Text Analytics Toolbox, with its names, defaults and results; it needs no MATLAB.

The numbers are those of the variant ``matlab``, for documents that are tokenized::

    from bleukit.compat.matlab import bleuEvaluationScore
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING, Any

import bleukit
from bleukit.framework.errors import InputError, InputTypeError, shown

if TYPE_CHECKING:
    from bleukit import Bleu

__all__ = ["bleuEvaluationScore"]


def bleuEvaluationScore(  # noqa: N802 - MATLAB's name, as those of the parameters
    candidate: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    *,
    NgramWeights: Iterable[float] | float = (0.25, 0.25, 0.25, 0.25),  # noqa: N803
    IgnoreCase: bool = False,  # noqa: N803
) -> float:
    """Return the BLEU of one tokenized document, 0 to 1; NaN if it and all references are empty.

    ``candidate`` is a list of words; ``references`` is one document, a list of words, or a list of documents.
    ``NgramWeights`` are as many as orders are counted, of any real type, finite and not negative; they are divided by
    their sum. A number is one weight, as a scalar of MATLAB is a vector. ``IgnoreCase`` is True, False, 1 or 0. A
    candidate of fewer words than there are weights scores 0.

    Raises bleukit.InputError, a ValueError, or InputTypeError, also a TypeError, which names the argument.
    """
    if not isinstance(IgnoreCase, Hashable) or IgnoreCase not in (0, 1):
        raise InputError(f"IgnoreCase: expected true, false, 1 or 0, got {shown(IgnoreCase)}")
    bleu = _loaded(_weights(NgramWeights), ignore_case=bool(IgnoreCase))
    is_one = isinstance(references, Sequence) and all(isinstance(word, str) for word in references)
    documents = [references] if is_one or not isinstance(references, Sequence) else references
    names = ["references"] if len(documents) == 1 else [f"references[{number}]" for number in range(len(documents))]
    checked = [_words(document, name) for name, document in zip(names, documents, strict=True)]
    return bleu.sentence(_words(candidate, "candidate"), checked).value


def _words(document: Any, name: str) -> list[str]:
    """Return a document as a list. Raises InputTypeError, which names it, unless it is a list of words."""
    is_list = isinstance(document, Sequence) and not isinstance(document, str | bytes)
    if is_list and all(isinstance(word, str) for word in document):
        return [*document]
    raise InputTypeError(f"{name}: expected a list of words, got {shown(document)}")


def _weights(given: Any) -> tuple[float, ...]:
    """Return weights as floats, one for each order. Raises InputError unless they can be divided by their sum."""
    weights = list(given) if isinstance(given, Iterable) and not isinstance(given, str | bytes) else [given]
    if all(isinstance(weight, Real) and not isinstance(weight, bool) for weight in weights):
        try:
            floats = tuple(map(float, weights))
        except OverflowError:
            floats = ()
        if floats and all(0 <= weight < math.inf for weight in floats) and (greatest := max(floats)):
            return tuple(weight / greatest for weight in floats)  # whose sum is not too large for a float
    raise InputError(f"NgramWeights: expected finite numbers of at least 0, and one above 0, got {shown(given)}")


@lru_cache
def _loaded(weights: tuple[float, ...], *, ignore_case: bool) -> Bleu:
    return bleukit.load("matlab", weights=weights, lowercase=ignore_case)
