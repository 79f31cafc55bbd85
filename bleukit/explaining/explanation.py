"""Explain why two variants give one text different scores: the share of each key, and the segments that matter."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from html import escape
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import structs

from bleukit.bleu import segment_columns
from bleukit.bleu.bleu import Bleu, bleu_of
from bleukit.bleu.hookspecs import COMPONENT_HOOKS
from bleukit.bleu.keys_in_words import key_name, value_name
from bleukit.bleu.loader import Loaded
from bleukit.bleu.statistics import LAST, Statistics
from bleukit.corpus.shared_text import SharedText
from bleukit.framework.arguments import check_segments, check_whole_number
from bleukit.framework.errors import InputError
from bleukit.framework.results import Result
from bleukit.writing.phrases import listed, signed, wrapped_lines
from bleukit.writing.printers import as_html, as_text
from bleukit.writing.table import table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bleukit.bleu.bleu import VariantLike
    from bleukit.bleu.variant import Variant
    from bleukit.framework.layouts import Layout
    from bleukit.framework.protocols import References, Text
    from bleukit.framework.segments import Segments, SegmentsReader
    from bleukit.writing.table import TextTable

OF_ROWS = ("tokenizer", "lowercase", "counter", "reference_length")
"""The keys that determine the statistics of a segment."""

OF_SUMS = ("smoothing", "brevity_penalty", "weights", "effective_order", "average")
"""The keys that determine the score of a text, given its statistics; the scale only multiplies it."""

KEYS = (*OF_ROWS, *OF_SUMS)

EMPTY = "empty_score"
"""The key that determines the score of a text without tokens, and has no effect on other texts."""

Mixture: TypeAlias = frozenset[str]
"""The keys whose values are those of the second variant; all others are those of the first."""


@dataclass(frozen=True, eq=False)
class KeyShare(Result):
    """The contribution of one key of the variant to the difference, in points (of 100)."""

    key: str
    first: Any
    second: Any
    points: float


@dataclass(frozen=True, eq=False)
class CountedSegment(Result):
    """A segment as one variant counts it: the tokens of the hypothesis, matches, totals, and the reference length.

    ``matched`` holds ranges (start, stop) of tokens that are also in a reference. Each token is matched at most as
    often as it occurs in a reference, and neighbours in a range are neighbours in a reference.
    """

    tokens: tuple[str, ...]
    matched: tuple[tuple[int, int], ...]
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    reference_length: float

    def __str__(self) -> str:
        """Return the tokens with the matched ranges in brackets."""
        words = list(self.tokens)
        for start, stop in self.matched:
            words[start] = f"[{words[start]}"
            words[stop - 1] += "]"
        return " ".join(words)

    def counts(self) -> str:
        """Return the counts as text."""
        ngrams = ", ".join(f"{match}/{total}" for match, total in zip(self.matches, self.totals, strict=True))
        return f"n-grams matched {ngrams}; length {len(self.tokens)}, reference length {self.reference_length:.10g}"


@dataclass(frozen=True, eq=False)
class MovedSegment(Result):
    """A segment (counted from 1), and the points by which the first score changes if it is counted as by the second.

    ``references`` are the texts that were given; token lists are joined by spaces.
    """

    segment: int
    points: float
    first: CountedSegment
    second: CountedSegment
    references: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Result):
    """Why the second score differs from the first; scores and points are 0 to 100 for any scale of the variants.

    ``parts``, one for each key that differs, add up to the difference. ``tokens`` holds, for each tokenizer, the tokens
    of the hypotheses that it makes more often than the other, and how many more, ignoring case. ``segments`` are those
    that change the first score most if they are counted as the second variant counts: with its tokenizer, case,
    counter and reference length. ``mixtures`` is the number of variants that were scored.
    """

    first: str
    second: str
    scores: tuple[float, float]
    parts: tuple[KeyShare, ...]
    mixtures: int
    tokens: tuple[Mapping[str, int], Mapping[str, int]]
    segments: tuple[MovedSegment, ...]

    @property
    def difference(self) -> float:
        """The second score minus the first; NaN if one of them is NaN, 0 if both are."""
        return _difference(*self.scores)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain data, and the difference."""
        return {**super().to_dict(), "difference": self.difference}

    def __repr__(self) -> str:
        first, second = self.scores
        return (
            f"<Explanation of {self.first} {first:.4f}, {self.second} {second:.4f}: {signed(self.difference)} points>"
        )

    def __str__(self) -> str:
        return self.as_text()

    def as_text(self, width: int = 80) -> str:
        """Return the explanation as text, in lines of at most ``width`` characters."""
        return "\n".join([as_text(_table(self), width), *_details(self, width)])

    def _repr_html_(self) -> str:
        details = "\n".join(_details(self, 120))
        return f"{as_html(_table(self))}<pre>{escape(details)}</pre>"


def explain(  # noqa: PLR0913
    first: VariantLike,
    second: VariantLike,
    hypotheses: Sequence[Text],
    references: Sequence[References],
    *,
    references_by: Layout | None = None,
    most: int = 5,
) -> Explanation:
    """Divide the difference between two scores of one text among the keys in which the variants differ.

    ``first`` and ``second`` are what :func:`bleukit.load` takes or returns; hypotheses and references are what
    :meth:`Metric.corpus` takes. The share of a key is its Shapley value (Shapley 1953): the average change of the score
    when the key gets its value in the second variant, over all orders in which the keys can be changed. At most
    ``most`` segments, and ``most`` tokens of each tokenizer, are returned. Raises InputError if the text cannot be
    scored, or cannot be scored by a mixture of both variants.
    """
    most = check_whole_number(most, "most", 0)
    segments = check_segments(hypotheses, references, references_by=references_by)
    if not len(segments):
        raise InputError("no segment to score")
    return explained(bleu_of(first), bleu_of(second), lambda _: segments, most)


def explained(first: Bleu, second: Bleu, read: SegmentsReader, most: int) -> Explanation:
    """Explain the scores of a text with at least one segment; for the other parameters see :func:`explain`."""
    mixtures = _Mixtures(first, second, SharedText(read))
    values = mixtures.values()
    shares = mixtures.shares(values)
    return Explanation(
        first.label,
        second.label,
        (values[frozenset()], values[frozenset(mixtures.keys)]),
        tuple(
            KeyShare(key, getattr(first.variant, key), getattr(second.variant, key), shares[key])
            for key in sorted(shares, key=lambda key: -abs(shares[key]))
        ),
        len(values),
        mixtures.tokens(most),
        mixtures.segments(most),
    )


def key_shares(first: Bleu, second: Bleu, text: SharedText) -> dict[str, float]:
    """Return the share of each key in the second score of a text minus the first, in points of 100.

    The text has at least one segment, and may be shared by several calls. Raises InputError as :func:`explain`.
    """
    mixtures = _Mixtures(first, second, text)
    return mixtures.shares(mixtures.values())


class _Mixtures:
    """All mixtures of two variants, on one text; ``keys`` are those in which the variants differ."""

    def __init__(self, first: Bleu, second: Bleu, text: SharedText) -> None:
        self._bleus = first, second
        self._variants = [_in_scale(bleu.variant, first.scale) for bleu in self._bleus]
        self._text = text
        self._given = text.read(first.components["tokenizer"])
        self._max_order = max(first.max_order, second.max_order)
        differing = [key for key in (*KEYS, EMPTY) if len({repr(getattr(each, key)) for each in self._variants}) > 1]
        counting = [key for key in differing if key in OF_ROWS]
        is_empty = any(map(self._is_empty, _subsets(counting)))
        may_be_empty = is_empty or any(each.is_macro for each in self._variants)  # of which a segment may be
        self.keys = [key for key in differing if key != EMPTY or may_be_empty]
        self._counting = frozenset(counting)

    def values(self) -> dict[Mixture, float]:
        """Return the score of the text by each mixture, 0 to 100; the two variants come first."""
        whole = frozenset(self.keys)
        return {mixture: self._value(mixture) for mixture in dict.fromkeys([frozenset(), whole, *_subsets(self.keys)])}

    def shares(self, values: Mapping[Mixture, float]) -> dict[str, float]:
        """Return the Shapley value of each key, given the scores of all mixtures."""
        shares = dict.fromkeys(self.keys, 0.0)
        for mixture, value in values.items():
            orders = math.factorial(len(mixture)) * math.factorial(max(0, len(shares) - len(mixture) - 1))
            for key in shares.keys() - mixture:
                change = _difference(value, values[mixture | {key}])
                shares[key] += orders / math.factorial(len(shares)) * change
        return shares

    def tokens(self, most: int) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Return the tokens of the hypotheses that each tokenizer makes more often, in the case of the first."""
        if "tokenizer" not in self.keys or self._given.tokenized:
            return {}, {}
        mixtures: tuple[Mixture, ...] = (frozenset(), frozenset({"tokenizer"}))
        ours, theirs = (Counter(chain.from_iterable(self._tokens(mixture).hypotheses)) for mixture in mixtures)
        return dict((ours - theirs).most_common(most)), dict((theirs - ours).most_common(most))

    def segments(self, most: int) -> tuple[MovedSegment, ...]:
        """Return the segments that change the first score most if they alone are counted as the second variant does."""
        first = self._bleus[0]
        ours, theirs = self._statistics(frozenset()), self._statistics(self._counting)
        if ours == theirs:
            return ()
        try:
            ours, theirs = map(first.scorer().with_sentence_scores, (ours, theirs))
            points = first.score_columns(_with_one_exchanged(ours, theirs)).value - first.score(ours).value
        except InputError:  # a mixed text that the smoothing cannot score
            return ()
        in_points = (points * (100 / first.variant.scale)).tolist()
        order = sorted(range(len(in_points)), key=lambda row: -abs(in_points[row]))
        return tuple(
            MovedSegment(
                row + 1,
                in_points[row],
                _counted(row, self._tokens(frozenset()), ours),
                _counted(row, self._tokens(self._counting), theirs),
                tuple(" ".join(text) if self._given.tokenized else str(text) for text in self._given.references[row]),
            )
            for row in order[:most]
            if in_points[row]
        )

    def _is_empty(self, mixture: Mixture) -> bool:
        statistics = self._statistics(mixture)
        return not (statistics.hypothesis_length.any() or statistics.reference_tokens.any())

    def _value(self, mixture: Mixture) -> float:
        bleu = self._bleu(mixture)
        try:
            value = bleu.score(bleu.rows(self._text.tokens(bleu))).value
        except InputError as error:
            raise InputError(f"{self._described(mixture)} cannot score this text: {error}", error.key) from error
        return value * (100 / bleu.scale)

    def _described(self, mixture: Mixture) -> str:
        first, second = (bleu.label for bleu in self._bleus)
        if not mixture:
            return first
        if mixture == frozenset(self.keys):
            return second
        keys = listed([key_name(key, []) for key in self.keys if key in mixture])
        return f"the difference cannot be divided, because {first} with the {keys} of {second}"

    def _tokens(self, mixture: Mixture) -> Segments:
        return self._text.tokens(self._bleu(mixture))

    def _statistics(self, mixture: Mixture) -> Statistics:
        """Return the statistics of all segments, up to the higher order of both variants."""
        components = self._bleu(mixture).components
        columns = segment_columns.columns(self._tokens(mixture), components, self._max_order)
        return Statistics.of_segments(self._max_order, *columns).with_last_segments()

    def _bleu(self, mixture: Mixture) -> Bleu:
        first, second = self._variants
        mixed = structs.replace(first, **{key: getattr(second, key) for key in mixture})
        chosen = {kind: self._bleus[kind in mixture].components[kind] for kind in COMPONENT_HOOKS}
        return Bleu(Loaded(mixed, chosen, "", None))


def _in_scale(variant: Variant, scale: int) -> Variant:
    """Return a variant with normalized weights, whose score of empty text is in a scale."""
    empty_score = variant.empty_score / variant.scale * scale
    return structs.replace(variant, weights=variant.weights_used, normalize_weights=False, empty_score=empty_score)


def _counted(row: int, tokens: Segments, statistics: Statistics) -> CountedSegment:
    counted = statistics[row]
    return CountedSegment(
        tuple(tokens.hypotheses[row]),
        _matched(tokens.hypotheses[row], tokens.references[row]),
        tuple(counted.column("matches")),
        tuple(counted.column("totals")),
        counted.column("reference_length")[0],
    )


def _matched(hypothesis: Sequence[str], references: Iterable[Sequence[str]]) -> tuple[tuple[int, int], ...]:
    """Return the ranges of tokens that are also in a reference, as :class:`CountedSegment` describes."""
    unmatched: Counter[str] = Counter()
    neighbours = set()
    for reference in references:
        unmatched |= Counter(reference)
        neighbours |= {*pairwise(reference)}
    ranges: list[tuple[int, int]] = []
    for number, token in enumerate(hypothesis):
        if unmatched[token] > 0:
            continues = ranges and ranges[-1][1] == number and (hypothesis[number - 1], token) in neighbours
            start = ranges.pop()[0] if continues else number
            ranges.append((start, number + 1))
        unmatched[token] -= 1
    return tuple(ranges)


def _difference(first: float, second: float) -> float:
    """Return the second score minus the first; 0 if both are NaN, NaN if one is."""
    return 0.0 if math.isnan(first) and math.isnan(second) else second - first


def _with_one_exchanged(ours: Statistics, theirs: Statistics) -> Statistics:
    """Return, for each row, the sum of all rows of ``ours`` with this row replaced by that of ``theirs``."""
    import numpy as np

    columns = {}
    for name in ours.columns:
        values, others = getattr(ours, name), getattr(theirs, name)
        columns[name] = values.sum(axis=0) - values + others
        if name.startswith(LAST):
            columns[name] = np.concatenate([values[-1:].repeat(len(ours) - 1, axis=0), others[-1:]])
        elif name in {"fewest_references", "most_references"}:
            columns[name] = values
    return Statistics(ours.max_order, {name: values.ravel() for name, values in columns.items()}, ours.counted_by)


def _subsets(keys: Sequence[str]) -> Iterable[Mixture]:
    return (frozenset(chosen) for size in range(len(keys) + 1) for chosen in combinations(keys, size))


def _names(explanation: Explanation) -> tuple[str, str]:
    first, second = explanation.first, explanation.second
    return (first, second) if first != second else (f"{first} (first)", f"{second} (second)")


def _table(explanation: Explanation) -> TextTable:
    """Return the table of the scores and of the parts of their difference."""
    first, second = _names(explanation)
    parts = explanation.parts
    columns = [
        ("", ["BLEU, 0 to 100", *(f"  {key_name(part.key, [part.first, part.second])}" for part in parts)]),
        (first, [f"{explanation.scores[0]:.4f}", *(value_name(part.key, part.first) for part in parts)]),
        (second, [f"{explanation.scores[1]:.4f}", *(value_name(part.key, part.second) for part in parts)]),
        ("difference", [signed(explanation.difference), *(signed(part.points) for part in parts)]),
    ]
    return table_of(columns, {"", first, second})


def _details(explanation: Explanation, width: int) -> Iterator[str]:
    """Yield the tokens and segments that matter, as lines."""
    names = _names(explanation)
    if not explanation.parts:
        yield "The variants do not differ."
    if any(explanation.tokens):
        yield ""
        yield "Tokens of the hypotheses that one tokenizer makes more often (surplus):"
        for name, tokens in zip(names, explanation.tokens, strict=True):
            made = "  ".join(f"{token} ({number})" for token, number in tokens.items())
            yield from wrapped_lines(made or "none", width, first=f"  {name.ljust(max(map(len, names)))}  ")
    if explanation.segments:
        yield ""
        heading = f"Segments that change the score of {names[0]} most if they alone are counted as by {names[1]}"
        legend = "Tokens in [brackets] match a reference; tokens in the same brackets are neighbours there"
        yield from wrapped_lines(f"{heading}. {legend}.", width)
    for moved in explanation.segments:
        yield ""
        yield from _of_segment(moved, names, width)


def _of_segment(moved: MovedSegment, names: tuple[str, str], width: int) -> Iterator[str]:
    yield f"Segment {moved.segment}: {signed(moved.points)} points"
    numbers = [f"reference {number}" for number in range(1, len(moved.references) + 1)]
    labels = ["reference"] if len(numbers) == 1 else numbers
    indent = max(map(len, (*names, *labels)))
    for label, side in zip(names, (moved.first, moved.second), strict=True):
        yield from wrapped_lines(str(side), width, first=f"  {label.ljust(indent)}  ")
        yield from wrapped_lines(side.counts(), width, first=" " * (indent + 4))
    for label, reference in zip(labels, moved.references, strict=True):
        yield from wrapped_lines(reference, width, first=f"  {label.ljust(indent)}  ")
