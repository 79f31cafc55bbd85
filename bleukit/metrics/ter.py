"""Translation edit rate, as sacreBLEU computes it."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from bleukit.framework.additive import AdditiveStatistics, Column
from bleukit.framework.packed import Grouped, PackedTokens, lengths_of, packed
from bleukit.framework.rule_tokenizer import Apart, RuleTokenizer
from bleukit.metrics.edits import fewest_edits
from bleukit.metrics.segment_metric import SegmentMetric

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

PUNCTUATION = r"!-&(-+/:-@\[-`{-~"
"""Of ASCII, but for the apostrophe, comma, dash and period."""

WESTERN = (
    Apart(f"[{PUNCTUATION}]"),
    Apart("[.,]", after="[^0-9]"),
    Apart("[.,]", before="[^0-9]"),
    Apart("-", after="[0-9]"),
)

ASIAN_PUNCTUATION = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
    "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"  # of full width
)

ASIAN = (
    "\u4e00-\u9fff\u3400-\u4dbf"  # ideographs
    "\u31c0-\u31ef\u2e80-\u2eff"  # strokes, radicals
    "\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f"  # compatibility
    "\u3200-\u3f22"  # meant for enclosed letters and months, U+3200 to U+32FF
) + ASIAN_PUNCTUATION
"""Kana are not among them: sacreBLEU's expressions for these begin with ``^``, and the text with a space by then."""


def _without_entities(text: str) -> str:
    """Join lines, replace entities, and set apart possessives: ``'s`` before a space, or what gets one."""
    text = text.rstrip().replace("\n-", "").replace("\n", " ")
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    return re.sub(rf"'s(?=[ {PUNCTUATION}]|\Z)", " 's", text)


def _lowered_without_entities(text: str) -> str:
    return _without_entities(text.lower())


class TerStatistics(AdditiveStatistics):
    """Rows of statistics of TER: ``edits``, ``reference_length`` (the mean of the references, a float), and others.

    ``reference_tokens`` are the words of all references together.
    """

    COLUMNS: ClassVar[Mapping[str, Column]] = MappingProxyType(
        {
            "segments": Column(scored=False),
            "edits": Column(),
            "reference_length": Column("d"),
            "reference_tokens": Column(scored=False),
            "fewest_references": Column(merge="least"),
            "most_references": Column(merge="greatest"),
        }
    )

    __slots__ = ()

    edits: NDArray[np.int64]
    reference_length: NDArray[np.float64]
    reference_tokens: NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class Ter(SegmentMetric):
    """Translation edit rate of sacreBLEU: edits of all segments by the mean lengths of their references, in percent.

    Of several references, the one with the fewest edits counts. ``normalized`` sets punctuation apart, ``no_punct``
    takes it out; with ``asian_support`` they do so to that of Chinese and Japanese, too, and the former makes each
    ideograph a word. Case is ignored unless ``case_sensitive``. If references have no words, any edits score 100.
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    KIND = "ter"
    TOKENIZER: ClassVar[str] = "tercom"
    WRITTEN = MappingProxyType(
        {
            "case": ("case_sensitive", "lower", "mixed"),
            "tokenizer": ("TOKENIZER",),
            "normalized": ("normalized", "no", "yes"),
            "no_punct": ("no_punct", "no", "yes"),
            "asian_support": ("asian_support", "no", "yes"),
        }
    )
    name = "TER"
    lower_is_better = True
    statistics_class = TerStatistics

    @cached_property
    def rules(self) -> RuleTokenizer:
        """What splits texts into words as tercom does, of which sacreBLEU's ``TercomTokenizer`` is a rewrite."""
        removed = r"""[.,?:;!"()""" + (ASIAN_PUNCTUATION if self.asian_support else "") + "]"
        return RuleTokenizer(
            (*WESTERN, *([Apart(f"[{ASIAN}]")] if self.asian_support else [])) if self.normalized else (),
            surrounded=self.normalized,
            prepare=(_without_entities if self.case_sensitive else _lowered_without_entities)
            if self.normalized
            else None,
            marks="[\n&']" if self.normalized else "",
            lowercase=not self.case_sensitive,
            removed=removed if self.no_punct else "",
        )

    def tokens(self, texts: Sequence[str]) -> PackedTokens:
        """Return the words of texts."""
        return packed(self.rules.batch(texts) if self.rules.batch else list(map(self.rules, texts)))

    def reference_tokens(self, texts: Sequence[str]) -> PackedTokens:
        """Return the words of references, which sacreBLEU normalizes twice: the words that come of it once more."""
        words = self.tokens(texts)
        return self.tokens([" ".join(text) for text in words]) if self.normalized else words

    def columns(self, hypotheses: PackedTokens, references: Grouped[Any]) -> dict[str, Any]:
        """Return the columns of the statistics of segments."""
        words = Grouped(lengths_of(references.items), references.ends).sums()
        means = (total / number for total, number in zip(words, references.lengths(), strict=True))
        edits = fewest_edits(hypotheses, references)
        return {"edits": edits, "reference_length": array("d", means), "reference_tokens": words}

    def value(self, sums: Sequence[float]) -> float:
        """Return the rate of sums of edits and of reference lengths."""
        edits, length = sums
        return 100 * (edits / length if length > 0 else float(edits > 0))

    def values_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the rate of each sum."""
        import numpy as np

        edits, lengths = sums.astype(np.float64, copy=False).T
        rates = (edits > 0).astype(edits.dtype)
        values: NDArray[np.float64] = 100 * np.divide(edits, lengths, out=rates, where=lengths > 0)
        return values
