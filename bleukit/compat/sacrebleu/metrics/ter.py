"""``sacrebleu.metrics.ter``: sacreBLEU's TER, for which bleukit counts edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sacrebleu.metrics.ter as original
from sacrebleu.metrics import TERScore
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from bleukit.compat.originals import names_of
from bleukit.compat.sacrebleu.metrics.counted import Counted
from bleukit.metrics.ter import Ter

if TYPE_CHECKING:
    from bleukit import TerStatistics

__all__ = ["TER", "TERScore"]

__getattr__ = names_of(original)


class TER(Counted, original.TER):  # type: ignore[misc,unused-ignore]
    """sacreBLEU's TER; bleukit tokenizes all segments at once, and counts their edits.

    If a subclass overrides how segments are counted, or ``tokenizer`` is set to another object, sacreBLEU counts.
    """

    def _metric(self) -> Ter | None:
        tokenizer = self.tokenizer
        if type(tokenizer) is not TercomTokenizer or self._is_changed(TER):
            return None
        options = tokenizer._normalized, tokenizer._no_punct, tokenizer._asian_support, tokenizer._case_sensitive
        return Ter(*map(bool, options))

    def _as_lists(self, rows: TerStatistics) -> list[list[Any]]:
        return list(map(list, zip(rows.column("edits"), rows.column("reference_length"), strict=True)))
