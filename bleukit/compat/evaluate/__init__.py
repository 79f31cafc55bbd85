"""Modules of Hugging Face's ``evaluate`` that are loaded from a folder, without a network::

    evaluate.load(bleukit.compat.evaluate.folder("sacrebleu")).compute(predictions=..., references=...)
    evaluate.load(bleukit.compat.evaluate.folder("variant"), "mteval-v13a").compute(...)

``bleu`` and ``sacrebleu`` have the parameters and the results of evaluate's; ``variant`` is any variant of bleukit. The
number of references may differ from segment to segment. This module holds what they compute; it does not need evaluate.
"""

from __future__ import annotations

import math
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bleukit
from bleukit.compat import sacrebleu as peer
from bleukit.errors import InputError, near_misses

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
    """Return what ``evaluate.load("bleu").compute`` does: a score of 0 to 1. A tokenizer returns a list of tokens."""
    keys: dict[str, Any] = {"smoothing": "add-one"} if smooth else {}
    metric = bleukit.load("evaluate", weights=[1 / max_order] * max_order, **keys)
    groups: Any = _groups(references)
    texts: Any = predictions
    if tokenizer is not None:
        texts = [list(tokenizer(text)) for text in predictions]
        groups = [[list(tokenizer(text)) for text in group] for group in groups]
    score = metric.corpus(texts, groups, references_by="segment")
    length = int(score.reference_length)
    return {
        "bleu": score.value,
        "precisions": [0.0 if math.isnan(precision) else precision for precision in score.precisions],
        "brevity_penalty": score.brevity_penalty,
        "length_ratio": score.hypothesis_length / length if length else float("inf"),
        "translation_length": score.hypothesis_length,
        "reference_length": length,
    }


def compute_sacrebleu(  # noqa: PLR0913
    predictions: Sequence[str],
    references: References,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> dict[str, Any]:
    """Return what ``evaluate.load("sacrebleu").compute`` does: a score of 0 to 100."""
    sets = list(zip_longest(*_groups(references)))
    score = peer.corpus_bleu(
        predictions,
        sets,
        smooth_method,
        smooth_value,
        force,
        lowercase,
        tokenize or peer.BLEU.TOKENIZER_DEFAULT,
        use_effective_order,
    )
    names = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    return {name: getattr(score, name) for name in names}


def compute_variant(predictions: Sequence[str], references: References, name: str) -> dict[str, Any]:
    """Return the fields of the score of a variant of bleukit, with its signature."""
    return bleukit.load(name).corpus(predictions, _groups(references), references_by="segment").to_dict()


def _groups(references: References) -> list[Sequence[str]]:
    return [[group] if isinstance(group, str) else group for group in references]
