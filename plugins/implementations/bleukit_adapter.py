"""bleukit itself, as if it were another library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bleukit
from bleukit.plugin import Counts, Reported, Text, Variant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit import Score


class Bleukit:
    """Takes every variant, and counts in place of segments."""

    def __call__(self, variant: Variant, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Reported:
        bleu = bleukit.load(variant)
        (first, *others) = hypotheses
        tokens = bleu.tokenize(first) if isinstance(first, str) and not others else None
        return _reported(bleu.corpus(hypotheses, references), variant, tokens)

    def from_counts(self, variant: Variant, counts: Counts) -> Reported:
        sums = bleukit.Statistics.of_segments(
            len(counts.matches),
            hypothesis_length=[counts.hypothesis_length],
            reference_length=[counts.reference_length],
            reference_tokens=[int(counts.reference_length)],
            references=[1],
            matches=counts.matches,
            totals=counts.totals,
        )
        return _reported(bleukit.load(variant).score(sums), variant)


def _reported(score: Score, variant: Variant, tokens: Sequence[str] | None = None) -> Reported:
    return Reported(
        tokens=tokens,
        matches=score.matches,
        totals=score.totals,
        precisions=score.precisions,
        hypothesis_length=score.hypothesis_length,
        reference_length=score.reference_length,
        brevity_penalty=score.brevity_penalty,
        score=score.value / variant.scale,
    )
