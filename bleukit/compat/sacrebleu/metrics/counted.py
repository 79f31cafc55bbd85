"""What the metrics of bleukit.compat.sacrebleu share: bleukit counts all segments at once, the rest is sacreBLEU's."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from sacrebleu.metrics.base import Metric as SacrebleuMetric

from bleukit import Bleu
from bleukit.framework.packed import are, grouped
from bleukit.framework.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bleukit.framework.metric import AnyMetric

    References: TypeAlias = Sequence[Sequence[str | None]]

logger = logging.getLogger("sacrebleu")


class TransposedReferencesWarning(UserWarning):
    """References are probably by segment, not by set as sacreBLEU takes them: some segments are left out."""


class TextAsListWarning(UserWarning):
    """A str stands where a list of hypotheses or a set of references is meant: each character is a segment."""


class Counted(SacrebleuMetric):  # type: ignore[misc,unused-ignore]
    """The base, beside sacreBLEU's own class, of a metric that bleukit counts.

    If a subclass of the metric overrides how segments are counted, sacreBLEU counts.
    """

    OF_SEGMENTS: ClassVar[Sequence[str]] = (
        "_preprocess_segment",
        "_cache_references",
        "_extract_reference_info",
        "_compute_segment_statistics",
        "_extract_corpus_statistics",
        "_aggregate_and_compute",
    )
    """The methods that other code overrides, and that sacreBLEU then has to call."""

    def _metric(self) -> AnyMetric | None:
        """Return what counts all segments at once, None if sacreBLEU has to count."""
        raise NotImplementedError

    def _as_lists(self, rows: Any) -> list[list[Any]]:
        """Return what sacreBLEU has of each row of statistics."""
        raise NotImplementedError

    def _look_at(self, texts: Sequence[str]) -> None:
        """Warn of hypotheses as sacreBLEU does."""

    def _is_changed(self, of: type) -> bool:
        """Return whether something that sacreBLEU calls for each segment is not as in a class."""
        own = type(self)
        return not self.__dict__.keys().isdisjoint(self.OF_SEGMENTS) or (
            own is not of and any(getattr(own, name) is not getattr(of, name) for name in self.OF_SEGMENTS)
        )

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: References | None) -> list[list[Any]]:
        return self._counted(hypotheses, references)

    def _cache_references(self, references: References) -> Sequence[dict[str, Any]]:
        _warn_of_text("references", references)
        kept = _References(references, self)
        self._set_number_of_references(kept.groups)
        return kept if kept.metric else super()._cache_references(references)

    def _counted(
        self, hypotheses: Sequence[str], references: References | None, *, summed: bool = False
    ) -> list[list[Any]]:
        """Return what sacreBLEU has of each segment; if ``summed``, of all together."""
        metric, kept = self._metric(), self._ref_cache
        _warn_of_text("hypotheses", hypotheses)
        if references:
            groups, sets = _groups(references), len(references)
            countable = _are_countable(groups)
        elif isinstance(kept, _References):
            groups, sets, countable = kept.groups, kept.sets, kept.metric == metric
        else:
            groups, sets, countable = [], 0, False
        if groups and len(groups) != len(hypotheses):
            _warn_of_lengths(len(hypotheses), len(groups), sets)
        texts = list(islice(hypotheses, len(groups)))
        if metric is None or not countable or not texts or not _are_str(texts):
            by_sacrebleu: list[list[Any]] = super()._extract_corpus_statistics(hypotheses, references)
            return by_sacrebleu
        self._look_at(texts)
        _warn_of_text("references", references or ())
        self._set_number_of_references(groups)
        if not references and len(texts) == len(groups):
            rows = kept.prepared.statistics(texts)
        elif len(texts) == 1 and isinstance(metric, Bleu):  # the short way
            return [metric.sums(Segments(texts, grouped(groups[:1]), tokenized=False))]
        else:
            rows = metric.statistics(texts, groups[: len(texts)], references_by="segment")
        return self._as_lists(rows.sum() if summed else rows)

    def _set_number_of_references(self, groups: Sequence[Sequence[str]]) -> None:
        numbers = set(map(len, groups))
        self.num_refs = numbers.pop() if len(numbers) == 1 else -1


class _References(Sequence["dict[str, Any]"]):
    """References of each segment, prepared once for all systems; as a sequence, what sacreBLEU keeps of them.

    ``metric`` counts them at once; it is None if sacreBLEU has to.
    """

    def __init__(self, references: References, of: Counted) -> None:
        self._references = list(references)
        self.sets = len(self._references)
        self.groups = _groups(self._references)
        self.metric = of._metric() if _are_countable(self.groups) else None
        self._of = copy(of)  # its tokenizer and its case may be changed later

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, index: Any) -> Any:
        return self._extracted[index]

    @cached_property
    def _extracted(self) -> list[dict[str, Any]]:
        extracted: list[dict[str, Any]] = SacrebleuMetric._cache_references(self._of, self._references)
        return extracted

    @cached_property
    def prepared(self) -> Any:
        """The references, prepared by bleukit."""
        return self.metric.prepare(self.groups)  # type: ignore[union-attr]


def _groups(sets: Iterable[Iterable[str | None]]) -> list[list[str]]:
    """Return the references of each segment, without those that are None."""
    return [[text for text in group if text is not None] for group in zip(*sets)]  # noqa: B905 - the rest is left out


def _are_countable(groups: Sequence[Sequence[Any]]) -> bool:
    return all(groups) and _are_str(list(chain.from_iterable(groups)))


def _are_str(texts: Sequence[object]) -> bool:
    return are(texts, str) or all(isinstance(text, str) for text in texts)


def _warn_of_text(name: str, texts: Any) -> None:
    """Warn of a str in place of a list of hypotheses, or of a set of references."""
    if isinstance(texts, str) or (name == "references" and any(isinstance(each, str) for each in texts)):
        expected = "a list of str" if name == "hypotheses" else "a list of sets, each a list of str"
        warnings.warn(
            f"{name}: expected {expected}, got a str in place of a list: sacreBLEU takes each character for a segment",
            TextAsListWarning,
            stacklevel=5,
        )


def _warn_of_lengths(hypotheses: int, segments: int, sets: int) -> None:
    """Warn of hypotheses or references without counterpart; there are ``sets`` of references of ``segments`` each."""
    if sets == hypotheses:
        warnings.warn(
            "references: expected a list of sets, each with one reference of each hypothesis, but there are as many "
            f"items as hypotheses ({hypotheses}), and each has {segments}: pass [refs], not [[ref] for ref in refs]; "
            "what has no counterpart is left out",
            TransposedReferencesWarning,
            stacklevel=4,
        )
    else:
        logger.warning("%d hypotheses but references of %d: the rest is left out.", hypotheses, segments)
