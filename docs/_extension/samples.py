"""The texts on which variants and components are shown."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

EXAMPLES = Path(__file__).parents[2] / "examples"

LINES = (
    "The cat sat on the mat.",
    "\"It's 5 o'clock,\" she said.",
    "It cost $3,500.00 in 2019-2020.",
    "A state-of-the-art e-mail: info@example.org",
    "&quot;Q &amp; A&quot; <skipped> at 7.45 a.m.",
    "Two  blanks, a tab\tand a no-break\u00a0space",
    "Café “naïve” – 10 €, 50 %",
    "我们在2019年见面。",
    "これはペンです。",
    "x = a[i]+b_2; // comment",
)
"""The lines on which all tokenizers are shown."""


class Sample(NamedTuple):
    """A text: hypotheses, and the references of each."""

    hypotheses: list[str]
    references: list[list[str]]


@cache
def example() -> Sample:
    """Return the text in the folder examples."""
    hypotheses, *references = (
        (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        for name in ("hypothesis.txt", "reference1.txt", "reference2.txt")
    )
    return Sample(hypotheses, [list(group) for group in zip(*references, strict=True)])
