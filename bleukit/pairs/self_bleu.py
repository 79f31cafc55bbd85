"""Self-BLEU, how alike texts are: the mean score of each with all others as its references (Zhu et al. 2018)."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from bleukit.counting import components, rows
from bleukit.counting.packed import Grouped, lengths_of
from bleukit.errors import InputError, InputTypeError, shown
from bleukit.hookspecs import CountsTable
from bleukit.results import Result
from bleukit.text import arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bleukit.hookspecs import Text
    from bleukit.loading.registry import LoadedComponent
    from bleukit.pairs.matrix import Metric


@dataclass(frozen=True, eq=False)
class SelfBleu(Result):
    """The self-BLEU of so many texts, in the scale of the recipe; ``seed`` is None unless they were sampled."""

    value: float
    texts: int
    seed: int | None
    signature: str

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        sampled = "" if self.seed is None else f", sampled with seed {self.seed}"
        return f"self-BLEU {self.value:.4f} of {self.texts:,} texts{sampled}"


def self_bleu(bleu: Metric, texts: Sequence[Text], sample: int | None = None, seed: int = 0) -> SelfBleu:
    """Return what :meth:`bleukit.Bleu.self_bleu` says."""
    checked, given = arguments.check_alike(texts, "texts")
    for name, value, least in (("sample", sample, 2), ("seed", seed, 0)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise InputTypeError(f"{name}: expected a whole number, got {shown(value)}")
        if value is not None and value < least:
            raise InputError(f"{name}: expected at least {least}, got {value}")
    if len(checked) < 2:
        raise InputError(f"texts: self-BLEU needs two or more, got {len(checked)}")
    sampled = sample is not None and sample < len(checked)
    if sampled:
        checked = [checked[place] for place in sorted(Random(seed).sample(range(len(checked)), sample or 0))]  # noqa: S311
    tokens = rows.tokens(checked, bleu.components["tokenizer"], bleu.variant.lowercase, given=given)
    lengths = np.array(lengths_of(tokens), np.int64)
    matches, totals = components.count_others(bleu.components["counter"], tokens, bleu.max_order)
    effective = _effective_lengths(bleu.components["reference_length"], lengths)
    scores = bleu.scores_of_segments(CountsTable(matches, totals, lengths, effective), lengths.sum() - lengths)
    return SelfBleu(float(scores.mean()), len(checked), seed if sampled else None, bleu.signature)


def _effective_lengths(policy: LoadedComponent, lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the effective reference length of each text with the lengths of all others as those of its references.

    Texts of one length have the same others, unless the policy cares for their order.
    """
    if getattr(policy.call, "depends_on_order", False):
        places, kinds = np.arange(len(lengths)), np.arange(len(lengths))
    else:
        _, places, kinds = np.unique(lengths, return_index=True, return_inverse=True)
    found = []
    for place in places:
        others = array("q", np.delete(lengths, place).tobytes())
        own: Any = array("q", [int(lengths[place])])
        found.append(components.reference_lengths(policy, own, Grouped(others, array("q", [len(others)])))[0])
    effective: NDArray[np.float64] = np.array(found)[kinds.ravel()]
    return effective
