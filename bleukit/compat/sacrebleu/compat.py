"""The functions of ``sacrebleu.compat`` for BLEU; the others are sacreBLEU's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleukit.compat.sacrebleu.metrics import BLEU, BLEUScore
from bleukit.compat.sacrebleu.original import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence


__getattr__ = names_of(__name__)


def corpus_bleu(  # noqa: PLR0913
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """Return the BLEU of a corpus; the parameters are those of :class:`BLEU`."""
    metric = BLEU(lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """Return the BLEU of a corpus without tokenizing: smoothed by ``floor``, with effective order."""
    return corpus_bleu(hypotheses, references, "floor", smooth_value, True, False, "none", True)


def sentence_bleu(  # noqa: PLR0913
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Return the BLEU of one sentence; the parameters are those of :class:`BLEU`."""
    metric = BLEU(lowercase, False, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    return metric.sentence_score(hypothesis, references)
