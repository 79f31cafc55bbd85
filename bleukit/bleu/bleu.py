"""From text to score, in the order in which it happens: check, tokenize, count, sum, score."""

from __future__ import annotations

import warnings
from functools import cached_property, partial
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

from bleukit.bleu import components, loader, segment_columns, signature
from bleukit.bleu.scorer import MeanScorer, Scorer
from bleukit.bleu.scoring import Score, ScoreColumns
from bleukit.bleu.statistics import Statistics
from bleukit.framework import arguments, layouts
from bleukit.framework.errors import InputError, InputTypeError, shown
from bleukit.framework.metric import CHUNK, Metric, check_level
from bleukit.framework.packed import PackedTokens, are, packed
from bleukit.framework.signature import score_signature
from bleukit.framework.tokenizing import tokenize_segments, tokenize_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from typing_extensions import Unpack

    from bleukit.bleu.loader import Loaded
    from bleukit.bleu.segment_columns import Columns
    from bleukit.bleu.variant import Variant, VariantKeys
    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.framework.protocols import References, Text
    from bleukit.framework.segments import Segments
    from bleukit.framework.signature import SignaturePart

SLOW_CHUNK = 256
"""The segments that are counted at a time if a component has no batch method, so that the threads stop soon after an
error or an interrupt.
"""


VariantLike: TypeAlias = "str | PathLike[str] | Variant | Bleu | None"
"""What :func:`load` takes, or returns."""


def load(source: str | PathLike[str] | Variant | None = None, /, **overrides: Unpack[VariantKeys]) -> Bleu:
    """Return the BLEU that a variant describes, ready to score.

    ``source`` is a variant's name (``bleukit variants`` lists them) or that of a program which computes it, the path of
    a YAML file, or a Variant; ``overrides`` are keys of a variant: ``load("nltk", smoothing="nltk-method3")``. A
    component may be a callable of your own: ``load(tokenizer=str.split)``. An override holds at all levels. Raises
    VariantError if the variant is wrong or a name has several meanings, PluginError if a factory fails. Weights that do
    not sum to 1 are used as they are, with a UserWarning.
    """
    bleu = bleu_from(source, overrides)
    note = bleu.variant.note_of_weights
    if note and (isinstance(source, str | PathLike) or "weights" in overrides):  # else a Variant is loaded again
        warnings.warn(note, stacklevel=2)
    return bleu


def bleu_from(source: str | PathLike[str] | Variant | None, overrides: Mapping[str, Any]) -> Bleu:
    """Return what :func:`load` returns, without a word on the weights: a command or a drop-in has its own, or none."""
    return Bleu(loader.load_variant(source, overrides))


def _called_by(variant: Variant, name: str) -> Bleu:
    return Bleu(loader.load_variant(variant, {}, called=name))


def bleu_of(variant: VariantLike | AnyMetric) -> Bleu:
    """Return a Bleu as it is, and for all else what :func:`load` returns.

    Raises InputTypeError for another metric, and as that does.
    """
    if isinstance(variant, Bleu):
        return variant
    if isinstance(variant, Metric):
        raise InputTypeError(f"this is for BLEU alone, not for {variant.name}")
    return load(variant)


class Bleu(Metric[Score, Statistics]):
    """One BLEU variant, ready to score; made by :func:`load`. It can be pickled.

    :class:`Metric` describes what methods take and raise; ``corpus``, ``sentences``, ``statistics``, ``prepare``,
    ``score`` and ``accumulator`` are there.
    """

    name = "BLEU"
    statistics_class = Statistics

    def __init__(self, loaded: Loaded) -> None:
        self.variant = loaded.variant
        self._loaded = loaded
        self.tokenizer: LoadedComponent = loaded.components["tokenizer"]
        self._counter = loaded.components["counter"]
        self._reference_length = loaded.components["reference_length"]
        self._scorer = (MeanScorer if self.variant.is_macro else Scorer)(loaded, self.max_order)
        self._sentence_scorer = self._scorer
        if loaded.at_sentence_level is not loaded or self.variant.is_macro:
            self._sentence_scorer = Scorer(loaded.at_sentence_level, self.max_order)
        self._direct = segment_columns.direct_way(
            loaded.components, self.max_order, self.variant.lowercase, few=layouts.MANY_WORDS - 1
        )

    def __repr__(self) -> str:
        return f"<Bleu {self.signature}>"

    def __reduce__(self) -> tuple[Callable[..., Bleu], tuple[Variant, str]]:
        return _called_by, (self.variant, self._loaded.called)

    @cached_property
    def max_order(self) -> int:
        """The highest order of n-grams that is counted."""
        levels = (self._loaded, self._loaded.at_sentence_level)
        return max(
            components.counted_order(level.components["smoothing"], len(level.variant.weights)) for level in levels
        )

    @property
    def label(self) -> str:
        """The variant's name, which says if it is not what that name means."""
        return self._loaded.label

    @property
    def joins_documents(self) -> bool:
        """Whether the segments of each document are scored as one."""
        return self.variant.join_documents

    @property
    def scale(self) -> int:
        """The score of a perfect text: 1 or 100."""
        return self.variant.scale

    @property
    def components(self) -> Mapping[str, LoadedComponent]:
        """The components, created, by their kind."""
        return self._loaded.components

    @property
    def sentence_variant(self) -> Variant:
        """The variant that scores single segments."""
        return self._loaded.at_sentence_level.variant

    @property
    def sentence_components(self) -> Mapping[str, LoadedComponent]:
        """The components for single segments, by their kind."""
        return self._loaded.at_sentence_level.components

    @property
    def signature(self) -> str:
        """The signature of all scores of texts by this variant; it leaves the number of references open."""
        return score_signature(self.label, None, self._counting[0], self._scorer.signature, self._loaded.called)

    @property
    def counted_by(self) -> Hashable:
        """How it counts texts, as ``Statistics.counted_by`` says of what it has counted."""
        return self._counting[0]

    def sentence(self, hypothesis: Text, references: References, *, threads: int | None = None) -> Score:
        """Return the score of one segment, against one reference or a sequence of them."""
        if threads is not None:
            arguments.check_threads(threads)
        counts = self._direct and self._direct.segment(hypothesis, references)
        if counts is None:
            return super().sentence(hypothesis, references)
        value = self._sentence_scorer.value_of_segment(counts)
        whole = partial(self._score_of_segment, counts, self._counting[type(hypothesis) is list])
        return whole() if value is None else Score.of_value(value, whole)

    def _score_of_segment(self, counts: Any, counted_by: SignaturePart) -> Score:
        """Return the score of a single segment, all its fields computed."""
        columns: Columns = counts.columns()
        rows = Statistics.of_segments(self.max_order, *columns, counted_by=counted_by, checked=True)
        return self._sentence_scorer.scores_by_components(rows, self.label)[0]

    def sums(self, segments: Segments) -> list[int]:
        """Return the sums of checked segments: hypothesis lengths, effective reference lengths, matches, totals.

        Matches and totals are one number per order. It is the short way for callers that score few segments very
        often; effective reference lengths are cut to whole numbers. Raises PluginError if a component breaks its
        contract.
        """
        texts, references = segments.hypotheses, segments.references.items
        if len(texts) == 1 and are([*texts, *references], list if segments.tokenized else str):
            sums = self.segment_sums(texts[0], references)
            if sums is not None:
                return sums
        rows = self.rows(segments)
        lengths, effective, _, _, matches, totals = rows.sum().counted()
        return [*lengths, *map(int, effective), *matches, *totals]

    def segment_sums(self, hypothesis: Text, references: Sequence[Text]) -> list[int] | None:
        """Return the :meth:`sums` of one segment; None if it cannot be counted directly, or has to be checked first."""
        counts = self._direct and self._direct.segment(hypothesis, references)
        return counts and list(counts.listed())

    def scores(self, statistics: Statistics, *, level: Level = "corpus") -> list[Score]:
        """Return the score of each row; at level "sentence" each row is a single segment."""
        return self.scorer(level).scores(self._checked(statistics), self._label_of(statistics))

    def score_columns(self, statistics: Statistics, *, level: Level = "corpus") -> ScoreColumns:
        """Return the figures of :meth:`scores` as arrays with one item per row, much faster than one by one."""
        return self.scorer(level).score_columns(self._checked(statistics))

    def tokenize(self, text: str) -> Sequence[str]:
        """Return the tokens that the variant counts in a text, lowercased if it lowercases."""
        if not isinstance(text, str):
            raise InputTypeError(f"text: expected a str, got {shown(text)}")
        return tokenize_texts([text], self.tokenizer, self.variant.lowercase)[0]

    def tokenize_all(self, texts: Sequence[str]) -> Sequence[Sequence[str]]:
        """Return the tokens of each text, as :meth:`tokenize` does, much faster than one by one."""
        checked = arguments.check_texts(texts, "texts")
        return tokenize_texts(checked, self.tokenizer, self.variant.lowercase)

    def scorer(self, level: Level = "corpus") -> Scorer:
        """Return what scores statistics at a level."""
        check_level(level)
        return self._sentence_scorer if level == "sentence" else self._scorer

    def _label_of(self, statistics: Statistics) -> str:
        if statistics.counted_by in self._counting:
            return self.label
        return f"{self.variant.name or 'unnamed'}{loader.MODIFIED}"

    @cached_property
    def _chunk(self) -> int:
        counting = self.tokenizer, self._counter, self._reference_length
        return CHUNK if all(component.batch for component in counting) else SLOW_CHUNK

    def rows(self, segments: Segments, first: int = 0) -> Statistics:
        """Return the statistics of segments, with the score of each if the variant averages these."""
        columns: Columns | None = None
        if type(segments.hypotheses) is PackedTokens:
            columns = segment_columns.columns(segments, self.components, self.max_order, first)
        elif self._direct:
            columns = self._direct.columns(segments)
        if columns is None:
            tokens = tokenize_segments(segments, self.tokenizer, self.variant.lowercase)
            columns = segment_columns.columns(tokens, self.components, self.max_order, first)
        counted_by = self._counting[segments.tokenized]
        rows = Statistics.of_segments(self.max_order, *columns, counted_by=counted_by, checked=True)
        rows = self._scorer.with_sentence_scores(rows, first)
        return rows.with_last_segments() if self._keeps_last_segment else rows

    @property
    def _keeps_last_segment(self) -> bool:
        return self._scorer.needs_last_segment or self._sentence_scorer.needs_last_segment

    def _checked(self, statistics: Statistics) -> Statistics:
        super()._checked(statistics)
        if self._keeps_last_segment and not statistics.has_order and statistics.last_rows:
            return statistics.with_last_segments()
        return statistics

    def require_no_last_segment(self, why: str) -> None:
        """Raise InputError, which says why, if scores depend on the last segment of a text."""
        if self._scorer.needs_last_segment and not self.variant.is_macro:
            problem = f"smoothing {self.components['smoothing'].name!r} looks at the last segment of a text"
            raise InputError(f"{problem}, {why}", ("smoothing",))

    def tokens_key(self, *, tokenized: bool) -> Hashable:
        """Return what determines the tokens."""
        return None if tokenized else self.tokenizer.choice, self.variant.lowercase

    def packed_hypotheses(self, texts: Sequence[Text], *, tokenized: bool) -> PackedTokens:
        """Return texts, or given tokens, as the variant counts them."""
        return packed(tokenize_texts(texts, self.tokenizer, self.variant.lowercase, tokenized=tokenized))

    packed_references = packed_hypotheses

    @cached_property
    def _counting(self) -> tuple[SignaturePart, SignaturePart]:
        """How this variant counts text, and how it counts tokens that are given."""
        text_part, token_part = (
            signature.counting_part(self._loaded, tokens_given=are_tokens) for are_tokens in (False, True)
        )
        return text_part, token_part
