"""BLEU as Hugging Face's ``evaluate.load("bleu")`` computes it.

That is ``compute_bleu`` of TensorFlow NMT: https://github.com/huggingface/evaluate, metrics/bleu;
https://github.com/tensorflow/nmt, nmt/scripts/bleu.py.

The original raises ZeroDivisionError if no hypothesis has a token, or if the shortest references have none. Here the
definition of the brevity penalty holds: it is 0 for the first, and 1 for the second. So ``["", "a b c d"]`` gives the
hypothesis ``a b c d`` the score 1, and an empty reference gives it 0, or 0.302 with ``smooth=True``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.built_in.sacrebleu.tokenizers import MARKS, RULES_13A, replace_marks_of_mteval

from bleukit.plugin import Counts, CountsTable, RuleTokenizer, hookimpl, variant_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


TOKENIZER_13A = RuleTokenizer(
    RULES_13A,
    surrounded=True,
    prepare=replace_marks_of_mteval,
    marks=MARKS,
    doc="""
    13a without sacreBLEU's first step, which strips the end of a text: a hyphen before a last line feed is removed.
    """,
)


@dataclass(frozen=True)
class AddOne:
    """``smooth=True``: one match of one n-gram more at every order, so that 0/0 is 1; of order 1, ``first`` more.

    Lin and Och (2004) add nothing at order 1. Unlike sacreBLEU's ``add-k`` it smooths even if no order has a match.
    """

    first: float = 1.0
    ignores_reference_length: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 <= self.first < math.inf:
            raise ValueError(f"first must be a finite number of at least 0, got {self.first}")

    def __call__(self, counts: Counts) -> list[float]:
        return [(m + k) / (t + k) if t + k else math.nan for m, t, k in self._sums(counts)]

    def steps(self, counts: Counts) -> list[str]:
        return [f"({m} + {k:.6g})/({t} + {k:.6g})" if k else "" for m, t, k in self._sums(counts)]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        import numpy as np

        added = np.ones(counts.matches.shape[1])
        added[0] = self.first
        with np.errstate(invalid="ignore"):
            precisions: NDArray[np.float64] = (counts.matches + added) / (counts.totals + added)
        return precisions

    def _sums(self, counts: Counts) -> Iterator[tuple[int, int, float]]:
        """Return the matches, the totals and what is added to both."""
        return zip(counts.matches, counts.totals, chain([self.first], repeat(1.0)), strict=False)


@hookimpl
def bleukit_tokenizers() -> dict[str, Any]:
    return {"evaluate": lambda: TOKENIZER_13A}


@hookimpl
def bleukit_smoothings() -> dict[str, Any]:
    return {"add-one": AddOne}


@hookimpl
def bleukit_variants() -> dict[str, Path]:
    return variant_files(__file__)
