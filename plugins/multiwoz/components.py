"""MultiWOZ's tokens, and its smoothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bleukit.plugin import Counts, CountsTable

ADDED = 1e-7


def between_go_and_eos(text: str) -> list[str]:
    """Split at white space, between the tokens ``GO_`` and ``EOS_``, which match in every pair of texts."""
    return ["GO_", *text.split(), "EOS_"]


class AddedTwice:
    """matches / (totals + 1e-7) + 1e-7 at every order: 1e-7 where there is none (0/0), and up to 1e-7 more than 1."""

    ignores_reference_length: ClassVar[bool] = True

    def __call__(self, counts: Counts) -> list[float]:
        return [m / (t + ADDED) + ADDED for m, t in zip(counts.matches, counts.totals, strict=True)]

    def steps(self, counts: Counts) -> list[str]:
        return [f"{m}/({t} + {ADDED}) + {ADDED}" for m, t in zip(counts.matches, counts.totals, strict=True)]

    def batch(self, counts: CountsTable) -> NDArray[np.float64]:
        precisions: NDArray[np.float64] = counts.matches / (counts.totals + ADDED) + ADDED
        return precisions
