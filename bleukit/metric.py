"""From text to score, in the order in which it happens: check, tokenize, count, sum, score."""

from __future__ import annotations

from array import array
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from bleukit.counting import components, rows
from bleukit.counting.packed import Grouped
from bleukit.counting.segments import Segments
from bleukit.counting.threads import mapped
from bleukit.errors import InputError, InputTypeError, shown
from bleukit.loading import loader, registry, signature
from bleukit.scoring import Score, brevity_penalties, brevity_penalty, geometric_means, value
from bleukit.statistics import Statistics
from bleukit.text import arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    from bleukit.hookspecs import Counts, References, Text
    from bleukit.loading.loader import Loaded
    from bleukit.loading.registry import LoadedComponent
    from bleukit.recipes.variant import Variant

STREAMED = 8192
"""How many segments of a stream are held at a time."""

CHUNK = 1024
"""How many segments are tokenized and counted at a time: what bounds the memory that tokens take."""

SLOW_CHUNK = 64
"""The same if a component has no batch method, so that the threads stop soon after an error or an interrupt."""

MANY_CHUNKS = 4
"""From how many of them on threads are used without being asked for: starting them takes longer than a few chunks."""


def load(source: str | PathLike[str] | Variant | None = None, /, **overrides: Any) -> Bleu:
    """Return the BLEU that a recipe describes, ready to score.

    ``source`` is a recipe's name (``bleukit variants`` lists them), the path of a YAML file, or a Variant;
    ``overrides`` are keys of a recipe: ``load("nltk", smoothing="nltk-method3", weights=[0.5, 0.5])``. Raises
    VariantError where the recipe is wrong, PluginError where two plugins claim one name, or a factory fails.
    """
    return Bleu(loader.load(source, registry.installed(), overrides))


class Bleu:
    """One BLEU variant, ready to score; made by :func:`load`.

    ``hypotheses`` is a sequence of str, or of token lists, to which the tokenizer is not applied. ``references[i]``
    holds the references of hypothesis i: one, or a sequence of them. All methods raise InputError (a ValueError), or
    its subclass InputTypeError (a TypeError too), that names the argument and the index at fault; and PluginError where
    a component breaks its contract.
    """

    def __init__(self, loaded: Loaded) -> None:
        self.variant = loaded.variant
        self._loaded = loaded
        self._tokenizer = loaded.components["tokenizer"]
        self._counter = loaded.components["counter"]
        self._reference_length = loaded.components["reference_length"]
        self._smoothing = loaded.components["smoothing"]
        self._weights = loaded.variant.weights_used
        self.max_order = components.counted_order(self._smoothing, len(self._weights))

    def __repr__(self) -> str:
        return f"<Bleu {self.signature}>"

    @property
    def label(self) -> str:
        """The variant's name, which says where it is not what that name means."""
        return self._loaded.label

    @property
    def components(self) -> Mapping[str, LoadedComponent]:
        """The components, created, by their kind."""
        return self._loaded.components

    @property
    def signature(self) -> str:
        """What all scores of texts by this variant have in their signature; the number of references is left open."""
        return signature.of_score(self._loaded.label, None, self._counting[0], self._scoring)

    def corpus(
        self, hypotheses: Sequence[Text], references: Sequence[References], *, threads: int | None = None
    ) -> Score:
        """Return the score of all segments together. At least one is needed."""
        return self.score(self._counted(hypotheses, references, threads, summed=True))

    def sentence(self, hypothesis: Text, references: References, *, threads: int | None = None) -> Score:
        """Return the score of one segment, against one reference or a sequence of them."""
        arguments.check_threads(threads)
        return self.score(self._rows(arguments.check_segment(hypothesis, references)))

    def sentences(
        self, hypotheses: Sequence[Text], references: Sequence[References], *, threads: int | None = None
    ) -> NDArray[np.float64]:
        """Return the score of each segment: shape (segments,), in the scale of the variant."""
        return self.values(self.statistics(hypotheses, references, threads=threads))

    def statistics(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[References],
        *,
        threads: int | None = None,
        first: int = 0,
    ) -> Statistics:
        """Return the sufficient statistics, one row a segment: counts of shape (segments, orders), lengths (segments,).

        They are the same whatever the number of threads; by default it is that of the cores, for many segments.
        ``first`` is the number of segments before these, where they are part of a whole: errors then tell their place.
        """
        return self._counted(hypotheses, references, threads, first=first)

    def statistics_of(
        self, hypotheses: Iterable[Text], references: Iterable[References], *, threads: int | None = None
    ) -> Statistics:
        """Return the sum of the statistics of two streams, one row: ``statistics(...).sum()`` in constant memory.

        Both may be any iterables, of the same items as for :meth:`statistics`; STREAMED of them are held at a time.
        Raises InputError too where one ends before the other.
        """
        total = Statistics.empty(self.max_order)
        streams = arguments.stream(hypotheses, "hypotheses"), arguments.stream(references, "references")
        first = 0
        while True:
            chunk, groups = (list(islice(stream, STREAMED)) for stream in streams)
            if len(chunk) != len(groups):
                shorter, longer = sorted(((len(chunk), "hypotheses"), (len(groups), "references")))
                raise InputError(f"{shorter[1]} end after {first + shorter[0]} items, {longer[1]} go on")
            if not chunk:
                return total
            total = (total + self._counted(chunk, groups, threads, first=first, summed=True)).sum()
            first += len(chunk)

    def score(self, statistics: Statistics) -> Score:
        """Return the score of the sum of all rows; at least one segment is needed."""
        if not isinstance(statistics, Statistics):
            raise InputTypeError(f"statistics: expected Statistics, got {shown(statistics)}")
        if not len(statistics):
            raise InputError("no segment to score")
        return self.scores(statistics.sum())[0]

    def scores(self, statistics: Statistics) -> list[Score]:
        """Return the score of each row: everything right of the sum."""
        if not len(statistics):
            return []
        units = statistics.counts(len(self._weights))
        precisions = components.precisions(self._smoothing, units)
        columns = ("segments", "reference_tokens", "fewest_references", "most_references")
        rows = zip(units, precisions, *map(statistics.values, columns), strict=True)
        return [self._score(statistics.counted_by, *unit) for unit in rows]

    def values(self, statistics: Statistics) -> NDArray[np.float64]:
        """Return the value of the score of each row, as :meth:`scores` has it: shape (rows,)."""
        import numpy as np

        recipe, orders = self.variant, len(self._weights)
        precisions = components.precisions_of_rows(self._smoothing, statistics, orders)
        means = geometric_means(precisions, self._weights, effective_order=recipe.effective_order, scale=recipe.scale)
        values = brevity_penalties(statistics.hypothesis_length, statistics.reference_length) * means
        nothing = (statistics.hypothesis_length == 0) & (statistics.reference_tokens == 0)
        return np.where(nothing, recipe.empty_score, values)

    def tokenize(self, text: str) -> Sequence[str]:
        """Return the tokens that the variant counts in a text, lowercased where it lowercases."""
        if not isinstance(text, str):
            raise InputTypeError(f"text: expected a str, got {type(text).__name__}")
        return self.tokenize_all([text])[0]

    def tokenize_all(self, texts: Sequence[str]) -> Sequence[Sequence[str]]:
        """Return the tokens of each text, as :meth:`tokenize` does, much faster than one by one."""
        texts = arguments.sequence(texts, "texts", "a sequence of str")
        for number, text in enumerate(texts):
            if not isinstance(text, str):
                raise InputTypeError(f"texts[{number}]: expected a str, got {shown(text)}")
        segments = Segments(texts, Grouped([], array("q")), tokenized=False)
        return rows.tokenized(segments, self._tokenizer, lowercase=self.variant.lowercase).hypotheses

    def _counted(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[References],
        threads: int | None,
        *,
        first: int = 0,
        summed: bool = False,
    ) -> Statistics:
        """Return the statistics, a row a segment, or a row for some segments each, which takes less memory."""
        arguments.check_threads(threads)
        pairs = arguments.Pairs.of(hypotheses, references, first)
        counting = self._tokenizer, self._counter, self._reference_length
        size = CHUNK if all(component.batch for component in counting) else SLOW_CHUNK
        starts = range(0, len(pairs), size)
        threads = threads or (arguments.cores() if len(starts) >= MANY_CHUNKS else 1)

        def chunk(start: int) -> Statistics:
            rows = self._rows(pairs.part(start, start + size), first + start)
            return rows.sum() if summed else rows

        chunks = mapped(chunk, starts, min(threads, len(starts) or 1))
        return Statistics.concatenate([Statistics.empty(self.max_order), *chunks])

    def _rows(self, segments: Segments, first: int = 0) -> Statistics:
        """Everything left of the sum: tokenize and count some segments, ``first`` being the number of those before."""
        tokens = rows.tokenized(segments, self._tokenizer, lowercase=self.variant.lowercase)
        effective = rows.effective_lengths(tokens, self._reference_length, first)
        counted = rows.counts(tokens, self._counter, self.max_order, first)
        return rows.rows(tokens, effective, counted, self.max_order, self._counting[segments.tokenized])

    @cached_property
    def _counting(self) -> tuple[str, str]:
        """How this variant counts text, and how it counts tokens that are given."""
        return signature.of_counting(self._loaded, tokens_given=False), signature.of_counting(
            self._loaded, tokens_given=True
        )

    @cached_property
    def _scoring(self) -> str:
        return signature.of_scoring(self._loaded, self._weights)

    def _score(  # noqa: PLR0913
        self,
        counted_by: str,
        counts: Counts,
        precisions: tuple[float, ...],
        segments: int,
        reference_tokens: int,
        fewest_references: int,
        most_references: int,
    ) -> Score:
        recipe = self.variant
        label = self._loaded.label if counted_by in self._counting else loader.modified(recipe.name)
        return Score(
            value=value(recipe, precisions, counts, reference_tokens),
            precisions=precisions,
            matches=tuple(counts.matches),
            totals=tuple(counts.totals),
            brevity_penalty=brevity_penalty(counts.hypothesis_length, counts.reference_length),
            hypothesis_length=counts.hypothesis_length,
            reference_length=counts.reference_length,
            segments=segments,
            variant=label,
            signature=signature.of_score(label, (fewest_references, most_references), counted_by, self._scoring),
        )
