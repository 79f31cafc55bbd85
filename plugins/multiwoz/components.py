"""MultiWOZ's tokens, and its smoothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.built_in.paper.scoring import ByOrder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.plugin import Counts

ADDED = 1e-7


def between_go_and_eos(text: str) -> list[str]:
    """Split at white space, between the tokens ``GO_`` and ``EOS_``, which match in every pair of texts."""
    return ["GO_", *text.split(), "EOS_"]


class AddedTwice(ByOrder):
    """matches / (totals + 1e-7) + 1e-7 at every order: 1e-7 where there is none (0/0), and up to 1e-7 more than 1."""

    def precisions(self, matches: Sequence[Any], totals: Sequence[Any], _: object) -> list[Any]:
        return [m / (t + ADDED) + ADDED for m, t in zip(matches, totals, strict=True)]

    def steps(self, counts: Counts) -> list[str]:
        return [f"{m}/({t} + {ADDED}) + {ADDED}" for m, t in zip(counts.matches, counts.totals, strict=True)]
