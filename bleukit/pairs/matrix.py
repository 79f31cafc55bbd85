"""The score of each of some hypotheses against each of some single references, in tiles, which bound the memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bleukit.counting import components
from bleukit.counting.packed import lengths_of
from bleukit.counting.threads import map_in_order
from bleukit.errors import InputError, InputTypeError, shown
from bleukit.pairs import loops, single_reference
from bleukit.protocols import CountsTable
from bleukit.scoring import brevity_penalties
from bleukit.text import arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from bleukit.loading.creating import LoadedComponent
    from bleukit.pairs.single_reference import PairMetric
    from bleukit.protocols import Text

Item = TypeVar("Item")
Result = TypeVar("Result")

TILE = 256
"""How many texts of either side are counted at a time: few enough for their counts to stay in the cache, and for the
memory that they take to be used again, rather than returned to the system, which takes longer than to count."""

SLOW_TILE = 32
"""The same if a counter knows single pairs only, so that the threads stop soon after an error or an interrupt."""

SCORED = 1 << 14
"""How many pairs are scored at a time."""

MANY = 1 << 16
"""Use threads by default from this many pairs: starting them takes longer than a few."""


def matrix(  # noqa: PLR0913
    bleu: PairMetric,
    hypotheses: Sequence[Text],
    references: Sequence[Text] | None = None,
    *,
    weights: ArrayLike | None = None,
    out: NDArray[np.floating] | None = None,
    threads: int | None = None,
) -> NDArray[np.floating]:
    """Return what :meth:`bleukit.Bleu.matrix` says."""
    arguments.check_threads(threads)
    texts, given = arguments.check_texts_or_tokens(hypotheses, "hypotheses")
    others = texts
    if references is not None:
        others, _ = arguments.check_texts_or_tokens(references, "references", given if texts else None)
    factors = None if weights is None else weights_of(weights, len(others), "weights")
    shape = len(texts), len(others)
    found: NDArray[np.floating] = np.empty(shape) if out is None else _checked(out, shape)
    filling = _Filling(bleu, found, threads or (arguments.available_cores() if shape[0] * shape[1] >= MANY else 1))
    tiles = filling.tiles(texts, given=given)
    if references is None:
        filling.all_against_all(tiles)
    else:
        filling.each_against_each(tiles, filling.tiles(others, given=given))
    if factors is not None:
        found *= factors
    return found


def matrices(  # noqa: PLR0913
    bleu: PairMetric,
    hypotheses: Sequence[Sequence[Text]],
    references: Sequence[Sequence[Text]] | None = None,
    *,
    weights: Sequence[ArrayLike] | None = None,
    out: Sequence[NDArray[np.floating]] | NDArray[np.floating] | None = None,
    threads: int | None = None,
    on_done: Callable[[int], object] | None = None,
) -> list[NDArray[np.floating]]:
    """Return what :meth:`bleukit.Bleu.matrices` says."""
    groups = groups_of(hypotheses, "hypotheses")
    sides = arguments_by_group(
        {"hypotheses": groups},
        references=None if references is None else groups_of(references, "references"),
        weights=weights,
        out=out,
    )

    def each(group: Any, inside: int) -> NDArray[np.floating]:
        number, texts, others, factors, into = group
        try:
            return matrix(bleu, texts, others, weights=factors, out=into, threads=inside)
        except InputError as error:
            raise type(error)(f"group {number}: {error}") from error

    sizes = ((len(texts), len(texts if others is None else others)) for texts, others, *_ in sides)
    pairs = sum(rows * columns for rows, columns in sizes)
    tasks = [(number, *group) for number, group in enumerate(sides)]
    return in_threads(each, tasks, pairs, threads, on_done)


def groups_of(given: Any, where: str, first: int = 0) -> list[Sequence[Text]]:
    """Return the texts of each group; ``first`` is the number of groups before. Raises InputTypeError for others."""
    groups = []
    for number, group in enumerate(
        arguments.check_sequence(given, where, f"a sequence with the {where} of each segment")
    ):
        name = f"{where}[{first + number}]"
        if isinstance(group, str):
            hint = "those of a single segment are [texts]"
            raise InputTypeError(f"{name}: expected a sequence of texts, got {shown(group)}; {hint}")
        groups.append(arguments.check_sequence(group, name, "a sequence of str, or of token lists"))
    return groups


def arguments_by_group(first: Mapping[str, Sequence[Any]], **others: Any) -> list[tuple[Any, ...]]:
    """Return what each group has of the first, and of the others, which may be None.

    Raises InputError unless all are of equal length.
    """
    [(name, groups)] = first.items()
    sides = []
    for other, given in others.items():
        each = [None] * len(groups) if given is None else list(given)
        if len(each) != len(groups):
            raise InputError(f"{len(groups)} segments in {name} but {len(each)} in {other}")
        sides.append(each)
    return list(zip(groups, *sides, strict=True))


def in_threads(
    function: Callable[[Item, int], Result],
    groups: Sequence[Item],
    pairs: int,
    threads: int | None,
    on_done: Callable[[int], object] | None,
) -> list[Result]:
    """Return what a function gives for each group; it is given the number of threads that it may use itself.

    ``threads`` are shared by groups, or by the tiles of each if there are fewer groups; by default these are the cores
    if there are many ``pairs``. ``on_done`` is called with 1 after each group.
    """
    arguments.check_threads(threads)
    threads = threads or (arguments.available_cores() if pairs >= MANY else 1)
    inside, across = (1, threads) if len(groups) >= threads else (threads, 1)

    def each(group: Item) -> Result:
        found = function(group, inside)
        if on_done is not None:
            on_done(1)
        return found

    return list(map_in_order(each, groups, across))


def weights_of(weights: ArrayLike, number: int, where: str) -> NDArray[np.float64]:
    """Return the weight of each of so many references. Raises InputError unless all are finite and at least 0."""
    try:
        factors = np.asarray(weights, np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(f"{where}: expected a number for each reference, got {shown(weights)}") from error
    if factors.shape != (number,):
        raise InputError(f"{where}: expected a number for each of {number} references, got shape {factors.shape}")
    if not (np.isfinite(factors).all() and (factors >= 0).all()):
        raise InputError(f"{where}: expected finite numbers of at least 0")
    return factors


def _checked(out: Any, shape: tuple[int, int]) -> NDArray[np.floating]:
    """Return what to write into. Raises InputError unless it is an array of floats of this shape."""
    if not isinstance(out, np.ndarray) or out.dtype.kind != "f" or out.shape != shape or not out.flags.writeable:
        given = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else shown(out)
        raise InputError(f"out: expected a writeable array of floats of shape {shape}, got {given}")
    return out


@dataclass(frozen=True)
class _Tile:
    """Some of the texts, from the one at ``start``: their tokens, and how many each has."""

    start: int
    tokens: Sequence[Sequence[str]]
    lengths: NDArray[np.int64]

    @property
    def places(self) -> slice:
        return slice(self.start, self.start + len(self.lengths))

    @cached_property
    def distinct_lengths(self) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        """The lengths that there are, and the place of each text's among them."""
        found, places = np.unique(self.lengths, return_inverse=True)
        return found, places.ravel()


@dataclass(frozen=True)
class _Filling:
    """Writes scores into a matrix, tile by tile, on some threads."""

    bleu: PairMetric
    found: NDArray[np.floating]
    threads: int

    def tiles(self, texts: Sequence[Text], *, given: bool) -> list[_Tile]:
        """Return the texts, as tokens."""
        size = TILE if components.counts_pairs(self._counter) else SLOW_TILE

        def tile(start: int) -> _Tile:
            tokens = single_reference.tokens_of_texts(self.bleu, texts[start : start + size], given=given)
            return _Tile(start, tokens, np.array(lengths_of(tokens), np.int64))

        return self._mapped(tile, range(0, len(texts), size))

    def each_against_each(self, hypotheses: Sequence[_Tile], references: Sequence[_Tile]) -> None:
        """Fill the matrix with the scores of all hypotheses against all references."""
        self._mapped(lambda pair: self._one_way(*pair), list(product(hypotheses, references)))

    def all_against_all(self, texts: Sequence[_Tile]) -> None:
        """Fill it with those of texts against each other; matches that are symmetric are counted once."""
        if not components.is_symmetric(self._counter):
            self.each_against_each(texts, texts)
            return
        totals = self._mapped(lambda tile: self._one_way(tile, tile), texts)

        def both_ways(pair: tuple[int, int]) -> None:
            one, other = (texts[place] for place in pair)
            matches, _ = self._counted(one, other)
            self._score(one, other, matches, totals[pair[0]])
            self._score(other, one, np.ascontiguousarray(matches.transpose(0, 2, 1)), totals[pair[1]])

        self._mapped(both_ways, list(combinations(range(len(texts)), 2)))

    def _one_way(self, hypotheses: _Tile, references: _Tile) -> NDArray[np.int64]:
        """Score a tile; return the totals of its hypotheses."""
        matches, totals = self._counted(hypotheses, references)
        self._score(hypotheses, references, matches, totals)
        return totals

    def _counted(self, hypotheses: _Tile, references: _Tile) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return components.count_every_pair(self._counter, hypotheses.tokens, references.tokens, self.bleu.max_order)

    def _score(
        self, hypotheses: _Tile, references: _Tile, matches: NDArray[np.int64], totals: NDArray[np.int64]
    ) -> None:
        """Write the scores of a tile: of each kind of pair once, for most pairs have the counts of others.

        Matches are of shape (orders, hypotheses, references), totals may be, too, or of shape (orders, hypotheses).
        A score is that against a reference of the hypothesis' own length, times the brevity penalty, if the smoothing
        ignores the reference: so there are fewer kinds.
        """
        columns = len(references.lengths)
        at_own_length = bool(getattr(self.bleu.sentence_smoothing.call, "ignores_reference_length", False))
        if totals.ndim == 2:
            numbers: dict[tuple[int, ...], int] = {}
            texts = zip(hypotheses.lengths.tolist(), *totals.tolist(), strict=True)
            alike = np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.int64)
            of_references = np.zeros(columns, np.int64) if at_own_length else references.lengths
            pairs, kinds = loops.distinct(matches, alike, of_references)
        else:
            pairs = kinds = np.arange(len(hypotheses.lengths) * columns)
        matched = matches.reshape(len(matches), -1)
        totalled = totals.reshape(len(matches), -1)
        scores = np.empty(len(pairs))
        for start in range(0, len(pairs), SCORED):
            chosen = pairs[start : start + SCORED]
            ours, theirs = np.divmod(chosen, columns)
            lengths = hypotheses.lengths[ours]
            tokens = lengths if at_own_length else references.lengths[theirs]
            if at_own_length:
                effective = lengths.astype(np.float64)
            else:
                effective = single_reference.effective_lengths_of_pairs(self.bleu, lengths, tokens)
            of_matches = matched.take(chosen, axis=1).astype(np.int64, copy=False)
            of_totals = totalled.take(ours if totals.ndim == 2 else chosen, axis=1)
            table = CountsTable(of_matches.T, of_totals.T, lengths, effective)
            try:
                scores[start : start + SCORED] = single_reference.segment_scores(self.bleu, table, tokens)
            except InputError:
                for pair, (row, column) in enumerate(zip(ours.tolist(), theirs.tolist(), strict=True)):
                    where = f"hypotheses[{hypotheses.start + row}] against references[{references.start + column}]"
                    self._require_score(table, tokens, pair, where)
                raise
        found = scores.take(kinds).reshape(-1, columns)
        if at_own_length:
            found *= self._penalties(hypotheses, references)
            if not hypotheses.lengths.all():
                of_nothing = self.bleu.sentence_variant.empty_score
                found[hypotheses.lengths == 0] = np.where(references.lengths == 0, of_nothing, 0.0)
        self.found[hypotheses.places, references.places] = found

    def _penalties(self, hypotheses: _Tile, references: _Tile) -> NDArray[np.float64]:
        """Return the factor from the score at its own length to that at each reference's: (hypotheses, references)."""
        (ours, of_ours), (theirs, of_theirs) = hypotheses.distinct_lengths, references.distinct_lengths
        lengths, others = np.repeat(ours, len(theirs)), np.tile(theirs, len(ours))
        penalties = brevity_penalties(lengths, single_reference.effective_lengths_of_pairs(self.bleu, lengths, others))
        found: NDArray[np.float64] = penalties.reshape(len(ours), -1).take(of_theirs, axis=1).take(of_ours, axis=0)
        return found

    def _require_score(self, table: CountsTable, tokens: NDArray[np.int64], pair: int, where: str) -> None:
        """Raise InputError that says where if a pair has no score."""
        one = slice(pair, pair + 1)
        counts = CountsTable(
            table.matches[one], table.totals[one], table.hypothesis_length[one], table.reference_length[one]
        )
        try:
            single_reference.segment_scores(self.bleu, counts, tokens[one])
        except InputError as error:
            raise InputError(f"{where}: {error}") from error

    @property
    def _counter(self) -> LoadedComponent:
        return self.bleu.components["counter"]

    def _mapped(self, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        return list(map_in_order(function, items, min(self.threads, len(items) or 1)))
