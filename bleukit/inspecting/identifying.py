"""Identify the variants that give a published score of a text, among named variants and mixtures of components."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from itertools import chain
from math import isclose
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import structs

from bleukit.counting import components
from bleukit.errors import InputError
from bleukit.inspecting.other_calculations import other_calculations
from bleukit.inspecting.phrases import as_yaml, listed, numbered, setting, wrapped_lines
from bleukit.inspecting.published_score import EXACT, POINTS, PublishedScore
from bleukit.inspecting.search_space import KEYS, SearchSpace
from bleukit.inspecting.summed_statistics import summed_statistics
from bleukit.loading.registry import installed
from bleukit.metric import bleu_of
from bleukit.plain import plain
from bleukit.results import Result, html_table
from bleukit.scoring import geometric_means
from bleukit.text.arguments import check_segments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bleukit.counting.segment_columns import Segments
    from bleukit.counting.shared_text import SegmentsReader
    from bleukit.inspecting.other_calculations import OtherCalculation
    from bleukit.loading.creating import LoadedComponent
    from bleukit.loading.registry import Registry
    from bleukit.metric import Bleu, VariantLike
    from bleukit.protocols import References, Text
    from bleukit.statistics import Statistics
    from bleukit.text.layouts import Layout
    from bleukit.variant import Component, Variant

MOST_SCORES, MOST_MIXTURES = 100, 10
"""The maximum number of scores in a result, and of variants for each score in addition to the named ones."""

MOST_VALUES = 4
"""The number of values of a key up to which they are printed."""

MOST_SHOWN = 10
"""The default number of scores that are printed."""

MOST_DIGITS = 13
"""The maximum number of decimals that are printed: a float has no more."""

CHUNK = 1024
"""The number of segments that are checked at a time."""


@dataclass(frozen=True, eq=False, repr=False)
class CandidateVariant(Result):
    """A variant and its score: ``departs`` holds the keys in which it differs from ``nearest``, a named variant.

    ``is_nearest_registered`` says whether a variant file can start from that one by its name. ``references`` are the
    references of each segment that it uses, counted from 1, empty for all. ``value`` is the score, in the scale of the
    variant.
    """

    variant: Variant
    nearest: str
    is_nearest_registered: bool
    departs: Mapping[str, Any]
    references: tuple[int, ...]
    value: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: ``variant`` is the nearest named variant, ``file`` the content of a variant file."""
        keys = {"variant": self.nearest, **self.departs}
        short = "".join(f"{key}: {as_yaml(value)}\n" for key, value in keys.items())
        return {
            "value": self.value,
            "variant": self.nearest,
            "departs": plain(self.departs),
            "references": list(self.references) or "all",
            "file": short if self.is_nearest_registered else self.variant.to_yaml(),
        }

    def __str__(self) -> str:
        """Return the variant in words, without its scale, and the references unless all are used."""
        departs = [setting(key, [value]) for key, value in self.departs.items() if key != "scale"]
        if self.references:
            departs.append(setting("references", [self.references]))
        return f"{self.nearest} with {listed(departs)}" if departs else self.nearest

    def __repr__(self) -> str:
        return f"<CandidateVariant {self}: {self.value!r}>"


@dataclass(frozen=True, eq=False, repr=False)
class SameScore(Result):
    """The variants, ``number`` of them, that this text cannot distinguish because they give the same score.

    ``named`` are the named variants, with those that are equal to another; ``mixtures`` are some of the ``unnamed``
    others, the nearest to a named variant first.
    ``possible`` holds, for each key, the values that occur in these variants, unless all values that were tried occur;
    its key "references" holds choices of references, counted from 1, empty for all.
    """

    value: float
    scale: float
    number: int
    unnamed: int
    named: tuple[CandidateVariant, ...]
    mixtures: tuple[CandidateVariant, ...]
    possible: Mapping[str, tuple[Any, ...]]

    @property
    def first(self) -> CandidateVariant:
        """The most likely of these variants."""
        return next(chain(self.named, self.mixtures))

    def __str__(self) -> str:
        return f"{self.value!r}: {'; '.join(_sentences(self))}"

    def __repr__(self) -> str:
        return f"<SameScore {self.value!r}: {numbered(self.number, 'variant')}, first {self.first}>"


@dataclass(frozen=True, eq=False, repr=False)
class Identification(Result):
    """The variants that give a published score, the ``figure``: ``found`` of the ``tried`` ones.

    ``groups`` holds the variants with the same score, the most likely first: the default variant, other named variants,
    then the nearest to a named variant. There are at most MOST_SCORES groups of all ``scores`` different scores.
    ``possible`` is as in :class:`SameScore`, for all variants found. ``decimals`` is the number of decimals that
    distinguishes the first score from all others of its scale, None if there are no others. ``closest`` is the variant
    whose score is closest to the published one. ``left_out`` maps the components and variants that cannot be used to
    the reasons. ``otherwise`` holds the named variants that give it as a mean of sentence scores; and if no variant
    gives it as the score of summed statistics, what else gives it, such as hypotheses and references swapped.
    """

    figure: PublishedScore
    tried: int
    found: int
    scores: int
    groups: tuple[SameScore, ...]
    possible: Mapping[str, tuple[Any, ...]]
    decimals: int | None
    closest: CandidateVariant
    left_out: Mapping[str, str]
    otherwise: tuple[OtherCalculation, ...]

    def __repr__(self) -> str:
        first = f", first {self.groups[0].first}" if self.groups else f", closest {self.closest}"
        return f"<Identification of {self.figure.text}: {self.found} of {self.tried} variants{first}>"

    def __str__(self) -> str:
        return self.as_text()

    def as_text(self, width: int = 80, most: int = MOST_SHOWN) -> str:
        """Return the result as text, in lines of at most ``width`` characters, with at most ``most`` scores."""
        return "\n".join(_lines(self, width, most))

    def _repr_html_(self) -> str:
        digits = _digits(self)
        shown = [(group.value, "; ".join(_sentences(group))) for group in self.groups[:MOST_SHOWN]]
        shown += [(other.value, str(other)) for other in self.otherwise[:MOST_SHOWN]]
        rows = [(f"{value:.{digits}f}", words) for value, words in shown or [(self.closest.value, str(self.closest))]]
        notes = " ".join(_notes(self, MOST_SHOWN))
        return f"<p>{escape(_summary(self))}</p>{html_table(['score', 'variants'], rows)}<p>{escape(notes)}</p>"


def identify(  # noqa: PLR0913
    score: object,
    hypotheses: Sequence[Text],
    references: Sequence[References],
    *,
    variants: Iterable[VariantLike] = (),
    references_by: Layout | None = None,
    registry: Registry | None = None,
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> Identification:
    """Search the named variants and all mixtures of components for those that give a published score of a text.

    ``score`` should be a str, whose digits give its precision: "39.9". Hypotheses and references are what
    :meth:`Bleu.corpus` takes. Mixtures combine all tokenizers, case, counters, reference-length policies and smoothings
    (those without required options, and those of the named variants), with and without effective order, and with equal
    weights up to n-gram order 1, 2, 3 or 4. All are tried with all subsets of the references, in points and as
    fractions. If none gives the score, named variants are tried in other ways, see :class:`Identification`.
    ``variants`` are tried as the named ones are; each is what :func:`bleukit.load` takes or returns. ``registry`` is
    by default what is installed; ``progress`` wraps the sequence of steps, and may show how many are done. Raises
    InputError for a number that is not a score, for a text that cannot be scored, and for different ``variants`` of one
    name; VariantError for a wrong variant.
    """
    segments = check_segments(hypotheses, references, references_by=references_by)
    return identified(score, segments, lambda _: segments, variants, registry, progress)


def identified(  # noqa: PLR0913
    score: object,
    segments: Segments,
    read: SegmentsReader,
    variants: Iterable[VariantLike] = (),
    registry: Registry | None = None,
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> Identification:
    """Search the variants that give a score; for the other parameters see :func:`identify`."""
    figure = PublishedScore.parse(score)
    further = _by_name(variants)
    if not len(segments):
        raise InputError("no segment to score")
    sizes = set(segments.references.lengths())
    references = sizes.pop() if len(sizes) == 1 else None
    space = SearchSpace(registry or installed(), references, further, tokenized=segments.tokenized)
    identification = _Search(space, summed_statistics(read, space.axes, space.max_order, progress), figure).result()
    tried = {**space.averages, **({} if identification.groups else space.named)}
    return replace(identification, otherwise=other_calculations(figure, tried, space.values["references"], read))


def _by_name(variants: Iterable[VariantLike]) -> dict[str, Bleu]:
    """Return variants by what they are chosen by: a name or a path, or for others their label."""
    bleus: dict[str, Bleu] = {}
    for variant in variants:
        bleu = bleu_of(variant)
        name = os.fspath(variant) if isinstance(variant, str | os.PathLike) else bleu.label
        if name in bleus and bleus[name].signature != bleu.signature:
            raise InputError(f"two variants are called {name!r}: give one of them another name")
        bleus[name] = bleu
    return bleus


class _Hits(NamedTuple):
    """Variants that give the score: the rows of their sums, the indices of their rules, their scales and scores."""

    rows: NDArray[np.int64]
    rules: NDArray[np.int64]
    scales: NDArray[np.int64]
    values: NDArray[np.float64]


class _Search:
    """The search for variants of a space, on the summed statistics of a text."""

    def __init__(self, space: SearchSpace, table: Statistics, figure: PublishedScore) -> None:
        self._space = space
        self._figure = figure
        self._distinct, self._rows_of = _distinct_rows(table)
        self._tried = len(table) * len(space.rules)
        self._misses: list[tuple[float, _Hits]] = []

    def result(self) -> Identification:
        matches = _Matches(self._space, _joined(self._hits()))
        if not self._misses:
            raise InputError("no variant can score this text")
        least = min(miss for miss, _ in self._misses)
        closest = _Matches(self._space, _joined(hits for miss, hits in self._misses if isclose(miss, least)))
        groups = matches.groups()
        scores = [(int(matches.scales[group[0]]), float(matches.values[group[0]])) for group in groups]
        return Identification(
            figure=self._figure,
            tried=self._tried,
            found=len(matches.values),
            scores=len(groups),
            groups=tuple(map(matches.same_score, groups[:MOST_SCORES])),
            possible=matches.possible(slice(None)) if groups else {},
            decimals=_decimals(scores),
            closest=closest.first(),
            left_out=self._space.left_out,
            otherwise=(),
        )

    def _hits(self) -> Iterator[_Hits]:
        """Yield the variants that give the score, rule by rule, and remember those that come closest to it."""
        table, figure = self._distinct, self._figure
        empty = (table.hypothesis_length == 0) & (table.reference_tokens == 0)
        smoothed: dict[tuple[Component, int], NDArray[np.float64]] = {}
        penalties = {
            rule.brevity_penalty.choice: components.brevity_penalties_of_rows(
                rule.brevity_penalty, table.hypothesis_length, table.reference_length
            )
            for rule in self._space.rules[: self._space.penalties]
        }
        for number, rule in enumerate(self._space.rules):
            if number % self._space.penalties == 0:  # the means are those of all rules that differ in the penalty alone
                key = rule.smoothing.choice, len(rule.weights)
                if key not in smoothed:
                    smoothed[key] = self._precisions(rule.smoothing, len(rule.weights))
                precisions = smoothed[key]
                unknown = empty | np.isneginf(precisions).any(axis=1)
                known = np.where(unknown[:, None], 0, precisions)
                means = {
                    scale: geometric_means(known, rule.weights, effective_order=rule.effective_order, scale=scale)
                    for scale in figure.scales
                }
            before = np.zeros(len(table), bool)
            for scale, of_rows in means.items():
                values = np.where(unknown, np.nan, penalties[rule.brevity_penalty.choice] * of_rows)
                if not unknown.all() and (scale == POINTS or figure.decimals):
                    miss = abs(values - figure.number)
                    row = int(np.nanargmin(miss))
                    self._misses.append((float(miss[row]), self._of_all_rows([row], number, scale, values)))
                held = figure.holds(values, scale) & ~before  # 0 is the same in both scales
                before |= held
                yield self._of_all_rows(np.flatnonzero(held), number, scale, values)

    def _of_all_rows(self, distinct: Any, rule: int, scale: int, values: NDArray[np.float64]) -> _Hits:
        """Return the hits in all rows, given the hits in distinct rows."""
        rows = [self._rows_of[number] for number in distinct]
        counts = list(map(len, rows))
        number = sum(counts)
        return _Hits(
            np.concatenate([np.empty(0, np.int64), *rows]),
            np.full(number, rule),
            np.full(number, scale),
            np.repeat(values[distinct], counts),
        )

    def _precisions(self, smoothing: LoadedComponent, orders: int) -> NDArray[np.float64]:
        """Return the precisions of each distinct row, minus infinity where the smoothing raises InputError."""
        table = self._distinct
        with suppress(InputError):
            return components.precisions_of_rows(smoothing, table.table(orders))
        precisions = np.full((len(table), orders), -np.inf)
        for row, counts in enumerate(table.counts(orders)):
            with suppress(InputError):
                precisions[row] = components.precisions(smoothing, [counts])[0]
        return precisions


class _Matches:
    """Variants that give a score, described by their difference from the nearest named variant.

    All attributes are arrays with one item per variant; ``codes`` are those of the space.
    """

    def __init__(self, space: SearchSpace, hits: _Hits) -> None:
        self._space = space
        self.scales, self.values = hits.scales, hits.values
        self.codes = space.codes(hits.rows, hits.rules)
        self.distances = np.full(len(self.codes), len(KEYS) + 1)
        self.nearest = np.zeros(len(self.codes), np.int64)
        for number, code in enumerate(space.codes_of_named):
            distance = (self.codes != code).sum(axis=1)
            nearer = distance < self.distances
            self.distances[nearer], self.nearest[nearer] = distance[nearer], number

    def groups(self) -> list[NDArray[np.int64]]:
        """Return the indices of the variants with the same score, up to rounding errors; the most likely first.

        The most likely variants are the nearest to a named variant with all references, the default one before others.
        """
        if not len(self.values):
            return []
        values, number_of = np.unique(self.values, return_inverse=True)
        same = np.cumsum(np.diff(values, prepend=values[0]) > EXACT * values)[number_of.ravel()]
        order = np.lexsort((*self.codes.T, self.nearest, self.distances))
        keys = np.stack([self.scales, same], axis=1)[order]
        _, firsts, group_of = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        by_group = np.argsort(firsts[group_of.ravel()], kind="stable")
        sizes = np.bincount(group_of.ravel())[np.argsort(firsts)]
        return np.split(order[by_group], sizes.cumsum()[:-1])

    def first(self) -> CandidateVariant:
        """Return the most likely variant."""
        index = self.groups()[0][0]
        return self.candidate(index, self.nearest[index])

    def same_score(self, group: NDArray[np.int64]) -> SameScore:
        """Return the variants of a group, which have the same score."""
        are_named = self._names_of(group)
        named = [self.candidate(index, alike) for index in group[are_named] for alike in self._named_alike(index)]
        others = group[~are_named]
        mixtures = [self.candidate(index, self.nearest[index]) for index in others[:MOST_MIXTURES]]
        first = [*named, *mixtures][0]
        return SameScore(
            value=first.value,
            scale=first.variant.scale,
            number=len(group),
            unnamed=len(others),
            named=tuple(named),
            mixtures=tuple(mixtures),
            possible=self.possible(group),
        )

    def possible(self, group: Any) -> dict[str, tuple[Any, ...]]:
        """Return the values of keys in a group of variants, without keys that have all values that were tried."""
        values = {}
        for key, column in zip(KEYS, self.codes[group].T, strict=True):
            occurring = np.unique(column)
            if len(occurring) < len(self._space.values[key]):
                values[key] = tuple(self._space.value(key, code) for code in occurring.tolist())
        return values

    def candidate(self, index: int, nearest: int) -> CandidateVariant:
        """Return a variant by its index, and that of a named variant from which it departs."""
        space = self._space
        name = [*space.named][nearest]
        differs = self.codes[index] != space.codes_of_named[nearest]
        own = {key: space.value(key, int(code)) for key, code in zip(KEYS, self.codes[index], strict=True)}
        departs = {key: own[key] for key, other in zip(KEYS, differs, strict=True) if other and key != "references"}
        value, scale = float(self.values[index]), int(self.scales[index])
        variant = space.named[name].variant
        if value and scale != variant.scale:  # 0 is 0 in every scale
            departs["scale"] = scale
        return CandidateVariant(
            structs.replace(variant, **departs),
            name,
            name in space.registered,
            departs,
            own["references"],
            value,
        )

    def _named_alike(self, index: int) -> list[int]:
        """Return the named variants that are equal to the nearest one of a variant, that one included."""
        codes = self._space.codes_of_named
        alike: list[int] = np.flatnonzero((codes == codes[self.nearest[index]]).all(axis=1)).tolist()
        return alike

    def _names_of(self, group: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which variants of a group are named variants, with any choice of references."""
        differs = self.codes[group] != self._space.codes_of_named[self.nearest[group]]
        differs[:, KEYS.index("references")] = False
        named: NDArray[np.bool_] = ~differs.any(axis=1)
        return named


def _joined(hits: Iterable[_Hits]) -> _Hits:
    return _Hits(*map(np.concatenate, zip(*hits, strict=True)))


def _distinct_rows(table: Statistics) -> tuple[Statistics, list[NDArray[np.int64]]]:
    """Return the distinct rows, and for each of them the indices of all rows that are equal to it."""
    counts = table.table(table.max_order)
    lengths = np.stack([table.hypothesis_length, table.reference_length, table.reference_tokens], axis=1)
    everything = [lengths, counts.matches, counts.totals]
    if counts.last_segment:
        last = counts.last_segment
        everything += [last.hypothesis_length[:, None], last.reference_length[:, None], last.matches, last.totals]
    _, firsts, number_of = np.unique(np.concatenate(everything, axis=1), axis=0, return_index=True, return_inverse=True)
    order = np.argsort(number_of.ravel(), kind="stable")
    return table[firsts], np.split(order, np.bincount(number_of.ravel()).cumsum()[:-1])


def _decimals(scores: Sequence[tuple[int, float]]) -> int | None:
    """Return the number of decimals that distinguishes the first score from all others of its scale."""
    others = [value for scale, value in scores[1:] if scale == scores[0][0]]
    first = scores[0][1] if others else 0.0
    for decimals in range(MOST_DIGITS + 1):
        if others and all(round(first, decimals) != round(other, decimals) for other in others):
            return decimals
    return None


def _lines(identification: Identification, width: int, most: int) -> Iterator[str]:
    """Yield the result as lines."""
    groups, digits = identification.groups[:most], _digits(identification)
    yield from wrapped_lines(_summary(identification), width)
    yield ""
    for group in groups:
        yield from _row(f"{group.value:.{digits}f}", _sentences(group), width)
    others = identification.otherwise[:most]
    for other in others:
        yield from _row(f"{other.value:.{digits}f}", [str(other)], width)
    if not groups and not others:
        yield from _row(f"{identification.closest.value:.{digits}f}", [str(identification.closest)], width)
    for number, note in enumerate(_notes(identification, most)):
        if not number:
            yield ""
        yield from wrapped_lines(note, width)


def _digits(identification: Identification) -> int:
    """Return the number of decimals to print."""
    return min(max(4, identification.figure.decimals + 2, identification.decimals or 0), MOST_DIGITS)


def _summary(identification: Identification) -> str:
    tried = numbered(identification.tried, "variant")
    if not identification.groups:
        end = " from the summed statistics of this text. But:" if identification.otherwise else ". The closest:"
        return f"None of {tried} gives {identification.figure}{end}"
    verb = "gives" if identification.found == 1 else "give"
    scores = f"{identification.scores:,} different scores" if identification.scores > 1 else "all with the same score"
    return f"{identification.found:,} of {tried} {verb} {identification.figure}, {scores} on this text:"


def _notes(identification: Identification, most: int) -> Iterator[str]:
    """Yield what else is to be said if at most ``most`` groups, and as many other calculations, are shown."""
    for number, shown, noun in (
        (identification.scores, len(identification.groups[:most]), "more score"),
        (len(identification.otherwise), len(identification.otherwise[:most]), "more calculation"),
    ):
        if number > shown > 0:
            yield f"{numbered(number - shown, noun)} not shown."
    if identification.decimals is not None:
        yield f"{numbered(identification.decimals, 'decimal')} would distinguish the first score from all others."
    if identification.left_out:
        yield f"Not tried, because not available: {listed(list(identification.left_out))}."


def _row(value: str, sentences: Iterable[str], width: int) -> Iterator[str]:
    start = f"{value}  "
    for sentence in sentences:
        yield from wrapped_lines(sentence, width, first=start)
        start = " " * len(start)


def _sentences(group: SameScore) -> Iterator[str]:
    """Yield phrases for the named variants of a group, the number of others, and what all of them have in common."""
    by_references: dict[tuple[int, ...], list[str]] = {}
    for candidate in group.named:
        by_references.setdefault(candidate.references, []).append(candidate.nearest)
    for references, names in by_references.items():
        yield f"{listed(names)}{' with ' + setting('references', [references]) if references else ''}"
    others = group.unnamed
    if not group.named:
        yield str(group.first)
        others -= 1
    if others:
        yield f"and {numbered(others, 'mixture')} of components with the same score"
    limited = [setting(key, values) for key, values in group.possible.items() if len(values) <= MOST_VALUES]
    if limited and group.number > 1:
        yield f"all have: {'; '.join(limited)}"
