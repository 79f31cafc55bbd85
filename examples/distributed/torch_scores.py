"""BLEU in a training loop on several processes: each counts its own samples, and an all-reduce adds up the sums.

Needs ``pip install bleukit torch``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

import bleukit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit import Bleu

COLUMNS = ("segments", "hypothesis_length", "reference_length", "reference_tokens")


def score_of_all(bleu: Bleu, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> bleukit.Score:
    """Return the score of the samples of all processes, the same on each; a process may have no sample.

    The sums are whole numbers, which an all-reduce adds up exactly in any order, if reference lengths are whole.
    """
    rows = bleu.statistics(hypotheses, references, references_by="segment")
    own = [int(getattr(rows, name).sum()) for name in COLUMNS]
    sums = torch.tensor([*own, *rows.matches.sum(axis=0).tolist(), *rows.totals.sum(axis=0).tolist()])
    dist.all_reduce(sums)
    references_each = [-rows.fewest_references.min(initial=2**31), rows.most_references.max(initial=0)]
    most = torch.tensor(list(map(int, references_each)))
    dist.all_reduce(most, op=dist.ReduceOp.MAX)
    *lengths, matches, totals = sums.split([*[1] * len(COLUMNS), bleu.max_order, bleu.max_order])
    columns = {
        **{name: value.tolist() for name, value in zip(COLUMNS, lengths, strict=True)},
        "fewest_references": [-int(most[0])],
        "most_references": [int(most[1])],
        "matches": matches.tolist(),
        "totals": totals.tolist(),
    }
    return bleu.score(bleukit.Statistics(bleu.max_order, columns, counted_by=bleu.counted_by))
