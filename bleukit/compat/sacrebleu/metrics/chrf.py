"""``sacrebleu.metrics.chrf``: sacreBLEU's chrF, for which bleukit counts n-grams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import sacrebleu.metrics.chrf as original
from sacrebleu.metrics import CHRFScore

from bleukit.compat.originals import names_of
from bleukit.compat.sacrebleu.metrics.counted import Counted
from bleukit.metrics.chrf import Chrf

if TYPE_CHECKING:
    from bleukit import ChrfStatistics

__all__ = ["CHRF", "CHRFScore"]

__getattr__ = names_of(original)


class CHRF(Counted, original.CHRF):  # type: ignore[misc,unused-ignore]
    """sacreBLEU's chrF; bleukit counts the n-grams of all segments at once.

    If a subclass overrides how segments are counted, sacreBLEU counts.
    """

    OF_SEGMENTS = (
        *Counted.OF_SEGMENTS,
        "_get_match_statistics",
        "_remove_punctuation",
        "_compute_f_score",
        "_PUNCTS",
    )

    def _metric(self) -> Chrf | None:
        numbers = self.char_order, self.word_order, self.beta
        are_right = all(type(number) is int and number >= 0 for number in numbers)
        if not are_right or not 0 < sum(numbers[:2]) == self.order or self._is_changed(CHRF):
            return None
        return Chrf(*numbers, bool(self.lowercase), bool(self.whitespace), bool(self.eps_smoothing))

    def _as_lists(self, rows: ChrfStatistics) -> list[list[int]]:
        columns = rows.hypothesis_ngrams, rows.reference_ngrams, rows.matches
        lists: list[list[int]] = np.stack(columns, axis=2).reshape(len(rows), -1).tolist()
        return lists
