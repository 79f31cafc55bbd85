"""Why two variants give one text different scores: what each component that differs contributes."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import structs

from bleukit import scoring
from bleukit.counting import components as components_of_rows
from bleukit.errors import InputError
from bleukit.inspecting.shared_text import SharedText
from bleukit.loading.registry import HOOKS
from bleukit.metric import Bleu, load
from bleukit.statistics import Statistics
from bleukit.text import arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from bleukit.counting.segments import Segments
    from bleukit.hookspecs import References, Text
    from bleukit.loading.registry import LoadedComponent
    from bleukit.recipes.variant import Variant

RULES = ("weights", "normalize_weights", "lowercase", "effective_order")
"""What a recipe says besides its components that may change the score of a text; the scale only multiplies it."""

SHOWN = 5
"""How many tokens and segments are told."""

Source: TypeAlias = "str | PathLike[str] | Variant | Bleu | None"

Mixture: TypeAlias = frozenset[str]
"""The keys that the second variant brings into the first."""


@dataclass(frozen=True)
class Part:
    """What one key of the recipe contributes to the difference, in points (of 100)."""

    key: str
    first: Any
    second: Any
    points: float


@dataclass(frozen=True)
class MovedSegment:
    """A segment, counted from 1, and by how many points its other tokens alone move the first variant's score."""

    segment: int
    points: float
    first: tuple[str, ...]
    second: tuple[str, ...]


@dataclass(frozen=True)
class Explanation:
    """Why the second score differs from the first; scores and points are 0 to 100, whatever the variants' scale.

    ``parts`` add up to the difference. ``tokens`` are what only one of the tokenizers makes, each with how often, and
    ``segments`` those whose tokens move the score most: both of the hypothesis, and empty where tokens do not differ.
    """

    first: str
    second: str
    scores: tuple[float, float]
    parts: tuple[Part, ...]
    mixtures: int
    tokens: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
    segments: tuple[MovedSegment, ...]

    @property
    def difference(self) -> float:
        """The second score less the first."""
        return self.scores[1] - self.scores[0]


def explain(first: Source, second: Source, hypotheses: Sequence[Text], references: Sequence[References]) -> Explanation:
    """Divide the difference of two scores of one text among what differs in the recipes.

    ``first`` and ``second`` are what :func:`bleukit.load` takes, or returns. Each share is a Shapley value: what
    putting the second variant's key into the recipe changes on average, over all orders in which keys can be put in
    (Shapley 1953). Raises InputError for input that cannot be scored, as :meth:`Bleu.corpus` does, or where a mixture
    of both recipes cannot score it.
    """
    segments = arguments.check(hypotheses, references)
    if not segments.hypotheses:
        raise InputError("no segment to score")
    bleus = [source if isinstance(source, Bleu) else load(source) for source in (first, second)]
    mixtures = _Mixtures(bleus[0], bleus[1], segments)
    values = {mixture: mixtures.value(mixture) for mixture in _subsets(mixtures.keys)}
    parts = tuple(
        Part(
            key,
            getattr(bleus[0].variant, key),
            getattr(bleus[1].variant, key),
            _share(key, mixtures.keys, values),
        )
        for key in mixtures.keys
    )
    scores = float(values[frozenset()]), float(values[frozenset(mixtures.keys)])
    tokens, moved = mixtures.of_tokens()
    return Explanation(
        bleus[0].label,
        bleus[1].label,
        scores,
        tuple(sorted(parts, key=lambda part: -abs(part.points))),
        len(values),
        tokens,
        moved,
    )


class _Mixtures:
    """All recipes between two, on one text."""

    def __init__(self, first: Bleu, second: Bleu, segments: Segments) -> None:
        self._bleus = first, second
        self.keys = [
            key for key in (*HOOKS, *RULES) if repr(getattr(first.variant, key)) != repr(getattr(second.variant, key))
        ]
        self._text = SharedText(segments, max(first.max_order, second.max_order))

    def value(self, mixture: Mixture) -> Fraction:
        """Return the score of the whole text, 0 to 100."""
        variant, loaded = self._recipe(mixture)
        statistics = self._statistics(mixture).sum()
        (counts,) = statistics.counts(len(variant.weights))
        try:
            (precisions,) = components_of_rows.precisions(loaded["smoothing"], [counts])
            value = scoring.value(variant, precisions, counts, statistics.column("reference_tokens")[0])
        except InputError as error:
            mixed = f"{self._bleus[0].label} with {', '.join(sorted(mixture))} of {self._bleus[1].label}"
            raise InputError(f"{mixed} cannot score this text: {error}") from error
        if math.isnan(value):
            raise InputError("a score is not a number: hypotheses and references are all empty")
        return Fraction(value) * 100 / variant.scale

    def of_tokens(self) -> tuple[tuple[Any, Any], tuple[MovedSegment, ...]]:
        """Return the tokens that only one variant makes of the hypotheses, and the segments that move the score."""
        changing = frozenset(self.keys) & {"tokenizer", "lowercase"}
        if not changing or self._text.segments.tokenized:
            return ((), ()), ()
        ours, theirs = (self._hypotheses(mixture) for mixture in (frozenset[str](), changing))
        counts = [Counter(chain.from_iterable(tokens)) for tokens in (ours, theirs)]
        only = tuple(tuple((a - b).most_common(SHOWN)) for a, b in ((counts[0], counts[1]), (counts[1], counts[0])))
        points = self._points_of_segments(changing)
        most = sorted(range(len(points)), key=lambda i: (-abs(points[i]), i))[:SHOWN]
        moved = [MovedSegment(i + 1, points[i], tuple(ours[i]), tuple(theirs[i])) for i in most if points[i]]
        return (only[0], only[1]), tuple(moved)

    def _points_of_segments(self, changing: Mixture) -> list[float]:
        """Return by how much the score changes when one segment alone gets the other tokens."""
        ours, theirs = self._statistics(frozenset()), self._statistics(changing)
        first = self._bleus[0]
        points = first.scores_array(_with_one_exchanged(ours, theirs)) - first.scores_array(ours.sum())
        return (points * (100 / first.variant.scale)).tolist()  # type: ignore[no-any-return]

    def _hypotheses(self, mixture: Mixture) -> Sequence[Sequence[str]]:
        variant, loaded = self._recipe(mixture)
        return self._text.tokens(loaded["tokenizer"], lowercase=variant.lowercase).hypotheses

    def _statistics(self, mixture: Mixture) -> Statistics:
        variant, loaded = self._recipe(mixture)
        return self._text.statistics(loaded, lowercase=variant.lowercase)

    def _recipe(self, mixture: Mixture) -> tuple[Variant, Mapping[str, LoadedComponent]]:
        chosen = {key: self._bleus[key in mixture] for key in (*HOOKS, *RULES)}
        variant = structs.replace(
            self._bleus[0].variant, **{key: getattr(bleu.variant, key) for key, bleu in chosen.items()}
        )
        return variant, {kind: chosen[kind].components[kind] for kind in HOOKS}


def _with_one_exchanged(ours: Statistics, theirs: Statistics) -> Statistics:
    """Return, for each row, the sum of all with this row exchanged for the other's."""
    columns = {column: getattr(ours, column) for column in Statistics.COLUMNS}
    changed = {
        column: (values.sum(axis=0) - values + getattr(theirs, column)).ravel().tolist()
        for column, values in columns.items()
    }
    kept = {column: columns[column].tolist() for column in ("fewest_references", "most_references")}
    last = ours[[len(ours) - 1] * len(ours)]
    return Statistics(ours.max_order, changed | kept, last, ours.counted_by)


def _subsets(keys: Sequence[str]) -> Iterable[Mixture]:
    return (frozenset(chosen) for size in range(len(keys) + 1) for chosen in combinations(keys, size))


def _share(key: str, keys: Sequence[str], values: Mapping[Mixture, Fraction]) -> float:
    """Return the Shapley value of a key."""
    share = Fraction(0)
    for mixture, value in values.items():
        if key not in mixture:
            orders = math.factorial(len(mixture)) * math.factorial(len(keys) - len(mixture) - 1)
            share += Fraction(orders, math.factorial(len(keys))) * (values[mixture | {key}] - value)
    return float(share)
