"""``sacrebleu.metrics.bleu``: sacreBLEU's BLEU, for which bleukit tokenizes and counts."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from copy import copy
from functools import cache, cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias

import sacrebleu.metrics.bleu as original
from sacrebleu.metrics import BLEUScore

import bleukit
from bleukit.compat.originals import names_of, reading_names
from bleukit.counting.packed import are, grouped
from bleukit.counting.segment_columns import Segments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bleukit import Bleu, Prepared, Statistics

    References: TypeAlias = Sequence[Sequence[str | None]]

__all__ = ["BLEU", "BLEUScore", "TextAsListWarning", "TransposedReferencesWarning"]

__getattr__ = names_of(original)

logger = logging.getLogger("sacrebleu")

TOKENIZED_LINES = 100
"""From this many hypotheses that end in " ." sacreBLEU warns that they are tokenized."""

OF_SEGMENTS = (
    "_preprocess_segment",
    "_cache_references",
    "_extract_reference_info",
    "_get_closest_ref_len",
    "_compute_segment_statistics",
    "_extract_corpus_statistics",
    "_aggregate_and_compute",
)
"""The methods that other code overrides, and that sacreBLEU then has to call."""

TOKENIZERS = {f"sacrebleu.tokenizers.{path}": name for name, path in original.BLEU.TOKENIZERS.mapping.items()}
"""The name of the tokenizer of each class of sacreBLEU's."""


class TransposedReferencesWarning(UserWarning):
    """References are probably by segment, not by set as sacreBLEU takes them: some segments are left out."""


class TextAsListWarning(UserWarning):
    """A str stands where a list of hypotheses or a set of references is meant: each character is a segment."""


@cache
def _tokenizer_class(name: str) -> Callable[[], Any]:
    """Return what creates sacreBLEU's tokenizer of a name: one for all metrics, because to make one takes long."""
    tokenizer = original._get_tokenizer(name)()
    return lambda: tokenizer


class BLEU(original.BLEU):  # type: ignore[misc,unused-ignore]
    """sacreBLEU's BLEU; bleukit tokenizes and counts all segments at once.

    If a subclass overrides how segments are counted, or ``tokenizer`` is set to another object, sacreBLEU counts.
    """

    __init__ = reading_names(original.BLEU.__init__, {**vars(original), "_get_tokenizer": _tokenizer_class}, __name__)

    def corpus_score(self, hypotheses: Sequence[str], references: References | None, n_bootstrap: int = 1) -> BLEUScore:
        """Return the score of a corpus, as sacreBLEU; it needs only sums if nothing is resampled."""
        if n_bootstrap > 1 or self._bleu() is None:
            return super().corpus_score(hypotheses, references, n_bootstrap)
        self._check_corpus_score_args(hypotheses, references)
        return self._aggregate_and_compute(self._counted(hypotheses, references, summed=True))

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """Return the score of one sentence, as sacreBLEU; the short way for plain text that it warns of nothing."""
        plain = self.effective_order and type(hypothesis) is str and type(references) is list
        bleu = self._bleu() if plain else None
        sums = bleu and bleu.segment_sums(hypothesis, references)
        if not sums:
            return super().sentence_score(hypothesis, references)
        self.num_refs = len(references)
        return self._compute_score_from_stats(sums)

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: References | None) -> list[list[int]]:
        return self._counted(hypotheses, references, summed=False)

    def _cache_references(self, references: References) -> Sequence[dict[str, Any]]:
        _warn_of_text("references", references)
        kept = _References(references, self)
        self._set_number_of_references(kept.groups)
        return kept if kept.bleu else super()._cache_references(references)

    def _counted(self, hypotheses: Sequence[str], references: References | None, *, summed: bool) -> list[list[int]]:
        """Return lengths, matches and totals of each segment; only their sum if ``summed`` and it is faster."""
        bleu, kept = self._bleu(), self._ref_cache
        _warn_of_text("hypotheses", hypotheses)
        if references:
            groups, sets = _groups(references), len(references)
            countable = _are_countable(groups)
        elif isinstance(kept, _References):
            groups, sets, countable = kept.groups, kept.sets, kept.bleu is bleu
        else:
            groups, sets, countable = [], 0, False
        if groups and len(groups) != len(hypotheses):
            _warn_of_lengths(len(hypotheses), len(groups), sets)
        texts = list(islice(hypotheses, len(groups)))
        if bleu is None or not countable or not texts or not _are_str(texts):
            by_sacrebleu: list[list[int]] = super()._extract_corpus_statistics(hypotheses, references)
            return by_sacrebleu
        if not self._force and sum(text.endswith(" .") for text in texts) >= TOKENIZED_LINES:
            _warn_of_tokenized_lines()
        _warn_of_text("references", references or ())
        self._set_number_of_references(groups)
        if not references and len(texts) == len(groups):
            rows = kept.prepared.statistics(texts)
        elif len(texts) == 1:
            return [bleu.sums(Segments(texts, grouped(groups[:1]), tokenized=False))]
        else:
            rows = bleu.statistics(texts, groups[: len(texts)], references_by="segment")
        return _as_lists(rows.sum() if summed else rows)

    def _set_number_of_references(self, groups: Sequence[Sequence[str]]) -> None:
        numbers = set(map(len, groups))
        self.num_refs = numbers.pop() if len(numbers) == 1 else -1

    def _bleu(self) -> Bleu | None:
        """Return what counts all segments at once, None if something that sacreBLEU calls for each one is replaced."""
        kind = type(self.tokenizer)
        name = TOKENIZERS.get(f"{kind.__module__}.{kind.__qualname__}")
        if name is None or self.max_ngram_order < 1 or not self.__dict__.keys().isdisjoint(OF_SEGMENTS):
            return None
        if type(self) is not BLEU and any(getattr(type(self), own) is not getattr(BLEU, own) for own in OF_SEGMENTS):
            return None
        return _loaded(name, bool(self.lowercase), self.max_ngram_order)


class _References(Sequence["dict[str, Any]"]):
    """References of each segment, tokenized once for all systems; as a sequence, what sacreBLEU keeps of them.

    ``bleu`` counts them at once; it is None if sacreBLEU has to.
    """

    def __init__(self, references: References, metric: BLEU) -> None:
        self._references = list(references)
        self.sets = len(self._references)
        self.groups = _groups(self._references)
        self.bleu = metric._bleu() if _are_countable(self.groups) else None
        self._metric = copy(metric)  # its tokenizer and its case may be changed later

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, index: Any) -> Any:
        return self._extracted[index]

    @cached_property
    def _extracted(self) -> list[dict[str, Any]]:
        extracted: list[dict[str, Any]] = original.BLEU._cache_references(self._metric, self._references)
        return extracted

    @cached_property
    def prepared(self) -> Prepared:
        """The references, tokenized by bleukit."""
        return self.bleu.prepare(self.groups)  # type: ignore[union-attr]


@cache
def _loaded(tokenizer: str, lowercase: bool, max_order: int) -> Bleu:
    return bleukit.load("sacrebleu", tokenizer=tokenizer, lowercase=lowercase, weights=max_order)


def _groups(sets: Iterable[Iterable[str | None]]) -> list[list[str]]:
    """Return the references of each segment, without those that are None."""
    return [[text for text in group if text is not None] for group in zip(*sets)]  # noqa: B905 - the rest is left out


def _are_countable(groups: Sequence[Sequence[Any]]) -> bool:
    return all(groups) and _are_str(list(chain.from_iterable(groups)))


def _are_str(texts: Sequence[object]) -> bool:
    return are(texts, str) or all(isinstance(text, str) for text in texts)


def _as_lists(rows: Statistics) -> list[list[int]]:
    orders = rows.max_order
    lengths = rows.column("hypothesis_length"), map(int, rows.column("reference_length"))
    matches, totals = (list(rows.column(name)) for name in ("matches", "totals"))
    return [
        [*pair, *matches[start : start + orders], *totals[start : start + orders]]
        for pair, start in zip(zip(*lengths, strict=True), range(0, len(matches), orders), strict=True)
    ]


class _CountsNothing(original.BLEU):  # type: ignore[misc,unused-ignore]
    """A metric that only warns of what looks tokenized."""

    def _preprocess_segment(self, sent: str) -> str:
        return sent

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:  # noqa: ARG002
        return []


def _warn_of_tokenized_lines() -> None:
    """Let sacreBLEU log its warning."""
    lines = [" ."] * TOKENIZED_LINES
    _counts_nothing()._extract_corpus_statistics(lines, None)


@cache
def _counts_nothing() -> _CountsNothing:
    return _CountsNothing(tokenize="none", references=[[""] * TOKENIZED_LINES])


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
