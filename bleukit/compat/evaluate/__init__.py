"""Modules of Hugging Face's ``evaluate`` that are loaded from a folder, without a network::

    evaluate.load(bleukit.compat.evaluate.folder("sacrebleu")).compute(predictions=..., references=...)
    evaluate.load(bleukit.compat.evaluate.folder("variant"), "mteval-v13a").compute(...)

``bleu`` and ``sacrebleu`` have the parameters and the results of evaluate's; ``variant`` is any variant of bleukit. The
number of references may differ from segment to segment. This module holds what they compute; it needs neither evaluate
nor sacreBLEU.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bleukit
from bleukit.framework.errors import InputError, near_misses

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    References = Sequence[Sequence[str] | str]

MODULES = ("bleu", "sacrebleu", "variant")


def folder(name: str) -> str:
    """Return the path of a module, for ``evaluate.load``. Raises InputError if there is none of this name."""
    if name not in MODULES:
        raise InputError(f"{name!r:.60}: no such module; {near_misses(name, list(MODULES))}")
    return str(Path(__file__).parent / name)


def compute_bleu(
    predictions: Sequence[str],
    references: References,
    tokenizer: Callable[[str], Any] | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    """Return what ``evaluate.load("bleu").compute`` does: a score of 0 to 1. A tokenizer returns a list of tokens.

    As there, it raises ZeroDivisionError if no hypothesis has a token, or if the shortest references have none.
    """
    keys: dict[str, Any] = {"smoothing": "add-one"} if smooth else {}
    metric = bleukit.load("evaluate", weights=[1 / max_order] * max_order, **keys)
    groups: Any = _groups(references)
    texts: Any = predictions
    if tokenizer is not None:
        texts = [list(tokenizer(text)) for text in predictions]
        groups = [[list(tokenizer(text)) for text in group] for group in groups]
    score = metric.corpus(texts, groups, references_by="segment")
    ratio = score.hypothesis_length / int(score.reference_length)
    if not ratio:
        raise ZeroDivisionError("no hypothesis has a token")
    return {
        "bleu": score.value,
        "precisions": [0.0 if math.isnan(precision) else precision for precision in score.precisions],
        "brevity_penalty": score.brevity_penalty,
        "length_ratio": ratio,
        "translation_length": score.hypothesis_length,
        "reference_length": int(score.reference_length),
    }


def compute_sacrebleu(  # noqa: PLR0913
    predictions: Sequence[str],
    references: References,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,  # noqa: ARG001 - of evaluate; here no text is warned about
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> dict[str, Any]:
    """Return what ``evaluate.load("sacrebleu").compute`` does: a score of 0 to 100.

    ``tokenize`` and ``smooth_method`` are names of bleukit, which has all of sacreBLEU's. ``force`` changes nothing.
    """
    option = {"floor": "value", "add-k": "k"}.get(smooth_method)
    keys: dict[str, Any] = {
        "tokenizer": tokenize or "13a",
        "lowercase": lowercase,
        "effective_order": use_effective_order,
    }
    keys["smoothing"] = (
        smooth_method if smooth_value is None or not option else {"name": smooth_method, option: smooth_value}
    )
    score = bleukit.load("sacrebleu", **keys).corpus(predictions, _groups(references), references_by="segment")
    matches: list[float] = list(score.matches)
    totals: list[float] = list(score.totals)
    if smooth_method == "add-k" and any(matches):  # sacreBLEU returns the counts with k added
        k = 1 if smooth_value is None else smooth_value
        matches[1:], totals[1:] = ([count + k for count in counts[1:]] for counts in (matches, totals))
    smoothed = (100 * precision if any(matches) and precision > 0 else 0.0 for precision in score.precisions)
    return {
        "score": score.value,
        "counts": matches,
        "totals": totals,
        "precisions": [100 * m / t if m else p for m, t, p in zip(matches, totals, smoothed, strict=True)],
        "bp": score.brevity_penalty,
        "sys_len": score.hypothesis_length,
        "ref_len": int(score.reference_length),
    }


def compute_variant(predictions: Sequence[str], references: References, name: str) -> dict[str, Any]:
    """Return the fields of the score of a variant of bleukit, with its signature."""
    return bleukit.load(name).corpus(predictions, _groups(references), references_by="segment").to_dict()


def _groups(references: References) -> list[Sequence[str]]:
    return [[group] if isinstance(group, str) else group for group in references]
