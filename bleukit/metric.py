"""From text to score, in the order in which it happens: check, tokenize, count, sum, score."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from bleukit.accumulator import Accumulator, Level, ScoreT, check_level
from bleukit.counting import components, segment_columns
from bleukit.counting.packed import Grouped, are, packed
from bleukit.counting.segment_columns import Segments
from bleukit.counting.threads import map_in_order
from bleukit.errors import InputError, InputTypeError, shown
from bleukit.loading import creating, loader, registry, signature
from bleukit.protocols import AmongTexts, SelfBleuDefinition
from bleukit.scorer import MeanScorer, Scorer
from bleukit.scoring import Score, ScoreColumns, with_sentence_scores
from bleukit.statistics import Statistics
from bleukit.text import arguments, layouts

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from bleukit.accumulator import Metric
    from bleukit.counting.segment_columns import Columns
    from bleukit.counting.shared_text import SharedText
    from bleukit.loading.creating import LoadedComponent
    from bleukit.loading.loader import Loaded
    from bleukit.loading.signature import SignaturePart
    from bleukit.pairs.decoding import Choice
    from bleukit.pairs.diversity import Diversity
    from bleukit.pairs.self_bleu import SelfBleu
    from bleukit.protocols import References, Text
    from bleukit.text.layouts import Layout
    from bleukit.variant import Variant, VariantKeys

CHUNK = 2048
"""Tokenize and count this many segments at a time, which bounds the memory that tokens take."""

SLOW_CHUNK = 256
"""The same if a component has no batch method, so that the threads stop soon after an error or an interrupt."""

MANY_CHUNKS = 4
"""Use threads by default from this many chunks: starting them takes longer than a few chunks."""


VariantLike: TypeAlias = "str | PathLike[str] | Variant | Bleu | None"
"""What :func:`load` takes, or returns."""


def load(source: str | PathLike[str] | Variant | None = None, /, **overrides: Unpack[VariantKeys]) -> Bleu:
    """Return the BLEU that a variant describes, ready to score.

    ``source`` is a variant's name (``bleukit variants`` lists them) or that of a program which computes it, the path of
    a YAML file, or a Variant; ``overrides`` are keys of a variant: ``load("nltk", smoothing="nltk-method3")``. A
    component may be a callable of your own: ``load(tokenizer=str.split)``. An override holds at all levels. Raises
    VariantError if the variant is wrong or a name has several meanings, PluginError if a factory fails.
    """
    return Bleu(loader.load_variant(source, registry.built_in(), overrides))


def _called_by(variant: Variant, name: str) -> Bleu:
    return Bleu(loader.load_variant(variant, registry.built_in(), {}).called_by(name))


def bleu_of(variant: VariantLike) -> Bleu:
    """Return a Bleu as it is, and for all else what :func:`load` returns.

    Raises InputTypeError for another metric, and as that does.
    """
    found: Any = variant
    if isinstance(found, Bleu):
        return found
    if _is_metric(found):
        raise InputTypeError(f"this is for BLEU alone, not for {found.name}")
    return load(found)


def metric_of(metric: VariantLike | Metric) -> Metric:
    """Return a metric as it is, and for all else what :func:`load` returns."""
    found: Any = metric
    return found if _is_metric(found) else bleu_of(found)


def _is_metric(found: object) -> bool:
    return hasattr(found, "scorer") and not isinstance(found, type)


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
        definition = creating.self_bleu_definition(registry.installed(), definition)
    if not isinstance(definition, SelfBleuDefinition):
        raise InputTypeError(f"definition: expected a name or a SelfBleuDefinition, got {shown(definition)}")
    keys: dict[str, Any] = {**definition.keys, **overrides}
    bleu = load(keys.pop("variant", None), **keys)
    return bleu.self_bleu(texts, **definition.policy, sample=sample, seed=seed)


def map_chunks(function: Callable[[int], Any], segments: int, size: int, threads: int | None) -> list[Any]:
    """Return what a function returns for the first segment of each chunk of this size.

    Raises InputError unless the number of threads is a whole number of at least 1, or None for the default.
    """
    arguments.check_threads(threads)
    starts = range(0, segments, size)
    threads = threads or (arguments.available_cores() if len(starts) >= MANY_CHUNKS else 1)
    return list(map_in_order(function, starts, min(threads, len(starts) or 1)))


class Bleu:
    """One BLEU variant, ready to score; made by :func:`load`. It can be pickled.

    ``hypotheses`` is a sequence of str, or of token lists, to which the tokenizer is not applied. ``references[i]``
    holds the references of hypothesis i: one, or a sequence of them; with ``references_by="set"`` it is a set with one
    reference of each hypothesis, as sacreBLEU has them. Sequences may be columns of any library that exports them to
    Arrow, such as Polars, pandas, DuckDB and pyarrow; lists in them are several references. If references could be
    either, and fit the hypotheses better by set, they are refused until ``references_by`` says "segment" or "set".

    All methods raise InputError (a ValueError), or its subclass InputTypeError (also a TypeError), with the argument
    and the index at fault; and PluginError if a component breaks its contract.
    """

    name, lower_is_better, statistics_class = "BLEU", False, Statistics

    def __init__(self, loaded: Loaded) -> None:
        self.variant = loaded.variant
        self._loaded = loaded
        self._tokenizer = loaded.components["tokenizer"]
        self._counter = loaded.components["counter"]
        self._reference_length = loaded.components["reference_length"]
        levels = (loaded, loaded.at_sentence_level)
        self.max_order = max(
            components.counted_order(level.components["smoothing"], len(level.variant.weights)) for level in levels
        )
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
        return signature.of_score(self.label, None, self._counting[0], self._scorer.signature, self._loaded.called)

    @property
    def counted_by(self) -> Hashable:
        """How it counts texts, as ``Statistics.counted_by`` says of what it has counted."""
        return self._counting[0]

    def corpus(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[References],
        *,
        references_by: Layout | None = None,
        threads: int | None = None,
    ) -> Score:
        """Return the score of all segments together. At least one is needed."""
        segments = arguments.check_segments(hypotheses, references, references_by=references_by)
        return self.score(self._counted(segments.part, len(segments), threads, summed=True))

    def sentence(self, hypothesis: Text, references: References, *, threads: int | None = None) -> Score:
        """Return the score of one segment, against one reference or a sequence of them."""
        if threads is not None:
            arguments.check_threads(threads)
        counts = self._direct and self._direct.segment(hypothesis, references)
        if counts is None:
            segment = arguments.check_segment(hypothesis, references)
            rows = self._rows(segment)
            return self._sentence_scorer.scores(rows, self.label)[0]
        value = self._sentence_scorer.value_of_segment(counts)
        whole = partial(self._score_of_segment, counts, self._counting[type(hypothesis) is list])
        return whole() if value is None else Score.of_value(value, whole)

    def _score_of_segment(self, counts: Any, counted_by: SignaturePart) -> Score:
        """Return the score of a single segment, all its fields computed."""
        columns: Columns = counts.columns()
        rows = Statistics.of_segments(self.max_order, *columns, counted_by=counted_by, checked=True)
        return self._sentence_scorer.scores_by_components(rows, self.label)[0]

    def sentences(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[References],
        *,
        references_by: Layout | None = None,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Return the score of each segment: shape (segments,), in the scale of the variant."""
        rows = self.statistics(hypotheses, references, references_by=references_by, threads=threads)
        return self._sentence_scorer.values(rows)

    def statistics(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[References],
        *,
        references_by: Layout | None = None,
        threads: int | None = None,
        first: int = 0,
    ) -> Statistics:
        """Return the sufficient statistics, one row per segment.

        They are the same for any number of threads; by default that is the number of cores, for many segments.
        ``first`` is the number of segments before these, if they are part of a whole: errors count from there.
        """
        segments = arguments.check_segments(hypotheses, references, first, references_by)
        return self._counted(segments.part, len(segments), threads, first=first)

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
        """Return the statistics of a text that other variants also count, one row per segment.

        Raises InputError as :meth:`statistics`.
        """
        columns = text.columns(self.components, self.variant.lowercase, self.max_order)
        counted_by = self._counting[text.read(self._tokenizer).tokenized]
        rows = Statistics.of_segments(self.max_order, **columns, counted_by=counted_by, checked=True)
        return self._with_sentence_scores(rows, text.first)

    def prepare(
        self, references: Sequence[References], *, tokens: bool = False, threads: int | None = None
    ) -> Prepared[Score]:
        """Return the references tokenized, to score any number of systems against them.

        ``tokens`` says that a reference is a list of tokens, not text.
        """
        arguments.check_threads(threads)
        groups = arguments.check_references(references, tokenized=tokens)

        def chunk(start: int) -> Grouped[Text]:
            some = groups[start : start + self._chunk]
            tokenizer, lowercase = self._tokenizer, self.variant.lowercase
            of_texts = segment_columns.tokenize_texts(some.items, tokenizer, lowercase, tokenized=tokens)
            return Grouped(packed(of_texts), some.ends)

        return Prepared(self, self._mapped(chunk, len(groups), threads), tokenized=tokens)

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

        return matrix.matrix(self, hypotheses, references, out=out, threads=threads)

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

        return matrix.matrices(self, hypotheses, references, out=out, threads=threads, on_done=on_done)

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

        return decoding.mbr(self, samples, references, weights, threads, first, on_done, aggregate=aggregate)

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

        return measure(self, texts, references=references, first=first, sample=sample, seed=seed)

    def self_bleu_scores(self, texts: Sequence[Text], *, references: AmongTexts = "others") -> NDArray[np.float64]:
        """Return the score of each text with all others as its references, or all; their mean is :meth:`self_bleu`."""
        from bleukit.pairs.self_bleu import scores

        return scores(self, texts, references)

    def diversity(self, groups: Sequence[Sequence[Text]], *, threads: int | None = None) -> Diversity:
        """Return how alike the samples of each source are: self-BLEU, pairwise BLEU and distinct n-grams.

        ``groups[i]`` holds two or more samples of source i.
        """
        from bleukit.pairs.diversity import diversity

        return diversity(self, groups, threads=threads)

    def accumulator(self, level: Level = "corpus") -> Accumulator[Score]:
        """Return an accumulator, which takes segments in parts: batches, streams, shards."""
        return Accumulator(self, level)

    def score(self, statistics: Statistics, *, level: Level = "corpus") -> Score:
        """Return the score of the sum of all rows; at least one segment is needed.

        ``level`` "sentence" applies what the variant does differently for single segments.
        """
        if not len(_checked(statistics)):
            raise InputError("no segment to score")
        return self.scores(statistics.sum(), level=level)[0]

    def scores(self, statistics: Statistics, *, level: Level = "corpus") -> list[Score]:
        """Return the score of each row; at level "sentence" each row is a single segment."""
        return self.scorer(level).scores(_checked(statistics), self._label_of(statistics))

    def score_columns(self, statistics: Statistics, *, level: Level = "corpus") -> ScoreColumns:
        """Return the figures of :meth:`scores` as arrays with one item per row, much faster than one by one."""
        return self.scorer(level).score_columns(_checked(statistics))

    def tokenize(self, text: str) -> Sequence[str]:
        """Return the tokens that the variant counts in a text, lowercased if it lowercases."""
        if not isinstance(text, str):
            raise InputTypeError(f"text: expected a str, got {shown(text)}")
        return segment_columns.tokenize_texts([text], self._tokenizer, self.variant.lowercase)[0]

    def tokenize_all(self, texts: Sequence[str]) -> Sequence[Sequence[str]]:
        """Return the tokens of each text, as :meth:`tokenize` does, much faster than one by one."""
        checked = arguments.check_texts(texts, "texts")
        return segment_columns.tokenize_texts(checked, self._tokenizer, self.variant.lowercase)

    def scorer(self, level: Level = "corpus") -> Scorer:
        """Return what scores statistics at a level."""
        check_level(level)
        return self._sentence_scorer if level == "sentence" else self._scorer

    def _label_of(self, statistics: Statistics) -> str:
        if statistics.counted_by in self._counting:
            return self.label
        return f"{self.variant.name or 'unnamed'}{loader.MODIFIED}"

    def _counted(
        self,
        part: Callable[[int, int], Segments],
        number: int,
        threads: int | None,
        *,
        first: int = 0,
        summed: bool = False,
    ) -> Statistics:
        """Return the statistics of so many segments, of which ``part`` returns those between two places.

        They have a row for each segment or, which takes less memory, one for each chunk of them.
        """
        arguments.check_threads(threads)

        def chunk(start: int) -> Statistics:
            rows = self._rows(part(start, start + self._chunk), first + start)
            rows = self._with_sentence_scores(rows, first + start)
            return rows.sum() if summed else rows

        chunks = self._mapped(chunk, number, threads)
        if not chunks:
            nothing = Statistics.of_segments(self.max_order, [], [], [], [], [], [], self.counted_by)
            chunks = [self._with_sentence_scores(nothing, 0)]
        return Statistics.concatenate(chunks)

    def _mapped(self, function: Callable[[int], Any], segments: int, threads: int | None) -> list[Any]:
        """Return what a function returns for the first segment of each chunk."""
        return map_chunks(function, segments, self._chunk, threads)

    @cached_property
    def _chunk(self) -> int:
        counting = self._tokenizer, self._counter, self._reference_length
        return CHUNK if all(component.batch for component in counting) else SLOW_CHUNK

    def _with_sentence_scores(self, rows: Statistics, first: int) -> Statistics:
        """Return rows of single segments, with their scores if the variant averages these."""
        if not self.variant.is_macro:
            return rows
        return with_sentence_scores(self.variant, self.components, rows, first)

    def _rows(self, segments: Segments, first: int = 0) -> Statistics:
        """Return the statistics of segments; ``first`` is the number of segments before."""
        counted_by = self._counting[segments.tokenized]
        columns = self._direct and self._direct.columns(segments)
        if columns is not None:
            return Statistics.of_segments(self.max_order, *columns, counted_by=counted_by, checked=True)
        tokens = segment_columns.tokenize_segments(segments, self._tokenizer, self.variant.lowercase)
        named = segment_columns.statistics_columns(tokens, self._reference_length, self._counter, self.max_order, first)
        return Statistics.of_segments(self.max_order, **named, counted_by=counted_by, checked=True)

    @cached_property
    def _counting(self) -> tuple[SignaturePart, SignaturePart]:
        """How this variant counts text, and how it counts tokens that are given."""
        of_text, of_tokens = (
            signature.of_counting(self._loaded, tokens_given=are_tokens) for are_tokens in (False, True)
        )
        return of_text, of_tokens


def _checked(statistics: Statistics) -> Statistics:
    if not isinstance(statistics, Statistics):
        raise InputTypeError(f"statistics: expected Statistics, got {shown(statistics)}")
    return statistics


class Prepared(Generic[ScoreT]):
    """References that are tokenized already; made by the method ``prepare`` of a metric.

    Hypotheses are texts, or token lists if the references are token lists.
    """

    def __init__(self, metric: Any, chunks: Sequence[Grouped[Text]], *, tokenized: bool) -> None:
        self.metric = metric
        self._chunks = chunks
        self._tokenized = tokenized

    def __len__(self) -> int:
        return sum(map(len, self._chunks))

    def __repr__(self) -> str:
        return f"<Prepared: references of {len(self)} segments, {self.metric.label}>"

    def corpus(self, hypotheses: Sequence[Text], *, threads: int | None = None) -> ScoreT:
        """Return the score of all segments together, as :meth:`Bleu.corpus`."""
        score: ScoreT = self.metric.score(self._counted(hypotheses, threads, 0, summed=True))
        return score

    def sentences(self, hypotheses: Sequence[Text], *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the score of each segment, as :meth:`Bleu.sentences`."""
        values: NDArray[np.float64] = self.metric.scorer("sentence").values(
            self.statistics(hypotheses, threads=threads)
        )
        return values

    def statistics(self, hypotheses: Sequence[Text], *, threads: int | None = None, first: int = 0) -> Any:
        """Return one row per segment, as :meth:`Bleu.statistics`."""
        return self._counted(hypotheses, threads, first)

    def _counted(self, hypotheses: Sequence[Text], threads: int | None, first: int, *, summed: bool = False) -> Any:
        texts = arguments.check_hypotheses(hypotheses, len(self), tokenized=self._tokenized, first=first)

        def part(start: int, stop: int) -> Segments:
            references = self._chunks[start // (stop - start)]
            return Segments(texts[start:stop], references, tokenized=self._tokenized)

        return self.metric._counted(part, len(self), threads, first=first, summed=summed)
