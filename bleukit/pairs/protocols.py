"""What components may offer beside :mod:`bleukit.plugin` so that pairs of texts are counted and scored faster.

All of it is optional: without a method, segments are counted one by one, and without a promise, nothing is left out.
``bleukit conform`` holds what is offered to what single calls return.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


class CounterOfPairs(Protocol):
    """What an n-gram counter may offer.

    A counter that offers ``others`` must find, in a text with itself among its references, as many matches as with
    itself alone.
    """

    symmetric: bool
    """The promise that ``pairs`` finds the same matches if hypothesis and reference change places."""

    def pairs(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], max_order: int, /
    ) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        """Return (matches, totals) of every hypothesis with every single reference.

        They are of shape (max_order, hypotheses, references) and (max_order, hypotheses).
        """
        ...

    def others(
        self, texts: Sequence[Sequence[str]], max_order: int, /
    ) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
        """Return (matches, totals) of every text with all others as its references, of shape (texts, max_order)."""
        ...


class ReferenceLengthOfPairs(Protocol):
    """What a reference-length policy may promise."""

    order_independent: bool
    """The promise that the order of the references does not matter."""


class SmoothingOfPairs(Protocol):
    """What a smoothing may promise."""

    ignores_reference_length: bool
    """The promise that the precisions do not depend on ``reference_length``."""
