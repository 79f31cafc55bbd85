"""NLTK's counter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bleukit.built_in.paper.counters import Clipped


@dataclass(frozen=True)
class Counter(Clipped):
    """Clipped n-grams; the total of a segment is at least 1 at every order (``modified_precision``)."""

    least_total: ClassVar[int] = 1
