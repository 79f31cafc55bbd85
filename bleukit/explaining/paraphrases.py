"""iBLEU of paraphrases, which rewards likeness to references and punishes copies of the source (Sun and Zhou 2012)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleukit.bleu.bleu import bleu_of
from bleukit.bleu.scoring import Score, decimals, rounded
from bleukit.framework.arguments import check_sequence
from bleukit.framework.errors import InputError, InputTypeError, shown
from bleukit.framework.results import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleukit.bleu.bleu import VariantLike
    from bleukit.framework.layouts import Layout
    from bleukit.framework.protocols import References, Text


@dataclass(frozen=True, eq=False)
class IBleu(Result):
    """alpha · BLEU against the references - (1 - alpha) · BLEU against the sources, in the scale of the variant.

    ``value`` is below 0 if that of the sources outweighs the other. ``score`` and ``source_score`` are the two scores.
    """

    value: float
    alpha: float
    score: Score
    source_score: Score
    signature: str

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        places = decimals(self.score.value, self.source_score.value)
        scores = f"BLEU {rounded(self.score.value, places)}, {rounded(self.source_score.value, places)} of the sources"
        return f"iBLEU {rounded(self.value, places)} (alpha {self.alpha:g}; {scores}; {self.score.variant})"

    @classmethod
    def of_scores(cls, score: Score, source_score: Score, alpha: float) -> IBleu:
        """Return the iBLEU of the score of hypotheses against references, and of that against sources."""
        value = alpha * score.value - (1 - alpha) * source_score.value
        signature = f"{score.signature}|ibleu:{alpha!r}|sources:1"  # a segment has one source
        return cls(value, alpha, score, source_score, signature)


def ibleu(  # noqa: PLR0913
    hypotheses: Sequence[Text],
    references: Sequence[References],
    sources: Sequence[Text],
    alpha: float = 0.8,
    variant: VariantLike = None,
    *,
    references_by: Layout | None = None,
    threads: int | None = None,
) -> IBleu:
    """Return the iBLEU of a corpus: alpha · BLEU(hypotheses, references) - (1 - alpha) · BLEU(hypotheses, sources).

    ``sources[i]`` is the source of hypothesis i. Sun and Zhou recommend an ``alpha`` of 0.7 to 0.9; papers take 0.8 or
    0.9. ``variant`` is what :func:`bleukit.load` takes; for all else see :meth:`bleukit.Metric.corpus`. Raises
    InputError or InputTypeError for input that cannot be scored, and for an alpha that is not between 0 and 1.
    """
    if isinstance(alpha, bool) or not isinstance(alpha, int | float):
        raise InputTypeError(f"alpha: expected a number from 0 to 1, got {shown(alpha)}")
    if not 0 <= alpha <= 1:
        raise InputError(f"alpha: expected a number from 0 to 1, got {alpha}")
    bleu = bleu_of(variant)
    sources = check_sequence(sources, "sources", "a sequence with the source of each hypothesis")
    score = bleu.corpus(hypotheses, references, references_by=references_by, threads=threads)
    try:
        source_score = bleu.corpus(hypotheses, [[source] for source in sources], references_by="segment")
    except InputError as error:
        raise type(error)(f"sources: {error}") from error
    return IBleu.of_scores(score, source_score, float(alpha))
