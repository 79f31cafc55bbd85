"""The effective reference lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.plugin import CompiledModule, promises

if TYPE_CHECKING:
    from collections.abc import Sequence

_reference_lengths = CompiledModule("bleukit.built_in.paper.reference_lengths_compiled")


@promises(order_independent=True)
def closest(hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the reference length closest to the hypothesis; of two equally close, the shorter.

    Article, "Brevity penalty". It leaves ties open; the shorter is what NLTK, sacreBLEU and mteval-v13a take.
    """
    return min(reference_lengths, key=lambda length: (abs(length - hypothesis_length), length))


@promises(order_independent=True)
def shortest(hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the shortest reference length, as NIST evaluations did before 2009 (article, "Algorithm")."""
    return min(reference_lengths)


@promises(order_independent=True)
def longest(hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the longest reference length."""
    return max(reference_lengths)


@promises(order_independent=True)
def average(hypothesis_length: int, reference_lengths: Sequence[int]) -> float:
    """Return the mean reference length."""
    return sum(reference_lengths) / len(reference_lengths)


CLOSEST, SHORTEST, LONGEST, AVERAGE = map(_reference_lengths.twin, (closest, shortest, longest, average))
