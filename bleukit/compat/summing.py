"""What the drop-ins take from bleukit: the sums of what is counted in segments that they have checked themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleukit.counting.packed import are
from bleukit.counting.segment_columns import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit import Bleu
    from bleukit.counting.packed import Grouped


def summed(bleu: Bleu, hypotheses: Sequence[Any], references: Grouped[Any], *, tokenized: bool = False) -> list[int]:
    """Return the lengths of hypotheses and of effective references, matches and totals, one after the other.

    Effective references have to be of whole lengths. Raises PluginError for tokens that cannot be counted.
    """
    if len(hypotheses) == 1 and bleu._direct and are([*hypotheses, *references.items], list if tokenized else str):
        counts = bleu._direct.segment(hypotheses[0], references.items)
        if counts is not None:
            return list(counts.listed())
    rows = bleu._rows(Segments(hypotheses, references, tokenized=tokenized), bleu._counting[tokenized])
    lengths, effective, _, _, matches, totals = rows.sum().counted()
    return [*lengths, *map(int, effective), *matches, *totals]
