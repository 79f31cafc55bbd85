"""From text to score, in the order in which it happens: check, tokenize, count, sum, score."""

from __future__ import annotations

import warnings
from functools import cached_property, partial
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

from bleukit.bleu import components, loader, segment_columns, signature
from bleukit.bleu.protocols import AmongTexts, SelfBleuDefinition
from bleukit.bleu.scorer import MeanScorer, Scorer
from bleukit.bleu.scoring import Score, ScoreColumns
from bleukit.bleu.statistics import Statistics
from bleukit.framework import arguments, layouts
from bleukit.framework.errors import InputTypeError, shown
from bleukit.framework.metric import CHUNK, Metric, check_level
from bleukit.framework.packed import are, packed
from bleukit.framework.signature import of_score
from bleukit.framework.tokenizing import tokenize_segments, tokenize_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from bleukit.bleu.loader import Loaded
    from bleukit.bleu.segment_columns import Columns
    from bleukit.bleu.variant import Variant, VariantKeys
    from bleukit.corpus.shared_text import SharedText
    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.metric import AnyMetric, Level
    from bleukit.framework.packed import PackedTokens
    from bleukit.framework.protocols import References, Text
    from bleukit.framework.segments import Segments
    from bleukit.framework.signature import SignaturePart
    from bleukit.pairs.decoding import Choice
    from bleukit.pairs.diversity import Diversity
    from bleukit.pairs.self_bleu import SelfBleu

SLOW_CHUNK = 256
"""The segments that are counted at a time if a component has no batch method, so that the threads stop soon after an
error or an interrupt.
"""


warnings.filterwarnings("ignore", "the weights sum to", module=r"bleukit\.")  # what others chose is loaded again

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
    bleu = Bleu(loader.load_variant(source, overrides))
    note = bleu.variant.note_of_weights
    if note and (isinstance(source, str | PathLike) or "weights" in overrides):  # else a Variant is loaded again
        warnings.warn(note, stacklevel=2)
    return bleu


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


def self_bleu(
    texts: Sequence[Text],
    definition: str | SelfBleuDefinition,
    *,
    sample: int | None = None,
    seed: int = 0,
    **overrides: Unpack[VariantKeys],
) -> SelfBleu:
    """Return the self-BLEU of texts by a published definition: its name (``bleukit plugins`` lists them), or itself.

    ``overrides`` are keys of a variant, as :func:`load` takes them: ``weights=5``. ``sample`` and ``seed`` are those of
    :meth:`Bleu.self_bleu`. Raises VariantError for an unknown name or a wrong key, else as that does.
    """
    if isinstance(definition, str):
        from bleukit.pairs.self_bleu import self_bleu_definition

        definition = self_bleu_definition(definition)
    if not isinstance(definition, SelfBleuDefinition):
        raise InputTypeError(f"definition: expected a name or a SelfBleuDefinition, got {shown(definition)}")
    keys: dict[str, Any] = {**definition.keys, **overrides}
    bleu = load(keys.pop("variant", None), **keys)
    return bleu.self_bleu(texts, **definition.policy, sample=sample, seed=seed)


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
        self._tokenizer = loaded.components["tokenizer"]
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
        return of_score(self.label, None, self._counting[0], self._scorer.signature, self._loaded.called)

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
        rows = self._rows(segments)
        lengths, effective, _, _, matches, totals = rows.sum().counted()
        return [*lengths, *map(int, effective), *matches, *totals]

    def segment_sums(self, hypothesis: Text, references: Sequence[Text]) -> list[int] | None:
        """Return the :meth:`sums` of one segment; None if it cannot be counted directly, or has to be checked first."""
        counts = self._direct and self._direct.segment(hypothesis, references)
        return counts and list(counts.listed())

    def count(self, text: SharedText) -> Statistics:
        """Return the statistics of a text that other metrics also count, one row per segment."""
        columns = text.columns(self.components, self.variant.lowercase, self.max_order)
        return self._statistics_of(columns, text.first, tokenized=text.read(self._tokenizer).tokenized)

    def matrix(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[Text] | None = None,
        *,
        out: NDArray[np.floating] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.floating]:
        """Return the score of each hypothesis against each single reference: shape (hypotheses, references).

        Each is the value of :meth:`sentence`, to the last bit. Without references the hypotheses are scored against
        each other, and themselves. ``out``, an array or a memory map of floats of that shape, is written into and
        returned; nothing else that is held in memory grows with the number of pairs.
        """
        from bleukit.pairs import matrix  # like all of pairs, it needs NumPy

        return matrix.matrix(self._sentence_scorer, hypotheses, references, out=out, threads=threads)

    def matrices(
        self,
        hypotheses: Sequence[Sequence[Text]],
        references: Sequence[Sequence[Text]] | None = None,
        *,
        out: Sequence[NDArray[np.floating]] | NDArray[np.floating] | None = None,
        threads: int | None = None,
        on_done: Callable[[int], object] | None = None,
    ) -> list[NDArray[np.floating]]:
        """Return the matrix of each of many independent groups, such as the samples of each segment.

        ``hypotheses[i]`` holds the texts of group i; ``references[i]`` and ``out[i]`` are arguments of its
        :meth:`matrix`. ``out`` may be a list of arrays, or an array or a memory map of three dimensions if all groups
        are equally large. The threads share the groups; ``on_done`` is called with 1 after each group.
        """
        from bleukit.pairs import matrix

        scorer = self._sentence_scorer
        return matrix.matrices(scorer, hypotheses, references, out=out, threads=threads, on_done=on_done)

    def mbr(  # noqa: PLR0913
        self,
        samples: Sequence[Sequence[Text]],
        *,
        references: Sequence[Sequence[Text]] | None = None,
        weights: Sequence[ArrayLike] | None = None,
        threads: int | None = None,
        first: int = 0,
        on_done: Callable[[int], object] | None = None,
        aggregate: bool = False,
    ) -> list[Choice]:
        """Return, for each segment, the sample with the highest expected score (minimum-Bayes-risk decoding).

        ``samples[i]`` holds the samples of segment i, in any number. The expected score of one is the mean of its
        scores, those of :meth:`matrix`, against ``references[i]``, or against all samples, itself included;
        ``weights[i]`` holds a weight for each of these, such as its probability. Of equally good samples the first is
        chosen. ``first`` is the number of segments before these: errors count from there. ``on_done`` is called with 1
        after each segment.

        ``aggregate`` scores each sample once, against the mean of the references (DeNero et al. 2009, Vamvas and
        Sennrich 2024), which is linear in their number; it may choose another sample.
        """
        from bleukit.pairs import decoding

        scorer = self._sentence_scorer
        return decoding.mbr(scorer, samples, references, weights, threads, first, on_done, aggregate=aggregate)

    def self_bleu(
        self,
        texts: Sequence[Text],
        *,
        references: AmongTexts = "others",
        first: int | None = None,
        sample: int | None = None,
        seed: int = 0,
    ) -> SelfBleu:
        """Return the mean score of each text, as :meth:`sentence`, with all others as its references; two are needed.

        It is linear in the texts. ``references`` "all" includes the text itself; "later" scores each text against each
        that comes later, alone, in quadratic time. ``first`` leaves out all texts but so many, ``sample`` all but so
        many at random, by ``seed``. :func:`bleukit.self_bleu` knows published definitions by name.
        """
        from bleukit.pairs.self_bleu import measure

        scorer, of_scores = self._sentence_scorer, self.signature
        return measure(scorer, of_scores, texts, references=references, first=first, sample=sample, seed=seed)

    def self_bleu_scores(self, texts: Sequence[Text], *, references: AmongTexts = "others") -> NDArray[np.float64]:
        """Return the score of each text with all others as its references, or all; their mean is :meth:`self_bleu`."""
        from bleukit.pairs.self_bleu import scores

        return scores(self._sentence_scorer, texts, references)

    def diversity(self, groups: Sequence[Sequence[Text]], *, threads: int | None = None) -> Diversity:
        """Return how alike the samples of each source are: self-BLEU, pairwise BLEU and distinct n-grams.

        ``groups[i]`` holds two or more samples of source i.
        """
        from bleukit.pairs.diversity import diversity

        return diversity(self, self._sentence_scorer, groups, threads=threads)

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
        return tokenize_texts([text], self._tokenizer, self.variant.lowercase)[0]

    def tokenize_all(self, texts: Sequence[str]) -> Sequence[Sequence[str]]:
        """Return the tokens of each text, as :meth:`tokenize` does, much faster than one by one."""
        checked = arguments.check_texts(texts, "texts")
        return tokenize_texts(checked, self._tokenizer, self.variant.lowercase)

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
        counting = self._tokenizer, self._counter, self._reference_length
        return CHUNK if all(component.batch for component in counting) else SLOW_CHUNK

    def _rows(self, segments: Segments, first: int = 0) -> Statistics:
        columns: Columns | None = self._direct and self._direct.columns(segments)
        if columns is None:
            tokens = tokenize_segments(segments, self._tokenizer, self.variant.lowercase)
            effective = segment_columns.effective_reference_lengths(tokens, self._reference_length, first)
            counted = segment_columns.count_ngrams(tokens, self._counter, self.max_order, first)
            columns = segment_columns.statistics_columns(tokens, effective, counted)
        return self._statistics_of(columns, first, tokenized=segments.tokenized)

    def _statistics_of(self, columns: Columns, first: int, *, tokenized: bool) -> Statistics:
        """Return rows of single segments, with their scores if the variant averages these."""
        rows = Statistics.of_segments(self.max_order, *columns, counted_by=self._counting[tokenized], checked=True)
        return self._scorer.with_sentence_scores(rows, first)

    def _tokens(self, references: Sequence[Any], *, tokenized: bool) -> PackedTokens:
        tokenizer, lowercase = self._tokenizer, self.variant.lowercase
        return packed(tokenize_texts(references, tokenizer, lowercase, tokenized=tokenized))

    @cached_property
    def _counting(self) -> tuple[SignaturePart, SignaturePart]:
        """How this variant counts text, and how it counts tokens that are given."""
        of_text, of_tokens = (
            signature.of_counting(self._loaded, tokens_given=are_tokens) for are_tokens in (False, True)
        )
        return of_text, of_tokens
