"""Matrices of scores: every hypothesis against every single reference, in tiles, which bound the memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bleukit.bleu import components
from bleukit.bleu.bleu import bleu_of
from bleukit.bleu.protocols import CountsTable
from bleukit.framework import arguments
from bleukit.framework.errors import InputError, InputTypeError, shown
from bleukit.framework.packed import lengths_of
from bleukit.framework.threads import map_in_order
from bleukit.pairs import counts, loops, single_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from bleukit.bleu.bleu import VariantLike
    from bleukit.bleu.scorer import Scorer
    from bleukit.framework.creating import LoadedComponent
    from bleukit.framework.protocols import Text

Argument = TypeVar("Argument")
Returned = TypeVar("Returned")

TILE = 256
"""The number of texts on either side that are counted at a time: few enough for their counts to stay in the cache."""

SLOW_TILE = 32
"""The size of a tile for counters of single pairs, so that threads stop soon after an error or an interrupt."""

SCORED = 1 << 14
"""The number of pairs that are scored at a time."""

MANY = 1 << 16
"""The number of pairs from which threads are used by default; for fewer, starting threads takes too long."""


def matrix(
    bleu: VariantLike,
    hypotheses: Sequence[Text],
    references: Sequence[Text] | None = None,
    *,
    out: NDArray[np.floating] | None = None,
    threads: int | None = None,
) -> NDArray[np.floating]:
    """Return the score of each hypothesis against each single reference: shape (hypotheses, references).

    Each is the value of :meth:`bleukit.Bleu.sentence`, to the last bit. Without references the hypotheses are scored
    against each other, and themselves. ``bleu`` is a Bleu, or what :func:`bleukit.load` takes. ``out``, an array or a
    memory map of floats of that shape, is written into and returned; nothing else that is held in memory grows with the
    number of pairs. Raises InputError for a pair that has no score, and as all methods of :class:`bleukit.Metric`.
    """
    scorer = bleu_of(bleu).scorer("sentence")
    arguments.check_threads(threads)
    texts, tokenized = arguments.check_texts_or_tokens(hypotheses, "hypotheses")
    others, are_tokenized = texts, tokenized
    if references is not None:
        wanted = tokenized if texts else None
        others, are_tokenized = arguments.check_texts_or_tokens(references, "references", wanted)
    shape = len(texts), len(others)
    scores: NDArray[np.floating] = np.empty(shape) if out is None else _checked(out, shape)
    filling = _Filling(scorer, scores, threads or (arguments.available_cores() if shape[0] * shape[1] >= MANY else 1))
    tiles = filling.tiles(texts, tokenized=tokenized)
    if references is None:
        filling.all_against_all(tiles)
    else:
        filling.each_against_each(tiles, filling.tiles(others, tokenized=are_tokenized))
    return scores


def matrices(  # noqa: PLR0913
    bleu: VariantLike,
    hypotheses: Sequence[Sequence[Text]],
    references: Sequence[Sequence[Text]] | None = None,
    *,
    out: Sequence[NDArray[np.floating]] | NDArray[np.floating] | None = None,
    threads: int | None = None,
    on_done: Callable[[int], object] | None = None,
) -> list[NDArray[np.floating]]:
    """Return the :func:`matrix` of each of many independent groups, such as the samples of each segment.

    ``hypotheses[i]`` holds the texts of group i; ``references[i]`` and ``out[i]`` are arguments of its matrix. ``out``
    may be a list of arrays, or an array or a memory map of three dimensions if all groups are equally large. The
    threads share the groups; ``on_done`` is called with 1 after each group.
    """
    bleu = bleu_of(bleu)
    groups = groups_of(hypotheses, "hypotheses")
    sides = arguments_by_group(
        {"hypotheses": groups},
        references=None if references is None else groups_of(references, "references"),
        out=out,
    )

    def group_matrix(group: Any, inside: int) -> NDArray[np.floating]:
        number, texts, others, into = group
        try:
            return matrix(bleu, texts, others, out=into, threads=inside)
        except InputError as error:
            raise type(error)(f"group {number}: {error}") from error

    sizes = ((len(texts), len(texts if others is None else others)) for texts, others, *_ in sides)
    pairs = sum(rows * columns for rows, columns in sizes)
    tasks = [(number, *group) for number, group in enumerate(sides)]
    return in_threads(group_matrix, tasks, pairs, threads, on_done)


def groups_of(value: Any, where: str, first: int = 0) -> list[Sequence[Text]]:
    """Return the texts of each group; ``first`` is the number of groups before these. Raises InputTypeError."""
    groups = []
    for number, group in enumerate(
        arguments.check_sequence(value, where, f"a sequence with the {where} of each segment")
    ):
        name = f"{where}[{first + number}]"
        if isinstance(group, str):
            hint = "the texts of a single segment are given as [texts]"
            raise InputTypeError(f"{name}: expected a sequence of texts, got {shown(group)}; {hint}")
        groups.append(arguments.check_sequence(group, name, "a sequence of str, or of token lists"))
    return groups


def arguments_by_group(first: Mapping[str, Sequence[Any]], **others: Any) -> list[tuple[Any, ...]]:
    """Return a tuple for each group: its item of the first argument, and of each other, or None if that is None.

    Raises InputError unless all arguments are of equal length.
    """
    [(name, groups)] = first.items()
    columns = []
    for other, values in others.items():
        by_group = [None] * len(groups) if values is None else list(values)
        if len(by_group) != len(groups):
            raise InputError(f"{len(groups)} segments in {name} but {len(by_group)} in {other}")
        columns.append(by_group)
    return list(zip(groups, *columns, strict=True))


def in_threads(
    function: Callable[[Argument, int], Returned],
    groups: Sequence[Argument],
    pairs: int,
    threads: int | None,
    on_done: Callable[[int], object] | None,
) -> list[Returned]:
    """Return the result of a function for each group; the function takes a group and the number of threads it may use.

    Groups are processed in parallel; if there are fewer groups than ``threads``, the tiles of each group are. By
    default, there is a thread per core if there are many ``pairs``, else one. ``on_done`` is called with 1 after each
    group.
    """
    arguments.check_threads(threads)
    threads = threads or (arguments.available_cores() if pairs >= MANY else 1)
    inside, across = (1, threads) if len(groups) >= threads else (threads, 1)

    def counted(group: Argument) -> Returned:
        result = function(group, inside)
        if on_done is not None:
            on_done(1)
        return result

    return map_in_order(counted, groups, across)


def _checked(out: Any, shape: tuple[int, int]) -> NDArray[np.floating]:
    """Return the array to write to. Raises InputError unless it is a writeable array of floats of this shape."""
    if not isinstance(out, np.ndarray) or out.dtype.kind != "f" or out.shape != shape or not out.flags.writeable:
        description = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else shown(out)
        raise InputError(f"out: expected a writeable array of floats of shape {shape}, got {description}")
    return out


@dataclass(frozen=True)
class _Tile:
    """Consecutive texts, beginning at index ``start``: their tokens, and their lengths in tokens."""

    start: int
    tokens: Sequence[Sequence[str]]
    lengths: NDArray[np.int64]

    @property
    def places(self) -> slice:
        return slice(self.start, self.start + len(self.lengths))

    @cached_property
    def distinct_lengths(self) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        """The different lengths, and the index of each text's length among them."""
        lengths, places = np.unique(self.lengths, return_inverse=True)
        return lengths, places.ravel()


@dataclass(frozen=True)
class _Filling:
    """Writes scores to a matrix, tile by tile, in several threads."""

    scorer: Scorer
    scores: NDArray[np.floating]
    threads: int

    def tiles(self, texts: Sequence[Text], *, tokenized: bool) -> list[_Tile]:
        """Return the texts as tiles of tokens."""
        size = TILE if self._counter.promise("pairs") else SLOW_TILE

        def tile(start: int) -> _Tile:
            tokens = single_reference.tokens_of_texts(self.scorer, texts[start : start + size], tokenized=tokenized)
            return _Tile(start, tokens, np.array(lengths_of(tokens), np.int64))

        return map_in_order(tile, range(0, len(texts), size), self.threads)

    def each_against_each(self, hypotheses: Sequence[_Tile], references: Sequence[_Tile]) -> None:
        """Fill the matrix with the scores of all hypotheses against all references."""
        map_in_order(lambda pair: self._one_way(*pair), list(product(hypotheses, references)), self.threads)

    def all_against_all(self, texts: Sequence[_Tile]) -> None:
        """Fill the matrix with the scores of texts against each other; symmetric matches are counted once."""
        if not (self._counter.promise("pairs") and self._counter.promise("symmetric")):
            self.each_against_each(texts, texts)
            return
        totals = map_in_order(lambda tile: self._one_way(tile, tile), texts, self.threads)

        def both_ways(pair: tuple[int, int]) -> None:
            one, other = (texts[place] for place in pair)
            matches, _ = self._counted(one, other)
            self._score(one, other, matches, totals[pair[0]])
            self._score(other, one, np.ascontiguousarray(matches.transpose(0, 2, 1)), totals[pair[1]])

        map_in_order(both_ways, list(combinations(range(len(texts)), 2)), self.threads)

    def _one_way(self, hypotheses: _Tile, references: _Tile) -> NDArray[np.int64]:
        """Score one tile against another, and return the totals of its hypotheses."""
        matches, totals = self._counted(hypotheses, references)
        self._score(hypotheses, references, matches, totals)
        return totals

    def _counted(self, hypotheses: _Tile, references: _Tile) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return counts.count_every_pair(self._counter, hypotheses.tokens, references.tokens, self.scorer.max_order)

    def _score(
        self, hypotheses: _Tile, references: _Tile, matches: NDArray[np.int64], totals: NDArray[np.int64]
    ) -> None:
        """Write the scores of a tile. Each kind of pair is scored once, because most pairs have the counts of others.

        Matches are of shape (orders, hypotheses, references); totals are of that shape or (orders, hypotheses). If the
        smoothing ignores the reference length, there are fewer kinds: the mean of the precisions is computed for a
        reference of the same length, and multiplied by the brevity penalty.
        """
        columns = len(references.lengths)
        smoothing = self.scorer.loaded.components["smoothing"]
        at_own_length = bool(smoothing.promise("ignores_reference_length"))
        if totals.ndim == 2:
            texts = list(zip(hypotheses.lengths.tolist(), *totals.tolist(), strict=True))
            alike = np.array(arguments.number_labels(texts, "texts")[0], np.int64)
            reference_lengths = np.zeros(columns, np.int64) if at_own_length else references.lengths
            pairs, kinds = loops.distinct(matches, alike, reference_lengths)
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
                effective = single_reference.effective_lengths_of_pairs(self.scorer, lengths, tokens)
            kind_matches = matched.take(chosen, axis=1).astype(np.int64, copy=False)
            kind_totals = totalled.take(ours if totals.ndim == 2 else chosen, axis=1)
            table = CountsTable(kind_matches.T, kind_totals.T, lengths, effective)
            try:
                if at_own_length:
                    scores[start : start + SCORED] = single_reference.segment_means(self.scorer, table)
                else:
                    scores[start : start + SCORED] = single_reference.segment_scores(self.scorer, table, tokens)
            except InputError:
                for pair, (row, column) in enumerate(zip(ours.tolist(), theirs.tolist(), strict=True)):
                    where = f"hypotheses[{hypotheses.start + row}] against references[{references.start + column}]"
                    self._require_score(table, tokens, pair, where)
                raise
        by_pair = scores.take(kinds).reshape(-1, columns)
        if at_own_length:
            by_pair *= self._penalties(hypotheses, references)
            empty = np.ix_(hypotheses.lengths == 0, references.lengths == 0)
            by_pair[empty] = self.scorer.loaded.variant.empty_score
        self.scores[hypotheses.places, references.places] = by_pair

    def _penalties(self, hypotheses: _Tile, references: _Tile) -> NDArray[np.float64]:
        """Return the brevity penalty of each pair, of shape (hypotheses, references)."""
        (ours, our_places), (theirs, their_places) = hypotheses.distinct_lengths, references.distinct_lengths
        lengths, others = np.repeat(ours, len(theirs)), np.tile(theirs, len(ours))
        effective = single_reference.effective_lengths_of_pairs(self.scorer, lengths, others)
        component = self.scorer.loaded.components["brevity_penalty"]
        penalties = components.brevity_penalties_of_rows(component, lengths, effective)
        by_pair: NDArray[np.float64] = (
            penalties.reshape(len(ours), -1).take(their_places, axis=1).take(our_places, axis=0)
        )
        return by_pair

    def _require_score(self, table: CountsTable, tokens: NDArray[np.int64], pair: int, where: str) -> None:
        """Raise InputError, with the position, if a pair has no score."""
        one = slice(pair, pair + 1)
        counts_of_pair = CountsTable(
            table.matches[one], table.totals[one], table.hypothesis_length[one], table.reference_length[one]
        )
        try:
            single_reference.segment_scores(self.scorer, counts_of_pair, tokens[one])
        except InputError as error:
            raise InputError(f"{where}: {error}") from error

    @property
    def _counter(self) -> LoadedComponent:
        return self.scorer.loaded.components["counter"]
