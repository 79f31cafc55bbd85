"""``sacrebleu.metrics.bleu``: sacreBLEU's BLEU, for which bleukit tokenizes and counts."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import sacrebleu.metrics.bleu as original
from sacrebleu.metrics import BLEUScore

import bleukit
from bleukit.compat.originals import names_of, reading_names
from bleukit.compat.sacrebleu.metrics.counted import Counted, TextAsListWarning, TransposedReferencesWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bleukit import Bleu, Statistics
    from bleukit.compat.sacrebleu.metrics.counted import References

__all__ = ["BLEU", "BLEUScore", "TextAsListWarning", "TransposedReferencesWarning"]

__getattr__ = names_of(original)

TOKENIZED_LINES = 100
"""From this many hypotheses that end in " ." sacreBLEU warns that they are tokenized."""

TOKENIZERS = {f"sacrebleu.tokenizers.{path}": name for name, path in original.BLEU.TOKENIZERS.mapping.items()}
"""The name of the tokenizer of each class of sacreBLEU's."""


@cache
def _tokenizer_class(name: str) -> Callable[[], Any]:
    """Return what creates sacreBLEU's tokenizer of a name: one for all metrics, because to make one takes long."""
    tokenizer = original._get_tokenizer(name)()
    return lambda: tokenizer


class BLEU(Counted, original.BLEU):  # type: ignore[misc,unused-ignore]
    """sacreBLEU's BLEU; bleukit tokenizes and counts all segments at once.

    If a subclass overrides how segments are counted, or ``tokenizer`` is set to another object, sacreBLEU counts.
    """

    OF_SEGMENTS = (*Counted.OF_SEGMENTS, "_get_closest_ref_len")

    __init__ = reading_names(original.BLEU.__init__, {**vars(original), "_get_tokenizer": _tokenizer_class}, __name__)

    def corpus_score(self, hypotheses: Sequence[str], references: References | None, n_bootstrap: int = 1) -> BLEUScore:
        """Return the score of a corpus, as sacreBLEU; it needs only sums if nothing is resampled."""
        if n_bootstrap > 1 or self._metric() is None:
            return super().corpus_score(hypotheses, references, n_bootstrap)
        self._check_corpus_score_args(hypotheses, references)
        return self._aggregate_and_compute(self._counted(hypotheses, references, summed=True))

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """Return the score of one sentence, as sacreBLEU; the short way for plain text that it warns of nothing."""
        plain = self.effective_order and type(hypothesis) is str and type(references) is list
        bleu = self._metric() if plain else None
        sums = bleu and bleu.segment_sums(hypothesis, references)
        if not sums:
            return super().sentence_score(hypothesis, references)
        self.num_refs = len(references)
        return self._compute_score_from_stats(sums)

    def _look_at(self, texts: Sequence[str]) -> None:
        if not self._force and sum(text.endswith(" .") for text in texts) >= TOKENIZED_LINES:
            same = [" ."] * TOKENIZED_LINES  # of which sacreBLEU itself warns
            original.BLEU(tokenize="none").corpus_score(same, [same])

    def _metric(self) -> Bleu | None:
        kind = type(self.tokenizer)
        name = TOKENIZERS.get(f"{kind.__module__}.{kind.__qualname__}")
        if name is None or self.max_ngram_order < 1 or self._is_changed(BLEU):
            return None
        return _loaded(name, bool(self.lowercase), self.max_ngram_order)

    def _as_lists(self, rows: Statistics) -> list[list[int]]:
        orders = rows.max_order
        lengths = rows.column("hypothesis_length"), map(int, rows.column("reference_length"))
        matches, totals = (list(rows.column(name)) for name in ("matches", "totals"))
        return [
            [*pair, *matches[start : start + orders], *totals[start : start + orders]]
            for pair, start in zip(zip(*lengths, strict=True), range(0, len(matches), orders), strict=True)
        ]


@cache
def _loaded(tokenizer: str, lowercase: bool, max_order: int) -> Bleu:
    return bleukit.load("sacrebleu", tokenizer=tokenizer, lowercase=lowercase, weights=max_order)
